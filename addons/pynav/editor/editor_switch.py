"""The switch that plugin.cfg's script turns."""

from __future__ import annotations

from addons.pynav.bridge import GodotObject, add_editor_plugin, method, remove_editor_plugin

from .pynav_editor_plugin import PynavEditorPlugin


class PynavEditorSwitch(GodotObject, base="RefCounted"):
    """Adds the editor tools of pynav to the editor and takes them out again. The nodes stay registered."""

    @method
    def turn(self, on: bool) -> None:
        """Switch the tools on or off; what they are already changes nothing."""
        if on:
            add_editor_plugin(PynavEditorPlugin)
        elif PynavEditorPlugin.in_editor is not None:  # when the editor closes it takes its plugins along itself
            remove_editor_plugin(PynavEditorPlugin)
