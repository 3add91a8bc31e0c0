"""Goal values: the exact distance of every border tile to a set of goals, built in slices."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.sectors import _goal_value_kernels as kernels
from pynav.sectors._block_matrix_kernels import TILES
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import RING, UNREACHED

_UNLIMITED = 2**40
_NO_LOG: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)


class SearchScratch:
    """What a search works with; one at a time uses it."""

    def __init__(self, graph: BlockGraph) -> None:
        self.dirty: npt.NDArray[np.uint8] = np.zeros((graph.block_count, RING), dtype=np.uint8)
        self.key: npt.NDArray[np.int32] = np.zeros(graph.block_count, dtype=np.int32)
        self.heap: npt.NDArray[np.int32] = np.zeros(graph.block_count, dtype=np.int32)
        self.place: npt.NDArray[np.int32] = np.full(graph.block_count, -1, dtype=np.int32)
        self.rows = tuple(np.zeros(RING, dtype=np.int32) for _ in range(3))
        self.local: npt.NDArray[np.uint8] = np.zeros(TILES, dtype=np.uint8)
        self.distance: npt.NDArray[np.int32] = np.zeros(TILES, dtype=np.int32)

    def clear(self) -> None:
        """Forget a search that was not finished."""
        self.dirty[:] = 0
        self.place[:] = -1


class GoalValues:
    """Exact distances from border tiles to the nearest of some goal tiles.

    Args:
        graph: the blocks; ``graph.fits`` must hold.

    Notes:
        Deterministic: values are the exact minima, whatever the slices. Memory 4 bytes a border tile (an eighth of the tiles).
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        self.value: npt.NDArray[np.int32] = np.full(graph.border_count, UNREACHED, dtype=np.int32)
        self.goal_x: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.goal_y: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.goal_block: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.matrix_of = graph.matrix_of  # the map that the values are of
        self.progress: npt.NDArray[np.int64] = np.zeros(kernels.PROGRESS_COUNT, dtype=np.int64)
        self.progress[kernels.DONE] = 1

    @property
    def is_finished(self) -> bool:
        """Whether no build is in progress."""
        return bool(self.progress[kernels.DONE])

    def begin(self, goals: npt.ArrayLike, scratch: SearchScratch) -> None:
        """Start a build towards goal tiles (x, y), integers (n, 2) inside the map; solid ones count for nothing."""
        self._take_goals(goals)
        self.value[:] = UNREACHED
        self.progress[:] = 0
        scratch.clear()
        graph = self.graph
        kernels.seed_goals(
            graph.cost, self.goal_x, self.goal_y, graph.ring, graph.border_of, graph.owner_block, graph.owner_ring,
            self.goal_block, self.value, scratch.dirty, scratch.key, scratch.heap, scratch.place, scratch.local,
            scratch.distance, _NO_LOG, _NO_LOG, graph.column_count, self.progress,
        )  # fmt: skip

    def _take_goals(self, goals: npt.ArrayLike) -> None:
        tiles = np.asarray(goals, dtype=np.int32).reshape(-1, 2)
        self.goal_x, self.goal_y = np.ascontiguousarray(tiles[:, 0]), np.ascontiguousarray(tiles[:, 1])
        self.goal_block = self.graph.blocks_of_tiles(tiles)
        self.matrix_of = self.graph.matrix_of

    def bound_slice(self, scratch: SearchScratch, block_budget: int) -> tuple[Any, npt.NDArray[np.int64]]:
        """The build in progress as a bound kernel call for a job: run it until ``progress[1]`` is 1."""
        graph = self.graph
        call = kernels.spread_values.bind(
            graph.matrix, self.matrix_of, graph.border_of, graph.owner_block, graph.owner_ring, self.value, scratch.dirty,
            scratch.key, scratch.heap, scratch.place, *scratch.rows, _NO_LOG, _NO_LOG, self.progress,
            min(block_budget, _UNLIMITED),
        )  # fmt: skip
        return call, self.progress

    def build(self, goals: npt.ArrayLike, scratch: SearchScratch) -> None:
        """Build now."""
        self.begin(goals, scratch)
        call, _ = self.bound_slice(scratch, _UNLIMITED)
        call.run()
