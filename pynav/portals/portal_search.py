"""The search over portals from a goal, which all units of an order share, and its cheap coarse form."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pynav.kernels import BoundCall
from pynav.portals import _search_kernels as kernels
from pynav.portals import _target_kernels as target_kernels
from pynav.portals.flood_scratch import FloodScratch
from pynav.portals.sector_layout import NEVER, SETTLED
from pynav.portals.sector_map import SectorMap

_UNLIMITED = 2**40  # more anchors than any map has
_LISTED = 256  # sectors handed to the kernels at a time


class PortalSearch:
    """What remains to a set of goals from the anchors of the sectors that somebody waits for.

    The value of an anchor is what remains for whoever stands on it and crosses to its partner. A* from the goals: it stops when
    the islands that were wanted are final, and goes on from there when others are wanted later.

    Args:
        sectors: the map's sectors. After an edit of them ``keep`` says whether the search still holds; else ``set_goals`` again.

    Notes:
        Deterministic: which values are settled depends on the calls, those of a wanted sector and of the exits around it do not.
        Integer costs as in IntegrationField, 64 bits. Start and end are exact: distances to the goals are flooded inside their
        sectors, and those from a start are the business of its region's field. About 0.1 us for each pair of anchors looked at.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self.sectors = sectors
        self.goal_x: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self.goal_y = self.goal_sector = self.goal_island = self.goal_x
        self.goal_span: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.progress: npt.NDArray[np.int64] = np.zeros(kernels.PROGRESS_COUNT, dtype=np.int64)
        self._result: npt.NDArray[np.int64] = np.zeros(3, dtype=np.int64)
        self._scratch = FloodScratch(sectors.size, 0, 1)
        self._listed: npt.NDArray[np.int32] = np.zeros(_LISTED, dtype=np.int32)
        self._wanted_sectors: set[int] = set()
        self._make_room()

    def _make_room(self) -> None:
        """Arrays for the anchors and islands of the map as it is."""
        room, islands = self.sectors.pool.room, len(self.sectors.component)
        self.remaining: npt.NDArray[np.int64] = np.zeros(room, dtype=np.int64)
        self.status: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)
        self.origin: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.key: npt.NDArray[np.int64] = np.zeros(room, dtype=np.int64)
        self.heap: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.place: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.seen: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.wanted: npt.NDArray[np.uint8] = np.zeros(islands, dtype=np.uint8)
        self._pool = self.sectors.pool
        self._bind()

    def _bind(self) -> None:
        """Calls over the map's arrays as they are."""
        sectors, pool = self.sectors, self.sectors.pool
        self._layout, self._revision = pool.layout, sectors.revision
        self.graph = (sectors.island, sectors.island_start, pool.side_start, pool.anchor_base, pool.anchor_tile)
        self.waiting = (self.remaining, self.status, self.origin, self.key, self.heap, self.place, self.seen)
        self._search: BoundCall = kernels.search_portals.bind(
            sectors.grid.cost, *self.graph, pool.anchor_sector, pool.matrix_base, pool.matrix, *self.waiting, self.wanted,
            sectors.size, sectors.column_count, 0, self.progress,
        )  # fmt: skip
        self._order = kernels.order_anew.bind(
            pool.anchor_tile, self.key, self.remaining, self.heap, self.place, sectors.grid.width, self.progress
        )
        self._widen = target_kernels.widen_box.bind(
            sectors.grid.cost, self._listed, 0, sectors.size, sectors.column_count, self.progress
        )
        self._forget = kernels.forget_search.bind(self.status, self.seen, self.wanted, self.progress)
        self._bind_goals()

    def _bind_goals(self) -> None:
        """Calls that know the goals."""
        sectors, pool = self.sectors, self.sectors.pool
        of_islands = (
            *self.graph, pool.matrix_base, pool.matrix, self.remaining, self.status, self.goal_island, self.goal_span,
        )  # fmt: skip
        self._bound = target_kernels.bound_island.bind(*of_islands, 0, 0, self._result)
        self._want = target_kernels.want_sectors.bind(
            *of_islands, self.wanted, sectors.component, self._listed, 0, sectors.size, self.progress
        )

    def set_goals(self, goals: npt.ArrayLike) -> None:
        """Begin anew from goal tiles (x, y), integers (n, 2); solid ones count for nothing."""
        sectors = self.sectors
        self._forget.run()
        self._wanted_sectors = set()
        if self._pool is not sectors.pool or sectors.pool.room > len(self.status) or len(sectors.component) > len(self.wanted):
            self._make_room()
        elif (self._layout, self._revision) != (sectors.pool.layout, sectors.revision):
            self._bind()
        tiles = np.asarray(goals, dtype=np.int32).reshape(-1, 2)
        tiles = tiles[[sectors.grid.is_free(int(x), int(y)) for x, y in tiles]] if len(tiles) else tiles
        owner = (tiles[:, 1] // sectors.size * sectors.column_count + tiles[:, 0] // sectors.size).astype(np.int32)
        order = np.argsort(owner, kind="stable")
        self.goal_x, self.goal_y = np.ascontiguousarray(tiles[order, 0]), np.ascontiguousarray(tiles[order, 1])
        self.goal_sector = np.ascontiguousarray(owner[order])
        self.goal_island = np.zeros(len(order), dtype=np.int32)
        self.goal_span = np.zeros(len(order), dtype=np.int64)
        self.progress[kernels.LEAST_COST] = sectors.grid.cost_range[0]
        self.progress[kernels.BOX : kernels.BOX + 4] = (0, 0, -1, -1)
        scratch = self._scratch
        kernels.seed_from_goals(
            sectors.grid.cost, *self.graph, self.goal_x, self.goal_y, self.goal_sector, *self.waiting, *scratch.first,
            self.goal_island, self.goal_span, sectors.size, sectors.column_count, self.progress,
        )  # fmt: skip
        self._bind_goals()

    def settle(self, wanted: Iterable[int]) -> None:
        """Have the values of some sectors final, and of the exits of the regions around them, as far as they matter there."""
        self.begin(wanted)
        while not self.is_done:
            self.search(_UNLIMITED)

    def begin(self, wanted: Iterable[int]) -> None:
        """Wait for some sectors; ``search`` until ``is_done`` then."""
        new = sorted(set(wanted) - self._wanted_sectors)
        if not new:
            return
        if self.is_done:  # what was wanted before is final and needs no estimate any more
            self.progress[kernels.BOX : kernels.BOX + 4] = (0, 0, -1, -1)
            self.progress[kernels.STOP_AT] = 0
        self._wanted_sectors.update(new)
        for first in range(0, len(new), _LISTED):
            part = new[first : first + _LISTED]
            self._listed[: len(part)] = part
            for call in (self._widen, self._want):
                call.set("sector_count", len(part))
                call.run()
        self._order.run()

    def search(self, budget: int) -> None:
        """Settle ``budget`` anchors at most."""
        self._search.set("budget", budget)
        self._search.run()

    @property
    def is_done(self) -> bool:
        """Whether all that was wanted is final."""
        return bool(self.progress[kernels.DONE]) or not self._wanted_sectors

    @property
    def expanded(self) -> int:
        """Anchors settled since the goals were set."""
        return int(self.progress[kernels.EXPANDED])

    def bound(self, sector: int, island: int) -> tuple[int, int, int]:
        """Of a final island (numbered through all sectors): its best anchor or -1, that one's value, and a bound of what remains.

        0 and the greatest distance to the goal inside it where a goal lies in the island; NEVER, NEVER where no way leads.
        """
        self._bound.set("sector", sector)
        self._bound.set("number", island)
        self._bound.run()
        return int(self._result[0]), int(self._result[1]), int(self._result[2])

    def is_settled(self, anchor: int) -> bool:
        """Whether an anchor's value is final."""
        return bool(self.status[anchor] == SETTLED)

    def route(self, anchor: int) -> list[int]:
        """Anchors that the best way from an anchor on crosses at, from itself to the goals."""
        found = [anchor]
        while self.origin[found[-1]] >= 0:
            found.append(int(self.origin[found[-1]]))
        return found

    def keep(self, changed: npt.NDArray[np.int32]) -> bool:
        """Whether the search holds after an edit that changed some sectors (``SectorMap.update``): it read none of them."""
        pool = self.sectors.pool
        if pool is not self._pool or pool.room > len(self.status):
            return False
        read = pool.anchor_sector[self.seen[: self.progress[kernels.SEEN]]]
        if np.isin(changed, read).any() or np.isin(changed, self.goal_sector).any():
            return False
        self.wanted = np.zeros(len(self.sectors.component), dtype=np.uint8)
        self._wanted_sectors = set()
        pairs = zip(self.goal_x, self.goal_y, strict=True)
        self.goal_island[:] = [self.sectors.island_of(int(x), int(y)) for x, y in pairs]
        self.progress[kernels.LEAST_COST] = self.sectors.grid.cost_range[0]
        self.progress[kernels.WAITED_FOR : kernels.DONE + 1] = 0
        self.progress[kernels.BOX : kernels.BOX + 4] = (0, 0, -1, -1)
        self._bind()
        return True


class CoarseDirections:
    """First directions in the tick of an order: which tile the units of a sector's islands should head for.

    Args:
        sectors: the map's sectors, kept up to date by their owner.
        most_sectors: start sectors that a call can take.
        most_islands: islands a sector that get an answer; later ones have none.

    Attributes:
        target: int32 (most_sectors, most_islands): the tile y * width + x where the next portal is to be crossed, the goal
            itself in its own island, -1 where nothing is known.
        target_value: int64, the same shape: what remains from that tile on (NEVER where nothing is known).

    Notes:
        Deterministic, the work is counted: ``run`` settles ``budget`` anchors at most and may find nothing for some sectors then.
    """

    def __init__(self, sectors: SectorMap, most_sectors: int = 256, most_islands: int = 4) -> None:
        self._search = PortalSearch(sectors)
        self.target: npt.NDArray[np.int32] = np.full((most_sectors, most_islands), -1, dtype=np.int32)
        self.target_value: npt.NDArray[np.int64] = np.full((most_sectors, most_islands), NEVER, dtype=np.int64)

    def run(self, goal: tuple[int, int], starts: npt.NDArray[np.int32], budget: int = 2048) -> int:
        """Fill the first rows of ``target`` for the start sectors (int32 (n,), distinct); the number of anchors settled.

        Raises:
            ValueError: more sectors than ``most_sectors``.
        """
        if len(starts) > len(self.target):
            raise ValueError(f"CoarseDirections: expected at most {len(self.target)} start sectors, got {len(starts)}")
        search = self._search
        search.set_goals([goal])
        search.begin(starts.tolist())
        if not search.is_done:
            search.search(budget)
        target_kernels.write_targets(
            *search.graph, search.remaining, search.status, search.goal_x, search.goal_y, search.goal_island, starts,
            len(starts), self.target, self.target_value,
        )  # fmt: skip
        return search.expanded
