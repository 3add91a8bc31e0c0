"""Handles of units: crowd, id and generation in one integer, so that a dead unit's handle is never taken for its successor's.

The low 32 bits hold crowd << 20 | id, the high ones the generation, from 1: how many agents have had the id. 0 is no unit.
Handles are int64, as the engine's integers are.
"""

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import AGENT_ID, CROWD, FIRST_SLOT, REMOVED, STATUS
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.errors import WorldError

NO_UNIT = 0
_ID_BITS = 20
_PLACE_BITS = 32
BUILDINGS = (1 << (_PLACE_BITS - _ID_BITS)) - 1  # in the place of a crowd: the handle is that of a building (buildings.py)
MOST_CROWDS = BUILDINGS

Handles = npt.NDArray[np.int64]
Integers = npt.NDArray[np.int64]


def packed(crowd: int | Integers, ids: npt.NDArray[np.integer], generations: npt.NDArray[np.integer]) -> Handles:
    """Handles of units.

    Args:
        crowd: index of their crowd, one for all or (n,), less than MOST_CROWDS.
        ids: (n,) integers, less than 2**20.
        generations: (n,) integers, how many agents had the id before, less than 2**31 - 1.

    Example:
        >>> [hex(handle) for handle in packed(2, np.array([5]), np.array([0])).tolist()]
        ['0x100200005']
    """
    place = np.asarray(crowd, dtype=np.int64) << _ID_BITS | ids.astype(np.int64)
    return np.asarray((generations.astype(np.int64) + 1) << _PLACE_BITS | place, dtype=np.int64)


def unpacked(handles: Handles) -> tuple[Integers, Integers, Integers]:
    """Crowds, ids and generations of handles; the generation of no unit is -1."""
    place = handles & ((1 << _PLACE_BITS) - 1)
    return place >> _ID_BITS, place & ((1 << _ID_BITS) - 1), (handles >> _PLACE_BITS) - 1


class UnitIndex:
    """Who is behind handles and slots.

    Args:
        table: the agents.
        crowds: ids, slots and generations.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable) -> None:
        self._table = table
        self._crowds = crowds

    def handles_of(self, crowds: npt.NDArray[np.int32], ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """Handles of agents that are there."""
        slots = self._crowds.numbers[FIRST_SLOT, crowds] + ids
        return packed(crowds.astype(np.int64), ids, self._crowds.generation[slots])

    def crowds_of(self, slots: Integers) -> Integers:
        """The crowd of each slot."""
        table = self._crowds
        ends = table.numbers[FIRST_SLOT, : table.crowd_count] + np.array(table.slot_count, dtype=np.int64)
        return np.searchsorted(ends, slots, side="right").astype(np.int64)

    def handles_at(self, slots: Integers) -> Handles:
        """Handles of the agents of some slots."""
        crowds = self.crowds_of(slots)
        return packed(crowds, slots - self._crowds.numbers[FIRST_SLOT, crowds], self._crowds.generation[slots])

    def are_alive(self, handles: Handles) -> npt.NDArray[np.bool_]:
        """Whether each handle's unit is there, (n,) bool; any numbers may be asked."""
        is_known, slots, generations = self._looked_up(handles)
        is_there = is_known.copy()
        if len(self._crowds.alive):
            is_there &= (self._crowds.alive[slots] != 0) & (self._crowds.generation[slots] == generations)
        return is_there

    def _looked_up(self, handles: Handles) -> tuple[npt.NDArray[np.bool_], Integers, Integers]:
        """Whether ids were ever given out, slots (0 where not), generations."""
        table = self._crowds
        crowds, ids, generations = unpacked(handles)
        counts = np.array([*table.slot_count, 0], dtype=np.int64)  # the last one for crowds that are not there
        is_known = ids < counts[np.minimum(crowds, table.crowd_count)]
        slots = np.where(is_known, table.numbers[FIRST_SLOT, np.where(is_known, crowds, 0)] + ids, 0)
        return is_known, slots.astype(np.int64), generations

    def slots_of(self, handles: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Slots of units; WorldError names the first that is not there."""
        bad = np.flatnonzero(~self.are_alive(handles))
        is_known, slots, generations = self._looked_up(handles)
        if len(bad):
            first = int(bad[0])
            crowds, ids, _ = unpacked(handles[first : first + 1])
            why = "is dead" if is_known[first] and generations[first] >= 0 else "never lived"
            unit = f"unit {int(ids[0])} of crowd {int(crowds[0])}"
            if int(crowds[0]) == BUILDINGS:
                unit, why = f"number {int(ids[0])} of them", "is a building"
            raise WorldError(f"expected units that live, got handle {int(handles[first])}: {unit} {why}")
        return slots

    def unit_at(self, handle: int) -> tuple[int, int]:
        """Crowd and id of a unit; (-1, -1) if it isn't there any more."""
        crowds, ids, generations = unpacked(np.array([handle], dtype=np.int64))
        crowd, unit = int(crowds[0]), int(ids[0])
        if crowd >= self._crowds.crowd_count or unit >= self._crowds.slot_count[crowd]:
            return -1, -1
        slot = int(self._crowds.numbers[FIRST_SLOT, crowd]) + unit
        is_there = self._crowds.alive[slot] != 0 and self._crowds.generation[slot] == generations[0]
        return (crowd, unit) if is_there else (-1, -1)

    def columns_of(self, slots: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Columns of the table that hold the agents of some slots, in rising order."""
        _, tags = self._table.now
        own = tags[:, : self._table.count]
        is_wanted = np.zeros(len(self._crowds.alive), dtype=np.bool_)
        is_wanted[slots] = True
        is_there = is_wanted[self._crowds.numbers[FIRST_SLOT, own[CROWD]] + own[AGENT_ID]] & (own[STATUS] != REMOVED)
        return np.flatnonzero(is_there).astype(np.int64)
