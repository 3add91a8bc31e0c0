"""Formations of a world: orders, the pass that leads their units, what became of them.

An order sets its crowds going at once, along one flow; meanwhile slots are moved to the ground and assigned, a share each tick.
From then on the pass of kernels (``steps``) leads each unit to its place. What must be done for a whole formation (a death closes
its gap, the last one has settled) is done by ``advance``, before the next tick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_table import AGENT_BLOCK, AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.movement import STEER_BLOCK
from pynav.crowd.pace import Turn
from pynav.crowd.regrouping import columns_by_slot
from pynav.formations import _march_kernels, _member_kernels, _swap_kernels, _watch_kernels
from pynav.formations._giving_kernels import note_members
from pynav.formations.drag_grid import DragGrid
from pynav.formations.errors import FormationError
from pynav.formations.formation_plan import WORK_A_TICK, FormationPlan, class_grounds
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.land import Land
from pynav.formations.march_clusters import Gathering, MarchClusters
from pynav.formations.members import Members, Rank, checked_ids, checked_ranks
from pynav.formations.modes import MODES, RUN
from pynav.formations.ordered_formation import OrderedFormation
from pynav.formations.place_keeper import PlaceKeeper
from pynav.formations.place_layout import (
    MARCHING,
    PLACE_PATIENCE,
    PRESENT,
    RUNNING,
    SEES_TARGET,
    SETTLED_COUNT,
    SLOT_X,
    SLOT_Y,
    STAGE,
    STANDING,
    TARGET_X,
    TARGET_Y,
)
from pynav.formations.place_table import PlaceTable
from pynav.formations.row_class import army_of
from pynav.formations.slot_ground import move_to_ground
from pynav.kernels import Step, parallel_for

PREVIEW_UNITS = 4096


class FormationEvent(NamedTuple):
    """What happened to a formation.

    Attributes:
        what: "assigned", "arrived" (a march, before it forms up), "formed", "unformed", "broken".
        formation: which.
        units: how many it is about.
    """

    what: str
    formation: OrderedFormation
    units: int


class FormationOrders:
    """All formations of a world.

    Args:
        table: the agents.
        crowds: what is known of their crowds.
        land: the map and the orders.

    Attributes:
        tables: of places, formations, rows and routes.
        keeper: of the places.
        formations: those that there are, in the order of their orders.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable, land: Land) -> None:
        self._table, self._crowds, self._land = table, crowds, land
        self.tables = PlaceTable()
        self.keeper = PlaceKeeper(self.tables, crowds, land)
        self.formations: list[OrderedFormation] = []
        self._next_number = 1
        self._edits = 0
        self._events: list[FormationEvent] = []
        self._group_formation: npt.NDArray[np.int32] = np.zeros(0, np.int32)  # column of the formation table plus 1, by group
        self._set_numbers: list[Callable[[Turn], None]] = []

    def use_land(self, land: Land) -> None:
        """Ask there from now on."""
        self._land = self.keeper.land = land

    @property
    def land(self) -> Land:
        """The map and the orders."""
        return self._land

    # --- orders

    def order(
        self, ranks: Sequence[Rank | tuple[Any, ...]], grid: DragGrid, mode: str = RUN, least_speed: float = 0.0
    ) -> OrderedFormation:
        """Send units to a formation.

        Args:
            ranks: who: crowds with their row priorities (``Rank``, or tuples of its parts).
            grid: where: what was dragged.
            mode: "run": each unit runs to the destination and forms up there; "march": they form up and keep their places on the
                way, as fast as the slowest; "retreat": the same with the last row first, everybody looking back.
            least_speed: tiles a second; slower units are not waited for on a march.

        Returns:
            The formation. Its units set off with the next tick; slots are assigned within some ticks.

        Raises:
            FormationError: no unit, unknown crowds or ids, an unknown mode, bad numbers.

        Notes:
            The units are given a command to move (``World.commands``); whoever is told something else leaves the formation.
            The same calls give the same bits. Cost: in proportion to the units,
            some 3 ms for 65,535; the rest is done in the next ticks.
        """
        if mode not in MODES:
            raise FormationError(f"expected a mode of {', '.join(MODES)}, got {mode!r}")
        if not 0.0 <= least_speed < 1e6:
            raise FormationError(f"expected least_speed as a number of tiles a second from 0, got {least_speed!r}")
        members = self._members(checked_ranks(ranks, self._crowds.crowd_count))
        found = OrderedFormation(self, self._next_number, mode, grid, members)
        found.least_speed = float(least_speed)
        self._next_number += 1
        found.command = self._land.send(members.crowd, members.ids, *grid.position)
        found.plan = self._new_plan(found)
        self.formations.append(found)
        return found

    def preview(self, ranks: Sequence[Rank | tuple[Any, ...]], grid: DragGrid) -> FormationSlots:
        """The slots that an order would give, on the ground for up to PREVIEW_UNITS units, else as dragged. Changes nothing.

        Raises FormationError as ``order`` does.
        """
        members = self._members(checked_ranks(ranks, self._crowds.crowd_count))
        army = army_of(members.priority, members.radius)
        slots = grid.slots(army.classes)
        if len(members) > PREVIEW_UNITS:
            return slots
        return move_to_ground(slots, class_grounds(members, army, self._land))

    def _members(self, ranks: list[Rank]) -> Members:
        found = []
        for rank in ranks:
            own = checked_ids(rank.crowd, rank.ids, self._crowds.alive[self._crowds.slots(rank.crowd)] != 0)
            found.append((np.full(len(own), rank.crowd, np.int32), own, np.full(len(own), rank.priority, np.int32)))
        crowd, ids, priority = (np.concatenate(parts) for parts in zip(*found, strict=True))
        count = len(ids)
        if count == 0:
            raise FormationError("expected at least one unit, got none")
        radius, position = np.empty(count, np.float32), np.empty((count, 2), np.float32)
        columns = columns_by_slot(self._table, self._crowds)
        parallel_for(note_members, count, self._table.now[0], columns, self._crowds.numbers, crowd, ids, radius, position)
        return Members(crowd, ids, priority, radius, position)

    def dismiss(self, formation: OrderedFormation) -> None:
        """Let the units of a formation go."""
        if formation.is_broken:
            return
        formation.is_broken = True
        self.formations.remove(formation)
        self._events.append(FormationEvent("broken", formation, formation.unit_count))
        if formation.march_clusters is not None:
            formation.march_clusters.release()
        self.keeper.take_back(formation)
        formation.plan = None

    def take_events(self) -> list[FormationEvent]:
        """What happened since the last call, in order."""
        found, self._events = self._events, []
        return found

    # --- before each tick

    def advance(self, dt: float) -> None:
        """Plans go on; those that are done are taken up; gaps are closed; clusters are looked after; events are noted. Not needed
        without formations.
        """
        edits = self._land.edits
        was_edited = edits != self._edits
        for formation in list(self.formations):
            if not self._land.groups_of(formation.command):
                self.dismiss(formation)
                continue
            if formation.plan is not None:
                if was_edited:
                    formation.plan = self._new_plan(formation)
                if formation.plan.is_done:  # in a tick of its own
                    self._take_up(formation, formation.plan)
                else:
                    formation.plan.advance(WORK_A_TICK)
                    self.keeper.prepare(formation)
            if formation.column >= 0:
                if was_edited and self.keeper.is_route_closed(formation):
                    self._plan_anew(formation)
                else:
                    self._look_after(formation, dt, was_edited)
        self._edits = edits
        self._note_groups()

    def _new_plan(self, formation: OrderedFormation) -> FormationPlan:
        return FormationPlan(formation.members, formation.grid, formation.mode, self._land, seeks_clusters=formation.mode != RUN)

    def _plan_anew(self, formation: OrderedFormation) -> None:
        """Find another route for a march, from where its units are; till then they go by the flow."""
        members = formation.members
        units = self.keeper.present_members(formation)
        ids, crowd = members.ids[units], members.crowd[units]
        radius, position = np.empty(len(units), np.float32), np.empty((len(units), 2), np.float32)
        columns = columns_by_slot(self._table, self._crowds)
        parallel_for(note_members, len(units), self._table.now[0], columns, self._crowds.numbers, crowd, ids, radius, position)
        self.keeper.take_back(formation)
        formation.slots = None
        formation.members = Members(crowd, ids, members.priority[units], radius, position)
        formation.plan = self._new_plan(formation)

    def _take_up(self, formation: OrderedFormation, plan: FormationPlan) -> None:
        """The slots are assigned: give the formation its places; one that is spread over the map begins to make clusters."""
        self.keeper.give(formation, plan)
        if plan.camps is not None:
            formation.march_clusters = MarchClusters(self, self.keeper, formation)
            formation.march_clusters.waiting = [Gathering(units, []) for units in plan.camps]
        self._events.append(FormationEvent("assigned", formation, formation.tag(PRESENT)))

    def _note_groups(self) -> None:
        """Note which formation the units of each group are in: who is told something else leaves it in the next wish."""
        rows = self._land.group_rows
        if len(self._group_formation) < rows:
            self._group_formation = np.zeros(rows, np.int32)
        self._group_formation[:] = 0
        for formation in self.formations:
            if formation.column >= 0:
                self._group_formation[self._land.groups_of(formation.command)] = formation.column + 1

    def _look_after(self, formation: OrderedFormation, dt: float, was_edited: bool) -> None:
        """Close gaps, note who has formed; a formation of the dead is broken."""
        self.keeper.close_gaps(formation)
        if self.keeper.has_arrived(formation):
            self._form_up(formation)
        if formation.stage == MARCHING:
            self.keeper.keep_leader(formation)
        if formation.march_clusters is not None:
            was_marching = formation.is_marching
            formation.march_clusters.advance(dt, was_edited)
            if was_marching and not formation.is_marching:
                self._events.append(FormationEvent("arrived", formation, formation.unit_count))
        tags, column = self.tables.formations.tags, formation.column
        present = int(tags[PRESENT, column])
        if present == 0:
            self.dismiss(formation)
            return
        is_formed = int(tags[SETTLED_COUNT, column]) == present
        if is_formed != formation.is_formed:
            formation.is_formed = is_formed
            self._events.append(FormationEvent("formed" if is_formed else "unformed", formation, present))

    def _form_up(self, formation: OrderedFormation) -> None:
        """The march has arrived: each unit goes to its slot."""
        places = formation.places()
        values = self.tables.places.values
        values[TARGET_X, places], values[TARGET_Y, places] = values[SLOT_X, places], values[SLOT_Y, places]
        tags = self.tables.places.tags
        tags[STANDING, places] = 0
        tags[SEES_TARGET, places] = 0
        values[PLACE_PATIENCE, places] = 0.0
        self.keeper.end_route(formation)
        self.tables.formations.tags[STAGE, formation.column] = RUNNING
        self._events.append(FormationEvent("arrived", formation, formation.unit_count))

    # --- the pass

    @property
    def is_active(self) -> bool:
        """Whether any formation has places, so that the pass is needed."""
        return int(self.tables.formations.end[0]) > 0

    def bound_to(self) -> tuple[Any, ...]:
        """Arrays whose replacement makes the pass be bound anew; none without a formation: each tick asks."""
        if not self.tables.formations.end[0]:
            return (None,)
        return (*self.tables.arrays(), self._crowds.place, self._group_formation)

    def steps(
        self, side: int, next_status: npt.NDArray[np.int32], walls: npt.NDArray[np.uint16]
    ) -> tuple[list[Step], list[Step]]:
        """The pass over a side of the agent table: steps before the moves, and behind them. None while there is no formation.

        watch_formations: who is there;
        change_places: units that would get into each other's way change places;
        advance_fronts, move_places: how far marches have come, and where each place is;
        steer_members: what each unit wants;
        face_members: where it looks.
        """
        if side == 0:
            self._set_numbers = []
        if not self.is_active:
            self._set_numbers.append(lambda turn: None)
            return [], []
        table, crowds, tables = self._table, self._crowds, self.tables
        values, tags = table.values[side], table.tags[side]
        places, formations = tables.places, tables.formations
        watch = _watch_kernels.watch_formations.bind(formations.tags, places.tags, crowds.numbers, crowds.alive, crowds.place, 0)
        steer = _member_kernels.steer_members.bind(
            values, tags, next_status, table.cell_start, walls, crowds.numbers, crowds.settings, crowds.place,
            self._group_formation, places.values, places.tags, formations.values, formations.tags, tables.stations.values,
            table.rows_per_tile, table.columns_per_tile,
            table.column_count, table.row_count, 0, 0, 0.0,
        )  # fmt: skip
        face = _member_kernels.face_members.bind(
            values, tags, crowds.numbers, crowds.place, places.values, places.tags, formations.values, formations.tags, 0.0
        )
        advance = _march_kernels.advance_fronts.bind(
            formations.values, formations.tags, tables.rows.values, tables.rows.tags, places.values, places.tags,
            tables.stations.values, tables.bins, 0, 0.0,
        )  # fmt: skip
        move = _march_kernels.move_places.bind(
            formations.values, formations.tags, tables.rows.values, tables.rows.tags, places.values, places.tags,
            tables.stations.values, walls, 0,
        )  # fmt: skip
        change = _swap_kernels.change_places.bind(
            formations.tags, places.values, places.tags, crowds.numbers, crowds.alive, crowds.place, 0
        )
        set_ticks = [call.integer_setter("tick") for call in (watch, change, steer, advance, move)]

        def set_numbers(turn: Turn) -> None:
            for set_tick in set_ticks:
                set_tick(turn.number)
            advance.set("dt", turn.dt)
            steer.set("wish_mask", turn.wish_interval - 1)
            steer.set("wish_dt", turn.wish_interval * turn.dt)
            face.set("dt", turn.dt)

        self._set_numbers.append(set_numbers)
        count = table.sorted_count
        before = [
            Step(watch, formations.end, 1),
            Step(change, formations.end, 1),
            Step(advance, formations.end, 1),
            Step(move, places.end, AGENT_BLOCK),
            Step(steer, count, STEER_BLOCK),
        ]
        return before, [Step(face, count, AGENT_BLOCK)]

    def set_numbers(self, side: int, turn: Turn) -> None:
        """The numbers of this turn."""
        self._set_numbers[side](turn)

    # --- state

    def state(self) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
        """Numbers and arrays for a snapshot; empty without formations."""
        if not self.formations and self._next_number == 1:
            return {}, {}
        arrays: dict[str, npt.NDArray[Any]] = {}
        spans = {}
        for name, table in self.tables.tables().items():
            spans[name], table_arrays = table.state(name)
            arrays.update(table_arrays)
        for found in self.formations:
            arrays.update({f"formation_{found.number}_{name}": array for name, array in found.arrays().items()})
        meta = {
            "next": self._next_number, "spans": spans,
            "formations": [found.state() for found in self.formations], "edited": self._land.edits != self._edits,
        }  # fmt: skip
        return meta, arrays

    def hashed(self) -> list[bytes]:
        """What the state's hash covers: nothing without formations."""
        meta, arrays = self.state()
        if not meta:
            return []
        parts = [repr(meta).encode()]
        for name in sorted(arrays):
            parts.append(name.encode())
            parts.append(np.ascontiguousarray(arrays[name]).tobytes())
        return parts

    def load(self, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take up a state."""
        if not meta:
            return
        self._next_number = meta["next"]
        for table_name, table in self.tables.tables().items():
            table.load(table_name, meta["spans"][table_name], arrays)
        self._edits = self._land.edits - (1 if meta["edited"] else 0)
        self.formations = []
        for entry in meta["formations"]:
            prefix = f"formation_{entry['number']}_"
            own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
            found = self.loaded(entry, own)
            if "clusters" in entry:
                found.march_clusters = MarchClusters(self, self.keeper, found)
                prefix = "cluster_"
                own = {name.removeprefix(prefix): array for name, array in own.items() if name.startswith(prefix)}
                found.march_clusters.load(entry["clusters"], own)
            self.formations.append(found)
        self._note_groups()

    def loaded(self, entry: dict[str, Any], arrays: dict[str, npt.NDArray[Any]], seeks_clusters: bool = True) -> OrderedFormation:
        """A formation, or the march of a cluster, as its ``state`` and ``arrays`` gave it; without clusters of its own."""
        members = Members(*(arrays[part] for part in ("crowd", "ids", "priority", "radius", "position")))
        x, y = entry["position"]
        grid = DragGrid((x, y), tuple(entry["facing"]), entry["width"], entry["spacing"])
        grid.facing = tuple(entry["facing"])  # not normalised once more
        found = OrderedFormation(self, entry["number"], entry["mode"], grid, members)
        found.is_formed, found.column, found.least_speed = entry["is_formed"], entry["column"], entry["least_speed"]
        found.command, found.leader = entry["command"], entry["leader"]
        if entry["slices"] >= 0:
            seeks_clusters = seeks_clusters and found.mode != RUN
            found.plan = FormationPlan(members, grid, found.mode, self._land, seeks_clusters)
            found.plan.repeat(entry["slices"])
        if found.column >= 0:
            slots = grid.slots(army_of(members.priority, members.radius).classes)
            dragged = slots.positions.copy()
            slots.positions[:] = arrays["positions"]
            slots.is_moved[:] = (slots.positions != dragged).any(axis=1)
            slots.is_cut_off[:] = arrays["cut_off"]
            found.slots = slots
        return found
