"""Connectivity: which tiles a way connects, kept right while the map is edited."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pynav.grid import _connectivity_kernels as kernels
from pynav.grid.exits import one_way_steps
from pynav.grid.region_graph import RegionGraph
from pynav.grid.tile_grid import TileGrid

MARGIN_TILES = 12  # how far around a closed tile the way round it may lead; beyond, all tiles are labelled anew
LARGEST_EDIT_TILES = 4_096  # of a rectangle; for larger ones all tiles are labelled anew
_SPARE_LABELS = 4_096  # tiles that may turn free until all tiles are labelled anew


class Connectivity:
    """Labels of connected tiles that follow edits.

    Args:
        grid: the costs. Call ``update`` after each edit of them.

    Notes:
        Deterministic. A building placed or removed on open ground costs some 5 us; where an edit may have cut something off,
        or covers thousands of tiles, all tiles are labelled anew when somebody asks next (2 to 5 ms for 1024 x 1024 tiles).
        Memory 4 bytes a tile.
    """

    def __init__(self, grid: TileGrid) -> None:
        self._grid = grid
        self._is_settled = False
        self._label: npt.NDArray[np.int32] = np.zeros((0, 0), dtype=np.int32)
        self._root: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._piece_of_root: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._result: npt.NDArray[np.int64] = np.zeros(kernels.RESULT_COUNT, dtype=np.int64)
        self._window: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]] | None = None
        self._region_graph: tuple[int, RegionGraph] | None = None
        self.opening_count = 0  # edits that may have connected what was apart

    def update(self, x: int, y: int, width: int, height: int) -> None:
        """Take over an edit of the rectangle."""
        if not self._is_settled:
            self.opening_count += 1
            return
        if width * height > LARGEST_EDIT_TILES or self._is_near_one_way(x, y, width, height):
            self.unsettle()
            return
        mark, stack = self._room(width + 2 * MARGIN_TILES, height + 2 * MARGIN_TILES)
        kernels.update_labels(
            self._grid.cost, self._label, self._root, mark, stack, self._piece_of_root, self._result, x, y, x + width,
            y + height, MARGIN_TILES,
        )  # fmt: skip
        self._is_settled = bool(self._result[kernels.IS_SETTLED])
        self.opening_count += int(self._result[kernels.HAS_OPENED] or not self._is_settled)

    def unsettle(self) -> None:
        """Have all tiles labelled anew by the next question: exits were closed or opened."""
        self._is_settled = False
        self.opening_count += 1

    def _is_near_one_way(self, x: int, y: int, width: int, height: int) -> bool:
        """Whether labels around a rectangle may be apart although steps lead from one to the other."""
        if not self._grid.has_one_way:
            return False
        rows = slice(max(y - MARGIN_TILES, 0), y + height + MARGIN_TILES)
        columns = slice(max(x - MARGIN_TILES, 0), x + width + MARGIN_TILES)
        return bool(self._grid.closed_exits[rows, columns].any())

    def _room(self, width: int, height: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        if self._window is None or self._window[0].shape[0] < height or self._window[0].shape[1] < width:
            self._window = np.zeros((height, width), dtype=np.int32), np.zeros(height * width, dtype=np.int32)
        return self._window

    def settle(self) -> None:
        """Label all tiles anew if need be."""
        if self._is_settled:
            return
        self._label = self._grid.components().copy()
        count = self._grid.component_count
        self._root = np.arange(count + 1 + _SPARE_LABELS, dtype=np.int32)
        self._piece_of_root = np.zeros(len(self._root), dtype=np.int32)
        self._result[kernels.LABEL_COUNT] = count
        self._is_settled = True

    @property
    def label(self) -> npt.NDArray[np.int32]:
        """int32 (height, width): 0 for solid tiles, else a label; ``roots`` tells which labels are connected."""
        self.settle()
        return self._label

    @property
    def root(self) -> npt.NDArray[np.int32]:
        """int32 (labels,): the representative of each label's component, perhaps by way of others (see ``roots``)."""
        self.settle()
        return self._root

    def roots(self, tiles: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Components of tiles (x, y), integers (n, 2) inside the map: equal numbers are connected to and fro; 0 for solid tiles.

        Where exits are closed (exits.py), ways may lead from one component to another: see ``reached_from``.
        """
        at = np.asarray(tiles, dtype=np.int64).reshape(-1, 2)
        return self.roots_of_labels(self.label[at[:, 1], at[:, 0]])

    def roots_of_labels(self, labels: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Components of tiles with some labels (``label``), int32 (n,); as ``roots``."""
        self.settle()
        found = labels
        while True:
            higher = self._root[found]
            if np.array_equal(higher, found):
                return found
            found = higher

    def root_at(self, x: int, y: int) -> int:
        """Component of one tile inside the map, 0 for a solid one; as ``roots``."""
        self.settle()
        root = self._label.item(y, x)
        while (higher := self._root.item(root)) != root:
            root = higher
        return root

    def reached_from(self, roots: Iterable[int]) -> set[int]:
        """The components that ways lead to from some, these included; 0 counts for nothing."""
        wanted = {int(root) for root in roots} - {0}
        return self._regions().reached_from(wanted) if self._grid.has_one_way else wanted

    def leading_to(self, roots: Iterable[int]) -> set[int]:
        """The components from which ways lead to one of some, these included; 0 counts for nothing."""
        wanted = {int(root) for root in roots} - {0}
        return self._regions().leading_to(wanted) if self._grid.has_one_way else wanted

    def _regions(self) -> RegionGraph:
        """One-way steps between components, looked up anew after an edit."""
        if self._region_graph is None or self._region_graph[0] != self._grid.revision:
            steps = one_way_steps(self._grid.cost, self._grid.closed_exits)
            graph = RegionGraph(self.roots(steps[:, :2]), self.roots(steps[:, 2:]))
            self._region_graph = (self._grid.revision, graph)
        return self._region_graph[1]

    def all_roots(self) -> npt.NDArray[np.int32]:
        """int32 (height, width): component of every tile, 0 for solid ones."""
        self.settle()
        flat = self._root.copy()
        while not np.array_equal(flat[flat], flat):
            flat = flat[flat]
        return np.asarray(flat[self._label], dtype=np.int32)
