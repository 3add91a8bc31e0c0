"""The passes that move agents: contacts, wishes, first guesses, two contact iterations with walls, and integration.

Everything is bound once for each side of the agent table; a tick sets one number and runs the steps behind those of the sort.
"""

from collections.abc import Callable

import numpy as np

from pynav.crowd import (
    _agent_table_kernels,
    _arrival_kernels,
    _contact_kernels,
    _motion_kernels,
    _neighbour_kernels,
    _steering_kernels,
)
from pynav.crowd.agent_layout import NEIGHBOUR_LIMIT
from pynav.crowd.agent_table import AGENT_BLOCK, AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow_table import FlowTable
from pynav.crowd.group_table import GroupTable
from pynav.crowd.memory import spread_zeros
from pynav.crowd.wall_map import WallMap
from pynav.kernels import LANES, Step

STEER_BLOCK = 256  # agents a block; dense and empty regions differ, so blocks are small
WISH_INTERVAL_TICKS = 4  # a power of two
LONG_WISH_INTERVAL_TICKS = 8  # in worlds of more than LARGE_WORLD_AGENTS; half the cost, a little less nimble
LARGE_WORLD_AGENTS = 20_000
BLEND_PER_SECOND = 20.0  # at 60 ticks a second a quarter of the way to the wish each tick
STOP_BLEND_PER_SECOND = 60.0
STANDING_DAMPING_PER_SECOND = 140.0
TURN_PER_SECOND = 12.0
LEADING = 3  # steps before which neither formations nor foes have a say


class Movement:
    """Scratch arrays and bound calls of the passes that move agents."""

    def __init__(self) -> None:
        self._capacity = -1
        self._bound: list[list[Step]] = []
        self._wanted: list[list[Step]] = []
        self._numbers: list[tuple[float, int]] = []
        self._set_tick: list[Callable[[int], None]] = []

    def bind(self, table: AgentTable, walls: WallMap, flows: FlowTable, crowds: CrowdTable, groups: GroupTable) -> None:
        """Bind the passes to the arrays of a world; needed again whenever any of these were replaced."""
        if table.capacity != self._capacity:
            self._capacity = table.capacity
            self.neighbours = spread_zeros((table.capacity, NEIGHBOUR_LIMIT + LANES), np.int32, 4)
            self.neighbour_count = spread_zeros(table.capacity, np.int32, 1)
            self.next_status = spread_zeros(table.capacity, np.int32, 10)
            self._guess = [spread_zeros(table.capacity, np.float32, turn) for turn in (3, 6, 8, 9)]
        self._bound = [self._bound_steps(side, table, walls, flows, crowds, groups) for side in range(2)]
        self._wanted = [flows.wanted_steps(table, side, crowds, groups) for side in range(2)]
        self._numbers = [(0.0, 0), (0.0, 0)]
        ticking = [steps[1] for steps in self._bound] + [steps[0] for steps in self._wanted]
        self._set_tick = [step.call.integer_setter("tick") for step in ticking]

    def _bound_steps(
        self, side: int, table: AgentTable, walls: WallMap, flows: FlowTable, crowds: CrowdTable, groups: GroupTable
    ) -> list[Step]:
        first_x, first_y, second_x, second_y = self._guess
        values, tags = table.values[side], table.tags[side]
        lists = (self.neighbours, self.neighbour_count)
        contacts = (values, tags, self.next_status, *lists)
        crowd_values = (crowds.numbers, crowds.settings)
        find = _neighbour_kernels.find_contacts.bind(
            values, *lists, table.cell_start, table.rows_per_tile, table.columns_per_tile, table.column_count
        )
        wish = _steering_kernels.make_wishes.bind(
            *contacts, table.cell_start, walls.walls, flows.flow, flows.near.mark, flows.near.box, flows.ready,
            flows.route_serial, flows.direction_vector, flows.goal_start, flows.goal_point, *crowd_values,
            groups.numbers, groups.settings, table.rows_per_tile, table.columns_per_tile, table.column_count, table.row_count,
            0, 0, 0.0,
        )  # fmt: skip
        settle = _arrival_kernels.settle_waiting.bind(
            values, tags, self.next_status, table.cell_start, crowds.numbers, groups.numbers, table.rows_per_tile,
            table.columns_per_tile, table.column_count, table.row_count,
        )  # fmt: skip
        guess = _motion_kernels.guess_moves.bind(*contacts, first_x, first_y, walls.walls, *crowd_values, 0.0, 0.0, 0.0, 0.0)
        push, push_again = (
            _contact_kernels.push_contacts.bind(*contacts, *guesses, walls.walls, *crowd_values, 0.0)
            for guesses in ((first_x, first_y, second_x, second_y), (second_x, second_y, first_x, first_y))
        )
        finish = _motion_kernels.finish_move.bind(
            values, tags, self.next_status, first_x, first_y, table.event, 0.0, 0.0, 0.0, 0.0
        )
        collect = _agent_table_kernels.collect_events.bind(
            table.event, tags, crowds.numbers, groups.numbers, crowds.alive, crowds.arrived, crowds.unreachable,
            crowds.generation, crowds.has_news, crowds.counters, groups.counters, table.sorted_count,
        )  # fmt: skip
        count = table.sorted_count
        return [
            Step(find, count, STEER_BLOCK),
            Step(wish, count, STEER_BLOCK),
            Step(settle, count, AGENT_BLOCK),
            Step(guess, count, STEER_BLOCK),
            Step(push, count, AGENT_BLOCK),
            Step(push_again, count, AGENT_BLOCK),
            Step(finish, count, AGENT_BLOCK),
            Step(collect),
        ]

    def wanted_steps(self, side: int) -> list[Step]:
        """What comes between the sort and the passes: the directions of blocks that somebody needs for the first time."""
        return self._wanted[side]

    def steps(self, side: int, leading: list[tuple[list[Step], list[Step]]]) -> list[Step]:
        """The passes over the side that the sort has written:

        find_contacts: contact lists;
        make_wishes: what an agent wants (every fourth tick an agent);
        settle_waiting: arrival of those who wait behind a settled crowd;
        ``leading``, the first of each pair: what those want who are in formations, or have a foe;
        guess_moves: first guesses of where it goes;
        push_contacts, twice: the contact iterations and walls;
        finish_move: position, velocity, heading;
        ``leading``, the second ones: where those look;
        collect_events: who arrived, left or lost the way.
        """
        steps = self._bound[side]
        before = [step for pair in leading for step in pair[0]]
        behind = [step for pair in leading for step in pair[1]]
        return [*steps[:LEADING], *before, *steps[LEADING:-1], *behind, steps[-1]]

    def set_numbers(self, side: int, count: int, tick: int, dt: float) -> None:
        """The numbers of this tick."""
        self._set_tick[side](tick)
        self._set_tick[2 + side](tick)
        interval = WISH_INTERVAL_TICKS if count <= LARGE_WORLD_AGENTS else LONG_WISH_INTERVAL_TICKS
        if self._numbers[side] == (dt, interval):
            return
        self._numbers[side] = (dt, interval)
        _, wish, _, guess, push, push_again, finish, _ = (step.call for step in self._bound[side])
        wish.set("wish_mask", interval - 1)
        wish.set("wish_dt", interval * dt)
        self._wanted[side][0].call.set("wish_mask", interval - 1)
        for call in (guess, push, push_again, finish):
            call.set("dt", dt)
        for call in (guess, finish):
            call.set("per_dt", 1.0 / dt)
        guess.set("blend", BLEND_PER_SECOND * dt / (1.0 + BLEND_PER_SECOND * dt))
        guess.set("blend_stop", STOP_BLEND_PER_SECOND * dt / (1.0 + STOP_BLEND_PER_SECOND * dt))
        finish.set("standing_damping", 1.0 / (1.0 + STANDING_DAMPING_PER_SECOND * dt))
        finish.set("turn", TURN_PER_SECOND * dt / (1.0 + TURN_PER_SECOND * dt))
