"""The buttons above the views with which tiles are painted: brush, eraser, rectangle, cost and size."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from addons.pynav.bridge import engine, singleton


class Tool(IntEnum):
    """What the mouse does on a map."""

    NONE = 0
    PAINT = 1
    ERASE = 2
    RECTANGLE = 3


_BUTTONS = {  # icon of the editor's theme, tooltip
    Tool.PAINT: ("Edit", "Paint tiles of the map.\nRight button: erase. Escape: stop painting."),
    Tool.ERASE: ("Eraser", "Erase: give tiles the cost of open ground (fill_cost)."),
    Tool.RECTANGLE: ("Rectangle", "Paint a rectangle of tiles.\nRight button: erase one."),
}


class BrushToolbar:
    """One for each view; both show the same brush.

    Args:
        brush: what is shown and changed; has `tool`, `cost` and `size`.
        changed: called after the user changed it.
    """

    def __init__(self, brush: Any, changed: Callable[[], None]) -> None:
        self._brush, self._changed = brush, changed
        self._is_showing = False
        self.box = engine.HBoxContainer()
        self.box.name = "PynavBrush"
        self.box.add_child(engine.VSeparator())
        self._buttons = {}
        for tool, (_, tip) in _BUTTONS.items():
            button = engine.Button()
            button.theme_type_variation = "FlatButton"
            button.toggle_mode = True
            button.tooltip_text = tip
            button.connect("toggled", lambda pressed, tool=tool: self._pressed(tool, pressed))
            self.box.add_child(button)
            self._buttons[tool] = button
        tip = "Cost that is painted: 0 is a wall, 1 the cheapest ground, 255 the dearest."
        self._cost = self._number("Cost", tip, 0, 255, "cost")
        self._size = self._number("Size", "Side of the brush in tiles.", 1, 64, "size")
        self.box.visible = False
        self._take_icons()
        self.box.connect("theme_changed", self._take_icons)

    def _take_icons(self) -> None:
        """Those of the editor's theme, which the user may change."""
        theme = singleton("EditorInterface").get_editor_theme()
        for tool, (icon, _) in _BUTTONS.items():
            self._buttons[tool].icon = theme.get_icon(icon, "EditorIcons")

    def _number(self, text: str, tip: str, least: int, most: int, field: str) -> Any:
        label, box = engine.Label(), engine.SpinBox()
        label.text = text
        box.min_value, box.max_value, box.tooltip_text = least, most, tip
        box.value = getattr(self._brush, field)
        box.connect("value_changed", lambda value: self._number_changed(field, int(value)))
        self.box.add_child(label)
        self.box.add_child(box)
        return box

    def _number_changed(self, field: str, value: int) -> None:
        if not self._is_showing:
            setattr(self._brush, field, value)
            self._changed()

    def _pressed(self, tool: Tool, pressed: bool) -> None:
        if not self._is_showing:
            self._brush.tool = tool if pressed else Tool.NONE
            self._changed()

    def refresh(self) -> None:
        """Show the brush as it is."""
        self._is_showing = True
        for tool, button in self._buttons.items():
            button.button_pressed = tool == self._brush.tool
        self._cost.value, self._size.value = self._brush.cost, self._brush.size
        self._is_showing = False

    def free(self) -> None:
        """Take the buttons out of the editor."""
        self.box.queue_free()
