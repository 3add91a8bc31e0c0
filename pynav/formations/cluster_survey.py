"""Which units of a march stand together, found in slices."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.formations import _cluster_kernels as kernels
from pynav.formations.sliced_work import SlicedWork

PAIRS_A_SLICE = 40_000
_WORK_A_SLICE = 300  # microseconds, about
LEAST_UNITS = 3  # fewer are no cluster
MOST_CLUSTERS = 32  # of a formation; the units of others run
LEADER_GRACE_TILES = 2.0  # another unit must be nearer to the middle by so much to lead instead

Ints = npt.NDArray[np.int32]


class ClusterSurvey(SlicedWork):
    """Finds groups of units that stand together: chains of near ones without a wall between them.

    Args:
        positions: float32 (n, 2), tiles, of at least one unit.
        labels: int32 (n,), the cluster 0..k-1 that each is in; below 0 in none.
        leaders: int32 (k,), the unit that leads each cluster, -1 for nobody.
        walls: uint16 (height + 2, width + 2), of the layer that they walk on.
        offset: what a place on the map lies right and below of its place on the layer.

    Attributes:
        roots: int32 (n,), once it is done: the first unit of each one's group.
        group_size: int32 (n,), units of the group of each first unit, 0 for others.
        loose_size: int32 (n,), those of them that are in no cluster.
        main_group: int32 (k,), the group that the largest piece of each cluster is in; -1 without one.
        leads: int32 (k,), who leads each cluster from now on: the unit nearest to the middle of that piece, or, with 2 tiles of
            grace, the one that leads already.

    Notes:
        Near is nearer than 4 tiles, for two of one cluster nearer than 6. The same bits for any slicing. Cost: in
        proportion to the pairs of units in neighbouring cells of 3 x 3 tiles.
    """

    def __init__(
        self, positions: npt.NDArray[np.float32], labels: Ints, leaders: Ints, walls: npt.NDArray[np.uint16], offset: float
    ) -> None:
        self.positions, self.labels, self.leaders = np.ascontiguousarray(positions), labels, leaders
        self._walls, self._offset = walls, offset
        self.roots: Ints = np.zeros(0, np.int32)
        self.group_size, self.loose_size, self.main_group, self.leads = self.roots, self.roots, self.roots, self.roots
        super().__init__(self.slices())

    def slices(self) -> Generator[int]:
        """The work, yielding about how many microseconds each slice took."""
        count = len(self.positions)
        bounds = np.zeros(4, np.float32)
        kernels.find_bounds(self.positions, bounds)
        left, top, right, low = bounds
        columns, rows = (int((high - least) / float(kernels.CELL_TILES)) + 1 for high, least in ((right, left), (low, top)))
        order, cell_of_unit = np.empty(count, np.int32), np.empty(count, np.int32)
        cell_start = np.zeros(columns * rows + 1, np.int32)
        kernels.count_cells(self.positions, left, top, columns, rows, cell_start, cell_of_unit)
        yield 20 + count // 60
        positions, labels, parent = np.empty_like(self.positions), np.empty_like(self.labels), np.empty(count, np.int32)
        kernels.sort_by_cell(cell_of_unit, self.positions, self.labels, cell_start, order, positions, labels, parent)
        yield 20 + count // 60 + columns * rows // 1000
        progress = np.zeros(kernels.PROGRESS_COUNT, np.int64)
        while progress[kernels.NEXT] < count:
            progress[kernels.BUDGET] = PAIRS_A_SLICE
            kernels.link_units(
                progress, positions, labels, left, top, columns, rows, cell_start, order, parent, self._walls, self._offset
            )
            yield min(_WORK_A_SLICE, 10 + count)
        yield from self._sum_up(parent)

    def _sum_up(self, parent: Ints) -> Generator[int]:
        count, clusters = len(parent), len(self.leaders)
        group_size, loose_size = np.zeros(count, np.int32), np.zeros(count, np.int32)
        main_group, main_size = np.zeros(clusters, np.int32), np.zeros(clusters, np.int32)
        kernels.sum_up_groups(
            parent, self.labels, group_size, loose_size, np.zeros(count, np.int32), np.zeros((3, count), np.int32), main_group,
            main_size,
        )  # fmt: skip
        yield 20 + count // 60
        leads = self.leaders.copy()
        kernels.choose_leaders(
            self.positions, parent, self.labels, main_group, main_size, leads, np.zeros((clusters, 2)), np.zeros(clusters),
            LEADER_GRACE_TILES,
        )  # fmt: skip
        self.roots, self.group_size, self.loose_size, self.main_group = parent, group_size, loose_size, main_group
        self.leads = leads
        yield 20 + count // 60

    def state(self) -> tuple[int, dict[str, npt.NDArray[Any]]]:
        """Slices that are done, and what it looks at, for a snapshot."""
        return self.slices_done, {"positions": self.positions, "labels": self.labels, "leaders": self.leaders}


def largest_groups(roots: Ints) -> list[npt.NDArray[np.int64]]:
    """The units of each group that is large enough for a cluster, in rising order; the largest groups first, not too many.

    Args:
        roots: int32 (n,), the first unit of each one's group.
    """
    count = np.bincount(roots)
    found = np.flatnonzero(count >= LEAST_UNITS)
    found = found[np.lexsort((found, -count[found]))][:MOST_CLUSTERS]
    rank = np.full(len(count), len(found), np.int16)
    rank[found] = np.arange(len(found))
    by_rank = np.argsort(rank[roots], kind="stable")  # numpy sorts numbers of 16 bits by their digits
    return np.split(by_rank, np.cumsum(count[found]))[:-1]
