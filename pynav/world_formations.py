"""What formations ask of a world: its layers, and orders for its crowds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pynav.commands.command import CommandKind
from pynav.crowd.agent_layout import FIRST_SLOT, LAYER, POSITION_X, POSITION_Y
from pynav.crowd.regrouping import groups_by_slot
from pynav.formations.class_ground import ClassGround
from pynav.grid.clearance import size_of_radius
from pynav.grid.navigation_layers import NavigationLayer
from pynav.sectors.route_queries import RouteQueries

if TYPE_CHECKING:
    from pynav.world import World

_FIRST_REACH_TILES = 8
_INSIDE = 1e-3  # tiles that a goal beyond the map is taken inside


class WorldWay:
    """A search for a way (``pynav.formations.land.WaySearch``)."""

    def __init__(self, routes: RouteQueries, goal: tuple[int, int], offset: float) -> None:
        self._routes, self._goal, self._offset = routes, goal, offset
        self._search = routes.begin_search(goal)

    def advance(self, looks: int) -> bool:
        """Look at so many blocks at most; whether it is done."""
        if not self._search.is_done:
            self._search.advance(looks)
        return bool(self._search.is_done)

    def way(self, x: float, y: float) -> npt.NDArray[np.int32]:
        """Tiles (x, y) of the layer from a place to the goal, int32 (n, 2); empty where there is no way."""
        self._routes.keep_search(self._search)
        start = (max(int(x - self._offset), 0), max(int(y - self._offset), 0))
        return np.asarray(self._routes.path(start, self._goal))


class WorldLand:
    """A world as formations see it (``pynav.formations.land.Land``)."""

    def __init__(self, world: World) -> None:
        self._world = world

    def layer_of(self, crowds: list[int], radius: float) -> NavigationLayer:
        """The layer of the first crowd's class and the largest size of all."""
        profiles = [self._world._profiles[crowd] for crowd in crowds]
        size = max(size_of_radius(radius), *(profile.size for profile in profiles))
        return self._world._layer((profiles[0].movement_class, size))

    def unit_count(self, crowd: int) -> int:
        """How many units a crowd has."""
        return self._world.crowds[crowd].count

    def goal_near(self, crowd: int, x: float, y: float) -> tuple[float, float]:
        """The point itself, or the middle of the nearest tile that most of the crowd can get to; equal ones by row, column."""
        world = self._world
        profile = world._profiles[crowd]
        values, _ = world._table.now
        columns = world._table.columns_of(crowd)
        positions = np.stack([values[POSITION_X, columns], values[POSITION_Y, columns]], axis=1)
        ground = ClassGround(world._layer((profile.movement_class, profile.size)), positions)
        rows, width = ground.label.shape
        at = (min(max(x, 0.0), width - 1e-3), min(max(y, 0.0), rows - 1e-3))
        (column, row) = ground.tiles(np.array([at])).tolist()[0]
        if ground.is_open(np.array([[column, row]]))[0]:
            return at
        reach = _FIRST_REACH_TILES
        while True:
            left, top = max(column - reach, 0), max(row - reach, 0)
            right, low = min(column + reach + 1, width), min(row + reach + 1, rows)
            y_found, x_found = np.nonzero(ground.open_window(left, top, right - left, low - top))
            away = (x_found + left - column) ** 2 + (y_found + top - row) ** 2
            if len(away) and away.min() <= reach * reach:
                best = int(np.argmin(away))
                found = ground.middles(np.array([[x_found[best] + left, y_found[best] + top]]))[0]
                return float(found[0]), float(found[1])
            if (left, top, right, low) == (0, 0, width, rows) and reach > max(width, rows):
                return at
            reach *= 2

    def send(self, crowds: npt.NDArray[np.int32], ids: npt.NDArray[np.int32], x: float, y: float) -> int:
        """Order units to a point; the handle of their command."""
        world = self._world
        grid = world._require_grid()
        place = (min(max(x, 0.0), grid.width - _INSIDE), min(max(y, 0.0), grid.height - _INSIDE))
        slots = world._crowds.numbers[FIRST_SLOT, crowds].astype(np.int64) + ids
        return world.commands._give_to(slots, world.commands._command(CommandKind.MOVE, False, place=place))

    def groups_of(self, command: int) -> list[int]:
        """The groups of a command's units; none once nobody follows it."""
        commands = self._world.commands
        return commands.groups_of(command) if commands.is_alive(command) else []

    @property
    def group_rows(self) -> int:
        """How many groups there is room for."""
        return int(self._world._groups.numbers.shape[1])

    def group_of_units(self) -> npt.NDArray[np.int32]:
        """The group of each unit, in agent order, -1 for who is dead."""
        return groups_by_slot(self._world._table, self._world._crowds)[0]

    def begin_way(self, crowd: int, goal: tuple[float, float]) -> WorldWay | None:
        """Begin the search for a crowd's way to a point; None if no way can be sought there."""
        world = self._world
        profile = world._profiles[crowd]
        routes = world.routes_for(world.movement_classes[profile.movement_class].name, profile.size)
        column, row = (int(part) for part in world._layer_points(crowd, np.array([goal], np.float32))[0])
        if not (routes.graph.grid.is_free(column, row) and routes.graph.fits):
            return None
        return WorldWay(routes, (column, row), profile.offset)

    def layer_number(self, crowd: int) -> int:
        """The number of a crowd's layer among those that have walls."""
        return int(self._world._crowds.numbers[LAYER, crowd])

    def walls_of_layer(self, number: int) -> npt.NDArray[np.uint16]:
        """The walls of a layer."""
        assert self._world._walls is not None
        return np.asarray(self._world._walls.walls[number])

    def walls_of(self, crowd: int) -> tuple[npt.NDArray[np.uint16], float, float]:
        """The walls of a crowd's layer, its anchor offset, and what of its radius is held out of walls."""
        profile = self._world._profiles[crowd]
        return self.walls_of_layer(self.layer_number(crowd)), profile.offset, profile.wall_radius

    @property
    def edits(self) -> int:
        """How often the map was changed."""
        return self._world._edit_count
