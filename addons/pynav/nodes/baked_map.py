"""The resource that holds the costs of a map: painted in the editor, or baked from a source."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import GodotObject, PackedByteArray, Rect2i, Vector2i, exported_property, method
from pynav.grid import GridError
from pynav.grid.packed_costs import pack_costs, unpack_costs

from .telling import NodeError, told

Costs = npt.NDArray[np.uint8]


class FlowFieldBakedMap(GodotObject, base="Resource", icon="res://addons/pynav/icons/flow_field_baked_map.svg"):
    """Costs of the tiles of a map, as a FlowFieldMap2D or FlowFieldMap3D keeps them in its scene or in a file.

    Bake or paint a map in the editor and it has one; it is stored compressed (1024 x 1024 tiles take 1 to 140 kB in a scene) and
    opens in some milliseconds. Save it as a file of its own (the arrow beside it in the inspector) and several maps can share it;
    what is painted on one of them then shows on all.
    """

    def __init__(self) -> None:
        self._costs: Costs | None = None
        self._packed: bytes | None = b""  # None: the costs changed since they were packed
        self._problem = ""

    @exported_property(editor=False, default=None)
    def data(self) -> PackedByteArray:
        """The costs, packed and with a version and a checksum. What can't be read is told by the map, and kept as it is."""
        if self._packed is None and self._costs is not None:
            self._packed = pack_costs(self._costs)
        return PackedByteArray(np.frombuffer(self._packed or b"", dtype=np.uint8))

    @data.setter  # type: ignore[no-redef]
    def data(self, value: PackedByteArray) -> None:
        self._packed, self._costs, self._problem = np.asarray(value.view()).tobytes(), None, ""
        if self._packed:
            try:
                self._costs = unpack_costs(self._packed)
            except GridError as error:
                self._problem = str(error)
        self.emit_changed()

    @exported_property()
    def size(self) -> Vector2i:
        """Tiles in x and y; zero while it is empty or can't be read."""
        return Vector2i() if self._costs is None else Vector2i(self._costs.shape[1], self._costs.shape[0])

    def problem(self) -> str:
        """Why there are no costs; empty if there are."""
        if self._problem:
            return self._problem
        return "it is empty" if self._costs is None else ""

    def costs(self) -> Costs:
        """(rows, columns), not to be written; NodeError where there are none."""
        if self._costs is None:
            raise NodeError(f"the baked map has no costs: {self.problem()}")
        return self._costs

    def take(self, costs: Costs) -> None:
        """Hold these costs from now on."""
        self._costs, self._packed, self._problem = np.array(costs, dtype=np.uint8), None, ""
        self.emit_changed()

    @method(const=True)
    def get_problem(self) -> str:
        """What is wrong with the data, in words; empty if nothing."""
        return self._problem

    @method(const=True)
    @told
    def get_costs(self, rect: Rect2i = Rect2i()) -> PackedByteArray:
        """Costs of a rectangle of tiles (an empty one is the whole map), row by row."""
        left, top, columns, rows = self._checked(rect)
        return PackedByteArray(np.ascontiguousarray(self.costs()[top : top + rows, left : left + columns]).reshape(-1))

    @method
    @told
    def set_costs(self, costs: PackedByteArray, rect: Rect2i = Rect2i()) -> bool:
        """Set the costs of a rectangle of tiles (an empty one is the whole map), row by row; maps that use it follow. True if
        anything changed.
        """
        left, top, columns, rows = self._checked(rect)
        if len(costs) != columns * rows:
            raise NodeError(f"{columns} x {rows} tiles need {columns * rows} costs, got {len(costs)}")
        values = np.asarray(costs.view()).reshape(rows, columns)
        part = self.costs()[top : top + rows, left : left + columns]
        if np.array_equal(part, values):
            return False
        part[:] = values
        self._packed = None
        self.emit_changed()
        return True

    @method
    @told
    def resize(self, size: Vector2i, cost: int = 1) -> bool:
        """Give it another size: what it had stays at its place, new tiles get a cost. False for a size that can't be."""
        columns, rows = size
        if not (1 <= columns <= 16_384 and 1 <= rows <= 16_384 and 0 <= cost <= 255):
            raise NodeError(f"expected 1 to 16384 tiles a side and a cost 0 to 255, got {columns} x {rows} and {cost}")
        made = np.full((rows, columns), cost, dtype=np.uint8)
        if self._costs is not None:
            kept = self._costs[:rows, :columns]
            made[: kept.shape[0], : kept.shape[1]] = kept
        self.take(made)
        return True

    def _checked(self, rect: Rect2i) -> tuple[int, int, int, int]:
        height, width = self.costs().shape
        (left, top), (columns, rows) = rect
        if columns == 0 and rows == 0:
            return 0, 0, width, height
        if left < 0 or top < 0 or columns < 1 or rows < 1 or left + columns > width or top + rows > height:
            raise NodeError(f"the rectangle {columns} x {rows} at ({left}, {top}) does not lie in the {width} x {height} tiles")
        return left, top, columns, rows


def baked(costs: Costs) -> Any:
    """A new resource with these costs."""
    made = FlowFieldBakedMap()
    made.take(costs)
    return made
