"""The bodies that HomingSteering nodes steer on one grid: read, stepped and told all at once, without Python for each of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GatheredAnswers, ScatteredArguments, is_valid
from pynav.homing import Hits, ProjectileBatch, ProjectileSettings

from ..telling import NodeError, tell

Points = npt.NDArray[np.float32]
Slots = npt.NDArray[np.int64]

_FIRST_CAPACITY = 64
_SLOT_MASK = 0xFFFFFFFF


class BodyCalls:
    """The calls to the engine that bodies of one kind need, each made for many of them."""

    def __init__(self, body: Any, is_rigid: bool) -> None:
        self.places = GatheredAnswers(body, "get_global_position")
        self.velocities = GatheredAnswers(body, "get_linear_velocity" if is_rigid else "get_velocity")
        self.give_velocities = ScatteredArguments(body, "set_linear_velocity" if is_rigid else "set_velocity")
        self.move = None if is_rigid else GatheredAnswers(body, "move_and_slide")


class HomingBodies:
    """Bodies of one kind (rigid ones, or characters) that fly alike: rows of one batch of the core.

    Attributes:
        batch: their places and velocities, as the grid's world has them.
    """

    def __init__(self, batch: ProjectileBatch, body: Any, is_rigid: bool) -> None:
        self.batch = batch
        self._calls = BodyCalls(body, is_rigid)
        self._steering: dict[int, Any] = {}  # nodes by handle
        self._handles: Slots = np.full(_FIRST_CAPACITY, -1, np.int64)  # by slot, as what follows
        self._ids: npt.NDArray[np.uint64] = np.zeros(_FIRST_CAPACITY, np.uint64)
        self._moves: npt.NDArray[np.bool_] = np.zeros(_FIRST_CAPACITY, np.bool_)
        self._lost: set[int] = set()  # handles of bodies that are nowhere, told once
        self._slots: Slots = np.zeros(0, np.int64)  # of this tick
        self._places: Points = np.zeros((0, 2), np.float32)
        self._velocities: Points = np.zeros((0, 2), np.float32)  # in space

    def add(self, steering: Any, body: Any, place: tuple[float, float]) -> int:
        """Steer a body from the next tick on. Returns its handle."""
        handle = int(self.batch.spawn([place], (0.0, 0.0))[0])
        slot = handle & _SLOT_MASK
        if slot >= len(self._handles):
            more = slot + 1
            self._handles = np.concatenate([self._handles, np.full(more, -1, np.int64)])
            self._ids = np.concatenate([self._ids, np.zeros(more, np.uint64)])
            self._moves = np.concatenate([self._moves, np.zeros(more, np.bool_)])
        self._steering[handle] = steering
        self._handles[slot], self._ids[slot] = handle, body.get_instance_id()
        self.set_moves(handle, steering.moves_body)
        return handle

    def drop(self, handle: int) -> None:
        """Steer it no more."""
        self.batch.despawn([handle])
        self._forget(handle)

    def set_moves(self, handle: int, moves: bool) -> None:
        """Whether a character is moved too, each tick."""
        self._moves[handle & _SLOT_MASK] = moves and self._calls.move is not None

    @property
    def is_empty(self) -> bool:
        """Whether no body flies like this any more."""
        return not self._steering

    def holds(self, handle: int) -> bool:
        """Whether a gravity well holds a body."""
        return bool(self.batch.held[handle & _SLOT_MASK])

    def _forget(self, handle: int) -> Any:
        """Its node, which stands for it no more; None if none does."""
        slot = handle & _SLOT_MASK
        if self._handles[slot] == handle:  # else another one has the slot by now
            self._handles[slot] = -1
        self._lost.discard(handle)
        return self._steering.pop(handle, None)

    # --- the tick

    def before_tick(self, grid: Any) -> None:
        """Tell the batch where all are and how fast."""
        handles = self._handles[: self.batch.slot_count]
        slots = self.batch.slots_of(handles)
        slots = slots[slots >= 0]
        ids = self._ids[slots]
        places = grid._flat_places(self._calls.places.ask(ids))
        in_space = self._calls.velocities.ask(ids)[:, : grid.DIMENSIONS].copy()
        velocities = grid._flat_velocities(in_space)
        there = np.isfinite(places).all(axis=1) & np.isfinite(velocities).all(axis=1)
        if not there.all():
            self._tell_lost(handles[slots[~there]].tolist())
            slots, places, velocities, in_space = slots[there], places[there], velocities[there], in_space[there]
        self.batch.set_slots(slots, places, velocities)
        self._slots, self._places, self._velocities = slots, places, in_space

    def _tell_lost(self, handles: list[int]) -> None:
        for handle in handles:
            steering = self._steering[handle]
            if handle not in self._lost and is_valid(steering):
                self._lost.add(handle)
                place = steering.get_parent().global_position
                tell(steering, NodeError(f"expected a body whose place and velocity are finite numbers, got one at {place}"))

    def after_tick(self, grid: Any, delta: float) -> None:
        """Give all their velocities, and move the characters that want it."""
        flying = self.batch.alive[self._slots]
        slots = self._slots[flying]
        flat = self.batch.body_velocities(slots, self._places[flying], delta)
        ids = self._ids[slots]
        self._calls.give_velocities.give(ids, grid._velocities_in_space(flat, self._velocities[flying]))
        if self._calls.move is not None:
            self._calls.move.ask(ids[self._moves[slots]])

    def happened(self, sources: list[Any], hits: Hits, caught: Hits, expired: Slots) -> None:
        """Tell the nodes what became of their bodies in this tick."""
        for handle in expired.tolist():
            steering = self._forget(handle)
            if is_valid(steering):
                steering._ended()
                steering.expired.emit()
        for handle, source in zip(hits.projectiles.tolist(), sources, strict=True):
            steering = self._forget(handle)
            if is_valid(steering):
                steering._ended()
                steering.hit.emit(source if is_valid(source) else None)
        for handle in caught.projectiles.tolist():
            held = self._steering.get(handle)
            if held is not None and is_valid(held):
                held.caught.emit()

    # --- a saved state

    def restored(self, world: Any) -> None:
        """The batch is as it was: what has no node any more is dropped, and whose body came since begins anew."""
        if not any(batch is self.batch for batch in world.batches):
            self.batch.clear()
            world.take_projectiles(self.batch)
        self.batch.despawn(np.setdiff1d(self.batch.handles, list(self._steering)))
        for handle, steering in list(self._steering.items()):
            if self.batch.slots_of([handle])[0] < 0 and is_valid(steering):
                self._forget(handle)
                steering._start()


class SteeredBodies:
    """All bodies that are steered on one grid, by kind and by how they fly."""

    def __init__(self, grid: Any) -> None:
        self._grid = grid
        self.groups: dict[tuple[ProjectileSettings, bool], HomingBodies] = {}
        self.nodes: dict[int, Any] = {}  # HomingSteering nodes by id()

    def group_of(self, settings: ProjectileSettings, body: Any, is_rigid: bool) -> HomingBodies:
        """The group of such a body; made when it is the first."""
        key = settings, is_rigid
        if key not in self.groups:
            batch = self._grid._need_world().add_projectiles(settings, of_bodies=True)
            self.groups[key] = HomingBodies(batch, body, is_rigid)
        return self.groups[key]

    def before_tick(self) -> None:
        """Tell the world where all bodies are and how fast."""
        for group in self.groups.values():
            group.before_tick(self._grid)  # of bodies alone: nothing of a game runs in between

    def after_tick(self, delta: float) -> None:
        """Give all bodies their velocities."""
        for group in list(self.groups.values()):
            group.after_tick(self._grid, delta)

    def happened(self, batch: ProjectileBatch, sources: list[Any], hits: Hits, caught: Hits, expired: Slots) -> None:
        """Tell nodes what became of their bodies, if it is their batch."""
        for group in list(self.groups.values()):
            if group.batch is batch:
                group.happened(sources, hits, caught, expired)

    def drop_empty(self, world: Any) -> None:
        """Take out the batches whose way of flying nobody has any more, after a tick."""
        for kind in [kind for kind, group in self.groups.items() if group.is_empty]:
            world.remove_projectiles(self.groups.pop(kind).batch)

    def restored(self, world: Any) -> None:
        """The world has gone back to a saved state."""
        for group in list(self.groups.values()):
            group.restored(world)
