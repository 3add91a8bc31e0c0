"""Navigation layers: the tiles as one movement class and one unit size sees them, made when first used, then kept up to date."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pynav.grid.clearance import LARGEST_SIZE, Rect, footprint_costs, touched_anchors
from pynav.grid.connectivity import Connectivity
from pynav.grid.errors import GridError
from pynav.grid.exits import footprint_exits
from pynav.grid.terrain import Terrain
from pynav.grid.tile_grid import TileGrid

Bytes = npt.NDArray[np.uint8]


class NavigationLayer:
    """One class and size: an ordinary grid of tiles, where a tile is an anchor of the size (clearance.py)."""

    def __init__(self, movement_class: int, size: int, grid: TileGrid) -> None:
        self.movement_class = movement_class
        self.size = size
        self.grid = grid
        self.has_opened = False  # whether the last edit may have connected what was apart
        self._connectivity: Connectivity | None = None

    @property
    def connectivity(self) -> Connectivity:
        """What is connected, for units of the layer."""
        if self._connectivity is None:
            self._connectivity = Connectivity(self.grid)
        return self._connectivity

    def note_edit(self, x: int, y: int, width: int, height: int) -> None:
        """Take over a change of the grid's costs in a rectangle."""
        before = self.connectivity.opening_count
        self.connectivity.update(x, y, width, height)
        self.has_opened = self.connectivity.opening_count > before

    def __repr__(self) -> str:
        return f"NavigationLayer(class {self.movement_class}, size {self.size}, {self.grid})"


class NavigationLayers:
    """All layers of a map. The first one is the first class at size 1; others come into being when first asked for.

    Args:
        terrain: bytes and classes; after each change of it call ``update``.
        base: the grid to use as layer 0, if its costs are the first class's already.

    Notes:
        Deterministic. An edit costs work in proportion to its rectangle, grown by the size, for each layer (about 0.25 ms with
        blocks and walls). Memory of a layer: 2 bytes a tile, and 4 more once somebody asks what is connected; what stands on it
        comes on top: 2 bytes a tile for walls, and its blocks, some 70 bytes a tile where no two are alike.

    Example:
        >>> import numpy as np
        >>> layers = NavigationLayers(Terrain(np.ones((4, 6), dtype=np.uint8)))
        >>> layers.get(0, 3).grid.cost[1].tolist(), len(layers.all)
        ([0, 1, 1, 1, 1, 0], 2)
    """

    def __init__(self, terrain: Terrain, base: TileGrid | None = None) -> None:
        self.terrain = terrain
        grid = TileGrid(terrain.class_costs(0)) if base is None else base
        closed = terrain.class_exits(0)
        if closed is not None:
            grid.set_closed_exits(0, 0, closed)
        self.all = [NavigationLayer(0, 1, grid)]

    @property
    def base(self) -> NavigationLayer:
        """The first class at size 1."""
        return self.all[0]

    def find(self, movement_class: int, size: int) -> NavigationLayer | None:
        """The layer, if it was asked for before."""
        for layer in self.all:
            if layer.movement_class == movement_class and layer.size == size:
                return layer
        return None

    def get(self, movement_class: int, size: int) -> NavigationLayer:
        """The layer of a class (index) and a size (1..5 tiles), made now if nobody has asked for it yet.

        Raises:
            GridError: no such class or size.
        """
        count = len(self.terrain.classes)
        if not 0 <= movement_class < count:
            raise GridError(f"expected a movement class 0..{count - 1}, got {movement_class}")
        if not 1 <= size <= LARGEST_SIZE:
            raise GridError(f"expected a unit size of 1 to {LARGEST_SIZE} tiles, got {size}")
        found = self.find(movement_class, size)
        if found is None:
            cost = self.terrain.class_costs(movement_class)
            closed = self.terrain.class_exits(movement_class)
            if size > 1:
                cost = footprint_costs(cost, self.terrain.bounds, size)
                closed = None if closed is None else footprint_exits(closed, self.terrain.bounds, size)
            grid = TileGrid(cost, closed)
            found = NavigationLayer(movement_class, size, grid)
            self.all.append(found)
        return found

    def update(self, rect: Rect) -> list[tuple[NavigationLayer, Rect]]:
        """Take over a change of the terrain in a rectangle.

        Returns:
            The layers in which any tile changed, with the rectangle of each that may have.
        """
        terrain, changed = self.terrain, []
        width, height = terrain.kinds.shape[1], terrain.kinds.shape[0]
        for layer in self.all:
            touched = rect if layer.size == 1 else touched_anchors(rect, layer.size, width, height)
            values = self._footprint(layer, touched, terrain.class_costs, footprint_costs)
            has_changed = layer.grid.set_cost_rect(touched[0], touched[1], values)
            if has_changed:
                layer.note_edit(*touched)
            if self._set_exits(layer, touched):
                layer.connectivity.unsettle()
                layer.has_opened = has_changed = True
            if has_changed:
                changed.append((layer, touched))
        return changed

    def _set_exits(self, layer: NavigationLayer, touched: Rect) -> bool:
        """Bring the closed exits of a layer up to date in a rectangle; whether any changed."""
        if self.terrain.class_exits(layer.movement_class, (0, 0, 0, 0)) is None:
            return False
        closed = self._footprint(layer, touched, self._closed_in, footprint_exits)
        return layer.grid.set_closed_exits(touched[0], touched[1], closed)

    def _closed_in(self, movement_class: int, rect: Rect) -> npt.NDArray[np.uint8]:
        found = self.terrain.class_exits(movement_class, rect)
        assert found is not None
        return found

    def _footprint(
        self,
        layer: NavigationLayer,
        anchors: Rect,
        read: Callable[[int, Rect], Bytes],
        under: Callable[[Bytes, Rect, int], Bytes],
    ) -> Bytes:
        """What holds for some anchors, from the part of the map that their footprints cover: ``read`` reads it by tile, ``under``
        tells what follows for a size.
        """
        x, y, columns, rows = anchors
        if layer.size == 1:
            return read(layer.movement_class, anchors)
        before, after = (layer.size - 1) // 2, layer.size // 2
        left, top = max(x - before, 0), max(y - before, 0)
        right = min(x + columns + after, self.terrain.kinds.shape[1])
        low = min(y + rows + after, self.terrain.kinds.shape[0])
        tiles = read(layer.movement_class, (left, top, right - left, low - top))
        return under(tiles, (x - left, y - top, columns, rows), layer.size)
