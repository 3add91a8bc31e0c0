"""The part of the editor plugin that adds panels to the inspector."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject
from addons.pynav.nodes import (
    FlowFieldCrowd2D,
    FlowFieldCrowd3D,
    FlowFieldMap2D,
    FlowFieldMap3D,
    FormationController2D,
    FormationController3D,
)
from addons.pynav.nodes.homing import HomingGrid2D, HomingGrid3D

from .crowd_figures import CrowdFigures, FormationFigures
from .editor_part import EditorPart
from .figures_panel import FiguresPanel
from .homing_figures import HomingFigures
from .map_panel import MapPanel

_MAPS = (FlowFieldMap2D, FlowFieldMap3D)
# Which nodes show figures and nothing more, and who counts them.
_FIGURES: dict[type, type[Any]] = {
    FlowFieldCrowd2D: CrowdFigures,
    FlowFieldCrowd3D: CrowdFigures,
    FormationController2D: FormationFigures,
    FormationController3D: FormationFigures,
    HomingGrid2D: HomingFigures,
    HomingGrid3D: HomingFigures,
}


class PynavInspector(GodotObject, base="EditorInspectorPlugin"):
    """Puts a panel on top of our nodes: of maps with figures and buttons, of others with figures."""

    def __init__(self) -> None:
        self.plugin: Any = None
        self.panels: list[Any] = []

    def _can_handle(self, object: GodotObject) -> bool:
        return isinstance(object, (*_MAPS, *_FIGURES))

    def _parse_begin(self, object: GodotObject) -> None:
        self.close()
        if isinstance(object, _MAPS):
            panel: Any = MapPanel(object, self.plugin)
        else:
            panel = FiguresPanel(object, _FIGURES[type(object)](object))
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
