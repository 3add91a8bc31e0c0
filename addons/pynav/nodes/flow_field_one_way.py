"""What FlowFieldOneWay2D and FlowFieldOneWay3D share: which exits the node's arrow closes."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, export, is_editor
from pynav.grid.exits import ALL_EXITS, EXIT_COUNT

from .tile_standing import Cover, TileStanding


class FlowFieldOneWay(TileStanding, GodotObject, register=False):
    """Base of both one-way nodes."""

    WHAT: ClassVar[str] = "one-way node"

    class Closes(IntEnum):
        """Which sides of a tile units can't leave by."""

        BACK = 0
        ALL_BUT_FRONT = 1

    closes: Closes = export(
        Closes.BACK,
        "BACK: units on its tiles can go any way but against the arrow, as at the foot of a ledge or in a gate. ALL_BUT_FRONT: "
        "they can go along the arrow only, as on a conveyor.",
        changed="_kind_changed",
    )

    def __init__(self) -> None:
        super().__init__()
        self._laid_exits = 0

    def _arrow(self) -> npt.NDArray[np.float64]:
        """(2,) the way the node points, in the map's tile coordinates."""
        raise NotImplementedError

    def _kind_changed(self) -> None:
        super()._kind_changed()
        if is_editor():
            self._show_in_editor()

    def _closed_exits(self) -> int:
        """The sides of tiles that the arrow closes: it counts for the side that it points to most."""
        x, y = self._arrow().tolist()
        front = (0 if x >= 0.0 else 2) if abs(x) >= abs(y) - 1e-6 else (1 if y >= 0.0 else 3)
        if int(self.closes) == self.Closes.BACK:
            return 1 << ((front + EXIT_COUNT // 2) % EXIT_COUNT)
        return ALL_EXITS & ~(1 << front)

    def _lay_on(self, home: Any, cover: Cover, classes: list[str]) -> int:
        exits = self._closed_exits()
        if self._number is not None and exits != self._laid_exits:
            home._lift_obstacle(self._number)
            self._number = None
        self._laid_exits = exits
        return int(home._lay_obstacle(self._number, cover.place, cover.tiles, 0, classes, exits))
