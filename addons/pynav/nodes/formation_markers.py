"""Markers of slots: a soft ring with a chevron to where the unit will look, one instance a slot, and an arrow for the whole.

A multi-mesh draws them: no Python and no draw call a slot. Its mesh and picture are made once and let go with the controllers.
"""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, PackedByteArray, PackedFloat32Array, engine, is_valid
from pynav.formations import FormationSlots
from pynav.formations.place_layout import DROPPED, STANDING

from .default_unit import unit_square
from .tile_plane import TilePlane

_SIZE = 64  # pixels a side
_HUE_STEP = 0.28  # from one row class to the next
_MARKER_FACTOR = 1.25  # of a unit's diameter
_ARROW_TILES = 1.6
_LEADER_FACTOR = 1.5
Floats = npt.NDArray[np.float32]


def marker_image() -> Any:
    """White: a ring that fades inward, and a chevron to the right."""
    axis = (np.arange(_SIZE) + 0.5) / _SIZE * 2.0 - 1.0
    x, y = np.meshgrid(axis, axis)
    away = np.hypot(x, y)
    sharp = _SIZE / 2.0
    inside = np.clip((0.92 - away) * sharp, 0.0, 1.0)
    ring = np.clip((away - 0.74) * sharp, 0.0, 1.0) * inside
    fill = inside * (0.16 + 0.22 * np.clip(away / 0.92, 0.0, 1.0) ** 3)
    tip = 0.46 - x - np.abs(y) * 0.9  # how far behind the chevron's edge
    chevron = np.clip(np.minimum(tip, 0.26 - tip) * sharp, 0.0, 1.0) * np.clip((0.44 - np.abs(y)) * sharp, 0.0, 1.0)
    alpha = np.maximum(np.maximum(ring, fill), 0.95 * chevron)
    pixels = np.full((_SIZE, _SIZE, 4), 255.0)
    pixels[:, :, 3] = 255.0 * alpha
    data = PackedByteArray(np.ascontiguousarray(np.rint(pixels).astype(np.uint8)).reshape(-1))
    image = engine.Image.create_from_data(_SIZE, _SIZE, False, engine.Image.FORMAT_RGBA8, data)
    image.generate_mipmaps()
    return engine.ImageTexture.create_from_image(image)


def class_colors(first: Color, count: int) -> Floats:
    """RGBA by row class, float32 (count, 4): the first one's, then others of its strength."""
    hue, light, saturation = colorsys.rgb_to_hls(first.r, first.g, first.b)
    rows = [(*colorsys.hls_to_rgb((hue + _HUE_STEP * index) % 1.0, light, saturation), first.a) for index in range(count)]
    return np.array(rows, np.float32)


class MarkerShow:
    """Draws markers on a map.

    Args:
        home: the map node; the drawing becomes an internal child of it.
        is_flat: 2D; else on the ground of a 3D map.
    """

    def __init__(self, home: Any, is_flat: bool) -> None:
        self._is_flat = is_flat
        self._mesh = engine.MultiMesh()
        kinds = engine.MultiMesh
        self._mesh.transform_format = kinds.TRANSFORM_2D if is_flat else kinds.TRANSFORM_3D
        self._mesh.use_colors = True
        picture = marker_image()
        if is_flat:
            self._mesh.mesh = unit_square()
            self._node = engine.MultiMeshInstance2D()
            self._node.texture = picture
            self._node.z_index = 1
        else:
            plane = engine.PlaneMesh()
            material = engine.StandardMaterial3D()
            material.shading_mode = engine.StandardMaterial3D.SHADING_MODE_UNSHADED
            material.transparency = engine.StandardMaterial3D.TRANSPARENCY_ALPHA
            material.vertex_color_use_as_albedo = True
            material.albedo_texture = picture
            material.no_depth_test = False
            plane.material = material
            plane.size = plane.size * 0.5
            self._mesh.mesh = plane
            self._node = engine.MultiMeshInstance3D()
            self._node.cast_shadow = engine.GeometryInstance3D.SHADOW_CASTING_SETTING_OFF
        self._node.multimesh = self._mesh
        home.add_child(self._node, False, engine.Node.INTERNAL_MODE_BACK)

    def free(self) -> None:
        """Take the drawing off the map."""
        if is_valid(self._node):
            self._node.queue_free()

    def hide(self) -> None:
        """Draw nothing until something is shown again."""
        if is_valid(self._node):
            self._node.visible = False

    def show_slots(self, slots: FormationSlots, plane: TilePlane, color: Color) -> None:
        """Draw slots, and an arrow before the front; slots for which there is no room are faint."""
        which = slots.class_of_slot
        radius = np.array([found.radius for found in slots.classes], np.float32)[which]
        colors = class_colors(color, len(slots.classes))[which]
        colors[slots.is_cut_off, 3] *= 0.25
        x, y = slots.facing
        front = slots.positions[: slots.files[0]].mean(axis=0) + np.float32(0.5 * _ARROW_TILES + radius[0]) * np.array([x, y])
        positions = np.concatenate([slots.positions, front[None].astype(np.float32)])
        sizes = np.concatenate([radius * 2.0 * _MARKER_FACTOR, np.array([_ARROW_TILES], np.float32)])
        colors = np.concatenate([colors, class_colors(color, 1)])
        self._fill(positions, np.tile(np.array([[x, y]], np.float32), (len(positions), 1)), sizes, colors, plane)

    def show_formations(self, world: Any, plane: TilePlane, color: Color) -> None:
        """Draw where the places of all formations are now: in colour those of units that keep up, red of who is dropped, faint
        those that are empty; a larger one around each leader.
        """
        parts: list[tuple[Floats, Floats, Floats, Floats]] = []
        for found in world.formations.formations:
            if found.slots is None:
                continue
            slots = found.slots
            which = slots.class_of_slot
            sizes = np.array([one.radius * 2.0 for one in slots.classes], np.float32)[which]
            colors = class_colors(color, len(slots.classes))[which]
            colors[found.owners[:, 1] < 0, 3] *= 0.2
            colors[world.formations.tables.places.tags[STANDING, found.places()] == DROPPED] = (1.0, 0.25, 0.2, 0.9)
            headings = found.target_headings
            sizes[found.leader_slot] *= _LEADER_FACTOR
            parts.append((found.targets, headings, sizes, colors))
        if not parts:
            self.hide()
            return
        positions, headings, sizes, colors = (np.concatenate(part) for part in zip(*parts, strict=True))
        self._fill(positions, headings, sizes, colors, plane)

    def _fill(self, positions: Floats, headings: Floats, sizes: Floats, colors: Floats, plane: TilePlane) -> None:
        if not is_valid(self._node):
            return
        count = len(positions)
        places = plane.points_to_local(np.ascontiguousarray(positions, np.float32))
        ahead = plane.vectors_to_local(np.ascontiguousarray(headings, np.float32))
        ahead /= np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), np.float32(1e-9))[:, None]
        size = sizes * np.float32(plane.tile_length)
        right, up = ahead * size[:, None], np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) * size[:, None]
        if self._is_flat:
            rows = np.zeros((count, 12), np.float32)
            rows[:, 0], rows[:, 1], rows[:, 3] = right[:, 0], up[:, 0], places[:, 0]
            rows[:, 4], rows[:, 5], rows[:, 7] = right[:, 1], up[:, 1], places[:, 1]
            rows[:, 8:] = colors
        else:
            rows = np.zeros((count, 16), np.float32)
            rows[:, 0], rows[:, 2], rows[:, 3] = right[:, 0], up[:, 0], places[:, 0]
            rows[:, 5], rows[:, 7] = size, plane.elevation + 0.04 * plane.tile_length
            rows[:, 8], rows[:, 10], rows[:, 11] = right[:, 1], up[:, 1], places[:, 1]
            rows[:, 12:] = colors
        if self._mesh.instance_count != count:
            self._mesh.instance_count = count
        self._mesh.buffer = PackedFloat32Array(rows.reshape(-1))
        self._node.visible = True
