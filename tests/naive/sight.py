"""Slow, obvious references of string pulling: strips by clipping, routes step by step."""

import math

import numpy as np
import numpy.typing as npt

from tests.naive.grid import STEPS

Cost = npt.NDArray[np.uint8]
Point = tuple[float, float]


def strip(start: Point, end: Point, reach: float) -> list[Point]:
    """The corners of the parallelogram that is ``reach`` wide on either side of a line, cut along the lesser axis."""
    (x, y), (to_x, to_y) = start, end
    width, height = abs(to_x - x), abs(to_y - y)
    half = reach * math.hypot(width, height) / max(width, height)
    right, down = (half, 0.0) if height > width else (0.0, half)
    return [(x - right, y - down), (x + right, y + down), (to_x + right, to_y + down), (to_x - right, to_y - down)]


def touches(corners: list[Point], column: int, row: int) -> bool:
    """Whether a convex shape has more than a border in common with a tile: what is left of it within the tile's four sides."""
    shape = corners
    for axis, side, sign in ((0, column, 1), (0, column + 1, -1), (1, row, 1), (1, row + 1, -1)):
        kept: list[Point] = []
        for index, here in enumerate(shape):
            before = shape[index - 1]
            ahead, behind = sign * (here[axis] - side), sign * (before[axis] - side)
            if (ahead > 0) != (behind > 0):
                part = behind / (behind - ahead)
                kept.append((before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])))
            if ahead > 0:
                kept.append(here)
        shape = kept
    return bool(shape)


def is_clear(cost: Cost, start: Point, end: Point, reach: float) -> bool:
    """Whether all tiles that the strip touches cost what the first point's costs; outside the map everything is solid."""
    own = cost[int(start[1]), int(start[0])]
    corners = strip(start, end, reach)
    columns, rows = [point[0] for point in corners], [point[1] for point in corners]
    for row in range(math.floor(min(rows)), math.floor(max(rows)) + 1):
        for column in range(math.floor(min(columns)), math.floor(max(columns)) + 1):
            if touches(corners, column, row):
                inside = 0 <= row < cost.shape[0] and 0 <= column < cost.shape[1]
                if not inside or cost[row, column] != own:
                    return False
    return True


def route(flow: npt.NDArray[np.uint8], column: int, row: int) -> list[tuple[int, int]]:
    """All tiles of a route from the tile on, by a direction map with a border of one tile."""
    tiles = [(column, row)]
    while flow[row + 1, column + 1] < 8:
        dx, dy = STEPS[flow[row + 1, column + 1]]
        column, row = column + dx, row + dy
        tiles.append((column, row))
    return tiles
