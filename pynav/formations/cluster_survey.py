"""Which units of a march stand together, found in slices."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.formations import _cluster_kernels as kernels

PAIRS_A_SLICE = 60_000
_WORK_A_SLICE = 300  # microseconds, about


class ClusterSurvey:
    """Finds groups of units that stand together: chains of near ones without a wall between them.

    Args:
        positions: float32 (n, 2), tiles.
        labels: int32 (n,), the cluster that each is in; below 0 in none.
        walls: uint16 (height + 2, width + 2), of the layer that they walk on.
        offset: what a place on the map lies right and below of its place on the layer.

    Attributes:
        roots: int32 (n,), once it is done: the first unit of each one's group.
        slices_done: so far.
        is_done: whether ``roots`` hold.

    Notes:
        Near is nearer than 4 tiles, for two of one cluster nearer than 6. The same bits for any slicing. Cost: in
        proportion to the pairs of units in neighbouring cells of 3 x 3 tiles.
    """

    def __init__(
        self, positions: npt.NDArray[np.float32], labels: npt.NDArray[np.int32], walls: npt.NDArray[np.uint16], offset: float
    ) -> None:
        self.positions, self.labels = np.ascontiguousarray(positions), labels
        self._walls, self._offset = walls, offset
        self.roots: npt.NDArray[np.int32] = np.zeros(0, np.int32)
        self.slices_done = 0
        self.is_done = False
        self._slices = self.slices()

    def advance(self, work: int) -> bool:
        """Do slices until so many microseconds of work are done, at least one; whether all is done."""
        while not self.is_done and work > 0:
            work -= self._slice()
        return self.is_done

    def repeat(self, slices: int) -> None:
        """Do as many slices as another one of the same units has done."""
        while self.slices_done < slices:
            self._slice()

    def _slice(self) -> int:
        self.slices_done += 1
        return next(self._slices, 0)

    def slices(self) -> Generator[int]:
        """The work, yielding about how many microseconds each slice took."""
        count = len(self.positions)
        left, top = self.positions.min(axis=0)
        right, low = self.positions.max(axis=0)
        columns, rows = (int((high - least) / float(kernels.CELL_TILES)) + 1 for high, least in ((right, left), (low, top)))
        order, cell_start = np.zeros(count, np.int32), np.zeros(columns * rows + 1, np.int32)
        kernels.sort_by_cell(self.positions, left, top, columns, rows, cell_start, order)
        yield 20 + count // 100 + columns * rows // 1000
        parent = np.arange(count, dtype=np.int32)
        progress = np.zeros(kernels.PROGRESS_COUNT, np.int64)
        while progress[kernels.NEXT] < count:
            progress[kernels.BUDGET] = PAIRS_A_SLICE
            kernels.link_units(
                progress, self.positions, self.labels, left, top, columns, rows, cell_start, order, parent, self._walls,
                self._offset,
            )  # fmt: skip
            yield min(_WORK_A_SLICE, 10 + count)
        while True:  # parents come before their units: a few rounds of halving
            nearer = parent[parent]
            if np.array_equal(nearer, parent):
                break
            parent = nearer
        self.roots = parent
        self.is_done = True

    def state(self) -> tuple[int, dict[str, npt.NDArray[Any]]]:
        """Slices that are done, and what it looks at, for a snapshot."""
        return self.slices_done, {"positions": self.positions, "labels": self.labels}
