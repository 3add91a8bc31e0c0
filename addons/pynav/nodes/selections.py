"""Selections in a map's space: agents in circles, rectangles and polygons, the nearest ones.

Tiles may be sheared and scaled in the map's space (isometric maps): the core is asked for more than enough, and what it found
is looked through in the map's space.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.unit_handles import Handles

from .tile_plane import TilePlane

_SLACK = 1.0001  # float32 places are a little off
Masks = dict[str, int]
Points = npt.NDArray[np.float32]


class Selections:
    """Questions to a world in the space of its map."""

    def __init__(self, world: Any, plane: TilePlane) -> None:
        self._world, self._plane = world, plane
        axes = np.array([plane.x_axis, plane.y_axis], dtype=np.float64)
        largest, smallest = np.linalg.svd(axes, compute_uv=False).tolist()
        self._largest, self._smallest = largest, smallest  # length of the longest and shortest tile vector

    def places(self, units: Handles) -> Points:
        """Where units are, float32 (n, 2)."""
        slots = self._world.unit_index.slots_of(units)
        return self._plane.points_to_local(self._world.slot_positions(slots))

    def in_circle(self, x: float, y: float, radius: float, masks: Masks) -> Handles:
        """Units in a circle, in rising order."""
        centre = self._plane.to_tile(x, y)
        found: Handles = self._world.agents.in_circles([centre], radius / self._smallest * _SLACK, **masks).units
        away = self.places(found) - np.array([x, y], dtype=np.float32)
        return np.asarray(found[(away * away).sum(axis=1) <= np.float32(radius) * np.float32(radius)])

    def in_polygon(self, corners: Points, masks: Masks) -> Handles:
        """Units in a polygon of any shape, in rising order; edges that cross part it (even-odd)."""
        if len(corners) < 3:
            return np.zeros(0, dtype=np.int64)
        tiles = self._plane.points_to_tiles(corners)
        low, high = tiles.min(axis=0) - 0.01, tiles.max(axis=0) + 0.01
        found: Handles = self._world.agents.in_rectangles([[*low, *(high - low)]], **masks).units
        return np.asarray(found[is_inside(self.places(found), corners)])

    def nearest(self, x: float, y: float, count: int, within: float, masks: Masks) -> Handles:
        """The nearest units, the nearest first, no farther than ``within`` (0: any distance)."""
        tile = self._plane.to_tile(x, y)
        limit = within / self._smallest * _SLACK if within > 0.0 else None
        found, distance = self._world.agents.nearest([tile], count, within=limit, **masks)
        units: Handles = found[0][found[0] != 0]
        if self._largest > self._smallest * _SLACK and len(units):  # another order than that of tiles
            reach = float(distance[0, len(units) - 1]) * self._largest / self._smallest * _SLACK
            units = self._world.agents.in_circles([tile], reach, **masks).units
        away = self.places(units) - np.array([x, y], dtype=np.float32)
        squared = (away * away).sum(axis=1)
        order = np.lexsort((units & 0xFFFFFFFF, squared))[:count]
        is_near = squared[order] <= np.float32(within) * np.float32(within) if within > 0.0 else np.ones(len(order), dtype=bool)
        return np.asarray(units[order][is_near])


def is_inside(points: Points, corners: Points) -> npt.NDArray[np.bool_]:
    """Which points (n, 2) lie in a polygon (m, 2): how many edges a ray to the right of each crosses."""
    x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    inside = np.zeros(len(points), dtype=np.bool_)
    for (x0, y0), (x1, y1) in zip(corners.tolist(), np.roll(corners, -1, axis=0).tolist(), strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > y) != (y1 > y)
        inside ^= crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0)
    return inside
