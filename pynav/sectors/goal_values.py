"""Goal values: the exact distance of every border tile to a set of goals, built in slices."""

import numpy as np
import numpy.typing as npt

from pynav.kernels import LANES, BoundCall
from pynav.kernels.kept_call import KeptCall
from pynav.sectors import _goal_value_kernels as kernels
from pynav.sectors._block_heap_kernels import DONE, PROGRESS_COUNT
from pynav.sectors._block_matrix_kernels import LOADED, TILES
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import RING, SIDES, UNREACHED

_UNLIMITED = 2**40


class GoalValues:
    """Exact distances from border tiles to the nearest of some goal tiles, and what the search for them works with.

    Args:
        graph: the blocks; ``graph.fits`` must hold.

    Attributes:
        value: int32 (border tiles,), UNREACHED where there is no way; the result once a build is done, of no use before.

    Notes:
        Deterministic: values are the exact minima, whatever the slices. Memory 4 bytes a border tile (an eighth of the tiles)
        for the result, 320 bytes a block for the search. About 1 us a block.
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        self.value: npt.NDArray[np.int32] = np.full(graph.border_count, UNREACHED, dtype=np.int32)
        self.goal_x: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.goal_y: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.progress: npt.NDArray[np.int64] = np.zeros(PROGRESS_COUNT, dtype=np.int64)
        self.progress[DONE] = 1
        self._call: BoundCall | None = None
        self._load = KeptCall(kernels.load_goal_blocks)

    @property
    def is_finished(self) -> bool:
        """Whether no build is in progress."""
        return bool(self.progress[DONE])

    def begin(self, goals: npt.ArrayLike, block_budget: int) -> tuple[BoundCall, npt.NDArray[np.int64]]:
        """Start a build on the map as it is now; edits that follow don't change it.

        Args:
            goals: tiles (x, y), integers (n, 2) inside the map; solid ones count for nothing.
            block_budget: blocks that a run of the call looks at, 1 or more.

        Returns:
            The build as a bound kernel call for a job, to be run until ``progress[1]`` is 1, and ``progress``.
        """
        tiles = np.asarray(goals, dtype=np.int32).reshape(-1, 2)
        graph = self.graph
        self.goal_x, self.goal_y = np.ascontiguousarray(tiles[:, 0]), np.ascontiguousarray(tiles[:, 1])
        goal_block = graph.blocks_of_tiles(tiles)
        goal_local: npt.NDArray[np.uint8] = np.empty((len(goal_block), LOADED), dtype=np.uint8)
        self._load.bound(graph.cost, graph.closed, graph.one_way, goal_block, goal_local, graph.column_count).run()
        self.progress[:] = 0
        if self._call is None:
            self._call = self._bind(goal_block, goal_local)
        else:
            self._call.set_arrays(
                matrix=graph.matrix, matrix_of=graph.matrix_of, goal_x=self.goal_x, goal_y=self.goal_y, goal_block=goal_block,
                goal_local=goal_local,
            )  # fmt: skip
        self._call.set("budget", block_budget)
        return self._call, self.progress

    def _bind(self, goal_block: npt.NDArray[np.int32], goal_local: npt.NDArray[np.uint8]) -> BoundCall:
        """Bind the search to scratch of its own."""
        graph, blocks = self.graph, self.graph.block_count
        # One block more than there are: what would go to neighbours that are not there.
        block_value: npt.NDArray[np.int32] = np.empty((blocks + 1, RING), dtype=np.int32)
        dirty: npt.NDArray[np.uint8] = np.empty((blocks + 1, RING), dtype=np.uint8)
        key, heap, place = (np.empty(blocks, dtype=np.int32) for _ in range(3))
        offered: npt.NDArray[np.int32] = np.zeros(RING, dtype=np.int32)
        order: npt.NDArray[np.int32] = np.zeros(RING + LANES, dtype=np.int32)
        least: npt.NDArray[np.int32] = np.zeros(SIDES, dtype=np.int32)
        distance: npt.NDArray[np.int32] = np.zeros(TILES, dtype=np.int32)
        return kernels.search_blocks.bind(
            graph.matrix, graph.matrix_of, graph.border_of, graph.ring, graph.neighbour, *graph.shared_tiles, self.goal_x,
            self.goal_y, goal_block, goal_local, block_value, dirty, key, heap, place, offered, order, least, distance,
            self.value, self.progress, graph.column_count, 1,
        )  # fmt: skip

    def build(self, goals: npt.ArrayLike) -> None:
        """Build now; goals as of ``begin``."""
        call, _ = self.begin(goals, _UNLIMITED)
        call.run()
