"""The steering node of 3D games."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, export

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
