"""The agent node of 2D games."""

from __future__ import annotations

import math
from typing import Any

from addons.pynav.bridge import GodotObject, PackedVector2Array, Vector2, export, exported_property, method, signal

from .agent_path_drawing import PathDrawing2D
from .flow_field_agent import FlowFieldAgent, Point
from .flow_field_map_2d import FlowFieldMap2D
from .telling import told


class FlowFieldAgent2D(FlowFieldAgent, GodotObject, base="Node", icon="res://addons/pynav/icons/flow_field_agent_2d.svg"):
    """Leads its parent, a body that the game moves by itself, over a FlowFieldMap2D: what NavigationAgent2D is to a region.

    Set target_position, and each physics frame move towards get_next_path_position() until is_navigation_finished(). With
    avoidance_enabled the map's crowds see the body and are pushed aside by it; set velocity each frame to what is wanted, and
    move by what velocity_computed gives. For hundreds of units and more use a FlowFieldCrowd2D: it needs no script a unit.
    """

    waypoint_reached = signal("The body came to a corner of its way, at this global position.", position=Vector2)
    velocity_computed = signal(
        "The velocity, near to the one that was set, with which nobody is run into.", safe_velocity=Vector2
    )

    map: GodotObject | None = export(
        None,
        "Map to find ways on. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap2D",
        changed="_map_property_changed",
    )
    path_desired_distance: float = export(
        20.0,
        "So near to a corner of its way the body goes on to the next one.",
        range=(0.1, 1000.0, 0.01, "or_greater"),
        unit="px",
        group="Pathfinding",
    )
    target_desired_distance: float = export(
        10.0,
        "So near to the target the body has reached it.",
        range=(0.1, 1000.0, 0.01, "or_greater"),
        unit="px",
        group="Pathfinding",
    )
    path_max_distance: float = export(
        100.0,
        "A body that was pushed so far from its way has a new one sought.",
        range=(10.0, 1000.0, 1.0, "or_greater"),
        unit="px",
        group="Pathfinding",
    )
    avoidance_enabled: bool = export(
        False,
        "Have the map's crowds see the body and make room for it, and velocity_computed answer.",
        group="Avoidance",
        changed="_avoidance_changed",
    )
    radius: float = export(
        6.0,
        "Radius of the body: it is led so far past corners, and keeps others so far off.",
        range=(0.1, 500.0, 0.01, "or_greater"),
        unit="px",
        group="Avoidance",
        changed="_way_is_stale",
    )
    max_speed: float = export(
        100.0, "No safe velocity is faster.", range=(0.01, 10000.0, 0.01, "or_greater"), unit="px/s", group="Avoidance"
    )

    debug_path_custom_line_width: float = export(
        -1.0,
        "Width of the way with debug_use_custom; below 0: a hair line whatever the zoom.",
        range=(-1.0, 50.0, 0.01, "or_greater"),
        unit="px",
        group="Debug",
        changed="_debug_changed",
    )

    @exported_property(default=Vector2(), usage=0)
    def target_position(self) -> Vector2:
        """Where the body is to go, a global position; set it to go there."""
        found: Vector2 = self._target
        return found

    @target_position.setter  # type: ignore[no-redef]
    def target_position(self, place: Vector2) -> None:
        self._set_target(place)

    @exported_property(default=Vector2(), usage=0)
    def velocity(self) -> Vector2:
        """How the body wants to move. Each time that it is set, velocity_computed answers after the next tick of the map."""
        found: Vector2 = self._velocity
        return found

    @velocity.setter  # type: ignore[no-redef]
    def velocity(self, wanted: Vector2) -> None:
        self._velocity, self._has_velocity = wanted, True

    def __init__(self) -> None:
        super().__init__()
        self._target = self._velocity = Vector2()

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap2D)

    def _is_body(self, node: Any) -> bool:
        return bool(node.is_class("Node2D"))

    def _global_to_tile(self, place: Any) -> Point:
        home = self._joined_map()
        local = home.to_local(place)
        found: Point = home._plane.to_tile(local.x, local.y)
        return found

    def _tile_to_global(self, x: float, y: float) -> Vector2:
        home = self._joined_map()
        return Vector2(*home.to_global(Vector2(*home._plane.to_local(x, y))))

    def _new_drawing(self) -> PathDrawing2D:
        return PathDrawing2D(self)

    def _debug_line_width(self) -> float:
        return float(self.debug_path_custom_line_width) if self.debug_use_custom else -1.0

    def _axes(self, home: Any) -> tuple[Vector2, Vector2]:
        """What a tile to the right and one down are in global space."""
        x, y, _ = home.global_transform
        plane = home._plane.moved((x.x, x.y), (y.x, y.y), (0.0, 0.0))
        return Vector2(*plane.x_axis), Vector2(*plane.y_axis)

    def _global_tile_length(self, home: Any) -> float:
        right, down = self._axes(home)
        return math.sqrt(abs(right.x * down.y - right.y * down.x))

    def _submitted_velocity(self) -> Point:
        right, down = self._axes(self._joined_map())
        factor = 1.0 / (right.x * down.y - right.y * down.x)
        along = self._velocity
        return (along.x * down.y - along.y * down.x) * factor, (along.y * right.x - along.x * right.y) * factor

    def _tell_velocity(self, x: float, y: float) -> None:
        right, down = self._axes(self._joined_map())
        self.velocity_computed.emit(Vector2(x * right.x + y * down.x, x * right.y + y * down.y))

    def _tell_waypoint(self, index: int) -> None:
        self.waypoint_reached.emit(self._tile_to_global(*self._way[index]))

    @method
    @told
    def get_next_path_position(self) -> Vector2:
        """Global position to move to now; call it once each physics frame, for it also keeps the way up to date. The body's own
        position where there is no target, no way, or the way is at its end.
        """
        return Vector2(*self._next_place())

    @method
    @told
    def get_final_position(self) -> Vector2:
        """Global position where the way ends: the target, or the place nearest to it that can be reached."""
        return Vector2(*self._final_place())

    @method(const=True)
    @told
    def get_current_navigation_path(self) -> PackedVector2Array:
        """The way as global positions, from where it was sought to its end."""
        return PackedVector2Array([self._tile_to_global(x, y) for x, y in self._way])
