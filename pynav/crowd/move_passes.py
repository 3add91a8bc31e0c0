"""The passes of a tick over the agents: bound to the arrays of a world, and run in the order that the pace asks for."""

from __future__ import annotations

from operator import is_
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.flow_table import FlowTable
from pynav.crowd.group_table import GroupTable
from pynav.crowd.movement import Movement
from pynav.crowd.pace import Passes, Turn
from pynav.crowd.wall_map import WallMap
from pynav.kernels import Sequence, Step


class Leader(Protocol):
    """Who says what some agents want in the place of their flows: formations, and whoever has a foe."""

    def steps(
        self, side: int, next_status: npt.NDArray[np.int32], walls: npt.NDArray[np.uint16]
    ) -> tuple[list[Step], list[Step]]:
        """Steps before the move and behind it, over a side of the table."""

    def set_numbers(self, side: int, turn: Turn) -> None:
        """The numbers of a turn."""

    def bound_to(self) -> tuple[Any, ...]:
        """The arrays that the steps use and that may be replaced."""


class MovePasses:
    """Binds and runs the passes that move agents.

    Args:
        table: the agents.
        movement: the passes themselves.
        leaders: in the order of their steps.
    """

    def __init__(self, table: AgentTable, movement: Movement, leaders: tuple[Leader, ...]) -> None:
        self._table = table
        self._movement = movement
        self._leaders = leaders
        self._active: list[Leader] = []  # those of them that have steps
        self._bound_to: tuple[Any, ...] = ()
        self._passes: dict[Passes, list[Sequence]] = {}  # by the side that is the current one before them

    def bind(self, walls: WallMap, flows: FlowTable, crowds: CrowdTable, groups: GroupTable) -> None:
        """Bind the passes again if any array they use was replaced."""
        table = self._table
        bound_to = (
            table.values[0], table.cell_start, walls.walls, flows.layer_of, flows.flow, flows.near.mark, flows.near.box,
            flows.goals.start, flows.goals.point, crowds.numbers, crowds.settings, crowds.counters, crowds.alive, groups.numbers,
            *[array for leader in self._leaders for array in leader.bound_to()],
        )  # fmt: skip
        if not self._bound_to or not all(map(is_, bound_to, self._bound_to)):
            self._movement.bind(table, walls, flows, crowds, groups)
            next_status = self._movement.next_status
            leading = [[leader.steps(side, next_status, walls.walls) for leader in self._leaders] for side in range(2)]
            self._passes = self._movement.sequences(table, leading)
            self._active = [leader for leader, own in zip(self._leaders, leading[0], strict=True) if any(own)]
            self._bound_to = bound_to

    def run(self, turn: Turn) -> None:
        """Run the passes of a tick."""
        table, movement = self._table, self._movement
        if turn.has_lists and not movement.has_lists:
            self.list_again()
        side = table.side if turn.has_lists else 1 - table.side
        movement.set_numbers(side, turn)
        if turn.passes != Passes.LISTS:
            for leader in self._active:
                leader.set_numbers(side, turn)
        if turn.has_lists:
            self._passes[Passes.MOVES][side].run()
        else:
            table.run(self._passes[turn.passes][1 - side])
            movement.has_lists = True
        if turn.is_halved and turn.passes != Passes.LISTS:
            movement.note_halfway(table.count)

    def list_again(self) -> None:
        """Make contact lists that are not in memory, after a snapshot: the same ones, for nobody has moved since."""
        if not self._movement.has_lists:
            self._table.run(self._passes[Passes.LISTS_AGAIN][self._table.side])
            self._movement.has_lists = True
