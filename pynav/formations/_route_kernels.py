# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that make the route of a march: a way of tiles is pulled straight, smoothed, and its free width is measured.

Places here are tiles of the layer, as its walls know them (pynav/crowd/wall_geometry.py).
"""

import numpy as np

from pynav.crowd._string_pulling_kernels import is_clear
from pynav.crowd.wall_geometry import SOLID, is_open_ground
from pynav.formations.place_layout import HI, LO, STATION_TILES, STATION_X, STATION_Y, TANGENT_X, TANGENT_Y
from pynav.kernels import inline, kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
WIDTH_STEP_TILES = np.float32(0.125)
WALL_GAP_TILES = np.float32(0.05)
SLOPE = np.float32(0.7)  # tiles of width that a tile of the way may add or take


@inline
def is_inside(walls, x, y):
    """Whether a point lies on the map."""
    return (
        x >= _ZERO
        and y >= _ZERO
        and x < np.float32(np.int64(walls.shape[1]) - 2)
        and y < np.float32(np.int64(walls.shape[0]) - 2)
    )


@inline
def has_room(walls, x, y, reach):
    """Whether a square of half side ``reach`` around a point is open ground."""
    if not (is_inside(walls, x - reach, y - reach) and is_inside(walls, x + reach, y + reach)):
        return False
    return (
        is_open_ground(walls, x - reach, y - reach)
        and is_open_ground(walls, x + reach, y - reach)
        and is_open_ground(walls, x - reach, y + reach)
        and is_open_ground(walls, x + reach, y + reach)
    )


@kernel("int32[:, ::1] tiles, uint16[:, ::1] walls, float32 reach, float32[:, ::1] corners, int64[::1] count")
def pull_route(tiles, walls, reach, corners, count):
    """The middles of tiles that a way of tiles bends at when it is pulled straight; ``count`` of them."""
    last = np.int64(tiles.shape[0]) - 1
    at = np.int64(0)
    corners[0, 0] = np.float32(tiles[0, 0]) + _HALF
    corners[0, 1] = np.float32(tiles[0, 1]) + _HALF
    found = np.int64(1)
    while at < last:
        far = at + 1
        while far < last:
            to_x = np.float32(tiles[far + 1, 0]) + _HALF
            to_y = np.float32(tiles[far + 1, 1]) + _HALF
            if not is_clear(walls, corners[found - 1, 0], corners[found - 1, 1], to_x, to_y, reach):
                break
            far += 1
        at = far
        corners[found, 0] = np.float32(tiles[at, 0]) + _HALF
        corners[found, 1] = np.float32(tiles[at, 1]) + _HALF
        found += 1
    count[0] = found


@kernel("float32[:, ::1] points, int64 count, float32[:, ::1] stations, int64[::1] station_count")
def place_stations(points, count, stations, station_count):
    """Stations every STATION_TILES along a line through ``count`` points, as many as there is room for."""
    most = np.int64(stations.shape[1])
    found = np.int64(0)
    into = _ZERO  # how far into the piece the next station lies
    for index in range(count - 1):
        x = points[index, 0]
        y = points[index, 1]
        step_x = points[index + 1, 0] - x
        step_y = points[index + 1, 1] - y
        length = np.sqrt(step_x * step_x + step_y * step_y)
        if length <= _ZERO:
            continue
        while into <= length and found < most:
            part = into / length
            stations[STATION_X, found] = x + step_x * part
            stations[STATION_Y, found] = y + step_y * part
            found += 1
            into += STATION_TILES
        into -= length
    station_count[0] = found


@kernel(
    "float32[:, ::1] stations, float32[:, ::1] other, int64 count, int64 stride, int64 rounds,"
    " uint16[:, ::1] walls, float32 reach"
)
def smooth_stations(stations, other, count, stride, rounds, walls, reach):
    """Move each station towards the middle of two that lie ``stride`` before and behind it, where there is room; ends stay."""
    for _ in range(2 * rounds):
        for index in range(count):
            step = min(stride, min(index, count - 1 - index))
            x = stations[STATION_X, index]
            y = stations[STATION_Y, index]
            to_x = (stations[STATION_X, index - step] + stations[STATION_X, index + step]) * _HALF
            to_y = (stations[STATION_Y, index - step] + stations[STATION_Y, index + step]) * _HALF
            to_x = (x + to_x) * _HALF
            to_y = (y + to_y) * _HALF
            is_free = has_room(walls, to_x, to_y, reach)
            other[STATION_X, index] = to_x if is_free else x
            other[STATION_Y, index] = to_y if is_free else y
        for index in range(count):
            stations[STATION_X, index] = other[STATION_X, index]
            stations[STATION_Y, index] = other[STATION_Y, index]


@inline
def is_small(walls, x, y):
    """Whether the solid tile under a point belongs to an obstacle of at most 3 x 3 tiles with open ground all around: a tree."""
    column = np.int64(x)
    row = np.int64(y)
    width = np.int64(walls.shape[1]) - 2
    height = np.int64(walls.shape[0]) - 2
    for choice in range(9):
        left = column - 1 - choice % 3  # of the ring around a box of 3 x 3
        top = row - 1 - choice // 3
        if left < 0 or top < 0 or left + 5 > width or top + 5 > height:
            continue
        is_open = True
        for step in range(5):
            for side in range(2):
                across = np.int64(walls[top + 4 * side + 1, left + step + 1])
                down = np.int64(walls[top + step + 1, left + 4 * side + 1])
                if ((across | down) & SOLID) != 0:
                    is_open = False
        if is_open:
            return True
    return False


@inline
def free_width(walls, x, y, step_x, step_y, most):
    """How far from a point a direction is free but for trees, in tiles, at most ``most``."""
    free = _ZERO
    while free < most:
        ahead = free + WIDTH_STEP_TILES
        to_x = x + step_x * ahead
        to_y = y + step_y * ahead
        if not is_inside(walls, to_x, to_y):
            break
        if not is_open_ground(walls, to_x, to_y) and not is_small(walls, to_x, to_y):
            break
        free = ahead
    return free


@kernel(
    "float32[:, ::1] stations, float32[:, ::1] other, int64 first, int64 last, int64 count, uint16[:, ::1] walls, float32 most"
)
def look_aside(stations, other, first, last, count, walls, most):
    """Directions of stations from ``first`` to before ``last``; how far the ground is free to both sides, into ``other``."""
    for index in range(first, last):
        before = max(index - 1, np.int64(0))
        behind = min(index + 1, count - 1)
        step_x = stations[STATION_X, behind] - stations[STATION_X, before]
        step_y = stations[STATION_Y, behind] - stations[STATION_Y, before]
        length = np.sqrt(step_x * step_x + step_y * step_y)
        if length > _ZERO:
            step_x /= length
            step_y /= length
        else:
            step_x = _ONE
            step_y = _ZERO
        stations[TANGENT_X, index] = step_x
        stations[TANGENT_Y, index] = step_y
        x = stations[STATION_X, index]
        y = stations[STATION_Y, index]
        other[LO, index] = free_width(walls, x, y, step_y, -step_x, most)
        other[HI, index] = free_width(walls, x, y, -step_y, step_x, most)


@kernel("float32[:, ::1] stations, float32[:, ::1] other, int64 count, float32 radius")
def limit_widths(stations, other, count, radius):
    """Free widths of stations: the least of 0.75 tiles around, changing by SLOPE at most, less a unit's radius."""
    for side in range(LO, HI + 1):
        for index in range(count):
            least = other[side, index]
            for step in range(7):
                near = min(max(index + step - 3, np.int64(0)), count - 1)
                least = min(least, other[side, near])
            stations[side, index] = least
        for index in range(1, count):
            stations[side, index] = min(stations[side, index], stations[side, index - 1] + STATION_TILES * SLOPE)
        for index in range(1, count):
            back = count - 1 - index
            stations[side, back] = min(stations[side, back], stations[side, back + 1] + STATION_TILES * SLOPE)
    for index in range(count):
        high = stations[HI, index] - radius - WALL_GAP_TILES
        low = radius + WALL_GAP_TILES - stations[LO, index]
        if high < low:
            high = (high + low) * _HALF
            low = high
        stations[HI, index] = high
        stations[LO, index] = low
