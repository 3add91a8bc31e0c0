"""The marks that a user drags over a map: the probe, and both ends of the test unit's way."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Vector2
from addons.pynav.nodes.debug_drawing import DrawnMap
from addons.pynav.nodes.debug_drawing.look import IN_EDITOR
from pynav.drawing.view import Layer

PROBE, START, GOAL = range(3)
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
