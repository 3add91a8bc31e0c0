"""What the 2D nodes draw in the editor's viewport: a map its border and its tiles, a crowd its goal and its start area."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, PackedByteArray, PackedVector2Array, Rect2, Transform2D, Vector2, engine, singleton
from pynav.drawing.chunk_shapes import cost_roles

from .debug_drawing.look import IN_EDITOR
from .tile_plane import TilePlane

LARGEST_PICTURE_TILES = 2048
_BORDER = Color(0.49, 0.65, 1.0, 0.9)
_GOAL = Color(1.0, 0.62, 0.25, 0.95)
_START = Color(0.55, 0.85, 0.45, 0.8)
_THIN = -1.0  # a line of one pixel at any zoom


def tile_picture(cost: npt.NDArray[np.uint8]) -> Any:
    """A texture, a pixel a tile, in the colours of the solver's drawing; None for an empty or very large map, and where the
    editor's tools draw the tiles (or not, as their toolbar says).
    """
    if IN_EDITOR.is_switched_on:
        return None
    rows, columns = cost.shape
    if not (0 < rows <= LARGEST_PICTURE_TILES and 0 < columns <= LARGEST_PICTURE_TILES):
        return None
    counts = np.bincount(cost.reshape(-1), minlength=256)[1:]
    usual = int(np.argmax(counts)) + 1 if counts.any() else 0
    table = IN_EDITOR.palette[cost_roles(usual)]
    pixels = PackedByteArray(table[cost].reshape(-1))
    image = engine.Image.create_from_data(columns, rows, False, engine.Image.FORMAT_RGBA8, pixels)
    return engine.ImageTexture.create_from_image(image)


def draw_map(node: Any, plane: TilePlane, columns: int, rows: int, picture: Any) -> None:
    """Draw a map's tiles, if there is a picture of them, and its border; to be called from the node's `_draw`."""
    if picture is not None:
        server = singleton("RenderingServer")
        server.canvas_item_set_default_texture_filter(node.get_canvas_item(), server.CANVAS_ITEM_TEXTURE_FILTER_NEAREST)
        node.draw_set_transform_matrix(Transform2D(Vector2(*plane.x_axis), Vector2(*plane.y_axis), Vector2(*plane.origin)))
        node.draw_texture_rect(picture, Rect2(Vector2(0.0, 0.0), Vector2(columns, rows)), False)
        node.draw_set_transform_matrix(Transform2D())
    draw_tiles(node, plane, (0, 0, columns, rows), _BORDER)


def draw_tiles(node: Any, plane: TilePlane, area: tuple[int, int, int, int], color: Color = _START) -> None:
    """Outline a rectangle of tiles (x, y, columns, rows)."""
    x, y, columns, rows = area
    corners = [(x, y), (x + columns, y), (x + columns, y + rows), (x, y + rows), (x, y)]
    points = np.array([plane.to_local(*corner) for corner in corners], dtype=np.float32)
    node.draw_polyline(PackedVector2Array(points), color, _THIN)


def draw_goal(node: Any, place: Vector2, arrive_radius: float) -> None:
    """A ring where agents count as arrived, and a cross in its middle."""
    if not (math.isfinite(place.x) and math.isfinite(place.y)):
        return
    node.draw_arc(place, max(arrive_radius, 1.0), 0.0, math.tau, 48, _GOAL, _THIN)
    for x, y in ((6.0, 6.0), (6.0, -6.0)):
        node.draw_line(place - Vector2(x, y), place + Vector2(x, y), _GOAL, 2.0)
