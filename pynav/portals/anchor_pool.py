"""Where the anchors and matrices of all sectors lie: flat arrays with a place for each sector, replaced in place by edits."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pynav.portals.sector_layout import SIDES

_Number = TypeVar("_Number", np.int32, np.uint8)

_SPARE_ANCHORS = 2  # a place takes that many more anchors than it has: most edits fit


class AnchorPool:
    """Places of sectors in flat arrays; a sector that outgrows its place gets one at the end.

    Args:
        side_start: int32 (sectors, 5), where each side's anchors begin in a sector's list; the last entry is their number.

    Attributes:
        side_start: the same, as it is now.
        anchor_base: int32 (sectors,), the first anchor of each sector in the pool.
        anchor_tile: int32 (room,), y * width + x.
        anchor_sector: int32 (room,).
        anchor_middle: uint8 (room,), 1 for the middle anchor of each portal.
        matrix_base: int64 (sectors,), where its matrix of n * n distances begins.
        matrix: int32 (room,).
        layout: how often an array was replaced or a sector was given another place.
    """

    def __init__(self, side_start: npt.NDArray[np.int32]) -> None:
        self.side_start = side_start.copy()
        self._capacity = side_start[:, SIDES].astype(np.int64) + _SPARE_ANCHORS
        ends = np.cumsum(self._capacity)
        matrix_ends = np.cumsum(self._capacity**2)
        self.anchor_base = (ends - self._capacity).astype(np.int32)
        self.matrix_base = (matrix_ends - self._capacity**2).astype(np.int64)
        self._end, self._matrix_end = int(ends[-1]), int(matrix_ends[-1])
        room = self._end + self._end // 8 + 64
        self.anchor_tile: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.anchor_sector: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self.anchor_middle: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)
        self.matrix: npt.NDArray[np.int32] = np.zeros(self._matrix_end + self._matrix_end // 8 + 4096, dtype=np.int32)
        self._waste = 0
        self.layout = 0

    @property
    def room(self) -> int:
        """Anchors that the pool has places for."""
        return len(self.anchor_tile)

    def tiles(self, sector: int) -> npt.NDArray[np.int32]:
        """Tiles of a sector's anchors, a view."""
        base = int(self.anchor_base[sector])
        return self.anchor_tile[base : base + int(self.side_start[sector, SIDES])]

    def matrix_of(self, sector: int) -> npt.NDArray[np.int32]:
        """Matrix of a sector, a view."""
        count, base = int(self.side_start[sector, SIDES]), int(self.matrix_base[sector])
        return self.matrix[base : base + count * count].reshape(count, count)

    def place(self, sectors: npt.NDArray[np.int32], side_start: npt.NDArray[np.int32]) -> bool:
        """Take the anchor counts of some sectors and make room; False if most of the pool is waste: make another one then."""
        self.side_start[sectors] = side_start
        for sector, count in zip(sectors.tolist(), side_start[:, SIDES].tolist(), strict=True):
            if count > self._capacity[sector]:
                self._move(sector, count + _SPARE_ANCHORS)
        return 2 * self._waste <= self._end

    def _move(self, sector: int, capacity: int) -> None:
        self._waste += int(self._capacity[sector])
        self._capacity[sector] = capacity
        self.anchor_base[sector], self.matrix_base[sector] = self._end, self._matrix_end
        self._end += capacity
        self._matrix_end += capacity * capacity
        self.layout += 1
        if self._end > len(self.anchor_tile):
            self.anchor_tile = _grown(self.anchor_tile, self._end)
            self.anchor_sector = _grown(self.anchor_sector, self._end)
            self.anchor_middle = _grown(self.anchor_middle, self._end)
        if self._matrix_end > len(self.matrix):
            self.matrix = _grown(self.matrix, self._matrix_end)


def lane_room(size: int) -> int:
    """Lanes that the anchors of any sector fit in: two of three tiles of each side at most, in whole vectors."""
    most = SIDES * -(-2 * size // 3)
    return (most + 7) // 8 * 8


def _grown(array: npt.NDArray[_Number], least: int) -> npt.NDArray[_Number]:
    grown = np.zeros(max(least, len(array) * 5 // 4), dtype=array.dtype)
    grown[: len(array)] = array
    return grown
