"""Bodies of agent nodes (FlowFieldAgent2D/3D with avoidance) among the crowds of a map: told before each tick, asked after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import is_valid
from pynav.world import World

Point = tuple[float, float]


class _Body:
    """What is known of one node's body."""

    def __init__(self, node: Any) -> None:
        self.node = node
        self.id = -1
        self.place: Point | None = None  # tiles, at the last tick
        self.along: Point = (0.0, 0.0)  # tiles a second


class MapBodies:
    """The bodies of one map.

    Attributes:
        all: a note of each; looked at each tick, so without a call where there are none.
    """

    def __init__(self) -> None:
        self.all: list[_Body] = []
        self._world: World | None = None  # that gave the ids

    def add(self, node: Any) -> None:
        """Have a node's body among the crowds from the next tick on."""
        if not any(body.node is node for body in self.all):
            self.all.append(_Body(node))

    def drop(self, node: Any) -> None:
        """A node's body is none of them any more."""
        for body in [body for body in self.all if body.node is node]:
            self.all.remove(body)
            if self._world is not None and body.id >= 0:
                self._world.bodies.remove([body.id])

    def before_tick(self, world: World, delta: float) -> None:
        """Say where all bodies are."""
        if self._world is not world:
            self._world = world
            for body in self.all:
                body.id = -1
        there = [body for body in self.all if self._look(body, world, delta)]
        ids = self._ids(world, there)
        crowd = world.bodies.crowd
        if crowd is not None and crowd.count != len(ids):  # bodies of a saved state whose nodes are gone
            alive = np.flatnonzero(crowd.alive)
            world.bodies.remove(alive[~np.isin(alive, ids)])
        if there:
            places, along = np.array([body.place for body in there]), np.array([body.along for body in there])
            world.bodies.drive(ids, places, along, [body.node._tiles(body.node.radius) for body in there])

    def _look(self, body: _Body, world: World, delta: float) -> bool:
        """Note where a body is and how fast it went; whether it is on the map."""
        node, grid = body.node, world.grid
        parent = node.get_parent() if is_valid(node) else None
        if parent is None or grid is None or not node._is_body(parent):
            place: Point | None = None
        else:
            place = node._global_to_tile(parent.global_position)
            if not (0.0 <= place[0] < grid.width and 0.0 <= place[1] < grid.height):
                place = None
        if place is None:
            if body.id >= 0:
                world.bodies.remove([body.id])
            body.id, body.place = -1, None
            return False
        before, body.place = body.place, place
        body.along = (0.0, 0.0)
        if before is not None and delta > 0.0:
            along = ((place[0] - before[0]) / delta, (place[1] - before[1]) / delta)
            if np.hypot(*along) <= 2.0 * node._tiles(node.max_speed) + 1.0:  # else it was put elsewhere
                body.along = along
        return True

    def _ids(self, world: World, there: list[_Body]) -> npt.NDArray[np.int32]:
        """Ids of bodies; those that have none, or whose id is gone, are taken in."""
        known = world.bodies.are_there([body.id for body in there])
        for body, is_known in zip(there, known.tolist(), strict=True):
            if not is_known:
                assert body.place is not None
                body.id = int(world.bodies.add([body.place], [body.node._tiles(body.node.radius)])[0])
        return np.array([body.id for body in there], dtype=np.int32)

    def after_tick(self, world: World, delta: float) -> None:
        """Tell those that have said how fast they want to go how fast they can."""
        asking = [body for body in self.all if body.id >= 0 and is_valid(body.node) and body.node._has_velocity]
        if not asking or delta <= 0.0:
            return
        wanted = [body.node._submitted_velocity() for body in asking]
        top = [body.node._tiles(body.node.max_speed) for body in asking]
        safe = world.bodies.safe_velocities(np.array([body.id for body in asking], dtype=np.int32), wanted, top, delta)
        for body, (x, y) in zip(asking, safe.tolist(), strict=True):
            body.node._has_velocity = False
            body.node._tell_velocity(x, y)
