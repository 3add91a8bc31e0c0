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


class ChangeWatch:
    """Tells which sectors of a rectangle must be read again.

    Args:
        router: whose search is looked at while it is released.
        rect: of sectors.
        edit_count: int64 (sectors,), how often each was edited; looked at each time.

    Notes:
        A sector's directions follow from the anchors of the sectors around it, and from the tiles. A signature is a number for
        the values of a sector's anchors and its edits: where those around a sector are as before, so is what was read.
    """

    def __init__(self, router: PortalRouter, rect: Rect, edit_count: npt.NDArray[np.int64]) -> None:
        (left, top, right, bottom), self._router = rect, router
        shape = bottom - top + 2, right - left + 2
        changed: npt.NDArray[np.int32] = np.zeros((bottom - top) * (right - left), dtype=np.int32)
        self._place = (*rect, router.sectors.column_count, router.sectors.row_count)
        self._edit_count, self._changed = edit_count, changed
        self._signature: npt.NDArray[np.int64] = np.full(shape, -1, dtype=np.int64)
        self._differs: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._finding = KeptCall(kernels.find_changed)

    def changed(self) -> list[int]:
        """The sectors whose directions may be others than when this was asked before; at first all."""
        pool, search = self._router.sectors.pool, self._router.search
        self._finding.bound(
            pool.side_start, pool.anchor_base, search.remaining, search.status, self._edit_count, *self._place,
            self._signature, self._differs, self._changed, self._result,
        ).run()  # fmt: skip
        found: list[int] = self._changed[: self._result[0]].tolist()
        return found
