"""Gives formations their places, writes down who has which, and takes them back: what orders and clusters of marches share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.wall_geometry import SOLID
from pynav.formations import _giving_kernels as kernels
from pynav.formations import _home_kernels as home_kernels
from pynav.formations._cluster_kernels import find_middle_unit
from pynav.formations.formation_plan import FormationPlan
from pynav.formations.land import Land
from pynav.formations.modes import RETREAT, RUN
from pynav.formations.ordered_formation import OrderedFormation
from pynav.formations.place_layout import (
    AT_X,
    DEAD_COUNT,
    FACES_ALWAYS,
    FACING_X,
    FACING_Y,
    FIRST_PLACE,
    FIRST_ROW,
    FIRST_STATION,
    FORMATION,
    FRONT,
    FRONT_END,
    LEAST_SPEED,
    MARCHING,
    OWNER_CROWD,
    OWNER_ID,
    PLACE_COUNT,
    PLACE_OFFSET,
    PRESENT,
    ROW_COUNT,
    RUNNING,
    STAGE,
    STATION_COUNT,
    STATION_TILES,
    STATION_X,
    STATION_Y,
    TARGET_X,
    UNUSED,
    WALK_LAYER,
    WHOLE,
)
from pynav.formations.place_table import PlaceTable
from pynav.kernels import parallel_for

_AT_END_TILES = 0.01
_CLUSTER_ROOM = 2  # times a march's places: for those of its clusters, and the gaps that merged ones leave


class PlaceKeeper:
    """Places of formations and their owners.

    Args:
        tables: of formations.
        crowds: what is known of the units' crowds.
        land: the map and the orders.
    """

    def __init__(self, tables: PlaceTable, crowds: CrowdTable, land: Land) -> None:
        self.tables, self.crowds, self.land = tables, crowds, land

    def slots_of(self, crowd: npt.NDArray[Any], ids: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """Where units lie in arrays in agent order."""
        first = np.array([self.crowds.slots(index).start for index in range(self.crowds.crowd_count)], np.int64)
        return np.asarray(first[crowd] + ids)

    def slots_of_owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The same for the owners of places."""
        tags = self.tables.places.tags
        return self.slots_of(tags[OWNER_CROWD, places], tags[OWNER_ID, places])

    # --- giving and taking

    def prepare(self, formation: OrderedFormation) -> None:
        """Get a share of the memory for the places of a formation whose plan is under way, and for those of its clusters."""
        count = len(formation.members)
        if formation.mode != RUN:
            count *= 1 + _CLUSTER_ROOM
        places = self.tables.places
        places.prepare(int(places.end[0]) + count)

    def give(self, formation: OrderedFormation, plan: FormationPlan, whole: OrderedFormation | None = None) -> None:
        """The slots are assigned: give a formation its places, or a cluster those that it has while it marches.

        Units that have died or were told something else since the order get none, nor do those of a cluster that are no more in
        the formation that it belongs to.
        """
        assert plan.slots is not None
        formation.plan = None
        formation.slots = plan.slots
        count = len(plan.slots)
        column = formation.column = self.tables.formations.take(1)
        first = self.tables.places.take_span(count)
        tags, values = self.tables.formations.tags, self.tables.formations.values
        tags[FIRST_PLACE, column], tags[PLACE_COUNT, column] = first, count
        tags[PRESENT, column] = count
        tags[WHOLE, column] = 0 if whole is None else whole.column + 1
        values[FACING_X : FACING_Y + 1, column] = plan.slots.facing
        members, places = formation.members, self.tables.places
        parallel_for(
            kernels.fill_places, count, places.values, places.tags, first, column, plan.slots.positions, plan.slots.class_table,
            plan.unit_of_slot, members.crowd, members.ids, members.position,
        )  # fmt: skip
        tags[STAGE, column] = RUNNING
        if plan.layout is not None and plan.route is not None:
            plan.layout.fill(self.tables, column, plan.route, plan.layer)
            assert plan.start is not None
            parallel_for(kernels.set_targets, count, places.values, first, plan.start.positions, values[FRONT, column])
            values[LEAST_SPEED, column] = formation.least_speed
            tags[FACES_ALWAYS, column] = formation.mode == RETREAT
        if whole is None:
            is_own_group = np.zeros(self.land.group_rows, np.uint8)
            is_own_group[self.land.groups_of(formation.command)] = 1
            kernels.claim_places(
                places.tags, first, count, self.crowds.numbers, self.land.group_of_units(), is_own_group, self.crowds.place
            )
        else:
            span = whole.places()
            kernels.claim_from_whole(
                places.values, places.tags, first, count, span.start, span.stop - span.start, self.crowds.numbers,
                self.crowds.place,
            )  # fmt: skip

    def take_back(self, formation: OrderedFormation, whole: OrderedFormation | None = None) -> None:
        """Take its places from the units of a formation; those of a cluster have their places in the whole one again."""
        if formation.column < 0:
            return
        span, tables = formation.places(), self.tables
        count = span.stop - span.start
        slots, found = np.empty(count, np.int64), np.zeros(1, np.int64)
        home_kernels.list_units_in_places(
            tables.places.tags, span.start, count, self.crowds.numbers, self.crowds.place, slots, found
        )
        home = np.zeros(len(self.crowds.place), np.int32) if whole is None else self.homes(whole)
        self._send(slots[: found[0]], home)
        tables.free_places(span.start, count)
        self.end_route(formation)
        tables.formations.tags[STAGE, formation.column] = UNUSED
        tables.formations.give_back(formation.column)
        formation.column = -1

    def send_home(self, whole: OrderedFormation, slots: npt.NDArray[np.int64]) -> None:
        """Give units of clusters their places in the whole formation again; their clusters close the gaps."""
        self._send(slots, self.homes(whole))

    def _send(self, slots: npt.NDArray[np.int64], home: npt.NDArray[np.int32]) -> None:
        places = self.tables.places
        home_kernels.send_units_home(places.values, places.tags, slots, home, self.crowds.place)

    def homes(self, whole: OrderedFormation) -> npt.NDArray[np.int32]:
        """The place plus 1 in a formation of the unit of each slot in agent order, 0 for who is not in it."""
        home: npt.NDArray[np.int32] = np.zeros(len(self.crowds.place), np.int32)
        span = whole.places()
        home_kernels.note_homes(self.tables.places.tags, span.start, span.stop - span.start, self.crowds.numbers, home)
        return home

    def end_route(self, formation: OrderedFormation) -> None:
        """Give back what a march needs; nobody leads it any more."""
        formation.leader = -1
        tags = self.tables.formations.tags[:, formation.column]
        if tags[STATION_COUNT]:
            self.tables.rows.give_back(int(tags[FIRST_ROW]))
            self.tables.stations.give_back(int(tags[FIRST_STATION]))
            tags[STATION_COUNT] = tags[ROW_COUNT] = 0

    # --- who has which place

    def present_members(self, formation: OrderedFormation) -> npt.NDArray[np.int64]:
        """Indices of the members that have a place in a formation."""
        span, members = formation.places(), formation.members
        now = self.crowds.place[self.slots_of(members.crowd, members.ids)]
        return np.flatnonzero((now > span.start) & (now <= span.stop))

    def columns_of_units(self, formation: OrderedFormation) -> npt.NDArray[np.int32]:
        """Column of the formation, or of the cluster of it, where the unit of each slot has its place; -1 for an empty slot."""
        span, tags = formation.places(), self.tables.places.tags
        owned = np.flatnonzero(tags[OWNER_ID, span] >= 0)
        found = np.full(span.stop - span.start, -1, np.int32)
        place = self.crowds.place[self.slots_of_owners(owned + span.start)]
        found[owned] = np.where(place > 0, tags[FORMATION, np.maximum(place - 1, 0)], -1)
        return found

    def close_gaps(self, formation: OrderedFormation) -> None:
        """Let units step up into the places of those who have died or gone since somebody looked."""
        tags = self.tables.formations.tags
        if not tags[DEAD_COUNT, formation.column]:
            return
        tags[DEAD_COUNT, formation.column] = 0
        assert formation.slots is not None
        self.tables.close_gaps(formation.places().start, formation.slots, self.crowds.numbers, self.crowds.place)

    # --- the march

    def is_route_closed(self, formation: OrderedFormation) -> bool:
        """Whether the route of a march leads through a solid tile, after an edit."""
        column = formation.column
        tags, values = self.tables.formations.tags[:, column], self.tables.formations.values[:, column]
        if tags[STAGE] != MARCHING:
            return False
        first = int(tags[FIRST_STATION])
        begin = first + max(int(values[FRONT] / float(STATION_TILES)), 0)
        stations = self.tables.stations.values[STATION_X : STATION_Y + 1, begin : first + int(tags[STATION_COUNT])]
        tiles = (stations - values[PLACE_OFFSET]).astype(np.int64) + 1
        return bool((self.land.walls_of_layer(int(tags[WALK_LAYER]))[tiles[1], tiles[0]] & SOLID).any())

    def keep_leader(self, formation: OrderedFormation) -> None:
        """Have the unit in the middle of a march lead it if nobody does: at first, and when the leader has died or gone.

        In the middle of a cluster is who is there, as its surveys find it, of a march that goes as one whose place is there.
        """
        members, crowds, places = formation.members, self.crowds, formation.places()
        if formation.leader >= 0:
            crowd, number = formation.leader_unit
            slot = crowds.slots(crowd).start + number
            if crowds.alive[slot] and places.start < crowds.place[slot] <= places.stop:
                return
        found: npt.NDArray[np.int64] = np.zeros(1, np.int64)
        table = self.tables.places
        x_row = AT_X if formation.tag(WHOLE) else TARGET_X
        find_middle_unit(
            table.values, x_row, table.tags, places.start, places.stop - places.start, crowds.numbers, crowds.alive, crowds.place,
            found,
        )  # fmt: skip
        is_there = found[0] >= 0
        formation.leader = int(np.flatnonzero(self.slots_of(members.crowd, members.ids) == found[0])[0]) if is_there else -1

    def left_to_go(self, formation: OrderedFormation) -> float:
        """Tiles that the front of a march has still to go."""
        values = self.tables.formations.values[:, formation.column]
        return float(values[FRONT_END] - values[FRONT])

    def has_arrived(self, formation: OrderedFormation) -> bool:
        """Whether a march's front is where it ends."""
        is_marching = self.tables.formations.tags[STAGE, formation.column] == MARCHING
        return bool(is_marching) and self.left_to_go(formation) <= _AT_END_TILES
