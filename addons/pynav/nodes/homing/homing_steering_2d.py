"""The steering node of 2D games."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, export

from .homing_grid_2d import HomingGrid2D
from .homing_steering import HomingSteering


class HomingSteering2D(HomingSteering, GodotObject, base="Node", icon="res://addons/pynav/icons/homing_steering_2d.svg"):
    """Makes its parent, a RigidBody2D or a CharacterBody2D, home on the sources of a HomingGrid2D.

    The body keeps its own physics and collisions; this node changes its velocity each tick, for all bodies of a grid at once.
    """

    grid: GodotObject | None = export(
        None,
        "Grid that it follows. Empty: the nearest one among the ancestors, else beside them.",
        node="HomingGrid2D",
        changed="_grid_property_changed",
    )
    top_speed: float = export(
        400.0, "Top speed.", range=(0.1, 4000.0, 0.01, "or_greater"), unit="px/s", group="Flight", changed="_flight_changed"
    )
    acceleration: float = export(
        1200.0,
        "How hard it is pushed; top speed squared by this is the radius of its turns.",
        range=(0.0, 10000.0, 0.01, "or_greater"),
        unit="px/s²",
        group="Flight",
        changed="_flight_changed",
    )
    snap_distance: float = export(
        16.0,
        "A target of its own cell that is nearer than this is hit at once.",
        range=(0.0, 200.0, 0.01, "or_greater"),
        unit="px",
        group="Flight",
        changed="_flight_changed",
    )
    hit_radius: float = export(
        8.0,
        "Radius of the body: it hits where its way touches a target's radius.",
        range=(0.0, 200.0, 0.01, "or_greater"),
        unit="px",
        group="Flight",
        changed="_flight_changed",
    )

    def _is_own_grid(self, node: Any) -> bool:
        return isinstance(node, HomingGrid2D)
