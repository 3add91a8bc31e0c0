"""The rows of the flow table: what is published of each flow, in arrays that kernels know by the row alone.

There is room for far more rows than are in use; the system gives memory to a page when it is first written. A thousand flows
that are published one after the other would have the main thread wait for that in every tick, so the background thread touches
a row's pages while the flow's border values are sought.
"""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _flow_table_kernels as kernels
from pynav.crowd.common_table import CommonTable
from pynav.crowd.memory import PAGE, untouched
from pynav.jobs import SlicedJob
from pynav.kernels import BoundCall
from pynav.sectors import BlockGraph
from pynav.sectors.block_layout import EDGE, MISSING, NOT_HERE, READY, STEP

MOST_ROWS = 1024  # made room for at once; beyond them rows double
ROOM_BYTES = 1 << 30  # of addresses; large maps get fewer rows
PAGES_PER_SLICE = 16
_DONE = 1  # entry of a kernel's progress
ROWS = ("flow", "value", "edge", "ready")


class FlowRows:
    """Directions, border values, edges and states of blocks, by flow.

    Args:
        graph: blocks of the map.
        count: rows that there has to be room for.

    Attributes:
        flow: uint8 (rows, height + 2, width + 2), directions (steps.py).
        value: int32 (rows, border tiles), distances.
        edge: uint8 (rows, blocks, EDGE), directions beyond a block's borders.
        common: common routes.
        ready: uint8 (rows, blocks), whether a block's directions are written.
    """

    def __init__(self, graph: BlockGraph, count: int) -> None:
        shape = (graph.grid.height + 2, graph.grid.width + 2)
        row_bytes = shape[0] * shape[1] + 4 * graph.border_count + graph.block_count * (EDGE + STEP * STEP)
        try:
            self._make_room(graph, shape, max(count, min(MOST_ROWS, ROOM_BYTES // row_bytes)))
        except (OSError, MemoryError):  # a system that gives no addresses without memory
            self._make_room(graph, shape, count)
        self.ready: npt.NDArray[np.uint8] = np.full((self.count, graph.block_count), READY, dtype=np.uint8)
        self._touched: set[int] = set()  # rows that were written before, or that somebody is at
        self._touching: dict[int, tuple[SlicedJob, BoundCall, npt.NDArray[np.int64]]] = {}
        self._spare: list[tuple[BoundCall, npt.NDArray[np.int64]]] = []

    def _make_room(self, graph: BlockGraph, shape: tuple[int, int], count: int) -> None:
        self.count = count
        self.flow: npt.NDArray[np.uint8] = untouched((count, *shape), np.uint8)
        self.value: npt.NDArray[np.int32] = untouched((count, graph.border_count), np.int32)
        self.edge: npt.NDArray[np.uint8] = untouched((count, graph.block_count, EDGE), np.uint8)
        self.common = CommonTable(count, graph.block_count)

    def take(self, other: "FlowRows", indices: list[int]) -> None:
        """Take over some rows of a smaller table."""
        for name in ROWS:
            getattr(self, name)[indices] = getattr(other, name)[indices]

    def touch(self, index: int) -> None:
        """Have the background thread write to the pages of a row that was never used; ``settle`` takes it back."""
        if index in self._touched:
            return
        call, progress = self._spare.pop() if self._spare else self._bound()
        progress[:] = 0
        call.set("row", index)
        job = SlicedJob(call, progress, _DONE)
        job.start()
        self._touched.add(index)
        self._touching[index] = job, call, progress

    def _bound(self) -> tuple[BoundCall, npt.NDArray[np.int64]]:
        progress: npt.NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        flow, edge = self.flow.reshape(self.count, -1), self.edge.reshape(self.count, -1)
        return kernels.touch_row.bind(flow, self.value, edge, progress, 0, PAGE, PAGES_PER_SLICE), progress

    def settle(self, index: int) -> None:
        """See that nobody but the caller writes to a row; waits for at most the slice in progress."""
        self._touched.add(index)
        found = self._touching.pop(index, None)
        if found is not None:
            job, call, progress = found
            job.cancel()
            self._spare.append((call, progress))

    def blank(self, index: int, blank: npt.NDArray[np.uint8]) -> None:
        """Nothing of a row is written: ``blank``, uint8 (height + 2, width + 2), says what is solid."""
        self.flow[index] = blank
        self.edge[index] = NOT_HERE
        self.ready[index] = MISSING
