"""Columns of the game that show in a crowd's multi-mesh: the part of a crowd node for them."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, PackedStringArray, export
from pynav.crowd.crowd import Crowd
from pynav.crowd.instance_buffer import MOST_CUSTOM_COLUMNS, DrawnColumns

from .crowd_columns import CrowdColumns
from .instance_drawing import InstanceDrawing
from .telling import USER_ERRORS, NodeError, tell

WHITE = (1.0, 1.0, 1.0, 1.0)


class CrowdLook(CrowdColumns, GodotObject, register=False):
    """Which columns give each agent its colour, its numbers for the shader, and where it faces."""

    color_column: str = export(
        "",
        "Name of a column of colours (add_column): each agent's own tints its instance. 3D materials show it with 'vertex color "
        "use as albedo'. Empty: no colours.",
        group="Look",
        changed="_look_changed",
    )
    custom_columns: PackedStringArray = export(
        None,
        "Names of up to four columns of floats (add_column) that fill INSTANCE_CUSTOM in order, such as a frame of animation. "
        "An empty name leaves that number to use_custom_data, or 0.",
        group="Look",
        changed="_look_changed",
    )
    facing_column: str = export(
        "",
        "Name of a column of floats (add_column): the angle that each agent faces, as a node's rotation in the map (2D) or its "
        "rotation.y (3D), whether or not agents turn otherwise. INF: where it is heading.",
        group="Look",
        changed="_look_changed",
    )

    _drawing: InstanceDrawing | None
    _told_looks: set[str]

    @property
    def _has_custom_columns(self) -> bool:
        return any(self.custom_columns.to_list()[:MOST_CUSTOM_COLUMNS])

    @property
    def _has_shader_numbers(self) -> bool:
        return self.use_custom_data or self._has_custom_columns

    @property
    def _floats_of_look(self) -> int:
        """Floats of an instance beside its transform."""
        return 4 * bool(self.color_column) + 4 * self._has_shader_numbers

    def _lay_out(self, drawing: InstanceDrawing) -> None:
        """Give instances room for what the properties name, and bind the filling anew."""
        self._told_looks = set()
        drawing.set_layout(bool(self.color_column), self._has_shader_numbers, self._is_y_sorted())
        drawing.forget_fillings()

    def _is_y_sorted(self) -> bool:
        """Whether instances stand in the order of their y."""
        return False

    def _columns_changed(self) -> None:
        self._told_looks = set()
        if self._drawing is not None:
            self._drawing.forget_fillings()

    def _drawn_columns(self, agents: Crowd) -> DrawnColumns:
        """Those that are there and of the right kind; the others are told once."""
        customs = self.custom_columns.to_list()
        if len(customs) > MOST_CUSTOM_COLUMNS:
            self._tell_look(f"custom_columns: expected at most {MOST_CUSTOM_COLUMNS} names, got {len(customs)}")
        customs = customs[:MOST_CUSTOM_COLUMNS] if self._has_custom_columns else []

        def usable(place: str, name: str, kind: str) -> str:
            try:
                if name:
                    agents._columns.of_kind(name, kind)
            except USER_ERRORS as error:
                self._tell_look(f"{place}: {error}")
                return ""
            return name

        return DrawnColumns(
            usable("color_column", self.color_column, "color"),
            tuple(usable("custom_columns", name, "float") for name in customs),
            usable("facing_column", self.facing_column, "float"),
        )

    def _tell_look(self, problem: str) -> None:
        if problem not in self._told_looks:
            self._told_looks.add(problem)
            tell(self, NodeError(problem))

    def _look(self, agents: Crowd) -> dict[str, Any]:
        """Arguments of a filling: what instances have beside their transforms."""
        return {
            "rotates": self.rotates,
            "color": WHITE if self.color_column else None,  # where the column isn't there
            "custom": self.use_custom_data,
            "columns": self._drawn_columns(agents),
        }
