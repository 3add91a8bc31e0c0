"""The steering node of 3D games."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, Vector3, export

from .homing_grid_3d import HomingGrid3D
from .homing_steering import HomingSteering


class HomingSteering3D(HomingSteering, GodotObject, base="Node", icon="res://addons/pynav/icons/homing_steering_3d.svg"):
    """Makes its parent, a RigidBody3D or a CharacterBody3D, home on the sources of a HomingGrid3D.

    The body keeps its own physics and collisions; this node changes its velocity each tick, for all bodies of a grid at once.
    """

    grid: GodotObject | None = export(
        None,
        "Grid that it follows. Empty: the nearest one among the ancestors, else beside them.",
        node="HomingGrid3D",
        changed="_grid_property_changed",
    )
    top_speed: float = export(
        12.0, "Top speed.", range=(0.1, 4000.0, 0.01, "or_greater"), unit="m/s", group="Flight", changed="_flight_changed"
    )
    acceleration: float = export(
        36.0,
        "How hard it is pushed; top speed squared by this is the radius of its turns.",
        range=(0.0, 10000.0, 0.01, "or_greater"),
        unit="m/s²",
        group="Flight",
        changed="_flight_changed",
    )
    snap_distance: float = export(
        0.5,
        "A target of its own cell that is nearer than this is hit at once.",
        range=(0.0, 200.0, 0.01, "or_greater"),
        unit="m",
        group="Flight",
        changed="_flight_changed",
    )
    hit_radius: float = export(
        0.3,
        "Radius of the body: it hits where its way touches a target's radius.",
        range=(0.0, 200.0, 0.01, "or_greater"),
        unit="m",
        group="Flight",
        changed="_flight_changed",
    )

    def _is_own_grid(self, node: Any) -> bool:
        return isinstance(node, HomingGrid3D)

    def _is_body(self, node: Any) -> bool:
        return isinstance_of(node, "RigidBody3D") or isinstance_of(node, "CharacterBody3D")

    def _flat_velocity(self, body: Any) -> tuple[float, float]:
        velocity = body.linear_velocity if isinstance_of(body, "RigidBody3D") else body.velocity
        turned = self._grid.to_local(self._grid.global_position + velocity)
        return turned.x, turned.z

    def _give_velocity(self, body: Any, x: float, y: float) -> None:
        home = self._grid
        flat = home.to_global(Vector3(x, 0.0, y)) - home.global_position
        is_rigid = isinstance_of(body, "RigidBody3D")
        now = body.linear_velocity if is_rigid else body.velocity
        velocity = Vector3(flat.x, now.y + flat.y, flat.z) if abs(flat.y) < 1e-6 else Vector3(*flat)
        if is_rigid:
            body.linear_velocity = velocity
        else:
            body.velocity = velocity


def isinstance_of(node: Any, kind: str) -> bool:
    """Whether an engine object is of a class of the engine."""
    return bool(node.is_class(kind))
