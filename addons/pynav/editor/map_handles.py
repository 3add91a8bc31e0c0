"""The marks that a user drags over a map: the probe, and both ends of the test unit's way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from addons.pynav.bridge import Vector2
from addons.pynav.nodes.debug_drawing import DrawnMap
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from addons.pynav.nodes.debug_drawing.space_renderer import SpaceRenderer
from pynav.drawing.view import Layer

PROBE, START, GOAL = range(3)
_MOST_LABELS = 120  # drawn at once over a 3D view
NAMES = ("Flow leads here", "Test unit starts here", "Test unit goes here")


def handles_of(drawn: DrawnMap) -> list[tuple[int, tuple[int, int]]]:
    """(number, tile) of each mark that is shown."""
    found: list[tuple[int, tuple[int, int] | None]] = []
    if IN_EDITOR.layers & Layer.FLOW:
        found.append((PROBE, drawn.probe))
    if IN_EDITOR.layers & Layer.PATH:
        found += [(START, drawn.ends[0]), (GOAL, drawn.ends[1])]
    return [(number, tile) for number, tile in found if tile is not None]


def move_handle(drawn: DrawnMap, number: int, place: tuple[float, float]) -> bool:
    """Put a mark on the tile at a place in tiles, or the one of the map nearest to it; whether that is another tile."""
    grid = drawn.grid()
    tile = (min(max(int(place[0] // 1), 0), grid.width - 1), min(max(int(place[1] // 1), 0), grid.height - 1))
    before = drawn.probe, drawn.ends
    if number == PROBE:
        drawn.probe = tile
    elif number == START:
        drawn.ends = (tile, drawn.ends[1])
    else:
        drawn.ends = (drawn.ends[0], tile)
    return (drawn.probe, drawn.ends) != before


def drawn_of(node: Any) -> DrawnMap | None:
    """The drawing of a map node, if anything of it is drawn."""
    drawn = getattr(node, "_drawn", None)
    return drawn if drawn is not None and drawn.drawing is not None else None


def on_screen(plane: Any, transform: Any, tile: tuple[int, int]) -> Vector2:
    """Pixel of a tile's middle, given the way from the node's space to pixels."""
    return transform.apply(plane.to_local(tile[0] + 0.5, tile[1] + 0.5))  # type: ignore[no-any-return]


def labels_in_space(drawn: DrawnMap, camera: Any, size: Any) -> list[tuple[Vector2, str]]:
    """(pixel, text) of the labels that a camera sees, those nearest to the middle of the view first."""
    renderer, drawing = drawn.renderer, drawn.drawing
    assert isinstance(renderer, SpaceRenderer) and drawing is not None
    labels = [label for piece in drawing.shown().values() for label in piece.labels]
    if not labels:
        return []
    points = renderer.on_ground(np.array([label[:2] for label in labels], dtype=np.float32), 0.1)
    transform, found = drawn.node.global_transform, []
    for label, point in zip(labels, points.tolist(), strict=True):
        place = transform.apply(point)
        if camera.is_position_behind(place):
            continue
        pixel = camera.unproject_position(place)
        if 0.0 <= pixel.x <= size.x and 0.0 <= pixel.y <= size.y:
            found.append((math.dist(pixel, (size.x / 2, size.y / 2)), pixel, label.text))
    return [(pixel, text) for _, pixel, text in sorted(found)[:_MOST_LABELS]]
