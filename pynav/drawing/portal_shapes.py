"""Portals, their links and the portal graph of a part of the map as arrays, many sectors at a time."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.drawing import _portal_kernels as kernels
from pynav.kernels.kept_call import KeptCall
from pynav.portals import SectorMap
from pynav.portals.sector_layout import EAST, SIDES, SOUTH

Rect = tuple[int, int, int, int]  # of sectors: left, top, right, bottom; the last two not included
Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
_ROOM = 2048  # portals or edges listed at first; grows


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


class PortalLists:
    """Lists the portals and edges of parts of a map.

    Args:
        sectors: the map's sectors, built; they may change between calls.
    """

    def __init__(self, sectors: SectorMap) -> None:
        self._sectors = sectors
        self._listing_portals, self._listing_edges = KeptCall(kernels.list_portals), KeptCall(kernels.list_edges)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        most = SIDES * sectors.size  # anchors of a sector are fewer
        self._start: npt.NDArray[np.int32] = np.zeros(most + 1, dtype=np.int32)
        self._span: npt.NDArray[np.int32] = np.zeros((most, 4), dtype=np.int32)
        self._make_room(_ROOM)

    def _make_room(self, room: int) -> None:
        self._numbers = [np.zeros(room, dtype=np.int32) for _ in range(4)]
        self._flag: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)
        self._line: Floats = np.zeros((room, 2, 2), dtype=np.float32)

    def portals(self, rect: Rect) -> Portals:
        """The portals on the east and south borders of the sectors of a rectangle, east ones first."""
        sectors = self._sectors
        while True:
            sector, *numbers = self._numbers
            self._listing_portals.bound(
                sectors.grid.cost, *rect, sectors.size, sectors.column_count, sectors.row_count, sector, self._flag, *numbers,
                self._result,
            ).run()  # fmt: skip
            if (count := int(self._result[0])) <= len(sector):
                border, first, last = (one[:count].copy() for one in numbers)
                return Portals(sector[:count].copy(), self._flag[:count] != 0, border, first, last)
            self._make_room(count)

    def edges(self, rect: Rect) -> Edges:
        """The edges of the portal graph within the sectors of a rectangle."""
        sectors, pool = self._sectors, self._sectors.pool
        known = (pool.side_start, pool.anchor_base, pool.anchor_tile, pool.matrix_base, pool.matrix)
        while True:
            cost, sector = self._numbers[:2]
            self._listing_edges.bound(
                sectors.grid.cost, *known, *rect, sectors.column_count, max(1, sectors.grid.cost_range[0]), self._start,
                self._span, self._line, cost, self._flag, sector, self._result,
            ).run()  # fmt: skip
            if (count := int(self._result[0])) <= len(cost):
                return Edges(self._line[:count].copy(), cost[:count].copy(), self._flag[:count] != 0, sector[:count].copy())
            self._make_room(count)


def portals_of(sectors: SectorMap, rect: Rect) -> Portals:
    """The portals on the east and south borders of the sectors of a rectangle, east ones first."""
    return PortalLists(sectors).portals(rect)


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


def edges_of(sectors: SectorMap, rect: Rect) -> Edges:
    """The edges of the portal graph within the sectors of a rectangle."""
    return PortalLists(sectors).edges(rect)


def island_links(sectors: SectorMap, lists: PortalLists, rect: Rect) -> Floats:
    """The graph seen from afar: a line between two islands that a portal joins, float32 (n, 2, 2).

    An island's place is the mean of the middles of its portals.
    """
    left, top, right, bottom = rect
    # Of the islands on both sides of the rectangle's portals, all portals.
    wide = (max(left - 1, 0), max(top - 1, 0), min(right + 1, sectors.column_count), min(bottom + 1, sectors.row_count))
    found = lists.portals(wide)
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
