"""Obstacles, one-way tiles and doors: what blocks tiles, makes them dearer or closes exits, for as long as it is there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid.clearance import Rect
from pynav.grid.errors import GridError
from pynav.grid.exits import ALL_EXITS
from pynav.grid.terrain import BLOCKED, Terrain

Classes = tuple[int, ...]


@dataclass
class Obstacle:
    """Tiles that are covered now, and what that costs whom."""

    x: int
    y: int
    tiles: npt.NDArray[np.bool_]  # (rows, columns)
    amount: int  # BLOCKED, or what is added to the cost; 0 for one-way tiles
    classes: Classes
    closed_exits: int = 0  # of one-way tiles, bits of exits.py
    name: str = ""  # of one-way tiles, if they have one


@dataclass
class Door:
    """A rectangle of tiles, and the classes that it is closed for."""

    rect: Rect
    closed_for: set[int] = field(default_factory=set)


class Obstacles:
    """All obstacles and doors of a map, by number and by name.

    Their burdens are on the terrain last given to ``put_on``. Methods return the rectangles of tiles that changed, perhaps with
    an empty one.
    """

    def __init__(self) -> None:
        self.obstacles: dict[int, Obstacle] = {}
        self.doors: dict[str, Door] = {}
        self._next_number = 0
        self._terrain: Terrain | None = None

    @property
    def class_count(self) -> int:
        """How many of the first classes obstacles and doors name."""
        named = [*(o.classes for o in self.obstacles.values()), *(tuple(d.closed_for) for d in self.doors.values())]
        return max((max(classes, default=-1) + 1 for classes in named), default=0)

    def put_on(self, terrain: Terrain) -> None:
        """Lay all burdens on a terrain that bears none yet."""
        self._terrain = terrain
        for obstacle in self.obstacles.values():
            self._lay(obstacle, 1)
        for door in self.doors.values():
            self._burden_door(door, BLOCKED, door.closed_for)

    def add(self, x: int, y: int, tiles: npt.ArrayLike, extra_cost: int | None, classes: Iterable[int]) -> tuple[int, list[Rect]]:
        """Put an obstacle on tiles; its number (counted up, never used again) and what changed.

        Args:
            x: column of the left edge of ``tiles``; parts outside the map count for nothing.
            y: row of its top edge.
            tiles: truth values (rows, columns): which tiles are covered.
            extra_cost: 1..255 to be added to the cost of each; None: they are solid.
            classes: indices of the classes that it concerns.

        Raises:
            GridError: no map yet, tiles of another shape, or an extra cost out of range.
        """
        if extra_cost is not None and not 1 <= extra_cost <= 255:
            raise GridError(f"an obstacle's extra cost is 1 to 255, or None where it blocks, got {extra_cost}")
        amount = BLOCKED if extra_cost is None else int(extra_cost)
        return self._add(Obstacle(int(x), int(y), _checked_tiles(tiles), amount, tuple(sorted(set(classes)))))

    def add_one_way(
        self, x: int, y: int, tiles: npt.ArrayLike, closed_exits: int, classes: Iterable[int], name: str = ""
    ) -> tuple[int, list[Rect]]:
        """Close exits of tiles; a number as of ``add``, to be moved and removed as an obstacle is, and what changed.

        Raises:
            GridError: no map yet, tiles of another shape, no exits of exits.py, or a name that is taken.
        """
        if name and name in self.one_ways:
            raise GridError(f"there are one-way tiles {name!r} already")
        if not isinstance(closed_exits, int) or not 1 <= closed_exits <= ALL_EXITS:
            raise GridError(
                f"closed exits are 1 to {ALL_EXITS} (east 1, south 2, west 4, north 8, added up), got {closed_exits!r}"
            )
        return self._add(Obstacle(int(x), int(y), _checked_tiles(tiles), 0, tuple(sorted(set(classes))), closed_exits, name))

    @property
    def one_ways(self) -> dict[str, int]:
        """The numbers of one-way tiles by their names, for those that have one."""
        return {o.name: number for number, o in self.obstacles.items() if o.name}

    def _add(self, obstacle: Obstacle) -> tuple[int, list[Rect]]:
        rect = self._lay(obstacle, 1)
        number = self._next_number
        self._next_number += 1
        self.obstacles[number] = obstacle
        return number, [rect]

    def move(self, number: int, x: int, y: int, tiles: npt.ArrayLike | None = None) -> list[Rect]:
        """Let an obstacle cover other tiles (None: a pattern as before). GridError for an unknown number."""
        obstacle = self.obstacle(number)
        pattern = obstacle.tiles if tiles is None else _checked_tiles(tiles)
        if (obstacle.x, obstacle.y) == (x, y) and np.array_equal(pattern, obstacle.tiles):
            return []
        left = self._lay(obstacle, -1)
        obstacle.x, obstacle.y, obstacle.tiles = int(x), int(y), pattern
        return [left, self._lay(obstacle, 1)]

    def remove(self, number: int) -> list[Rect]:
        """Take an obstacle away. GridError for an unknown number."""
        rect = self._lay(self.obstacle(number), -1)
        del self.obstacles[number]
        return [rect]

    def add_door(self, name: str, rect: Rect, closed_for: Iterable[int]) -> list[Rect]:
        """Add a door. GridError for a name that is taken, an empty rectangle or one that is not inside the map."""
        terrain = self._need_terrain()
        if not isinstance(name, str) or not name:
            raise GridError(f"a door needs a name, got {name!r}")
        if name in self.doors:
            raise GridError(f"there is a door {name!r} already")
        x, y, columns, rows = rect
        height, width = terrain.kinds.shape
        if columns < 1 or rows < 1 or x < 0 or y < 0 or x + columns > width or y + rows > height:
            raise GridError(
                f"door {name!r}: expected a rectangle within {width} x {height} tiles, got {columns} x {rows} at ({x}, {y})"
            )
        door = self.doors[name] = Door((int(x), int(y), int(columns), int(rows)), set(closed_for))
        return self._burden_door(door, BLOCKED, door.closed_for)

    def set_door_open(self, name: str, is_open: bool, classes: Iterable[int]) -> list[Rect]:
        """Open or close a door for some classes. GridError for an unknown name."""
        door = self.door(name)
        asked = set(classes)
        turned = asked & door.closed_for if is_open else asked - door.closed_for
        if not turned:
            return []
        door.closed_for ^= turned
        return self._burden_door(door, -BLOCKED if is_open else BLOCKED, turned)

    def remove_door(self, name: str) -> list[Rect]:
        """Take a door out of its frame: the tiles are open to all. GridError for an unknown name."""
        door = self.door(name)
        del self.doors[name]
        return self._burden_door(door, -BLOCKED, door.closed_for)

    def door(self, name: str) -> Door:
        """The door of a name. GridError, with the names there are, for another."""
        if name not in self.doors:
            names = ", ".join(map(repr, sorted(self.doors))) or "none"
            raise GridError(f"there is no door {name!r}; there are: {names}")
        return self.doors[name]

    def obstacle(self, number: int) -> Obstacle:
        """The obstacle of a number. GridError for another."""
        if number not in self.obstacles:
            raise GridError(f"there is no obstacle {number!r}")
        return self.obstacles[number]

    def _lay(self, obstacle: Obstacle, sign: int) -> Rect:
        terrain, o = self._need_terrain(), obstacle
        if o.closed_exits:
            return terrain.close_exits(o.x, o.y, o.tiles, o.closed_exits, sign, o.classes)
        return terrain.add_burden(o.x, o.y, o.tiles, sign * o.amount, o.classes)

    def _burden_door(self, door: Door, amount: int, classes: set[int]) -> list[Rect]:
        x, y, columns, rows = door.rect
        tiles: npt.NDArray[np.bool_] = np.ones((rows, columns), dtype=np.bool_)
        return [self._need_terrain().add_burden(x, y, tiles, amount, sorted(classes))] if classes else []

    def _need_terrain(self) -> Terrain:
        if self._terrain is None:
            raise GridError("there is no map yet: call set_grid first")
        return self._terrain

    def for_classes(self, new_index: dict[int, int], old_count: int, new_count: int) -> Obstacles:
        """The same obstacles and doors for other classes: ``new_index`` of each old one that is still there. What concerned all
        old classes concerns all new ones.
        """

        def translated(classes: Iterable[int]) -> tuple[int, ...]:
            known = set(classes)
            if len(known) == old_count:
                return tuple(range(new_count))
            return tuple(sorted(new_index[index] for index in known if index in new_index))

        found = Obstacles()
        found._next_number = self._next_number
        for number, o in self.obstacles.items():
            found.obstacles[number] = replace(o, classes=translated(o.classes))
        for name, door in self.doors.items():
            found.doors[name] = Door(door.rect, set(translated(door.closed_for)))
        return found

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """What a snapshot needs."""
        meta: dict[str, Any] = {
            "next": self._next_number,
            "obstacles": [_entry(number, o) for number, o in self.obstacles.items()],
            "doors": [[name, list(door.rect), sorted(door.closed_for)] for name, door in self.doors.items()],
        }
        return meta, {f"obstacle_{number}": o.tiles.astype(np.uint8) for number, o in self.obstacles.items()}


def loaded_obstacles(meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> Obstacles:
    """The obstacles that ``state`` was asked of, on no terrain yet."""
    found = Obstacles()
    found._next_number = meta["next"]
    for number, x, y, amount, classes, *exits in meta["obstacles"]:
        found.obstacles[number] = Obstacle(x, y, arrays[f"obstacle_{number}"] != 0, amount, tuple(classes), *exits)
    for name, rect, closed_for in meta["doors"]:
        found.doors[name] = Door(tuple(rect), set(closed_for))
    return found


def _entry(number: int, o: Obstacle) -> list[Any]:
    """An obstacle in a snapshot, but for its tiles; the exits of one-way tiles come last."""
    return [number, o.x, o.y, o.amount, list(o.classes), *([o.closed_exits, o.name] if o.closed_exits else [])]


def _checked_tiles(tiles: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """The pattern as truth values (rows, columns)."""
    pattern = np.array(tiles, dtype=np.bool_)
    if pattern.ndim != 2 or pattern.size == 0:
        raise GridError(f"an obstacle covers tiles (rows, columns), one or more; got shape {pattern.shape}")
    return pattern
