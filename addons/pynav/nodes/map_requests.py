"""Questions to FlowFieldMap2D and FlowFieldMap3D that may wait: worked on a share a tick, answered by a callback and a signal."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import (
    RUNNING,
    Callable,
    GodotObject,
    PackedByteArray,
    PackedFloat32Array,
    PackedVector2Array,
    Vector2i,
    method,
    signal,
)
from pynav.sectors import route_requests as requests
from pynav.sectors.route_requests import RouteAnswer, RouteRequests
from pynav.world import World

from .map_queries import whole_tiles
from .telling import NodeError, tell, told

_NOBODY: Any = Callable() if RUNNING else None  # described without an engine, too


class MapRequests(GodotObject, register=False):
    """Requested queries of a map node. Asking changes nothing of the simulation."""

    query_finished = signal(
        "A requested query has its answer: the number that the request gave back, and what the method of the same name without "
        "request_ would give. Emitted after the crowds' signals of the tick, and after the request's own callback.",
        query=int,
        result=Any,
    )

    _need_world: Any

    def __init__(self) -> None:
        super().__init__()
        self._callbacks: dict[int, Callable] = {}

    def _requests(self) -> RouteRequests:
        world: World = self._need_world()
        return world.requests

    def _ask(self, kind: str, starts: Any, goal: Vector2i, callback: Callable, unit_size: int, movement_class: str) -> int:
        query = self._requests().submit(kind, starts, tuple(goal), str(movement_class), unit_size)
        self._callbacks[query] = callback
        return query

    @method
    @told
    def request_id_path(
        self,
        from_tile: Vector2i,
        to_tile: Vector2i,
        callback: Callable = _NOBODY,
        unit_size: int = 1,
        movement_class: str = "",
    ) -> int:
        """Ask for get_id_path() without waiting for it; the number of the query, 0 for arguments that don't fit.

        Maps work on requested queries in their physics ticks, as much as the NavJobScheduler's query_budget_usec allows, in the
        order of the requests; those that wait for one target share one search. The callback (if it is valid) is called with the
        result, then query_finished is emitted. On which tick depends on the game's calls alone, not on the machine. The answer
        is that of the map as it is then. Queries that wait are not part of a saved state, and change nothing in the simulation.
        """
        return self._ask(requests.PATH, [list(from_tile)], to_tile, callback, unit_size, movement_class)

    @method
    @told
    def request_distances(
        self,
        from_tiles: PackedVector2Array,
        to_tile: Vector2i,
        callback: Callable = _NOBODY,
        unit_size: int = 1,
        movement_class: str = "",
    ) -> int:
        """Ask for get_distances() without waiting for it: the result is a PackedFloat32Array. As request_id_path()."""
        return self._ask(requests.DISTANCES, whole_tiles(from_tiles), to_tile, callback, unit_size, movement_class)

    @method
    @told
    def request_reachable(
        self,
        from_tiles: PackedVector2Array,
        to_tile: Vector2i,
        callback: Callable = _NOBODY,
        unit_size: int = 1,
        movement_class: str = "",
    ) -> int:
        """Ask for is_reachable() from many tiles to one: the result is a PackedByteArray of 0 and 1. As request_id_path()."""
        return self._ask(requests.REACHABLE, whole_tiles(from_tiles), to_tile, callback, unit_size, movement_class)

    @method
    @told
    def request_nearest_reachable_tile(
        self,
        to_tile: Vector2i,
        from_tile: Vector2i,
        callback: Callable = _NOBODY,
        unit_size: int = 1,
        movement_class: str = "",
    ) -> int:
        """Ask for get_nearest_reachable_tile() without waiting for it: the result is a Vector2i. As request_id_path()."""
        return self._ask(requests.NEAREST_REACHABLE, [list(from_tile)], to_tile, callback, unit_size, movement_class)

    @method
    @told
    def cancel_query(self, query: int) -> bool:
        """Forget a requested query: its callback is not called. False if it waits no more, or never did."""
        self._callbacks.pop(query, None)
        return self._requests().cancel(query)

    @method(const=True)
    @told
    def is_query_waiting(self, query: int) -> bool:
        """Whether a requested query has no answer yet."""
        return self._requests().is_waiting(query)

    @method(const=True)
    @told
    def get_waiting_query_count(self) -> int:
        """How many requested queries have no answer yet."""
        return self._requests().waiting_count

    def _hand_out_answers(self, world: World) -> None:
        """Call the callbacks of the tick's answers, and emit the signal for each."""
        for answer in world.requests.take_answers():
            query = answer.request.number
            callback = self._callbacks.pop(query, None)
            if answer.problem:
                tell(self, NodeError(f"query {query}: {answer.problem}"))
            result = _engine_value(answer)
            if callback is not None and callback.is_valid():
                callback(result)
            self.query_finished.emit(query, result)


def _engine_value(answer: RouteAnswer) -> Any:
    """A result as GDScript gets it; that of an answer without one is empty."""
    kind, result = answer.request.kind, answer.result
    if kind == requests.PATH:
        return [] if result is None else [Vector2i(x, y) for x, y in result.tolist()]
    if kind == requests.NEAREST_REACHABLE:
        return Vector2i(-1, -1) if result is None else Vector2i(*result)
    values = np.zeros(0) if result is None else result
    return (
        PackedFloat32Array(values.astype(np.float32)) if kind == requests.DISTANCES else PackedByteArray(values.astype(np.uint8))
    )
