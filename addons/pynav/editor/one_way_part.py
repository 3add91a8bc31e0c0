"""The part of the editor plugin for one-way nodes: their gizmo in the 3D view. In 2D they draw themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, PackedColorArray, PackedInt32Array, PackedVector3Array, Transform3D, Vector3, engine
from addons.pynav.nodes import FlowFieldOneWay3D
from addons.pynav.nodes.debug_drawing.renderer import triangle_indices
from addons.pynav.nodes.homing.field_shapes import floor_material
from pynav.drawing.piece import thick_lines

from .editor_part import EditorPart

Floats = npt.NDArray[np.float32]
_FILL = (1.0, 0.78, 0.3, 0.14)
_OUTLINE = (1.0, 0.78, 0.3, 0.55)
_ARROW = (1.0, 0.82, 0.4, 0.95)
_BAR = (1.0, 0.42, 0.36, 0.95)
_RAISED = Vector3(0.0, 0.08, 0.0)  # above the layers of the map's drawing
_ARROW_LIMIT = 40  # drawn in a row
_WIDEST = 0.25  # of lines, metres


def one_way_quads(across: float, along: float, closes_sides: bool) -> tuple[Floats, Floats]:
    """What stands for a one-way node: its rectangle, a row of arrow heads, bars on the sides that are closed.

    Returns:
        float32 (n, 4, 2) corners (x, z) in the node's space, the arrow along -z; float32 (n, 4) colours.
    """
    x, z = across / 2, along / 2
    width = min(max(min(across, along) * 0.12, 0.03), _WIDEST)
    corners = [(-x, z), (x, z), (x, -z), (-x, -z)]  # back left, back right, front right, front left
    sides = [(corners[side], corners[(side + 1) % 4]) for side in range(4)]
    bars = [sides[0], sides[1], sides[3]] if closes_sides else sides[:1]
    found = [np.array([corners], dtype=np.float32), _lines(sides, width / 4), _lines(bars, width)]
    found.append(_lines(_heads(across, along), width))
    counts = [len(quads) for quads in found]
    return np.concatenate(found), np.repeat(np.array([_FILL, _OUTLINE, _BAR, _ARROW], dtype=np.float32), counts, axis=0)


def _lines(ends: list[Any], width: float) -> Floats:
    places = np.array(ends, dtype=np.float32)
    return thick_lines(places[:, 0], places[:, 1], width)


def _heads(across: float, along: float) -> list[Any]:
    """Both strokes of each arrow head, in a row across the rectangle."""
    pitch = max(min(along, across), across / _ARROW_LIMIT, 1e-3)
    count = max(1, int(across / pitch))
    reach = min(along, pitch) * 0.22
    found = []
    for place in range(count):
        x = (place + 0.5) * across / count - across / 2
        tip = (x, -reach * 0.6)
        found += [((x - reach, reach * 0.6), tip), (tip, (x + reach, reach * 0.6))]
    return found


class PynavOneWayGizmos(GodotObject, base="EditorNode3DGizmoPlugin"):
    """The rectangle, the arrow and the closed sides of a FlowFieldOneWay3D."""

    def __init__(self) -> None:
        self._material: Any = None

    def _get_gizmo_name(self) -> str:
        return "FlowFieldOneWay3D"

    def _get_priority(self) -> int:
        return -1

    def _has_gizmo(self, for_node_3d: GodotObject) -> bool:
        return isinstance(for_node_3d, FlowFieldOneWay3D)

    def _redraw(self, gizmo: GodotObject) -> None:
        gizmo.clear()
        node = gizmo.get_node_3d()
        if not (node.size.x > 0.0 and node.size.y > 0.0):
            return
        if self._material is None:
            self._material = floor_material()
        quads, tints = one_way_quads(node.size.x, node.size.y, int(node.closes) == node.Closes.ALL_BUT_FRONT)
        points = np.zeros((len(quads) * 4, 3), dtype=np.float32)
        points[:, [0, 2]] = quads.reshape(-1, 2)
        points[:, 1] = np.repeat(np.linspace(0.0, 0.02, len(quads)), 4)  # later ones lie on top
        arrays: list[Any] = [None] * engine.Mesh.ARRAY_MAX
        arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(points)
        arrays[engine.Mesh.ARRAY_COLOR] = PackedColorArray(np.repeat(tints, 4, axis=0))
        arrays[engine.Mesh.ARRAY_INDEX] = PackedInt32Array(triangle_indices(len(quads)))
        mesh = engine.ArrayMesh()
        mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
        gizmo.add_mesh(mesh, self._material, Transform3D(origin=_RAISED))
        outline = points[:4][[0, 1, 1, 2, 2, 3, 3, 0]]
        gizmo.add_collision_segments(PackedVector3Array(outline))


class OneWayPart(EditorPart):
    """Gives one-way nodes their gizmo."""

    def enter(self) -> None:
        """Add it."""
        self._gizmos = PynavOneWayGizmos()
        self.plugin.add_node_3d_gizmo_plugin(self._gizmos)

    def leave(self) -> None:
        """Take it out again."""
        self.plugin.remove_node_3d_gizmo_plugin(self._gizmos)
