"""Markers of slots, places, leaders: a soft ring with a chevron to where a unit will look, a star, a cross.

A multi-mesh for each picture draws them: no Python and no draw call a slot. Meshes and pictures are made once and let go with the
controllers. Pictures are white with a dark rim, so that they can be seen on any ground in any colour.
"""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, PackedByteArray, PackedFloat32Array, engine, is_valid
from pynav.formations import FormationSlots, OrderedFormation
from pynav.formations.place_layout import DROPPED

from .default_unit import unit_square
from .tile_plane import TilePlane

_SIZE = 64  # pixels a side
_HUE_STEP = 0.28  # from one row class to the next
_MARKER_FACTOR = 1.25  # of a unit's diameter
_ARROW_TILES = 1.6
_PLACE_FACTOR = 1.6  # of a unit's diameter: the ring lies round the unit
_LEADER_FACTOR = 2.2
_CROSS_FACTOR = 1.4
_LEADER_LIFT = 2.5  # of a tile above the ground: over the heads of 3D units
_GOLDEN_PART = 0.618034  # of the hues, from one cluster's number to the next
_LEAST_HUE, _HUES = 0.08, 0.84  # red is for who is dropped
_BACK_LIGHT = 0.72  # how much darker a row class is than the one before it
_EMPTY_ALPHA, _TO_COME_ALPHA = 0.2, 0.35
_RED = (1.0, 0.25, 0.2, 0.95)
Floats = npt.NDArray[np.float32]


def _axes() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    axis = (np.arange(_SIZE) + 0.5) / _SIZE * 2.0 - 1.0
    x, y = np.meshgrid(axis, axis)
    return x, y


def _picture(alpha: npt.NDArray[np.float64], rim: npt.NDArray[np.float64]) -> Any:
    """White where alpha says, on a dark rim."""
    pixels = np.zeros((_SIZE, _SIZE, 4))
    whole = np.maximum(alpha, rim)
    pixels[:, :, :3] = 255.0 * (alpha / np.maximum(whole, 1e-6))[:, :, None]
    pixels[:, :, 3] = 255.0 * whole
    data = PackedByteArray(np.ascontiguousarray(np.rint(pixels).astype(np.uint8)).reshape(-1))
    image = engine.Image.create_from_data(_SIZE, _SIZE, False, engine.Image.FORMAT_RGBA8, data)
    image.generate_mipmaps()
    return engine.ImageTexture.create_from_image(image)


def marker_image() -> Any:
    """A ring that fades inward, and a chevron to the right."""
    x, y = _axes()
    away = np.hypot(x, y)
    sharp = _SIZE / 2.0
    inside = np.clip((0.90 - away) * sharp, 0.0, 1.0)
    ring = np.clip((away - 0.74) * sharp, 0.0, 1.0) * inside
    fill = inside * (0.16 + 0.22 * np.clip(away / 0.90, 0.0, 1.0) ** 3)
    tip = 0.46 - x - np.abs(y) * 0.9  # how far behind the chevron's edge
    chevron = np.clip(np.minimum(tip, 0.26 - tip) * sharp, 0.0, 1.0) * np.clip((0.44 - np.abs(y)) * sharp, 0.0, 1.0)
    rim = 0.5 * np.clip((0.99 - away) * sharp, 0.0, 1.0) * np.clip((away - 0.82) * sharp, 0.0, 1.0)
    return _picture(np.maximum(np.maximum(ring, fill), 0.95 * chevron), rim)


def star_image() -> Any:
    """A star of five points."""
    x, y = _axes()
    turn = 2.0 * np.pi / 5.0
    angle = np.abs((np.arctan2(x, -y) + 0.5 * turn) % turn - 0.5 * turn)  # from the nearest point
    away = np.hypot(x, y)
    u, v = away * np.cos(angle), away * np.sin(angle)
    tip, notch = 0.84, 0.40  # of the points, of the corners between them
    notch_u, notch_v = notch * np.cos(0.5 * turn), notch * np.sin(0.5 * turn)
    length = np.hypot(tip - notch_u, notch_v)
    beyond = ((u - tip) * notch_v + v * (tip - notch_u)) / length  # distance from the edge between both
    sharp = _SIZE / 2.0
    star = np.clip(-beyond * sharp, 0.0, 1.0)
    return _picture(star, 0.85 * np.clip((0.11 - beyond) * sharp, 0.0, 1.0))


def cross_image() -> Any:
    """A diagonal cross."""
    x, y = _axes()
    beyond = np.minimum(np.abs(x - y), np.abs(x + y)) / np.sqrt(2.0)
    beyond = np.maximum(beyond - 0.13, np.maximum(np.abs(x), np.abs(y)) - 0.8)
    sharp = _SIZE / 2.0
    return _picture(np.clip(-beyond * sharp, 0.0, 1.0), 0.7 * np.clip((0.09 - beyond) * sharp, 0.0, 1.0))


def class_colors(first: Color, count: int) -> Floats:
    """RGBA by row class, float32 (count, 4): the first one's, then others of its strength."""
    hue, light, saturation = colorsys.rgb_to_hls(first.r, first.g, first.b)
    rows = [(*colorsys.hls_to_rgb((hue + _HUE_STEP * index) % 1.0, light, saturation), first.a) for index in range(count)]
    return np.array(rows, np.float32)


def cluster_colors(number: int, count: int, alpha: float) -> Floats:
    """RGBA by row class, float32 (count, 4), of a cluster by its number: a hue of its own, darker from class to class."""
    hue = _LEAST_HUE + _HUES * (number * _GOLDEN_PART % 1.0)
    rows = [(*colorsys.hls_to_rgb(hue, max(0.62 * _BACK_LIGHT**index, 0.25), 0.9), alpha) for index in range(count)]
    return np.array(rows, np.float32)


class MarkerShow:
    """Draws markers of one picture on a map.

    Args:
        home: the map node; the drawing becomes an internal child of it.
        is_flat: 2D; else on the ground of a 3D map.
        picture: of a marker.
        lift: tiles above the ground of a 3D map.
    """

    def __init__(self, home: Any, is_flat: bool, picture: Any, lift: float = 0.04) -> None:
        self._is_flat = is_flat
        self._lift = lift
        self._mesh = engine.MultiMesh()
        kinds = engine.MultiMesh
        self._mesh.transform_format = kinds.TRANSFORM_2D if is_flat else kinds.TRANSFORM_3D
        self._mesh.use_colors = True
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

    def fill(self, positions: Floats, headings: Floats, sizes: Floats, colors: Floats, plane: TilePlane) -> None:
        """Draw markers at places, turned to headings, of sizes (tiles) and RGBA colours; nothing for none."""
        if len(positions) == 0:
            self.hide()
            return
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
            rows[:, 5], rows[:, 7] = size, plane.elevation + self._lift * plane.tile_length
            rows[:, 8], rows[:, 10], rows[:, 11] = right[:, 1], up[:, 1], places[:, 1]
            rows[:, 12:] = colors
        if self._mesh.instance_count != count:
            self._mesh.instance_count = count
        self._mesh.buffer = PackedFloat32Array(rows.reshape(-1))
        self._node.visible = True


class SlotShow(MarkerShow):
    """Draws the slots of a drag. Args: see MarkerShow."""

    def __init__(self, home: Any, is_flat: bool) -> None:
        super().__init__(home, is_flat, marker_image())

    def show(self, slots: FormationSlots, plane: TilePlane, color: Color) -> None:
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
        self.fill(positions, np.tile(np.array([[x, y]], np.float32), (len(positions), 1)), sizes, colors, plane)


class FormationShow:
    """Draws formations that were ordered: places, clusters, leaders, slots that are cut off. Args: see MarkerShow."""

    def __init__(self, home: Any, is_flat: bool) -> None:
        self._places = MarkerShow(home, is_flat, marker_image())
        self._crosses = MarkerShow(home, is_flat, cross_image(), 0.05)
        self._stars = MarkerShow(home, is_flat, star_image(), _LEADER_LIFT)

    def free(self) -> None:
        """Take the drawing off the map."""
        for show in (self._places, self._crosses, self._stars):
            show.free()

    def hide(self) -> None:
        """Draw nothing until something is shown again."""
        for show in (self._places, self._crosses, self._stars):
            show.hide()

    def show(self, world: Any, formations: list[OrderedFormation], plane: TilePlane, color: Color) -> None:
        """Draw where the places of formations are now: each cluster in a colour of its own, and its slots at the destination
        fainter in the same; those of who goes by itself, and of marches that go as one, in the colours of the preview. Red are
        places of who is dropped, faint those that are empty. A star over each leader, a cross on each slot that is cut off.
        """
        places, crosses, stars = _Markers(), _Markers(), _Markers()
        for found in formations:
            slots = found.slots
            if slots is None:
                continue
            base = class_colors(color, len(slots.classes))
            home = base[slots.class_of_slot]
            march_of_slots = found.march_of_slots
            for index, march in enumerate(found.marches):
                colors = base if march is found else cluster_colors(march.number, len(slots.classes), color.a)
                its = march_of_slots == index
                home[its] = colors[slots.class_of_slot[its]] * (1.0, 1.0, 1.0, _TO_COME_ALPHA)
                _add_march(places, march, colors, slots)
                _add_leader(stars, world, march, colors[0])
            home[found.owners[:, 1] < 0, 3] *= _EMPTY_ALPHA
            facing = np.tile(np.array([slots.facing], np.float32), (len(slots), 1))
            lost, sizes = slots.is_cut_off, _diameters(slots)
            places.add(slots.positions[~lost], facing[~lost], sizes[~lost] * _PLACE_FACTOR, home[~lost])
            red = np.tile(np.array([_RED], np.float32), (int(lost.sum()), 1))
            crosses.add(slots.positions[lost], facing[lost], sizes[lost] * _CROSS_FACTOR, red)
        for markers, show in ((places, self._places), (crosses, self._crosses), (stars, self._stars)):
            show.fill(*markers.arrays(), plane)


class _Markers:
    """Positions, headings, sizes and colours of markers, gathered."""

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Floats, Floats, Floats]] = []

    def add(self, positions: Floats, headings: Floats, sizes: Floats, colors: Floats) -> None:
        """Some more."""
        self._parts.append((positions, headings, sizes, colors))

    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """All of them."""
        if not self._parts:
            none = np.zeros((0, 2), np.float32)
            return none, none, none[:, 0], np.zeros((0, 4), np.float32)
        positions, headings, sizes, colors = (np.concatenate(part) for part in zip(*self._parts, strict=True))
        return positions, headings, sizes, colors


def _diameters(slots: FormationSlots) -> Floats:
    """Of the unit of each slot, tiles."""
    return np.array([2.0 * found.radius for found in slots.classes], np.float32)[slots.class_of_slot]


def _add_march(places: _Markers, march: OrderedFormation, colors: Floats, whole: FormationSlots) -> None:
    """The moving places of a march, in the colours of the row classes of the whole formation."""
    slots = march.slots
    assert slots is not None
    priorities = [found.priority for found in whole.classes]
    own = colors[[priorities.index(found.priority) for found in slots.classes]][slots.class_of_slot]
    own[march.standings == DROPPED] = _RED
    own[march.owners[:, 1] < 0, 3] *= _EMPTY_ALPHA
    places.add(march.targets, march.target_headings, _diameters(slots) * _PLACE_FACTOR, own)


def _add_leader(stars: _Markers, world: Any, march: OrderedFormation, color: Floats) -> None:
    """A star over who leads a march, upright on the map."""
    crowd, number = march.leader_unit
    if crowd < 0 or not world.crowds[crowd].alive[number]:
        return
    position = world.crowds[crowd].positions[number : number + 1]
    size = np.array([_LEADER_FACTOR * 2.0 * march.members.radius[march.leader]], np.float32)
    stars.add(position, np.array([[1.0, 0.0]], np.float32), size, color[None])
