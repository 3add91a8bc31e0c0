"""Questions about ways that may wait: worked on a share a tick, answered some ticks later, several of one goal by one search.

Answers are those of RouteQueries on the map as it is when they are given. Work is counted in units (a look at a block, about a
microsecond), so the tick of an answer depends on the calls alone. Nothing here is part of a simulation's state or touches it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError
from pynav.sectors.route_queries import RouteQueries, RouteSearch, Tile

PATH = "path"
DISTANCES = "distances"
REACHABLE = "reachable"
NEAREST_REACHABLE = "nearest_reachable"
KINDS = (PATH, DISTANCES, REACHABLE, NEAREST_REACHABLE)

MOST_RESTARTS = 2  # of a search because of edits; then it is done at once, lest a map that is edited all the time starve it
_UNITS_OF_AN_ANSWER = 10
_UNITS_OF_A_NEAREST = 200
_UNLIMITED = 2**40


@dataclass(frozen=True)
class RouteRequest:
    """A question that waits.

    Attributes:
        number: what its answer is known by.
        kind: one of KINDS.
        starts: int64 (n, 2), tiles (x, y); one, but for DISTANCES and REACHABLE.
        goal: tile (x, y).
        movement_class: name of the class.
        size: of the units, tiles.
    """

    number: int
    kind: str
    starts: npt.NDArray[np.int64]
    goal: Tile
    movement_class: str
    size: int

    @property
    def key(self) -> tuple[str, int, Tile]:
        """Requests of one key are served by one search."""
        return self.movement_class, self.size, self.goal


@dataclass(frozen=True)
class RouteAnswer:
    """An answer.

    Attributes:
        request: what was asked.
        result: PATH: int32 (n, 2); DISTANCES: float64 (n,); REACHABLE: bool (n,); NEAREST_REACHABLE: a tile or None.
        problem: why there is no result (its movement class is gone); empty if there is one.
    """

    request: RouteRequest
    result: Any
    problem: str = ""


class RouteRequests:
    """Requests in the order in which they were made, and the search that is under way.

    Args:
        routes_for: the questions of a class and a size on the map of now; GridError for a class that is not there.

    Attributes:
        answers: those that ``take_answers`` has not given out yet.
        is_at_rest: whether ``advance`` has nothing to do, as nothing waits and nothing is owed.

    Notes:
        Deterministic. A search works on the map as it was when it began; after an edit it begins again, twice at most.
    """

    def __init__(self, routes_for: Callable[[str, int], RouteQueries]) -> None:
        self.routes_for = routes_for
        self._waiting: dict[int, RouteRequest] = {}
        self._batch: deque[int] = deque()  # of one key, those that are served next
        self._search: RouteSearch | None = None
        self._restarts = 0
        self._units = 0  # left of this tick; what was taken too much is owed to the next one
        self._next_number = 1
        self.is_at_rest = True
        self.answers: list[RouteAnswer] = []

    @property
    def waiting_count(self) -> int:
        """Requests without an answer."""
        return len(self._waiting)

    def submit(self, kind: str, starts: npt.ArrayLike, goal: Tile, movement_class: str = "", size: int = 1) -> int:
        """Ask; the number of the request, counted up from 1.

        Args:
            kind: one of KINDS.
            starts: whole numbers (n, 2): tiles x, y; PATH and NEAREST_REACHABLE have one.
            goal: tile (x, y); it may lie outside, as any start.
            movement_class: name of the class; empty: the first one.
            size: 1..5 tiles.

        Raises:
            GridError: no such kind, class or size, or starts of another shape or type. Nothing is asked then.
        """
        tiles = np.array(starts)
        if kind not in KINDS:
            raise GridError(f"a request is one of {', '.join(KINDS)}, got {kind!r}")
        if tiles.size == 0:
            tiles = np.zeros((0, 2), dtype=np.int64)
        if tiles.ndim != 2 or tiles.shape[1] != 2 or tiles.dtype.kind not in "iu":
            raise GridError(f"a request takes tiles as whole numbers (n, 2), got shape {tiles.shape} of type {tiles.dtype}")
        if kind in (PATH, NEAREST_REACHABLE) and len(tiles) != 1:
            raise GridError(f"a request of the kind {kind!r} takes one start, got {len(tiles)}")
        self.routes_for(movement_class, size)
        number = self._next_number
        self._next_number += 1
        self.is_at_rest = False
        column, row = goal
        self._waiting[number] = RouteRequest(number, kind, tiles.astype(np.int64), (int(column), int(row)), movement_class, size)
        return number

    def cancel(self, number: int) -> bool:
        """Forget a request; False if there is none of that number that waits."""
        return self._waiting.pop(number, None) is not None

    def is_waiting(self, number: int) -> bool:
        """Whether a request has no answer yet."""
        return number in self._waiting

    def advance(self, units: int) -> None:
        """Work for so many units, and for what the answer takes that they don't suffice for (owed to the next tick)."""
        self._units = min(self._units + units, units)
        while self._waiting and self._units > 0:
            request = self._next_request()
            try:
                routes = self.routes_for(request.movement_class, request.size)
            except GridError as error:
                self._finish(RouteAnswer(request, None, str(error)))
                continue
            if self._needs_search(request, routes) and not self._searched(request, routes):
                break
            result, taken = _answer(request, routes)
            self._units -= taken
            self._finish(RouteAnswer(request, result))
        self.is_at_rest = not self._waiting and self._units >= 0

    def take_answers(self) -> list[RouteAnswer]:
        """The answers since this was last asked, in the order in which they were found."""
        answers, self.answers = self.answers, []
        return answers

    def _next_request(self) -> RouteRequest:
        """The next one of the batch; of a new batch, with all that wait for the same search, if that is done."""
        while self._batch and self._batch[0] not in self._waiting:
            self._batch.popleft()
        if not self._batch:
            first = next(iter(self._waiting.values()))
            self._batch.extend(number for number, other in self._waiting.items() if other.key == first.key)
            self._search, self._restarts = None, 0
        return self._waiting[self._batch[0]]

    def _finish(self, answer: RouteAnswer) -> None:
        del self._waiting[answer.request.number]
        self.answers.append(answer)

    def _needs_search(self, request: RouteRequest, routes: RouteQueries) -> bool:
        if request.kind not in (PATH, DISTANCES) or len(request.starts) == 0 or not routes.is_search_due(request.goal):
            return False
        return request.kind == DISTANCES or routes.is_reachable(_only_start(request), request.goal)

    def _searched(self, request: RouteRequest, routes: RouteQueries) -> bool:
        """Go on with the search for a request's goal; whether it is done."""
        search = self._search
        if search is None or not search.is_of(routes):
            self._restarts += search is not None
            search = self._search = routes.begin_search(request.goal)
        self._units -= search.advance(self._units if self._restarts <= MOST_RESTARTS else _UNLIMITED)
        if not search.is_done:
            return False
        routes.keep_search(search)
        self._search = None
        return True


def _only_start(request: RouteRequest) -> Tile:
    return int(request.starts[0, 0]), int(request.starts[0, 1])


def _answer(request: RouteRequest, routes: RouteQueries) -> tuple[Any, int]:
    """The answer, and the units that it took."""
    goal, starts = request.goal, request.starts
    if request.kind == PATH:
        path = routes.path(_only_start(request), goal)
        return path, _UNITS_OF_AN_ANSWER + len(path)
    if request.kind == DISTANCES:
        return routes.distances(starts, goal), _UNITS_OF_AN_ANSWER * (1 + min(len(starts), routes.graph.block_count))
    if request.kind == REACHABLE:
        found = [routes.is_reachable(start, goal) for start in map(tuple, starts.tolist())]
        return np.array(found, dtype=np.bool_), _UNITS_OF_AN_ANSWER * (1 + len(starts))
    return routes.nearest_reachable(_only_start(request), goal), _UNITS_OF_A_NEAREST
