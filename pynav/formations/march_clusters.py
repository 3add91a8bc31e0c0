"""The clusters of a march whose units are spread over the map: smaller formations that march by themselves and merge when near.

The whole formation has a place for each unit, its slot at the destination. Units that stand together make a cluster: a
formation of its own, with rows and files in proportion, that marches to where its units' slots are, at the pace of its slowest
(march kernels). While a unit is in one, its place in the cluster leads it; else it runs to its slot by itself. Every
SURVEY_SECONDS it is found out who stands together (cluster_survey.py), and from that follows who merges and who parts:

- clusters that come together merge: one formation of all their units, planned while they march on, led by the unit in the middle;
- loose units join once they are a good part of a cluster, or have waited;
- who falls off its cluster leaves it, and is in none for COOL_DOWN_SECONDS;
- a cluster whose leader dies, or leaves it, is led in the same tick by the unit that is then in its middle;
- a cluster that has come to its slots breaks up into them; its units stay out of clusters from then on.

Everything follows from the state and the tick; plans and surveys are counted slices, as those of orders (formation_plan.py).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.formations._home_kernels import find_members, group_members, list_surveyed, middle_of_homes
from pynav.formations.cluster_survey import LEAST_UNITS, MOST_CLUSTERS, ClusterSurvey
from pynav.formations.drag_grid import DragGrid
from pynav.formations.formation_plan import WORK_A_TICK, FormationPlan
from pynav.formations.members import Members
from pynav.formations.ordered_formation import OrderedFormation
from pynav.formations.place_keeper import PlaceKeeper
from pynav.formations.place_layout import (
    AT_X,
    AT_Y,
    FRONT_SPEED,
    PRESENT,
    RATIO,
    SLOT_X,
    SLOT_Y,
    SLOWEST,
)
from pynav.formations.row_class import army_of
from pynav.kernels import parallel_for

if TYPE_CHECKING:
    from pynav.formations.formation_orders import FormationOrders

Ints = npt.NDArray[np.int64]

SURVEY_SECONDS = 1.0  # from one survey to the next
COOL_DOWN_SECONDS = 5.0  # who has left a cluster is in none for so long
JOIN_PART = 0.1  # loose units join a cluster when they are such a part of both together ...
JOIN_SECONDS = 5.0  # ... or it is so old
NEAR_END_TILES = 8.0  # clusters with less to go are left as they are, and nobody so near to its slot makes another one
_PACE = [FRONT_SPEED, SLOWEST, RATIO]


class Gathering(NamedTuple):
    """Units that are to march together.

    Attributes:
        units: int64 (n,), indices of the members.
        replaces: numbers of the clusters that they are in.
    """

    units: Ints
    replaces: list[int]


class Cluster:
    """Some units of a formation that march together.

    Attributes:
        number: its own within the formation, never used again.
        made_of: the units that it was made of.
        march: their formation.
        born: seconds since the order when it set off.
    """

    def __init__(self, number: int, made_of: Gathering, march: OrderedFormation) -> None:
        self.number, self.made_of, self.march = number, made_of, march
        self.born = 0.0

    @property
    def leader(self) -> int:
        """Index of the member of the whole formation that leads it; -1 before it sets off."""
        return -1 if self.march.leader < 0 else int(self.made_of.units[self.march.leader])

    @leader.setter
    def leader(self, member: int) -> None:
        self.march.leader = int(np.searchsorted(self.made_of.units, member))


class MarchClusters:
    """The clusters of one formation.

    Args:
        orders: the formations of the world.
        keeper: of their places.
        whole: the formation; it has its places.

    Attributes:
        marching: the clusters on the march, by number.
        planned: the cluster that is being planned, if any.
        waiting: who are to be planned as clusters, the next ones first.
        rest_until: float64 (n,), the time until which each member is in no cluster; infinite for who has been led to its slot.
        clock: seconds since the order.
    """

    def __init__(self, orders: FormationOrders, keeper: PlaceKeeper, whole: OrderedFormation) -> None:
        self._orders, self._keeper, self._whole = orders, keeper, whole
        self.marching: dict[int, Cluster] = {}
        self.planned: Cluster | None = None
        self.waiting: list[Gathering] = []
        self.rest_until: npt.NDArray[np.float64] = np.zeros(len(whole.members))
        self.clock = 0.0
        self._next_number = 1
        self._next_survey = SURVEY_SECONDS
        self._survey: ClusterSurvey | None = None
        self._surveyed: Ints = np.zeros(0, np.int64)  # members
        self._labelled: list[int] = []  # numbers of the clusters that were surveyed
        self._slots_now: Ints = np.zeros(0, np.int64)
        self._slots_in: npt.NDArray[np.int32] | None = None  # the array by unit that they hold for

    @property
    def is_busy(self) -> bool:
        """Whether any cluster marches or is planned."""
        return bool(self.marching or self.planned or self.waiting)

    @property
    def _slots(self) -> Ints:
        """Where each member lies in arrays in agent order; looked up anew when a crowd has grown."""
        if self._slots_in is not self._keeper.crowds.place:
            self._slots_in = self._keeper.crowds.place
            members = self._whole.members
            self._slots_now = self._keeper.slots_of(members.crowd, members.ids)
        return self._slots_now

    # --- from the outside

    def advance(self, dt: float, was_edited: bool) -> None:
        """Look after clusters, before a tick."""
        self.clock += dt
        for cluster in list(self.marching.values()):
            self._look_after(cluster, was_edited)
        if was_edited:
            self._begin_again()
        if self.planned is not None:
            self._go_on_planning(self.planned)
        elif self.waiting:
            self.planned = self._new_cluster(self.waiting.pop(0))
        elif self._survey is not None:
            if self._survey.advance(WORK_A_TICK):
                survey, self._survey = self._survey, None
                self._next_survey = self.clock + SURVEY_SECONDS
                self._merge_and_part(survey)
        elif self.clock >= self._next_survey and not self._whole.is_formed:
            self._begin_survey()
        for cluster in self.marching.values():
            self._keeper.keep_leader(cluster.march)

    def release(self) -> None:
        """Take the places of all clusters back."""
        for cluster in self.marching.values():
            self._keeper.take_back(cluster.march, self._whole)
        self.marching, self.planned, self.waiting, self._survey = {}, None, [], None

    # --- one cluster

    def _look_after(self, cluster: Cluster, was_edited: bool) -> None:
        march = cluster.march
        self._keeper.close_gaps(march)
        has_arrived = self._keeper.has_arrived(march)
        if has_arrived:
            self.rest_until[self._units_of(cluster)] = math.inf
        if has_arrived or march.tag(PRESENT) == 0 or (was_edited and self._keeper.is_route_closed(march)):
            self._keeper.take_back(march, self._whole)
            del self.marching[cluster.number]

    def _new_cluster(self, made_of: Gathering) -> Cluster | None:
        """A cluster of some units, to be planned; None if too many of them have left the formation."""
        members = self._whole.members
        place, _ = self._who_is_where()
        units = made_of.units[place[made_of.units] > 0]
        if len(units) < (1 if made_of.replaces else LEAST_UNITS):
            return None
        position = np.ascontiguousarray(self._keeper.tables.places.values[AT_X : AT_Y + 1, place[units] - 1].T)
        own = Members(members.crowd[units], members.ids[units], members.priority[units], members.radius[units], position)
        march = OrderedFormation(self._orders, self._next_number, self._whole.mode, self._grid(own, units), own)
        march.least_speed, march.command = self._whole.least_speed, self._whole.command
        self._next_number += 1
        return Cluster(march.number, Gathering(units, made_of.replaces), march)

    def _grid(self, members: Members, units: Ints) -> DragGrid:
        """A smaller grid in the proportions of the whole one, its middle where the units' own slots have theirs."""
        whole = self._whole.grid
        width = None if whole.width is None else whole.width * math.sqrt(len(units) / len(self._whole.members))
        middle = np.zeros(2)
        middle_of_homes(self._keeper.tables.places.values, self._keeper.homes(self._whole), self._slots[units], middle)
        found = DragGrid((0.0, 0.0), whole.facing, width, whole.spacing)
        slots = found.slots(army_of(members.priority, members.radius).classes).positions.astype(np.float64)
        x, y = (float(middle[axis] - slots[:, axis].sum() / len(slots)) for axis in (0, 1))
        found.position, found.facing = (x, y), whole.facing
        return found

    def _go_on_planning(self, cluster: Cluster) -> None:
        """Go on with the plan of a cluster; when it is done, in a tick of its own, its units march."""
        march = cluster.march
        if march.plan is None:
            march.plan = FormationPlan(march.members, march.grid, march.mode, self._orders.land, seeks_clusters=False)
        if not march.plan.is_done:
            march.plan.advance(WORK_A_TICK)
            return
        self.planned = None
        if march.plan.layout is None:  # there is no way for them together
            self.rest_until[cluster.made_of.units] = self.clock + COOL_DOWN_SECONDS
            march.plan = None
            return
        values = self._keeper.tables.formations.values
        paces = [np.zeros(len(_PACE), np.float32)]
        for number in cluster.made_of.replaces:
            if number in self.marching:
                before = self.marching.pop(number).march
                paces.append(values[_PACE, before.column])
                self._keeper.take_back(before, self._whole)
        self._keeper.give(march, march.plan, self._whole)
        self._keeper.tables.formations.values[_PACE, march.column] = np.min(paces[1:] or paces, axis=0)  # as they went before
        cluster.born = self.clock
        self.marching[cluster.number] = cluster

    # --- who is where

    def _who_is_where(self) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The place plus 1 that each member has in the whole formation or a cluster of it, 0 for who is in it no more; and the
        number of the cluster that it is in, -1 for none.
        """
        crowds, tables, count = self._keeper.crowds, self._keeper.tables, len(self._slots)
        number_of_column = np.full(tables.formations.capacity, -1, np.int32)
        for cluster in self.marching.values():
            number_of_column[cluster.march.column] = cluster.number
        places, labels = np.empty(count, np.int64), np.empty(count, np.int32)
        parallel_for(
            find_members, count, self._slots, crowds.alive, crowds.place, tables.places.tags, tables.formations.tags,
            self._whole.column, number_of_column, places, labels,
        )  # fmt: skip
        return places, labels

    def _units_of(self, cluster: Cluster) -> Ints:
        """The members that are in a cluster now."""
        return np.flatnonzero(self._who_is_where()[1] == cluster.number)

    # --- surveys

    def _begin_survey(self) -> None:
        """Look who stands together; not at who rests or stands in its slot."""
        places, labels = self._who_is_where()
        table, count = self._keeper.tables.places, len(places)
        surveyed, found = np.empty(count, np.int64), np.zeros(1, np.int64)
        at, label = np.empty((count, 2), np.float32), np.empty(count, np.int32)
        list_surveyed(places, labels, self.rest_until, self.clock, table.values, table.tags, surveyed, at, label, found)
        count = int(found[0])
        self._surveyed = surveyed[:count]
        self._next_survey = self.clock + SURVEY_SECONDS
        if count == 0:
            return
        self._labelled = list(self.marching)
        dense: npt.NDArray[np.int32] = np.full(self._next_number + 1, -1, np.int32)
        dense[self._labelled] = np.arange(len(self._labelled))
        leaders = np.array([cluster.leader for cluster in self.marching.values()], np.int64)
        index = np.searchsorted(self._surveyed, leaders)
        is_there = self._surveyed[np.minimum(index, count - 1)] == leaders
        self._survey = self._new_survey(at[:count].copy(), dense[label[:count]], np.where(is_there, index, -1).astype(np.int32))

    def _new_survey(
        self, positions: npt.NDArray[np.float32], labels: npt.NDArray[np.int32], leaders: npt.NDArray[np.int32]
    ) -> ClusterSurvey:
        members = self._whole.members
        walls, offset, _ = self._orders.land.walls_of(int(members.crowd[np.argmin(members.radius)]))
        return ClusterSurvey(positions, labels, leaders, walls, offset)

    def _begin_again(self) -> None:
        """The map was edited: what is under way looks at the new one."""
        if self.planned is not None:
            self.planned.march.plan = None
        if self._survey is not None:
            self._survey = self._new_survey(self._survey.positions, self._survey.labels, self._survey.leaders)

    def _merge_and_part(self, survey: ClusterSurvey) -> None:
        """Do what follows from a survey."""
        places, labels = self._who_is_where()
        root = self._group_members(survey, places, labels)
        joined: dict[int, list[int]] = {}
        for index, number in enumerate(self._labelled):
            main = int(survey.main_group[index])
            if number in self.marching and main >= 0:
                leader = int(self._surveyed[survey.leads[index]])
                if labels[leader] == number:
                    self.marching[number].leader = leader
                joined.setdefault(main, []).append(number)
        for main, numbers in joined.items():
            if self._is_worth(numbers, int(survey.group_size[main]), int(survey.loose_size[main])):
                self.waiting.append(Gathering(np.flatnonzero(root == main), numbers))
        loose = survey.loose_size.copy()
        loose[list(joined)] = 0
        self._gather_loose(root, loose)

    def _group_members(self, survey: ClusterSurvey, places: Ints, labels: npt.NDArray[np.int32]) -> Ints:
        """The group that each member is in, -1 for none; who is not in its cluster's largest piece leaves it."""
        root: Ints = np.full(len(labels), -1, np.int64)
        lost, found = np.empty(len(self._surveyed), np.int64), np.zeros(1, np.int64)
        group_members(
            self._surveyed, survey.roots, survey.labels, survey.main_group, places, labels, self.rest_until, self.clock, root,
            lost, found,
        )  # fmt: skip
        lost = lost[: found[0]]
        if len(lost):
            self.rest_until[lost] = self.clock + COOL_DOWN_SECONDS
            self._keeper.send_home(self._whole, self._slots[lost])
        return root

    def _is_worth(self, numbers: list[int], count: int, loose: int) -> bool:
        """Whether clusters in one group, and the loose units with them, become one cluster."""
        clusters = [self.marching[number] for number in numbers]
        if any(self._keeper.left_to_go(cluster.march) < NEAR_END_TILES for cluster in clusters):
            return False
        if len(clusters) > 1:
            return True
        return loose > 0 and (loose >= JOIN_PART * count or self.clock - clusters[0].born >= JOIN_SECONDS)

    def _gather_loose(self, root: Ints, loose: npt.NDArray[np.int32]) -> None:
        """Loose units that stand together become clusters, the largest first, those near their slots never."""
        found = np.flatnonzero(loose >= LEAST_UNITS)
        room = max(MOST_CLUSTERS - len(self.marching), 0)
        if len(found) == 0 or room == 0:
            return
        values = self._keeper.tables.places.values
        home = self._keeper.homes(self._whole)[self._slots].astype(np.int64) - 1
        for main in found[np.lexsort((found, -loose[found]))][:room].tolist():
            units = np.flatnonzero((root == main) & (home >= 0))
            to_slots = values[SLOT_X : SLOT_Y + 1, home[units]] - values[AT_X : AT_Y + 1, home[units]].astype(np.float64)
            if len(units) < LEAST_UNITS:
                continue
            if float(np.hypot(*to_slots.sum(axis=1))) < 2.0 * NEAR_END_TILES * len(units):
                self.rest_until[units] = math.inf
            else:
                self.waiting.append(Gathering(units, []))

    # --- state

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Numbers and arrays for a snapshot."""
        arrays: dict[str, npt.NDArray[Any]] = {"rest_until": self.rest_until, "surveyed": self._surveyed}
        planned = [] if self.planned is None else [self.planned]
        clusters = []
        for cluster in [*self.marching.values(), *planned]:
            arrays[f"{cluster.number}_units"] = cluster.made_of.units
            arrays.update({f"{cluster.number}_{name}": array for name, array in cluster.march.arrays().items()})
            clusters.append({
                "number": cluster.number, "replaces": cluster.made_of.replaces, "born": cluster.born,
                "march": cluster.march.state(),
            })  # fmt: skip
        arrays.update({f"waiting_{index}": found.units for index, found in enumerate(self.waiting)})
        slices = -1
        if self._survey is not None:
            slices, found = self._survey.state()
            arrays.update({f"survey_{name}": array for name, array in found.items()})
        meta = {
            "clock": self.clock, "next_number": self._next_number, "next_survey": self._next_survey, "survey": slices,
            "clusters": clusters, "labelled": self._labelled, "waiting": [found.replaces for found in self.waiting],
        }  # fmt: skip
        return meta, arrays

    def load(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        self.clock, self._next_number, self._next_survey = meta["clock"], meta["next_number"], meta["next_survey"]
        self.rest_until, self._surveyed = arrays["rest_until"].copy(), arrays["surveyed"].copy()
        for entry in meta["clusters"]:
            number = entry["number"]
            own = {name.removeprefix(f"{number}_"): array for name, array in arrays.items() if name.startswith(f"{number}_")}
            march = self._orders.loaded(entry["march"], own, seeks_clusters=False)
            cluster = Cluster(number, Gathering(own["units"], list(entry["replaces"])), march)
            cluster.born = entry["born"]
            if march.column >= 0:
                self.marching[number] = cluster
            else:
                self.planned = cluster
        self.waiting = [Gathering(arrays[f"waiting_{index}"], list(given)) for index, given in enumerate(meta["waiting"])]
        self._labelled = list(meta["labelled"])
        if meta["survey"] >= 0:
            self._survey = self._new_survey(arrays["survey_positions"], arrays["survey_labels"], arrays["survey_leaders"])
            self._survey.repeat(meta["survey"])
