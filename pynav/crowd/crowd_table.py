"""What the kernels know of the crowds, and the arrays in agent order (slot = first slot of the crowd + id)."""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _agent_table_kernels as kernels
from pynav.crowd.agent_layout import (
    AGENTS,
    CHASE_COUNT,
    COUNTER_COUNT,
    CROWD_NUMBER_COUNT,
    CROWD_SETTING_COUNT,
    ENEMY_TEAMS,
    FIRST_SLOT,
    MASK_LAYERS,
)
from pynav.crowd.game_columns import GameColumns
from pynav.kernels.kept_call import KeptCall

_SLOT_ARRAYS = (
    "alive",
    "fresh",
    "arrived",
    "unreachable",
    "generation",
    "place",
    "foe",
    "chase",
    "position",
    "velocity",
    "heading",
    "status",
)


_NOBODY: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
_NOBODY.setflags(write=False)


class CrowdTable:
    """Settings by crowd and marks by slot; grows by replacing its arrays, which the world then binds anew."""

    def __init__(self) -> None:
        self.crowd_count = 0
        self.numbers: npt.NDArray[np.int32] = np.zeros((CROWD_NUMBER_COUNT, 4), dtype=np.int32)
        self.settings: npt.NDArray[np.float32] = np.zeros((CROWD_SETTING_COUNT, 4), dtype=np.float32)
        self.counters: npt.NDArray[np.int64] = np.zeros((COUNTER_COUNT, 4), dtype=np.int64)
        # Whether any slot of the crowd may be marked, as arrived (row 0), as without a way (row 1).
        self.has_news: npt.NDArray[np.uint8] = np.zeros((2, 4), dtype=np.uint8)
        self.slot_count: list[int] = []  # ids given out so far, by crowd
        self.columns: list[GameColumns] = []  # what the game keeps of each crowd's agents
        self._take_marks = [KeptCall(kernels.take_marks) for _ in range(2)]
        self._taken: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._taken_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._allocate_slots(0)

    def _allocate_slots(self, total: int) -> None:
        self.alive: npt.NDArray[np.uint8] = np.zeros(total, dtype=np.uint8)
        self.fresh: npt.NDArray[np.uint8] = np.zeros(total, dtype=np.uint8)
        self.arrived: npt.NDArray[np.uint8] = np.zeros(total, dtype=np.uint8)
        self.unreachable: npt.NDArray[np.uint8] = np.zeros(total, dtype=np.uint8)
        self.place: npt.NDArray[np.int32] = np.zeros(total, dtype=np.int32)  # in a formation, plus 1; 0: in none
        self.foe: npt.NDArray[np.int64] = np.zeros(total, dtype=np.int64)  # handle of whom it goes for; 0: nobody
        self.chase: npt.NDArray[np.float32] = np.zeros((total, CHASE_COUNT), dtype=np.float32)
        self.generation: npt.NDArray[np.int32] = np.zeros(total, dtype=np.int32)  # agents of the id that are gone
        self.position: npt.NDArray[np.float32] = np.zeros((total, 2), dtype=np.float32)
        self.velocity: npt.NDArray[np.float32] = np.zeros((total, 2), dtype=np.float32)
        self.heading: npt.NDArray[np.float32] = np.zeros((total, 2), dtype=np.float32)
        self.status: npt.NDArray[np.int32] = np.zeros(total, dtype=np.int32)

    def add_crowd(self) -> int:
        """Index of a new crowd without agents."""
        index = self.crowd_count
        if index == self.numbers.shape[1]:
            wider = 2 * index
            for name in ("numbers", "settings", "counters", "has_news"):
                old = getattr(self, name)
                new = np.zeros((old.shape[0], wider), dtype=old.dtype)
                new[:, :index] = old
                setattr(self, name, new)
        self.numbers[:, index] = 0
        self.numbers[FIRST_SLOT, index] = len(self.alive)
        self.numbers[MASK_LAYERS, index] = 1
        self.numbers[ENEMY_TEAMS, index] = -1
        self.settings[:, index] = 0.0
        self.counters[:, index] = 0
        self.slot_count.append(0)
        self.columns.append(GameColumns())
        self.crowd_count = index + 1
        return index

    def slots(self, crowd: int) -> slice:
        """The crowd's part of the arrays in agent order."""
        first = int(self.numbers[FIRST_SLOT, crowd])
        return slice(first, first + self.slot_count[crowd])

    def grow(self, crowd: int, slot_count: int) -> None:
        """Give the crowd this many slots, moving those of later crowds up."""
        added = slot_count - self.slot_count[crowd]
        if added <= 0:
            return
        at = self.slots(crowd).stop
        for name in _SLOT_ARRAYS:
            old = getattr(self, name)
            gap = np.zeros((added, *old.shape[1:]), dtype=old.dtype)
            setattr(self, name, np.ascontiguousarray(np.concatenate([old[:at], gap, old[at:]])))
        self.slot_count[crowd] = slot_count
        self.numbers[FIRST_SLOT, crowd + 1 : self.crowd_count] += added

    def take_ids(self, crowd: int, count: int) -> npt.NDArray[np.int32]:
        """The lowest ``count`` free ids of the crowd, in rising order, marked as alive and fresh; grows if there are too few."""
        alive = self.alive[self.slots(crowd)]
        free = np.flatnonzero(alive == 0)[:count]
        missing = count - len(free)
        if missing > 0:
            old = self.slot_count[crowd]
            self.grow(crowd, old + missing)
            free = np.concatenate([free, np.arange(old, old + missing)])
        slots = self.slots(crowd)
        self.alive[slots][free] = 1
        self.fresh[slots][free] = 1
        self.arrived[slots][free] = 0
        self.unreachable[slots][free] = 0
        self.place[slots][free] = 0
        self.foe[slots][free] = 0
        self.chase[slots][free] = 0.0
        self.columns[crowd].begin(free.astype(np.int32), self.slot_count[crowd])
        self.counters[AGENTS, crowd] += count
        return free.astype(np.int32)

    def drop_ids(self, crowd: int, ids: npt.NDArray[np.int32]) -> None:
        """Free ids of agents that were taken out by an order."""
        self.alive[self.slots(crowd)][ids] = 0
        self.generation[self.slots(crowd)][ids] += 1
        self.counters[AGENTS, crowd] -= len(ids)

    def take_arrived(self, crowd: int) -> npt.NDArray[np.int32]:
        """Ids marked as arrived since the last call, in rising order; the marks are cleared."""
        return self._take(self.arrived, 0, crowd)

    def take_unreachable(self, crowd: int) -> npt.NDArray[np.int32]:
        """The same for those that found no way."""
        return self._take(self.unreachable, 1, crowd)

    def _take(self, marks: npt.NDArray[np.uint8], which: int, crowd: int) -> npt.NDArray[np.int32]:
        if not self.has_news[which, crowd]:
            return _NOBODY
        self.has_news[which, crowd] = 0
        slots = self.slots(crowd)
        if len(self._taken) < self.slot_count[crowd]:
            self._taken = np.zeros(len(marks), dtype=np.int32)
        self._take_marks[which].bound(marks, slots.start, slots.stop, self._taken, self._taken_count).run()
        return self._taken[: int(self._taken_count[0])].copy()

    def agent_count(self, crowd: int) -> int:
        """Agents of the crowd in the table."""
        return int(self.counters[AGENTS, crowd])
