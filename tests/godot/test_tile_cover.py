"""Which tiles an outline covers: against cutting the outline by each tile."""

from __future__ import annotations

import math

import numpy as np

from addons.pynav.nodes.tile_cover import covered_tiles

Points = list[tuple[float, float]]


def cut_area(corners: Points, x: int, y: int) -> float:
    """Area of a convex outline within a tile: the outline cut by the tile's four sides, one after another."""
    rest = corners
    for axis, sign, limit in ((0, 1.0, x), (0, -1.0, -(x + 1)), (1, 1.0, y), (1, -1.0, -(y + 1))):
        kept: Points = []
        for here, there in zip(rest, rest[1:] + rest[:1], strict=True):
            inside, other = sign * here[axis] - limit, sign * there[axis] - limit
            if inside >= 0:
                kept.append(here)
            if inside * other < 0:
                part = inside / (inside - other)
                kept.append((here[0] + (there[0] - here[0]) * part, here[1] + (there[1] - here[1]) * part))
        rest = kept
        if not rest:
            return 0.0
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(rest, rest[1:] + rest[:1], strict=True))) / 2


def test_covered_tiles_are_those_that_the_outline_reaches_into() -> None:
    random = np.random.default_rng(3)
    counted = 0
    for _ in range(150):
        count, turn = int(random.choice([4, 24])), float(random.uniform(0, math.tau))
        middle, (long, wide) = random.uniform(-4, 4, 2), random.uniform(0.2, 5, 2)
        corners = []
        for corner in range(count):
            angle = math.tau * (corner + 0.5) / count
            along, across = long * math.cos(angle), wide * math.sin(angle)
            corners.append(
                (
                    float(middle[0] + along * math.cos(turn) - across * math.sin(turn)),
                    float(middle[1] + along * math.sin(turn) + across * math.cos(turn)),
                )
            )
        left, top, tiles = covered_tiles(np.array(corners))
        covered = {(left + int(column), top + int(row)) for row, column in np.argwhere(tiles)}
        for y in range(-11, 12):
            for x in range(-11, 12):
                area = cut_area(corners, x, y)
                if area > 0.05:
                    assert (x, y) in covered
                elif area == 0.0:
                    assert (x, y) not in covered
                counted += (x, y) in covered
    assert counted > 500


def test_outlines_that_cover_nothing() -> None:
    for corners in (
        [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
        [[math.nan, 0.0], [1.0, 0.0], [1.0, 1.0]],
        [[0.0, 0.0], [1e9, 0.0], [1e9, 9.0]],
    ):
        assert not covered_tiles(np.array(corners))[2].any()
    left, top, tiles = covered_tiles(np.array([[2.0, 1.0], [4.0, 1.0], [4.0, 2.0], [2.0, 2.0]]))
    assert (left, top, tiles.tolist()) == (2, 1, [[True, True]])  # sides that touch cover nothing beyond
