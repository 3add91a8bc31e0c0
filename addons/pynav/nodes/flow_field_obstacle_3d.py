"""The obstacle node of 3D games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, Vector2, Vector3, export

from .flow_field_map_3d import FlowFieldMap3D
from .flow_field_obstacle import CIRCLE_CORNERS, FlowFieldObstacle


class FlowFieldObstacle3D(
    FlowFieldObstacle, GodotObject, base="Node3D", icon="res://addons/pynav/icons/flow_field_obstacle_3d.svg"
):
    """Something that stands in the way of crowds on a FlowFieldMap3D, and may move: a building, a wreck, a cart.

    The tiles that its outline reaches into, seen from above, are solid for as long as it is there, or cost more. It follows its
    node, whatever moves, turns or scales it; the map is edited only when it covers other tiles. It is gone when the node is
    freed, hidden or disabled, and what lies beneath is then as it was, with all that the game changed there meanwhile.
    """

    map: GodotObject | None = export(
        None,
        "Map on which it stands. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap3D",
        changed="_map_property_changed",
    )
    size: Vector2 = export(
        Vector2(2.0, 2.0),
        "Sides of the rectangle along the node's x and z; the node is in its middle.",
        hint=0,
        hint_string="suffix:m",
        changed="_shape_changed",
    )
    radius: float = export(
        1.0,
        "Radius of the circle; the node is in its middle.",
        range=(0.0, 100.0, 0.01, "or_greater"),
        unit="m",
        changed="_shape_changed",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap3D)

    def validate_property(self, info: Any) -> None:
        """Show what the shape uses."""
        is_circle = int(self.shape) == self.Shape.CIRCLE
        if info.name == ("size" if is_circle else "radius"):
            info.usage &= ~4  # PROPERTY_USAGE_EDITOR: hidden, still stored

    def _outline(self) -> list[Vector3]:
        if int(self.shape) == self.Shape.CIRCLE:
            angles = [math.tau * corner / CIRCLE_CORNERS for corner in range(CIRCLE_CORNERS)]
            return [Vector3(self.radius * math.cos(angle), 0.0, self.radius * math.sin(angle)) for angle in angles]
        x, z = self.size.x / 2, self.size.y / 2
        return [Vector3(-x, 0.0, -z), Vector3(x, 0.0, -z), Vector3(x, 0.0, z), Vector3(-x, 0.0, z)]

    def _corners(self) -> npt.NDArray[np.float64]:
        own, home, plane = self.global_transform, self._map, self._map._plane
        places = [home.to_local(own.apply(corner)) for corner in self._outline()]
        return np.array([plane.to_tile(place.x, place.z) for place in places])
