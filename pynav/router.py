"""One interface for the solvers: whoever asks for routes need not know which one answers."""

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from pynav.grid import TileGrid
from pynav.portals import PortalRouter, SectorMap
from pynav.sectors import BlockGraph
from pynav.sectors.exact_router import ExactRouter


class Router(Protocol):
    """Routes to one set of goals at a time; ``ExactRouter`` and ``PortalRouter``."""

    def set_goals(self, goals: npt.ArrayLike) -> None:
        """Make goal tiles (x, y), integers (n, 2), the goals from now on."""

    def direction(self, x: int, y: int) -> int:
        """The code of a tile (steps.py): 0..7 the step to take, NO_DIRECTION at goals, NO_WAY, SOLID_TILE."""

    def path(self, start: tuple[int, int]) -> npt.NDArray[np.int32]:
        """Tiles (x, y) from ``start`` to a goal, both included, int32 (n, 2); empty where there is no way."""


def _exact(grid: TileGrid) -> Router:
    return ExactRouter(BlockGraph(grid))


def _portal(grid: TileGrid) -> Router:
    return PortalRouter(SectorMap(grid))


SOLVERS: Final[dict[str, Callable[[TileGrid], Router]]] = {"exact": _exact, "portal": _portal}
"""Solvers by name: what makes a router of a map."""
