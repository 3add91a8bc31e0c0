"""The homing grid of 2D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import Color, GodotObject, PackedVector2Array, Rect2, Vector2, engine, export, is_editor, method
from pynav.homing import GridBox

from ..telling import told
from .homing_grid import HomingGrid, Points

_BORDER = Color(0.55, 0.75, 1.0, 0.9)
_LINES = Color(0.55, 0.75, 1.0, 0.18)


class HomingGrid2D(HomingGrid, GodotObject, base="Node2D", icon="res://addons/pynav/icons/homing_grid_2d.svg"):
    """A grid of arrows over the play area that lead thousands of missiles to their targets without a search.

    HomingSource2D nodes (enemies, decoys, wells) give their power to their cells; it flows to the cells around, and every cell
    points to what is near. HomingProjectiles2D and bodies with a HomingSteering2D are pushed along the arrow of their cell.

    All places are in this node's local space.
    """

    DIMENSIONS = 2

    area: Rect2 = export(
        Rect2(Vector2(0, 0), Vector2(1152, 648)),
        "What the grid covers, in local space.",
        hint=0,
        hint_string="suffix:px",
        changed="_settings_changed",
    )

    def _area(self) -> tuple[tuple[float, float], tuple[float, float]]:
        markers = self._marker_places()
        if markers is not None:
            return markers
        (x, y), (width, height) = self.area
        return (x, y), (x + width, y + height)

    def _flat(self, place: Any) -> tuple[float, float]:
        local = self.to_local(place)
        return local.x, local.y

    def _flat_places(self, places: Points) -> Points:
        x, y, origin = self.global_transform.inverse()
        return places[:, :2] @ np.array([x, y], np.float32) + np.array(origin, np.float32)

    def _flat_velocities(self, velocities: Points) -> Points:
        x, y, _ = self.global_transform.inverse()
        return velocities @ np.array([x, y], np.float32)

    def _velocities_in_space(self, flat: Points, now: Points) -> Points:
        x, y, _ = self.global_transform
        return flat @ np.array([x, y], np.float32)

    def _is_flat(self) -> bool:
        return True

    def _glow_shader(self) -> str:
        return "res://addons/pynav/shaders/homing_glow_2d.gdshader"

    def _make_glow(self, material: Any) -> Any:
        glow = engine.Sprite2D()
        glow.centered = False
        glow.show_behind_parent = True
        glow.material = material
        return glow

    def _place_glow(self, glow: Any, texture: Any, box: GridBox) -> None:
        glow.texture = texture
        glow.position = Vector2(*box.low)
        glow.scale = Vector2(*box.cell_size)

    def _show_arrows(self, mesh: Any) -> None:
        self._mesh = mesh
        self.queue_redraw()

    def _preview_changed(self) -> None:
        self.queue_redraw()

    def _draw(self) -> None:
        if is_editor():
            for points, color in zip(self._editor_lines(), (_BORDER, _LINES), strict=True):
                if points:
                    self.draw_multiline(PackedVector2Array(points), color, -1.0)
        mesh = self._preview_mesh() if is_editor() else getattr(self, "_mesh", None)
        if mesh is not None:
            self.draw_mesh(mesh, None)

    @method
    @told
    def propagate(self, position: Vector2, power: float = 1.0, type: int = 0) -> None:
        """Push into the relaxed field at a place for its next update alone."""
        self._need_world().propagate([tuple(position)], power, type)

    @method(const=True)
    @told
    def get_direction(self, position: Vector2, type: int = 0) -> Vector2:
        """Where the cell of a place points to: a unit vector, or zero."""
        world = self._need_world()
        column, row = world.box.cell_of(*position)
        return Vector2(*(float(number) for number in world.directions(type)[row, column]))

    @method(const=True)
    @told
    def get_strength(self, position: Vector2, type: int = 0) -> float:
        """Strength of the cell of a place."""
        world = self._need_world()
        column, row = world.box.cell_of(*position)
        return float(world.strength(type)[row, column])
