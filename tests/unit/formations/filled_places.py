"""Units of one crowd in a table of places, as an ordered formation has them; deaths without a world around them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import CROWD_NUMBER_COUNT
from pynav.formations import FormationSlots
from pynav.formations.place_layout import OWNER_ID, PLACE_CLASS
from pynav.formations.place_table import PlaceTable

_BEFORE = 5  # places of another formation, which nobody may touch

Ints = npt.NDArray[np.int32]


class FilledPlaces:
    """A unit in each slot.

    Args:
        slots: where.
        unit_of_slot: each unit 0..n-1 once.
    """

    def __init__(self, slots: FormationSlots, unit_of_slot: npt.ArrayLike) -> None:
        self.slots = slots
        self.tables = PlaceTable()
        self.tables.take_places(_BEFORE, 0)
        self._first = self.tables.take_places(len(slots), 1)
        self._tags[PLACE_CLASS] = slots.class_of_slot
        self._tags[OWNER_ID] = unit_of_slot
        self._crowd_numbers: Ints = np.zeros((CROWD_NUMBER_COUNT, 1), np.int32)
        self._member_place: Ints = np.zeros(len(slots), np.int32)
        self._member_place[self.unit_of_slot] = np.arange(len(slots)) + self._first + 1

    @property
    def _tags(self) -> Ints:
        return self.tables.places.tags[:, self._first : self._first + len(self.slots)]

    @property
    def unit_of_slot(self) -> Ints:
        """The unit of each slot, -1 for nobody."""
        return self._tags[OWNER_ID].copy()

    @property
    def slot_of_unit(self) -> Ints:
        """The slot of each unit, -1 for the dead."""
        return np.where(self._member_place > 0, self._member_place - self._first - 1, -1).astype(np.int32)

    def remove_units(self, units: npt.ArrayLike) -> Ints:
        """Units fall, gaps close; who goes to another slot, by ascending slot."""
        before = self.slot_of_unit
        dead = before[np.asarray(units, np.int64)]
        self._tags[OWNER_ID, dead] = -1
        self._member_place[np.asarray(units, np.int64)] = 0
        self.tables.close_gaps(self._first, self.slots, self._crowd_numbers, self._member_place)
        now = self.unit_of_slot
        slots = np.flatnonzero(now >= 0)
        assert np.array_equal(self.slot_of_unit[now[slots]], slots)
        assert (self.tables.places.tags[OWNER_ID, :_BEFORE] == -1).all()
        return now[slots[before[now[slots]] != slots]]
