"""Columns that a game adds to a crowd's agents, as packed arrays: the part of a crowd node for them."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    GodotObject,
    PackedByteArray,
    PackedColorArray,
    PackedFloat32Array,
    PackedInt32Array,
    method,
)
from pynav.crowd.crowd import Crowd

from .telling import told

_KINDS = ("float", "int", "byte", "color")
_PACKED = {"float": PackedFloat32Array, "int": PackedInt32Array, "byte": PackedByteArray, "color": PackedColorArray}


class KeptColumns:
    """Columns of agents that leave their world, for those that take their place."""

    def __init__(self, agents: Crowd) -> None:
        names = agents.column_names
        kinds, defaults = agents._columns.kind_of, agents._columns.default_of
        self._columns = [(name, kinds(name), defaults(name), agents.get_column(name)[agents.alive]) for name in names]

    def give(self, agents: Crowd) -> None:
        """Add the columns, their defaults everywhere, to a crowd that has none."""
        agents._columns.clear()
        for name, kind, default, _ in self._columns:
            agents.add_column(name, kind, default)

    def give_values(self, agents: Crowd, ids: npt.NDArray[np.int32]) -> None:
        """Set what the agents had who are these now, in rising order of their ids."""
        for name, _, _, values in self._columns:
            agents.set_column(name, values, ids)


class CrowdColumns(GodotObject, register=False):
    """What a game keeps of each agent beside what the crowd knows. By id, so that a row stays with its agent."""

    class ColumnKind(IntEnum):
        """What a column holds.

        FLOAT: Numbers with a fraction, read as PackedFloat32Array.
        INT: Whole numbers of 32 bits, read as PackedInt32Array.
        BYTE: Whole numbers from 0 to 255, read as PackedByteArray.
        COLOR: Colours, read as PackedColorArray.
        """

        FLOAT = 0
        INT = 1
        BYTE = 2
        COLOR = 3

    def _need_agents(self) -> Crowd:
        raise NotImplementedError

    def _columns_changed(self) -> None:
        """A column came or went."""

    @method
    @told
    def add_column(self, name: str, kind: ColumnKind = ColumnKind.FLOAT, default: Any = None) -> bool:
        """Keep a number or a colour more for each agent, such as its health: the crowd stores it by id and saves it with its
        state; nothing that an agent does depends on it. New agents have the default (0, or white, unless you give another), and
        so do those that are there. False, with the reason told, for a name that is taken or a default that the kind can't hold.
        """
        word = _KINDS[kind] if 0 <= kind < len(_KINDS) else str(int(kind))
        self._need_agents().add_column(name, word, _numbers(default))
        self._columns_changed()
        return True

    @method
    @told
    def remove_column(self, name: str) -> bool:
        """Take a column out. False, with the reason told, where there is none of that name."""
        self._need_agents().remove_column(name)
        self._columns_changed()
        return True

    @method(const=True)
    @told
    def get_column_names(self) -> list[Any]:
        """Names of the columns that were added, in that order."""
        return list(self._need_agents().column_names)

    @method(const=True)
    @told
    def get_column(self, name: str) -> Any:
        """A column as a packed array by its kind, one row an id, get_slot_count() in all; rows without an agent keep what their
        last one left.
        """
        return self._packed(name, None)

    @method(const=True)
    @told
    def get_column_at(self, name: str, ids: PackedInt32Array) -> Any:
        """The values of some agents, in the order of the ids, as a packed array by the column's kind."""
        return self._packed(name, ids.view())

    @method
    @told
    def set_column(self, name: str, values: Any) -> bool:
        """Set a whole column: a packed array or an array with get_slot_count() numbers or colours, or one for all. False, with
        the reason told and nothing set, for a wrong count or for values that the column can't hold.
        """
        self._need_agents().set_column(name, _numbers(values))
        return True

    @method
    @told
    def set_column_at(self, name: str, ids: PackedInt32Array, values: Any) -> bool:
        """Set the values of some agents, one for each id or one for all of them. False, with the reason told and nothing
        set, for an id that was never given out, a wrong count, or values that the column can't hold.
        """
        self._need_agents().set_column(name, _numbers(values), ids.view())
        return True

    def _packed(self, name: str, ids: npt.NDArray[np.int32] | None) -> Any:
        agents = self._need_agents()
        values = agents.get_column(name, ids)
        return _PACKED[agents._columns.kind_of(name)](values)


def _numbers(values: Any) -> Any:
    """What GDScript gave, as the core takes it."""
    if hasattr(values, "view"):
        return values.view()
    return values if isinstance(values, bool | int | float | str) or values is None else list(values)
