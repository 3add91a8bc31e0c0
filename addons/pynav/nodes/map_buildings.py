"""Buildings of a map node: rectangles of tiles that units on an attack-move go for."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, PackedInt64Array, Rect2i, Vector2, Vector2i, Vector3, method
from pynav.crowd.buildings import Buildings

from .telling import NodeError, told


class MapBuildings(GodotObject, register=False):
    """Base of both kinds."""

    _need_world: Any
    _plane: Any

    @property
    def _buildings(self) -> Buildings:
        found: Buildings = self._need_world().buildings
        return found

    @method
    @told
    def add_building(self, rect: Rect2i, team: int, layers: int = 1) -> int:
        """Make a rectangle of tiles a building of a team (0 to 31), and return its handle; 0 if it was refused. Units on an
        attack-move, a guard or a patrol that attacks, whose crowds have the team among their enemies, go for it as for an agent:
        they walk up to its edge, and those who find no room before it go round to another side. get_engaged_units() and
        get_unit_targets() name it by its handle.

        It says nothing of the ground: make its tiles solid yourself (set_cost_rect(), an obstacle node). Its health is the
        game's; call remove_building() once it has fallen. On layers 0 (a mask) nobody finds it. Buildings are part of a saved
        state, and stay when the map is made anew.
        """
        (x, y), (columns, rows) = rect
        return int(self._buildings.add(x, y, columns, rows, team, layers))

    @method
    @told
    def remove_building(self, building: int) -> bool:
        """Take a building away: who went for it goes for the next foe, or on with its way. False, and told, if it isn't there."""
        self._buildings.remove(building)
        return True

    @method
    @told
    def set_building_team(self, building: int, team: int) -> bool:
        """Give a building to a team: it was taken, or changed sides."""
        self._buildings.set_team(building, team)
        return True

    @method(const=True)
    @told
    def is_building(self, handle: int) -> bool:
        """Whether a handle is that of a building that is there: what get_unit_targets() gives may be one."""
        return bool(self._buildings.are_there([handle])[0])

    @method(const=True)
    @told
    def get_buildings(self) -> PackedInt64Array:
        """Handles of all buildings, in the order of their ids; an id is given out again once its building is gone."""
        return PackedInt64Array(self._buildings.handles())

    @method(const=True)
    @told
    def get_building_rect(self, building: int) -> Rect2i:
        """The tiles of a building."""
        x, y, columns, rows = self._buildings.rect_of(building)
        return Rect2i(Vector2i(x, y), Vector2i(columns, rows))

    @method(const=True)
    @told
    def get_building_team(self, building: int) -> int:
        """The team of a building."""
        return int(self._buildings.team_of(building))

    @method(const=True)
    @told
    def get_buildings_in_rect(self, tiles: Rect2i, teams: int = -1, layers: int = -1) -> PackedInt64Array:
        """The buildings that stand on a rectangle of tiles with some part, in the order of their ids: is there room for another
        one, what lies under a blast? teams and layers are masks, a bit each; -1: all.
        """
        (x, y), (columns, rows) = tiles
        return PackedInt64Array(self._buildings.in_rectangles([[x, y, columns, rows]], teams=teams, layers=layers).units)

    def _buildings_in_circle(self, x: float, y: float, radius: float, teams: int, layers: int) -> PackedInt64Array:
        if not radius >= 0.0:
            raise NodeError(f"expected a radius from 0, got {radius}")
        within = radius / float(self._plane.tile_length)
        return PackedInt64Array(self._buildings.in_circles([self._plane.to_tile(x, y)], within, teams=teams, layers=layers).units)

    def _nearest_buildings(
        self, x: float, y: float, count: int, max_distance: float, teams: int, layers: int
    ) -> PackedInt64Array:
        within = max_distance / float(self._plane.tile_length) if max_distance != 0.0 else None
        found, _ = self._buildings.nearest([self._plane.to_tile(x, y)], count, within=within, teams=teams, layers=layers)
        return PackedInt64Array(found[0][found[0] != 0])


class MapBuildings2D(MapBuildings, GodotObject, register=False):
    """Questions about buildings of a 2D map."""

    @method(const=True)
    @told
    def get_buildings_in_circle(self, center: Vector2, radius: float, teams: int = -1, layers: int = -1) -> PackedInt64Array:
        """The buildings whose edges are no farther from a place (map space) than radius, in the order of their ids.
        teams and layers are masks, a bit each; -1: all.
        """
        return self._buildings_in_circle(center.x, center.y, radius, teams, layers)

    @method(const=True)
    @told
    def get_nearest_buildings(
        self, to: Vector2, count: int = 1, max_distance: float = 0.0, teams: int = -1, layers: int = -1
    ) -> PackedInt64Array:
        """The buildings whose edges are nearest to a place (map space), the nearest first, at most count, no farther than
        max_distance (0: any distance). teams and layers are masks, a bit each; -1: all. Equally near ones come in the order of
        their ids.
        """
        return self._nearest_buildings(to.x, to.y, count, max_distance, teams, layers)


class MapBuildings3D(MapBuildings, GodotObject, register=False):
    """Questions about buildings of a 3D map."""

    @method(const=True)
    @told
    def get_buildings_in_circle(self, center: Vector3, radius: float, teams: int = -1, layers: int = -1) -> PackedInt64Array:
        """The buildings whose edges are no farther from a place (map space, y doesn't count) than radius, in the order
        of their ids. teams and layers are masks, a bit each; -1: all.
        """
        return self._buildings_in_circle(center.x, center.z, radius, teams, layers)

    @method(const=True)
    @told
    def get_nearest_buildings(
        self, to: Vector3, count: int = 1, max_distance: float = 0.0, teams: int = -1, layers: int = -1
    ) -> PackedInt64Array:
        """The buildings whose edges are nearest to a place (map space, y doesn't count), the nearest first, at most count, no
        farther than max_distance (0: any distance). teams and layers are masks, a bit each; -1: all. Equally near ones come in
        the order of their ids.
        """
        return self._nearest_buildings(to.x, to.z, count, max_distance, teams, layers)
