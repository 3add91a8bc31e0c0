# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that find which units of a march stand together: single linkage over cells, in slices.

Two units are linked where they are near each other and no wall lies between them: nearer than JOIN_TILES, or, while they are in
one cluster already, than PART_TILES (the hysteresis: who walks at the edge does not join and part by turns). What is linked by a
chain belongs together. Own; a union-find over pairs from neighbouring cells.
"""

import numpy as np

from pynav.crowd.agent_layout import FIRST_SLOT
from pynav.crowd.wall_geometry import is_open_ground
from pynav.formations._route_kernels import is_inside
from pynav.formations.place_layout import OWNER_CROWD, OWNER_ID
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


@kernel("float32[:, ::1] positions, float32[::1] bounds")
def find_bounds(positions, bounds):
    """The least x and y, and the largest ones, of at least one place."""
    left = positions[0, 0]
    right = left
    top = positions[0, 1]
    low = top
    for unit in range(1, np.int64(positions.shape[0])):
        left = min(left, positions[unit, 0])
        right = max(right, positions[unit, 0])
        top = min(top, positions[unit, 1])
        low = max(low, positions[unit, 1])
    bounds[0] = left
    bounds[1] = top
    bounds[2] = right
    bounds[3] = low


@kernel(
    "float32[:, ::1] positions, float32 left, float32 top, int64 columns, int64 rows, int32[::1] cell_start,"
    " int32[::1] cell_of_unit"
)
def count_cells(positions, left, top, columns, rows, cell_start, cell_of_unit):
    """The cell of each unit, and how many units are in each, one entry on in ``cell_start`` (cells + 1), all zeros before."""
    for unit in range(np.int64(positions.shape[0])):
        cell = cell_of(positions[unit, 1], top, rows) * columns + cell_of(positions[unit, 0], left, columns)
        cell_of_unit[unit] = np.int32(cell)
        cell_start[cell + 1] += np.int32(1)


@kernel(
    "int32[::1] cell_of_unit, float32[:, ::1] positions, int32[::1] labels, int32[::1] cell_start, int32[::1] order,"
    " float32[:, ::1] sorted_positions, int32[::1] sorted_labels, int32[::1] parent"
)
def sort_by_cell(cell_of_unit, positions, labels, cell_start, order, sorted_positions, sorted_labels, parent):
    """Units in the order of their cells, row by row, then of their numbers; where each cell begins.

    Args:
        cell_of_unit: by ``count_cells``.
        positions: float32 (n, 2), tiles.
        labels: int32 (n,), the cluster that each is in; below 0 in none.
        cell_start: by ``count_cells``; where each cell's units begin in ``order`` afterwards, and behind it all their number.
        order: int32 (n,), the units.
        sorted_positions: float32 (n, 2), in that order.
        sorted_labels: int32 (n,), the same.
        parent: int32 (n,), each unit itself.
    """
    count = np.int64(cell_of_unit.shape[0])
    cells = np.int64(cell_start.shape[0]) - 1
    for cell in range(cells):
        cell_start[cell + 1] += cell_start[cell]
    for unit in range(count - 1, -1, -1):  # from behind: each cell's end moves down to its beginning
        entry = np.int64(cell_of_unit[unit]) + 1
        cell_start[entry] -= np.int32(1)
        at = np.int64(cell_start[entry])
        order[at] = np.int32(unit)
        sorted_positions[at, 0] = positions[unit, 0]
        sorted_positions[at, 1] = positions[unit, 1]
        sorted_labels[at] = labels[unit]
        parent[unit] = np.int32(unit)
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
def link_if_near(positions, labels, order, parent, walls, offset, unit, other):
    """Link the units of two places in the order of the cells if they belong together; what that counts as."""
    away_x = positions[unit, 0] - positions[other, 0]
    away_y = positions[unit, 1] - positions[other, 1]
    squared = away_x * away_x + away_y * away_y
    is_near = squared < JOIN_TILES * JOIN_TILES
    if not is_near and labels[unit] >= 0 and labels[unit] == labels[other]:
        is_near = squared < PART_TILES * PART_TILES
    if not is_near:
        return 1
    one = root_of(parent, np.int64(order[unit]))
    two = root_of(parent, np.int64(order[other]))
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
        positions: float32 (n, 2), tiles, in the order of the cells.
        labels: int32 (n,), in the same, the cluster that each is in; below 0 in none.
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
        column = cell_of(positions[at, 0], left, columns)
        row = cell_of(positions[at, 1], top, rows)
        for next_row in range(row, min(row + CELLS_AROUND + 1, rows)):
            first = max(column - CELLS_AROUND, 0)
            last = min(column + CELLS_AROUND, columns - 1)
            begin = np.int64(cell_start[next_row * columns + first])
            if next_row == row:
                begin = at + 1
            for place in range(begin, np.int64(cell_start[next_row * columns + last + 1])):
                left_over -= link_if_near(positions, labels, order, parent, walls, offset, at, place)
        left_over -= 1
        progress[NEXT] = at + 1


@kernel(
    "int32[::1] parent, int32[::1] labels, int32[::1] group_size, int32[::1] loose_size, int32[::1] first_piece,"
    " int32[:, ::1] pieces, int32[::1] main_group, int32[::1] main_size"
)
def sum_up_groups(parent, labels, group_size, loose_size, first_piece, pieces, main_group, main_size):
    """What follows from the links: the groups, and the pieces of the clusters in them.

    Args:
        parent: by ``link_units``; the first unit of each one's group afterwards.
        labels: int32 (n,), below 0 for loose units.
        group_size: int32 (n,), of the group of each first unit; 0 for others, as before.
        loose_size: int32 (n,), the same of its loose units.
        first_piece: int32 (n,), scratch.
        pieces: int32 (3, n), scratch.
        main_group: int32 (clusters,), the first unit of the group with each cluster's largest piece, of equal ones the first.
        main_size: int32 (clusters,), units of that piece.
    """
    count = np.int64(parent.shape[0])
    found = np.int64(0)
    for unit in range(count):
        first_piece[unit] = np.int32(-1)
    for cluster in range(np.int64(main_group.shape[0])):
        main_group[cluster] = np.int32(-1)
        main_size[cluster] = np.int32(0)
    for unit in range(count):
        root = np.int64(parent[np.int64(parent[unit])])  # parents come before: their own are final already
        parent[unit] = np.int32(root)
        group_size[root] += np.int32(1)
        label = labels[unit]
        if label < 0:
            loose_size[root] += np.int32(1)
            continue
        piece = np.int64(first_piece[root])
        while piece >= 0 and pieces[0, piece] != label:
            piece = np.int64(pieces[2, piece])
        if piece < 0:
            piece = found
            found += 1
            pieces[0, piece] = label
            pieces[1, piece] = np.int32(0)
            pieces[2, piece] = first_piece[root]
            first_piece[root] = np.int32(piece)
        pieces[1, piece] += np.int32(1)
    for root in range(count):
        piece = np.int64(first_piece[root])
        while piece >= 0:
            label = np.int64(pieces[0, piece])
            if pieces[1, piece] > main_size[label]:
                main_size[label] = pieces[1, piece]
                main_group[label] = np.int32(root)
            piece = np.int64(pieces[2, piece])


@kernel(
    "float32[:, ::1] positions, int32[::1] roots, int32[::1] labels, int32[::1] main_group, int32[::1] main_size,"
    " int32[::1] leads, float64[:, ::1] middle, float64[::1] nearest, float64 grace"
)
def choose_leaders(positions, roots, labels, main_group, main_size, leads, middle, nearest, grace):
    """The unit nearest to the middle of each cluster's largest piece; of equal ones the first.

    Args:
        positions: float32 (n, 2), tiles.
        roots: by ``sum_up_groups``.
        labels: int32 (n,).
        main_group: by the same.
        main_size: by the same.
        leads: int32 (clusters,), who leads so far, -1 for nobody; then who leads.
        middle: float64 (clusters, 2), scratch.
        nearest: float64 (clusters,), scratch.
        grace: tiles that another one must be nearer than who leads so far.
    """
    clusters = np.int64(leads.shape[0])
    for cluster in range(clusters):
        middle[cluster, 0] = np.float64(0.0)
        middle[cluster, 1] = np.float64(0.0)
        nearest[cluster] = np.float64(1e30)
        before = np.int64(leads[cluster])
        if before >= 0 and (np.int64(labels[before]) != cluster or roots[before] != main_group[cluster]):
            leads[cluster] = np.int32(-1)
    for unit in range(np.int64(positions.shape[0])):
        cluster = np.int64(labels[unit])
        if cluster >= 0 and roots[unit] == main_group[cluster]:
            middle[cluster, 0] += np.float64(positions[unit, 0])
            middle[cluster, 1] += np.float64(positions[unit, 1])
    for cluster in range(clusters):
        middle[cluster, 0] /= max(np.float64(main_size[cluster]), np.float64(1.0))
        middle[cluster, 1] /= max(np.float64(main_size[cluster]), np.float64(1.0))
        before = np.int64(leads[cluster])
        if before >= 0:
            x = np.float64(positions[before, 0]) - middle[cluster, 0]
            y = np.float64(positions[before, 1]) - middle[cluster, 1]
            nearest[cluster] = np.sqrt(x * x + y * y) - grace
    for unit in range(np.int64(positions.shape[0])):
        cluster = np.int64(labels[unit])
        if cluster >= 0 and roots[unit] == main_group[cluster]:
            x = np.float64(positions[unit, 0]) - middle[cluster, 0]
            y = np.float64(positions[unit, 1]) - middle[cluster, 1]
            away = np.sqrt(x * x + y * y)
            if away < nearest[cluster]:
                nearest[cluster] = away
                leads[cluster] = np.int32(unit)


@inline
def slot_in_place(place_tags, crowd_numbers, alive, member_place, place):
    """Where the unit of a place lies in arrays in agent order; -1 if nobody is in it: its owner is dead, or has gone."""
    if place_tags[OWNER_ID, place] < 0:
        return np.int64(-1)
    slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(place_tags[OWNER_CROWD, place])]) + np.int64(place_tags[OWNER_ID, place])
    if alive[slot] == 0 or np.int64(member_place[slot]) != place + 1:
        return np.int64(-1)
    return slot


@kernel(
    "float32[:, ::1] place_values, int64 x_row, int32[:, ::1] place_tags, int64 first, int64 count, int32[:, ::1] crowd_numbers,"
    " uint8[::1] alive, int32[::1] member_place, int64[::1] found"
)
def find_middle_unit(place_values, x_row, place_tags, first, count, crowd_numbers, alive, member_place, found):
    """Who of some places is nearest to the middle of all who are in them; of equal ones the first.

    Args:
        place_values: of all places.
        x_row: of these: AT_X for where units are, TARGET_X for where they are to be; y is in the row behind it.
        place_tags: the same.
        first: of the places.
        count: of the places.
        crowd_numbers: of all crowds.
        alive: by unit.
        member_place: place plus 1 of each unit.
        found: int64 (1,), the unit's slot in arrays in agent order; -1 if nobody is there.
    """
    found[0] = -1
    present = np.int64(0)
    middle_x = np.float64(0.0)
    middle_y = np.float64(0.0)
    for place in range(first, first + count):
        if slot_in_place(place_tags, crowd_numbers, alive, member_place, place) >= 0:
            present += 1
            middle_x += np.float64(place_values[x_row, place])
            middle_y += np.float64(place_values[x_row + 1, place])
    nearest = np.float64(1e30)
    for place in range(first, first + count):
        slot = slot_in_place(place_tags, crowd_numbers, alive, member_place, place)
        if slot >= 0:
            x = np.float64(place_values[x_row, place]) - middle_x / np.float64(present)
            y = np.float64(place_values[x_row + 1, place]) - middle_y / np.float64(present)
            if x * x + y * y < nearest:
                nearest = x * x + y * y
                found[0] = slot
