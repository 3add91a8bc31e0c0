"""The work between an order and its formation: slots on the ground, and who goes to which; a share each tick.

A plan is a generator of slices. Its result follows from the order and the map alone, and so does the number of slices; a snapshot
keeps the order and how many are done, and does them again when it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np
import numpy.typing as npt

from pynav.formations.class_ground import ClassGround
from pynav.formations.drag_grid import DragGrid
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.members import Members
from pynav.formations.row_class import army_of
from pynav.formations.slot_assignment import SlotAssignment
from pynav.formations.slot_ground import GroundMove
from pynav.grid.navigation_layers import NavigationLayer

WORK_A_TICK = 1500  # about a microsecond each; what one formation's plan may take of a tick
_GROUND_WORK = 700  # of a slice that moves slots, in a map of ordinary size
_ASSIGN_WORK = 300

LayerOf = Callable[[list[int], float], NavigationLayer]


class FormationPlan:
    """What becomes of an order.

    Args:
        members: who.
        grid: where.
        layer_of: the layer that a row class walks on, from the indices of its crowds and the radius of its largest unit.

    Attributes:
        slots: on the ground, once it is done.
        unit_of_slot: int32 (n,), index into the members.
        slices_done: so far.
    """

    def __init__(self, members: Members, grid: DragGrid, layer_of: LayerOf) -> None:
        self._members, self._grid, self._layer_of = members, grid, layer_of
        self.slots: FormationSlots | None = None
        self.unit_of_slot: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self.slices_done = 0
        self.is_done = False
        self._slices = self._work()

    def advance(self, work: int = WORK_A_TICK) -> bool:
        """Do slices until their work is done, at least one; whether all is done."""
        left = work
        while not self.is_done and left > 0:
            left -= self._slice()
        return self.is_done

    def repeat(self, slices: int) -> None:
        """Do as many slices as another one of the same order has done."""
        while self.slices_done < slices:
            self._slice()

    def _slice(self) -> int:
        work = next(self._slices, None)
        self.slices_done += 1
        if work is None:
            self.is_done = True
            return 0
        return work

    def _work(self) -> Generator[int]:
        members = self._members
        count = len(members)
        army = army_of(members.priority, members.radius)
        yield 50 + count // 40
        slots = self._grid.slots(army.classes)
        yield 50 + count // 20
        grounds = []
        for index, found in enumerate(army.classes):
            own = army.class_of_unit == index
            layer = self._layer_of([int(crowd) for crowd in np.unique(members.crowd[own])], found.radius)
            grounds.append(ClassGround(layer, members.position[own]))
            yield 100 + int(np.count_nonzero(own)) // 40
        move = GroundMove(slots, grounds)
        small = min(_GROUND_WORK, 60 + count)
        while not move.advance():
            yield small
        assignment = SlotAssignment(members.position, army.class_of_unit, move.result)
        yield 50 + count // 20
        small = min(_ASSIGN_WORK, 10 + count)
        while not assignment.advance():
            yield small
        self.slots, self.unit_of_slot = move.result, assignment.finish()
