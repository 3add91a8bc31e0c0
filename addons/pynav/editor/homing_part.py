"""The part of the editor plugin for homing grids: their gizmo in the 3D view. In 2D grids draw themselves."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Color, GodotObject, PackedVector3Array, Transform3D, Vector3
from addons.pynav.nodes.homing import HomingGrid3D
from addons.pynav.nodes.homing.field_shapes import floor_material

from .editor_part import EditorPart

_BORDER, _LINES = "pynav_homing_border", "pynav_homing_lines"
_RAISED = Vector3(0.0, 0.05, 0.0)


class PynavHomingGizmos(GodotObject, base="EditorNode3DGizmoPlugin"):
    """Border and cells of a HomingGrid3D; its arrows where `debug_draw` is on."""

    def __init__(self) -> None:
        self._arrows: Any = None

    def _get_gizmo_name(self) -> str:
        return "HomingGrid3D"

    def _get_priority(self) -> int:
        return -1

    def _has_gizmo(self, for_node_3d: GodotObject) -> bool:
        return isinstance(for_node_3d, HomingGrid3D)

    def _redraw(self, gizmo: GodotObject) -> None:
        gizmo.clear()
        if self._arrows is None:
            self._arrows = floor_material()
            self.create_material(_BORDER, Color(0.55, 0.75, 1.0, 0.9))
            self.create_material(_LINES, Color(0.55, 0.75, 1.0, 0.25))
        grid = gizmo.get_node_3d()
        border, lines = grid._editor_lines()
        if border:
            points = PackedVector3Array([(x, 0.0, z) for x, z in border])
            gizmo.add_lines(points, self.get_material(_BORDER))
            gizmo.add_collision_segments(points)
        if lines:
            gizmo.add_lines(PackedVector3Array([(x, 0.0, z) for x, z in lines]), self.get_material(_LINES))
        mesh = grid._preview_mesh()
        if mesh is not None:
            gizmo.add_mesh(mesh, self._arrows, Transform3D(origin=_RAISED))


class HomingPart(EditorPart):
    """Gives homing grids their gizmo."""

    def enter(self) -> None:
        """Add it."""
        self._gizmos = PynavHomingGizmos()
        self.plugin.add_node_3d_gizmo_plugin(self._gizmos)

    def leave(self) -> None:
        """Take it out again."""
        self.plugin.remove_node_3d_gizmo_plugin(self._gizmos)
