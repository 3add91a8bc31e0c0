"""Drives the drawing of one node: once a frame it looks where the viewport looks and hands on what changed."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import RUNNING, is_valid, on_frame, remove_on_frame, report
from pynav.drawing.sketch import Sketch
from pynav.drawing.view import View

from .renderer import Palette, Renderer

SECONDS_PER_FRAME = 0.003  # of the main thread, for describing; what takes longer goes on in the next frame


class DrawnNode:
    """A node with a drawing over it. Subclasses say what is drawn and where.

    Args:
        node: a CanvasItem or Node3D, in the tree.
        renderer: what draws in its space.
    """

    def __init__(self, node: Any, renderer: Renderer) -> None:
        self.node, self.renderer = node, renderer
        _drawn.append(self)
        if RUNNING and len(_drawn) == 1:
            on_frame(_frame)

    def sketch(self) -> Sketch | None:
        """What to draw, up to date with the node; None for nothing."""
        raise NotImplementedError

    def plane(self) -> Any:
        """Where tiles lie in the node's space (`TilePlane`)."""
        raise NotImplementedError

    def view(self) -> View | None:
        """What is in view; None where nothing is looked at."""
        raise NotImplementedError

    def palette(self) -> Palette:
        """Colours by role."""
        raise NotImplementedError

    def changed(self) -> None:
        """The renderer was given changes."""

    def frame(self, seconds: float = SECONDS_PER_FRAME) -> None:
        """Draw on for about that long."""
        sketch = self.sketch()
        if sketch is None:
            return
        view = self.view()
        if view is not None:
            sketch.look_at(view)
        self.renderer.place(self.plane())
        if sketch.is_busy:
            changes = sketch.advance(seconds)
            if changes:
                self.renderer.apply(changes, self.palette())
                self.changed()

    def close(self) -> None:
        """Draw nothing more; the node leaves."""
        self.renderer.clear()
        if self in _drawn:
            _drawn.remove(self)
            if RUNNING and not _drawn:
                remove_on_frame(_frame)


_drawn: list[DrawnNode] = []


def drawn_nodes() -> list[DrawnNode]:
    """All that are drawn now."""
    return list(_drawn)


def _frame() -> None:
    for drawn in drawn_nodes():
        if not is_valid(drawn.node):
            drawn.close()
            continue
        try:
            drawn.frame()
        except Exception as error:  # told once; a drawing that fails must not be tried each frame
            report(error, type(drawn).frame)
            drawn.close()
