"""Groups: agents that follow one order. What the kernels know of them, by row.

A crowd says what its agents are like; a group says where they are to go. Each crowd has a group of its own, which its agents
belong to until a command takes some of them into another one, together with agents of other crowds on the same navigation
layer. An agent knows its group by the row; a row that nobody needs any more is used again.
"""

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import (
    ARRIVALS,
    ATTACKS,
    FLOW_NONE,
    FLOW_SLOT,
    GROUP_COUNTER_COUNT,
    GROUP_NUMBER_COUNT,
    GROUP_SETTING_COUNT,
    MEMBERS,
    NEXT_GROUP,
    SETS_OFF,
)

LayerKey = tuple[int, int]  # movement class, size
_LEAST_ROWS = 64
_ARRAYS = ("numbers", "settings", "counters")


class GroupTable:
    """Numbers by group; grows by replacing its arrays, which the world then binds anew.

    Attributes:
        numbers: int32 (GROUP_NUMBER_COUNT, rows), see agent_layout.py.
        settings: float32 (GROUP_SETTING_COUNT, rows).
        counters: int64 (GROUP_COUNTER_COUNT, rows).
        layer_key: the navigation layer that each group's agents walk on; None for a free row.
        layer: its number among the layers of crowds.
        attackers: rows of groups that go for foes.
        sets_off: int64 (1,), 1 while there are groups that set off.
    """

    def __init__(self) -> None:
        self.numbers: npt.NDArray[np.int32] = np.zeros((GROUP_NUMBER_COUNT, _LEAST_ROWS), dtype=np.int32)
        self.settings: npt.NDArray[np.float32] = np.zeros((GROUP_SETTING_COUNT, _LEAST_ROWS), dtype=np.float32)
        self.counters: npt.NDArray[np.int64] = np.zeros((GROUP_COUNTER_COUNT, _LEAST_ROWS), dtype=np.int64)
        self.layer_key: list[LayerKey | None] = []
        self.layer: list[int] = []
        self.attackers: set[int] = set()
        self.sets_off: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)

    @property
    def row_count(self) -> int:
        """Rows in use or free, up to the last one ever used."""
        return len(self.layer_key)

    def add(self, layer_key: LayerKey, layer: int) -> int:
        """The row of a new group without members and without a goal: the lowest free one."""
        index = self.layer_key.index(None) if None in self.layer_key else self.row_count
        if index == self.row_count:
            self._reserve(index + 1)
            self.layer_key.append(None)
            self.layer.append(0)
        self.layer_key[index], self.layer[index] = layer_key, layer
        self.numbers[:, index] = 0
        self.numbers[FLOW_SLOT, index] = FLOW_NONE
        self.numbers[NEXT_GROUP, index] = -1  # REST_STATUS is IDLE, 0
        self.settings[:, index] = 0.0
        self.counters[:, index] = 0
        return index

    def _reserve(self, count: int) -> None:
        rows = self.numbers.shape[1]
        if count <= rows:
            return
        for name in _ARRAYS:
            old = getattr(self, name)
            new = np.zeros((old.shape[0], max(2 * rows, count)), dtype=old.dtype)
            new[:, :rows] = old
            setattr(self, name, new)

    def free(self, index: int) -> None:
        """Let the row of a group without members be used again."""
        assert self.counters[MEMBERS, index] == 0
        self.layer_key[index] = None
        self.set_attacks(index, False)

    def set_attacks(self, index: int, attacks: bool) -> None:
        """Whether a group goes for foes."""
        self.numbers[ATTACKS, index] = attacks
        (self.attackers.add if attacks else self.attackers.discard)(index)

    def set_off(self, index: int) -> None:
        """Give all agents of a group a wish in the next tick that moves any, whosever turn it is."""
        self.numbers[SETS_OFF, index] = self.sets_off[0] = 1

    def end_setting_off(self) -> None:
        """They have it."""
        if self.sets_off.data[0]:
            self.numbers[SETS_OFF] = self.sets_off[0] = 0

    def member_count(self, index: int) -> int:
        """Agents in the group."""
        return int(self.counters[MEMBERS, index])

    def arrivals(self, index: int) -> int:
        """Arrivals since the group's goal was set."""
        return int(self.counters[ARRIVALS, index])

    # --- state

    def state(self) -> tuple[list[list[int] | None], dict[str, npt.NDArray[np.generic]]]:
        """What a snapshot needs: layer and number of the layer by row, and arrays."""
        rows = [None if key is None else [*key, layer] for key, layer in zip(self.layer_key, self.layer, strict=True)]
        return rows, {f"group_{name}": getattr(self, name)[:, : self.row_count] for name in _ARRAYS}

    def load(self, rows: list[list[int] | None], arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Take up a state."""
        self._reserve(len(rows))
        self.layer_key = [None if row is None else (row[0], row[1]) for row in rows]
        self.layer = [0 if row is None else row[2] for row in rows]
        for name in _ARRAYS:
            getattr(self, name)[:, : len(rows)] = arrays[f"group_{name}"]
        self.attackers = set(np.flatnonzero(self.numbers[ATTACKS]).tolist())
        self.sets_off[0] = self.numbers[SETS_OFF].any()
