"""The tables of formations that were ordered: places, rows, stations of routes, and the formations themselves."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.formations._gap_kernels import close_place_gaps
from pynav.formations._march_kernels import BINS
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.place_layout import (
    FORMATION,
    FORMATION_TAG_COUNT,
    FORMATION_VALUE_COUNT,
    OWNER_ID,
    PLACE_TAG_COUNT,
    PLACE_VALUE_COUNT,
    ROW_TAG_COUNT,
    ROW_VALUE_COUNT,
    STATION_TAG_COUNT,
    STATION_VALUE_COUNT,
)

_LEAST_CAPACITY = 64
_LONGEST_STEP = 2.5  # times the wished distance from unit to unit; nobody goes farther to close a gap


class ColumnTable:
    """Arrays whose columns are given out in spans; grows by replacing them.

    Args:
        value_rows: rows of ``values`` (float32).
        tag_rows: rows of ``tags`` (int32).

    Attributes:
        values: float32 (value_rows, capacity); columns that were never given out hold anything.
        tags: int32 (tag_rows, capacity).
        end: int64 (1,), columns up to the last that is given out: what kernels go over.
    """

    def __init__(self, value_rows: int, tag_rows: int) -> None:
        self.values: npt.NDArray[np.float32] = np.zeros((value_rows, _LEAST_CAPACITY), np.float32)
        self.tags: npt.NDArray[np.int32] = np.zeros((tag_rows, _LEAST_CAPACITY), np.int32)
        self.end: npt.NDArray[np.int64] = np.zeros(1, np.int64)
        self._spans: list[tuple[int, int]] = []  # (first, count), in rising order
        self._prepared: tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]] | None = None  # what it grows to
        self._rows_touched = 0  # of these

    @property
    def capacity(self) -> int:
        """Columns."""
        return int(self.values.shape[1])

    def take(self, count: int) -> int:
        """The first of ``count`` columns side by side, all zeros: the lowest gap that is wide enough."""
        first = self.take_span(count)
        self.values[:, first : first + count] = 0.0
        self.tags[:, first : first + count] = 0
        return first

    def take_span(self, count: int) -> int:
        """The same with anything in the columns, for who writes all of them."""
        first = 0
        at = len(self._spans)
        for index, (begin, size) in enumerate(self._spans):
            if begin - first >= count:
                at = index
                break
            first = begin + size
        if first + count > self.capacity:
            self._grow(max(first + count, 2 * self.capacity))
        if count > 0:
            self._spans.insert(at, (first, count))
        self._measure()
        return first

    def give_back(self, first: int) -> None:
        """Free the span that begins there."""
        self._spans = [span for span in self._spans if span[0] != first]
        self._measure()

    def _measure(self) -> None:
        self.end[0] = sum(self._spans[-1]) if self._spans else 0

    def prepare(self, capacity: int) -> None:
        """Get memory for so many columns, a row a call: to touch all of it at once would take long (20 ms for 200,000 places)."""
        if capacity <= self.capacity:
            return
        if self._prepared is None or self._prepared[0].shape[1] < capacity:
            self._prepared, self._rows_touched = self._new_arrays(capacity), 0
        rows = [*self._prepared[0], *self._prepared[1]]
        if self._rows_touched < len(rows):
            rows[self._rows_touched].fill(0)
            self._rows_touched += 1

    def _new_arrays(self, capacity: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """Values and tags in memory that is mapped for them: for its own large arrays numpy asks for huge pages, each of which is
        cleared as a whole when its first number is touched (0.25 to 7 ms).
        """
        value_rows, tag_rows = len(self.values), len(self.tags)
        memory = mmap.mmap(-1, 4 * capacity * (value_rows + tag_rows))
        values = np.frombuffer(memory, np.float32, value_rows * capacity)
        tags = np.frombuffer(memory, np.int32, tag_rows * capacity, 4 * value_rows * capacity)
        return values.reshape(value_rows, capacity), tags.reshape(tag_rows, capacity)

    def _grow(self, capacity: int) -> None:
        values, tags, end = self.values, self.tags, int(self.end[0])
        if self._prepared is None or self._prepared[0].shape[1] < capacity:
            self._prepared = self._new_arrays(capacity)
        (self.values, self.tags), self._prepared = self._prepared, None
        self.values[:, :end] = values[:, :end]
        self.tags[:, :end] = tags[:, :end]

    def state(self, name: str) -> tuple[list[tuple[int, int]], dict[str, npt.NDArray[Any]]]:
        """Spans, and arrays by name, for a snapshot."""
        end = int(self.end[0])
        return list(self._spans), {f"{name}_values": self.values[:, :end], f"{name}_tags": self.tags[:, :end]}

    def load(self, name: str, spans: list[tuple[int, int]], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        self._spans = [(int(first), int(count)) for first, count in spans]
        end = sum(self._spans[-1]) if self._spans else 0
        if end > self.capacity:
            self._grow(end)
        self._measure()
        self.values[:, :end] = arrays[f"{name}_values"]
        self.tags[:, :end] = arrays[f"{name}_tags"]


class PlaceTable:
    """All tables of formations.

    Attributes:
        places: columns by place (place_layout.py).
        formations: columns by formation.
        rows: columns by row of a march.
        stations: columns by station of a route.
    """

    def __init__(self) -> None:
        self.places = ColumnTable(PLACE_VALUE_COUNT, PLACE_TAG_COUNT)
        self.formations = ColumnTable(FORMATION_VALUE_COUNT, FORMATION_TAG_COUNT)
        self.rows = ColumnTable(ROW_VALUE_COUNT, ROW_TAG_COUNT)
        self.stations = ColumnTable(STATION_VALUE_COUNT, STATION_TAG_COUNT)
        self._bins: npt.NDArray[np.int32] = np.zeros((0, 3, BINS), np.int32)
        self._scratch: npt.NDArray[np.int32] = np.zeros(0, np.int32)

    @property
    def bins(self) -> npt.NDArray[np.int32]:
        """int32 (formations, 3, BINS), scratch of the marches."""
        if len(self._bins) != self.formations.capacity:
            self._bins = np.zeros((self.formations.capacity, 3, BINS), np.int32)
        return self._bins

    def close_gaps(
        self,
        first: int,
        slots: FormationSlots,
        crowd_numbers: npt.NDArray[np.int32],
        member_place: npt.NDArray[np.int32],
    ) -> None:
        """Let units of a formation step up into every place that is nobody's: the file behind it, a step each, diagonal at its
        end, up to the last row.

        Args:
            first: place of the formation.
            slots: of the formation.
            crowd_numbers: of all crowds.
            member_place: int32, the place plus 1 of each unit, written for those that step up; who has one elsewhere keeps it.

        Notes:
            Two or three units go a row's distance each for a death. Deterministic. Cost: the places once, and the rows behind
            each gap; no allocation after the first call.
        """
        if len(self._scratch) < len(slots):
            self._scratch = np.zeros(2 * len(slots), np.int32)
        reach = np.array([_LONGEST_STEP * (2.0 * found.radius + slots.spacing) for found in slots.classes], np.float32)
        close_place_gaps(
            self.places.tags, first, slots.positions, slots.class_table, reach, crowd_numbers, member_place, self._scratch
        )

    def tables(self) -> dict[str, ColumnTable]:
        """All by name."""
        return {
            "formation_places": self.places, "formations": self.formations, "formation_rows": self.rows,
            "formation_stations": self.stations,
        }  # fmt: skip

    def take_places(self, count: int, formation: int) -> int:
        """The first of ``count`` places side by side for a formation, nobody in them."""
        first = self.places.take(count)
        self.places.tags[OWNER_ID, first : first + count] = -1
        self.places.tags[FORMATION, first : first + count] = formation
        return first

    def free_places(self, first: int, count: int) -> None:
        """Give places back; nobody must be in them any more."""
        self.places.tags[OWNER_ID, first : first + count] = -1
        self.places.tags[FORMATION, first : first + count] = -1
        self.places.give_back(first)

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """What kernels are bound to: bound anew where one was replaced."""
        return self.places.values, self.formations.values, self.rows.values, self.stations.values
