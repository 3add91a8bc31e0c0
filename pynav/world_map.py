"""The map of a world: costs, movement classes and unit sizes, obstacles and doors, edits, and questions about ways.

Base of World, so that a world reads as one object. All that depends on a class or a size is made when first used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.errors import WorldError
from pynav.crowd.flow_layer import FlowLayer
from pynav.crowd.flow_table import FlowTable
from pynav.crowd.wall_map import WallMap
from pynav.grid import TileGrid
from pynav.grid.clearance import Rect
from pynav.grid.movement_class import PLAIN, MovementClass, class_index
from pynav.grid.navigation_layers import NavigationLayer, NavigationLayers
from pynav.grid.obstacles import Obstacles, loaded_obstacles
from pynav.grid.terrain import Terrain, loaded_terrain
from pynav.jobs import JobBudget, JobObserver, JobScheduler, SchedulerStatistics
from pynav.sectors.route_queries import RouteQueries
from pynav.sectors.route_requests import RouteRequests

LayerKey = tuple[int, int]  # movement class, size in tiles


class WorldMap:
    """What a world knows of its map."""

    def __init__(self) -> None:
        self._terrain: Terrain | None = None
        self._layers: NavigationLayers | None = None
        self._obstacles = Obstacles()
        self._classes: tuple[MovementClass, ...] = (PLAIN,)
        self._blocks: dict[LayerKey, FlowLayer] = {}
        self._routes: dict[LayerKey, RouteQueries] = {}
        self._crowd_layers: list[LayerKey] = []  # those that crowds walk on, by their numbers in the kernels
        self._walls: WallMap | None = None
        self._flows: FlowTable | None = None
        self._scheduler = JobScheduler()
        self._requests = RouteRequests(self.routes_for)
        self._tick = 0
        self._opening_count = 0  # edits that may have connected what was apart
        self._edit_count = 0  # all edits
        self._walls_changed = False

    # --- the map

    @property
    def grid(self) -> TileGrid | None:
        """The tiles as the first movement class at size 1 sees them; change its costs by ``edit_cost`` only."""
        return None if self._layers is None else self._layers.base.grid

    @property
    def movement_classes(self) -> tuple[MovementClass, ...]:
        """The movement classes; the first one is that of crowds and questions that name none."""
        return self._classes

    def set_movement_classes(self, classes: Sequence[MovementClass]) -> None:
        """Say what each kind of terrain costs whom; from then on the bytes of the map are kinds of terrain.

        Crowds keep the class at their place in the list. On a map that is there already all flows are built anew.

        Raises
        ------
        GridError
            No class, or two of one name.
        WorldError
            Fewer classes than crowds, obstacles or doors use; nothing has changed then.
        """
        kinds = np.zeros((1, 1), dtype=np.uint8) if self._terrain is None else self._terrain.kinds
        terrain = Terrain(kinds, classes)
        used = self._classes_in_use()
        if used > len(terrain.classes):
            raise WorldError(f"{used} movement classes are in use, so that many are needed; got {len(terrain.classes)}")
        self._classes = terrain.classes
        if self._terrain is not None:
            self._take_terrain(terrain, None)

    def _classes_in_use(self) -> int:
        """How many of the first classes are needed."""
        raise NotImplementedError

    def _require_grid(self) -> TileGrid:
        if self._layers is None:
            raise WorldError("the world has no map yet: call set_grid first")
        return self._layers.base.grid

    def _new_map(self, grid: TileGrid) -> None:
        """The first map, or one of another size: nobody stands on it, and no crowd has a goal."""
        self._crowd_layers = [(0, 1)]
        self._walls = self._flows = None
        self._take_terrain(Terrain(grid.cost, self._classes), grid)

    def _take_terrain(self, terrain: Terrain, base: TileGrid | None) -> None:
        """Go over to another terrain, of the same size if there are walls and flows."""
        self._obstacles.put_on(terrain)
        if base is not None and not np.array_equal(base.cost, terrain.class_costs(0)):
            base = None
        self._terrain, self._layers = terrain, NavigationLayers(terrain, base)
        self._routes = {}
        grids = [self._layer(key).grid for key in self._crowd_layers]
        width, height = terrain.bounds[2:]
        if self._flows is None or self._walls is None:
            self._scheduler = JobScheduler(self._scheduler.budget)
            self._walls, self._flows = WallMap(grids[0].cost, grids[0].closed_if_any), FlowTable(grids[0], self._scheduler)
        else:
            self._flows.take_grids(grids, self._tick)
            for number, grid in enumerate(grids):
                self._walls.update(grid.cost, 0, 0, width, height, number, grid.closed_if_any)
            self._walls_changed = True
        self._blocks = dict(zip(self._crowd_layers, self._flows.layers, strict=True))
        self._opening_count += 1
        self._edit_count += 1

    # --- layers

    def _layer(self, key: LayerKey) -> NavigationLayer:
        self._require_grid()
        assert self._layers is not None
        return self._layers.get(*key)

    def _crowd_layer(self, key: LayerKey) -> int:
        """The number of a layer that a crowd is to walk on; its walls and its place among the flows are made now."""
        if key not in self._crowd_layers:
            grid = self._layer(key).grid
            assert self._walls is not None and self._flows is not None
            self._walls.add_layer(grid.cost, grid.closed_if_any)
            self._flows.add_layer(self._blocks_of(key))
            self._crowd_layers.append(key)
        return self._crowd_layers.index(key)

    def _blocks_of(self, key: LayerKey) -> FlowLayer:
        if key not in self._blocks:
            self._blocks[key] = FlowLayer(self._layer(key).grid)
        return self._blocks[key]

    @property
    def routes(self) -> RouteQueries:
        """Questions about ways of the first class at size 1; asking changes nothing. WorldError without a map."""
        return self.routes_for()

    def routes_for(self, movement_class: str = "", size: int = 1) -> RouteQueries:
        """Questions about ways on the map as it is, for units of a class and a size; asking changes nothing.

        Parameters
        ----------
        movement_class
            Its name; empty is the first one.
        size
            1..5 tiles. Tiles in questions and answers are anchors: the middle tile of odd sizes, the one left above the middle of
            even ones (``pynav/grid/clearance.py``).

        Raises
        ------
        WorldError
            Without a map.
        GridError
            No such class or size.

        Notes
        -----
        The first question for a class and size makes its layer and its blocks (some 100 ms for 1024 x 1024 tiles), edits keep
        them up to date.
        """
        self._require_grid()
        key = (class_index(self._classes, movement_class), size)
        if key not in self._routes:
            layer, ground = self._layer(key), self._layer((key[0], 1)).grid
            self._routes[key] = RouteQueries(self._blocks_of(key).graph, ground, size, layer.connectivity)
        return self._routes[key]

    @property
    def requests(self) -> RouteRequests:
        """Questions that wait: each step works on them for ``job_budget.query_units``, then ``take_answers`` has the answers.

        No part of the state, and without influence on it; after ``restore`` they are answered on the map that was restored.
        """
        return self._requests

    def keep_requests_of(self, other: WorldMap) -> None:
        """Take over the questions that wait in a world whose place this one takes."""
        self._requests = other._requests
        self._requests.routes_for = self.routes_for

    # --- edits

    def edit_cost(self, x: int, y: int, values: npt.ArrayLike) -> bool:
        """Change the bytes of a rectangle of tiles: their costs, or, where movement classes say what each kind of terrain
        costs, their kinds.

        Parameters
        ----------
        x, y
            Its top left tile.
        values
            (rows, columns) uint8; for plain classes 0 is solid.

        Returns
        -------
        Whether any tile changed. If so the next tick repairs all flows (one that would take too much is built anew,
        and the old one serves until then), agents in tiles that turned solid are moved to the nearest free place
        at once, and crowds without a way look for one again.

        Raises
        ------
        GridError
            Values of a wrong type, or a rectangle that is not inside the map. Nothing has changed then.
        """
        grid = self._require_grid()
        assert self._terrain is not None
        left, top, block = grid.checked_edit(x, y, values)
        if not self._terrain.set_kinds(left, top, block):
            return False
        self._tiles_changed([(left, top, block.shape[1], block.shape[0])])
        return True

    def _tiles_changed(self, rects: Iterable[Rect]) -> None:
        """The terrain or its burden changed in some rectangles: bring all layers up to date, and what stands on them."""
        layers, walls, flows = self._layers, self._walls, self._flows
        assert layers is not None and walls is not None and flows is not None
        self._edit_count += 1
        for rect in rects:
            if rect[2] == 0 or rect[3] == 0:
                continue
            for layer, (x, y, width, height) in layers.update(rect):
                key = (layer.movement_class, layer.size)
                self._opening_count += layer.has_opened
                if key in self._crowd_layers:
                    number = self._crowd_layers.index(key)
                    walls.update(layer.grid.cost, x, y, width, height, number, layer.grid.closed_if_any)
                    self._walls_changed = True
                    flows.map_changed(x, y, width, height, self._tick, number)
                elif key in self._blocks:
                    self._blocks[key].update_unused(x, y, width, height)

    # --- obstacles and doors

    def add_obstacle(
        self,
        x: int,
        y: int,
        tiles: npt.ArrayLike,
        extra_cost: int | None = None,
        movement_classes: Iterable[str] | None = None,
    ) -> int:
        """Put something on tiles that can be moved and taken away again; what lies beneath stays, and may be edited meanwhile.

        Parameters
        ----------
        x, y
            Tile of the top left entry of ``tiles``; what lies outside the map is left out.
        tiles
            (rows, columns) truth values: which tiles it covers.
        extra_cost
            None: its tiles are solid. 1..255: they cost that much more; costs of several add up, to 255 at most.
        movement_classes
            Names of the classes that it stands in the way of; None: all.

        Returns
        -------
        The obstacle's number, for ``move_obstacle`` and ``remove_obstacle``.

        Raises
        ------
        GridError
            An extra cost out of range, no such class, or tiles of another shape.
        """
        self._require_grid()
        number, rects = self._obstacles.add(x, y, tiles, extra_cost, self._class_indices(movement_classes))
        self._tiles_changed(rects)
        return number

    def add_one_way(
        self,
        x: int,
        y: int,
        tiles: npt.ArrayLike,
        closed_exits: int,
        movement_classes: Iterable[str] | None = None,
        name: str = "",
    ) -> int:
        """Close exits of tiles: who stands there can't go to the next tile that way, who comes from there gets in. A ledge to be
        jumped down, a gate that opens one way, a conveyor. What several close adds up.

        Parameters
        ----------
        x, y
            Tile of the top left entry of ``tiles``; what lies outside the map is left out.
        tiles
            (rows, columns) truth values: which tiles.
        closed_exits
            Sum of east 1, south 2, west 4, north 8 (``pynav/grid/exits.py``).
        movement_classes
            Names of the classes that it concerns; None: all.
        name
            What ``one_ways`` knows it by, if it is to have a name.

        Returns
        -------
        A number as of ``add_obstacle``: ``move_obstacle`` and ``remove_obstacle`` take it.

        Raises
        ------
        GridError
            Other exits, no such class, tiles of another shape, or a name that is taken.

        Notes
        -----
        Ways go by it, and so do agents: where an exit is closed stands a wall for who is inside. They may be pushed over an open
        border that they don't want to cross. A unit of several tiles a side is held by any tile that it covers.
        """
        self._require_grid()
        number, rects = self._obstacles.add_one_way(x, y, tiles, closed_exits, self._class_indices(movement_classes), name)
        self._tiles_changed(rects)
        return number

    def move_obstacle(self, number: int, x: int, y: int, tiles: npt.ArrayLike | None = None) -> bool:
        """Let an obstacle cover other tiles (None: the same pattern elsewhere); whether it covers others now.

        Raises GridError for an unknown number.
        """
        rects = self._obstacles.move(number, x, y, tiles)
        self._tiles_changed(rects)
        return bool(rects)

    def remove_obstacle(self, number: int) -> None:
        """Take an obstacle away. Raises GridError for an unknown number."""
        self._tiles_changed(self._obstacles.remove(number))

    def add_door(
        self, name: str, x: int, y: int, width: int, height: int, is_open: bool = False, open_for: Iterable[str] = ()
    ) -> None:
        """Add a door: a rectangle of tiles that is solid while closed, and what the map says while open.

        Parameters
        ----------
        name
            What the other calls know it by.
        is_open
            Whether it is open for all movement classes.
        open_for
            Names of classes that it is open for even if ``is_open`` is False.

        Raises
        ------
        GridError
            A name that is taken or empty, no such class, or a rectangle that is not inside the map.
        """
        self._require_grid()
        open_classes = self._class_indices(None if is_open else open_for)
        closed = set(range(len(self._classes))) - set(open_classes)
        self._tiles_changed(self._obstacles.add_door(name, (x, y, width, height), closed))

    def set_door_open(self, name: str, is_open: bool, movement_classes: Iterable[str] | None = None) -> bool:
        """Open or close a door for some classes (None: all); whether anything changed. An edit of their layers alone.

        Raises GridError for an unknown door or class.
        """
        rects = self._obstacles.set_door_open(name, is_open, self._class_indices(movement_classes))
        self._tiles_changed(rects)
        return bool(rects)

    def is_door_open(self, name: str, movement_class: str = "") -> bool:
        """Whether a door is open for a class. Raises GridError for an unknown door or class."""
        return class_index(self._classes, movement_class) not in self._obstacles.door(name).closed_for

    def remove_door(self, name: str) -> None:
        """Take a door out of its frame: the tiles are open to all. Raises GridError for an unknown door."""
        self._tiles_changed(self._obstacles.remove_door(name))

    @property
    def doors(self) -> tuple[str, ...]:
        """Names of the doors, in the order in which they were added."""
        return tuple(self._obstacles.doors)

    def keep_obstacles_of(self, other: WorldMap) -> None:
        """Take over the obstacles, by their numbers, and the doors of a world whose place this one takes; before ``set_grid``.

        Classes are told by their names; what concerned all of them does so here. Parts outside the map count for nothing.
        """
        place = {found.name: index for index, found in enumerate(self._classes)}
        new_index = {index: place[found.name] for index, found in enumerate(other._classes) if found.name in place}
        self._obstacles = other._obstacles.for_classes(new_index, len(other._classes), len(self._classes))

    def door_rect(self, name: str) -> Rect:
        """Tiles of a door: x, y, width, height. Raises GridError for an unknown one."""
        return self._obstacles.door(name).rect

    def obstacle_rect(self, number: int) -> Rect:
        """Where the pattern of an obstacle lies: x, y, width, height, perhaps outside the map. Raises GridError for an unknown
        number.
        """
        found = self._obstacles.obstacle(number)
        return found.x, found.y, int(found.tiles.shape[1]), int(found.tiles.shape[0])

    @property
    def one_ways(self) -> dict[str, int]:
        """The numbers of one-way tiles by their names, for those that were given one."""
        return self._obstacles.one_ways

    @property
    def obstacles(self) -> tuple[int, ...]:
        """Numbers of the obstacles that are there."""
        return tuple(self._obstacles.obstacles)

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """The bytes of the map, (height, width), a read-only view: costs, or kinds of terrain; without obstacles and doors."""
        self._require_grid()
        assert self._terrain is not None
        view = self._terrain.kinds.view()
        view.flags.writeable = False
        return view

    def _class_indices(self, names: Iterable[str] | None) -> list[int]:
        if names is None:
            return list(range(len(self._classes)))
        return sorted({class_index(self._classes, name) for name in names})

    # --- work on flows

    @property
    def job_budget(self) -> JobBudget:
        """How much work on flows a tick may hold, in counted units: see ``JobBudget``.

        Part of the state: other numbers give other results, a snapshot brings its own. May be set at any time; builds that
        have begun are published when they were due. WorldError for anything but a JobBudget.
        """
        return self._scheduler.budget

    @job_budget.setter
    def job_budget(self, budget: JobBudget) -> None:
        if not isinstance(budget, JobBudget):
            raise WorldError(f"job_budget is a JobBudget, got {type(budget).__name__}")
        self._scheduler.change_budget(budget, self._tick)

    def observe_jobs(self, observer: JobObserver | None) -> None:
        """Have somebody told what becomes of the jobs on this map, until the map is replaced."""
        self._scheduler.observer = observer

    @property
    def job_statistics(self) -> SchedulerStatistics:
        """What the work on flows took, and what of it was late, since the map was given; nothing depends on it."""
        return self._scheduler.statistics

    # --- state

    def _map_state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a snapshot needs of the map."""
        terrain = self._terrain
        if terrain is None:
            terrain = Terrain(np.zeros((1, 1), dtype=np.uint8), self._classes)
        names, arrays = terrain.state()
        obstacles, patterns = self._obstacles.state()
        layers = [list(key) for key in self._crowd_layers]
        meta = {"is_there": self._terrain is not None, "classes": names, "obstacles": obstacles, "layers": layers}
        meta["budget"] = list(astuple(self.job_budget))
        return meta, {**arrays, **patterns}

    def _load_map(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Become the map that was saved; no crowd is there yet."""
        terrain = loaded_terrain(meta["classes"], arrays)
        self._classes = terrain.classes
        self._scheduler = JobScheduler(JobBudget(*meta["budget"]))
        if not meta["is_there"]:
            return
        self._obstacles = loaded_obstacles(meta["obstacles"], arrays)
        self._crowd_layers = [(0, 1)]
        self._take_terrain(terrain, None)
        for movement_class, size in meta["layers"]:
            self._crowd_layer((movement_class, size))

    def _map_bytes(self) -> list[bytes]:
        """What a hash of the state covers of the map: its shape, its costs, and what else there is."""
        grid, terrain = self._require_grid(), self._terrain
        assert terrain is not None
        found = [np.array(grid.cost.shape, dtype="<i8").tobytes(), grid.cost.tobytes()]
        if terrain.classes != (PLAIN,):
            for index, movement_class in enumerate(terrain.classes):
                found += [movement_class.name.encode(), np.ascontiguousarray(terrain.class_costs(index)).tobytes()]
            found.append(terrain.kinds.tobytes())
        if self._obstacles.obstacles or self._obstacles.doors:
            meta, patterns = self._obstacles.state()
            found += [terrain.kinds.tobytes(), repr(sorted(meta.items())).encode()]
            found += [patterns[name].tobytes() for name in sorted(patterns)]
        return found
