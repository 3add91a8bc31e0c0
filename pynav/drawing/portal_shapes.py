"""Portals, their links and the portal graph of a part of the map as arrays, many sectors at a time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import UNIT_STEP_COST
from pynav.portals import SectorMap
from pynav.portals.sector_layout import EAST, FAR, NORTH, SIDES, SOUTH

Rect = tuple[int, int, int, int]  # of sectors: left, top, right, bottom; the last two not included
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
_MOST_KEPT = 10_000  # sectors whose edges are kept, about a kilobyte each
_WINDING = 1.15  # a way that much longer than walls would allow counts as winding


class Portals(NamedTuple):
    """Portals on the east and south borders of some sectors.

    Attributes:
        sector: int32 (n,), the sector whose border it is.
        is_east: bool (n,); else on its south border.
        border: int32 (n,), x (y for south borders) of the border line, tiles.
        first, last: int32 (n,), y (x) of its first and last tile along the border.
    """

    sector: Ints
    is_east: npt.NDArray[np.bool_]
    border: Ints
    first: Ints
    last: Ints

    @property
    def middle(self) -> Floats:
        """float32 (n, 2): its middle on the border line."""
        along = (self.first + self.last + 1) / 2
        across = self.border.astype(np.float64)
        east = self.is_east
        return np.stack([np.where(east, across, along), np.where(east, along, across)], axis=1).astype(np.float32)

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """float32 (n, 2) each: where it begins and ends on the border line."""
        begin, end, east = self.first.astype(np.float32), (self.last + 1).astype(np.float32), self.is_east
        across = self.border.astype(np.float32)
        return (
            np.stack([np.where(east, across, begin), np.where(east, begin, across)], axis=1),
            np.stack([np.where(east, across, end), np.where(east, end, across)], axis=1),
        )


def _runs(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8], size: int) -> tuple[Ints, Ints, Ints, Ints]:
    """Longest runs of open pairs along borders (rows of both arrays), cut at sectors.

    Returns:
        Of each run: row, first and last column; and int32 like the arrays, the number of each pair's run from 1, 0 closed.
    """
    is_open = (one != 0) & (other != 0)
    along = np.arange(is_open.shape[1])
    starts, ends = is_open.copy(), is_open.copy()
    starts[:, 1:] &= ~is_open[:, :-1] | (along[1:] % size == 0)
    ends[:, :-1] &= ~is_open[:, 1:] | (along[:-1] % size == size - 1)
    row, first = np.nonzero(starts)
    last = np.nonzero(ends)[1]
    number = np.cumsum(starts.reshape(-1)).reshape(starts.shape) * is_open
    return row.astype(np.int32), first.astype(np.int32), last.astype(np.int32), number.astype(np.int32)


class _Borders(NamedTuple):
    portals: Portals
    east_count: int
    east_number: Ints  # (border columns, tiles): run of each pair across, from 1
    south_number: Ints  # (border rows, tiles)


def _read_borders(sectors: SectorMap, rect: Rect) -> _Borders:
    """The east borders and the south borders of the sectors of a rectangle."""
    left, top, right, bottom = rect
    size, cost = sectors.size, sectors.grid.cost
    y0, y1 = top * size, min(bottom * size, sectors.grid.height)
    x0, x1 = left * size, min(right * size, sectors.grid.width)
    columns = np.arange(left, min(right, sectors.column_count - 1))
    rows = np.arange(top, min(bottom, sectors.row_count - 1))
    east_x, south_y = (columns + 1) * size, (rows + 1) * size
    row, first, last, east_number = _runs(cost[y0:y1, east_x - 1].T, cost[y0:y1, east_x].T, size)
    east = (
        (first + y0) // size * sectors.column_count + columns[row] if len(row) else row,
        east_x[row].astype(np.int32),
        first + y0,
        last + y0,
    )
    row, first, last, south_number = _runs(cost[south_y - 1, x0:x1], cost[south_y, x0:x1], size)
    south = (
        rows[row] * sectors.column_count + (first + x0) // size if len(row) else row,
        south_y[row].astype(np.int32),
        first + x0,
        last + x0,
    )
    is_east = np.zeros(len(east[0]) + len(south[0]), dtype=np.bool_)
    is_east[: len(east[0])] = True
    sector, border, begin, end = (np.concatenate(pair).astype(np.int32) for pair in zip(east, south, strict=True))
    return _Borders(Portals(sector, is_east, border, begin, end), len(east[0]), east_number, south_number)


def portals_of(sectors: SectorMap, rect: Rect) -> Portals:
    """The portals on the east and south borders of the sectors of a rectangle, east ones first."""
    return _read_borders(sectors, rect).portals


def links_of(sectors: SectorMap, rect: Rect) -> Floats:
    """Where routes may cross: float32 (n, 2, 2), from the middle of each anchor's tile to that of its partner's.

    Anchors of the east and south sides of the sectors of a rectangle; the other sides' are their neighbours'.
    """
    pool, width = sectors.pool, sectors.grid.width
    listed = _listed(sectors, rect)
    begin = pool.anchor_base[listed].astype(np.int64) + pool.side_start[listed, EAST]
    count = pool.side_start[listed, SOUTH + 1] - pool.side_start[listed, EAST]
    anchors = _spans(begin, count)
    is_east = _spans(np.zeros(len(listed), dtype=np.int64), count) < np.repeat(
        pool.side_start[listed, SOUTH] - pool.side_start[listed, EAST], count
    )
    tile = pool.anchor_tile[anchors]
    here = np.stack([tile % width + 0.5, tile // width + 0.5], axis=1)
    there = here + np.where(is_east[:, None], [[1.0, 0.0]], [[0.0, 1.0]])
    return np.stack([here, there], axis=1).astype(np.float32)


def _listed(sectors: SectorMap, rect: Rect) -> npt.NDArray[np.int64]:
    left, top, right, bottom = rect
    return (np.arange(top, bottom)[:, None] * sectors.column_count + np.arange(left, right)[None, :]).reshape(-1)


def _spans(begin: npt.NDArray[np.int64], count: Ints) -> npt.NDArray[np.int64]:
    """``begin[0], begin[0] + 1, ...`` (``count[0]`` of them), then those of the next, and so on."""
    ends = np.cumsum(count)
    spans = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(begin - (ends - count), count)
    return np.asarray(spans, dtype=np.int64)


class Edges(NamedTuple):
    """Edges of the portal graph: ways inside a sector from portal to portal.

    Attributes:
        line: float32 (n, 2, 2), from middle to middle of the portals.
        cost: int32 (n,), the shortest way between any of their anchors, in units of cost (steps.py).
        is_winding: bool (n,), whether walls or dear tiles make it longer than it looks.
        sector: int32 (n,).
    """

    line: Floats
    cost: Ints
    is_winding: npt.NDArray[np.bool_]
    sector: Ints


def edges_of(sectors: SectorMap, rect: Rect) -> Edges:
    """The edges of the portal graph within the sectors of a rectangle."""
    left, top, right, bottom = rect
    wide = (max(left - 1, 0), max(top - 1, 0), right, bottom)  # the west and north sides are borders of those beside
    borders = _read_borders(sectors, wide)
    middle, portals = borders.portals.middle, borders.portals
    ones: list[npt.NDArray[np.int64]] = []
    others: list[npt.NDArray[np.int64]] = []
    costs: list[Ints] = []
    owners: list[int] = []
    for sector in _listed(sectors, rect).tolist():
        portal = _portal_of_anchors(sectors, sector, borders, wide)
        if len(portal) == 0:
            continue
        starts = np.flatnonzero(np.diff(portal, prepend=-1))
        matrix = np.minimum.reduceat(np.minimum.reduceat(sectors.matrix(sector), starts, axis=0), starts, axis=1)
        one, other = np.nonzero(np.tri(len(starts), k=-1, dtype=np.bool_) & (matrix < FAR))
        ones.append(portal[starts[one]])
        others.append(portal[starts[other]])
        costs.append(matrix[one, other])
        owners.append(sector)
    if not ones:
        none = np.zeros(0, dtype=np.int32)
        return Edges(np.zeros((0, 2, 2), dtype=np.float32), none, none.astype(np.bool_), none)
    one, other, cost = np.concatenate(ones), np.concatenate(others), np.concatenate(costs)
    line = np.stack([middle[one], middle[other]], axis=1)
    owner = np.repeat(np.array(owners, dtype=np.int32), [len(part) for part in ones])
    return Edges(line, cost, _is_winding(portals, one, other, cost, sectors), owner)


class EdgeBook:
    """The edges of sectors, kept until an edit changes them: so that a part of the map is described again in short time.

    Args:
        sectors: the map's sectors; after an edit call ``forget``.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self._sectors = sectors
        self._kept: dict[int, Edges] = {}

    def forget(self, changed: Ints) -> None:
        """Drop the edges of the sectors that ``SectorMap.update`` named."""
        for sector in changed.tolist():
            self._kept.pop(sector, None)

    def edges(self, rect: Rect) -> Edges:
        """As ``edges_of``."""
        listed = _listed(self._sectors, rect).tolist()
        missing = np.array([sector for sector in listed if sector not in self._kept], dtype=np.int64)
        if len(missing):
            row, column = missing // self._sectors.column_count, missing % self._sectors.column_count
            box = (int(column.min()), int(row.min()), int(column.max()) + 1, int(row.max()) + 1)
            found = edges_of(self._sectors, box)
            inside = _listed(self._sectors, box)
            ends = np.searchsorted(found.sector, inside, side="right")  # they come by sector
            starts = np.searchsorted(found.sector, inside, side="left")
            for sector, start, end in zip(inside.tolist(), starts.tolist(), ends.tolist(), strict=True):
                part = slice(start, end)
                self._kept[sector] = Edges(found.line[part], found.cost[part], found.is_winding[part], found.sector[part])
        kept = [self._kept[sector] for sector in listed]
        if len(self._kept) > _MOST_KEPT:
            self._kept.clear()
        return Edges(
            np.concatenate([edges.line for edges in kept]),
            np.concatenate([edges.cost for edges in kept]),
            np.concatenate([edges.is_winding for edges in kept]),
            np.concatenate([edges.sector for edges in kept]),
        )


def _portal_of_anchors(sectors: SectorMap, sector: int, borders: _Borders, rect: Rect) -> npt.NDArray[np.int64]:
    """Index of the portal that each anchor of a sector belongs to."""
    size, (left, top, _, _) = sectors.size, rect
    pool, width = sectors.pool, sectors.grid.width
    tile = pool.tiles(sector).astype(np.int64)
    x, y = tile % width - left * size, tile // width - top * size
    column, row = sector % sectors.column_count - left, sector // sectors.column_count - top
    found = np.zeros(len(tile), dtype=np.int64)
    for side in range(SIDES):
        part = slice(int(pool.side_start[sector, side]), int(pool.side_start[sector, side + 1]))
        if part.start == part.stop:
            continue
        if side in (NORTH, SOUTH):
            line = borders.south_number[row if side == SOUTH else row - 1]
            found[part] = line[x[part]] - 1 + borders.east_count
        else:
            line = borders.east_number[column if side == EAST else column - 1]
            found[part] = line[y[part]] - 1
    return found


def _is_winding(
    portals: Portals, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64], cost: Ints, sectors: SectorMap
) -> npt.NDArray[np.bool_]:
    """Whether ways are longer than the shortest that walls would allow."""
    begin, end = portals.ends
    apart = np.maximum(np.maximum(begin[one] - end[other], begin[other] - end[one]), 0)
    least = (apart.max(axis=1) + 0.4142 * apart.min(axis=1)) * UNIT_STEP_COST * max(1, sectors.grid.cost_range[0])
    return np.asarray(cost > _WINDING * least + UNIT_STEP_COST)


def island_links(sectors: SectorMap, rect: Rect) -> Floats:
    """The graph seen from afar: a line between two islands that a portal joins, float32 (n, 2, 2).

    An island's place is the mean of the middles of its portals.
    """
    left, top, right, bottom = rect
    # Of the islands on both sides of the rectangle's portals, all portals.
    wide = (max(left - 1, 0), max(top - 1, 0), min(right + 1, sectors.column_count), min(bottom + 1, sectors.row_count))
    found = portals_of(sectors, wide)
    east = found.is_east
    x, y = np.where(east, found.border - 1, found.first), np.where(east, found.first, found.border - 1)
    ends = np.stack([_islands_at(sectors, x, y), _islands_at(sectors, x + east, y + ~east)], axis=1)
    numbers, place = np.unique(ends, return_inverse=True)
    place = place.reshape(ends.shape)
    count = np.bincount(place.reshape(-1), minlength=len(numbers))
    centre = np.stack(
        [np.bincount(place.reshape(-1), np.repeat(found.middle[:, axis], 2), len(numbers)) / count for axis in (0, 1)], axis=1
    )
    column, row = found.sector % sectors.column_count, found.sector // sectors.column_count
    is_own = (column >= left) & (column < right) & (row >= top) & (row < bottom)
    one, other = np.divmod(np.unique(place[is_own, 0] * len(numbers) + place[is_own, 1]), max(len(numbers), 1))
    return np.stack([centre[one], centre[other]], axis=1).astype(np.float32)


def _islands_at(sectors: SectorMap, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """A number for the island of each tile, different for all islands of the map."""
    sector = y.astype(np.int64) // sectors.size * sectors.column_count + x // sectors.size
    return sector * sectors.size**2 + sectors.island[y, x]
