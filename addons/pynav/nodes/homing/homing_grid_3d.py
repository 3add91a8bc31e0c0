"""The homing grid of 3D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, Rect2, Vector2, Vector3, engine, export, method
from pynav.homing import GridBox

from ..telling import told
from .field_shapes import floor_material
from .homing_grid import HomingGrid, Points

_LEVEL = 1e-6  # m/s: along a plane that is level, nothing goes up or down


class HomingGrid3D(HomingGrid, GodotObject, base="Node3D", icon="res://addons/pynav/icons/homing_grid_3d.svg"):
    """A grid of arrows over the play area that lead thousands of missiles to their targets without a search.

    It lies on the plane of this node's x and z axes; heights don't count. HomingSource3D nodes (enemies, decoys, wells) give
    their power to their cells; it flows to the cells around, and every cell points to what is near. HomingProjectiles3D and
    bodies with a HomingSteering3D are pushed along the arrow of their cell.
    """

    DIMENSIONS = 3

    area: Rect2 = export(
        Rect2(Vector2(-16, -16), Vector2(32, 32)),
        "What the grid covers: x and z, in local space.",
        hint=0,
        hint_string="suffix:m",
        changed="_settings_changed",
    )

    def _area(self) -> tuple[tuple[float, float], tuple[float, float]]:
        markers = self._marker_places()
        if markers is not None:
            return markers
        (x, z), (width, depth) = self.area
        return (x, z), (x + width, z + depth)

    def _flat(self, place: Any) -> tuple[float, float]:
        local = self.to_local(place)
        return local.x, local.z

    def _flat_places(self, places: Points) -> Points:
        basis, origin = self.global_transform.inverse()
        flat = [(axis.x, axis.z) for axis in basis]
        return places[:, :3] @ np.array(flat, np.float32) + np.array((origin.x, origin.z), np.float32)

    def _flat_velocities(self, velocities: Points) -> Points:
        basis, _ = self.global_transform.inverse()
        return velocities @ np.array([(axis.x, axis.z) for axis in basis], np.float32)

    def _velocities_in_space(self, flat: Points, now: Points) -> Points:
        (x, _, z), _ = self.global_transform
        found = flat @ np.array([x, z], np.float32)
        level = np.abs(found[:, 1]) < _LEVEL
        found[level, 1] += now[level, 1]  # gravity and jumps are the body's own
        return found

    def _is_flat(self) -> bool:
        return False

    def _glow_shader(self) -> str:
        return "res://addons/pynav/shaders/homing_glow_3d.gdshader"

    def _make_glow(self, material: Any) -> Any:
        glow = engine.MeshInstance3D()
        glow.mesh = engine.PlaneMesh()
        glow.mesh.size = Vector2(1.0, 1.0)
        glow.material_override = material
        glow.cast_shadow = 0
        return glow

    def _place_glow(self, glow: Any, texture: Any, box: GridBox) -> None:
        glow.position = Vector3((box.low[0] + box.high[0]) / 2, 0.02, (box.low[1] + box.high[1]) / 2)
        glow.scale = Vector3(box.size[0], 1.0, box.size[1])

    def _preview_changed(self) -> None:
        self.update_gizmos()

    def _show_arrows(self, mesh: Any) -> None:
        arrows = getattr(self, "_arrows", None)
        if mesh is None:
            if arrows is not None:
                arrows.visible = False
            return
        if arrows is None:
            arrows = self._arrows = engine.MeshInstance3D()
            arrows.material_override = floor_material()
            arrows.cast_shadow = 0
            arrows.position = Vector3(0.0, 0.05, 0.0)
            self.add_child(arrows, False, 2)  # INTERNAL_MODE_BACK
        arrows.mesh = mesh
        arrows.visible = True

    @method
    @told
    def propagate(self, position: Vector3, power: float = 1.0, type: int = 0) -> None:
        """Push into the relaxed field at a place (local space) for its next update alone."""
        self._need_world().propagate([(position.x, position.z)], power, type)

    @method(const=True)
    @told
    def get_direction(self, position: Vector3, type: int = 0) -> Vector3:
        """Where the cell of a place points to: a unit vector on the plane, or zero."""
        world = self._need_world()
        column, row = world.box.cell_of(position.x, position.z)
        x, z = (float(number) for number in world.directions(type)[row, column])
        return Vector3(x, 0.0, z)

    @method(const=True)
    @told
    def get_strength(self, position: Vector3, type: int = 0) -> float:
        """Strength of the cell of a place (local space)."""
        world = self._need_world()
        column, row = world.box.cell_of(position.x, position.z)
        return float(world.strength(type)[row, column])
