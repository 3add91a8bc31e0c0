"""The projectiles of 2D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, PackedInt64Array, PackedVector2Array, Vector2, export, is_editor, method
from pynav.homing import ProjectileFill, fill_of_2d

from ..instance_drawing import InstanceDrawing
from ..telling import told
from .homing_grid_2d import HomingGrid2D
from .homing_projectiles import HomingProjectiles, Points, missile_mesh

_FLOATS = 8


class HomingProjectiles2D(
    HomingProjectiles, GodotObject, base="Node2D", icon="res://addons/pynav/icons/homing_projectiles_2d.svg"
):
    """Thousands of projectiles that home on the sources of a HomingGrid2D, drawn in one call.

    No script runs for them: shoot them with shoot() and shoot_many(), and listen to the signals. Places and velocities are in
    the grid's local space. A projectile's number is never given out twice while it could be mixed up.
    """

    grid: GodotObject | None = export(
        None,
        "Grid that they follow. Empty: the nearest one among the ancestors, else beside them.",
        node="HomingGrid2D",
        changed="_grid_property_changed",
    )
    top_speed: float = export(
        400.0, "Top speed.", range=(1.0, 4000.0, 0.1, "or_greater"), unit="px/s", group="Flight", changed="_flight_changed"
    )
    acceleration: float = export(
        1200.0,
        "How hard it is pushed; top speed squared by this is the radius of its turns.",
        range=(0.0, 10000.0, 0.1, "or_greater"),
        unit="px/s²",
        group="Flight",
        changed="_flight_changed",
    )
    snap_distance: float = export(
        16.0,
        "A target of its own cell that is nearer than this is hit at once.",
        range=(0.0, 200.0, 0.1, "or_greater"),
        unit="px",
        group="Flight",
        changed="_flight_changed",
    )
    hit_radius: float = export(
        4.0,
        "Radius of a projectile: it hits where its way touches a target's radius.",
        range=(0.0, 200.0, 0.1, "or_greater"),
        unit="px",
        group="Flight",
        changed="_flight_changed",
    )
    mesh: GodotObject | None = export(
        None,
        "What a projectile looks like, flying to the right; empty is a bright dart.",
        resource="Mesh",
        group="Look",
        changed="_look_changed",
    )
    texture: GodotObject | None = export(
        None, "Texture of the mesh.", resource="Texture2D", group="Look", changed="_look_changed"
    )
    size: float = export(
        18.0,
        "Length of the dart; with a mesh of your own, its scale.",
        range=(0.01, 200.0, 0.01, "or_greater"),
        unit="px",
        group="Look",
        changed="_look_changed",
    )

    def _is_own_grid(self, node: Any) -> bool:
        return isinstance(node, HomingGrid2D)

    def _make_drawing(self) -> InstanceDrawing:
        return InstanceDrawing(_FLOATS)

    def _take_transforms(self) -> None:
        assert self._drawing is not None
        own, home = self.global_transform, self._grid.global_transform
        try:
            to_own = own.inverse()
        except ZeroDivisionError:  # scaled to nothing
            self._seen = (np.zeros((2, 3), np.float32), 0.0)
            return
        origin = to_own.apply(home.apply((0.0, 0.0)))
        x, y = to_own.apply(home.apply((1.0, 0.0))), to_own.apply(home.apply((0.0, 1.0)))
        matrix = np.array([[x.x - origin.x, y.x - origin.x, origin.x], [x.y - origin.y, y.y - origin.y, origin.y]], np.float32)
        scale = float(np.hypot(*matrix[:, 0]))
        self._drawing.multimesh.mesh = self.mesh if self.mesh is not None else missile_mesh(True)
        self._drawing.set_bounds((-1e6, -1e6, -1.0), (1e6, 1e6, 1.0))
        self._seen = (matrix, self.size * scale)
        self.queue_redraw()

    def _bind_filling(self, buffer: Points, previous: Points | None) -> ProjectileFill:
        assert self._batch is not None
        matrix, size = self._seen
        return fill_of_2d(self._batch, buffer, matrix, size, previous=previous)

    def _draw(self) -> None:
        if not is_editor() and self._drawing is not None:
            self.draw_multimesh(self._drawing.multimesh, self.texture)

    @method
    @told
    def shoot(self, position: Vector2, velocity: Vector2) -> int:
        """Add a projectile. Returns its number."""
        return int(self._need_batch().spawn([tuple(position)], tuple(velocity))[0])

    @method
    @told
    def shoot_many(self, positions: PackedVector2Array, velocities: PackedVector2Array) -> PackedInt64Array:
        """Add a projectile at each place. Returns their numbers, in order."""
        return self._shoot(positions.view(), velocities.view())

    @method(const=True)
    @told
    def get_positions(self) -> PackedVector2Array:
        """Where the projectiles are, in the order of get_projectiles()."""
        return PackedVector2Array(self._there(self._need_batch().positions))

    @method(const=True)
    @told
    def get_velocities(self) -> PackedVector2Array:
        """How they move, px a second, in the order of get_projectiles(); those that a well holds, relative to it."""
        return PackedVector2Array(self._there(self._need_batch().velocities))
