"""The gizmo of FlowFieldMap3D: the meshes of its drawing, and handles for the probe and the test unit."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, PackedInt32Array, PackedVector3Array, Vector2
from addons.pynav.nodes import FlowFieldMap3D
from addons.pynav.nodes.debug_drawing.space_renderer import SpaceRenderer
from addons.pynav.nodes.debug_drawing.views import point_on_ground

from .kept_marks import keep_marks
from .map_handles import NAMES, drawn_of, handles_of, move_handle


class PynavMapGizmos(GodotObject, base="EditorNode3DGizmoPlugin"):
    """Shows what the solver sees of a FlowFieldMap3D."""

    def __init__(self) -> None:
        self._has_handles = False

    def _get_gizmo_name(self) -> str:
        return "FlowFieldMap3D"

    def _get_priority(self) -> int:
        return -1

    def _has_gizmo(self, for_node_3d: GodotObject) -> bool:
        return isinstance(for_node_3d, FlowFieldMap3D)

    def _redraw(self, gizmo: GodotObject) -> None:
        gizmo.clear()
        drawn = drawn_of(gizmo.get_node_3d())
        if drawn is None or not isinstance(drawn.renderer, SpaceRenderer):
            return
        for mesh in drawn.renderer.meshes:
            gizmo.add_mesh(mesh)
        handles = handles_of(drawn)
        if handles:
            if not self._has_handles:
                self.create_handle_material("pynav_handles")
                self._has_handles = True
            tiles = np.array([tile for _, tile in handles], dtype=np.float32) + np.float32(0.5)
            points = drawn.renderer.on_ground(tiles, 0.2)
            numbers = PackedInt32Array([number for number, _ in handles])
            gizmo.add_handles(PackedVector3Array(points), self.get_material("pynav_handles"), numbers)

    def _get_handle_name(self, gizmo: GodotObject, handle_id: int, secondary: bool) -> str:
        return NAMES[handle_id]

    def _get_handle_value(self, gizmo: GodotObject, handle_id: int, secondary: bool) -> Any:
        drawn = drawn_of(gizmo.get_node_3d())
        found = {} if drawn is None else dict(handles_of(drawn))
        return Vector2(*found.get(handle_id, (0, 0)))

    def _set_handle(self, gizmo: GodotObject, handle_id: int, secondary: bool, camera: GodotObject, screen_pos: Vector2) -> None:
        node = gizmo.get_node_3d()
        drawn = drawn_of(node)
        place = None if drawn is None else point_on_ground(node, drawn.plane(), camera, screen_pos)
        if drawn is not None and place is not None and move_handle(drawn, handle_id, place):
            node.update_gizmos()

    def _commit_handle(self, gizmo: GodotObject, handle_id: int, secondary: bool, restore: Any, cancel: bool) -> None:
        drawn = drawn_of(gizmo.get_node_3d())
        if drawn is None:
            return
        if not cancel:
            keep_marks(drawn)
        else:
            move_handle(drawn, handle_id, (restore[0], restore[1]))
            gizmo.get_node_3d().update_gizmos()
