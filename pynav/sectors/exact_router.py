"""The exact router: single paths to a goal over blocks, writing the directions of the blocks alone that a path crosses."""

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIRECTION_X, DIRECTION_Y, NO_DIRECTION, NO_WAY, SOLID_TILE
from pynav.kernels import Sequence, parallel_for
from pynav.sectors._block_matrix_kernels import LOADED, TILES
from pynav.sectors._tile_distance_kernels import read_distances
from pynav.sectors.block_flow import write_steps
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import EDGE, ITEM_COUNT_COUNT, MISSING, NOT_HERE, READY, STEP, UNREACHED
from pynav.sectors.goal_values import GoalValues

_MOST_AT_ONCE = 4
_PARTS = 16  # pieces that a list of blocks is cut into, each with scratch of its own


class ExactRouter:
    """Paths to one set of goals at a time; the simple counterpart of what crowds do.

    Args:
        graph: the blocks; ``graph.fits`` must hold. After an edit of it call ``set_goals`` again.

    Notes:
        Deterministic. ``set_goals`` searches the whole map's blocks (some milliseconds for 1024 x 1024 tiles).

    Example:
        >>> from pynav.grid import TileGrid
        >>> router = ExactRouter(BlockGraph(TileGrid([[1, 1, 1], [1, 0, 1]])))
        >>> router.set_goals([(2, 1)])
        >>> router.path((0, 1)).tolist()
        [[0, 1], [0, 0], [1, 0], [2, 0], [2, 1]]
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        self.values = GoalValues(graph)
        height, width = graph.grid.height, graph.grid.width
        self._flow: npt.NDArray[np.uint8] = np.full((1, height + 2, width + 2), SOLID_TILE, dtype=np.uint8)
        self._edge: npt.NDArray[np.uint8] = np.zeros((1, graph.block_count, EDGE), dtype=np.uint8)
        self._ready: npt.NDArray[np.uint8] = np.full((1, graph.block_count), MISSING, dtype=np.uint8)
        self._slot: npt.NDArray[np.int32] = np.zeros(_MOST_AT_ONCE, dtype=np.int32)
        self._block: npt.NDArray[np.int32] = np.zeros(_MOST_AT_ONCE, dtype=np.int32)
        self._counts: npt.NDArray[np.int64] = np.zeros(ITEM_COUNT_COUNT, dtype=np.int64)
        self._common = (np.zeros((1, 1, STEP * STEP), dtype=np.uint8), np.zeros((1, graph.block_count), dtype=np.uint8))
        self._write: Sequence | None = None

    def set_goals(self, goals: npt.ArrayLike) -> None:
        """Make goal tiles (x, y), integers (n, 2), the goals of the paths from now on; solid ones count for nothing."""
        self.values.build(goals)
        self.take_values()

    def take_values(self) -> None:
        """Lead to the goals that ``values`` was built for."""
        self._ready[:] = MISSING
        starts = np.array([0, len(self.values.goal_x)], dtype=np.int32)
        goal_numbers = (starts, self.values.goal_x, self.values.goal_y)
        self._write = Sequence(
            write_steps(
                [(0, self.graph)], np.zeros(1, dtype=np.int32), self._slot, self._block, self._counts,
                self.values.value[None, :], goal_numbers, self._flow, self._edge, self._ready,
                self._common,
            )
        )  # fmt: skip

    def direction(self, x: int, y: int) -> int:
        """The code of a tile (steps.py): 0..7 the step to take, NO_DIRECTION at goals, NO_WAY, SOLID_TILE."""
        column, row = min(x // STEP, self.graph.column_count - 1), min(y // STEP, self.graph.row_count - 1)
        self._need(row, column)
        if self._flow[0, y + 1, x + 1] == NOT_HERE:
            for up, left in ((0, 1), (1, 0), (1, 1)):
                if row >= up and column >= left:
                    self._need(row - up, column - left)
        return int(self._flow[0, y + 1, x + 1])

    def _need(self, row: int, column: int) -> None:
        block = row * self.graph.column_count + column
        if self._ready[0, block] != READY:
            assert self._write is not None
            self._block[0] = block
            self._counts[:] = 1
            self._write.run()

    def distances(self, tiles: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Distances of tiles (x, y) inside the map, int32 (n, 2), to the nearest goal: int32 (n,), UNREACHED where there is none.

        About 10 us for each block that holds any, in parallel; the same units as in IntegrationField.
        """
        graph, values = self.graph, self.values
        column = np.minimum(tiles[:, 0] // STEP, graph.column_count - 1)
        block = np.minimum(tiles[:, 1] // STEP, graph.row_count - 1) * graph.column_count + column
        order = np.argsort(block, kind="stable")
        blocks, first = np.unique(block[order], return_index=True)
        first = np.append(first, len(order)).astype(np.int32)
        parts = min(_PARTS, max(len(blocks), 1))
        local: npt.NDArray[np.uint8] = np.zeros((parts, LOADED), dtype=np.uint8)
        distance: npt.NDArray[np.int32] = np.zeros((parts, TILES), dtype=np.int32)
        found: npt.NDArray[np.int32] = np.full(len(order), UNREACHED, dtype=np.int32)
        x, y = (np.ascontiguousarray(tiles[order, axis], dtype=np.int32) for axis in range(2))
        parallel_for(
            read_distances, parts, graph.cost, graph.closed, graph.one_way, values.value, graph.border_of, graph.ring,
            values.goal_x, values.goal_y,
            blocks.astype(np.int32), first, x, y, local, distance, found, graph.column_count, -(-len(blocks) // parts),
            block_size=1,
        )  # fmt: skip
        answer = np.empty_like(found)
        answer[order] = found
        return answer

    def path(self, start: tuple[int, int]) -> npt.NDArray[np.int32]:
        """Tiles (x, y) from ``start`` to the nearest goal, both included, int32 (n, 2); empty where there is no way."""
        x, y = start
        tiles = [(x, y)]
        code = self.direction(x, y)
        if code in (NO_WAY, SOLID_TILE):
            return np.zeros((0, 2), dtype=np.int32)
        while code != NO_DIRECTION:
            x, y = x + DIRECTION_X[code], y + DIRECTION_Y[code]
            tiles.append((x, y))
            code = self.direction(x, y)
        return np.array(tiles, dtype=np.int32)
