"""Questions that FlowFieldMap2D and FlowFieldMap3D answer: way, distance, reach, sight; for a unit size and a movement class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, PackedFloat32Array, PackedVector2Array, Vector2, Vector2i, method
from pynav.grid import DIRECTION_X, DIRECTION_Y
from pynav.sectors.route_queries import RouteQueries

from .telling import told

_NO_DIRECTION = 8
_SQUARE_ROOT_OF_HALF = math.sqrt(0.5)


class MapQueries(GodotObject, register=False):
    """Queries of a map node. Asking changes nothing of the simulation."""

    _need_world: Any
    _need_grid: Any

    def _routes(self, unit_size: int, movement_class: str) -> RouteQueries:
        routes: RouteQueries = self._need_world().routes_for(str(movement_class), unit_size)
        return routes

    @method(const=True)
    @told
    def is_inside(self, tile: Vector2i) -> bool:
        """Whether a tile lies in the map."""
        return bool(self._need_grid().contains(tile.x, tile.y))

    @method(const=True)
    @told
    def is_reachable(self, from_tile: Vector2i, to_tile: Vector2i, unit_size: int = 1, movement_class: str = "") -> bool:
        """Whether a way leads from one tile to the other. No search: both lie in the same connected part of the map.

        Here and in the other queries unit_size is 1 to 5 tiles: units of that many tiles a side fit nowhere else than where all
        they cover is free, and a tile means the unit's middle (for even sizes the tile left above its middle). An empty
        movement_class is the first one. The first question for a size and class prepares the map for it.
        """
        return self._routes(unit_size, movement_class).is_reachable(tuple(from_tile), tuple(to_tile))

    @method(const=True)
    @told
    def get_distance(self, from_tile: Vector2i, to_tile: Vector2i, unit_size: int = 1, movement_class: str = "") -> float:
        """Length of the best way in tiles (a straight step over tiles of cost 1 is 1.0, dearer tiles count more); -1 if there
        is none. unit_size and movement_class as in is_reachable.

        The first call for a target searches the map's blocks (some milliseconds for 1024 x 1024 tiles); further ones cost some
        microseconds, until the map changes.
        """
        return self._routes(unit_size, movement_class).distance(tuple(from_tile), tuple(to_tile))

    @method(const=True)
    @told
    def get_distances(
        self, from_tiles: PackedVector2Array, to_tile: Vector2i, unit_size: int = 1, movement_class: str = ""
    ) -> PackedFloat32Array:
        """get_distance for many tiles and one target, in one call: each (x, y) is the tile that it lies in; -1 without a way."""
        found = self._routes(unit_size, movement_class).distances(whole_tiles(from_tiles), tuple(to_tile))
        return PackedFloat32Array(found.astype(np.float32))

    @method(const=True)
    @told
    def get_id_path(self, from_tile: Vector2i, to_tile: Vector2i, unit_size: int = 1, movement_class: str = "") -> list[Any]:
        """Tiles (Vector2i) of a shortest way, both ends included; empty if there is none. unit_size and movement_class as in
        is_reachable; the first call for a target costs as get_distance, a way in proportion to its length.
        """
        path = self._routes(unit_size, movement_class).path(tuple(from_tile), tuple(to_tile))
        return [Vector2i(x, y) for x, y in path.tolist()]

    @method(const=True)
    @told
    def get_flow_direction(self, tile: Vector2i, goal: Vector2i, unit_size: int = 1, movement_class: str = "") -> Vector2:
        """Unit vector of the best step from a tile towards a goal, along the tile axes (x right, y down); zero at the goal or
        without a way. Costs as get_distance; unit_size and movement_class as in is_reachable.
        """
        direction = self._routes(unit_size, movement_class).direction(tuple(tile), tuple(goal))
        if direction >= _NO_DIRECTION:
            return Vector2()
        x, y = int(DIRECTION_X[direction]), int(DIRECTION_Y[direction])
        length = _SQUARE_ROOT_OF_HALF if x and y else 1.0
        return Vector2(x * length, y * length)

    @method(const=True)
    @told
    def has_line_of_sight(self, from_tile: Vector2i, to_tile: Vector2i, unit_size: int = 1, movement_class: str = "") -> bool:
        """Whether a unit can go straight from one tile to the other: the line between the two centres touches no tile, not even
        at a corner, where it can't stand. unit_size and movement_class as in is_reachable.
        """
        return self._routes(unit_size, movement_class).has_line_of_sight(tuple(from_tile), tuple(to_tile))

    @method(const=True)
    @told
    def get_nearest_free_tile(self, tile: Vector2i, unit_size: int = 1, movement_class: str = "") -> Vector2i:
        """The tile nearest to a tile where a unit can stand, itself if it can there; (-1, -1) where it can nowhere. Equally
        near ones: the upper, then the left one. unit_size and movement_class as in is_reachable.
        """
        found = self._routes(unit_size, movement_class).graph.grid.nearest_free(tile.x, tile.y)
        return Vector2i(-1, -1) if found is None else Vector2i(*found)

    @method(const=True)
    @told
    def get_nearest_reachable_tile(
        self, to_tile: Vector2i, from_tile: Vector2i, unit_size: int = 1, movement_class: str = ""
    ) -> Vector2i:
        """The tile nearest to to_tile that can be reached from from_tile; (-1, -1) if from_tile is solid or outside. Equally
        near ones: the upper, then the left one. unit_size and movement_class as in is_reachable.
        """
        found = self._routes(unit_size, movement_class).nearest_reachable(tuple(from_tile), tuple(to_tile))
        return Vector2i(-1, -1) if found is None else Vector2i(*found)


def whole_tiles(points: PackedVector2Array) -> npt.NDArray[np.int64]:
    """The tiles, (n, 2), that some points lie in; what is no number, or far outside any map, is outside this one."""
    tiles = np.floor(np.asarray(points.view(), dtype=np.float64)).reshape(-1, 2)
    return np.where(np.isfinite(tiles), np.clip(tiles, -1.0, 1e6), -1.0).astype(np.int64)
