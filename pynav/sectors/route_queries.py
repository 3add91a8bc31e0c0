"""Questions about ways between tiles: distance, first step, path. A few goals are kept: many questions cost one search."""

from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from pynav.grid import IntegrationField, path_to_goal
from pynav.grid.steps import DIAGONAL_FACTOR, NO_DIRECTION, STRAIGHT_FACTOR, UNIT_STEP_COST
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.exact_router import ExactRouter

KEPT_GOALS = 4

Tile = tuple[int, int]


class RouteQueries:
    """Exact answers on the map as it is; nothing of a simulation's state is touched.

    Args:
        graph: the blocks of the map, kept up to date by its owner.

    Notes:
        Deterministic. A new goal, or one after an edit, costs a search over blocks (some milliseconds for 1024 x 1024 tiles), a
        question in proportion to the way's length. Maps whose costs don't fit the blocks are flooded whole instead.
    """

    def __init__(self, graph: BlockGraph) -> None:
        self.graph = graph
        self._routers: OrderedDict[Tile, tuple[int, ExactRouter]] = OrderedDict()

    def path(self, start: Tile, goal: Tile) -> npt.NDArray[np.int32]:
        """Tiles (x, y) of a shortest way, both ends included, int32 (n, 2); empty where there is none."""
        grid = self.graph.grid
        if not grid.is_connected(start, goal):
            return np.zeros((0, 2), dtype=np.int32)
        if not self.graph.fits:
            field = IntegrationField(grid)
            field.build([goal])
            return path_to_goal(field, start)
        return self._router(goal).path(start)

    def distance(self, start: Tile, goal: Tile) -> float:
        """Length of the best way in tiles, a straight step over tiles of cost 1 is 1.0; -1 if there is none."""
        path = self.path(start, goal)
        if len(path) == 0:
            return -1.0
        cost = self.graph.grid.cost[path[:, 1], path[:, 0]].astype(np.int64)
        is_diagonal = np.abs(np.diff(path, axis=0)).sum(axis=1) == 2
        steps = (cost[1:] + cost[:-1]) * np.where(is_diagonal, DIAGONAL_FACTOR, STRAIGHT_FACTOR)
        return int(steps.sum()) / UNIT_STEP_COST

    def direction(self, start: Tile, goal: Tile) -> int:
        """The first step of a shortest way, 0..7 as in steps.py; NO_DIRECTION at the goal or without a way."""
        if not self.graph.grid.is_connected(start, goal):
            return NO_DIRECTION
        if not self.graph.fits:
            field = IntegrationField(self.graph.grid)
            field.build([goal])
            return int(field.directions[start[1], start[0]])
        return self._router(goal).direction(*start)

    def _router(self, goal: Tile) -> ExactRouter:
        """The router of a goal, searched anew if the map was edited since."""
        revision, router = self._routers.pop(goal, (-1, None))
        if router is None:
            router = self._routers.popitem(last=False)[1][1] if len(self._routers) >= KEPT_GOALS else ExactRouter(self.graph)
            revision = -1
        if revision != self.graph.revision:
            router.set_goals([goal])
        self._routers[goal] = (self.graph.revision, router)
        return router
