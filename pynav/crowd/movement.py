"""The passes that move agents: contacts, wishes, first guesses, two contact iterations with walls, and integration.

Everything is bound once for each side of the agent table; a tick sets a number or two and runs the steps of its passes (pace.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
from pynav.crowd.pace import Passes, Turn
from pynav.crowd.wall_map import WallMap
from pynav.kernels import LANES, Sequence, Step

STEER_BLOCK = 256  # agents a block; dense and empty regions differ, so blocks are small
BLEND_PER_SECOND = 20.0  # at 60 ticks a second a quarter of the way to the wish each tick
STOP_BLEND_PER_SECOND = 60.0
STANDING_DAMPING_PER_SECOND = 140.0
TURN_PER_SECOND = 12.0
RELAXATION = 1.2  # of the average push at contacts
RELAXATION_OF_TWO_TICKS = 2.0  # as many iterations then have twice the way to make up for


@dataclass(frozen=True)
class _Side:
    """The steps over one side of the agent table."""

    second_half: Step
    first_wanted: list[Step]
    wanted: list[Step]
    find: Step
    first_wish: Step
    wish: Step
    settle: Step
    guess: Step
    pushes: list[Step]
    finish: Step
    collect: Step


Leading = list[tuple[list[Step], list[Step]]]


class Movement:
    """Scratch arrays and bound calls of the passes that move agents."""

    def __init__(self) -> None:
        self._capacity = -1
        self._sides: list[_Side] = []
        # What the calls of each side were given last.
        self._first_dt = [0.0, 0.0]
        self._shares: list[tuple[float, int, bool]] = []
        self._times: list[tuple[float, bool]] = []
        self._set_tick: list[list[Callable[[int], None]]] = []  # by side
        self._set_first_tick: list[list[Callable[[int], None]]] = []
        self._guess: list[npt.NDArray[np.float32]] = []
        self._cell_start: npt.NDArray[np.int32] | None = None
        self._halfway_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self.has_lists = False  # whether the contact lists that were made last are in memory; whoever runs the passes sets it

    def reserve(self, capacity: int) -> None:
        """Make room for this many agents; where those go that are half-way is kept."""
        if capacity == self._capacity:
            return
        self._capacity = capacity
        self.neighbours = spread_zeros((capacity, NEIGHBOUR_LIMIT + LANES), np.int32, 4)
        self.neighbour_count = spread_zeros(capacity, np.int32, 1)
        self.next_status = spread_zeros(capacity, np.int32, 10)
        before, self._guess = self._guess, [spread_zeros(capacity, np.float32, turn) for turn in (3, 6, 8, 9)]
        for old, new in zip(before, self._guess, strict=False):
            new[: len(old)] = old
        self.has_lists = False

    def bind(self, table: AgentTable, walls: WallMap, flows: FlowTable, crowds: CrowdTable, groups: GroupTable) -> None:
        """Bind the passes to the arrays of a world; needed again whenever any of these were replaced."""
        self.reserve(table.capacity)
        self.has_lists = self.has_lists and self._cell_start is table.cell_start
        self._cell_start = table.cell_start
        self._sides = [self._bound_side(side, table, walls, flows, crowds, groups) for side in range(2)]
        self._first_dt = [0.0, 0.0]
        self._shares = [(0.0, 0, False)] * 2
        self._times = [(0.0, False)] * 2
        self._set_tick, self._set_first_tick = (
            [[call.integer_setter("tick") for call in calls] for calls in by_side]
            for by_side in (
                [(own.wish.call, own.wanted[0].call) for own in self._sides],
                [(own.first_wish.call, own.first_wanted[0].call) for own in self._sides],
            )
        )

    def _bound_side(
        self, side: int, table: AgentTable, walls: WallMap, flows: FlowTable, crowds: CrowdTable, groups: GroupTable
    ) -> _Side:
        first_x, first_y, second_x, second_y = self._guess
        values, tags = table.values[side], table.tags[side]
        lists = (self.neighbours, self.neighbour_count)
        contacts = (values, tags, self.next_status, *lists)
        crowd_values = (crowds.numbers, crowds.settings)
        cells = (table.rows_per_tile, table.columns_per_tile, table.column_count)
        second_half = _motion_kernels.take_second_half.bind(values, tags, first_x, first_y, walls.walls, *crowd_values)
        find = _neighbour_kernels.find_contacts.bind(values, *lists, table.cell_start, *cells)
        first_wish, wish = (
            _steering_kernels.make_wishes.bind(
                *contacts, table.cell_start, walls.walls, flows.flow, flows.near.mark, flows.near.box, flows.ready,
                flows.route_serial, flows.direction_vector, flows.goals.start, flows.goals.point, *crowd_values, groups.numbers,
                groups.settings, *cells, table.row_count, groups.sets_off, 0, 0, 0.0, share,
            )
            for share in (_steering_kernels.FIRST_HALF, _steering_kernels.EVERYBODY)
        )  # fmt: skip
        settle = _arrival_kernels.settle_waiting.bind(
            values, tags, self.next_status, table.cell_start, crowds.numbers, groups.numbers, *cells, table.row_count
        )
        guess = _motion_kernels.guess_moves.bind(*contacts, first_x, first_y, walls.walls, *crowd_values, 0.0, 0.0, 0.0, 0.0)
        pushes = [
            _contact_kernels.push_contacts.bind(*contacts, *guesses, walls.walls, *crowd_values, 0.0, 0.0)
            for guesses in ((first_x, first_y, second_x, second_y), (second_x, second_y, first_x, first_y))
        ]
        finish = _motion_kernels.finish_move.bind(
            values, tags, self.next_status, first_x, first_y, table.event, 0.0, 0.0, 0.0, 0.0, 0
        )
        collect = _agent_table_kernels.collect_events.bind(
            table.event, tags, crowds.numbers, groups.numbers, crowds.alive, crowds.arrived, crowds.unreachable,
            crowds.generation, crowds.has_news, crowds.counters, groups.counters, table.sorted_count,
        )  # fmt: skip
        count = table.sorted_count
        return _Side(
            second_half=Step(second_half, self._halfway_count, AGENT_BLOCK),
            first_wanted=flows.wanted_steps(table, side, crowds, groups),
            wanted=flows.wanted_steps(table, side, crowds, groups),
            find=Step(find, count, STEER_BLOCK),
            first_wish=Step(first_wish, count, STEER_BLOCK),
            wish=Step(wish, count, STEER_BLOCK),
            settle=Step(settle, count, AGENT_BLOCK),
            guess=Step(guess, count, STEER_BLOCK),
            pushes=[Step(push, count, AGENT_BLOCK) for push in pushes],
            finish=Step(finish, count, AGENT_BLOCK),
            collect=Step(collect),
        )

    def sequences(self, table: AgentTable, leading: list[Leading]) -> dict[Passes, list[Sequence]]:
        """What a tick runs, by the side of the table that is the current one before it. Passes in order:

        take_second_half: agents that are half-way go the rest;
        the sort (agent_table.py);
        want_blocks and what follows: the directions of blocks that somebody needs for the first time;
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
        passes: dict[Passes, list[Sequence]] = {which: [] for which in Passes}
        for before in range(2):
            sort, other = table.sort_steps(before), self._sides[1 - before]
            now = self._sides[before]
            passes[Passes.ALL].append(
                Sequence([*sort, *other.wanted, other.find, other.wish, *_move_steps(other, leading[1 - before])])
            )
            passes[Passes.LISTS].append(Sequence([now.second_half, *sort, *other.first_wanted, other.find, other.first_wish]))
            passes[Passes.LISTS_AGAIN].append(Sequence([*sort, other.find]))
            passes[Passes.MOVES].append(Sequence([*now.wanted, now.wish, *_move_steps(now, leading[before])]))
        return passes

    # --- agents that are half-way

    @property
    def goals(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Where agents that are half-way go, x and y, by their columns in the table; room for them must have been reserved."""
        return self._guess[0], self._guess[1]

    def note_halfway(self, count: int) -> None:
        """So many agents, the first of the table, have gone half of their way."""
        self._halfway_count.data[0] = count

    def halfway(self) -> npt.NDArray[np.float32]:
        """Where those go that are half-way, float32 (2, n), by their columns in the table."""
        return np.array([goal[: int(self._halfway_count[0])] for goal in self.goals], dtype=np.float32)

    def load_halfway(self, goals: npt.NDArray[np.float32]) -> None:
        """Take up where those go that are half-way; room for them was reserved."""
        for guess, goal in zip(self._guess, goals, strict=False):
            guess[: len(goal)] = goal
        self.note_halfway(goals.shape[1])

    # --- a tick's numbers

    def set_numbers(self, side: int, turn: Turn) -> None:
        """The numbers of a turn, for the passes over a side; those that stay the same from turn to turn are set once."""
        own, interval = self._sides[side], turn.wish_interval
        if turn.passes == Passes.LISTS:
            for set_tick in self._set_first_tick[side]:
                set_tick(turn.number)
            if self._first_dt[side] != turn.dt:
                self._first_dt[side] = turn.dt
                _set_interval(own.first_wish, own.first_wanted[0], 2 * interval, interval * turn.dt)
            return
        is_half = turn.passes == Passes.MOVES
        for set_tick in self._set_tick[side]:
            set_tick(turn.number + (interval if is_half else 0))
        if self._shares[side] != (turn.dt, interval, is_half):
            self._shares[side] = (turn.dt, interval, is_half)
            _set_interval(own.wish, own.wanted[0], 2 * interval if is_half else interval, interval * turn.dt)
            own.wish.call.set("share", _steering_kernels.SECOND_HALF if is_half else _steering_kernels.EVERYBODY)
        if self._times[side] != (turn.dt, turn.is_halved):
            self._times[side] = (turn.dt, turn.is_halved)
            self._set_times(own, turn)

    def _set_times(self, own: _Side, turn: Turn) -> None:
        """How long agents move for."""
        dt = turn.dt
        guess, finish = own.guess.call, own.finish.call
        for call in (guess, finish, *(push.call for push in own.pushes)):
            call.set("dt", dt)
        for push in own.pushes:
            push.call.set("relaxation", RELAXATION_OF_TWO_TICKS if turn.is_halved else RELAXATION)
        for call in (guess, finish):
            call.set("per_dt", 1.0 / dt)
        guess.set("blend", BLEND_PER_SECOND * dt / (1.0 + BLEND_PER_SECOND * dt))
        guess.set("blend_stop", STOP_BLEND_PER_SECOND * dt / (1.0 + STOP_BLEND_PER_SECOND * dt))
        finish.set("standing_damping", 1.0 / (1.0 + STANDING_DAMPING_PER_SECOND * dt))
        finish.set("turn", TURN_PER_SECOND * dt / (1.0 + TURN_PER_SECOND * dt))
        finish.set("is_halved", int(turn.is_halved))


def _move_steps(own: _Side, leading: Leading) -> list[Step]:
    """What follows wishes."""
    before = [step for pair in leading for step in pair[0]]
    behind = [step for pair in leading for step in pair[1]]
    return [own.settle, *before, own.guess, *own.pushes, own.finish, *behind, own.collect]


def _set_interval(wish: Step, wanted: Step, interval: int, seconds: float) -> None:
    """Who makes a wish, and asks for blocks: one in so many rows of cells; seconds from one wish of an agent to its next.

    In each of the two ticks that share a move half of those make one who are to before it: one in twice as many rows.
    """
    for step in (wish, wanted):
        step.call.set("wish_mask", interval - 1)
    wish.call.set("wish_dt", seconds)
