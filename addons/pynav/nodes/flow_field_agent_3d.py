"""The agent node of 3D games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, PackedVector3Array, Vector3, export, exported_property, method, signal

from .agent_path_drawing import PathDrawing3D
from .flow_field_agent import FlowFieldAgent, Point
from .flow_field_map_3d import FlowFieldMap3D
from .telling import told


class FlowFieldAgent3D(FlowFieldAgent, GodotObject, base="Node", icon="res://addons/pynav/icons/flow_field_agent_3d.svg"):
    """Leads its parent, a body that the game moves by itself, over a FlowFieldMap3D: what NavigationAgent3D is to a region.

    Set target_position, and each physics frame move towards get_next_path_position() until is_navigation_finished(). With
    avoidance_enabled the map's crowds see the body and are pushed aside by it; set velocity each frame to what is wanted, and
    move by what velocity_computed gives. For hundreds of units and more use a FlowFieldCrowd3D: it needs no script a unit.
    Distances are measured on the map's plane: heights don't count.
    """

    waypoint_reached = signal("The body came to a corner of its way, at this global position.", position=Vector3)
    velocity_computed = signal(
        "The velocity, near to the one that was set, with which nobody is run into; what it had across the map's plane it keeps.",
        safe_velocity=Vector3,
    )

    map: GodotObject | None = export(
        None,
        "Map to find ways on. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap3D",
        changed="_map_property_changed",
    )
    path_desired_distance: float = export(
        1.0,
        "So near to a corner of its way the body goes on to the next one.",
        range=(0.01, 100.0, 0.01, "or_greater"),
        unit="m",
        group="Pathfinding",
    )
    target_desired_distance: float = export(
        1.0,
        "So near to the target the body has reached it.",
        range=(0.01, 100.0, 0.01, "or_greater"),
        unit="m",
        group="Pathfinding",
    )
    path_max_distance: float = export(
        5.0,
        "A body that was pushed so far from its way has a new one sought.",
        range=(0.01, 100.0, 0.1, "or_greater"),
        unit="m",
        group="Pathfinding",
    )
    path_height_offset: float = export(
        0.0,
        "How far above the ground the places of the way are.",
        range=(-100.0, 100.0, 0.01, "or_greater", "or_less"),
        unit="m",
        group="Pathfinding",
    )
    avoidance_enabled: bool = export(
        False,
        "Have the map's crowds see the body and make room for it, and velocity_computed answer.",
        group="Avoidance",
        changed="_avoidance_changed",
    )
    radius: float = export(
        0.4,
        "Radius of the body: it is led so far past corners, and keeps others so far off.",
        range=(0.01, 100.0, 0.01, "or_greater"),
        unit="m",
        group="Avoidance",
        changed="_way_is_stale",
    )
    max_speed: float = export(
        10.0, "No safe velocity is faster.", range=(0.01, 10000.0, 0.01, "or_greater"), unit="m/s", group="Avoidance"
    )

    @exported_property(default=Vector3(), usage=0)
    def target_position(self) -> Vector3:
        """Where the body is to go, a global position; set it to go there."""
        found: Vector3 = self._target
        return found

    @target_position.setter  # type: ignore[no-redef]
    def target_position(self, place: Vector3) -> None:
        self._set_target(place)

    @exported_property(default=Vector3(), usage=0)
    def velocity(self) -> Vector3:
        """How the body wants to move. Each time that it is set, velocity_computed answers after the next tick of the map."""
        found: Vector3 = self._velocity
        return found

    @velocity.setter  # type: ignore[no-redef]
    def velocity(self, wanted: Vector3) -> None:
        self._velocity, self._has_velocity = wanted, True

    def __init__(self) -> None:
        super().__init__()
        self._target = self._velocity = Vector3()

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap3D)

    def _is_body(self, node: Any) -> bool:
        return bool(node.is_class("Node3D"))

    def _global_to_tile(self, place: Any) -> Point:
        home = self._joined_map()
        local = home.to_local(place)
        found: Point = home._plane.to_tile(local.x, local.z)
        return found

    def _tile_to_global(self, x: float, y: float) -> Vector3:
        home = self._joined_map()
        across, along = home._plane.to_local(x, y)
        height = float(home._heights_at(np.array([[x, y]], dtype=np.float32))[0])
        return Vector3(*home.to_global(Vector3(across, height + self.path_height_offset, along)))

    def _axes(self, home: Any) -> tuple[Vector3, Vector3]:
        """What a tile to the right and one down are in global space."""
        (x, _, z), _ = home.global_transform
        (right_x, right_z), (down_x, down_z) = home._plane.x_axis, home._plane.y_axis
        return (
            Vector3(x.x * right_x + z.x * right_z, x.y * right_x + z.y * right_z, x.z * right_x + z.z * right_z),
            Vector3(x.x * down_x + z.x * down_z, x.y * down_x + z.y * down_z, x.z * down_x + z.z * down_z),
        )

    def _new_drawing(self) -> PathDrawing3D:
        return PathDrawing3D(self)

    def _global_tile_length(self, home: Any) -> float:
        right, down = (np.array(tuple(axis)) for axis in self._axes(home))
        return math.sqrt(float(np.linalg.norm(np.cross(right, down))))

    def _matrix(self) -> Any:
        """float64 (3, 2): from tiles to global vectors on the plane."""
        right, down = self._axes(self._joined_map())
        return np.array([tuple(right), tuple(down)], dtype=np.float64).T

    def _submitted_velocity(self) -> Point:
        matrix = self._matrix()
        x, y = np.linalg.solve(matrix.T @ matrix, matrix.T @ np.array(tuple(self._velocity)))
        return float(x), float(y)

    def _tell_velocity(self, x: float, y: float) -> None:
        matrix = self._matrix()
        wanted = np.array(tuple(self._velocity))
        across = wanted - matrix @ np.array(self._submitted_velocity())
        self.velocity_computed.emit(Vector3(*(matrix @ np.array([x, y]) + across).tolist()))

    def _tell_waypoint(self, index: int) -> None:
        self.waypoint_reached.emit(self._tile_to_global(*self._way[index]))

    @method
    @told
    def get_next_path_position(self) -> Vector3:
        """Global position to move to now; call it once each physics frame, for it also keeps the way up to date. The body's own
        position where there is no target, no way, or the way is at its end.
        """
        return Vector3(*self._next_place())

    @method
    @told
    def get_final_position(self) -> Vector3:
        """Global position where the way ends: the target, or the place nearest to it that can be reached."""
        return Vector3(*self._final_place())

    @method(const=True)
    @told
    def get_current_navigation_path(self) -> PackedVector3Array:
        """The way as global positions, from where it was sought to its end."""
        return PackedVector3Array([self._tile_to_global(x, y) for x, y in self._way])
