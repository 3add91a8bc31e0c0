"""How nodes find their map, and notice that it came or went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from addons.pynav.bridge import GodotObject, engine, is_editor, is_valid

from . import live_warnings
from .telling import NodeError, label


def find_map(node: Any, given: Any, is_own_map: Callable[[Any], bool]) -> Any:
    """The given map, else the nearest one on the way up: an ancestor, or a child of one. None if there is none."""
    if given is not None:
        return given if is_own_map(given) else None
    if not node.is_inside_tree():
        return None
    parent = node.get_parent()
    while parent is not None:
        if is_own_map(parent):
            return parent
        for child in parent.get_children():
            if is_own_map(child):
                return child
        parent = parent.get_parent()
    return None


class MapMember(GodotObject, register=False):
    """Base of nodes that belong to a map and are told when it comes and goes.

    The map is looked for when the node is ready, enters the tree again, or `map` changes. A map that is gone is noticed in the
    next physics tick, and told once in a warning if no other one is found. In the editor no map is joined.
    """

    WHAT: ClassVar[str] = "node"  # what a warning calls it

    map: Any

    def __init__(self) -> None:
        self._map: Any = None
        self._was_ready = False
        self._is_told = False

    # --- what the subclasses say

    def _is_own_map(self, node: Any) -> bool:
        raise NotImplementedError

    def _is_usable(self, home: Any) -> bool:
        """Whether a map that was found can be joined."""
        return True

    def _join(self, home: Any) -> None:
        """Become one of a map's nodes."""
        raise NotImplementedError

    def _part(self, home: Any) -> None:
        """Be none of them any more; None where the map is gone."""
        raise NotImplementedError

    # --- life

    def _ready(self) -> None:
        self.set_physics_process(not is_editor())
        if not is_editor():
            self._was_ready = True
            self._look_for_map()

    def _enter_tree(self) -> None:
        if is_editor():
            live_warnings.watch(self)
        elif self._was_ready:
            self._look_for_map()

    def _exit_tree(self) -> None:
        if is_editor():
            live_warnings.forget(self)
        else:
            self._leave()

    def _physics_process(self, delta: float) -> None:
        if not self._has_map():
            self._look_for_map()
            if self._map is None and not self._is_told:
                self._is_told = True
                engine.push_warning(f"{label(self)}: {self._why_no_map()}")

    def _get_configuration_warnings(self) -> list[str]:
        problem = self._map_problem()
        return [problem] if problem else []

    # --- the map

    def _has_map(self) -> bool:
        """Whether it belongs to a map that is there; it leaves one that was freed."""
        if self._map is not None and not is_valid(self._map):
            self._leave()
        return self._map is not None

    def _find_map(self) -> Any:
        return find_map(self, self.map, self._is_own_map)

    def _map_problem(self) -> str:
        if self._find_map() is not None:
            return ""
        kind = "FlowFieldMap" + type(self).__name__[-2:]
        return f"This {self.WHAT} has no map: put it below or beside a {kind}, or assign `map`."

    def _why_no_map(self) -> str:
        """Why no map was joined, in the running game."""
        found = self._find_map()
        if found is None:
            return self._map_problem()
        return f"The map of this {self.WHAT}, {label(found)}, can't be used: see what it says of itself."

    def _map_property_changed(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
        elif self.is_inside_tree() and self._was_ready:
            self._look_for_map()

    def _look_for_map(self) -> None:
        found = self._find_map()
        if found is self._map and found is not None:
            return
        self._leave()
        if found is not None and self._is_usable(found):
            self._map = found
            self._join(found)

    def _leave(self) -> None:
        home, self._map = self._map, None
        self._part(home if home is not None and is_valid(home) else None)

    def _joined_map(self) -> Any:
        """The map; NodeError where there is none."""
        if not self._has_map():
            self._look_for_map()
        if self._map is None:
            raise NodeError(self._why_no_map())
        return self._map
