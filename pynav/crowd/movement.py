"""The passes that move agents: steering, contacts, and the last contact pass with walls and integration.

Everything is bound once for each side of the agent table; a tick sets a handful of numbers and runs three block kernels.
"""

from typing import Any

import numpy as np

from pynav.crowd import _agent_table_kernels, _contact_kernels, _steering_kernels
from pynav.crowd.agent_layout import NEIGHBOUR_LIMIT
from pynav.crowd.agent_table import AGENT_BLOCK, AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow_table import FlowTable
from pynav.crowd.memory import spread_zeros
from pynav.crowd.wall_map import WallMap

STEER_BLOCK = 512  # agents a block; dense and empty regions differ, so blocks are small
WISH_INTERVAL_TICKS = 4  # a power of two
LONG_WISH_INTERVAL_TICKS = 8  # in worlds of more than LARGE_WORLD_AGENTS; half the cost, a little less nimble
LARGE_WORLD_AGENTS = 20_000
BLEND_PER_SECOND = 20.0  # at 60 ticks a second a quarter of the way to the wish each tick
STOP_BLEND_PER_SECOND = 60.0
STANDING_DAMPING_PER_SECOND = 140.0
TURN_PER_SECOND = 12.0


class Movement:
    """Scratch arrays and bound calls of the passes that move agents."""

    def __init__(self) -> None:
        self._capacity = -1
        self._bound: list[tuple[Any, ...]] = []

    def bind(self, table: AgentTable, walls: WallMap, flows: FlowTable, crowds: CrowdTable) -> None:
        """Bind the passes to the arrays of a world; needed again whenever any of these were replaced."""
        if table.capacity != self._capacity:
            self._capacity = table.capacity
            self._neighbours = spread_zeros((table.capacity, NEIGHBOUR_LIMIT), np.int32, 4)
            self._neighbour_count = spread_zeros(table.capacity, np.int32, 1)
            self._next_status = spread_zeros(table.capacity, np.int32, 10)
            self._guess = [spread_zeros(table.capacity, np.float32, turn) for turn in (3, 6, 8, 9)]
        first_x, first_y, second_x, second_y = self._guess
        self._bound = []
        for side in range(2):
            values, tags = table.values[side], table.tags[side]
            contacts = (values, tags, self._next_status, self._neighbours, self._neighbour_count)
            steer = _steering_kernels.steer.bind(
                *contacts, first_x, first_y, table.cell_start, walls.walls, flows.flow, flows.near, flows.direction_vector,
                flows.goal_start, flows.goal_point, crowds.numbers, crowds.settings, table.rows_per_tile,
                table.columns_per_tile, table.column_count, table.row_count, 0, 0, 0.0, 0.0, 0.0, 0.0, 0.0,
            )  # fmt: skip
            push = _contact_kernels.push_contacts.bind(*contacts, first_x, first_y, second_x, second_y, walls.walls, 0.0)
            finish = _contact_kernels.finish_move.bind(
                *contacts, second_x, second_y, walls.walls, table.event, 0.0, 0.0, 0.0, 0.0
            )
            collect = _agent_table_kernels.collect_events.bind(
                table.event, tags, crowds.numbers, crowds.alive, crowds.arrived, crowds.unreachable, crowds.counters, 0
            )
            self._bound.append((steer, push, finish, collect))

    def steer(self, side: int, count: int, tick: int, dt: float) -> None:
        """Contact lists, wishes and first guesses."""
        call = self._bound[side][0]
        interval = WISH_INTERVAL_TICKS if count <= LARGE_WORLD_AGENTS else LONG_WISH_INTERVAL_TICKS
        call.set("tick", tick)
        call.set("wish_mask", interval - 1)
        call.set("dt", dt)
        call.set("per_dt", 1.0 / dt)
        call.set("blend", BLEND_PER_SECOND * dt / (1.0 + BLEND_PER_SECOND * dt))
        call.set("blend_stop", STOP_BLEND_PER_SECOND * dt / (1.0 + STOP_BLEND_PER_SECOND * dt))
        call.set("wish_dt", interval * dt)
        call.run(count, block_size=STEER_BLOCK)

    def push_contacts(self, side: int, count: int, dt: float) -> None:
        """The first contact iteration."""
        call = self._bound[side][1]
        call.set("dt", dt)
        call.run(count, block_size=AGENT_BLOCK)

    def finish(self, side: int, count: int, dt: float) -> None:
        """The last contact iteration, walls, integration."""
        call = self._bound[side][2]
        call.set("dt", dt)
        call.set("per_dt", 1.0 / dt)
        call.set("standing_damping", 1.0 / (1.0 + STANDING_DAMPING_PER_SECOND * dt))
        call.set("turn", TURN_PER_SECOND * dt / (1.0 + TURN_PER_SECOND * dt))
        call.run(count, block_size=AGENT_BLOCK)

    def collect(self, side: int, count: int) -> None:
        """Note arrivals, removals and agents without a way."""
        call = self._bound[side][3]
        call.set("agent_count", count)
        call.run()
