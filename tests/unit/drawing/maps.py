"""Maps and drawings for the tests of this folder."""

from __future__ import annotations

import numpy as np

from pynav.drawing import Layer, MapDrawing, Piece, View
from pynav.drawing.view import Key
from pynav.grid import TileGrid

EVERYTHING = Layer(sum(Layer))


def random_grid(seed: int, width: int = 150, height: int = 100, solid: float = 0.25, dearest: int = 1) -> TileGrid:
    """Random walls in clumps, and dear tiles; a row and a column are all solid, so that the map has several parts."""
    random = np.random.default_rng(seed)
    cost = random.integers(1, dearest + 1, (height, width)).astype(np.uint8)
    for _ in range(int(solid * width * height / 12)):
        x, y = random.integers(0, width), random.integers(0, height)
        cost[y : y + random.integers(1, 7), x : x + random.integers(1, 4)] = 0
    cost[:, width // 3] = 0
    return TileGrid(cost)


def whole(grid: TileGrid, scale: float = 16.0) -> View:
    """A view of all of a map."""
    return View(0.0, 0.0, float(grid.width), float(grid.height), scale)


def finish(drawing: MapDrawing, seconds: float = 1.0) -> dict[Key, Piece]:
    """Let a drawing do all that is due; what a renderer that applied all changes has then."""
    held: dict[Key, Piece] = getattr(drawing, "held", {})
    drawing.held = held  # type: ignore[attr-defined]
    calls = 0
    while drawing.is_busy:
        for key, piece in drawing.advance(seconds):
            if piece is None:
                held.pop(key, None)
            else:
                held[key] = piece
        calls += 1
        assert calls < 100_000_000
    return held


def assert_same(one: Piece, other: Piece, what: object) -> None:
    """Both pieces show the same."""
    assert (one.fill is None) == (other.fill is None), what
    if one.fill is not None and other.fill is not None:
        assert one.fill[:3] == other.fill[:3], what
        assert np.array_equal(one.fill.roles, other.fill.roles), what
    for name in ("lines", "line_roles", "quads", "quad_roles", "arrow_places", "arrow_codes", "arrow_roles"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), (what, name)
    assert one.labels == other.labels, what
