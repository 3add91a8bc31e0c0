"""What formations must know of the map and may ask of the orders; a world gives it (pynav/world_formations.py)."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from pynav.grid.navigation_layers import NavigationLayer


class WaySearch(Protocol):
    """A search for a way to a goal, in slices."""

    def advance(self, looks: int) -> bool:
        """Look at so many blocks at most; whether it is done."""

    def way(self, x: float, y: float) -> npt.NDArray[np.int32]:
        """Tiles (x, y) of the layer from a place to the goal, int32 (n, 2), once it is done; empty where there is no way."""


class Land(Protocol):
    """What formations must know of the map and may ask of the orders."""

    def layer_of(self, crowds: list[int], radius: float) -> NavigationLayer:
        """The layer that units of these crowds, up to this radius, walk on."""

    def unit_count(self, crowd: int) -> int:
        """How many units a crowd has."""

    def goal_near(self, crowd: int, x: float, y: float) -> tuple[float, float]:
        """The point nearest to (x, y) that most of a crowd can get to."""

    def send(self, crowds: npt.NDArray[np.int32], ids: npt.NDArray[np.int32], x: float, y: float) -> int:
        """Order units to a point; the handle of their command."""

    def groups_of(self, command: int) -> list[int]:
        """The groups of a command's units; none once nobody follows it."""

    @property
    def group_rows(self) -> int:
        """How many groups there is room for."""

    def group_of_units(self) -> npt.NDArray[np.int32]:
        """The group of each unit, in agent order, -1 for who is dead."""

    def begin_way(self, crowd: int, goal: tuple[float, float]) -> WaySearch | None:
        """Begin the search for a crowd's way to a point; None if no way can be sought there."""

    def layer_number(self, crowd: int) -> int:
        """The number of a crowd's layer among those that have walls."""

    def walls_of_layer(self, number: int) -> npt.NDArray[np.uint16]:
        """The walls of a layer."""

    def walls_of(self, crowd: int) -> tuple[npt.NDArray[np.uint16], float, float]:
        """The walls of a crowd's layer, its anchor offset, and what of its radius is held out of walls."""

    @property
    def edits(self) -> int:
        """How often the map was changed."""
