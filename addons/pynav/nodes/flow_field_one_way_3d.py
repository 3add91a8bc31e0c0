"""The one-way node of 3D games."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, Vector2, Vector3, export

from .flow_field_map_3d import FlowFieldMap3D
from .flow_field_one_way import FlowFieldOneWay


class FlowFieldOneWay3D(FlowFieldOneWay, GodotObject, base="Node3D", icon="res://addons/pynav/icons/flow_field_one_way_3d.svg"):
    """Tiles of a FlowFieldMap3D that crowds cross one way only: a ledge to be jumped down, a gate, a conveyor.

    The arrow is the node's forward direction, -z. Units on the tiles under the rectangle, seen from above, can't leave them
    against the arrow, but come in from any side (or, with closes at ALL_BUT_FRONT, they leave along the arrow only). So lay its
    back along the edge that nobody is to climb. The arrow counts for the side of the tiles that it points to most.

    Orders, paths and distances go by it; a goal that nobody gets to is told at once. It follows its node, whatever moves or turns
    it. It is gone when the node is freed, hidden or disabled. From code: FlowFieldMap3D.add_one_way().
    """

    map: GodotObject | None = export(
        None,
        "Map on which it lies. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap3D",
        changed="_map_property_changed",
    )
    size: Vector2 = export(
        Vector2(4.0, 1.0),
        "Sides of the rectangle across the arrow (x) and along it (z); the node is in its middle.",
        hint=0,
        hint_string="suffix:m",
        changed="_shape_changed",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap3D)

    def _show_in_editor(self) -> None:
        self.update_gizmos()

    def _outline(self) -> list[Vector3]:
        x, z = self.size.x / 2, self.size.y / 2
        return [Vector3(-x, 0.0, -z), Vector3(x, 0.0, -z), Vector3(x, 0.0, z), Vector3(-x, 0.0, z)]

    def _in_tiles(self, points: list[Vector3]) -> npt.NDArray[np.float64]:
        own, home, plane = self.global_transform, self._map, self._map._plane
        places = [home.to_local(own.apply(point)) for point in points]
        return np.array([plane.to_tile(place.x, place.z) for place in places])

    def _corners(self) -> npt.NDArray[np.float64]:
        return self._in_tiles(self._outline())

    def _arrow(self) -> npt.NDArray[np.float64]:
        start, end = self._in_tiles([Vector3(), Vector3(0.0, 0.0, -1.0)])
        return np.asarray(end - start)
