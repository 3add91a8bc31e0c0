"""Repairs: the border values of all published flows brought up to date after edits, at once, within a bound."""

import numpy as np
import numpy.typing as npt

from pynav.kernels import BoundCall
from pynav.sectors._block_heap_kernels import PROGRESS_COUNT
from pynav.sectors._block_matrix_kernels import LOADED, TILES
from pynav.sectors._repair_kernels import CHANGED, NOT_TRIED, REPAIR_COUNT_COUNT, REPAIRED, TOO_MUCH, repair_flows
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import ITEMS, PARTS_USED, RING, UNREACHED

RAISED_LIMIT = 600  # values of a flow that a repair raises at most; beyond, a build from nothing takes less time
LOOK_LIMIT = 800  # blocks that it looks at for a flow
LOG_LENGTH = 6_000  # changes of values that it can take back
PARTS = 4  # pieces of a run, each with scratch of its own
UNLIMITED = 2**40

__all__ = ["NOT_TRIED", "REPAIRED", "TOO_MUCH", "FlowRepair", "Goals"]

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
        self._given: npt.NDArray[np.int32] = np.full((PARTS, borders), UNREACHED, dtype=np.int32)
        self._affected: npt.NDArray[np.uint8] = np.zeros((PARTS, borders), dtype=np.uint8)
        self._border_heap: npt.NDArray[np.int32] = np.zeros((PARTS, borders), dtype=np.int32)
        self._border_place: npt.NDArray[np.int32] = np.full((PARTS, borders), -1, dtype=np.int32)
        self._listed: npt.NDArray[np.int32] = np.zeros((PARTS, RAISED_LIMIT), dtype=np.int32)
        self._dirty: npt.NDArray[np.uint8] = np.zeros((PARTS, blocks, RING), dtype=np.uint8)
        self._key, self._heap = (np.zeros((PARTS, blocks), dtype=np.int32) for _ in range(2))
        self._place: npt.NDArray[np.int32] = np.full((PARTS, blocks), -1, dtype=np.int32)
        self._rows: npt.NDArray[np.int32] = np.zeros((3 * PARTS, RING), dtype=np.int32)
        self._local: npt.NDArray[np.uint8] = np.zeros((PARTS, LOADED), dtype=np.uint8)
        self._distance: npt.NDArray[np.int32] = np.zeros((PARTS, TILES), dtype=np.int32)
        self._log = [np.zeros((PARTS, LOG_LENGTH), dtype=np.int32) for _ in range(2)]
        self._progress: npt.NDArray[np.int64] = np.zeros((PARTS, PROGRESS_COUNT), dtype=np.int64)
        self._counts: npt.NDArray[np.int64] = np.zeros(REPAIR_COUNT_COUNT, dtype=np.int64)
        self._slots: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._changed: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._outcome: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self._call: BoundCall | None = None

    def run(
        self,
        slots: npt.NDArray[np.int32],
        changed: npt.NDArray[np.int32],
        value: npt.NDArray[np.int32],
        ready: npt.NDArray[np.uint8],
        goals: Goals,
        unit_limit: int = UNLIMITED,
    ) -> npt.NDArray[np.uint8]:
        """Repair some flows after blocks have changed.

        Args:
            slots: int32 (n,), rows of ``value``; each was exact before the change.
            changed: int32 (m,), blocks that have changed since, and perhaps others.
            value: int32 (flows, border tiles), repaired in place.
            ready: uint8 (flows, blocks): blocks whose values change become MISSING.
            goals: first goal of each flow, columns and rows of goals, first goal block of each flow, goal blocks.
            unit_limit: work after which no more flows are begun, in looks at a block, rounded up to what PARTS flows take.

        Returns:
            uint8 (n,): REPAIRED; TOO_MUCH for a flow whose repair would have taken too much, its values are as they were;
            NOT_TRIED for those beyond the limit. The first flow is always tried.
        """
        count = len(slots)
        if count == 0:
            return np.zeros(0, dtype=np.uint8)
        if self._call is None or count > len(self._slots) or len(changed) > len(self._changed):
            self._slots = np.zeros(2 * count, dtype=np.int32)
            self._outcome = np.zeros(2 * count, dtype=np.uint8)
            self._changed = np.zeros(2 * len(changed) + 16, dtype=np.int32)
            self._call = self._bind(value, ready, goals)
        graph = self.graph
        self._call.set_arrays(
            cost=graph.cost, closed=graph.closed, one_way=graph.one_way, matrix=graph.matrix, matrix_of=graph.matrix_of,
            goal_start=goals[0], goal_x=goals[1],
            goal_y=goals[2], goal_block_start=goals[3], goal_block=goals[4], value=value, ready=ready,
        )  # fmt: skip
        parts = min(PARTS, count)
        self._call.set("unit_limit", -(-unit_limit // parts))
        self._slots[:count] = slots
        self._changed[: len(changed)] = changed
        self._counts[PARTS_USED], self._counts[ITEMS], self._counts[CHANGED] = parts, count, len(changed)
        self._call.run(parts, block_size=1)
        return self._outcome[:count].copy()

    def _bind(self, value: npt.NDArray[np.int32], ready: npt.NDArray[np.uint8], goals: Goals) -> BoundCall:
        graph = self.graph
        return repair_flows.bind(
            graph.cost, graph.closed, graph.one_way, graph.ring, graph.matrix, graph.matrix_of, graph.border_of,
            graph.owner_block, graph.owner_ring, *goals,
            self._changed, self._slots, self._outcome, self._counts, value, ready, self._given, self._affected,
            self._border_heap, self._border_place, self._listed, self._dirty, self._key, self._heap, self._place, self._rows,
            self._local, self._distance, *self._log, self._progress, graph.column_count, LOOK_LIMIT, 0,
        )  # fmt: skip
