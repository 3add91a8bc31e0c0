"""Names and values in the inspector, read-only, two pairs a row."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import engine

Rows = list[tuple[str, str]]


class FigureGrid:
    """A container with the figures of a node."""

    def __init__(self) -> None:
        self._shown: Rows | None = None
        self._grid = engine.GridContainer()
        self._grid.columns = 4
        self._grid.add_theme_constant_override("h_separation", 14)
        self.box = engine.MarginContainer()
        for side in ("left", "right", "top", "bottom"):
            self.box.add_theme_constant_override(f"margin_{side}", 6)
        self.box.add_child(self._grid)

    def show(self, rows: Rows) -> None:
        """Show these and no others."""
        if rows == self._shown:
            return
        self._shown = list(rows)
        for child in self._grid.get_children():
            child.queue_free()
        for name, value in rows:
            self._grid.add_child(_text(name, 0.85))
            self._grid.add_child(_text(value, 1.0))


def _text(text: str, strength: float) -> Any:
    label = engine.Label()
    label.text = text
    label.modulate = (1.0, 1.0, 1.0, strength)
    if strength == 1.0:
        label.size_flags_horizontal = engine.Control.SIZE_EXPAND_FILL
    return label
