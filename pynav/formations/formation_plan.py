"""The work between an order and its formation: slots on the ground, and who goes to which; a share each tick.

A plan is a generator of slices. Its result follows from the order and the map alone, and so does the number of slices; a snapshot
keeps the order and how many are done, and does them again when it is loaded.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
import numpy.typing as npt

from pynav.formations.class_ground import ClassGround
from pynav.formations.cluster_survey import ClusterSurvey, largest_groups
from pynav.formations.drag_grid import DragGrid
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.land import Land
from pynav.formations.march_layout import MarchLayout
from pynav.formations.members import Members
from pynav.formations.modes import RETREAT, RUN
from pynav.formations.route import Route, make_route
from pynav.formations.row_class import Army, army_of
from pynav.formations.sliced_work import SlicedWork
from pynav.formations.slot_assignment import SlotAssignment
from pynav.formations.slot_ground import GroundMove

WORK_A_TICK = 1000  # about a microsecond each; what one formation's plan may take of a tick
_GROUND_WORK = 400  # of a slice that moves slots, in a map of ordinary size
_ASSIGN_WORK = 200
_LOOKS_A_SLICE = 300  # blocks that a search for a way looks at, about a microsecond each
_STRAIGHT_ON_TILES = 2.0
TOGETHER_PART = 0.9  # of the units of a march: if so many stand together it goes as one (its front waits for so many, too)


def class_ground(members: Members, army: Army, land: Land, index: int) -> ClassGround:
    """The ground of a row class."""
    layer = land.layer_of(members.crowds_of_class(army, index), army.classes[index].radius)
    return ClassGround(layer, members.position, army.class_of_unit, index)


def class_grounds(members: Members, army: Army, land: Land) -> list[ClassGround]:
    """The ground of each row class."""
    return [class_ground(members, army, land, index) for index in range(len(army.classes))]


class FormationPlan(SlicedWork):
    """What becomes of an order.

    Args:
        members: who.
        grid: where.
        mode: RUN, MARCH or RETREAT.
        land: the map.
        seeks_clusters: whether a march whose units are spread over the map gets slots alone, and is to go in clusters.

    Attributes:
        camps: of units that are spread: those that stand together, the largest first (``largest_groups``); else None.
        slots: on the ground, once it is done.
        unit_of_slot: int32 (n,), index into the members, once it is done.
        layout: of a march; None where units run, and where no way leads to the place.
        route: of a march.
        start: where its places are when it begins.
    """

    def __init__(self, members: Members, grid: DragGrid, mode: str, land: Land, seeks_clusters: bool = False) -> None:
        self._members, self._grid, self._mode, self._land = members, grid, mode, land
        self._seeks_clusters = seeks_clusters
        self.camps: list[npt.NDArray[np.int64]] | None = None
        self.slots: FormationSlots | None = None
        self.layout: MarchLayout | None = None
        self.route: Route | None = None
        self.start: FormationSlots | None = None
        self.unit_of_slot: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        super().__init__(self._work())

    @property
    def _walker(self) -> int:
        """The crowd of the largest units: where these get through, all do."""
        return int(self._members.crowd[np.argmax(self._members.radius)])

    @property
    def layer(self) -> int:
        """Number of the layer that the march goes on."""
        return self._land.layer_number(self._walker)

    def _work(self) -> Generator[int]:
        members = self._members
        count = len(members)
        yield count // 40  # the tick of a large order has enough to do
        army = army_of(members.priority, members.radius)
        yield 50 + count // 150
        slots = self._grid.slots(army.classes)
        yield 50 + count // 400
        grounds = []
        for index in range(len(army.classes)):
            grounds.append(class_ground(members, army, self._land, index))
            yield 100 + count // 80
        move = GroundMove(slots, grounds)
        small = min(_GROUND_WORK, 60 + count)
        while not move.advance():
            yield small
        to = move.result
        if self._seeks_clusters:
            yield from self._find_clusters()
        if self._mode != RUN and self.camps is None:
            layout = MarchLayout(slots, self._mode == RETREAT)
            yield 50 + count // 200
            self.route = yield from self._route(layout, grounds[0])
            if self.route is not None:
                self.layout = layout
                walls = self._land.walls_of(self._walker)[0]
                to = self.start = yield from layout.start_slots(self.route, walls)
        assignment = SlotAssignment(members.position, army.class_of_unit, to)
        yield 50 + count // 50
        small = min(_ASSIGN_WORK, 10 + count)
        while not assignment.advance():
            yield small
        self.slots, self.unit_of_slot = move.result, assignment.finish()

    def _find_clusters(self) -> Generator[int]:
        """Note who stands together, unless nearly all do."""
        members = self._members
        walls, offset, _ = self._land.walls_of(int(members.crowd[np.argmin(members.radius)]))
        survey = ClusterSurvey(members.position, np.full(len(members), -1, np.int32), np.zeros(0, np.int32), walls, offset)
        yield from survey.slices()
        if survey.group_size.max() < TOGETHER_PART * len(members):
            self.camps = largest_groups(survey.roots)
            yield 50 + len(members) // 60

    def _route(self, layout: MarchLayout, ground: ClassGround) -> Generator[int, None, Route | None]:
        """The route from the unit in the middle to the middle of the slots; None if no way leads there."""
        members = self._members
        leader_x, leader_y = members.position[middle_one(members.position)].tolist()
        yield 50 + len(members) // 60
        depth = layout.whole_depth
        crowd = self._walker
        (x, y), (facing_x, facing_y) = self._grid.position, self._grid.facing
        goal = self._land.goal_near(crowd, x - 0.5 * depth * facing_x, y - 0.5 * depth * facing_y)
        yield 100 + self._land.unit_count(crowd) // 40
        search = self._land.begin_way(crowd, goal)
        if search is None:
            return None
        yield 100
        while not search.advance(_LOOKS_A_SLICE):
            yield _LOOKS_A_SLICE
        tiles = search.way(leader_x, leader_y)
        yield 100 + 4 * len(tiles)
        if len(tiles) == 0:
            return None
        walls, offset, radius = self._land.walls_of(crowd)
        before, behind = 0.5 * depth + _STRAIGHT_ON_TILES, 0.5 * depth + _STRAIGHT_ON_TILES
        return (yield from make_route(tiles, walls, offset, radius, layout.shape, before, behind, goal))


def middle_one(places: npt.NDArray[np.float32]) -> int:
    """Which of some places is nearest to their middle."""
    x, y = places[:, 0].astype(np.float64), places[:, 1].astype(np.float64)
    return int(np.argmin((x - x.sum() / len(x)) ** 2 + (y - y.sum() / len(y)) ** 2))
