"""What sources, projectiles and steering share: they belong to a grid, find it, and leave it."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, engine, is_editor, is_valid, method

from .. import live_warnings
from ..map_search import find_map
from ..telling import USER_ERRORS, label, tell


class HomingMember(GodotObject, register=False):
    """Base of everything that lives on a homing grid."""

    def __init__(self) -> None:
        self._grid: Any = None
        self._is_told = False
        self._was_ready = False

    # --- what the subclasses say

    def _is_own_grid(self, node: Any) -> bool:
        raise NotImplementedError

    def _joined(self) -> None:
        """The grid is known: get a place on it."""
        raise NotImplementedError

    def _left(self) -> None:
        """The grid, still valid, is left."""
        raise NotImplementedError

    # --- life

    def _ready(self) -> None:
        self.set_physics_process(False)
        if not is_editor():
            self._was_ready = True
            self._look_for_grid()

    def _enter_tree(self) -> None:
        if is_editor():
            live_warnings.watch(self)
        elif self._was_ready:
            self._look_for_grid()

    def _exit_tree(self) -> None:
        if is_editor():
            live_warnings.forget(self)
        else:
            self._leave()

    def _physics_process(self, delta: float) -> None:
        """Runs only while there is no grid."""
        self._look_for_grid()
        if self._grid is None and not self._is_told:
            self._is_told = True
            engine.push_warning(f"{label(self)}: {self._grid_problem()}")

    def _get_configuration_warnings(self) -> list[str]:
        problem = self._grid_problem()
        return [problem] if problem else []

    # --- the grid

    def _grid_problem(self) -> str:
        if self._find_grid() is not None:
            return ""
        kind = "HomingGrid3D" if type(self).__name__.endswith("3D") else "HomingGrid2D"
        return f"There is no homing grid: put this node below or beside a {kind}, or assign `grid`."

    def _find_grid(self) -> Any:
        return find_map(self, self.grid, self._is_own_grid)

    def _look_for_grid(self) -> None:
        found = self._find_grid()
        if found is not None and not found.is_inside_tree():
            found = None
        if found is self._grid and found is not None:
            return
        self._leave()
        self.set_physics_process(found is None)
        if found is None:
            return
        self._grid = found
        try:
            self._joined()
        except USER_ERRORS as error:
            tell(self, error)

    def _leave(self) -> None:
        home = self._grid
        if home is not None and is_valid(home):
            self._left()
        self._grid = None

    def _grid_gone(self) -> None:
        """The grid leaves the tree."""
        self._leave()
        if self.is_inside_tree():
            self.set_physics_process(True)

    def _grid_property_changed(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
        elif self.is_inside_tree() and self._was_ready:
            self._look_for_grid()

    @method(const=True)
    def get_grid_node(self) -> GodotObject | None:
        """The grid that it belongs to; null if it has none."""
        found: GodotObject | None = self._grid if self._grid is not None else self._find_grid()
        return found

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())
