"""The way of one agent drawn in the running game, for debugging: a line with its corners, in 2D and in 3D.

A child of the agent's that no scene saves and nobody sees in the tree; it stands in global space, whatever the body does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from addons.pynav.bridge import Color, PackedVector2Array, Rect2, Vector2, engine, singleton

FIRST_COLOR = Color(1.0, 0.0, 0.0, 1.0)  # of a project that sets none


def project_color(plane: str) -> Color:
    """The colour that the project gives the ways of its navigation agents in "2d" or "3d"."""
    settings = singleton("ProjectSettings")
    found: Color = settings.get_setting(f"debug/shapes/navigation/{plane}/agent_path_color", FIRST_COLOR)
    return found


class PathDrawing2D:
    """Draws on a canvas item of its own."""

    def __init__(self, agent: Any) -> None:
        self.node = engine.Node2D()
        self.node.z_index = self.node.Z_MAX if hasattr(self.node, "Z_MAX") else 4096
        self.node.connect("draw", self._draw)
        agent.add_child(self.node, False, engine.Node.INTERNAL_MODE_FRONT)
        self._points: list[Any] = []
        self._look: tuple[Color, float, float] = (FIRST_COLOR, 0.0, 0.0)

    def show(self, points: Sequence[Any], color: Color, line_width: float, point_size: float) -> None:
        """Draw a way of global positions; a line width below 0 is a hair line whatever the zoom."""
        self._points, self._look = list(points), (color, line_width, point_size)
        self.node.queue_redraw()

    def _draw(self) -> None:
        color, width, size = self._look
        if len(self._points) > 1:
            self.node.draw_polyline(PackedVector2Array(self._points), color, width)
        if size > 0.0:
            half = Vector2(size, size) * 0.5
            for point in self._points:
                self.node.draw_rect(Rect2(point - half, half * 2.0), color)

    def free(self) -> None:
        """Draw nothing more."""
        self.node.queue_free()


class PathDrawing3D:
    """Draws with a mesh of its own, over everything that stands before it."""

    def __init__(self, agent: Any) -> None:
        self.node = engine.MeshInstance3D()
        self.node.top_level = True
        self.node.cast_shadow = engine.GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
        self._mesh = engine.ImmediateMesh()
        self.node.mesh = self._mesh
        agent.add_child(self.node, False, engine.Node.INTERNAL_MODE_FRONT)

    def show(self, points: Sequence[Any], color: Color, line_width: float, point_size: float) -> None:
        """Draw a way of global positions; lines are hair lines."""
        mesh = self._mesh
        mesh.clear_surfaces()
        kinds = [(engine.Mesh.PRIMITIVE_LINE_STRIP, 2, 0.0), (engine.Mesh.PRIMITIVE_POINTS, 1, point_size)]
        for kind, least, size in kinds:
            if len(points) < least or (kind == engine.Mesh.PRIMITIVE_POINTS and size <= 0.0):
                continue
            mesh.surface_begin(kind, _material(color, size))
            for point in points:
                mesh.surface_add_vertex(point)
            mesh.surface_end()

    def free(self) -> None:
        """Draw nothing more."""
        self.node.queue_free()


def _material(color: Color, point_size: float) -> Any:
    material = engine.StandardMaterial3D()
    material.shading_mode = engine.BaseMaterial3D.SHADING_MODE_UNSHADED
    material.transparency = engine.BaseMaterial3D.TRANSPARENCY_ALPHA
    material.albedo_color = color
    material.no_depth_test = True
    if point_size > 0.0:
        material.use_point_size = True
        material.point_size = point_size
    return material
