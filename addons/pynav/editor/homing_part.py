"""The part of the editor plugin for homing grids and sources: gizmos in the 3D view. In 2D they draw themselves."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from addons.pynav.bridge import Color, GodotObject, PackedVector3Array, Transform3D, Vector3, engine
from addons.pynav.nodes.homing import HomingGrid3D, HomingSource3D
from addons.pynav.nodes.homing.field_shapes import floor_material

from .editor_part import EditorPart

_BORDER, _LINES = Color(0.55, 0.75, 1.0, 0.9), Color(0.55, 0.75, 1.0, 0.25)
_CIRCLE_POINTS = 48
_RAISED = Vector3(0.0, 0.05, 0.0)


def _line_material(color: Color) -> Any:
    """Lines of one colour. (Those of create_material() are grey and all but unseen, unless a selected gizmo asks for them.)"""
    material = engine.StandardMaterial3D()
    material.shading_mode = engine.BaseMaterial3D.SHADING_MODE_UNSHADED
    material.albedo_color = color
    material.transparency = engine.BaseMaterial3D.TRANSPARENCY_ALPHA
    material.render_priority = 1  # over the glow
    return material


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
            self._border, self._lines = _line_material(_BORDER), _line_material(_LINES)
        grid = gizmo.get_node_3d()
        border, lines = grid._editor_lines()
        if border:
            points = PackedVector3Array([(x, 0.0, z) for x, z in border])
            gizmo.add_lines(points, self._border)
            gizmo.add_collision_segments(points)
        if lines:
            gizmo.add_lines(PackedVector3Array([(x, 0.0, z) for x, z in lines]), self._lines)
        mesh = grid._preview_mesh()
        if mesh is not None:
            gizmo.add_mesh(mesh, self._arrows, Transform3D(origin=_RAISED))


class PynavHomingSourceGizmos(GodotObject, base="EditorNode3DGizmoPlugin"):
    """Circles round a HomingSource3D, level as the node is: how near counts as a hit, how far it reaches, what a well holds."""

    def __init__(self) -> None:
        self._materials: dict[Color, Any] = {}

    def _get_gizmo_name(self) -> str:
        return "HomingSource3D"

    def _get_priority(self) -> int:
        return -1

    def _has_gizmo(self, for_node_3d: GodotObject) -> bool:
        return isinstance(for_node_3d, HomingSource3D)

    def _redraw(self, gizmo: GodotObject) -> None:
        gizmo.clear()
        for radius, color in gizmo.get_node_3d()._circles():
            if color not in self._materials:
                self._materials[color] = _line_material(color)
            turns = (math.tau * index / _CIRCLE_POINTS for index in range(_CIRCLE_POINTS + 1))
            ring = [Vector3(radius * math.cos(turn), 0.0, radius * math.sin(turn)) for turn in turns]
            points = PackedVector3Array([point for side in pairwise(ring) for point in side])
            gizmo.add_lines(points, self._materials[color])
            gizmo.add_collision_segments(points)


class HomingPart(EditorPart):
    """Gives homing grids and sources their gizmos."""

    def enter(self) -> None:
        """Add them."""
        self._gizmos = [PynavHomingGizmos(), PynavHomingSourceGizmos()]
        for gizmos in self._gizmos:
            self.plugin.add_node_3d_gizmo_plugin(gizmos)

    def leave(self) -> None:
        """Take them out again."""
        for gizmos in self._gizmos:
            self.plugin.remove_node_3d_gizmo_plugin(gizmos)
