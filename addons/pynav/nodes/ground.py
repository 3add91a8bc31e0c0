"""The ground of a map in 3D: heights between the middles of tiles, and where a ray meets it."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from .tile_plane import Point, TilePlane

Ground = npt.NDArray[np.float32]  # (rows, columns), heights above the plane at the middles of tiles
_STEPS_PER_TILE = 2
_MOST_STEPS = 65_536
_PARTS = 64  # that a step is cut into, twice


def heights_on(ground: Ground | None, elevation: float, tiles: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """(n,) heights of places in tile coordinates (n, 2), between those of the middles of tiles (rows, columns); None is flat."""
    base = np.float32(elevation)
    if ground is None:
        return np.full(len(tiles), base, dtype=np.float32)
    rows, columns = ground.shape
    x = np.clip(tiles[:, 0] - np.float32(0.5), 0, columns - 1)
    y = np.clip(tiles[:, 1] - np.float32(0.5), 0, rows - 1)
    left, top = x.astype(np.int64), y.astype(np.int64)
    right, bottom = np.minimum(left + 1, columns - 1), np.minimum(top + 1, rows - 1)
    part_x, part_y = x - left.astype(np.float32), y - top.astype(np.float32)
    above = ground[top, left] + (ground[top, right] - ground[top, left]) * part_x
    below = ground[bottom, left] + (ground[bottom, right] - ground[bottom, left]) * part_x
    return np.asarray(base + above + (below - above) * part_y, dtype=np.float32)


def ray_on_ground(
    start: npt.NDArray[np.float64], direction: npt.NDArray[np.float64], plane: TilePlane, ground: Ground | None
) -> Point | None:
    """The place in tiles where a ray first meets the ground, None if it never does.

    Args:
        start, direction: (3,) in the node's space.
        plane: of the tiles.
        ground: heights above it, None where it is flat; beyond the map the ground is as high as at its edge.

    Notes:
        Two looks a tile along the ray, and the first one that is on the other side of the ground is cut down to a hundredth of a
        percent: a spike that is narrower than half a tile may be missed.
    """
    low, high = (0.0, 0.0) if ground is None else (float(ground.min()), float(ground.max()))
    margin = (high - low) * 1e-3  # so that a ray begins above the highest ground and ends below the lowest
    lengths = _lengths_between(float(start[1]) - plane.elevation, float(direction[1]), low - margin, high + margin)
    if lengths is None:
        return None
    origin = np.array(plane.to_tile(float(start[0]), float(start[2])))
    ahead = np.array(plane.to_tile(float(start[0] + direction[0]), float(start[2] + direction[2]))) - origin

    def places(at: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.asarray(origin + at[:, None] * ahead, dtype=np.float64)

    def is_above(at: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        heights = heights_on(ground, plane.elevation, places(at).astype(np.float32))
        return np.asarray(start[1] + at * direction[1] > heights, dtype=np.bool_)

    begin, end = lengths
    if ground is not None and begin < end:
        tiles = math.hypot(*ahead) * (end - begin)
        end = begin + (end - begin) * min(1.0, _MOST_STEPS / max(tiles * _STEPS_PER_TILE, 1.0))
        for steps in (min(max(math.ceil(tiles * _STEPS_PER_TILE), 1), _MOST_STEPS), _PARTS, _PARTS):
            at = np.linspace(begin, end, steps + 1)
            above = is_above(at)
            crossed = np.flatnonzero(above[1:] != above[0])
            if len(crossed) == 0:
                return None
            begin, end = float(at[crossed[0]]), float(at[crossed[0] + 1])
    x, y = places(np.array([end]))[0]
    return float(x), float(y)


def _lengths_between(above: float, climb: float, low: float, high: float) -> tuple[float, float] | None:
    """From where to where a ray that begins so far above the plane and climbs so much a length lies between two heights."""
    if abs(climb) < 1e-6:
        return None
    one, other = (low - above) / climb, (high - above) / climb
    begin, end = max(min(one, other), 0.0), max(one, other)
    return (begin, end) if end > 0.0 else None
