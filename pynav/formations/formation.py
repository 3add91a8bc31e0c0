"""A formation: which unit stands in which slot, kept while units fall."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.formations import _gap_kernels as kernels
from pynav.formations.errors import FormationError
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.slot_assignment import slots_of_units

LONGEST_STEP = 2.5  # times the wished distance; nobody goes farther to close a gap


class Moves(NamedTuple):
    """Who goes where to close gaps, by ascending slot.

    Attributes:
        units: int32 (n,).
        slots: int32 (n,), where each goes.
    """

    units: npt.NDArray[np.int32]
    slots: npt.NDArray[np.int32]


def step_reach(slots: FormationSlots) -> npt.NDArray[np.float32]:
    """How far a unit of each row class goes to close a gap, float32 (classes,), tiles."""
    return np.array([LONGEST_STEP * (2.0 * found.radius + slots.spacing) for found in slots.classes], np.float32)


class Formation:
    """Units in slots.

    Args:
        slots: where.
        unit_of_slot: int32 (n,), each unit 0..n-1 once (``SlotAssignment.finish``).

    Raises:
        FormationError: another length, or units that are not 0..n-1.

    Example:
        >>> from pynav.formations import DragGrid, RowClass
        >>> slots = DragGrid((5.0, 5.0), (0.0, -1.0), 1.0).slots([RowClass(1, 6, 0.3)])
        >>> formation = Formation(slots, range(6))
        >>> moves = formation.remove_units([1])  # the file behind it steps up
        >>> moves.units.tolist(), moves.slots.tolist()
        ([3, 5], [1, 3])
    """

    def __init__(self, slots: FormationSlots, unit_of_slot: npt.ArrayLike) -> None:
        given = np.asarray(unit_of_slot)
        count = len(slots)
        if given.shape != (count,) or not np.issubdtype(given.dtype, np.integer):
            raise FormationError(f"expected unit_of_slot as whole numbers ({count},), got {given.dtype} of shape {given.shape}")
        if not np.array_equal(np.sort(given), np.arange(count)):
            raise FormationError(f"expected each unit 0..{count - 1} once in unit_of_slot, got others")
        self.slots = slots
        self.unit_of_slot = given.astype(np.int32)
        self.slot_of_unit = slots_of_units(self.unit_of_slot)
        self._class_of_slot = slots.class_of_slot
        self._reach = step_reach(slots)

    def remove_units(self, units: npt.ArrayLike) -> Moves:
        """Take out units; each gap is closed by the file behind it, a step each, diagonal at its end, up to the last row.

        Args:
            units: whole numbers (n,), each in the formation and named once.

        Returns:
            The units that go to another slot. Two or three a death, about a row's distance each.

        Raises:
            FormationError: a unit that is not there, or named twice; nothing is changed then.

        Notes:
            Deterministic: the order of ``units`` has no say. Cost: the rows behind each gap, and the units once.
        """
        dead = np.sort(self.slot_of_unit[self._checked(units)]).astype(np.int32)
        before = self.slot_of_unit.copy()
        kernels.close_gaps(
            dead, self.unit_of_slot, self._class_of_slot, self.slots.positions, self.slots.class_table, self._reach
        )
        self._note_slots()
        slots = np.flatnonzero(self.unit_of_slot >= 0)
        moved = slots[before[self.unit_of_slot[slots]] != slots]
        return Moves(self.unit_of_slot[moved], moved.astype(np.int32))

    def _checked(self, units: npt.ArrayLike) -> npt.NDArray[np.int64]:
        given = np.asarray(units)
        if given.size == 0:
            return np.zeros(0, np.int64)
        if given.ndim != 1 or not np.issubdtype(given.dtype, np.integer):
            raise FormationError(f"expected units as whole numbers (n,), got {given.dtype} of shape {given.shape}")
        outside = (given < 0) | (given >= len(self.slots))
        if outside.any():
            raise FormationError(f"expected units 0..{len(self.slots) - 1}, got {int(given[outside][0])}")
        missing = self.slot_of_unit[given] < 0
        if missing.any():
            raise FormationError(f"expected units of the formation, got {int(given[missing][0])}, which was removed before")
        if len(np.unique(given)) != len(given):
            raise FormationError("expected each unit once, got one twice")
        return given.astype(np.int64)

    def _note_slots(self) -> None:
        self.slot_of_unit[:] = -1
        slots = np.flatnonzero(self.unit_of_slot >= 0)
        self.slot_of_unit[self.unit_of_slot[slots]] = slots

    @property
    def unit_count(self) -> int:
        """Units that are there."""
        return int(np.count_nonzero(self.unit_of_slot >= 0))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What changes, by name, for a snapshot; the slots follow from the drag."""
        return {"unit_of_slot": self.unit_of_slot.copy()}

    def load(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up what ``arrays`` gave. FormationError for arrays of another formation; nothing is changed then."""
        given = np.asarray(arrays.get("unit_of_slot"))
        count = len(self.slots)
        if given.shape != (count,) or given.dtype != np.int32:
            raise FormationError(f"expected unit_of_slot as int32 ({count},), got {given.dtype} of shape {given.shape}")
        present = given[given >= 0]
        if given.min() < -1 or given.max() >= count or len(np.unique(present)) != len(present):
            raise FormationError(f"expected units 0..{count - 1} at most once and -1 for empty slots, got others")
        self.unit_of_slot[:] = given
        self._note_slots()
