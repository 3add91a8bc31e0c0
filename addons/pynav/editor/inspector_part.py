"""The part of the editor plugin that adds panels to the inspector."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject
from addons.pynav.nodes import FlowFieldMap2D, FlowFieldMap3D

from .editor_part import EditorPart
from .map_panel import MapPanel


class PynavInspector(GodotObject, base="EditorInspectorPlugin"):
    """Puts a panel with figures and buttons on top of each map."""

    def __init__(self) -> None:
        self.plugin: Any = None
        self.panels: list[MapPanel] = []

    def _can_handle(self, object: GodotObject) -> bool:
        return isinstance(object, (FlowFieldMap2D, FlowFieldMap3D))

    def _parse_begin(self, object: GodotObject) -> None:
        self.close()
        panel = MapPanel(object, self.plugin)
        self.panels.append(panel)
        self.add_custom_control(panel.box)

    def close(self) -> None:
        """The panels are gone, or will be at once."""
        while self.panels:
            self.panels.pop().close()


class InspectorPart(EditorPart):
    """Adds the panels, and takes them out."""

    def enter(self) -> None:
        """Add them."""
        self._inspector: Any = PynavInspector()
        self._inspector.plugin = self.plugin
        self.plugin.add_inspector_plugin(self._inspector)

    def leave(self) -> None:
        """Take them out."""
        self._inspector.close()
        self._inspector.plugin = None
        self.plugin.remove_inspector_plugin(self._inspector)
        self._inspector = None
