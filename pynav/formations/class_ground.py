"""The ground of a row class: tiles that its units can stand on and get to from where they are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.formations import _ground_kernels as kernels
from pynav.formations.errors import FormationError
from pynav.formations.row_class import as_points
from pynav.grid.clearance import anchor_offset
from pynav.grid.navigation_layers import NavigationLayer
from pynav.kernels import parallel_for

Tiles = npt.NDArray[np.int64]


class ClassGround:
    """Tiles of a layer that ways lead to from where most units of a row class stand.

    Args:
        layer: of the class's movement class and the size of its largest unit (``size_of_radius``).
        positions: float32 (n, 2), where its units stand, tiles.
        class_of_unit: int32 (n,), row class of each of these; None: all are of it.
        index: of its row class.

    Raises:
        FormationError: other shapes, or numbers that are not finite.

    Notes:
        Where the units stand in several parts of the map that no way joins, the part of most of them counts; of equally many,
        that of the earlier unit. Deterministic, also after edits and after a load: labels of parts are never compared. Holds for
        the map as it is: make another one after an edit. The layer's connectivity is settled for it.
    """

    def __init__(
        self,
        layer: NavigationLayer,
        positions: npt.ArrayLike,
        class_of_unit: npt.NDArray[np.int32] | None = None,
        index: int = 0,
    ) -> None:
        points = as_points("positions", positions)
        group = np.zeros(len(points), np.int32) if class_of_unit is None else class_of_unit
        self.layer = layer
        self.offset = 0.5 + anchor_offset(layer.size)
        self.label = layer.connectivity.label
        root = layer.connectivity.root
        while not np.array_equal(root[root], root):
            root = root[root]
        self._is_open = np.isin(root, sorted(self._reached(points, group, index, root)))
        self._is_open[0] = False

    def _reached(
        self, points: npt.NDArray[np.float32], group: npt.NDArray[np.int32], index: int, root: npt.NDArray[np.int32]
    ) -> set[int]:
        """The components that ways lead to from where most points of a group are."""
        counts, first = np.zeros(len(root), np.int64), np.zeros(len(root), np.int64)
        kernels.count_labels(points, group, index, self.label, self.offset - 0.5, counts, first)
        counts[0] = 0
        stood_on = np.flatnonzero(counts)
        if len(stood_on) == 0:
            return set()
        total, earliest = np.zeros(len(root), np.int64), np.full(len(root), len(points), np.int64)
        np.add.at(total, root[stood_on], counts[stood_on])
        np.minimum.at(earliest, root[stood_on], first[stood_on])
        best = int(np.argmin(np.where(total == total.max(), earliest, len(points))))
        return self.layer.connectivity.reached_from([best])

    def tiles(self, points: npt.NDArray[np.floating]) -> Tiles:
        """The anchors (x, y) nearest to points, int64 (n, 2); clipped to a tile beyond the map."""
        rows, columns = self.label.shape
        found = np.floor(points.astype(np.float64) - (self.offset - 0.5))
        return np.clip(found, -1, (columns, rows)).astype(np.int64)

    def middles(self, tiles: Tiles) -> npt.NDArray[np.float32]:
        """Where the middle of a unit is on anchors (x, y), float32 (n, 2)."""
        return (tiles + self.offset).astype(np.float32)

    def _is_inside(self, tiles: Tiles) -> npt.NDArray[np.bool_]:
        rows, columns = self.label.shape
        return np.asarray(((tiles >= 0) & (tiles < (columns, rows))).all(axis=1))

    def is_open(self, tiles: Tiles) -> npt.NDArray[np.bool_]:
        """Whether anchors (x, y) are this ground, bool (n,)."""
        found = self._is_inside(tiles)
        inside = tiles[found]
        found[found] = self._is_open[self.label[inside[:, 1], inside[:, 0]]]
        return found

    def open_window(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.bool_]:
        """Whether the anchors of a rectangle within the map are this ground, bool (height, width)."""
        return np.asarray(self._is_open[self.label[y : y + height, x : x + width]])

    def keep(self, points: npt.NDArray[np.float32], radius: float) -> npt.NDArray[np.uint8]:
        """Which points lie on this ground, uint8 (n,); they are moved within their tiles so that a unit of a radius touches no
        tile that isn't.
        """
        is_good = np.empty(len(points), np.uint8)
        slack = max(self.layer.size * 0.5 - radius, 0.0)
        parallel_for(
            kernels.keep_on_ground, len(points), points, self.label, self._is_open.view(np.uint8), self.offset, slack, is_good
        )
        return is_good


def check_grounds(grounds: list[ClassGround], count: int) -> None:
    """FormationError unless there is one ground a row class, all of one map."""
    if len(grounds) != count:
        raise FormationError(f"expected one ground a row class, {count}, got {len(grounds)}")
    shapes = {found.label.shape for found in grounds}
    if len(shapes) != 1:
        raise FormationError(f"expected grounds of one map, got maps of {sorted(shapes)}")
