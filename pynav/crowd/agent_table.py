"""The agent table: the state of all agents of all crowds, kept in the order of the neighbour grid's cells.

Two copies are used in turn: the sort reads one and writes the other. ``side`` names the current one. Calls are bound once for
each side and bound again only when the capacity or the grid changes, so a tick costs a few microseconds of Python.

The order of agents within a cell depends on the past. It is part of the state: a snapshot saves the table as it stands.
"""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _agent_table_kernels as kernels
from pynav.crowd.agent_layout import (
    AGENT_ID,
    CROWD,
    GROUP,
    HEADING_X,
    HEADING_Y,
    NO_EVENT,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    SPEED,
    STATUS,
    TAG_COUNT,
    TARGET,
    VALUE_COUNT,
)
from pynav.crowd.memory import padded_capacity, spread_zeros
from pynav.kernels import LANES, BlockKernel, Sequence, Step, parallel_for

SORT_BLOCK = 4096  # agents a block of the first half of the sort
ROW_BLOCK = 8  # rows of cells a block of the second half
AGENT_BLOCK = 1024
SMALLEST_ROW_TILES = 1.28  # two rows of cells then hold everything within 0.64 tiles
COLUMNS_PER_ROW_HEIGHT = 2  # cells are half as wide as high: a run of columns is one loop, so narrow ones cost nothing
_SKIN_TILES = 0.08


class AgentTable:
    """Agents as columns; sorted by cells; bound to one map size at a time."""

    def __init__(self) -> None:
        self.capacity = 0
        self.count = 0
        self.side = 0
        self.values: list[npt.NDArray[np.float32]] = []
        self.tags: list[npt.NDArray[np.int32]] = []
        self.event: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)
        self.cell_start: npt.NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self.row_tiles = SMALLEST_ROW_TILES
        self.row_count = 0
        self.column_count = 0
        self._shape = (0, 0)
        self._fitted = ((0, 0), 0.0)
        self.sorted_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)  # written by the sort: agents that stay
        self._old_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)  # read by the sort: agents before it
        self._steps: list[list[Step]] = []
        self._allocate(1024)

    # --- memory

    def _allocate(self, capacity: int) -> None:
        old_values = self.values[self.side][:, : self.count] if self.values else None
        old_tags = self.tags[self.side][:, : self.count] if self.tags else None
        capacity = padded_capacity(capacity)
        self.capacity = capacity
        self.values = [spread_zeros((VALUE_COUNT, capacity), np.float32, 6 * side) for side in range(2)]
        self.tags = [spread_zeros((TAG_COUNT, capacity), np.int32, 3 + 6 * side) for side in range(2)]
        self.event = spread_zeros(capacity, np.uint8, 2)
        self.event[:] = NO_EVENT
        self._agent_row = spread_zeros(capacity, np.int32, 5)
        self._agent_at = spread_zeros(capacity, np.int32, 7)
        self._place_of = spread_zeros(capacity, np.int32, 11)
        if old_values is not None and old_tags is not None:
            self.values[self.side][:, : self.count] = old_values
            self.tags[self.side][:, : self.count] = old_tags
        self._steps = []

    def reserve(self, capacity: int) -> bool:
        """Make room for this many agents; True if the arrays were replaced, so that calls must be bound anew."""
        if capacity + LANES <= self.capacity:
            return False
        self._allocate(max(capacity + LANES, self.capacity + self.capacity // 2))
        return True

    def fit(self, shape: tuple[int, int], largest_radius: float) -> bool:
        """Lay the neighbour grid over a map (height, width); True if it changed. Cells grow with the largest radius."""
        if (shape, largest_radius) == self._fitted:
            return False
        self._fitted = (shape, largest_radius)
        height = max(SMALLEST_ROW_TILES, 2.0 * (2.0 * largest_radius + _SKIN_TILES))
        if shape == self._shape and height == self.row_tiles and self.row_count > 0:
            return False
        self._shape = shape
        self.row_tiles = height
        self.row_count = int(np.float32(shape[0]) * np.float32(self.rows_per_tile)) + 4
        self.column_count = int(np.float32(shape[1]) * np.float32(self.columns_per_tile)) + 4
        self.cell_start = np.zeros(self.row_count * self.column_count + 1, dtype=np.int32)
        self._row_start = np.zeros(self.row_count + 2, dtype=np.int32)
        self._steps = []
        return True

    @property
    def rows_per_tile(self) -> float:
        """What y is multiplied by to give its row of cells, as a float32 value."""
        return float(np.float32(1.0 / self.row_tiles))

    @property
    def columns_per_tile(self) -> float:
        """What x is multiplied by to give its column of cells, as a float32 value."""
        return float(np.float32(COLUMNS_PER_ROW_HEIGHT / self.row_tiles))

    def sort_steps(self, side: int) -> list[Step]:
        """The sort as steps, from ``side`` to the other one. Bound anew after the arrays or the grid were replaced."""
        if not self._steps:
            self._steps = [self._bound_steps(0), self._bound_steps(1)]
        return self._steps[side]

    def _bound_steps(self, side: int) -> list[Step]:
        blocks = (self.capacity + SORT_BLOCK - 1) // SORT_BLOCK
        block_row_count = np.zeros((max(blocks, 1), self.row_count + 1), dtype=np.int32)
        old_values, old_tags = self.values[side], self.tags[side]
        new_values, new_tags = self.values[1 - side], self.tags[1 - side]
        row_start, agent_at = self._row_start, self._agent_at
        count_rows = kernels.count_rows.bind(
            old_values, old_tags, block_row_count, self._agent_row, self.rows_per_tile, self.row_count, SORT_BLOCK
        )
        start_rows = kernels.start_rows.bind(
            block_row_count, row_start, self.cell_start, self.sorted_count, self._old_count, self.row_count, self.column_count,
            SORT_BLOCK,
        )  # fmt: skip
        order_by_row = kernels.order_by_row.bind(block_row_count, self._agent_row, agent_at, SORT_BLOCK)
        order_rows = kernels.order_rows.bind(
            old_values, old_tags, new_values, new_tags, row_start, agent_at, self._place_of, self.cell_start,
            self.columns_per_tile, self.column_count,
        )  # fmt: skip
        return [
            Step(count_rows, self._old_count, SORT_BLOCK),
            Step(start_rows),
            Step(order_by_row, self._old_count, SORT_BLOCK),
            Step(order_rows, np.array([self.row_count], dtype=np.int64), ROW_BLOCK),
        ]

    # --- the sort

    def sort(self) -> None:
        """Bring the table into cell order (stable) and drop the agents that are removed."""
        self.run(Sequence(self.sort_steps(self.side)))

    def run(self, sequence: Sequence) -> None:
        """Run a sequence that begins with the sort from the current side; the other side is then the current one."""
        self._old_count.data[0] = self.count
        sequence.run()
        self.side = 1 - self.side
        self.count = self.sorted_count.data[0]

    # --- changes between ticks

    @property
    def now(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
        """The current values and tags, whole capacity."""
        return self.values[self.side], self.tags[self.side]

    def append(
        self,
        crowd: int,
        ids: npt.NDArray[np.int32],
        positions: npt.NDArray[np.float32],
        speeds: npt.NDArray[np.float32],
        radius: float,
        status: int,
        group: int,
    ) -> None:
        """Add agents at the end of the table; the next sort puts them in place. Room must have been reserved."""
        first, last = self.count, self.count + len(ids)
        values, tags = self.now
        values[:, first:last] = 0.0
        values[POSITION_X, first:last] = positions[:, 0]
        values[POSITION_Y, first:last] = positions[:, 1]
        values[SPEED, first:last] = speeds
        values[RADIUS, first:last] = radius
        values[HEADING_X, first:last] = 1.0
        values[HEADING_Y, first:last] = 0.0
        tags[CROWD, first:last] = crowd
        tags[AGENT_ID, first:last] = ids
        tags[STATUS, first:last] = status
        tags[TARGET, first:last] = 0
        tags[GROUP, first:last] = group
        self.count = last

    def columns_of(self, crowd: int, ids: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int64]:
        """Columns of a crowd's agents; in the order of ``ids`` where these are given (-1 where there is no such agent)."""
        _, tags = self.now
        mine = (tags[CROWD, : self.count] == crowd) & (tags[STATUS, : self.count] != REMOVED)
        columns = np.flatnonzero(mine).astype(np.int64)
        if ids is None:
            return columns
        own_ids = tags[AGENT_ID, columns]
        largest = int(max(own_ids.max(initial=-1), ids.max(initial=-1)))
        place = np.full(largest + 2, -1, dtype=np.int64)
        place[own_ids] = columns
        return place[ids]

    def run_over(self, kernel: BlockKernel, *arguments: object) -> None:
        """Run a block kernel over all agents; its first two arguments are the current values and tags."""
        values, tags = self.now
        parallel_for(kernel, self.count, values, tags, *arguments, block_size=AGENT_BLOCK)
