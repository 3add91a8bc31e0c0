"""Exits of tiles: each tile may be closed towards a neighbour east, south, west or north: borders that are crossed one way only.

A closed exit forbids the straight step out of the tile; who comes from there still gets in. A diagonal step needs all four
straight steps around its corner (to each tile beside it and on from there): what straight steps don't connect, diagonal ones
don't either. A map without closed exits needs none of what stands here.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIRECTION_X, DIRECTION_Y

EAST: Final = 1  # bit j closes the exit in direction 2 j of steps.py
SOUTH: Final = 2
WEST: Final = 4
NORTH: Final = 8
ALL_EXITS: Final = 15
EXIT_COUNT: Final = 4

Bits = npt.NDArray[np.uint8]
Rect = tuple[int, int, int, int]  # x, y, width, height


def _shifted(values: npt.NDArray[np.bool_], direction: int) -> npt.NDArray[np.bool_]:
    """For each tile what ``values`` says of its neighbour in a direction; False outside."""
    height, width = values.shape
    x, y = DIRECTION_X[direction], DIRECTION_Y[direction]
    found = np.zeros_like(values)
    rows = slice(max(-y, 0), height - max(y, 0)), slice(max(y, 0), height + min(y, 0))
    columns = slice(max(-x, 0), width - max(x, 0)), slice(max(x, 0), width + min(x, 0))
    found[rows[0], columns[0]] = values[rows[1], columns[1]]
    return found


def open_steps(cost: npt.NDArray[np.uint8], closed: Bits) -> Bits:
    """Which steps lead out of each tile.

    Args:
        cost: uint8 (height, width), 0 solid.
        closed: uint8 of that shape, closed exits.

    Returns:
        uint8 of that shape: bit k says that the step k of steps.py may be taken.

    Example:
        >>> open_steps(np.ones((1, 2), dtype=np.uint8), np.array([[0, WEST]], dtype=np.uint8)).tolist()
        [[1, 0]]
    """
    free = cost != 0
    straight = {k: free & _shifted(free, k) & ((closed >> (k // 2)) & 1 == 0) for k in (0, 2, 4, 6)}
    bits: Bits = np.zeros_like(cost)
    for k, allowed in straight.items():
        bits |= allowed.astype(np.uint8) << k
    for k in (1, 3, 5, 7):
        before, after = k - 1, (k + 1) % 8
        first = straight[before] & _shifted(straight[after], before)
        second = straight[after] & _shifted(straight[before], after)
        bits |= (first & second).astype(np.uint8) << k
    return bits


def entering_steps(steps: Bits) -> Bits:
    """The same seen from where steps lead to: bit k says that the neighbour in direction k may step to the tile."""
    bits: Bits = np.zeros_like(steps)
    for k in range(8):
        bits |= _shifted((steps >> ((k + 4) % 8)) & 1 != 0, k).astype(np.uint8) << k
    return bits


def one_way_steps(cost: npt.NDArray[np.uint8], closed: Bits) -> npt.NDArray[np.int64]:
    """The straight steps between free tiles that can't be taken back: int64 (n, 4), x, y of the tile and of the next one."""
    found = []
    height, width = cost.shape
    rows, columns = np.nonzero(closed)
    for exit_number in range(EXIT_COUNT):
        is_closed = (closed[rows, columns] >> exit_number) & 1 != 0
        y, x = rows[is_closed].astype(np.int64), columns[is_closed].astype(np.int64)
        from_x, from_y = x + DIRECTION_X[2 * exit_number], y + DIRECTION_Y[2 * exit_number]
        inside = (from_x >= 0) & (from_y >= 0) & (from_x < width) & (from_y < height)
        x, y, from_x, from_y = x[inside], y[inside], from_x[inside], from_y[inside]
        back_is_open = (closed[from_y, from_x] >> ((exit_number + 2) % EXIT_COUNT)) & 1 == 0
        taken = back_is_open & (cost[y, x] != 0) & (cost[from_y, from_x] != 0)
        found.append(np.stack([from_x, from_y, x, y], axis=1)[taken])
    return np.concatenate(found)


def footprint_exits(closed: Bits, rect: Rect, size: int) -> Bits:
    """Exits that are closed to units of a size on the anchors of a rectangle: those of any tile that they cover.

    Args:
        closed: uint8 (height, width); all beyond is open.
        rect: x, y, width, height of the anchors asked for, within the map.
        size: 1..5 tiles.

    Returns:
        uint8 (rows, columns).
    """
    x, y, columns, rows = rect
    before, after = (size - 1) // 2, size // 2
    wide: Bits = np.zeros((rows + size - 1, columns + size - 1), dtype=np.uint8)
    left, top = max(x - before, 0), max(y - before, 0)
    inside = closed[top : max(y + rows + after, 0), left : max(x + columns + after, 0)]
    first_row, first_column = top - (y - before), left - (x - before)
    wide[first_row : first_row + inside.shape[0], first_column : first_column + inside.shape[1]] = inside
    found: Bits = np.zeros((rows, columns), dtype=np.uint8)
    for down in range(size):
        for right in range(size):
            found |= wide[down : down + rows, right : right + columns]
    return found
