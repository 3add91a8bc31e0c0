"""The search over portals from a goal, which all units of an order share."""

import numpy as np
import numpy.typing as npt

from pynav.jobs import SlicedJob
from pynav.kernels import BoundCall
from pynav.portals import _search_kernels as kernels
from pynav.portals import _target_kernels as target_kernels
from pynav.portals.flood_scratch import FloodScratch
from pynav.portals.sector_layout import NEVER, SETTLED
from pynav.portals.sector_map import SectorMap

_UNLIMITED = 2**40  # more anchors than any map has
_ANCHORS_PER_SLICE = 400  # of a search in the background: some tenths of a millisecond
_READ_AT_ONCE = 16_384
_EMPTY_BOX = (0, 0, -1, -1)


class PortalSearch:
    """What remains to a set of goals from the anchors of the sectors that somebody waits for.

    The value of an anchor is what remains for whoever stands on it and crosses to its partner. A* from the goals: it stops when
    the islands that were wanted are final, and goes on from there when others are wanted later.

    Args:
        sectors: the map's sectors. After an edit of them ``keep`` says whether the search still holds; else ``set_goals`` again.
        room: sectors that the kernels are told of at a time.
        greed: percent that estimates count for. Above 100 the search is rough: over the middles of portals alone, and it ends at
            the first anchor of each island. Values are those of real ways, but not of the shortest. For first directions.

    Attributes:
        remaining, status, origin: of the anchors of the pool: value (int64), state (sector_layout.py), the anchor that the way
            crosses at next (-1: a goal's sector is behind it).

    Notes:
        Deterministic: which values are settled depends on the calls, those of a wanted sector and of the exits around it do not.
        Integer costs as in IntegrationField, 64 bits. Start and end are exact: distances to the goals are flooded inside their
        sectors, and those from a start are the business of its region's field. About 0.1 us for each pair of anchors looked at.
    """

    def __init__(self, sectors: SectorMap, room: int = 4096, greed: int = 100) -> None:
        self.sectors = sectors
        self.progress: npt.NDArray[np.int64] = np.zeros(kernels.PROGRESS_COUNT, dtype=np.int64)
        self.progress[kernels.BOX : kernels.BOX + 4] = _EMPTY_BOX
        self.progress[kernels.GREED] = greed
        self.listed: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.goal_room: npt.NDArray[np.int32] = np.zeros((1, kernels.GOAL_COLUMNS), dtype=np.int32)
        self._goal_span: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._scratch = FloodScratch(sectors.size, 0, 1)
        self._is_wanted: npt.NDArray[np.bool_] = np.zeros(sectors.sector_count, dtype=np.bool_)
        self._is_any_wanted = False
        self._job: SlicedJob | None = None
        self._make_room()

    @property
    def goals(self) -> npt.NDArray[np.int32]:
        """int32 (goals, 4): x, y, sector and island (numbered through all) of each free goal, by sector."""
        return self.goal_room[: self.progress[kernels.GOALS]]

    def _make_room(self) -> None:
        """Arrays for the anchors of the map as it is."""
        room = self.sectors.pool.room
        self.remaining: npt.NDArray[np.int64] = np.zeros(room, dtype=np.int64)
        self.status: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)
        self.origin: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self._key: npt.NDArray[np.int64] = np.zeros(room, dtype=np.int64)
        self._heap, self._place, self._seen = (np.zeros(room, dtype=np.int32) for _ in range(3))
        self._pool = self.sectors.pool
        self.progress[kernels.SEEN] = 0
        self._bind()

    def refresh(self) -> bool:
        """Follow arrays of the map that edits have replaced; whether the search was lost with that."""
        pool, self.progress[kernels.LEAST_COST] = self.sectors.pool, self.sectors.grid.cost_range[0]
        if self._pool is not pool or pool.room > len(self.status):
            self._make_room()
            return True
        if self._layout != pool.layout or self._component is not self.sectors.component_room:
            self._bind()
        return False

    def _bind(self) -> None:
        """Calls over the arrays as they are."""
        sectors, pool, cost, size = self.sectors, self.sectors.pool, self.sectors.grid.cost, self.sectors.size
        self._layout, self._component = pool.layout, sectors.component_room
        self.wanted: npt.NDArray[np.uint8] = np.zeros(len(self._component), dtype=np.uint8)
        graph = (sectors.island, sectors.island_start, pool.side_start, pool.anchor_base, pool.anchor_tile)
        queue = (self.remaining, self.status, self.origin, self._key, self._heap, self._place, self._seen)
        goals = (self.goal_room, self._goal_span)
        self.known = known = (*graph, pool.matrix_base, pool.matrix, self.remaining, self.status, *goals, self.progress)
        shape = (size, sectors.column_count)
        self.graph = graph
        self.forgetting: BoundCall = kernels.forget_search.bind(self.status, self._seen, self.wanted, self.progress)
        self.seeding: BoundCall = kernels.seed_from_goals.bind(
            cost, *graph, pool.anchor_middle, *goals, *queue, *self._scratch.first, *shape, self.progress
        )
        self.widening: BoundCall = target_kernels.widen_box.bind(cost, self.listed, *shape, self.progress)
        self.wanting: BoundCall = target_kernels.want_sectors.bind(*known, self.wanted, self._component, self.listed, size)
        self.ordering: BoundCall = kernels.order_anew.bind(
            pool.anchor_tile, self._key, self.remaining, self._heap, self._place, sectors.grid.width, self.progress
        )
        self.searching: BoundCall = kernels.search_portals.bind(
            cost,
            *graph,
            pool.anchor_middle,
            pool.anchor_sector,
            pool.matrix_base,
            pool.matrix,
            *queue,
            self.wanted,
            *shape,
            0,
            self.progress,
        )

    def set_goals(self, goals: npt.ArrayLike) -> None:
        """Begin anew from goal tiles (x, y), integers (n, 2); solid ones count for nothing.

        Raises GridError for goals on a map with closed exits.
        """
        sectors = self.sectors
        if np.size(goals):
            sectors.refuse_one_way()
        self.forgetting.run()
        self._want_nothing()
        tiles = np.asarray(goals, dtype=np.int32).reshape(-1, 2)
        tiles = tiles[[sectors.grid.is_free(int(x), int(y)) for x, y in tiles]] if len(tiles) else tiles
        if len(tiles) > len(self.goal_room):
            self.goal_room = np.zeros((len(tiles), kernels.GOAL_COLUMNS), dtype=np.int32)
            self._goal_span = np.zeros(len(tiles), dtype=np.int64)
            self._layout = -1  # bind anew
        self.refresh()
        owner = tiles[:, 1] // sectors.size * sectors.column_count + tiles[:, 0] // sectors.size
        order = np.argsort(owner, kind="stable")
        self.goal_room[: len(order), : kernels.GOAL_SECTOR] = tiles[order]
        self.goal_room[: len(order), kernels.GOAL_SECTOR] = owner[order]
        self.progress[kernels.GOALS] = len(order)
        self.seeding.run()

    def _want_nothing(self) -> None:
        self._is_wanted[:] = False
        self._is_any_wanted = False

    def settle(self, wanted: npt.ArrayLike) -> None:
        """Have the values of some sectors final, and of the exits of the regions around them, as far as they matter there."""
        self.begin(wanted)
        while not self.is_done:
            self.search(_UNLIMITED)

    def begin(self, wanted: npt.ArrayLike) -> None:
        """Wait for some sectors, integers (n,); ``search`` until ``is_done`` then, or ``pursue``."""
        new = np.asarray(wanted, dtype=np.int32)
        new = new[~self._is_wanted[new]]
        if len(new) == 0:
            return
        if self.is_done:  # what was wanted before is final and needs no estimate any more
            self.progress[kernels.BOX : kernels.BOX + 4] = _EMPTY_BOX
            self.progress[kernels.STOP_AT] = 0
        self._is_any_wanted = True
        if 2 * len(new) > self.sectors.sector_count and self.progress[kernels.GREED] == 100:
            self._want_all()
            return
        self._is_wanted[new] = True
        room = len(self.listed)
        for first in range(0, len(new), room):
            part = new[first : first + room]
            self.listed[: len(part)] = part
            self.progress[kernels.LISTED] = len(part)
            self.widening.run()
            self.wanting.run()
        self.ordering.run()

    def _want_all(self) -> None:
        """Search everywhere, to the end: where most sectors are wanted, looking at each costs more than it saves."""
        self._is_wanted[:] = True
        grid = self.sectors.grid
        self.progress[kernels.BOX : kernels.BOX + 4] = (0, 0, grid.width - 1, grid.height - 1)
        self.progress[kernels.STOP_AT] = NEVER
        self.progress[kernels.DONE] = 0
        self.ordering.run()

    def search(self, budget: int) -> None:
        """Settle ``budget`` anchors at most."""
        self.searching.set("budget", budget)
        self.searching.run()

    def pursue(self) -> bool:
        """Have the background thread search on; whether all that was wanted is final.

        From then on until ``is_released`` the search may not be used, and the sectors may not change. Where there is no such
        thread, a slice is done here.
        """
        if not self.is_released:
            return False
        if not self.is_done:
            self.search(0)  # whether anything is left to do
        if self.is_done:
            return True
        self.searching.set("budget", _ANCHORS_PER_SLICE)
        self._job = SlicedJob(self.searching, self.progress, kernels.DONE, gives_way=True)
        self._job.start()
        if self.is_released:
            self.searching.run()
        return self.is_released and self.is_done

    def stop(self) -> bool:
        """Leave the search as far as it is, without waiting; whether it is released."""
        if self._job is not None:
            self._job.dismiss()
        return self.is_released

    @property
    def is_released(self) -> bool:
        """Whether the background thread has let go of the search."""
        if self._job is not None and self._job.is_released:
            self._job = None
        return self._job is None

    @property
    def is_done(self) -> bool:
        """Whether all that was wanted is final."""
        return bool(self.progress[kernels.DONE]) or not self._is_any_wanted

    @property
    def expanded(self) -> int:
        """Anchors settled since the goals were set."""
        return int(self.progress[kernels.EXPANDED])

    def is_settled(self, anchor: int) -> bool:
        """Whether an anchor's value is final."""
        return bool(self.status[anchor] == SETTLED)

    def route(self, anchor: int) -> list[int]:
        """Anchors that the best way from an anchor on crosses at, from itself to the goals."""
        found = [anchor]
        while self.origin[found[-1]] >= 0:
            found.append(int(self.origin[found[-1]]))
        return found

    def sectors_read(self) -> npt.NDArray[np.int32]:
        """int32, with repetitions: the sectors that the search has looked into."""
        seen = self._seen[: self.progress[kernels.SEEN]]
        return np.concatenate([self._pool.anchor_sector[seen], self.goals[:, kernels.GOAL_SECTOR]])

    def keep(self, changed: npt.NDArray[np.int32]) -> bool:
        """Whether the search holds after an edit that changed some sectors (``SectorMap.update``): it read none of them."""
        if self._has_read(changed) or self.refresh():
            return False
        self.wanted[:] = 0
        self._want_nothing()
        for goal in self.goals:
            goal[kernels.GOAL_ISLAND] = self.sectors.island_of(int(goal[kernels.GOAL_X]), int(goal[kernels.GOAL_Y]))
        self.progress[[kernels.WAITED_FOR, kernels.STOP_AT, kernels.DONE]] = 0
        self.progress[kernels.BOX : kernels.BOX + 4] = _EMPTY_BOX
        return True

    def _has_read(self, sectors: npt.NDArray[np.int32]) -> bool:
        """Whether the search has looked into one of some sectors; what it saw first is compared first."""
        is_one: npt.NDArray[np.bool_] = np.zeros(self.sectors.sector_count, dtype=np.bool_)
        is_one[sectors] = True
        seen = self._seen[: self.progress[kernels.SEEN]]
        parts = (seen[first : first + _READ_AT_ONCE] for first in range(0, len(seen), _READ_AT_ONCE))
        return bool(is_one[self.goals[:, kernels.GOAL_SECTOR]].any()) or any(
            bool(is_one[self._pool.anchor_sector[part]].any()) for part in parts
        )
