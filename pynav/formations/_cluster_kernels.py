# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that find which units of a march stand together: single linkage over cells, in slices.

Two units are linked where they are near each other and no wall lies between them: nearer than JOIN_TILES, or, while they are in
one cluster already, than PART_TILES (the hysteresis: who walks at the edge does not join and part by turns). What is linked by a
chain belongs together. Own; a union-find over pairs from neighbouring cells.
"""

import numpy as np

from pynav.crowd.wall_geometry import is_open_ground
from pynav.formations._route_kernels import is_inside
from pynav.kernels import inline, kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)

JOIN_TILES = np.float32(4.0)
PART_TILES = np.float32(6.0)
CELL_TILES = np.float32(3.0)  # PART_TILES lie within two cells on each side
CELLS_AROUND = 2

# Entries of ``progress``.
NEXT = 0  # place in the order of the cells of the unit that is linked next
BUDGET = 1  # pairs that a slice looks at, about
PROGRESS_COUNT = 2

_LINE_PAIRS = 8  # what looking for walls counts as


@inline
def cell_of(value, origin, count):
    """Row or column of the cell that a coordinate lies in."""
    return min(max(np.int64((value - origin) / CELL_TILES), 0), count - 1)


@kernel(
    "float32[:, ::1] positions, float32 left, float32 top, int64 columns, int64 rows, int32[::1] cell_start, int32[::1] order"
)
def sort_by_cell(positions, left, top, columns, rows, cell_start, order):
    """Units in the order of their cells, row by row, then of their numbers; where each cell begins (one entry more)."""
    count = np.int64(positions.shape[0])
    cells = columns * rows
    for cell in range(cells + 1):
        cell_start[cell] = np.int32(0)
    for unit in range(count):
        cell = cell_of(positions[unit, 1], top, rows) * columns + cell_of(positions[unit, 0], left, columns)
        cell_start[cell + 1] += np.int32(1)
    for cell in range(cells):
        cell_start[cell + 1] += cell_start[cell]
    for unit in range(count - 1, -1, -1):  # from behind: each cell's end moves down to its beginning
        cell = cell_of(positions[unit, 1], top, rows) * columns + cell_of(positions[unit, 0], left, columns)
        cell_start[cell + 1] -= np.int32(1)
        order[np.int64(cell_start[cell + 1])] = np.int32(unit)
    for cell in range(cells):
        cell_start[cell] = cell_start[cell + 1]
    cell_start[cells] = np.int32(count)


@inline
def root_of(parent, unit):
    """The first of all units that are linked with one; the way there is halved."""
    while np.int64(parent[unit]) != unit:
        parent[unit] = parent[np.int64(parent[unit])]
        unit = np.int64(parent[unit])
    return unit


@inline
def is_open_between(walls, offset, x, y, to_x, to_y):
    """Whether no tile at points half a tile apart on the line between two places is solid."""
    away_x = to_x - x
    away_y = to_y - y
    steps = np.int64(np.sqrt(away_x * away_x + away_y * away_y) / _HALF) + 1
    for step in range(1, steps):
        part = np.float32(step) / np.float32(steps)
        at_x = x + away_x * part - offset
        at_y = y + away_y * part - offset
        if not is_inside(walls, at_x, at_y) or not is_open_ground(walls, at_x, at_y):
            return False
    return True


@inline
def link_if_near(positions, labels, parent, walls, offset, unit, other):
    """Link two units if they belong together; what that counts as."""
    away_x = positions[unit, 0] - positions[other, 0]
    away_y = positions[unit, 1] - positions[other, 1]
    squared = away_x * away_x + away_y * away_y
    is_near = squared < JOIN_TILES * JOIN_TILES
    if not is_near and labels[unit] >= 0 and labels[unit] == labels[other]:
        is_near = squared < PART_TILES * PART_TILES
    if not is_near:
        return 1
    one = root_of(parent, unit)
    two = root_of(parent, other)
    if one == two:
        return 1
    if is_open_between(walls, offset, positions[unit, 0], positions[unit, 1], positions[other, 0], positions[other, 1]):
        parent[max(one, two)] = np.int32(min(one, two))
    return _LINE_PAIRS


@kernel(
    "int64[::1] progress, float32[:, ::1] positions, int32[::1] labels, float32 left, float32 top, int64 columns, int64 rows,"
    " int32[::1] cell_start, int32[::1] order, int32[::1] parent, uint16[:, ::1] walls, float32 offset"
)
def link_units(progress, positions, labels, left, top, columns, rows, cell_start, order, parent, walls, offset):
    """Link units with those behind them in their cell and in the cells behind it, until a slice's work is done.

    Args:
        progress: see above.
        positions: float32 (n, 2), tiles.
        labels: int32 (n,), the cluster that each is in; below 0 in none.
        left: where the first column of cells begins, tiles.
        top: where the first row begins.
        columns: of cells.
        rows: of cells.
        cell_start: by ``sort_by_cell``.
        order: by the same.
        parent: int32 (n,), at first each unit itself; a unit that it is linked with and that comes before it.
        walls: of the layer that they walk on.
        offset: what a place on the map lies right and below of its place on the layer.
    """
    count = np.int64(positions.shape[0])
    left_over = progress[BUDGET]
    while progress[NEXT] < count and left_over > 0:
        at = progress[NEXT]
        unit = np.int64(order[at])
        column = cell_of(positions[unit, 0], left, columns)
        row = cell_of(positions[unit, 1], top, rows)
        for next_row in range(row, min(row + CELLS_AROUND + 1, rows)):
            first = max(column - CELLS_AROUND, 0)
            last = min(column + CELLS_AROUND, columns - 1)
            begin = np.int64(cell_start[next_row * columns + first])
            if next_row == row:
                begin = at + 1
            for place in range(begin, np.int64(cell_start[next_row * columns + last + 1])):
                left_over -= link_if_near(positions, labels, parent, walls, offset, unit, np.int64(order[place]))
        left_over -= 1
        progress[NEXT] = at + 1
