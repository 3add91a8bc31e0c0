"""Foes of agents that attack: scratch and bound calls of the pass that leads them, and who is engaged with whom."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pynav.crowd import _foe_kernels as kernels
from pynav.crowd.agent_layout import ATTACKS, ENGAGED
from pynav.crowd.agent_table import AGENT_BLOCK, ROW_BLOCK, AgentTable
from pynav.crowd.buildings import Buildings
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.group_table import GroupTable
from pynav.crowd.movement import STEER_BLOCK
from pynav.crowd.pace import Turn
from pynav.crowd.regrouping import groups_by_slot
from pynav.crowd.unit_handles import Handles, UnitIndex
from pynav.kernels import Step

FACE_PER_SECOND = 8.0


class Foes:
    """Who goes for whom. Made by the world; costs nothing while no group attacks.

    The state (whom an agent goes for, and how) lies in the crowd table by slot; here is scratch alone.
    """

    def __init__(self, table: AgentTable, crowds: CrowdTable, groups: GroupTable, units: UnitIndex, buildings: Buildings) -> None:
        self._table, self._crowds, self._groups, self._units, self._buildings = table, crowds, groups, units, buildings
        self._is_active = False
        self.may_be_needed = True  # a restored world's agents may
        self._columns: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._teams: npt.NDArray[np.int64] = np.zeros((1, 1), dtype=np.int64)
        self._came_from: npt.NDArray[np.uint8] = np.zeros((0, kernels.WINDOW**2), dtype=np.uint8)
        self._queue: npt.NDArray[np.int32] = np.zeros((0, kernels.WINDOW**2), dtype=np.int32)
        self._row_count: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._set_numbers: list[Callable[[Turn], None]] = []

    def advance(self) -> None:
        """Before each tick: see whether a group attacks; where none does any more, nobody has a foe."""
        self._is_active = bool(self._groups.attackers)
        if self.may_be_needed and not self._is_active:
            self._crowds.foe[:] = 0
            self._crowds.chase[:] = 0.0
        self.may_be_needed = self._is_active

    def _fit(self) -> None:
        """Make the scratch as large as the tables."""
        table, slots = self._table, len(self._crowds.alive)
        if len(self._columns) != slots:
            self._columns = np.zeros(slots, dtype=np.int32)
        chunks = -(-table.column_count // kernels.CELLS_A_CHUNK)
        if self._teams.shape != (table.row_count, chunks):
            self._teams = np.zeros((table.row_count, chunks), dtype=np.int64)
        blocks = -(-table.capacity // STEER_BLOCK)
        if len(self._queue) < blocks:
            self._came_from = np.zeros((blocks, kernels.WINDOW**2), dtype=np.uint8)
            self._queue = np.zeros((blocks, kernels.WINDOW**2), dtype=np.int32)
        self._row_count[0] = table.row_count

    def bound_to(self) -> tuple[object, ...]:
        """Arrays whose replacement makes the pass be bound anew; none while no group attacks."""
        if not self._is_active:
            return (None,)
        self._fit()
        buildings = self._buildings
        buildings.list_by_cell()
        return (self._columns, self._teams, self._queue, self._crowds.foe, buildings.table, buildings.cell_start)

    def steps(
        self, side: int, next_status: npt.NDArray[np.int32], walls: npt.NDArray[np.uint16]
    ) -> tuple[list[Step], list[Step]]:
        """The pass over a side of the agent table: steps before the moves, and behind them. None while no group attacks.

        note_columns, note_teams: where each unit is, and which teams are where;
        lead_fighters: whom each goes for, and what it wants for it;
        face_foes: where those look who are engaged.
        """
        if side == 0:
            self._set_numbers = []
        if not self._is_active:
            self._set_numbers.append(lambda turn: None)
            return [], []
        table, crowds = self._table, self._crowds
        values, tags = table.values[side], table.tags[side]
        buildings = self._buildings
        living = (crowds.alive, crowds.generation, crowds.foe)
        columns = kernels.note_columns.bind(tags, crowds.numbers, self._columns)
        teams = kernels.note_teams.bind(tags, crowds.numbers, table.cell_start, self._teams, table.column_count)
        lead = kernels.lead_fighters.bind(
            values, tags, next_status, table.cell_start, self._teams, self._columns, buildings.table,
            buildings.cell_start, buildings.cell_list, buildings.cell_columns, walls, crowds.numbers, crowds.settings,
            self._groups.numbers, *living, crowds.chase, self._came_from, self._queue, STEER_BLOCK, table.rows_per_tile,
            table.columns_per_tile, table.column_count, table.row_count, 0, 0, 0.0,
        )  # fmt: skip
        face = kernels.face_foes.bind(values, tags, crowds.numbers, self._columns, buildings.table, *living, 0.0)
        set_tick = lead.integer_setter("tick")

        def set_numbers(turn: Turn) -> None:
            set_tick(turn.number)
            lead.set("wish_mask", turn.wish_interval - 1)
            lead.set("wish_dt", turn.wish_interval * turn.dt)
            face.set("turn", FACE_PER_SECOND * turn.dt / (1.0 + FACE_PER_SECOND * turn.dt))

        self._set_numbers.append(set_numbers)
        count = table.sorted_count
        before = [Step(columns, count, AGENT_BLOCK), Step(teams, self._row_count, ROW_BLOCK), Step(lead, count, STEER_BLOCK)]
        return before, [Step(face, count, AGENT_BLOCK)]

    def set_numbers(self, side: int, turn: Turn) -> None:
        """The numbers of this turn."""
        self._set_numbers[side](turn)

    # --- what games ask

    def engaged(self) -> tuple[Handles, Handles]:
        """Units that have a foe within their range and stand before it, and these foes (buildings too), handles int64 (n,), by
        crowd and id.
        """
        group_of, status_of = groups_by_slot(self._table, self._crowds)
        slots = np.flatnonzero((status_of == ENGAGED) & (group_of >= 0) & (self._crowds.foe != 0)).astype(np.int64)
        slots = slots[self._groups.numbers[ATTACKS, group_of[slots]] != 0]
        foes = self._crowds.foe[slots]
        is_there = self._are_there(foes)
        return self._units.handles_at(slots[is_there]), foes[is_there]

    def foes_of(self, slots: npt.NDArray[np.int64]) -> Handles:
        """Whom the agents of some slots go for, or strike; 0 for those who go for nobody."""
        group_of, _ = groups_by_slot(self._table, self._crowds)
        foes = self._crowds.foe[slots].copy()
        foes[(self._groups.numbers[ATTACKS, group_of[slots]] == 0) | ~self._are_there(foes)] = 0
        return foes

    def _are_there(self, foes: Handles) -> npt.NDArray[np.bool_]:
        return self._units.are_alive(foes) | self._buildings.are_there(foes)
