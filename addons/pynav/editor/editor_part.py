"""What the editor plugin is made of: parts that each serve one purpose and know nothing of one another."""

from __future__ import annotations

from typing import Any


class EditorPart:
    """One part of the editor plugin; every method may be overridden.

    A part is made anew each time the plugin is switched on. Its calls come on the editor's main thread.

    Attributes:
        plugin: the ``PynavEditorPlugin``, for what an EditorPlugin can do (add_inspector_plugin and the like).
    """

    def __init__(self, plugin: Any) -> None:
        self.plugin = plugin

    def enter(self) -> None:
        """The plugin is in the editor: add what the part has."""

    def leave(self) -> None:
        """The plugin leaves: take everything out again."""

    def handles(self, edited: Any) -> bool:
        """Whether the part wants to know when this object is selected."""
        return False

    def edit(self, edited: Any | None) -> None:
        """An object that the part handles was selected; None: nothing that it handles is."""

    def canvas_input(self, event: Any) -> bool:
        """An event in the 2D view while something handled is selected; True keeps it from everybody else."""
        return False

    def draw_over_canvas(self, overlay: Any) -> None:
        """Draw on a Control that covers the 2D view (``plugin.update_overlays()`` asks for it), while something is selected."""

    def space_input(self, camera: Any, event: Any) -> int:
        """An event in the 3D view; one of EditorPlugin's AFTER_GUI_INPUT constants, 0 to pass it on."""
        return 0

    def draw_over_space(self, overlay: Any) -> None:
        """Draw on a Control that covers a 3D view, while something is selected."""
