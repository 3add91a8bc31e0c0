"""A formation that was ordered: a handle for the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.formations.drag_grid import DragGrid
from pynav.formations.formation_plan import FormationPlan
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.members import Members
from pynav.formations.modes import RETREAT
from pynav.formations.place_layout import (
    DROPPED_COUNT,
    FIRST_PLACE,
    FRONT,
    MARCHING,
    OWNER_CROWD,
    OWNER_ID,
    PLACE_COUNT,
    PLACE_FRONT,
    PRESENT,
    STAGE,
    STANDING,
    TARGET_VELOCITY_X,
    TARGET_VELOCITY_Y,
    TARGET_X,
    TARGET_Y,
)

if TYPE_CHECKING:
    from pynav.formations.formation_orders import FormationOrders
    from pynav.formations.march_clusters import Cluster, MarchClusters


class OrderedFormation:
    """Made by ``FormationOrders.order``. Attributes are to be read.

    Attributes:
        number: its own, never used again.
        mode: "run", "march" or "retreat" (modes.py).
        grid: what was dragged.
        members: who was ordered.
        slots: on the ground, once they are assigned; None before. Who has which is in the table of places.
        leader: index of the member that leads its march, -1 while it doesn't march as one: the unit in the middle, chosen when
            it sets off, when the leader before it dies or leaves, and for clusters when another one is nearer by far.
        is_formed: whether every unit stands in its slot.
        is_broken: whether it is no more: it was dismissed, its units got another order, or all are dead.
    """

    def __init__(self, orders: FormationOrders, number: int, mode: str, grid: DragGrid, members: Members) -> None:
        self._orders = orders
        self.number = number
        self.mode = mode
        self.grid = grid
        self.members = members
        self.slots: FormationSlots | None = None
        self.is_formed = False
        self.is_broken = False
        self.plan: FormationPlan | None = None
        self.least_speed = 0.0
        self.column = -1  # of the formation table
        self.leader = -1
        self.command = 0  # handle of the command to move that its units got
        self.march_clusters: MarchClusters | None = None  # of a march whose units were spread over the map

    def __repr__(self) -> str:
        return f"OrderedFormation({self.number}, {self.mode}, {len(self.members)} units)"

    @property
    def facing(self) -> tuple[float, float]:
        """Unit vector that the formation looks in when it stands."""
        return self.grid.facing

    def tag(self, row: int) -> int:
        """An entry of its column of the formation table (place_layout.py); 0 before it has one."""
        return 0 if self.column < 0 else int(self._orders.tables.formations.tags[row, self.column])

    @property
    def unit_count(self) -> int:
        """Units that are there, as counted every fourth tick."""
        return len(self.members) if self.column < 0 else self.tag(PRESENT)

    @property
    def dropped_count(self) -> int:
        """Of these, units that cannot keep up with a march and are not waited for."""
        return self.tag(DROPPED_COUNT) + sum(cluster.march.dropped_count for cluster in self.clusters)

    @property
    def clusters(self) -> list[Cluster]:
        """The clusters on the march, in the order in which they set off; none of a formation that goes as one."""
        return [] if self.march_clusters is None else list(self.march_clusters.marching.values())

    @property
    def marches(self) -> list[OrderedFormation]:
        """What is on the march as one: its clusters, in the order in which they set off, or itself; nothing else."""
        return [self] if self.stage == MARCHING else [cluster.march for cluster in self.clusters]

    @property
    def leader_unit(self) -> tuple[int, int]:
        """Crowd and id of who leads its march; -1 and -1 while it doesn't march as one."""
        if self.leader < 0:
            return -1, -1
        return int(self.members.crowd[self.leader]), int(self.members.ids[self.leader])

    @property
    def march_of_slots(self) -> npt.NDArray[np.int32]:
        """Which of ``marches`` the unit of each slot is in, int32 (n,), -1 for none."""
        index_of_column = np.full(self._orders.tables.formations.capacity + 1, -1, np.int32)  # the last one for nobody
        for index, march in enumerate(self.marches):
            index_of_column[march.column] = index
        return index_of_column[self._orders.keeper.columns_of_units(self)]

    @property
    def stage(self) -> int:
        """RUNNING or MARCHING (place_layout.py), UNUSED before the slots are assigned."""
        return self.tag(STAGE)

    @property
    def is_marching(self) -> bool:
        """Whether it is on the march, as one or in clusters."""
        return self.stage == MARCHING or (self.march_clusters is not None and self.march_clusters.is_busy)

    @property
    def target_headings(self) -> npt.NDArray[np.float32]:
        """Where each place goes, or looks while it stands, unit vectors, float32 (n, 2)."""
        places, values = self.places(), self._orders.tables.places.values
        found = np.ascontiguousarray(values[TARGET_VELOCITY_X : TARGET_VELOCITY_Y + 1, places].T)
        length = np.hypot(found[:, 0], found[:, 1])[:, None]
        moves = (length > 1e-6) & (self.stage == MARCHING and self.mode != RETREAT)
        return np.where(moves, found / np.maximum(length, 1e-9), np.array(self.facing)).astype(np.float32)

    def places(self) -> slice:
        """Its columns of the place table; empty before the slots are assigned."""
        return slice(self.tag(FIRST_PLACE), self.tag(FIRST_PLACE) + self.tag(PLACE_COUNT))

    @property
    def targets(self) -> npt.NDArray[np.float32]:
        """Where each slot is now, float32 (n, 2), tiles: the slot itself unless the formation marches."""
        places, values = self.places(), self._orders.tables.places.values
        found = values[TARGET_X : TARGET_Y + 1, places].T
        if self.stage == MARCHING:
            front = self._orders.tables.formations.values[FRONT, self.column]
            found = (
                found
                + values[TARGET_VELOCITY_X : TARGET_VELOCITY_Y + 1, places].T * (front - values[PLACE_FRONT, places])[:, None]
            )
        return np.ascontiguousarray(found)

    @property
    def owners(self) -> npt.NDArray[np.int32]:
        """Crowd and id of the unit of each slot, int32 (n, 2); id -1: nobody."""
        return np.ascontiguousarray(self._orders.tables.places.tags[OWNER_CROWD : OWNER_ID + 1, self.places()].T)

    @property
    def standings(self) -> npt.NDArray[np.int32]:
        """COMING, SETTLED or DROPPED by slot, int32 (n,) (place_layout.py)."""
        return self._orders.tables.places.tags[STANDING, self.places()].copy()

    def dismiss(self) -> None:
        """Let the units go: they keep the order of their crowds, without slots."""
        self._orders.dismiss(self)

    def state(self) -> dict[str, Any]:
        """Numbers for a snapshot."""
        clusters = {} if self.march_clusters is None else {"clusters": self.march_clusters.state()[0]}
        return clusters | {
            "number": self.number, "mode": self.mode, "position": list(self.grid.position), "facing": list(self.grid.facing),
            "width": self.grid.width, "spacing": self.grid.spacing, "is_formed": self.is_formed, "column": self.column,
            "least_speed": self.least_speed, "leader": self.leader,
            "slices": -1 if self.plan is None else self.plan.slices_done, "command": self.command,
        }  # fmt: skip

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays for a snapshot."""
        found = dict(self.members.arrays())
        if self.slots is not None:
            found |= {"positions": self.slots.positions, "cut_off": self.slots.is_cut_off}
        if self.march_clusters is not None:
            found |= {f"cluster_{name}": array for name, array in self.march_clusters.state()[1].items()}
        return found
