"""The obstacle node of 2D games."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, GodotObject, PackedVector2Array, Vector2, export, is_editor

from .flow_field_map_2d import FlowFieldMap2D
from .flow_field_obstacle import CIRCLE_CORNERS, FlowFieldObstacle

_OUTLINE = Color(1.0, 0.45, 0.4, 0.9)


class FlowFieldObstacle2D(
    FlowFieldObstacle, GodotObject, base="Node2D", icon="res://addons/pynav/icons/flow_field_obstacle_2d.svg"
):
    """Something that stands in the way of crowds on a FlowFieldMap2D, and may move: a building, a wreck, a cart.

    The tiles that its outline reaches into are solid for as long as it is there, or cost more. It follows its node, whatever
    moves, turns or scales it; the map is edited only when it covers other tiles. It is gone when the node is freed, hidden or
    disabled, and what lies beneath is then as it was, with all that the game changed there meanwhile.
    """

    map: GodotObject | None = export(
        None,
        "Map on which it stands. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap2D",
        changed="_map_property_changed",
    )
    size: Vector2 = export(
        Vector2(32.0, 32.0),
        "Sides of the rectangle; the node is in its middle.",
        hint=0,
        hint_string="suffix:px",
        changed="_shape_changed",
    )
    radius: float = export(
        16.0,
        "Radius of the circle; the node is in its middle.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px",
        changed="_shape_changed",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap2D)

    def validate_property(self, info: Any) -> None:
        """Show what the shape uses."""
        is_circle = int(self.shape) == self.Shape.CIRCLE
        if info.name == ("size" if is_circle else "radius"):
            info.usage &= ~4  # PROPERTY_USAGE_EDITOR: hidden, still stored

    def _outline(self) -> list[Vector2]:
        if int(self.shape) == self.Shape.CIRCLE:
            angles = [math.tau * corner / CIRCLE_CORNERS for corner in range(CIRCLE_CORNERS)]
            return [Vector2(self.radius * math.cos(angle), self.radius * math.sin(angle)) for angle in angles]
        x, y = self.size.x / 2, self.size.y / 2
        return [Vector2(-x, -y), Vector2(x, -y), Vector2(x, y), Vector2(-x, y)]

    def _corners(self) -> npt.NDArray[np.float64]:
        own, home, plane = self.global_transform, self._map, self._map._plane
        places = [home.to_local(own.apply(corner)) for corner in self._outline()]
        return np.array([plane.to_tile(place.x, place.y) for place in places])

    def _show_in_editor(self) -> None:
        self.queue_redraw()

    def _draw(self) -> None:
        """In the editor only: the outline."""
        if is_editor():
            corners = self._outline()
            self.draw_polyline(PackedVector2Array([*corners, corners[0]]), _OUTLINE, -1.0)
