"""Directions and what remains, read off a portal router's fields for rectangles of sectors; which of them an edit changed."""

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
    FlowReader(router).read(rect, list(range(sectors.sector_count)), code, remaining)
    return code, remaining


class FlowReader:
    """Reads the flow to a router's goals.

    Args:
        router: whose search may be read while it is released.
    """

    def __init__(self, router: PortalRouter) -> None:
        self._router = router
        self._clear, self._write = KeptCall(kernels.clear_sectors), KeptCall(kernels.write_islands)

    def read(self, rect: Rect, listed: list[int], code: Codes, remaining: Values) -> None:
        """Write codes and what remains of some sectors of a rectangle into its arrays, as ``flow_of`` gives them."""
        router, sectors = self._router, self._router.sectors
        place = (sectors.size, sectors.column_count, rect[0], rect[1], code, remaining)
        router.search.settle(listed)
        self._clear.bound(np.array(listed, dtype=np.int32), len(listed), *place).run()
        start = sectors.island_start
        islands = [(sector, island) for sector in listed for island in range(start[sector], start[sector + 1])]
        for first in range(0, len(islands), _FIELDS_AT_ONCE):
            asked = islands[first : first + _FIELDS_AT_ONCE]
            fields = router.fields.fields(router.search, asked)
            found = [(one, field) for one, field in zip(asked, fields, strict=True) if field is not None]
            if found:
                self._write.bound(
                    sectors.island,
                    start,
                    np.array([one for one, _ in found], dtype=np.int32),
                    np.array([field.base for _, field in found], dtype=np.int64),
                    np.stack([field.direction for _, field in found]),
                    np.stack([field.value for _, field in found]),
                    *place,
                ).run()


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
