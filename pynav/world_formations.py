"""What formations ask of a world: its layers, and orders for its crowds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import POSITION_X, POSITION_Y
from pynav.formations.class_ground import ClassGround
from pynav.grid.clearance import size_of_radius
from pynav.grid.navigation_layers import NavigationLayer

if TYPE_CHECKING:
    from pynav.world import World

_FIRST_REACH_TILES = 8


class WorldLand:
    """A world as formations see it (``pynav.formations.formation_orders.Land``)."""

    def __init__(self, world: World) -> None:
        self._world = world

    def layer_of(self, crowds: list[int], radius: float) -> NavigationLayer:
        """The layer of the first crowd's class and the largest size of all."""
        profiles = [self._world._profiles[crowd] for crowd in crowds]
        size = max(size_of_radius(radius), *(profile.size for profile in profiles))
        return self._world._layer((profiles[0].movement_class, size))

    def goal_near(self, crowd: int, x: float, y: float) -> tuple[float, float]:
        """The point itself, or the middle of the nearest tile that most of the crowd can get to; equal ones by row, column."""
        world = self._world
        profile = world._profiles[crowd]
        values, _ = world._table.now
        columns = world._table.columns_of(crowd)
        positions = np.stack([values[POSITION_X, columns], values[POSITION_Y, columns]], axis=1)
        ground = ClassGround(world._layer((profile.movement_class, profile.size)), positions)
        rows, width = ground.label.shape
        at = (min(max(x, 0.0), width - 1e-3), min(max(y, 0.0), rows - 1e-3))
        (column, row) = ground.tiles(np.array([at])).tolist()[0]
        if ground.is_open(np.array([[column, row]]))[0]:
            return at
        reach = _FIRST_REACH_TILES
        while True:
            left, top = max(column - reach, 0), max(row - reach, 0)
            right, low = min(column + reach + 1, width), min(row + reach + 1, rows)
            y_found, x_found = np.nonzero(ground.open_window(left, top, right - left, low - top))
            away = (x_found + left - column) ** 2 + (y_found + top - row) ** 2
            if len(away) and away.min() <= reach * reach:
                best = int(np.argmin(away))
                found = ground.middles(np.array([[x_found[best] + left, y_found[best] + top]]))[0]
                return float(found[0]), float(found[1])
            if (left, top, right, low) == (0, 0, width, rows) and reach > max(width, rows):
                return at
            reach *= 2

    def send(self, crowd: int, x: float, y: float) -> npt.NDArray[np.float32] | None:
        """Order a crowd to a point; its goal, None if nobody of it gets there."""
        if not self._world._set_goal_point(crowd, x, y):
            return None
        return self._world._orders.goal[self._world._own_group[crowd]]

    def goal_of(self, crowd: int) -> npt.NDArray[np.float32] | None:
        """The goal that a crowd has."""
        return self._world._orders.goal[self._world._own_group[crowd]]

    @property
    def edits(self) -> int:
        """How often the map was changed."""
        return self._world._edit_count
