"""What FlowFieldAgent2D and FlowFieldAgent3D share: the way of a body that the game moves by itself.

What leads and steers a body has the names of the engine's NavigationAgent2D/3D. Not there: navigation layers (a movement class
and a unit size instead), avoidance layers, masks and priorities, links; `waypoint_reached` gives the place alone. The way is a
shortest one over the map's tiles, pulled straight (pynav/crowd/waypoints.py). All agents with one target share its search.
After an edit of the map a way that is blocked is sought anew at once; one that may only have become longer than it need be
within half a second, not all in the same tick.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from addons.pynav.bridge import Color, GodotObject, export, is_editor, is_valid, method, signal
from pynav.crowd.crowd_profile import CrowdProfile
from pynav.crowd.waypoints import waypoints
from pynav.grid.clearance import anchor_offset, size_of_radius

from .agent_path_drawing import project_color
from .map_search import MapMember
from .telling import NodeError, tell, told

RENEW_SECONDS = 0.5
Point = tuple[float, float]


class FlowFieldAgent(MapMember, register=False):
    """Base of both agent nodes."""

    WHAT = "agent"

    path_changed = signal("The way was sought anew.")
    target_reached = signal("The body is within target_desired_distance of the target; once for each target.")
    navigation_finished = signal(
        "The way has come to its end: at the target, or at the place nearest to it that can be reached; once for each way."
    )
    unit_size: int = export(
        0,
        "Tiles a side that the body needs free; 0: the least that twice its radius fits in.",
        range=(0, 5),
        unit="tiles",
        group="Pathfinding",
        changed="_way_is_stale",
    )
    movement_class: str = export(
        "",
        "Movement class of the map that says what the ground costs it; empty: the first one.",
        group="Pathfinding",
        changed="_way_is_stale",
    )
    debug_enabled: bool = export(False, "Draw the way in the running game.", group="Debug", changed="_debug_changed")
    debug_use_custom: bool = export(
        False,
        "Draw it in debug_path_custom_color; off: in the colour of the project's navigation agents.",
        group="Debug",
        changed="_debug_changed",
    )
    debug_path_custom_color: Color = export(
        Color(1.0, 1.0, 1.0, 1.0), "Colour of the way with debug_use_custom.", group="Debug", changed="_debug_changed"
    )
    debug_path_custom_point_size: float = export(
        4.0,
        "Size of the way's corners; 0: none.",
        range=(0.0, 50.0, 0.01, "or_greater"),
        unit="px",
        group="Debug",
        changed="_debug_changed",
    )

    def __init__(self) -> None:
        super().__init__()
        self._has_target = False
        self._target: Any
        self._velocity: Any
        self._way: list[Point] = []  # tile coordinates, from where it was sought
        self._index = 0  # of the waypoint that the body goes to
        self._is_stale = True
        self._is_reachable = False
        self._is_finished = self._is_reached = False
        self._revision = -1
        self._waited = 0.0
        self._tile_length = 1.0
        self._has_velocity = False  # since the last tick
        self._drawing: Any = None

    # --- what the subclasses say

    def _is_body(self, node: Any) -> bool:
        raise NotImplementedError

    def _global_to_tile(self, place: Any) -> Point:
        """Tile coordinates of a global position."""
        raise NotImplementedError

    def _tile_to_global(self, x: float, y: float) -> Any:
        """Global position of tile coordinates."""
        raise NotImplementedError

    def _global_tile_length(self, home: Any) -> float:
        """Side of a square with a tile's area, in global units."""
        raise NotImplementedError

    def _submitted_velocity(self) -> Point:
        """The velocity that the game wants, in tiles a second."""
        raise NotImplementedError

    def _tell_velocity(self, x: float, y: float) -> None:
        """Emit the safe velocity, given in tiles a second."""
        raise NotImplementedError

    def _new_drawing(self) -> Any:
        """What draws the way."""
        raise NotImplementedError

    def _debug_line_width(self) -> float:
        """Of the way, pixels; below 0: a hair line."""
        return -1.0

    def _length(self, tiles: float) -> float:
        """A length in tiles as one of the engine's."""
        return tiles * self._tile_length

    def _tiles(self, length: float) -> float:
        return float(length) / self._tile_length

    # --- the map

    def _join(self, home: Any) -> None:
        self._tile_length = self._global_tile_length(home)
        self._way_is_stale()
        self._avoidance_changed()

    def _part(self, home: Any) -> None:
        self._way_is_stale()
        if home is not None:
            home._bodies.drop(self)

    def _is_usable(self, home: Any) -> bool:
        return home._world_or_none() is not None

    def _avoidance_changed(self) -> None:
        """Be one of those that crowds see and that see them, or none of them."""
        home = self._map
        if home is not None and is_valid(home):
            (home._bodies.add if self.avoidance_enabled else home._bodies.drop)(self)

    def _body(self) -> Any:
        parent = self.get_parent()
        if parent is None or not self._is_body(parent):
            raise NodeError(self._body_problem())
        return parent

    def _body_problem(self) -> str:
        kind = "Node" + type(self).__name__[-2:]
        return f"There is no body to lead: put this node below a {kind} (a CharacterBody{kind[-2:]}, a RigidBody{kind[-2:]})."

    def _get_configuration_warnings(self) -> list[str]:
        found = super()._get_configuration_warnings()
        parent = self.get_parent()
        if parent is None or not self._is_body(parent):
            found.append(self._body_problem())
        return found

    def _physics_process(self, delta: float) -> None:
        super()._physics_process(delta)
        self._waited += delta

    # --- the way

    def _way_is_stale(self) -> None:
        self._is_stale = True

    def _set_target(self, place: Any) -> None:
        if not all(math.isfinite(part) for part in place):
            self._has_target = False
            tell(self, NodeError(f"expected a target_position of finite numbers, got {tuple(place)}"))
            return
        self._target, self._has_target = place, True
        self._is_finished = self._is_reached = False
        self._is_stale = True

    avoidance_enabled: bool
    radius: float
    path_desired_distance: float
    target_desired_distance: float
    path_max_distance: float

    @property
    def _size(self) -> int:
        return self.unit_size or size_of_radius(self._tiles(self.radius))

    def _routes(self) -> Any:
        return self._joined_map()._need_world().routes_for(str(self.movement_class), self._size)

    def _seek(self, routes: Any) -> None:
        """Seek the way from where the body is."""
        self._is_stale, self._waited = False, 0.0
        self._tile_length = self._global_tile_length(self._joined_map())
        self._revision = routes.graph.revision
        offset = anchor_offset(self._size)
        start, end = (
            np.array(place, dtype=np.float32) - np.float32(offset) for place in (self._own_place(), self._target_place())
        )
        first = routes.graph.grid.nearest_free(int(start[0]), int(start[1]))
        last = (int(np.floor(end[0])), int(np.floor(end[1])))
        self._way, self._index = [], 0
        self._is_reachable = False
        if first is not None:
            self._is_reachable = routes.is_reachable(first, last)
            goal = last if self._is_reachable else routes.nearest_reachable(first, last)
            if goal is not None:
                path = routes.path(first, goal)
                if not self._is_reachable:
                    end = np.array(goal, dtype=np.float32) + np.float32(0.5)
                if first != (int(start[0]), int(start[1])):  # out of a wall first
                    start = np.array(first, dtype=np.float32) + np.float32(0.5)
                reach = CrowdProfile(1.0, self._tiles(self.radius), 0.0, size=self._size).wall_radius
                found = waypoints(routes.graph.grid, path, start, end, reach) + np.float32(offset)
                self._way = [(float(x), float(y)) for x, y in found]
                self._index = min(1, len(self._way) - 1)
        self._draw_way()
        self.path_changed.emit()

    # --- the way drawn

    def _debug_changed(self) -> None:
        if not self.debug_enabled and self._drawing is not None:
            self._drawing.free()
            self._drawing = None
        self._draw_way()

    def _draw_way(self) -> None:
        """Draw the way as it was sought last."""
        if not self.debug_enabled or is_editor() or not self.is_inside_tree():
            return
        if self._drawing is None:
            self._drawing = self._new_drawing()
        has_map = self._map is not None and is_valid(self._map)
        points = [self._tile_to_global(x, y) for x, y in self._way] if has_map else []
        color = self.debug_path_custom_color if self.debug_use_custom else project_color(type(self).__name__[-2:].lower())
        self._drawing.show(points, color, self._debug_line_width(), float(self.debug_path_custom_point_size))

    def _own_place(self) -> Point:
        return self._global_to_tile(self._body().global_position)

    def _target_place(self) -> Point:
        x, y = self._global_to_tile(self._target)
        grid = self._joined_map()._need_grid()
        return min(max(x, 0.0), grid.width - 1e-3), min(max(y, 0.0), grid.height - 1e-3)

    def _is_blocked(self, routes: Any, place: Point) -> bool:
        """Whether an edit has put something between the body and its next waypoint, or between those behind it."""
        tiles = [place, *self._way[self._index :]]
        offset = anchor_offset(self._size)
        ends = [(int(x - offset), int(y - offset)) for x, y in tiles]
        return any(not routes.has_line_of_sight(a, b) for a, b in itertools.pairwise(ends))

    def _advance(self) -> None:
        """Bring the way up to date, and go on to the next waypoint where the body is near to this one."""
        if not self._has_target or self._is_finished:
            return
        routes, place = self._routes(), self._own_place()
        if not self._is_stale and routes.graph.revision != self._revision:
            spread = (int(self.get_instance_id()) >> 8) % 16 / 16.0  # not all in one tick
            if self._waited > RENEW_SECONDS * (0.5 + spread) or self._is_blocked(routes, place):
                self._is_stale = True
        if not self._is_stale and self._way and self._strayed(place) > self._tiles(self.path_max_distance):
            self._is_stale = True
        if self._is_stale:
            self._seek(routes)
        while self._way and self._index < len(self._way) - 1:
            if _distance(place, self._way[self._index]) > self._tiles(self.path_desired_distance):
                break
            self._tell_waypoint(self._index)
            self._index += 1
        self._look_for_end(place)

    def _strayed(self, place: Point) -> float:
        """How far a body is from its way, tiles."""
        return _distance_to_piece(place, self._way[max(self._index - 1, 0)], self._way[self._index])

    def _look_for_end(self, place: Point) -> None:
        near = self._tiles(self.target_desired_distance)
        if self._is_reachable and not self._is_reached and _distance(place, self._target_place()) <= near:
            self._is_reached = True
            self.target_reached.emit()
        at_end = not self._way or (self._index == len(self._way) - 1 and _distance(place, self._way[-1]) <= near)
        if self._is_reached or at_end:
            self._is_finished = True
            self.navigation_finished.emit()

    def _tell_waypoint(self, index: int) -> None:
        raise NotImplementedError

    def _next_place(self) -> Any:
        """Where the body goes now; where it is without a target, or at its end."""
        self._advance()
        if not self._way or self._is_finished or not self._has_target:
            return self._body().global_position
        return self._tile_to_global(*self._way[self._index])

    def _final_place(self) -> Any:
        if self._has_target and self._is_stale:
            self._advance()
        return self._tile_to_global(*self._way[-1]) if self._way else self._body().global_position

    # --- asked by the game

    @method
    @told
    def distance_to_target(self) -> float:
        """Distance from the body to the target as the crow flies."""
        return self._length(_distance(self._own_place(), self._target_place()))

    @method
    @told
    def is_navigation_finished(self) -> bool:
        """Whether the way has come to its end, or there is no target."""
        self._advance()
        return self._is_finished or not self._has_target

    @method
    @told
    def is_target_reached(self) -> bool:
        """Whether the body came within target_desired_distance of the target, since it was set."""
        self._advance()
        return self._is_reached

    @method
    @told
    def is_target_reachable(self) -> bool:
        """Whether a way leads to the target. Else the body is led to the place nearest to it that can be reached."""
        if not self._has_target:
            return False
        if self._is_stale and not self._is_finished:
            self._advance()
        return self._is_reachable

    @method(const=True)
    def get_current_navigation_path_index(self) -> int:
        """Index in get_current_navigation_path() of the place that the body is led to."""
        return self._index

    @method
    @told
    def get_path_length(self) -> float:
        """Length of what is left of the way, from the body on."""
        self._advance()
        if not self._way or self._is_finished:
            return 0.0
        left = [self._own_place(), *self._way[self._index :]]
        return self._length(sum(_distance(a, b) for a, b in itertools.pairwise(left)))

    @method(const=True)
    def get_map_node(self) -> GodotObject | None:
        """The map that it finds its way on; null if it has none."""
        found: GodotObject | None = self._map if self._map is not None and is_valid(self._map) else self._find_map()
        return found


def _distance(a: Point, b: Point) -> float:
    return float(np.hypot(a[0] - b[0], a[1] - b[1]))


def _distance_to_piece(place: Point, a: Point, b: Point) -> float:
    """Distance of a place from a straight piece."""
    along = (b[0] - a[0], b[1] - a[1])
    squared = along[0] ** 2 + along[1] ** 2
    part = 0.0 if squared == 0.0 else ((place[0] - a[0]) * along[0] + (place[1] - a[1]) * along[1]) / squared
    part = min(max(part, 0.0), 1.0)
    return _distance(place, (a[0] + part * along[0], a[1] + part * along[1]))
