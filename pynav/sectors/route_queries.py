"""Questions about ways between tiles: distance, first step, path, reach, sight. A few goals are kept: many questions cost one
search.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError, IntegrationField, TileGrid, line_of_sight, path_to_goal
from pynav.grid.clearance import foothold
from pynav.grid.connectivity import Connectivity
from pynav.grid.steps import (
    DIAGONAL_FACTOR,
    DIRECTION_X,
    DIRECTION_Y,
    NO_DIRECTION,
    STRAIGHT_FACTOR,
    UNIT_STEP_COST,
)
from pynav.sectors._block_heap_kernels import LOOKS
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.block_layout import UNREACHED
from pynav.sectors.exact_router import ExactRouter

KEPT_GOALS = 4

Tile = tuple[int, int]


class RouteQueries:
    """Exact answers on the map as it is; nothing of a simulation's state is touched.

    Args:
        graph: the blocks of the tiles of a movement class and unit size, kept up to date by its owner. Tiles in questions and
            answers are anchors of that size (clearance.py).
        ground: the tiles of the same class at size 1; the same as the graph's if not given. A unit that stands where its size
            doesn't fit, but its anchor's tile can be walked on, starts from the nearest place that fits: who got in gets out.
        size: tiles a side.
        connectivity: what is connected on the graph's grid, kept up to date by its owner; without it the labels of the grid are
            made anew by the first question after an edit.

    Notes:
        Deterministic. A new goal, or one after an edit, costs a search over blocks (some milliseconds for 1024 x 1024 tiles), a
        path in proportion to its length, a distance some 10 us for each block asked about. Maps whose costs don't fit the
        blocks are flooded whole instead.
    """

    def __init__(
        self,
        graph: BlockGraph,
        ground: TileGrid | None = None,
        size: int = 1,
        connectivity: Connectivity | None = None,
    ) -> None:
        self.graph = graph
        self._ground = graph.grid if ground is None else ground
        self._size = size
        self._connectivity = connectivity
        self._routers: OrderedDict[Tile, tuple[int, ExactRouter]] = OrderedDict()

    def path(self, start: Tile, goal: Tile) -> npt.NDArray[np.int32]:
        """Tiles (x, y) of a shortest way, both ends included, int32 (n, 2); empty where there is none."""
        first = self._foothold(start)
        if not self._is_connected(first, goal):
            return np.zeros((0, 2), dtype=np.int32)
        if not self.graph.fits:
            found = path_to_goal(self._field(goal), first)
        else:
            found = self._router(goal).path(first)
        return found if first == start else np.concatenate([np.array([start], dtype=np.int32), found])

    def distance(self, start: Tile, goal: Tile) -> float:
        """Length of the best way in tiles, a straight step over tiles of cost 1 is 1.0; -1 if there is none."""
        return float(self.distances(np.array([start]), goal)[0])

    def distances(self, starts: npt.ArrayLike, goal: Tile) -> npt.NDArray[np.float64]:
        """``distance`` from many tiles to one goal.

        Args:
            starts: whole numbers (n, 2): x, y; they may lie outside the map.
            goal: tile (x, y).

        Returns:
            float64 (n,), tiles; -1 where there is no way.

        Raises:
            GridError: starts of another shape or type.
        """
        grid = self.graph.grid
        tiles = np.asarray(starts)
        if tiles.size == 0:
            return np.zeros(0, dtype=np.float64)
        if tiles.ndim != 2 or tiles.shape[1] != 2 or tiles.dtype.kind not in "iu":
            raise GridError(f"distances: expected whole numbers (n, 2), got shape {tiles.shape} of type {tiles.dtype}")
        answer: npt.NDArray[np.float64] = np.full(len(tiles), -1.0)
        if not grid.is_free(*goal):
            return answer
        extra: npt.NDArray[np.float64] = np.zeros(len(tiles))
        x, y = tiles[:, 0], tiles[:, 1]
        inside = (x >= 0) & (y >= 0) & (x < grid.width) & (y < grid.height)
        places = np.where(inside[:, None], tiles, 0).astype(np.int32)
        for index in np.flatnonzero(inside & (grid.cost[places[:, 1], places[:, 0]] == 0)).tolist():
            start = (int(places[index, 0]), int(places[index, 1]))
            places[index] = self._foothold(start)
            extra[index] = _octile_tiles(start, (int(places[index, 0]), int(places[index, 1])))
        label = grid.components()[places[:, 1], places[:, 0]] if self._connectivity is None else self._connectivity.roots(places)
        known = inside & np.isin(label, sorted(self._sources(goal)))
        if self.graph.fits:
            found = self._router(goal).distances(places[known]).astype(np.int64)
            answer[known] = np.where(found < UNREACHED, found / UNIT_STEP_COST + extra[known], -1.0)
        elif known.any():
            field = self._field(goal)
            answer[known] = field.distance[places[known, 1], places[known, 0]] / UNIT_STEP_COST + extra[known]
        return answer

    def direction(self, start: Tile, goal: Tile) -> int:
        """The first step of a shortest way, 0..7 as in steps.py; NO_DIRECTION at the goal or without a way."""
        first = self._foothold(start)
        if not self._is_connected(first, goal):
            return NO_DIRECTION
        if first != start:
            step = (int(np.sign(first[0] - start[0])), int(np.sign(first[1] - start[1])))
            return list(zip(DIRECTION_X, DIRECTION_Y, strict=True)).index(step)
        if not self.graph.fits:
            return int(self._field(goal).directions[start[1], start[0]])
        return self._router(goal).direction(*start)

    def is_reachable(self, start: Tile, goal: Tile) -> bool:
        """Whether a way leads from one tile to the other. No search; False if the goal is solid or outside."""
        return self._is_connected(self._foothold(start), goal)

    def nearest_reachable(self, start: Tile, goal: Tile) -> Tile | None:
        """The tile whose centre is nearest to the goal's among those that can be reached; equally near ones by row, then column.

        None if the start is solid or outside.
        """
        grid, first = self.graph.grid, self._foothold(start)
        if not grid.is_free(*first):
            return None
        label = int(grid.components()[first[1], first[0]])
        return grid.nearest_free(*goal, grid.regions.reached_from([label]) if grid.has_one_way else label)

    def has_line_of_sight(self, start: Tile, end: Tile) -> bool:
        """Whether a unit can go straight from one tile to the other: the line between the centres touches no anchor, not even at
        a corner, on which it doesn't fit, and crosses no border that is closed to it. But for those the same in both directions.
        """
        return line_of_sight(self.graph.grid, start, end)

    def _foothold(self, start: Tile) -> Tile:
        """The tile itself, or, where only its size is in the way, the nearest one on which a unit fits."""
        return foothold(self.graph.grid, self._ground, self._size, start)

    def _is_connected(self, start: Tile, goal: Tile) -> bool:
        """Whether a way leads from one tile to the other, from labels that follow edits where there are such."""
        grid = self.graph.grid
        if self._connectivity is None:
            return grid.is_connected(start, goal)
        if not (grid.is_free(*start) and grid.is_free(*goal)):
            return False
        first, last = self._connectivity.roots([start, goal]).tolist()
        return bool(first == last) or (grid.has_one_way and last in self._connectivity.reached_from([first]))

    def _sources(self, goal: Tile) -> set[int]:
        """Labels of the tiles from which a way leads to a free tile."""
        grid = self.graph.grid
        if self._connectivity is not None:
            return self._connectivity.leading_to(self._connectivity.roots([goal]))
        label = int(grid.components()[goal[1], goal[0]])
        return grid.regions.leading_to([label]) if grid.has_one_way else {label}

    def _field(self, goal: Tile) -> IntegrationField:
        """A flood of the whole map, for those whose costs don't fit the blocks."""
        field = IntegrationField(self.graph.grid)
        field.build([goal])
        return field

    def _router(self, goal: Tile) -> ExactRouter:
        """The router of a goal, searched anew if the map was edited since."""
        revision, router = self._take_router(goal)
        if revision != self.graph.revision:
            router.set_goals([goal])
        self._routers[goal] = (self.graph.revision, router)
        return router

    def _take_router(self, goal: Tile) -> tuple[int, ExactRouter]:
        """Take away the router of a goal, or, with revision -1, another one."""
        if goal in self._routers:
            return self._routers.pop(goal)
        if len(self._routers) >= KEPT_GOALS:
            return -1, self._routers.popitem(last=False)[1][1]
        return -1, ExactRouter(self.graph)

    # --- searches in slices

    def is_search_due(self, goal: Tile) -> bool:
        """Whether the next question about ways to a free goal would begin with a search over blocks."""
        if not (self.graph.grid.is_free(*goal) and self.graph.fits):
            return False
        return self._routers.get(goal, (-1, None))[0] != self.graph.revision

    def begin_search(self, goal: Tile) -> RouteSearch:
        """Begin the search for a goal, to be done in slices; ``keep_search`` once it is done."""
        return RouteSearch(self, goal, self._take_router(goal)[1])

    def keep_search(self, search: RouteSearch) -> None:
        """Let questions about ways to its goal be answered from a search that is done, until the map is edited."""
        search.router.take_values()
        if len(self._routers) >= KEPT_GOALS:
            self._routers.popitem(last=False)
        self._routers[search.goal] = (search.revision, search.router)


class RouteSearch:
    """A search for a goal in slices, on the map as it was when it began.

    Attributes:
        goal: tile (x, y).
        revision: of the blocks that it works on.
        router: what it fills.
    """

    def __init__(self, routes: RouteQueries, goal: Tile, router: ExactRouter) -> None:
        self.goal, self.router, self._routes = goal, router, routes
        self.revision = routes.graph.revision
        self._call, self._progress = router.values.begin([goal], 1)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return self.router.values.is_finished

    def is_of(self, routes: RouteQueries) -> bool:
        """Whether it is one of those questions' map as it is now."""
        return self._routes is routes and self.revision == routes.graph.revision

    def advance(self, looks: int) -> int:
        """Look at so many blocks at most, 1 or more, each about a microsecond; how many it were."""
        before = int(self._progress[LOOKS])
        self._call.set("budget", looks)
        self._call.run()
        return int(self._progress[LOOKS]) - before


def _octile_tiles(a: Tile, b: Tile) -> float:
    """Length of the way between two tiles on open ground of cost 1, in tiles."""
    across, down = abs(a[0] - b[0]), abs(a[1] - b[1])
    diagonal = min(across, down)
    return (diagonal * DIAGONAL_FACTOR + (max(across, down) - diagonal) * STRAIGHT_FACTOR) * 2 / UNIT_STEP_COST
