"""The places of a march: the rows and files of dragged slots, laid along a route."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from pynav.formations import _march_kernels as kernels
from pynav.formations.formation_slots import BEGIN, COUNT, FILES, FormationSlots
from pynav.formations.place_layout import (
    DEPTH,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_STATION,
    FORMATION,
    FRONT,
    FRONT_END,
    LANE,
    MARCHING,
    PITCH,
    PLACE_COUNT,
    PLACE_OFFSET,
    ROW_CLASS,
    ROW_COUNT,
    ROW_FILES,
    ROW_FIRST_PLACE,
    STAGE,
    STATION_COUNT,
    TARGET_X,
    TARGET_Y,
    WALK_LAYER,
)
from pynav.formations.place_table import PlaceTable
from pynav.formations.route import Route, RowShape, direction_at
from pynav.kernels import parallel_for

LANE_FACTOR = 1.15  # times a unit's diameter: how near files come to one another in passages
_END_MARGIN_TILES = 0.5


class MarchLayout:
    """Rows and files of a march.

    Args:
        slots: as dragged, on no ground yet.
        is_retreat: whether the last row goes first, and everybody looks back.

    Attributes:
        depth: float64 (rows,), tiles behind the front, in the order of the march.
        files: int64 (rows,).
        pitch, lane: float64 (rows,), tiles from file to file on open ground and in passages.
        first_slot: int64 (rows,).
        shape: the widest row.
    """

    def __init__(self, slots: FormationSlots, is_retreat: bool) -> None:
        self.slots, self.is_retreat = slots, is_retreat
        first, files, pitch, lane = [], [], [], []
        for found, row in zip(slots.classes, slots.class_table.tolist(), strict=True):
            starts = np.arange(row[BEGIN], row[BEGIN] + row[COUNT], row[FILES])
            first.append(starts)
            files.append(np.minimum(row[BEGIN] + row[COUNT] - starts, row[FILES]))
            pitch.append(np.full(len(starts), 2.0 * found.radius + slots.spacing))
            lane.append(np.full(len(starts), 2.0 * found.radius * LANE_FACTOR))
        self.first_slot, self.files = np.concatenate(first), np.concatenate(files)
        self.pitch = np.concatenate(pitch)
        self.lane = np.minimum(np.concatenate(lane), self.pitch)
        x, y = slots.positions[self.first_slot].astype(np.float64).T
        ahead = x * slots.facing[0] + y * slots.facing[1]
        self.depth = ahead[0] - ahead
        if is_retreat:
            for name in ("first_slot", "files", "pitch", "lane"):
                setattr(self, name, getattr(self, name)[::-1].copy())
            self.depth = self.depth[-1] - self.depth[::-1]
        widest = int(np.argmax(self.files * self.pitch))
        self.shape = RowShape(int(self.files[widest]), float(self.pitch[widest]), float(self.lane[widest]))

    @property
    def whole_depth(self) -> float:
        """From the first row to the last, tiles."""
        return float(self.depth[-1])

    def fill(self, tables: PlaceTable, column: int, route: Route, layer: int = 0) -> None:
        """Give a formation, whose places are there, its rows and stations, the front where the march begins.

        Its middle stands where the way begins, as far as the ground allows.
        """
        formation, row_count = tables.formations, len(self.files)
        first_place = int(formation.tags[FIRST_PLACE, column])
        first_row = tables.rows.take(row_count)
        rows = slice(first_row, first_row + row_count)
        tables.rows.values[DEPTH, rows] = self.depth
        tables.rows.values[PITCH, rows] = self.pitch
        tables.rows.values[LANE, rows] = self.lane
        tables.rows.tags[ROW_FIRST_PLACE, rows] = self.first_slot + first_place
        tables.rows.tags[ROW_FILES, rows] = self.files
        tables.rows.tags[ROW_CLASS, rows] = self.slots.class_of_slot[self.first_slot]
        count = route.stations.shape[1]
        first_station = tables.stations.take(count)
        tables.stations.values[:, first_station : first_station + count] = route.stations
        end = min(route.goal + 0.5 * self.whole_depth, route.length - _END_MARGIN_TILES)
        front = max(min(route.start + 0.5 * self.whole_depth, end), 0.0)
        tags, values = formation.tags, formation.values
        tags[FIRST_ROW, column], tags[ROW_COUNT, column] = first_row, row_count
        tags[FIRST_STATION, column], tags[STATION_COUNT, column] = first_station, count
        values[FRONT, column], values[FRONT_END, column] = front, max(end, front)
        values[PLACE_OFFSET, column], tags[WALK_LAYER, column] = route.offset, layer
        tags[STAGE, column] = MARCHING
        parallel_for(
            kernels.number_places, row_count, tables.rows.values, tables.rows.tags, first_row, tables.places.tags, first_station,
            count, front, int(self.is_retreat), block_size=16,
        )  # fmt: skip

    def start_slots(self, route: Route, walls: npt.NDArray[np.uint16]) -> Generator[int, None, FormationSlots]:
        """The slots where the march begins: what units are assigned to. In slices of about as many microseconds as yielded."""
        tables = PlaceTable()
        column = tables.formations.take(1)
        count = len(self.slots)
        first = tables.places.take_span(count)
        tables.places.tags[FORMATION, first : first + count] = column
        tables.formations.tags[FIRST_PLACE, column], tables.formations.tags[PLACE_COUNT, column] = first, count
        yield 50 + count // 80
        self.fill(tables, column, route)
        yield 50 + count // 100
        places, formations, rows = tables.places, tables.formations, tables.rows
        parallel_for(
            kernels.advance_fronts, 1, formations.values, formations.tags, rows.values, rows.tags, places.values, places.tags,
            tables.stations.values, tables.bins, 1, 0.0,
        )  # fmt: skip
        for tick in range(kernels.MOVE_TICKS):
            parallel_for(
                kernels.move_places, count, formations.values, formations.tags, rows.values, rows.tags, places.values,
                places.tags, tables.stations.values, walls[None], tick,
            )  # fmt: skip
            yield 20 + count // 100
        positions = np.ascontiguousarray(places.values[TARGET_X : TARGET_Y + 1, first : first + count].T)
        x, y = direction_at(route.stations, float(formations.values[FRONT, column]))
        facing = (-x, -y) if self.is_retreat else (x, y)
        return FormationSlots(positions, facing, self.slots.spacing, self.slots.classes, self.slots.files)
