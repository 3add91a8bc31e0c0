"""Slot assignment: which unit goes to which slot, in slices."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.formations import _assignment_kernels as kernels
from pynav.formations._unit_sort_kernels import DIGITS, project
from pynav.formations.errors import FormationError
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.row_class import as_points
from pynav.jobs import SlicedJob
from pynav.kernels import parallel_for

WORK_A_SLICE = 32_768  # pairs compared in a slice, some 0.1 ms


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
        self._unit_of_slot: npt.NDArray[np.int32] = np.zeros(count, np.int32)
        along, across = np.empty(count, np.float32), np.empty(count, np.float32)
        parallel_for(project, count, points, *slots.facing, along, across)
        self._call = kernels.assign_slice.bind(  # what a phase begins with is written by the one before it
            self._progress, np.empty((2, count), np.uint32), np.empty((2, count), np.int32), np.zeros(DIGITS, np.int32),
            along.view(np.uint32), across.view(np.uint32), classes, np.empty(count, np.int32), points.copy(),
            slots.positions.copy(), np.empty((count, 2), np.float64), np.empty((count, 2), np.float64), self._unit_of_slot,
            slots.class_table, np.empty(count, np.float64), np.empty(count, np.int32), np.empty(count, np.int32),
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
