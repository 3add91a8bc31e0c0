"""Repairs: the border values of all published flows brought up to date after edits, at once, within a bound."""

import numpy as np
import numpy.typing as npt

from pynav.kernels import parallel_for
from pynav.sectors._block_heap_kernels import PROGRESS_COUNT
from pynav.sectors._block_matrix_kernels import TILES
from pynav.sectors._repair_kernels import repair_flows
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import ITEM_COUNT_COUNT, ITEMS, PARTS_USED, PER_PART, RING, UNREACHED

RAISED_LIMIT = 600  # values of a flow that a repair raises at most; beyond, a build from nothing takes less time
LOOK_LIMIT = 800  # blocks that it looks at for a flow
LOG_LENGTH = 6_000  # changes of values that it can take back
_PARTS = 4

Goals = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]


class FlowRepair:
    """Scratch for repairs on a graph; ``graph`` may be replaced by another of the same size.

    Notes:
        Deterministic: repaired values are those of a build from nothing; what is too much is told by counts. About 20 to 80 us
        a flow for a small edit, in parallel over flows; a failed one costs about a millisecond.
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        borders, blocks = graph.border_count, graph.block_count
        self._given: npt.NDArray[np.int32] = np.full((_PARTS, borders), UNREACHED, dtype=np.int32)
        self._affected: npt.NDArray[np.uint8] = np.zeros((_PARTS, borders), dtype=np.uint8)
        self._border_heap: npt.NDArray[np.int32] = np.zeros((_PARTS, borders), dtype=np.int32)
        self._border_place: npt.NDArray[np.int32] = np.full((_PARTS, borders), -1, dtype=np.int32)
        self._listed: npt.NDArray[np.int32] = np.zeros((_PARTS, RAISED_LIMIT), dtype=np.int32)
        self._dirty: npt.NDArray[np.uint8] = np.zeros((_PARTS, blocks, RING), dtype=np.uint8)
        self._key, self._heap = (np.zeros((_PARTS, blocks), dtype=np.int32) for _ in range(2))
        self._place: npt.NDArray[np.int32] = np.full((_PARTS, blocks), -1, dtype=np.int32)
        self._rows: npt.NDArray[np.int32] = np.zeros((3 * _PARTS, RING), dtype=np.int32)
        self._local: npt.NDArray[np.uint8] = np.zeros((_PARTS, TILES), dtype=np.uint8)
        self._distance: npt.NDArray[np.int32] = np.zeros((_PARTS, TILES), dtype=np.int32)
        self._log = [np.zeros((_PARTS, LOG_LENGTH), dtype=np.int32) for _ in range(2)]
        self._progress: npt.NDArray[np.int64] = np.zeros((_PARTS, PROGRESS_COUNT), dtype=np.int64)
        self._counts: npt.NDArray[np.int64] = np.zeros(ITEM_COUNT_COUNT, dtype=np.int64)

    def run(
        self,
        slots: npt.NDArray[np.int32],
        changed: npt.NDArray[np.int32],
        value: npt.NDArray[np.int32],
        ready: npt.NDArray[np.uint8],
        goals: Goals,
    ) -> npt.NDArray[np.bool_]:
        """Repair some flows after blocks have changed.

        Args:
            slots: int32 (n,), rows of ``value``; each was exact before the change.
            changed: int32 (m,), blocks that have changed since.
            value: int32 (flows, border tiles), repaired in place.
            ready: uint8 (flows, blocks): blocks whose values change become MISSING.
            goals: first goal of each flow, columns and rows of goals, first goal block of each flow, goal blocks.

        Returns:
            bool (n,): which of them would have taken too much; their values are as they were.
        """
        count = len(slots)
        failed: npt.NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        if count == 0:
            return failed.view(np.bool_)
        graph = self.graph
        per_part = -(-count // _PARTS)
        self._counts[PARTS_USED], self._counts[ITEMS], self._counts[PER_PART] = -(-count // per_part), count, per_part
        parallel_for(
            repair_flows, int(self._counts[PARTS_USED]), graph.cost, graph.ring, graph.matrix, graph.matrix_of, graph.border_of,
            graph.owner_block, graph.owner_ring, *goals, changed, slots, failed, self._counts, value, ready, self._given,
            self._affected, self._border_heap, self._border_place, self._listed, self._dirty, self._key, self._heap, self._place,
            self._rows, self._local, self._distance, *self._log, self._progress, graph.column_count, LOOK_LIMIT, block_size=1,
        )  # fmt: skip
        return failed.view(np.bool_)
