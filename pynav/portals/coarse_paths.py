"""Coarse paths between places: over which portals a way goes and about how long it is, kept by where it starts and ends."""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR, UNIT_STEP_COST
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_map import SectorMap

Tile = tuple[int, int]
_Place = tuple[int, int, int]  # sector, island within it, quarter


@dataclass(frozen=True)
class CoarsePath:
    """A way as the portals see it.

    Attributes:
        crossings: int32 (n, 2), tiles (x, y) from which it crosses into the next sector, from the start on; none in one island.
        remaining: what remains from the first crossing to the goal's quarter, in units of cost (steps.py).
    """

    crossings: npt.NDArray[np.int32]
    remaining: int


class CoarsePaths:
    """Ways from quarter to quarter of sectors: the talk's four start and end regions, its cache of whole paths.

    A quarter of an island stands for its tiles by the one nearest to the quarter's middle, so that an answer never depends on
    who asked first. For the game's AI: how far is it, and which way would one go? Units are led by ``PortalRouter``.

    Args:
        sectors: the map's sectors; after an edit call ``forget``.
        most: paths kept; the one that was used least lately goes first.

    Attributes:
        hits, misses: how often a path was there, and how often it was searched.

    Notes:
        Deterministic, kept or not. A path that is kept costs some microseconds, a new one a search (0.1 to 1 ms on 512 x 512
        tiles). Without a way nothing is searched. An edit drops the paths whose searches read a sector that it changed.
    """

    def __init__(self, sectors: SectorMap, most: int = 1024) -> None:
        self.sectors, self.most = sectors, most
        self.hits = self.misses = 0
        self._search = PortalSearch(sectors)
        self._kept: OrderedDict[tuple[_Place, _Place], tuple[CoarsePath, int]] = OrderedDict()
        self._read: npt.NDArray[np.bool_] = np.zeros((most, sectors.sector_count), dtype=np.bool_)  # sectors, by row of a path
        self._free_rows = list(range(most))

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, start: Tile, goal: Tile) -> CoarsePath | None:
        """The way between two tiles' quarters; None without a way."""
        component = self.sectors.component_of(*start)
        if component == 0 or component != self.sectors.component_of(*goal):
            return None
        key = (self._place(start), self._place(goal))
        if key in self._kept:
            self._kept.move_to_end(key)
            self.hits += 1
            return self._kept[key][0]
        self.misses += 1
        if len(self._kept) >= self.most:
            self._free_rows.append(self._kept.popitem(last=False)[1][1])
        found, row = self._searched(*key), self._free_rows.pop()
        self._read[row] = False
        self._read[row, self._search.sectors_read()] = True
        self._read[row, [key[0][0], key[1][0]]] = True
        self._kept[key] = (found, row)
        return found

    def distance(self, start: Tile, goal: Tile) -> float:
        """About how long the way is, in tiles of cost 1; -1 without a way. Its ends count as straight lines."""
        path = self.find(start, goal)
        if path is None:
            return -1.0
        least = max(1, self.sectors.grid.cost_range[0])
        if len(path.crossings) == 0:
            return _octile(start, goal) * 2 * least / UNIT_STEP_COST
        x, y = (int(value) for value in path.crossings[0])
        return (_octile(start, (x, y)) * 2 * least + path.remaining) / UNIT_STEP_COST

    def forget(self, changed: npt.NDArray[np.int32]) -> None:
        """Drop what depends on the sectors that an edit changed (``SectorMap.update``)."""
        if len(changed) == 0:
            return
        stale = set(np.flatnonzero(np.any(self._read[:, changed], axis=1)).tolist())
        for key in [key for key, (_, row) in self._kept.items() if row in stale]:
            self._free_rows.append(self._kept.pop(key)[1])

    def _place(self, tile: Tile) -> _Place:
        (x, y), size = tile, self.sectors.size
        quarter = 2 * (y % size * 2 // size) + x % size * 2 // size
        return self.sectors.sector_of(x, y), int(self.sectors.island[y, x]), quarter

    def _middle(self, place: _Place) -> Tile:
        """The tile of an island that is nearest to the middle of a quarter; equally near ones by row, then column."""
        sector, island, quarter = place
        size, columns = self.sectors.size, self.sectors.column_count
        top, left = sector // columns * size, sector % columns * size
        rows, found = np.nonzero(self.sectors.island[top : top + size, left : left + size] == island)
        away_y, away_x = (4 * rows - (1 + 2 * (quarter // 2)) * size + 2), (4 * found - (1 + 2 * (quarter % 2)) * size + 2)
        best = int(np.argmin(away_y**2 + away_x**2))
        return int(found[best]) + left, int(rows[best]) + top

    def _searched(self, start: _Place, goal: _Place) -> CoarsePath:
        search, sectors = self._search, self.sectors
        search.set_goals([self._middle(goal)])
        none = CoarsePath(np.zeros((0, 2), dtype=np.int32), 0)
        if start[:2] == goal[:2]:
            return none
        search.settle([start[0]])
        first = self._first_anchor(start)
        route = search.route(first)
        tiles = sectors.pool.anchor_tile[route]
        width = sectors.grid.width
        return CoarsePath(np.stack([tiles % width, tiles // width], axis=1).astype(np.int32), int(search.remaining[first]))

    def _first_anchor(self, start: _Place) -> int:
        """The settled anchor of the start's island that a way from the quarter's middle crosses at best, as the crow flies."""
        search, sectors, pool = self._search, self.sectors, self.sectors.pool
        middle, width = self._middle(start), sectors.grid.width
        base = int(pool.anchor_base[start[0]])
        best = (1 << 62, -1)
        for local, tile in enumerate(pool.tiles(start[0]).tolist()):
            at = (tile % width, tile // width)
            if search.is_settled(base + local) and sectors.island[at[1], at[0]] == start[1]:
                value = _octile(middle, at) * 2 * max(1, sectors.grid.cost_range[0]) + int(search.remaining[base + local])
                best = min(best, (value, base + local))
        return best[1]


def _octile(start: Tile, end: Tile) -> int:
    """Length as the crow flies on a grid, over tiles of cost one half."""
    across, down = abs(start[0] - end[0]), abs(start[1] - end[1])
    return abs(across - down) * STRAIGHT_FACTOR + min(across, down) * DIAGONAL_FACTOR
