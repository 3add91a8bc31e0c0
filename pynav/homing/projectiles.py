"""A batch of projectiles: spawned by the game, moved by the world, told of by handle when they hit, expire or are caught."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.homing import _projectile_kernels as kernels
from pynav.homing._well_kernels import exp_minus
from pynav.homing.errors import HomingError
from pynav.homing.homing_layout import (
    ASTRAY,
    BLEND,
    CAUGHT,
    DAMPING,
    DEAD,
    DELTA,
    EXPIRED,
    FLYING,
    FRESH,
    GENERATION,
    HELD,
    HIT,
    HIT_RADIUS,
    IS_BILINEAR,
    IS_EXACT,
    LEAD,
    LIFE,
    NO_EVENT,
    PATIENCE,
    PROJECTILE_TAGS,
    PROJECTILE_VALUES,
    SLOT_BITS,
    SNAP_SQUARED,
    STATE,
    STRIP,
    STRIP_BLOCK,
    STRIP_NUMBERS,
    STRIP_VALUES,
    TARGET,
    THRUST,
    TICK_NUMBERS,
    TICK_SETTINGS,
    TIGHTENING,
    TOP_SPEED,
    TURN,
    TYPE,
    VX,
    VY,
    X,
    Y,
)
from pynav.homing.projectile_settings import ProjectileSettings
from pynav.homing.source_table import Points, checked_points
from pynav.kernels.kept_call import KeptCall

MOST_PROJECTILES = 1_048_576
_FIRST_CAPACITY = 1_024
_SURE_DAMPING = 2.0
_SLOT_MASK = (1 << SLOT_BITS) - 1

Handles = npt.NDArray[np.int64]


class Hits(NamedTuple):
    """What hit in a tick, in the order of slots.

    Attributes:
        projectiles: handles.
        targets: slots of the sources that were hit.
        positions: (n, 2) where.
    """

    projectiles: Handles
    targets: npt.NDArray[np.int64]
    positions: Points


class ProjectileBatch:
    """Up to a million projectiles of one kind. Made by ``HomingWorld.add_projectiles``.

    A handle names one projectile for good; slots of those that are gone are used again, the lowest first.

    Attributes:
        settings: how they fly.
        of_bodies: whether they stand for bodies of the game, which tell each tick where they are.
    """

    def __init__(self, settings: ProjectileSettings, of_bodies: bool = False) -> None:
        self.settings = settings
        self.of_bodies = of_bodies
        self.number = -1  # of the world's batches; told apart by it when a state is restored
        self.values: npt.NDArray[np.float32] = np.zeros((PROJECTILE_VALUES, _FIRST_CAPACITY), np.float32)
        self.tags: npt.NDArray[np.int32] = np.zeros((PROJECTILE_TAGS, _FIRST_CAPACITY), np.int32)
        self.event: npt.NDArray[np.uint8] = np.zeros(_FIRST_CAPACITY, np.uint8)
        self.slot_count = 0
        self._lowest_free = 0
        self.tick_settings = np.zeros(TICK_SETTINGS, np.float32)
        self.tick_numbers = np.zeros(TICK_NUMBERS, np.int64)
        self._happened: dict[int, list[Any]] = {HIT: [], EXPIRED: [], CAUGHT: []}
        self._strip: npt.NDArray[np.float32] = np.zeros(0, np.float32)
        self._strip_numbers: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self._events: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self._strip_events: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self._told: tuple[npt.NDArray[Any], ...] = ()  # handles, targets and places of a tick's events
        self._found = np.zeros(CAUGHT + 1, np.int64)
        self._move = KeptCall(kernels.move_projectiles)
        self._collect_call = KeptCall(kernels.collect_events)

    # --- who is there

    @property
    def count(self) -> int:
        """Projectiles that are there."""
        return int(np.count_nonzero(self.tags[STATE, : self.slot_count]))

    @property
    def alive(self) -> npt.NDArray[np.bool_]:
        """Whether a slot holds a projectile, by slot."""
        return np.asarray(self.tags[STATE, : self.slot_count] != DEAD)

    @property
    def held(self) -> npt.NDArray[np.bool_]:
        """Whether a well holds the projectile of a slot."""
        return np.asarray(self.tags[STATE, : self.slot_count] == HELD)

    @property
    def positions(self) -> Points:
        """(slots, 2) float32; slots without a projectile keep the last one's place."""
        return np.ascontiguousarray(self.values[X : Y + 1, : self.slot_count].T)

    @property
    def velocities(self) -> Points:
        """(slots, 2) float32, units a second; of those that a well holds, relative to it."""
        return np.ascontiguousarray(self.values[VX : VY + 1, : self.slot_count].T)

    @property
    def handles(self) -> Handles:
        """Handles of all that are there, in the order of slots."""
        return self.handles_of(np.flatnonzero(self.alive))

    def handles_of(self, slots: npt.NDArray[Any]) -> Handles:
        """Handles of what is in these slots."""
        return np.asarray(self.tags[GENERATION, slots].astype(np.int64) << SLOT_BITS | slots, dtype=np.int64)

    def slots_of(self, handles: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Slots of handles; -1 for a projectile that is gone."""
        given = np.atleast_1d(np.asarray(handles, dtype=np.int64))
        slots = given & _SLOT_MASK
        inside = np.where(slots < self.slot_count, slots, 0)
        if self.slot_count == 0:
            return np.full(len(given), -1, np.int64)
        good = (slots < self.slot_count) & (self.tags[STATE, inside] != DEAD)
        good &= self.tags[GENERATION, inside] == given >> SLOT_BITS
        return np.where(good, slots, -1)

    # --- coming and going

    def spawn(self, positions: npt.ArrayLike, velocities: npt.ArrayLike, lifetime: float | None = None) -> Handles:
        """Add a projectile at each place.

        Args:
            positions: (n, 2), finite; outside the box too.
            velocities: (n, 2), units a second; or (2,) for all.
            lifetime: seconds, instead of the batch's; 0: no end.

        Returns:
            Their handles, in order.

        Raises:
            HomingError: bad shapes or numbers, or too many projectiles; nothing is added.
        """
        places = checked_points("positions", positions)
        wanted = np.asarray(velocities, dtype=np.float32)
        speeds = checked_points("velocities", np.broadcast_to(wanted, places.shape) if wanted.ndim == 1 else wanted, len(places))
        seconds = self.settings.lifetime if lifetime is None else float(lifetime)
        if not math.isfinite(seconds) or seconds < 0.0:
            raise HomingError(f"lifetime must be a number of seconds of at least 0, got {lifetime}")
        slots = self._free_slots(len(places))
        self.values[X, slots], self.values[Y, slots] = places[:, 0], places[:, 1]
        self.values[VX, slots], self.values[VY, slots] = speeds[:, 0], speeds[:, 1]
        self.values[LIFE, slots] = seconds if seconds > 0.0 else np.inf
        self.values[ASTRAY, slots] = 0.0
        self.tags[STATE, slots] = FLYING
        self.tags[TARGET, slots] = -1
        self.tags[FRESH, slots] = 1
        self.tags[GENERATION, slots] += 1
        return self.handles_of(slots)

    def despawn(self, handles: npt.ArrayLike) -> int:
        """Take projectiles out; handles of those that are gone already are passed over. Returns how many there were."""
        slots = self.slots_of(handles)
        slots = np.unique(slots[slots >= 0])
        self.tags[STATE, slots] = DEAD
        self.event[slots] = 0
        self._freed(slots)
        return len(slots)

    def clear(self) -> None:
        """Take all projectiles out."""
        self.despawn(self.handles)

    def set_slots(self, slots: npt.NDArray[np.int64], positions: Points, velocities: Points) -> None:
        """Tell where bodies of the game's own are and how they move, before a tick; what a well holds keeps its velocity.

        Unchecked: the slots are in use, the numbers finite.
        """
        self.values[X, slots], self.values[Y, slots] = positions[:, 0], positions[:, 1]
        free = self.tags[STATE, slots] == FLYING
        self.values[VX, slots[free]], self.values[VY, slots[free]] = velocities[free, 0], velocities[free, 1]

    def body_velocities(self, slots: npt.NDArray[np.int64], positions: Points, delta: float) -> Points:
        """(n, 2): velocities that bodies of the game's own should have after a tick of ``delta`` that began at these places."""
        velocities = np.ascontiguousarray(self.values[VX : VY + 1, slots].T)
        held = self.tags[STATE, slots] == HELD
        if held.any():  # to where the well's spring has put them
            velocities[held] = (self.values[X : Y + 1, slots[held]].T - positions[held]) / np.float32(delta)
        return velocities

    def release(self, slots: npt.NDArray[Any]) -> None:
        """Let go what a well holds."""
        self.tags[STATE, slots] = FLYING

    def _free_slots(self, wanted: int) -> npt.NDArray[np.int64]:
        low, high = self._lowest_free, self.slot_count
        free = low + np.flatnonzero(self.tags[STATE, low:high] == DEAD)[:wanted]
        missing = wanted - len(free)
        if high + missing > MOST_PROJECTILES:
            raise HomingError(f"a batch holds at most {MOST_PROJECTILES} projectiles, {high + missing} were asked for")
        slots = np.concatenate([free, np.arange(high, high + missing)])
        self.slot_count += missing
        if wanted:
            self._lowest_free = int(slots[-1]) + 1
        capacity = len(self.event)
        if self.slot_count > capacity:
            self._grow(max(self.slot_count, 2 * capacity))
        return slots

    def _grow(self, capacity: int) -> None:
        more = capacity - len(self.event)
        self.values = np.concatenate([self.values, np.zeros((PROJECTILE_VALUES, more), np.float32)], axis=1)
        self.tags = np.concatenate([self.tags, np.zeros((PROJECTILE_TAGS, more), np.int32)], axis=1)
        self.event = np.concatenate([self.event, np.zeros(more, np.uint8)])

    def _freed(self, slots: npt.NDArray[Any]) -> None:
        if len(slots):
            self._lowest_free = min(self._lowest_free, int(slots[0]))

    # --- the tick

    def prepare_tick(self, delta: float, blend: float, is_exact: bool) -> None:
        """Fill ``tick_settings`` and ``tick_numbers``, by the world."""
        chosen = self.settings
        rate = chosen.damping * chosen.acceleration / chosen.top_speed
        numbers = self.tick_settings
        numbers[THRUST] = chosen.acceleration * delta
        numbers[DAMPING] = float(exp_minus(rate * delta))
        numbers[TOP_SPEED] = chosen.top_speed
        numbers[SNAP_SQUARED] = np.float32(chosen.snap_distance) ** 2
        numbers[HIT_RADIUS], numbers[LEAD] = chosen.hit_radius, chosen.lead
        numbers[DELTA], numbers[BLEND] = delta, blend
        turn = chosen.acceleration / chosen.top_speed * delta  # radians
        numbers[TURN], numbers[PATIENCE] = turn / (2.0 * math.pi), chosen.patience
        numbers[TIGHTENING] = _SURE_DAMPING * turn
        self.tick_numbers[TYPE] = chosen.type
        self.tick_numbers[IS_EXACT], self.tick_numbers[IS_BILINEAR] = is_exact, chosen.bilinear

    def run_tick(self, box: npt.NDArray[np.float32], *arrays: npt.NDArray[Any]) -> None:
        """One tick, by the world; ``arrays`` are those of the kernel from the sources on, up to the notes."""
        blocks = -(-self.slot_count // STRIP_BLOCK)
        if len(self._strip) < blocks * STRIP * STRIP_VALUES:
            self._strip = np.zeros(2 * blocks * STRIP * STRIP_VALUES, np.float32)
            self._strip_numbers = np.zeros(2 * blocks * STRIP * STRIP_NUMBERS, np.int32)
            most = 2 * blocks * STRIP_BLOCK
            self._events, self._strip_events = np.zeros(most, np.int32), np.zeros(most // STRIP, np.int32)
            self._told = (np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros((most, 2), np.float32))
        call = self._move.bound(
            self.values,
            self.tags,
            self.event,
            self._events,
            self._strip_events,
            *arrays,
            self._strip,
            self._strip_numbers,
            self.tick_settings,
            box,
            self.tick_numbers,
        )
        call.run(self.slot_count, STRIP_BLOCK)
        self._collect()

    def _collect(self) -> None:
        found = self._found
        self._collect_call.bound(
            self.event, self._events, self._strip_events, self.tags, self.values, self.slot_count, *self._told, found
        ).run()
        end = 0
        for kind in (HIT, EXPIRED, CAUGHT):
            begin, end = end, end + int(found[kind])
            if end > begin:
                self._happened[kind].append([array[begin:end].copy() for array in self._told])
        self._lowest_free = min(self._lowest_free, int(found[NO_EVENT]))

    def _taken(self, kind: int) -> Hits:
        kept, self._happened[kind] = self._happened[kind], []
        if not kept:
            return Hits(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 2), np.float32))
        handles, targets, places = zip(*kept, strict=True)
        return Hits(np.concatenate(handles), np.concatenate(targets), np.ascontiguousarray(np.concatenate(places)))

    def take_hits(self) -> Hits:
        """What hit since this was last asked."""
        return self._taken(HIT)

    def take_caught(self) -> Hits:
        """What wells caught since this was last asked; ``targets`` are the wells' slots."""
        return self._taken(CAUGHT)

    def take_expired(self) -> Handles:
        """Handles of what came to the end of its life since this was last asked."""
        return self._taken(EXPIRED).projectiles
