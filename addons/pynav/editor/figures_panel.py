"""The panel on top of a node in the inspector that shows figures and nothing more."""

from __future__ import annotations

from typing import Any, Protocol

from addons.pynav.bridge import engine, is_valid, on_frame, remove_on_frame

from .figure_grid import FigureGrid, Rows

_FRAMES_A_LOOK = 15


class Figures(Protocol):
    """What a panel shows of a node."""

    def rows(self) -> Rows:
        """Names and values as they are now; asked for a few times a second, on the main thread."""

    def close(self) -> None:
        """Nobody looks any more."""


class FiguresPanel:
    """Fills a container of the inspector, and keeps it up to date while it is there.

    Args:
        node: whose figures they are.
        figures: gives them.
    """

    def __init__(self, node: Any, figures: Figures) -> None:
        self._node, self._figures = node, figures
        self._grid = FigureGrid()
        self._wait = 0
        self.box = engine.VBoxContainer()
        self.box.name = "PynavFigures"
        self.box.add_child(self._grid.box)
        self._is_open = True
        on_frame(self._frame)
        self._frame()

    def close(self) -> None:
        """The inspector shows something else."""
        if self._is_open:
            self._is_open = False
            remove_on_frame(self._frame)
            self._figures.close()

    def _frame(self) -> None:
        if not is_valid(self.box) or not is_valid(self._node):
            self.close()
            return
        self._wait -= 1
        if self._wait <= 0 and self._node.is_inside_tree():
            self._wait = _FRAMES_A_LOOK
            self._grid.show(self._figures.rows())
