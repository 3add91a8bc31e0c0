"""Common routes: which way a group goes together, where the shortest ways of its units part.

The shortest ways of units that stand side by side may lead round both sides of an obstacle, or through different doors, because
one is shorter by half a tile. A common route keeps a group together: the leader's shortest way is widened to a corridor, and
inside it the directions are those of the shortest way that stays inside. Whoever is pushed out of it follows the exact
directions, whoever comes in stays in, so no route goes in circles.

Tiles with closed exits (grid/exits.py) are in no corridor: where the leader needs one there is no common route.

It serves only if nobody in the group walks more than DETOUR_PERCENT of its shortest way.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.kernels import BoundCall
from pynav.sectors import _common_route_kernels as kernels
from pynav.sectors._block_heap_kernels import DONE
from pynav.sectors._block_matrix_kernels import LOADED, TILES
from pynav.sectors.block_graph import BlockGraph

REACH_STEPS = 8  # the corridor reaches so many legal steps to each side of the leader's route
START_MARGIN = 2  # tiles beyond where the group stands
DETOUR_PERCENT = 110
GROUP_COLUMNS: Final = kernels.GROUP_COLUMNS


class Groups(NamedTuple):
    """Groups with the same goals.

    Attributes:
        leaders: int32 (n, 3), the tile (x, y) of each group's leader, free, and within how many tiles of it in x and y the group
            stands, 0..100.
        starts: int32 (m, 2), the tiles of all units of the groups, each once.
    """

    leaders: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int32]

    @classmethod
    def none(cls) -> "Groups":
        """Nobody who is to go together."""
        return cls(np.zeros((0, GROUP_COLUMNS), dtype=np.int32), np.zeros((0, 2), dtype=np.int32))


class CommonRoute:
    """The search for the common route of groups with the same goals, and what it works with.

    Args:
        graph: the blocks; ``graph.fits`` must hold.

    Notes:
        Deterministic, whatever the slices. Cost some 0.2 us a tile of the corridor, and 5 us a block that the leader crosses.
        Memory 18 bytes a tile, of which only those of corridors are touched.
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        rows, columns = graph.cost.shape
        count = (rows + 2) * (columns + 2)
        self.progress: npt.NDArray[np.int64] = np.zeros(kernels.PROGRESS_COUNT, dtype=np.int64)
        self._local: npt.NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self._steps_left: npt.NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self._distance, self._place, self._member, self._queue = (np.empty(count, dtype=np.int32) for _ in range(4))
        self._block_at: npt.NDArray[np.int32] = np.full(graph.block_count, -1, dtype=np.int32)
        self._block: npt.NDArray[np.int32] = np.zeros(graph.block_count, dtype=np.int32)
        self._code: npt.NDArray[np.uint8] = np.empty((graph.block_count, kernels.OWN_TILES), dtype=np.uint8)
        self._block_local: npt.NDArray[np.uint8] = np.zeros(LOADED, dtype=np.uint8)
        self._block_distance: npt.NDArray[np.int32] = np.zeros(TILES, dtype=np.int32)

    def begin(
        self,
        cost: npt.NDArray[np.uint8],
        value: npt.NDArray[np.int32],
        goal_x: npt.NDArray[np.int32],
        goal_y: npt.NDArray[np.int32],
        groups: Groups,
        tile_budget: int,
    ) -> tuple[BoundCall, npt.NDArray[np.int64]]:
        """Start a search; the arrays must stay as they are until it is done.

        Args:
            cost: the blocks' costs (BlockGraph.corridor_cost) that ``value`` is right for.
            value: int32 (border tiles,), exact distances to the goals; they need to be there when the call first runs.
            goal_x: int32, columns of the goal tiles.
            goal_y: int32, their rows.
            groups: one or more.
            tile_budget: tiles that a run of the call looks at, about.

        Returns:
            The search as a bound kernel call for a job, to be run until ``progress[1]`` is 1, and ``progress``.
        """
        graph = self.graph
        self.progress[kernels.PHASE] = kernels.CLEARING
        self.progress[DONE] = 0
        reached = groups.leaders.copy()
        reached[:, kernels.RADIUS] += START_MARGIN
        start_x, start_y = (np.ascontiguousarray(axis) for axis in groups.starts.T)
        call = kernels.find_common_route.bind(
            cost, value, graph.border_of, graph.ring, goal_x, goal_y, reached, start_x, start_y, self._block_local,
            self._block_distance, self._local, self._steps_left, self._distance, self._place, self._member, self._queue,
            self._block_at, self._block,
            self._code, self.progress, graph.column_count, graph.row_count, REACH_STEPS, DETOUR_PERCENT, tile_budget,
        )  # fmt: skip
        return call, self.progress

    @property
    def blocks(self) -> npt.NDArray[np.int32]:
        """The result: blocks (n,) that hold tiles of the corridor, none where a common route isn't worth it. A view."""
        return self._block[: int(self.progress[kernels.BLOCKS])]

    @property
    def codes(self) -> npt.NDArray[np.uint8]:
        """The directions there, uint8 (n, 256) by row and column within each block: steps.py, or NOT_HERE outside. A view."""
        return self._code[: int(self.progress[kernels.BLOCKS])]
