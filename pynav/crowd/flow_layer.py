"""What the flows of one navigation layer (movement class and unit size) share: blocks, and what is spare."""

import numpy as np
import numpy.typing as npt

from pynav.grid import SOLID_TILE, TileGrid
from pynav.sectors import BlockGraph, CommonRoute, GoalValues
from pynav.sectors.block_layout import NOT_HERE


class FlowLayer:
    """What the flows of one navigation layer share."""

    def __init__(self, grid: TileGrid) -> None:
        self.grid = grid
        self.flow_count = 0  # flows that stand on it
        self.spare_values: list[GoalValues] = []  # of builds that have ended
        self.spare_routes: list[CommonRoute] = []
        self._graph: BlockGraph | None = None
        self._blank: npt.NDArray[np.uint8] | None = None

    @property
    def is_used(self) -> bool:
        """Whether its blocks were made."""
        return self._graph is not None

    @property
    def graph(self) -> BlockGraph:
        """Its blocks, made when first asked for."""
        if self._graph is None:
            self._graph = BlockGraph(self.grid)
        return self._graph

    @property
    def blank(self) -> npt.NDArray[np.uint8]:
        """The direction map of a flow of which nothing is written yet."""
        if self._blank is None:
            self._blank = np.full((self.grid.height + 2, self.grid.width + 2), SOLID_TILE, dtype=np.uint8)
            self._blank[1:-1, 1:-1][self.grid.cost != 0] = NOT_HERE
        return self._blank

    def update(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Take over an edit of the grid; blocks whose costs changed."""
        if self._blank is not None:
            is_free = self.grid.cost[y : y + height, x : x + width] != 0
            self._blank[y + 1 : y + 1 + height, x + 1 : x + 1 + width] = np.where(is_free, NOT_HERE, SOLID_TILE)
        return self.graph.update(x, y, width, height)

    def update_unused(self, x: int, y: int, width: int, height: int) -> None:
        """The same where no flow stands on the layer."""
        if self._graph is not None:
            self.update(x, y, width, height)
            self._graph.release_retired()
