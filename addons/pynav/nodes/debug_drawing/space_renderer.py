"""The renderer of 3D nodes: a mesh for each piece, lying on the ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    PackedColorArray,
    PackedInt32Array,
    PackedVector2Array,
    PackedVector3Array,
    engine,
    singleton,
)
from pynav.drawing.piece import Fill, Piece
from pynav.drawing.sketch import Change
from pynav.drawing.view import Key, order_of

from .renderer import Palette, colours, fill_texture, triangle_indices

Floats = npt.NDArray[np.float32]
_LIFT = 0.03  # above the ground, in tiles; each layer a little above the one below
_LIFT_OF_LAYER = 0.006
_CELLS = 32  # squares a side of a fill's mesh where the ground is not flat


class SpaceRenderer:
    """Draws on a Node3D's ground, in its space.

    Args:
        node: the Node3D.
        heights: given float32 (n, 2) places in tiles, their float32 (n,) heights in the node's space.
        are_flat: whether all heights are the same.
    """

    def __init__(self, node: Any, heights: Callable[[Floats], Floats], are_flat: Callable[[], bool]) -> None:
        self._node, self._heights, self._are_flat = node, heights, are_flat
        self._server = singleton("RenderingServer")
        self._plane: Any = None
        self._meshes: dict[Key, Any] = {}
        self._instances: dict[Key, Any] = {}
        self._materials: dict[int, Any] = {}
        self._placed_at: Any = None
        self.is_for_gizmo = False  # then a gizmo shows the meshes, and no instances are made

    @property
    def meshes(self) -> list[Any]:
        """ArrayMeshes of all pieces, those on top last."""
        return [self._meshes[key] for key in sorted(self._meshes, key=order_of)]

    def place(self, plane: Any) -> None:
        """Say where tiles lie in the node's space."""
        self._plane = plane

    def apply(self, changes: list[Change], palette: Palette) -> None:
        """Draw what is new, and draw no more what is gone."""
        for key, piece in changes:
            mesh = None if piece is None or piece.is_empty else self._mesh(key, piece, palette)
            if mesh is None:
                self._meshes.pop(key, None)
                if key in self._instances:
                    self._server.free_rid(self._instances.pop(key))
                continue
            self._meshes[key] = mesh
            if not self.is_for_gizmo:
                self._show(key, mesh)

    def _show(self, key: Key, mesh: Any) -> None:
        server = self._server
        if key in self._instances:
            server.instance_set_base(self._instances[key], mesh.get_rid())
            return
        instance = server.instance_create2(mesh.get_rid(), self._node.get_world_3d().scenario)
        server.instance_geometry_set_cast_shadows_setting(instance, server.SHADOW_CASTING_SETTING_OFF)
        server.instance_set_transform(instance, self._node.global_transform)
        server.instance_set_visible(instance, self._node.is_visible_in_tree())
        self._instances[key] = instance

    def follow(self) -> None:
        """Put the meshes where the node is now."""
        place = (self._node.global_transform, self._node.is_visible_in_tree())
        if place == self._placed_at:
            return
        self._placed_at = place
        for instance in self._instances.values():
            self._server.instance_set_transform(instance, place[0])
            self._server.instance_set_visible(instance, place[1])

    def clear(self) -> None:
        """Draw nothing more and give everything back to the engine."""
        for instance in self._instances.values():
            self._server.free_rid(instance)
        self._instances, self._meshes = {}, {}

    # --- meshes

    def on_ground(self, tiles: Floats, lift: float) -> Floats:
        """float32 (n, 3): places in tiles (n, 2) as places in the node's space, lifted by some tiles."""
        local = self._plane.points_to_local(tiles)
        heights = self._heights(tiles) + np.float32(lift * self._plane.tile_length)
        return np.stack([local[:, 0], heights, local[:, 1]], axis=1)

    def _mesh(self, key: Key, piece: Piece, palette: Palette) -> Any:
        order = order_of(key)
        lift = _LIFT + order * _LIFT_OF_LAYER
        mesh = engine.ArrayMesh()
        if piece.fill is not None and piece.fill.roles.any():
            self._add_fill(mesh, piece.fill, palette, lift, order)
        quads, roles = piece.all_quads()
        if len(quads):
            points = self.on_ground(quads.reshape(-1, 2), lift + 0.003)
            indices = PackedInt32Array(triangle_indices(len(quads)))
            self._add(mesh, engine.Mesh.PRIMITIVE_TRIANGLES, points, colours(palette, roles, 4), order, indices)
        if len(piece.lines):
            points = self.on_ground(piece.lines.reshape(-1, 2), lift + 0.003)
            self._add(mesh, engine.Mesh.PRIMITIVE_LINES, points, colours(palette, piece.line_roles, 2), order, None)
        return mesh

    def _add(self, mesh: Any, primitive: int, points: Floats, tint: Floats, order: int, indices: Any) -> None:
        arrays: list[Any] = [None] * engine.Mesh.ARRAY_MAX
        arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(points)
        arrays[engine.Mesh.ARRAY_COLOR] = PackedColorArray(tint)
        if indices is not None:
            arrays[engine.Mesh.ARRAY_INDEX] = indices
        mesh.add_surface_from_arrays(primitive, arrays)
        mesh.surface_set_material(mesh.get_surface_count() - 1, self._material(order))

    def _add_fill(self, mesh: Any, fill: Fill, palette: Palette, lift: float, order: int) -> None:
        rows, columns = fill.roles.shape
        cells = 1 if self._are_flat() else _CELLS
        down, right = (part.reshape(-1).astype(np.float32) / cells for part in np.mgrid[0 : cells + 1, 0 : cells + 1])
        size = np.array([columns * fill.stride, rows * fill.stride], dtype=np.float32)
        places = np.stack([right, down], axis=1)
        tiles = places * size + np.array([fill.left, fill.top], dtype=np.float32)
        corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).reshape(-1, 1)
        indices = corner + np.array([0, 1, cells + 2, 0, cells + 2, cells + 1])
        arrays: list[Any] = [None] * engine.Mesh.ARRAY_MAX
        arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(self.on_ground(tiles, lift))
        arrays[engine.Mesh.ARRAY_TEX_UV] = PackedVector2Array(places)
        arrays[engine.Mesh.ARRAY_INDEX] = PackedInt32Array(indices.reshape(-1).astype(np.int32))
        mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
        material = self._new_material(2 * order)  # below the layer's bars
        material.albedo_texture = fill_texture(fill, palette)
        material.texture_filter = engine.BaseMaterial3D.TEXTURE_FILTER_NEAREST_WITH_MIPMAPS
        mesh.surface_set_material(mesh.get_surface_count() - 1, material)

    def _material(self, order: int) -> Any:
        """The material of bars and lines of a layer."""
        if order not in self._materials:
            material = self._new_material(2 * order + 1)
            material.vertex_color_use_as_albedo = True
            material.vertex_color_is_srgb = True
            self._materials[order] = material
        return self._materials[order]

    def _new_material(self, priority: int) -> Any:
        material = engine.StandardMaterial3D()
        material.shading_mode = engine.BaseMaterial3D.SHADING_MODE_UNSHADED
        material.transparency = engine.BaseMaterial3D.TRANSPARENCY_ALPHA
        material.cull_mode = engine.BaseMaterial3D.CULL_DISABLED
        material.disable_fog = True
        material.render_priority = priority  # transparent things at nearly the same place: in the order of the layers
        return material
