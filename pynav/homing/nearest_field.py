"""The exact field of one type of source: the nearest target of every cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _nearest_kernels as kernels
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import POWER, SLOT_BITS, SOURCE_X, SOURCE_Y
from pynav.homing.source_table import SourceTable
from pynav.jobs import SlicedJob
from pynav.kernels.kept_call import KeptCall

_EDGES_A_BLOCK = 4
_BANDS_A_BLOCK = 2
_SLOTS = (1 << SLOT_BITS) - 1


def _in_order_of(numbers: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """Whole numbers in the same order. With the slot below them they sort at a fraction of what a stable sort of floats takes."""
    bits = (numbers + np.float32(0.0)).view(np.int32)  # -0 is 0
    return (bits ^ ((bits >> 31) & np.int32(0x7FFFFFFF))).astype(np.int64)


class NearestField:
    """Slots of the nearest targets, cell by cell: those that serve, and those of the next update. -1: there is no target.

    Notes:
        Cost: rows x targets near a band + cells. Exact to the rounding of float64, with the targets' places of the update;
        of two in the same place the lower slot is taken, of two as near the one with the smaller x.
    """

    def __init__(self, box: GridBox) -> None:
        self._box = box
        self.bands = -(-box.rows // kernels.BAND_ROWS)
        self.nearest: list[npt.NDArray[np.int32]] = [np.full(box.cell_count, -1, np.int32) for _ in range(2)]
        self._edge_count = np.zeros(self.bands + 1, np.int64)
        self._progress = np.zeros(3, np.int64)
        self._job: SlicedJob | None = None
        self._capacity = 0
        self._scratch: list[npt.NDArray[Any]] = []
        self._sorted: tuple[npt.NDArray[Any], ...] = ()
        self._find_edges = KeptCall(kernels.find_edges)
        self._fill_bands = KeptCall(kernels.fill_bands)
        self._slice = KeptCall(kernels.nearest_slice)

    @property
    def work(self) -> int:
        """Cells of an update, weighed as those of a sweep are."""
        return 3 * self._box.cell_count

    def take_sources(self, sources: SourceTable, type_number: int) -> None:
        """Note the targets: all of the type that attract."""
        slots = sources.alive_slots(type_number)
        slots = slots[sources.values[POWER, slots] > 0.0]
        slots = np.sort(_in_order_of(sources.values[SOURCE_X, slots]) << SLOT_BITS | slots) & _SLOTS
        self._sorted = (
            sources.values[SOURCE_X, slots].astype(np.float64), sources.values[SOURCE_Y, slots].astype(np.float64),
            slots.astype(np.int32),
        )  # fmt: skip
        if len(slots) > self._capacity:
            self._capacity = 2 * len(slots)
            shape = (self.bands + 1, self._capacity)
            self._scratch = [np.zeros(shape, np.int32) for _ in range(3)]
            self._scratch.append(np.zeros((*shape, kernels.PEAK_VALUES)))

    def update(self) -> None:
        """Find the nearest targets of all cells, on all threads."""
        if self._is_empty():
            return
        x, y, slots = self._sorted
        candidates, edges, stack, peaks = self._scratch
        (left, top), (width, height) = self._box.low, self._box.cell_size
        self._find_edges.bound(x, y, candidates, edges, peaks, self._edge_count, top, height).run(self.bands + 1, _EDGES_A_BLOCK)
        self._fill_bands.bound(
            x, y, slots, candidates, edges, self._edge_count, stack, peaks, self.nearest[1], self._box.columns, left, top, width,
            height,
        ).run(self.bands, _BANDS_A_BLOCK)  # fmt: skip

    def start_job(self) -> None:
        """The same on the background thread."""
        if self._is_empty():
            return
        x, y, slots = self._sorted
        candidates, edges, stack, peaks = self._scratch
        self._progress[:] = 0
        call = self._slice.bound(
            self._progress, x, y, slots, candidates, edges, self._edge_count, stack, peaks, self.nearest[1], self._box.columns,
            *self._box.low, *self._box.cell_size,
        )  # fmt: skip
        self._job = SlicedJob(call, self._progress, kernels.DONE)
        self._job.start()

    def _is_empty(self) -> bool:
        if len(self._sorted[0]) == 0:
            self.nearest[1][:] = -1
            return True
        return False

    def finish_job(self) -> None:
        """Have the update done; it serves from ``publish`` on."""
        if self._job is not None:
            self._job.finish()
            self._job = None

    def publish(self) -> None:
        """What was found serves from now on."""
        self.nearest.reverse()

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All state, by name."""
        return {"nearest_0": self.nearest[0], "nearest_1": self.nearest[1]}

    def load(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        for name, own in self.arrays().items():
            own[...] = arrays[name]
