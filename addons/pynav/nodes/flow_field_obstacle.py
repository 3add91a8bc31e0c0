"""What FlowFieldObstacle2D and FlowFieldObstacle3D share."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

from addons.pynav.bridge import GodotObject, export

from .tile_standing import Cover, TileStanding

CIRCLE_CORNERS = 24


class FlowFieldObstacle(TileStanding, GodotObject, register=False):
    """Base of both obstacle nodes."""

    WHAT: ClassVar[str] = "obstacle"

    class Shape(IntEnum):
        """The outline that covers tiles."""

        RECTANGLE = 0
        CIRCLE = 1

    shape: Shape = export(Shape.RECTANGLE, "Outline of the obstacle.", changed="_shape_changed")
    extra_cost: int = export(
        0,
        "0: the tiles under it are solid. Else they cost that much more: what several obstacles add adds up.",
        range=(0, 255),
        changed="_kind_changed",
    )

    def _lay_on(self, home: Any, cover: Cover, classes: list[str]) -> int:
        cost = max(0, min(self.extra_cost, 255))
        return int(home._lay_obstacle(self._number, cover.place, cover.tiles, cost, classes))
