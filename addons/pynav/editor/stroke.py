"""One stroke of a brush over the costs of a map, and its undo: no engine but for the resource that is painted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import PackedByteArray, Rect2i, Vector2i

Tile = tuple[int, int]
Rect = tuple[int, int, int, int]
_MOST_STEPS_A_SIDE = 32


def line_of_tiles(start: Tile, end: Tile) -> list[Tile]:
    """Tiles from one to the other without a gap, both included."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (round(start[0] + (end[0] - start[0]) * step / steps), round(start[1] + (end[1] - start[1]) * step / steps))
        for step in range(steps + 1)
    ]


def square_at(tile: Tile, size: int) -> Rect:
    """The tiles under a square brush: x, y, columns, rows."""
    return tile[0] - (size - 1) // 2, tile[1] - (size - 1) // 2, size, size


def rect_between(start: Tile, end: Tile) -> Rect:
    """The rectangle that two tiles span, both included."""
    left, top = min(start[0], end[0]), min(start[1], end[1])
    return left, top, abs(end[0] - start[0]) + 1, abs(end[1] - start[1]) + 1


def outline_of(rect: Rect, is_flat: bool) -> list[tuple[float, float]]:
    """Places around a rectangle of tiles, the first one again at the end: its corners, on uneven ground some between them."""
    x, y, columns, rows = rect
    corners = [(x, y), (x + columns, y), (x + columns, y + rows), (x, y + rows), (x, y)]
    found: list[tuple[float, float]] = []
    for (begin_x, begin_y), (end_x, end_y) in pairwise(corners):
        steps = 1 if is_flat else min(2 * max(abs(end_x - begin_x), abs(end_y - begin_y)), _MOST_STEPS_A_SIDE)
        shares = [step / steps for step in range(steps)]
        found += [(begin_x + (end_x - begin_x) * share, begin_y + (end_y - begin_y) * share) for share in shares]
    return [*found, (float(x), float(y))]


class Stroke:
    """From the press of a button to its release.

    Args:
        baked: the FlowFieldBakedMap that is painted.
        cost: what tiles are set to.
    """

    def __init__(self, baked: Any, cost: int) -> None:
        self.baked, self.cost = baked, cost
        self._before: npt.NDArray[np.uint8] = baked.costs().copy()
        self._bounds: Rect | None = None

    def fill(self, rect: Rect) -> bool:
        """Set a rectangle of tiles, or what of it lies in the map; whether anything changed."""
        rows, columns = self._before.shape
        left, top = max(rect[0], 0), max(rect[1], 0)
        right, low = min(rect[0] + rect[2], columns), min(rect[1] + rect[3], rows)
        if right <= left or low <= top:
            return False
        values = np.full((low - top) * (right - left), self.cost, dtype=np.uint8)
        if not self.baked.set_costs(PackedByteArray(values), _rect2i(left, top, right, low)):
            return False
        self._bounds = _joined(self._bounds, (left, top, right, low))
        return True

    def drag(self, start: Tile, end: Tile, size: int) -> None:
        """Paint a line with a square brush."""
        for tile in line_of_tiles(start, end):
            self.fill(square_at(tile, size))

    def changes(self) -> tuple[Rect2i, PackedByteArray, PackedByteArray] | None:
        """The rectangle in which tiles changed, its costs before and after; None if none did."""
        if self._bounds is None:
            return None
        left, top, right, low = self._bounds
        part = slice(top, low), slice(left, right)
        before, after = self._before[part], self.baked.costs()[part]
        if np.array_equal(before, after):
            return None
        flat = [PackedByteArray(np.ascontiguousarray(costs).reshape(-1)) for costs in (before, after)]
        return _rect2i(left, top, right, low), flat[0], flat[1]

    def cancel(self) -> None:
        """Put everything back."""
        self.baked.set_costs(PackedByteArray(self._before.reshape(-1)), Rect2i())


def _rect2i(left: int, top: int, right: int, low: int) -> Rect2i:
    return Rect2i(Vector2i(left, top), Vector2i(right - left, low - top))


def _joined(bounds: Rect | None, more: Rect) -> Rect:
    if bounds is None:
        return more
    return min(bounds[0], more[0]), min(bounds[1], more[1]), max(bounds[2], more[2]), max(bounds[3], more[3])
