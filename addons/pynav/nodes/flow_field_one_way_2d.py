"""The one-way node of 2D games."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import Color, GodotObject, PackedVector2Array, Vector2, export, is_editor

from .flow_field_map_2d import FlowFieldMap2D
from .flow_field_one_way import FlowFieldOneWay

_OUTLINE = Color(1.0, 0.78, 0.3, 0.55)
_FILL = Color(1.0, 0.78, 0.3, 0.14)
_ARROW = Color(1.0, 0.82, 0.4, 0.95)
_BAR = Color(1.0, 0.42, 0.36, 0.95)
_ARROW_LIMIT = 40  # drawn in a row
_WIDEST = 4.0  # of lines, pixels


class FlowFieldOneWay2D(FlowFieldOneWay, GodotObject, base="Node2D", icon="res://addons/pynav/icons/flow_field_one_way_2d.svg"):
    """Tiles of a FlowFieldMap2D that crowds cross one way only: a ledge to be jumped down, a gate, a conveyor.

    The arrow is the node's x axis. Units on the tiles under the rectangle can't leave them against the arrow, but come in from
    any side (or, with closes at ALL_BUT_FRONT, they leave along the arrow only). So lay its back along the edge that nobody is to
    climb. The arrow counts for the side of the tiles that it points to most.

    Orders, paths and distances go by it; a goal that nobody gets to is told at once. It follows its node, whatever moves or turns
    it. It is gone when the node is freed, hidden or disabled. From code: FlowFieldMap2D.add_one_way().
    """

    map: GodotObject | None = export(
        None,
        "Map on which it lies. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap2D",
        changed="_map_property_changed",
    )
    size: Vector2 = export(
        Vector2(16.0, 64.0),
        "Sides of the rectangle along the arrow (x) and across it (y); the node is in its middle.",
        hint=0,
        hint_string="suffix:px",
        changed="_shape_changed",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap2D)

    def _outline(self) -> list[Vector2]:
        x, y = self.size.x / 2, self.size.y / 2
        return [Vector2(-x, -y), Vector2(x, -y), Vector2(x, y), Vector2(-x, y)]

    def _in_tiles(self, points: list[Vector2]) -> npt.NDArray[np.float64]:
        own, home, plane = self.global_transform, self._map, self._map._plane
        places = [home.to_local(own.apply(point)) for point in points]
        return np.array([plane.to_tile(place.x, place.y) for place in places])

    def _corners(self) -> npt.NDArray[np.float64]:
        return self._in_tiles(self._outline())

    def _arrow(self) -> npt.NDArray[np.float64]:
        start, end = self._in_tiles([Vector2(), Vector2(1.0, 0.0)])
        return np.asarray(end - start)

    def _show_in_editor(self) -> None:
        self.queue_redraw()

    def _draw(self) -> None:
        """In the editor only: the rectangle, arrows, and bars on the sides that are closed."""
        if not is_editor():
            return
        back_low, front_low, front, back = self._outline()
        self.draw_colored_polygon(PackedVector2Array([back_low, front_low, front, back]), _FILL)
        self.draw_polyline(PackedVector2Array([back_low, front_low, front, back, back_low]), _OUTLINE, -1.0)
        width = min(max(min(self.size.x, self.size.y) * 0.12, 1.5), _WIDEST)
        bars = [(back_low, back)]
        if int(self.closes) == self.Closes.ALL_BUT_FRONT:
            bars += [(back_low, front_low), (back, front)]
        for start, end in bars:
            self.draw_line(start, end, _BAR, width)
        self._draw_arrows(width)

    def _draw_arrows(self, width: float) -> None:
        """A row of arrow heads across the rectangle."""
        length, across = self.size.x, self.size.y
        pitch = max(min(length, across), across / _ARROW_LIMIT, 1.0)
        count = max(1, int(across / pitch))
        reach = min(length, pitch) * 0.22
        for place in range(count):
            y = (place + 0.5) * across / count - across / 2
            head = [Vector2(-reach * 0.6, y - reach), Vector2(reach * 0.6, y), Vector2(-reach * 0.6, y + reach)]
            self.draw_polyline(PackedVector2Array(head), _ARROW, width)
