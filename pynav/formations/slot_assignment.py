"""Slot assignment: which unit goes to which slot, in slices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.formations import _assignment_kernels as kernels
from pynav.formations._unit_sort_kernels import DIGITS
from pynav.formations.errors import FormationError
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.row_class import as_points
from pynav.jobs import SlicedJob

WORK_A_SLICE = 32_768  # pairs compared in a slice, some 0.1 ms
_SIGN = np.uint32(0x80000000)


class SlotAssignment:
    """The talk's sort (row class, along the facing, then across), improved by swaps within row classes.

    Args:
        positions: float32 (n, 2), where the units stand, tiles; as many as there are slots.
        class_of_unit: whole numbers (n,), index of each unit's row class (``army_of``).
        slots: where they are to go; each class has as many slots as units.

    Raises:
        FormationError: other shapes or numbers, or classes that don't fit the slots.

    Notes:
        Call ``advance`` until it is True, or ``start`` (on the background thread) and later ``finish``. The result depends on the
        arguments alone: not on slices, threads or backend. Equal projections are told apart by the order of the units.
        Work: 13 passes over the units and at most about four million compared pairs. Memory some 100 bytes a unit.

        The facing is that of the slots, never of the group: in the group's own frame an order behind it would mirror the slots.
        Source: the talk (sort); own (swaps).

    Example:
        >>> from pynav.formations import DragGrid, army_of
        >>> army = army_of([2, 1, 1], 0.3)
        >>> slots = DragGrid((5.0, 5.0), (0.0, -1.0), 1.0).slots(army.classes)
        >>> assignment = SlotAssignment([(5, 0), (9, 9), (1, 9)], army.class_of_unit, slots)
        >>> assignment.finish().tolist()
        [2, 1, 0]
    """

    def __init__(self, positions: npt.ArrayLike, class_of_unit: npt.ArrayLike, slots: FormationSlots) -> None:
        count = len(slots)
        points = as_points("positions", positions, count)
        classes = _checked_classes(class_of_unit, slots)
        self._progress = np.zeros(kernels.PROGRESS_COUNT, np.int64)
        self._unit_of_slot = np.zeros(count, np.int32)
        facing_x, facing_y = (np.float32(part) for part in slots.facing)
        x, y = points[:, 0], points[:, 1]
        self._call = kernels.assign_slice.bind(
            self._progress, np.zeros((2, count), np.uint32), np.zeros((2, count), np.int32), np.zeros(DIGITS, np.int32),
            ~_ordered_bits(x * facing_x + y * facing_y), _ordered_bits(y * facing_x - x * facing_y), classes,
            np.zeros(count, np.int32), slots.rows, points.astype(np.float64), slots.positions.astype(np.float64),
            np.zeros((count, 2), np.float64), self._unit_of_slot, slots.class_table,
            np.zeros(count, np.float64), np.full(count, -1, np.int32), np.zeros(count, np.int32),
        )  # fmt: skip
        self._job = SlicedJob(self._call, self._progress, kernels.DONE)
        self._progress[kernels.BUDGET] = WORK_A_SLICE

    @property
    def is_done(self) -> bool:
        """Whether the result is there; never waits."""
        return self._job.is_done

    @property
    def pairs_compared(self) -> int:
        """Work of the swaps so far."""
        return int(self._progress[kernels.CHECKS])

    def advance(self, slices: int = 1, work: int = WORK_A_SLICE) -> bool:
        """Do some slices here; whether all is done.

        Args:
            slices: how many.
            work: pairs compared in each, about; a pass of the sort is one slice.

        Raises:
            FormationError: less than 1 of either, or the background thread has it.
        """
        if slices < 1 or work < 1:
            raise FormationError(f"expected slices and work of at least 1, got {slices} and {work}")
        if self._job.is_started:
            raise FormationError("expected an assignment that was not started in the background; call finish")
        self._progress[kernels.BUDGET] = work
        for _ in range(slices):
            if self.is_done:
                break
            self._call.run()
        return self.is_done

    def start(self) -> None:
        """Have the background thread do it."""
        if not self.is_done:
            self._job.start()

    def finish(self) -> npt.NDArray[np.int32]:
        """Have it done, what is left here and now.

        Returns:
            int32 (n,), the unit of each slot.
        """
        self._job.finish()
        return self._unit_of_slot


def _checked_classes(class_of_unit: npt.ArrayLike, slots: FormationSlots) -> npt.NDArray[np.int32]:
    given = np.asarray(class_of_unit)
    if given.shape != (len(slots),) or not np.issubdtype(given.dtype, np.integer):
        raise FormationError(f"expected class_of_unit as whole numbers ({len(slots)},), got {given.dtype} of shape {given.shape}")
    count = len(slots.classes)
    if given.min() < 0 or given.max() >= count:
        raise FormationError(f"expected row classes 0..{count - 1}, got {int(given.min())}..{int(given.max())}")
    units = np.bincount(given, minlength=count)
    wanted = [found.count for found in slots.classes]
    if units.tolist() != wanted:
        raise FormationError(f"expected as many units as slots by row class, {wanted}, got {units.tolist()}")
    return given.astype(np.int32)


def _ordered_bits(values: npt.NDArray[np.float32]) -> npt.NDArray[np.uint32]:
    """Whole numbers in the order of floats; both zeros are one."""
    bits = np.ascontiguousarray(values + np.float32(0.0), dtype=np.float32).view(np.uint32)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN).astype(np.uint32)
