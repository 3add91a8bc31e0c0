"""The projectiles of 3D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import AABB, GodotObject, PackedInt64Array, PackedVector3Array, Vector3, export, method
from pynav.homing import ProjectileFill, fill_of_3d

from ..instance_drawing import InstanceDrawing
from ..telling import told
from .homing_grid_3d import HomingGrid3D
from .homing_projectiles import HomingProjectiles, Points, missile_mesh

_FLOATS = 12


class HomingProjectiles3D(
    HomingProjectiles, GodotObject, base="GeometryInstance3D", icon="res://addons/pynav/icons/homing_projectiles_3d.svg"
):
    """Thousands of projectiles that home on the sources of a HomingGrid3D, drawn in one call.

    They fly at one height over the grid's plane. No script runs for them: shoot them with shoot() and shoot_many(), and listen
    to the signals. Places and velocities are in the grid's local space. Keep this node's floor parallel to the grid's.
    """

    grid: GodotObject | None = export(
        None,
        "Grid that they follow. Empty: the nearest one among the ancestors, else beside them.",
        node="HomingGrid3D",
        changed="_grid_property_changed",
    )
    top_speed: float = export(
        12.0, "Top speed.", range=(0.1, 400.0, 0.01, "or_greater"), unit="m/s", group="Flight", changed="_flight_changed"
    )
    acceleration: float = export(
        36.0,
        "How hard it is pushed; top speed squared by this is the radius of its turns.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="m/s²",
        group="Flight",
        changed="_flight_changed",
    )
    snap_distance: float = export(
        0.5,
        "A target of its own cell that is nearer than this is hit at once.",
        range=(0.0, 20.0, 0.01, "or_greater"),
        unit="m",
        group="Flight",
        changed="_flight_changed",
    )
    hit_radius: float = export(
        0.15,
        "Radius of a projectile: it hits where its way touches a target's radius.",
        range=(0.0, 20.0, 0.01, "or_greater"),
        unit="m",
        group="Flight",
        changed="_flight_changed",
    )
    height: float = export(
        1.0,
        "Height over the grid's plane.",
        range=(-100.0, 100.0, 0.01, "or_greater", "or_less"),
        unit="m",
        group="Look",
        changed="_look_changed",
    )
    mesh: GodotObject | None = export(
        None,
        "What a projectile looks like, flying along -z; empty is a bright dart.",
        resource="Mesh",
        group="Look",
        changed="_look_changed",
    )
    size: float = export(
        0.6,
        "Length of the dart; with a mesh of your own, its scale.",
        range=(0.01, 20.0, 0.01, "or_greater"),
        unit="m",
        group="Look",
        changed="_look_changed",
    )

    def _is_own_grid(self, node: Any) -> bool:
        return isinstance(node, HomingGrid3D)

    def _make_drawing(self) -> InstanceDrawing:
        drawing = InstanceDrawing(_FLOATS)
        self.set_base(drawing.multimesh.get_rid())
        return drawing

    def _get_aabb(self) -> AABB:
        return AABB() if self._drawing is None else AABB(*self._drawing.multimesh.custom_aabb)

    def _take_transforms(self) -> None:
        assert self._drawing is not None
        home = self._grid.global_transform
        try:
            to_own = self.global_transform.inverse()
        except ZeroDivisionError:  # scaled to nothing
            self._seen = (np.zeros((2, 3), np.float32), 0.0, 0.0)
            return
        origin = to_own.apply(home.apply((0.0, self.height, 0.0)))
        x = to_own.apply(home.apply((1.0, self.height, 0.0)))
        z = to_own.apply(home.apply((0.0, self.height, 1.0)))
        matrix = np.array([[x.x - origin.x, z.x - origin.x, origin.x], [x.z - origin.z, z.z - origin.z, origin.z]], np.float32)
        self._drawing.multimesh.mesh = self.mesh if self.mesh is not None else missile_mesh(False)
        self._drawing.set_bounds((-1e5, origin.y - 100.0, -1e5), (1e5, origin.y + 100.0, 1e5))
        self._seen = (matrix, self.size * float(np.hypot(*matrix[:, 0])), float(origin.y))

    def _bind_filling(self, buffer: Points, previous: Points | None) -> ProjectileFill:
        assert self._batch is not None
        matrix, size, elevation = self._seen
        return fill_of_3d(self._batch, buffer, matrix, size, elevation, previous=previous)

    @method
    @told
    def shoot(self, position: Vector3, velocity: Vector3) -> int:
        """Add a projectile; heights don't count. Returns its number."""
        return int(self._need_batch().spawn([(position.x, position.z)], (velocity.x, velocity.z))[0])

    @method
    @told
    def shoot_many(self, positions: PackedVector3Array, velocities: PackedVector3Array) -> PackedInt64Array:
        """Add a projectile at each place; heights don't count. Returns their numbers, in order."""
        return self._shoot(np.ascontiguousarray(positions.view()[:, ::2]), np.ascontiguousarray(velocities.view()[:, ::2]))

    @method(const=True)
    @told
    def get_positions(self) -> PackedVector3Array:
        """Where the projectiles are, in the order of get_projectiles()."""
        flat = self._there(self._need_batch().positions)
        return PackedVector3Array(np.stack([flat[:, 0], np.full(len(flat), self.height, np.float32), flat[:, 1]], axis=1))

    @method(const=True)
    @told
    def get_velocities(self) -> PackedVector3Array:
        """How they move, metres a second, in the order of get_projectiles(); those that a well holds, relative to it."""
        flat = self._there(self._need_batch().velocities)
        return PackedVector3Array(np.stack([flat[:, 0], np.zeros(len(flat), np.float32), flat[:, 1]], axis=1))
