"""The sources of a homing grid: what attracts, repels, can be hit, or catches. The post's propagators, kept in a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _source_kernels as kernels
from pynav.homing.errors import HomingError
from pynav.homing.homing_layout import (
    CAPTURE,
    DENSE,
    OLD_X,
    OLD_Y,
    POWER,
    PULL,
    RADIUS,
    REACH,
    SLOT_BITS,
    SOURCE_ALIVE,
    SOURCE_GENERATION,
    SOURCE_TAGS,
    SOURCE_TYPE,
    SOURCE_VALUES,
    SOURCE_X,
    SOURCE_Y,
)
from pynav.kernels.kept_call import KeptCall

MOST_TYPES = 8
_FIRST_CAPACITY = 64
_NUMBERS = {"power": POWER, "radius": RADIUS, "reach": REACH, "capture_radius": CAPTURE, "pull": PULL}

Points = npt.NDArray[np.float32]


def checked_points(name: str, points: npt.ArrayLike, count: int | None = None) -> Points:
    """Points as float32 (n, 2); HomingError for another shape or for numbers that are not finite."""
    found = np.asarray(points, dtype=np.float32)
    if found.ndim == 1 and found.size == 2:
        found = found.reshape(1, 2)
    if found.ndim != 2 or found.shape[1] != 2 or (count is not None and len(found) != count):
        wanted = "(n, 2)" if count is None else f"({count}, 2)"
        raise HomingError(f"{name} must have shape {wanted}, got {found.shape}")
    if not np.isfinite(found).all():
        raise HomingError(f"{name} must be finite numbers, got {found[~np.isfinite(found).all(axis=1)][0]}")
    return np.ascontiguousarray(found)


def checked_number(name: str, value: float, least: float | None = None) -> float:
    """A finite number, of at least ``least``; HomingError for another."""
    number = float(value)
    if not np.isfinite(np.float32(number)) or (least is not None and number < least):
        wanted = "a finite number" if least is None else f"a finite number of at least {least:g}"
        raise HomingError(f"{name} must be {wanted}, got {value}")
    return number


class SourceTable:
    """Rows by slot; a handle is the slot with the generation of its use, so one of a source that is gone is noticed.

    Attributes:
        values: float32 (rows of homing_layout, capacity).
        tags: int32, the same.
        count: slots in use or once used.
    """

    def __init__(self) -> None:
        self.values: npt.NDArray[np.float32] = np.zeros((SOURCE_VALUES, _FIRST_CAPACITY), dtype=np.float32)
        self.tags: npt.NDArray[np.int32] = np.zeros((SOURCE_TAGS, _FIRST_CAPACITY), dtype=np.int32)
        self.count = 0
        self._switches = np.zeros(2, np.int64)
        self._begin = KeptCall(kernels.begin_tick)

    def add(
        self,
        points: npt.ArrayLike,
        power: float,
        type_number: int,
        radius: float,
        reach: float,
        capture: float,
        pull: float,
        dense: bool,
    ) -> npt.NDArray[np.int64]:
        """Add a source at each point, in the lowest free slots; their handles."""
        places = checked_points("positions", points)
        checked_type(type_number)
        numbers = {
            POWER: checked_number("power", power),
            RADIUS: checked_number("radius", radius, 0.0),
            REACH: checked_number("reach", reach, 0.0),
            CAPTURE: checked_number("capture_radius", capture, 0.0),
            PULL: checked_number("pull", pull, 0.0),
        }
        slots = self._free_slots(len(places))
        self.values[:, slots] = 0.0
        for row in (SOURCE_X, OLD_X):
            self.values[row, slots] = places[:, 0]
        for row in (SOURCE_Y, OLD_Y):
            self.values[row, slots] = places[:, 1]
        for row, number in numbers.items():
            self.values[row, slots] = number
        self.tags[SOURCE_TYPE, slots] = type_number
        self.tags[SOURCE_ALIVE, slots] = 1
        self.tags[DENSE, slots] = int(dense)
        return self.handles(slots)

    def handles(self, slots: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Handles of the sources that are in these slots now."""
        generation = self.tags[SOURCE_GENERATION, slots].astype(np.int64)
        return np.asarray(generation << SLOT_BITS | slots, dtype=np.int64)

    def slots_of(self, handles: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Slots of handles; HomingError for one whose source is gone."""
        given = np.atleast_1d(np.asarray(handles, dtype=np.int64))
        slots = given & ((1 << SLOT_BITS) - 1)
        known = slots < self.count
        inside = np.where(known, slots, 0)
        good = known & (self.tags[SOURCE_ALIVE, inside] != 0)
        good &= self.tags[SOURCE_GENERATION, inside] == given >> SLOT_BITS
        if not good.all():
            raise HomingError(f"no source has the handle {given[~good][0]}: it was removed, or is of another grid")
        return slots

    def is_alive(self, handle: int) -> bool:
        """Whether the source of a handle is still there."""
        slot = handle & ((1 << SLOT_BITS) - 1)
        return bool(
            0 <= slot < self.count and self.tags[SOURCE_ALIVE, slot] and self.tags[SOURCE_GENERATION, slot] == handle >> SLOT_BITS
        )

    def move(self, handles: npt.ArrayLike, points: npt.ArrayLike, jump: bool) -> None:
        """Put sources elsewhere; ``jump``: without having been in between."""
        slots = self.slots_of(handles)
        places = checked_points("positions", points, len(slots))
        self.values[SOURCE_X, slots], self.values[SOURCE_Y, slots] = places[:, 0], places[:, 1]
        if jump:
            self.values[OLD_X, slots], self.values[OLD_Y, slots] = places[:, 0], places[:, 1]

    def move_slots(self, slots: npt.NDArray[np.int64], points: Points) -> None:
        """The same for slots of sources that are there, unchecked: for callers that move all of them each tick."""
        self.values[SOURCE_X, slots], self.values[SOURCE_Y, slots] = points[:, 0], points[:, 1]

    def change(self, handles: npt.ArrayLike, **numbers: float) -> None:
        """Give sources another power, radius, reach, capture_radius or pull."""
        slots = self.slots_of(handles)
        checked = {}
        for name, value in numbers.items():
            if name not in _NUMBERS:
                raise HomingError(f"a source has {', '.join(_NUMBERS)}; got {name!r}")
            checked[_NUMBERS[name]] = checked_number(name, value, None if name == "power" else 0.0)
        for row, number in checked.items():
            self.values[row, slots] = number

    def remove(self, handles: npt.ArrayLike) -> None:
        """Take sources out."""
        slots = self.slots_of(handles)
        self.tags[SOURCE_ALIVE, slots] = 0
        self.tags[SOURCE_GENERATION, slots] += 1
        self.values[:, slots] = 0.0

    def begin_tick(self, delta: float) -> None:
        """Note the velocities of this tick, and what kinds of sources there are."""
        self._begin.bound(self.values, self.count, float(np.float32(1.0 / delta)), self._switches).run()

    def end_tick(self) -> None:
        """Where sources are now is where they were."""
        self.values[OLD_X, : self.count] = self.values[SOURCE_X, : self.count]
        self.values[OLD_Y, : self.count] = self.values[SOURCE_Y, : self.count]

    def has_repellers_and_wells(self) -> tuple[bool, bool]:
        """Whether there were any when the tick began; those that are gone have no power and no radius."""
        return bool(self._switches[0]), bool(self._switches[1])

    @property
    def slots(self) -> npt.NDArray[np.int64]:
        """Slots of all sources, in rising order."""
        return np.flatnonzero(self.tags[SOURCE_ALIVE, : self.count])

    def alive_slots(self, type_number: int) -> npt.NDArray[np.int64]:
        """Slots of the sources of a type, in rising order."""
        tags = self.tags[:, : self.count]
        return np.flatnonzero((tags[SOURCE_ALIVE] != 0) & (tags[SOURCE_TYPE] == type_number))

    def load(self, values: npt.NDArray[np.float32], tags: npt.NDArray[np.int32]) -> None:
        """Take up the rows of a snapshot."""
        self.count = 0
        self._free_slots(values.shape[1])
        self.values[:, : self.count], self.tags[:, : self.count] = values, tags

    def _free_slots(self, wanted: int) -> npt.NDArray[np.int64]:
        free = np.flatnonzero(self.tags[SOURCE_ALIVE, : self.count] == 0)[:wanted]
        missing = wanted - len(free)
        slots = np.concatenate([free, np.arange(self.count, self.count + missing)])
        self.count += missing
        capacity = self.values.shape[1]
        if self.count > capacity:
            more = max(self.count, 2 * capacity) - capacity
            self.values = np.concatenate([self.values, np.zeros((SOURCE_VALUES, more), np.float32)], axis=1)
            self.tags = np.concatenate([self.tags, np.zeros((SOURCE_TAGS, more), np.int32)], axis=1)
        return slots


def checked_type(type_number: int) -> int:
    """A type of field; HomingError for a number out of range."""
    if isinstance(type_number, bool) or not isinstance(type_number, int | np.integer) or not 0 <= type_number < MOST_TYPES:
        raise HomingError(f"type must be a whole number from 0 to {MOST_TYPES - 1}, got {type_number!r}")
    return int(type_number)
