"""Directions and what remains, read off a portal router's fields for rectangles of sectors; which of them an edit changed."""

from itertools import groupby, islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.drawing import _flow_kernels as kernels
from pynav.kernels.kept_call import KeptCall
from pynav.portals import PortalRouter, SectorMap

Rect = tuple[int, int, int, int]  # left, top, right, bottom, in sectors; the last two not included
Codes = npt.NDArray[np.uint8]
Values = npt.NDArray[np.int64]
_FIELDS_AT_ONCE = 64


def empty_flow(sectors: SectorMap, rect: Rect) -> tuple[Codes, Values]:
    """Codes and what remains for the tiles of a rectangle of sectors, nothing known yet: 255 and -1."""
    (left, top, right, bottom), size, grid = rect, sectors.size, sectors.grid
    shape = min(bottom * size, grid.height) - top * size, min(right * size, grid.width) - left * size
    return np.full(shape, 255, dtype=np.uint8), np.full(shape, -1, dtype=np.int64)


def flow_of(router: PortalRouter) -> tuple[Codes, Values]:
    """Codes and what remains for all tiles of the map.

    Args:
        router: with its goals set; what has not been searched yet is searched now.

    Returns:
        uint8 codes (steps.py), 255 for solid tiles and those without a way; int64 units of cost, -1 for the same.
    """
    sectors = router.sectors
    rect = (0, 0, sectors.column_count, sectors.row_count)
    code, remaining = empty_flow(sectors, rect)
    FlowReader(router).read([Part(rect, list(range(sectors.sector_count)), code, remaining)])
    return code, remaining


class Part(NamedTuple):
    """Some sectors of a rectangle, and the arrays that codes and what remains of them are written into (``empty_flow``)."""

    rect: Rect
    listed: list[int]
    code: Codes
    remaining: Values


class FlowReader:
    """Reads the flow to a router's goals.

    Args:
        router: whose search may be read while it is released.
    """

    def __init__(self, router: PortalRouter) -> None:
        self._router, tiles = router, router.sectors.size**2
        self._clear, self._write = KeptCall(kernels.clear_sectors), KeptCall(kernels.write_islands)
        self._asked: npt.NDArray[np.int32] = np.zeros((_FIELDS_AT_ONCE, 2), dtype=np.int32)
        self._base: npt.NDArray[np.int64] = np.zeros(_FIELDS_AT_ONCE, dtype=np.int64)
        self._direction: npt.NDArray[np.uint8] = np.zeros((_FIELDS_AT_ONCE, tiles), dtype=np.uint8)
        self._value: npt.NDArray[np.int32] = np.zeros((_FIELDS_AT_ONCE, tiles), dtype=np.int32)

    def read(self, parts: list[Part]) -> None:
        """Write codes and what remains of the listed sectors of some rectangles into their arrays, as ``flow_of`` gives them."""
        sectors, start = self._router.sectors, self._router.sectors.island_start
        listed: npt.NDArray[np.int32] = np.array([sector for part in parts for sector in part.listed], dtype=np.int32)
        self._router.search.settle(listed)
        end = 0
        for part in parts:
            begin, end = end, end + len(part.listed)
            self._clear.bound(
                listed, begin, end, sectors.size, sectors.column_count, *part.rect[:2], part.code, part.remaining
            ).run()
        spans = iter(zip(listed.tolist(), start[listed].tolist(), start[listed + 1].tolist(), strict=True))
        islands = [
            (part, (sector, island))
            for part in parts
            for sector, first, last in islice(spans, len(part.listed))
            for island in range(first, last)
        ]
        for first in range(0, len(islands), _FIELDS_AT_ONCE):
            self._read_islands(islands[first : first + _FIELDS_AT_ONCE])

    def _read_islands(self, islands: list[tuple[Part, tuple[int, int]]]) -> None:
        """As ``read``, for islands (sector and number), those of a part one after the other."""
        fields = self._router.fields.fields(self._router.search, [asked for _, asked in islands])
        found = [(part, asked, field) for (part, asked), field in zip(islands, fields, strict=True) if field is not None]
        if not found:
            return
        sectors, count = self._router.sectors, len(found)
        self._asked[:count] = [asked for _, asked, _ in found]
        self._base[:count] = [field.base for _, _, field in found]
        np.stack([field.direction for _, _, field in found], out=self._direction[:count])
        np.stack([field.value for _, _, field in found], out=self._value[:count])
        end = 0
        for _, together in groupby(found, key=lambda one: id(one[0])):
            own = list(together)
            part, begin, end = own[0][0], end, end + len(own)
            self._write.bound(
                sectors.island, sectors.island_start, self._asked, self._base, self._direction, self._value, begin, end,
                sectors.size, sectors.column_count, *part.rect[:2], part.code, part.remaining,
            ).run()  # fmt: skip


class FlowWatch:
    """Tells what must be read again after edits and after more was searched.

    Args:
        router: whose search is looked at while it is released.
        edit_count: int64 (sectors,), how often each was edited; looked at each time.

    Notes:
        A sector's directions follow from the anchors of the sectors around it, from goals there and from the tiles. A signature
        is a number for the values of a sector's anchors, less the least of them, and for its edits. Where those around a sector
        are as before, so are its directions; where the least values moved by as much, so did all that remains.
    """

    def __init__(self, router: PortalRouter, edit_count: npt.NDArray[np.int64]) -> None:
        sectors = router.sectors
        shape, count = (sectors.row_count + 2, sectors.column_count + 2), sectors.sector_count
        self._router, self._edit_count = router, edit_count
        self._signature: npt.NDArray[np.int64] = np.full(shape, -1, dtype=np.int64)
        self._least, self._moved = (np.zeros(shape, dtype=np.int64) for _ in range(2))
        self._state: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self._is_stale: npt.NDArray[np.uint8] = np.zeros(count, dtype=np.uint8)
        self._shift: npt.NDArray[np.int64] = np.zeros(count, dtype=np.int64)
        self._listed: npt.NDArray[np.int32] = np.zeros(count, dtype=np.int32)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._finding, self._taking = KeptCall(kernels.find_changed), KeptCall(kernels.take_changes)

    def look(self, rect: Rect) -> npt.NDArray[np.int32]:
        """The sectors of a rectangle of which something else is known than at the last look; at the first one all."""
        sectors, search = self._router.sectors, self._router.search
        self._finding.bound(
            sectors.pool.side_start, sectors.pool.anchor_base, search.remaining, search.status, search.goal_room, search.progress,
            self._edit_count, *rect, sectors.column_count, sectors.row_count, self._signature, self._least, self._moved,
            self._state, self._is_stale, self._shift, self._listed, self._result,
        ).run()  # fmt: skip
        return self._listed[: self._result[0]].copy()

    def take(self, rect: Rect, remaining: Values) -> list[int]:
        """Have what remains follow what all looks found for a rectangle; the sectors that must be read anew."""
        sectors = self._router.sectors
        self._taking.bound(
            *rect, sectors.size, sectors.column_count, self._is_stale, self._shift, remaining, self._listed, self._result
        ).run()
        found: list[int] = self._listed[: self._result[0]].tolist()
        return found
