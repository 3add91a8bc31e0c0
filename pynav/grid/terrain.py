"""The terrain: a byte a tile, what classes pay for it, and what stands on it for a while (obstacles, closed doors)."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid.clearance import Rect
from pynav.grid.errors import GridError
from pynav.grid.exits import EXIT_COUNT
from pynav.grid.movement_class import PLAIN, MovementClass

BLOCKED = 1 << 16  # what something solid adds to the burden of a tile; dearer ground adds up below it


class Terrain:
    """Bytes of the tiles, movement classes, and the burden that each class bears on each tile.

    What stands on a tile is counted, not painted: whoever leaves takes away what it brought, and what lies beneath may be
    edited meanwhile.

    Args:
        kinds: uint8 (height, width), copied: the cost itself for plain classes, else a kind of terrain.
        classes: one or more, the first is the one of those who name none.

    Raises:
        GridError: no class, or two of one name.

    Notes:
        Memory 1 byte a tile, and 4 more for each class that bears a burden.
    """

    def __init__(self, kinds: npt.NDArray[np.uint8], classes: Sequence[MovementClass] = (PLAIN,)) -> None:
        self.kinds: npt.NDArray[np.uint8] = np.array(kinds, dtype=np.uint8, order="C")
        self.classes = tuple(classes)
        if not self.classes:
            raise GridError("a map needs one movement class or more, got none")
        names = [found.name for found in self.classes]
        for name in names:
            if names.count(name) > 1:
                raise GridError(f"movement classes need names of their own, got {name!r} twice")
        self._burden: dict[int, npt.NDArray[np.int32]] = {}
        self._closings: dict[int, npt.NDArray[np.int64]] = {}  # how often each exit is closed, 16 bits each

    @property
    def bounds(self) -> Rect:
        """The whole map as a rectangle."""
        return 0, 0, int(self.kinds.shape[1]), int(self.kinds.shape[0])

    def class_costs(self, movement_class: int, rect: Rect | None = None) -> npt.NDArray[np.uint8]:
        """What a class pays in a rectangle (None: everywhere), uint8 (rows, columns), 0 solid; not to be written."""
        x, y, columns, rows = self.bounds if rect is None else rect
        part = slice(y, y + rows), slice(x, x + columns)
        found = self.classes[movement_class]
        cost = self.kinds[part] if found.is_plain else found.costs[self.kinds[part]]
        burden = self._burden.get(movement_class)
        if burden is None or not burden[part].any():
            return cost
        dearer = np.minimum(cost.astype(np.int32) + burden[part], 255)
        return np.where((cost == 0) | (burden[part] >= BLOCKED), 0, dearer).astype(np.uint8)

    def set_kinds(self, x: int, y: int, values: npt.NDArray[np.uint8]) -> bool:
        """Write the bytes of a rectangle that lies within the map; whether any changed."""
        rows, columns = values.shape
        part = self.kinds[y : y + rows, x : x + columns]
        if np.array_equal(part, values):
            return False
        part[...] = values
        return True

    def add_burden(self, x: int, y: int, tiles: npt.NDArray[np.bool_], amount: int, classes: Iterable[int]) -> Rect:
        """Add an amount (negative: take it away again) to the burden of some classes on some tiles.

        Args:
            x: column of the left edge of ``tiles``; the part outside the map is left out.
            y: row of its top edge.
            tiles: bool (rows, columns).
            amount: BLOCKED, or 1..255 for dearer ground; or the negative of what was added before.
            classes: indices.

        Returns:
            The rectangle within the map; its width and height are 0 where all is outside.
        """
        return self._add(self._burden, np.int32, x, y, tiles, amount, classes)

    def _add(
        self,
        counts: dict[int, npt.NDArray[Any]],
        kind: type[np.integer[Any]],
        x: int,
        y: int,
        tiles: npt.NDArray[np.bool_],
        amount: int,
        classes: Iterable[int],
    ) -> Rect:
        """Add to what is counted for some classes; the rectangle within the map."""
        width, height = self.kinds.shape[1], self.kinds.shape[0]
        left, top = min(max(x, 0), width), min(max(y, 0), height)
        right, low = max(min(x + tiles.shape[1], width), left), max(min(y + tiles.shape[0], height), top)
        inside = tiles[top - y : low - y, left - x : right - x]
        if inside.any():
            for index in classes:
                if index not in counts:
                    counts[index] = np.zeros((height, width), dtype=kind)
                counts[index][top:low, left:right] += np.where(inside, amount, 0).astype(kind)
        return (left, top, right - left, low - top) if inside.any() else (left, top, 0, 0)

    def class_exits(self, movement_class: int, rect: Rect | None = None) -> npt.NDArray[np.uint8] | None:
        """The exits that are closed to a class in a rectangle (None: everywhere), uint8 (rows, columns), bits of exits.py; None
        where nobody has ever closed any.
        """
        closings = self._closings.get(movement_class)
        if closings is None:
            return None
        x, y, columns, rows = self.bounds if rect is None else rect
        counts = closings[y : y + rows, x : x + columns]
        found: npt.NDArray[np.uint8] = np.zeros(counts.shape, dtype=np.uint8)
        for number in range(EXIT_COUNT):
            found |= ((counts >> (16 * number)) & 0xFFFF != 0).astype(np.uint8) << number
        return found

    def close_exits(self, x: int, y: int, tiles: npt.NDArray[np.bool_], exits: int, sign: int, classes: Iterable[int]) -> Rect:
        """Close exits of tiles to some classes (sign 1), or take that back (-1); rectangles as in ``add_burden``."""
        amount = sign * sum(1 << (16 * number) for number in range(EXIT_COUNT) if (exits >> number) & 1)
        return self._add(self._closings, np.int64, x, y, tiles, amount, classes)

    def state(self) -> tuple[list[Any], dict[str, npt.NDArray[Any]]]:
        """Names and tables of the classes, and the bytes: what a snapshot needs besides the obstacles."""
        names = [found.name for found in self.classes]
        tables = np.stack([found.costs for found in self.classes])
        return names, {"kinds": self.kinds, "class_costs": tables}


def loaded_terrain(names: list[Any], arrays: dict[str, npt.NDArray[Any]]) -> Terrain:
    """The terrain that ``state`` was asked of."""
    classes = [MovementClass(name, costs) for name, costs in zip(names, arrays["class_costs"], strict=True)]
    return Terrain(arrays["kinds"], classes)
