"""What stands on a map besides its costs: kinds of terrain and their classes, doors, and the obstacles that nodes put there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Array, GodotObject, Rect2i, Vector2i, constant, export, is_valid, method
from pynav.grid import exits
from pynav.world import World

from .movement_class import FlowFieldMovementClass, core_classes
from .telling import NodeError, told


class MapTerrain(GodotObject, register=False):
    """Classes, doors and obstacles of a map node."""

    movement_classes: Array = export(
        [],
        "What each kind of terrain costs whom. Empty: the numbers of the tiles are costs, the same for all. Else they are kinds "
        "of terrain, and each class says what they cost it; crowds and queries that name none take the first.",
        array_of=FlowFieldMovementClass,
        group="Movement Classes",
        changed="_source_changed",
    )

    EXIT_EAST = constant(exits.EAST, "The exit of a tile to the next one in x, for add_one_way().")
    EXIT_SOUTH = constant(exits.SOUTH, "The exit of a tile to the next one in y, for add_one_way().")
    EXIT_WEST = constant(exits.WEST, "The exit of a tile to the one before in x, for add_one_way().")
    EXIT_NORTH = constant(exits.NORTH, "The exit of a tile to the one before in y, for add_one_way().")

    _need_world: Any
    _need_grid: Any
    _changed: Any
    _fill: Any
    _world: World | None

    def __init__(self) -> None:
        super().__init__()
        self._obstacle_nodes: list[Any] = []

    def _new_world(self, seed: int) -> World:
        """A world with the classes, and with the doors, obstacles, buildings and waiting queries of the one before it."""
        world = World(seed=seed)
        world.set_movement_classes(core_classes(list(self.movement_classes)))
        if self._world is not None:
            world.keep_obstacles_of(self._world)
            world.buildings.load(self._world.buildings.table)
            world.keep_requests_of(self._world)
        return world

    def _class_names(self) -> list[str]:
        """Names of the movement classes in the property."""
        return [str(resource.name) for resource in self.movement_classes if resource is not None]

    def _class_problem(self) -> str:
        """What is wrong with the movement classes; empty if nothing."""
        for place, resource in enumerate(self.movement_classes):
            if resource is None:
                return f"Place {place} of the movement classes is empty: put a FlowFieldMovementClass there."
            if not resource.name:
                return f"The movement class at place {place} has no name: set its `name`."
        return ""

    # --- terrain

    @method
    @told
    def set_terrain_rect(self, rect: Rect2i, kind: int) -> bool:
        """Set the kind of terrain of all tiles of a rectangle, 0 to 255; what lies outside the map is left out. True if anything
        changed. The movement classes say what it costs whom; without any, a kind is its own cost, as with set_cost_rect().
        """
        return bool(self._fill(rect, kind))

    @method(const=True)
    @told
    def get_terrain_kind(self, tile: Vector2i) -> int:
        """The number of a tile as it was painted or set, whatever stands on it: its kind of terrain, or without movement classes
        its cost; 0 outside the map.
        """
        world = self._need_world()
        return int(world.kinds[tile.y, tile.x]) if self._need_grid().contains(tile.x, tile.y) else 0

    @method(const=True)
    @told
    def get_cost(self, tile: Vector2i, movement_class: str = "") -> int:
        """What a tile costs a class (the first if none is named), with obstacles and doors: 0 solid (and outside the map), 1 to
        255.
        """
        grid = self._need_world().routes_for(str(movement_class)).graph.grid if movement_class else self._need_grid()
        return int(grid.cost[tile.y, tile.x]) if grid.contains(tile.x, tile.y) else 0

    # --- doors

    @method
    @told
    def add_door(self, name: str, rect: Rect2i, open: bool = False, open_for: Array = ()) -> bool:  # type: ignore[assignment]
        """Add a door: a rectangle of tiles that is solid while closed, and what the map says while open. open_for are the names
        of movement classes that pass even if it is closed. Opening and closing rebuilds nothing but what it touches, and crowds
        that wait set off by themselves. True if it was added.

        Doors stay when the map is made anew.
        """
        world = self._need_world()
        (x, y), (columns, rows) = rect
        world.add_door(name, x, y, columns, rows, open, [str(found) for found in open_for])
        self._changed(x, y, columns, rows)
        return True

    @method
    @told
    def set_door_open(self, name: str, open: bool, movement_classes: Array = ()) -> bool:  # type: ignore[assignment]
        """Open or close a door, for some movement classes (names) or for all. True if that changed anything."""
        world = self._need_world()
        names = [str(found) for found in movement_classes]
        turned = bool(world.set_door_open(name, open, names or None))
        if turned:
            self._changed(*world.door_rect(name))
        return turned

    @method(const=True)
    @told
    def is_door_open(self, name: str, movement_class: str = "") -> bool:
        """Whether a door is open for a movement class (the first if none is named)."""
        return bool(self._need_world().is_door_open(name, str(movement_class)))

    @method
    @told
    def remove_door(self, name: str) -> bool:
        """Take a door out of its frame: the tiles are open to all."""
        world = self._need_world()
        rect = world.door_rect(name)
        world.remove_door(name)
        self._changed(*rect)
        return True

    @method(const=True)
    @told
    def get_door_names(self) -> list[Any]:
        """Names of all doors, in the order in which they were added."""
        return list(self._need_world().doors)

    # --- one-way tiles

    @method
    @told
    def add_one_way(self, name: str, rect: Rect2i, closed_exits: int, movement_classes: Array = ()) -> bool:  # type: ignore[assignment]
        """Close exits of the tiles of a rectangle, to some movement classes (names) or to all: who stands there can't leave that
        way, who comes from there still gets in. EXIT_NORTH along a row of tiles is a ledge to be jumped down; one exit of a
        tile in a gap is a gate that opens one way; all exits but one are a conveyor. closed_exits is a sum of EXIT_EAST,
        EXIT_SOUTH, EXIT_WEST and EXIT_NORTH (of tiles: north is up on an unturned map). True if it was added.

        Ways, distances and orders go by it, and a closed exit is a wall to who stands before it. Units may be pushed over a
        border that is open to them. What several close adds up. One-way tiles stay when the map is made anew, and are part
        of a saved state. See also FlowFieldOneWay2D and FlowFieldOneWay3D, which follow their node.
        """
        world = self._need_world()
        (x, y), (columns, rows) = rect
        if not name:
            raise NodeError("one-way tiles need a name")
        if columns < 1 or rows < 1:
            raise NodeError(f"one-way tiles need a rectangle of one tile or more, got {columns} x {rows}")
        tiles: npt.NDArray[np.bool_] = np.ones((rows, columns), dtype=np.bool_)
        world.add_one_way(x, y, tiles, closed_exits, [str(found) for found in movement_classes] or None, str(name))
        self._tell_rect((x, y, columns, rows))
        return True

    @method
    @told
    def remove_one_way(self, name: str) -> bool:
        """Open the exits again that add_one_way() closed under this name."""
        names = self._need_world().one_ways
        if name not in names:
            raise NodeError(f"there are no one-way tiles {name!r}; there are: {', '.join(map(repr, names)) or 'none'}")
        self._lift_obstacle(names[name])
        return True

    @method(const=True)
    @told
    def get_one_way_names(self) -> list[Any]:
        """Names of all one-way tiles, in the order in which they were added."""
        return list(self._need_world().one_ways)

    @method(const=True)
    @told
    def get_closed_exits(self, tile: Vector2i, movement_class: str = "") -> int:
        """The exits of a tile that are closed to a movement class (the first if none is named): a sum of EXIT_EAST, EXIT_SOUTH,
        EXIT_WEST and EXIT_NORTH; 0 outside the map.
        """
        grid = self._need_world().routes_for(str(movement_class)).graph.grid if movement_class else self._need_grid()
        return int(grid.closed_exits[tile.y, tile.x]) if grid.contains(tile.x, tile.y) else 0

    # --- obstacles (called by the obstacle nodes)

    def _lay_obstacle(
        self,
        number: int | None,
        place: tuple[int, int],
        tiles: npt.NDArray[np.bool_],
        extra_cost: int,
        classes: list[str],
        closed_exits: int = 0,
    ) -> int:
        """Put an obstacle down, or elsewhere; its number. An extra cost of 0 blocks, unless it closes exits."""
        world = self._need_world()
        if number is not None and number in world.obstacles:
            before = world.obstacle_rect(number)
            if world.move_obstacle(number, *place, tiles):
                self._tell_rect(before)
                self._tell_rect((*place, tiles.shape[1], tiles.shape[0]))
            return number
        if closed_exits:
            number = int(world.add_one_way(*place, tiles, closed_exits, classes or None))
        else:
            number = int(world.add_obstacle(*place, tiles, extra_cost or None, classes or None))
        self._tell_rect((*place, tiles.shape[1], tiles.shape[0]))
        return number

    def _lift_obstacle(self, number: int) -> None:
        """Take an obstacle away, if it is there and the map still is."""
        world = self._world
        if world is not None and number in world.obstacles:
            rect = world.obstacle_rect(number)
            world.remove_obstacle(number)
            self._tell_rect(rect)

    def _tell_rect(self, rect: tuple[int, int, int, int]) -> None:
        """Say that tiles changed: the part of a rectangle that lies in the map."""
        grid = self._need_grid()
        left, top = max(rect[0], 0), max(rect[1], 0)
        right, low = min(rect[0] + rect[2], grid.width), min(rect[1] + rect[3], grid.height)
        if left < right and top < low:
            self._changed(left, top, right - left, low - top)

    def _restore_obstacles(self) -> None:
        """After a saved state was restored: obstacles are where their nodes are now, and others are gone."""
        world = self._need_world()
        self._obstacle_nodes = [node for node in self._obstacle_nodes if is_valid(node)]
        known = {*(node._number for node in self._obstacle_nodes), *world.one_ways.values()}
        for number in world.obstacles:
            if number not in known:
                world.remove_obstacle(number)
        for node in self._obstacle_nodes:
            node._lay_again()
