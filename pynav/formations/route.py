"""The route of a march: stations along a smoothed way, and how wide the ground is at each."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.crowd.wall_geometry import SOLID
from pynav.formations import _route_kernels as kernels
from pynav.formations.place_layout import (
    HI,
    LO,
    PROGRESS,
    STATION_TILES,
    STATION_VALUE_COUNT,
    STATION_X,
    STATION_Y,
    TANGENT_X,
    TANGENT_Y,
)

WIDEST_TILES = 64.0  # nothing beyond is looked at on either side
SMOOTH_STRIDES = (32, 16, 8, 4, 2, 1)  # stations; the first are left out for narrow formations
SMOOTH_ROUNDS = 6
_WORK_A_STATION = 0.2  # microseconds a smoothing round
_STATIONS_A_SLICE = 256  # that are looked aside from at once
_WORK_A_LOOK = 2.5  # microseconds


@dataclass(frozen=True)
class RowShape:
    """The widest row of a formation, which says how it draws apart where it is narrow.

    Attributes:
        files: units side by side.
        pitch: tiles from file to file on open ground.
        lane: the least, in passages.
    """

    files: int
    pitch: float
    lane: float

    @property
    def width(self) -> float:
        """Tiles between the middles of the outermost units."""
        return (self.files - 1) * self.pitch


@dataclass(frozen=True)
class Route:
    """Stations every STATION_TILES (place_layout.py).

    Attributes:
        stations: float32 (STATION_VALUE_COUNT, n), places on the map.
        start: how far along it the way begins: before that it goes straight on backwards, as far as there is ground.
        goal: how far along it the goal lies; behind that it goes straight on.
        offset: what a place on the map lies right and below of its place on the layer.
    """

    stations: npt.NDArray[np.float32]
    start: float
    goal: float
    offset: float

    @property
    def length(self) -> float:
        """Tiles."""
        return float(self.stations.shape[1] - 1) * float(STATION_TILES)


def make_route(
    tiles: npt.NDArray[np.int32],
    walls: npt.NDArray[np.uint16],
    offset: float,
    radius: float,
    shape: RowShape,
    before: float,
    behind: float,
    goal: tuple[float, float],
) -> Generator[int, None, Route]:
    """The route along a way of tiles, in slices that yield about how many microseconds they took.

    Args:
        tiles: int32 (n, 2), the way on the layer.
        walls: uint16 (height + 2, width + 2), its walls.
        offset: what a place on the map lies right and below of its place on the layer.
        radius: of the largest unit beyond the tiles of its size, tiles.
        shape: the widest row.
        before: how far to go on straight before the way, tiles.
        behind: the same behind it.
        goal: the place on the map, in the last tile, that the way leads to.

    Notes:
        Smoothed by about half the formation's width, less near walls. Deterministic.
    """
    reach = np.float32(min(max(radius, 0.05), 0.45))
    corners = np.zeros((len(tiles) + 3, 2), np.float32)
    count = np.zeros(1, np.int64)
    kernels.pull_route(np.ascontiguousarray(tiles, np.int32), walls, reach, corners[1:], count)
    yield 20 + len(tiles)
    bends = corners[1 : 1 + int(count[0])]
    exact = np.array(goal, np.float32) - np.float32(offset)
    if len(bends) > 1 and _have_room(walls, exact[None], reach)[0]:
        bends[-1] = exact
    bends = bends if len(bends) > 1 else np.concatenate([bends, bends + np.float32(0.01)])
    first, last = _straight_on(bends[1], bends[0], before, walls, reach), _straight_on(bends[-2], bends[-1], behind, walls, reach)
    points = np.ascontiguousarray(np.concatenate([first[None], bends, last[None]]), np.float32)
    stations, found = _stations(points)
    other = np.zeros_like(stations)
    most = max(shape.width / 2.0 + 1.5, 2.0) / float(STATION_TILES)
    for stride in SMOOTH_STRIDES:
        if stride <= most:
            for _ in range(SMOOTH_ROUNDS):
                kernels.smooth_stations(stations, other, found, stride, 1, walls, reach)
                yield 10 + int(_WORK_A_STATION * found)
    line = np.ascontiguousarray(stations[: STATION_Y + 1, :found].T)
    stations, found = _stations(line)
    other = np.zeros_like(stations)
    widest = np.float32(min(shape.width / 2.0 + 3.5, WIDEST_TILES))
    for begin in range(0, found, _STATIONS_A_SLICE):
        kernels.look_aside(stations, other, begin, min(begin + _STATIONS_A_SLICE, found), found, walls, widest)
        yield 10 + int(_WORK_A_LOOK * _STATIONS_A_SLICE)
    kernels.limit_widths(stations, other, found, np.float32(min(radius, 0.45)))
    yield 10 + found // 20
    stations = np.ascontiguousarray(stations[:, :found])
    start, end = (_nearest(stations, point) * float(STATION_TILES) for point in (bends[0], bends[-1]))
    stations[STATION_X] += np.float32(offset)
    stations[STATION_Y] += np.float32(offset)
    stations[PROGRESS] = _progress(stations, shape)
    return Route(stations, start, end, offset)


def _stations(points: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], int]:
    steps = np.hypot(*np.diff(points.astype(np.float64), axis=0).T)
    stations = np.zeros((STATION_VALUE_COUNT, int(steps.sum() / float(STATION_TILES)) + 3), np.float32)
    count = np.zeros(1, np.int64)
    kernels.place_stations(points, len(points), stations, count)
    found = int(count[0])
    if found < 2:
        stations[: STATION_Y + 1, found:2] = points[-1][:, None]
        found = 2
    return stations, found


def _have_room(walls: npt.NDArray[np.uint16], places: npt.NDArray[np.floating], reach: np.float32) -> npt.NDArray[np.bool_]:
    """Whether squares around places (n, 2) on the layer are free, bool (n,)."""
    rows, columns = walls.shape[0] - 2, walls.shape[1] - 2
    half = float(reach)
    found: npt.NDArray[np.bool_] = np.ones(len(places), np.bool_)
    for right in (-half, half):
        for down in (-half, half):
            x, y = places[:, 0] + right, places[:, 1] + down
            inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
            tiles = np.where(inside, y, 0).astype(np.int64) + 1, np.where(inside, x, 0).astype(np.int64) + 1
            found &= inside & ((walls[tiles] & SOLID) == 0)
    return found


def _straight_on(
    origin: npt.NDArray[np.float32],
    at: npt.NDArray[np.float32],
    tiles: float,
    walls: npt.NDArray[np.uint16],
    reach: np.float32,
) -> npt.NDArray[np.float32]:
    """Where one gets straight on from ``at``, coming from ``origin``, at most so many tiles."""
    step = at.astype(np.float64) - origin
    length = float(np.hypot(*step))
    if length == 0.0:
        return at
    ahead = (at + np.arange(int(tiles * 4) + 1)[:, None] * (step / length * 0.25)).astype(np.float32)
    is_blocked = ~_have_room(walls, ahead[1:], reach)
    free = int(np.argmax(is_blocked)) if is_blocked.any() else len(is_blocked)
    return np.asarray(ahead[free])


def _nearest(stations: npt.NDArray[np.float32], point: npt.NDArray[np.float32]) -> int:
    away = (stations[STATION_X] - point[0]) ** 2 + (stations[STATION_Y] - point[1]) ** 2
    return int(np.argmin(away))


def _progress(stations: npt.NDArray[np.float32], shape: RowShape) -> npt.NDArray[np.float32]:
    """Depth that the rows have made up to each station: they draw apart where files fall in behind one another."""
    width = (stations[HI] - stations[LO]).astype(np.float64)
    lanes = np.clip(width / shape.lane + 1.0, 1.0, shape.files)
    is_full = width >= (shape.files - 1) * shape.lane
    apart = np.where(is_full, 1.0, np.maximum(shape.files / lanes * shape.lane / shape.pitch, 1.0))
    steps = float(STATION_TILES) / apart
    return np.concatenate([[0.0], np.cumsum(steps[:-1])]).astype(np.float32)


def direction_at(stations: npt.NDArray[np.float32], along: float) -> tuple[float, float]:
    """The unit vector along the route at a distance."""
    index = min(max(int(along / float(STATION_TILES)), 0), stations.shape[1] - 1)
    return float(stations[TANGENT_X, index]), float(stations[TANGENT_Y, index])
