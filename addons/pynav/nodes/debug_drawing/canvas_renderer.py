"""The renderer of 2D nodes: a canvas item for each piece, below one that carries the tiles' plane."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import (
    Color,
    PackedColorArray,
    PackedInt32Array,
    PackedVector2Array,
    Rect2,
    Transform2D,
    Vector2,
    singleton,
)
from pynav.drawing.piece import Piece
from pynav.drawing.roles import Role
from pynav.drawing.sketch import Change
from pynav.drawing.view import Key, order_of

from .renderer import Palette, colours, fill_texture, triangle_indices

_ABOVE = 900  # z index: above the game, below what a game puts in front of everything (4096)
_THIN = -1.0
_LETTERS = 100  # place of labels in the order of drawing
_FONT_PIXELS = 24  # letters are drawn as large as that, and scaled to their size in tiles


class CanvasRenderer:
    """Draws over a CanvasItem, in its space."""

    def __init__(self, node: Any) -> None:
        self._node = node
        self._server = singleton("RenderingServer")
        self._root: Any = None
        self._layers: dict[int, Any] = {}
        self._items: dict[Key, tuple[Any, Any]] = {}  # the item and the texture that it shows
        self._letters: dict[Key, Any] = {}
        self._plane: Any = None

    def place(self, plane: Any) -> None:
        """Say where tiles lie in the node's space."""
        self._plane = plane
        if self._root is not None:
            self._server.canvas_item_set_transform(self._root, _transform(plane))

    def _layer(self, order: int) -> Any:
        """The item that holds a layer's pieces; they lie one over the other in the order of drawing."""
        server = self._server
        if self._root is None:
            self._root = server.canvas_item_create()
            server.canvas_item_set_parent(self._root, self._node.get_canvas_item())
            server.canvas_item_set_z_index(self._root, _ABOVE)
            server.canvas_item_set_default_texture_filter(self._root, server.CANVAS_ITEM_TEXTURE_FILTER_NEAREST)
            if self._plane is not None:
                self.place(self._plane)
        if order not in self._layers:
            item = server.canvas_item_create()
            server.canvas_item_set_parent(item, self._root)
            server.canvas_item_set_draw_index(item, order)
            self._layers[order] = item
        return self._layers[order]

    def apply(self, changes: list[Change], palette: Palette) -> None:
        """Draw what is new, and draw no more what is gone."""
        server = self._server
        for key, piece in changes:
            self._write(key, piece, palette)
            if piece is None:
                found = self._items.pop(key, None)
                if found is not None:
                    server.free_rid(found[0])
                continue
            if key in self._items:
                item = self._items[key][0]
                server.canvas_item_clear(item)
            else:
                item = server.canvas_item_create()
                server.canvas_item_set_parent(item, self._layer(order_of(key)))
                server.canvas_item_set_default_texture_filter(item, server.CANVAS_ITEM_TEXTURE_FILTER_NEAREST)
            self._items[key] = item, self._draw(item, piece, palette)

    def _draw(self, item: Any, piece: Piece, palette: Palette) -> Any:
        """Draw a piece on an empty item; its texture, which the item doesn't keep alive."""
        server, texture, fill = self._server, None, piece.fill
        if fill is not None and fill.roles.any():
            texture = fill_texture(fill, palette)
            rows, columns = fill.roles.shape
            size = Vector2(columns * fill.stride, rows * fill.stride)
            server.canvas_item_add_texture_rect(item, Rect2(Vector2(fill.left, fill.top), size), texture.get_rid())
        quads, quad_roles = piece.all_quads()
        if len(quads):
            server.canvas_item_add_triangle_array(
                item,
                PackedInt32Array(triangle_indices(len(quads))),
                PackedVector2Array(quads.reshape(-1, 2)),
                PackedColorArray(colours(palette, quad_roles, 4)),
            )
        if len(piece.lines):
            points = PackedVector2Array(piece.lines.reshape(-1, 2))
            server.canvas_item_add_multiline(item, points, PackedColorArray(colours(palette, piece.line_roles, 1)), _THIN)
        return texture

    def _write(self, key: Key, piece: Piece | None, palette: Palette) -> None:
        """Labels, upright and of the size of tiles: they grow with the map. Above all else, and smooth where tiles are not."""
        old = self._letters.pop(key, None)
        if old is not None:
            self._server.free_rid(old)
        if piece is None or not piece.labels:
            return
        item = self._letters[key] = self._server.canvas_item_create()
        self._server.canvas_item_set_parent(item, self._layer(_LETTERS))
        self._server.canvas_item_set_default_texture_filter(item, self._server.CANVAS_ITEM_TEXTURE_FILTER_LINEAR)
        font = singleton("ThemeDB").fallback_font
        ink, ground = (Color(*(palette[role] / 255).tolist()) for role in (Role.LABEL, Role.LABEL_GROUND))
        for x, y, text, size in piece.labels:
            scale = size / _FONT_PIXELS
            half = font.get_string_size(text, 0, -1, _FONT_PIXELS).x / 2
            self._server.canvas_item_add_set_transform(
                item, Transform2D(Vector2(scale, 0), Vector2(0, scale), Vector2(x - half * scale, y + 0.36 * size))
            )
            font.draw_string_outline(item, Vector2(0, 0), text, 0, -1, _FONT_PIXELS, 9, ground)
            font.draw_string(item, Vector2(0, 0), text, 0, -1, _FONT_PIXELS, ink)

    def clear(self) -> None:
        """Draw nothing more and give everything back to the engine."""
        for item in (*[item for item, _ in self._items.values()], *self._letters.values()):
            self._server.free_rid(item)
        for item in self._layers.values():
            self._server.free_rid(item)
        if self._root is not None:
            self._server.free_rid(self._root)
        self._items, self._letters, self._layers, self._root = {}, {}, {}, None


def _transform(plane: Any) -> Transform2D:
    return Transform2D(Vector2(*plane.x_axis), Vector2(*plane.y_axis), Vector2(*plane.origin))
