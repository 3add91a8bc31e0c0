"""The box that a homing grid covers, and its cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.homing.errors import HomingError

MOST_CELLS = 4096 * 4096
MOST_BUCKETS = 128  # a side: what is near by is looked up in buckets of whole cells, so that their number stays small


@dataclass(frozen=True)
class GridBox:
    """A rectangle of the plane cut into equal cells.

    Attributes:
        low: corner with the smaller coordinates, in the game's units.
        high: the opposite corner.
        columns: cells along x.
        rows: cells along y.

    Raises:
        HomingError: a corner that is not finite, a box without area, or counts out of range.

    Example:
        >>> box = GridBox.between((10, 0), (-10, 5), 20, 5)
        >>> box.low, box.cell_size, box.cell_of(99.0, 0.5)
        ((-10.0, 0.0), (1.0, 1.0), (19, 0))
    """

    low: tuple[float, float]
    high: tuple[float, float]
    columns: int
    rows: int

    def __post_init__(self) -> None:
        for name, corner in (("low", self.low), ("high", self.high)):
            if len(corner) != 2 or not all(math.isfinite(number) for number in corner):
                raise HomingError(f"corner {name} of the box must be two finite numbers, got {corner}")
        if min(self.size) <= 0.0:
            raise HomingError(f"the box needs a width and a height above 0, got {self.size[0]:g} x {self.size[1]:g}")
        for name, count in (("columns", self.columns), ("rows", self.rows)):
            if not isinstance(count, int) or count < 1:
                raise HomingError(f"{name} must be a whole number of at least 1, got {count!r}")
        if self.columns * self.rows > MOST_CELLS:
            raise HomingError(f"at most {MOST_CELLS} cells, got {self.columns} x {self.rows}")

    @classmethod
    def between(cls, one: tuple[float, float], other: tuple[float, float], columns: int, rows: int) -> GridBox:
        """The box between two markers, whichever of them is where."""
        low = (min(float(one[0]), float(other[0])), min(float(one[1]), float(other[1])))
        high = (max(float(one[0]), float(other[0])), max(float(one[1]), float(other[1])))
        return cls(low, high, columns, rows)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.high[0] - self.low[0], self.high[1] - self.low[1]

    @property
    def cell_size(self) -> tuple[float, float]:
        """Width and height of a cell."""
        return self.size[0] / self.columns, self.size[1] / self.rows

    @property
    def cell_count(self) -> int:
        """Cells in all."""
        return self.columns * self.rows

    @property
    def bucket_size_in_cells(self) -> int:
        """Cells a side of a bucket."""
        return -(-max(self.columns, self.rows) // MOST_BUCKETS)

    @property
    def bucket_counts(self) -> tuple[int, int]:
        """Columns and rows of buckets."""
        size = self.bucket_size_in_cells
        return -(-self.columns // size), -(-self.rows // size)

    def cell_of(self, x: float, y: float) -> tuple[int, int]:
        """Column and row of the cell under a place; a place outside counts to the nearest cell."""
        column = math.floor(min(max((x - self.low[0]) / self.cell_size[0], 0.0), self.columns - 1.0))
        row = math.floor(min(max((y - self.low[1]) / self.cell_size[1], 0.0), self.rows - 1.0))
        return column, row

    def columns_and_rows(self, points: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The same for many: column and row of the cell of each point of (n, 2)."""
        found = []
        for axis, count in enumerate((self.columns, self.rows)):
            place = (points[:, axis] - np.float32(self.low[axis])) * np.float32(count / self.size[axis])
            found.append(np.minimum(np.maximum(place, np.float32(0)), np.float32(count - 1)).astype(np.int64))
        return found[0], found[1]

    def cells_of(self, points: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        """Index (row * columns + column) of the cell of each point."""
        column, row = self.columns_and_rows(points)
        return row * self.columns + column

    def centre_of(self, column: int, row: int) -> tuple[float, float]:
        """Middle of a cell."""
        width, height = self.cell_size
        return self.low[0] + (column + 0.5) * width, self.low[1] + (row + 0.5) * height
