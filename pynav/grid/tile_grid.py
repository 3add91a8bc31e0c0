"""The tile grid: what it costs to walk each tile, and what follows from that alone."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid._tile_grid_kernels import label_components, label_two_way, mark_solid_neighbours
from pynav.grid.errors import GridError
from pynav.grid.exits import ALL_EXITS, one_way_steps, open_steps
from pynav.grid.region_graph import RegionGraph
from pynav.kernels import parallel_for

_ROWS_PER_BLOCK = 32
_SIDE_LIMIT = 16_384  # tiles; 32-bit tile indices would allow more, memory hardly does


class TileGrid:
    """A rectangle of tiles with a cost each; 0 is solid, 1 to 255 is the cost of walking there.

    Tile (x, y) covers the square from (x, y) to (x + 1, y + 1), (0, 0) is top left, arrays are indexed ``[y, x]``. All
    beyond the rectangle is solid.

    Args:
        cost: integers 0..255 (height, width), copied.
        closed_exits: uint8 (height, width), copied; None: all exits are open (``closed_exits``).

    Raises:
        GridError: wrong number of dimensions, not integers, values out of range, an empty grid or one with a side over
            16,384 tiles.

    Notes:
        Deterministic. An edit costs work in proportion to its rectangle; the labels of components are made anew by the
        first question after an edit (about 2 ns a tile).

    Example:
        >>> grid = TileGrid([[1, 1, 0, 1], [1, 1, 0, 1]])
        >>> grid.is_connected((0, 0), (1, 1)), grid.is_connected((0, 0), (3, 0))
        (True, False)
        >>> grid.set_cost_rect(2, 1, [[5]])
        True
        >>> grid.is_connected((0, 0), (3, 0)), grid.revision
        (True, 1)
    """

    def __init__(self, cost: npt.ArrayLike, closed_exits: npt.NDArray[np.uint8] | None = None) -> None:
        values = _cost_values(cost, "TileGrid")
        height, width = values.shape
        if height == 0 or width == 0 or max(height, width) > _SIDE_LIMIT:
            raise GridError(f"TileGrid: expected 1 to {_SIDE_LIMIT} tiles a side, got {width} x {height}")
        self._cost: npt.NDArray[np.uint8] = np.array(values, dtype=np.uint8, order="C")
        self._solid_mask: npt.NDArray[np.uint8] = np.zeros((height, width), dtype=np.uint8)
        self._revision = 0
        self._cost_counts: npt.NDArray[np.int64] = np.bincount(self._cost.reshape(-1), minlength=256)
        self._label: npt.NDArray[np.int32] | None = None
        self._label_revision = -1
        self._component_count = 0
        # Untouched it costs no memory.
        self._closed: npt.NDArray[np.uint8] = np.zeros((height, width), dtype=np.uint8)
        self._one_way_count = 0
        self._region_graph: tuple[int, RegionGraph] | None = None
        self._open_steps: tuple[int, npt.NDArray[np.uint8]] | None = None
        if closed_exits is not None:
            self.set_closed_exits(0, 0, closed_exits)
            self._revision = 0
        self.idle_workspaces: list[Any] = []  # what builds on this grid hand to one another; not for users
        parallel_for(mark_solid_neighbours, height, self._cost, self._solid_mask, 0, width, block_size=_ROWS_PER_BLOCK)

    @property
    def width(self) -> int:
        """Tiles in x."""
        return int(self._cost.shape[1])

    @property
    def height(self) -> int:
        """Tiles in y."""
        return int(self._cost.shape[0])

    @property
    def cost(self) -> npt.NDArray[np.uint8]:
        """uint8 (height, width), a read-only view: 0 solid, 1..255 cost. Edit with ``set_cost_rect``."""
        return _read_only(self._cost)

    @property
    def solid_mask(self) -> npt.NDArray[np.uint8]:
        """uint8 (height, width), a read-only view: bit k says that the neighbour in direction k is solid or outside.

        Directions as in steps.py: E, SE, S, SW, W, NW, N, NE. Whether the tile itself is solid, its cost tells.
        """
        return _read_only(self._solid_mask)

    @property
    def closed_exits(self) -> npt.NDArray[np.uint8]:
        """uint8 (height, width), a read-only view: which exits of a tile are closed, bits of exits.py. Edit with
        ``set_closed_exits``.
        """
        return _read_only(self._closed)

    @property
    def closed_if_any(self) -> npt.NDArray[np.uint8] | None:
        """``closed_exits``, or None where no exit is closed."""
        return self.closed_exits if self.has_one_way else None

    @property
    def has_one_way(self) -> bool:
        """Whether any tile has a closed exit."""
        return self._one_way_count > 0

    def set_closed_exits(self, x: int, y: int, values: npt.NDArray[np.uint8]) -> bool:
        """Close and open exits of the tiles of the rectangle whose top left tile is (x, y); whether any changed.

        Args:
            x: column of the rectangle's left edge.
            y: row of its top edge.
            values: uint8 (rows, columns), bits of exits.py.

        Raises:
            GridError: other bits, or a rectangle that does not lie wholly in the grid. Nothing is changed then.
        """
        left, top, new = self.checked_edit(x, y, values, "set_closed_exits")
        if (new > ALL_EXITS).any():
            raise GridError(f"set_closed_exits: expected bits 0..{ALL_EXITS}, got {int(new.max())}")
        old = self._closed[top : top + new.shape[0], left : left + new.shape[1]]
        if np.array_equal(old, new):
            return False
        self._one_way_count += int(np.count_nonzero(new)) - int(np.count_nonzero(old))
        old[...] = new
        self._revision += 1
        return True

    @property
    def revision(self) -> int:
        """Number of edits that changed something."""
        return self._revision

    @property
    def free_count(self) -> int:
        """Number of tiles that are not solid."""
        return int(self._cost_counts[1:].sum())

    @property
    def cost_range(self) -> tuple[int, int]:
        """Least and greatest cost of the free tiles; (0, 0) where all is solid."""
        present = np.flatnonzero(self._cost_counts[1:])
        return (int(present[0]) + 1, int(present[-1]) + 1) if present.size else (0, 0)

    @property
    def usual_cost(self) -> int:
        """The cost that most of the free tiles have, the least of equally frequent ones; 0 where all is solid."""
        return int(np.argmax(self._cost_counts[1:])) + 1 if self._cost_counts[1:].any() else 0

    @property
    def cost_sum(self) -> int:
        """Sum of the costs of all tiles."""
        return int(self._cost_counts @ np.arange(256))

    def contains(self, x: int, y: int) -> bool:
        """Whether tile (x, y) lies in the grid."""
        return 0 <= x < self.width and 0 <= y < self.height

    def is_free(self, x: int, y: int) -> bool:
        """Whether tile (x, y) lies in the grid and is not solid."""
        return self.contains(x, y) and bool(self._cost[y, x] != 0)

    def set_cost_rect(self, x: int, y: int, values: npt.ArrayLike) -> bool:
        """Set the costs of the rectangle whose top left tile is (x, y).

        Args:
            x: column of the rectangle's left edge.
            y: row of its top edge.
            values: integers 0..255 (rows, columns); an empty rectangle changes nothing.

        Returns:
            Whether any cost changed; only then ``revision`` goes up by one.

        Raises:
            GridError: values of a wrong kind, or a rectangle that does not lie wholly in the grid. Nothing is changed then.
        """
        left, top, new = self.checked_edit(x, y, values)
        rows, columns = new.shape
        old = self._cost[top : top + rows, left : left + columns]
        if np.array_equal(old, new):
            return False
        self._cost_counts += np.bincount(new.reshape(-1), minlength=256) - np.bincount(old.reshape(-1), minlength=256)
        old[...] = new
        self._revision += 1
        first_row, last_row = max(top - 1, 0), min(top + rows + 1, self.height)
        first_column, last_column = max(left - 1, 0), min(left + columns + 1, self.width)
        mark_solid_neighbours(self._cost, self._solid_mask, first_column, last_column, first_row, last_row)
        return True

    def checked_edit(
        self, x: int, y: int, values: npt.ArrayLike, what: str = "set_cost_rect"
    ) -> tuple[int, int, npt.NDArray[np.uint8]]:
        """What ``set_cost_rect`` makes of its arguments: column, row, uint8 (rows, columns); its errors for what it refuses."""
        new = _cost_values(values, what)
        rows, columns = new.shape
        left, top = _whole_number(x, "x"), _whole_number(y, "y")
        if left < 0 or top < 0 or left + columns > self.width or top + rows > self.height:
            raise GridError(
                f"{what}: expected a rectangle within {self.width} x {self.height} tiles,"
                f" got {columns} x {rows} at ({left}, {top})"
            )
        return left, top, new

    def components(self) -> npt.NDArray[np.int32]:
        """Labels of connected tiles.

        Returns:
            int32 (height, width), read-only: 0 for solid tiles, else 1, 2, ... numbered by their first tile in row order.
            Ways lead between two tiles, to and fro over the same tiles, exactly if they have the same label and it is not 0;
            where exits are closed there may be other ways (``regions``).
        """
        if self._label is None or self._label_revision != self._revision:
            if self._label is None:
                self._label = np.zeros(self._cost.shape, dtype=np.int32)
            result = np.zeros(1, dtype=np.int64)
            if self.has_one_way:
                parent = np.zeros(self.height * self.width + 1, dtype=np.int32)
                label_two_way(self._cost, self._closed, self._label, parent, result)
            else:
                parent = np.zeros(self.height * ((self.width + 1) // 2) + 1, dtype=np.int32)
                label_components(self._cost, self._label, parent, result)
            self._component_count = int(result[0])
            self._label_revision = self._revision
        return _read_only(self._label)

    @property
    def open_steps(self) -> npt.NDArray[np.uint8]:
        """uint8 (height, width), read-only: bit k says that the step k of steps.py leads out of a tile. Made by the first
        question after an edit (some 20 ns a tile), for maps with closed exits; others have ``solid_mask``.
        """
        if self._open_steps is None or self._open_steps[0] != self._revision:
            self._open_steps = (self._revision, open_steps(self._cost, self._closed))
        return _read_only(self._open_steps[1])

    @property
    def regions(self) -> RegionGraph:
        """Which components one-way steps lead to from which."""
        if self._region_graph is None or self._region_graph[0] != self._revision:
            label = self.components()
            steps = one_way_steps(self._cost, self._closed) if self.has_one_way else np.zeros((0, 4), dtype=np.int64)
            graph = RegionGraph(label[steps[:, 1], steps[:, 0]], label[steps[:, 3], steps[:, 2]])
            self._region_graph = (self._revision, graph)
        return self._region_graph[1]

    @property
    def component_count(self) -> int:
        """Number of components of free tiles."""
        self.components()
        return self._component_count

    def is_connected(self, a: tuple[int, int], b: tuple[int, int]) -> bool:
        """Whether a way leads from tile ``a`` (x, y) to tile ``b``, without a search; False if one is solid or outside."""
        if not (self.is_free(*a) and self.is_free(*b)):
            return False
        label = self.components()
        first, last = int(label[a[1], a[0]]), int(label[b[1], b[0]])
        return first == last or (self.has_one_way and last in self.regions.reached_from([first]))

    def nearest_free(self, x: int, y: int, component: int | set[int] | None = None) -> tuple[int, int] | None:
        """The free tile whose centre is nearest to that of tile (x, y), itself if it is free.

        Args:
            x: column; may lie outside the grid.
            y: row; may lie outside the grid.
            component: only tiles with this label (see ``components``), or with one of these, if given.

        Returns:
            (x, y), or None where no such tile exists. Equally near ones are told apart by row, then column.
        """
        if component is None:
            wanted = self._cost != 0
        elif isinstance(component, set):
            wanted = np.isin(self.components(), sorted(label for label in component if label > 0))
        elif component <= 0:
            return None
        else:
            wanted = self.components() == component
        # Rings outwards: a square of this many tiles around (x, y) settles all tiles nearer than its half side.
        reach = 8
        while True:
            top, left = max(y - reach, 0), max(x - reach, 0)
            part = wanted[top : max(y + reach + 1, 0), left : max(x + reach + 1, 0)]
            rows, columns = np.nonzero(part)
            if rows.size:
                squared = (rows + top - y) ** 2 + (columns + left - x) ** 2
                best = int(np.argmin(squared))  # the first of equal ones, and nonzero() goes by row, then column
                if squared[best] <= reach * reach:
                    return int(columns[best] + left), int(rows[best] + top)
            if top == 0 and left == 0 and y + reach >= self.height and x + reach >= self.width:
                return (int(columns[best] + left), int(rows[best] + top)) if rows.size else None
            reach *= 2

    def __repr__(self) -> str:
        return f"TileGrid({self.width} x {self.height} tiles, {self.free_count} free, revision {self._revision})"


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def _whole_number(value: Any, name: str) -> int:
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise GridError(f"set_cost_rect: expected {name} as a whole number, got {value!r}") from None


def _cost_values(values: npt.ArrayLike, what: str) -> npt.NDArray[np.uint8]:
    """The values as uint8 (rows, columns), or an error in words."""
    try:
        array = np.asarray(values)
    except (ValueError, TypeError):
        raise GridError(f"{what}: expected a rectangle of costs 0..255, got rows of unequal length") from None
    if array.ndim != 2:
        raise GridError(f"{what}: expected costs in two dimensions (rows, columns), got {array.ndim} dimension(s)")
    if array.dtype == np.uint8:
        return array
    if array.size == 0:
        return np.zeros(array.shape, dtype=np.uint8)
    if array.dtype.kind not in "iub":
        raise GridError(f"{what}: expected whole numbers 0..255 as costs, got values of type {array.dtype}")
    low, high = int(array.min()), int(array.max())
    if low < 0 or high > 255:
        raise GridError(f"{what}: expected costs 0..255, got {low if low < 0 else high}")
    return array.astype(np.uint8)
