# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of short paths: sight, else A* that never leaves a region of sectors."""

import numpy as np

from pynav.grid._heap_kernels import rise, take_first
from pynav.grid._line_of_sight_kernels import sees
from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR
from pynav.kernels import block_kernel, inline, kernel
from pynav.portals._search_kernels import octile
from pynav.portals.sector_layout import FAR, OPEN, SETTLED, UNSEEN

_FAR = np.int32(FAR)
_ZERO = np.int32(0)

# Kinds of answer (uint8).
NOTHING = 0  # no way inside the region, or the end lies outside of it
SIGHT = 1  # straight ahead
STEPS = 2  # a list of steps

# Entries of ``found`` of an A* (int64).
HEAP_SIZE = 0  # as in _heap_kernels.py
END = 1  # the tile of the region where the way ends, -1: none
COST = 2  # of the way, with the value of its end
EXPANDED = 3
FOUND_COUNT = 4


@inline
def guess(index, columns, end_row, end_column, least_cost, least_finish):
    """The least that remains from a tile of the region; ``end_row`` below zero: towards any end."""
    if end_row < 0:
        return least_finish
    return octile(abs(index % columns - end_column), abs(index // columns - end_row), least_cost)


@inline
def search_region(
    cost, top, left, rows, columns, start, end_row, end_column, least_cost, least_finish, finish, status, length, origin, key,
    heap, place, found,
):  # fmt: skip
    """A* from a tile of a region (row * columns + column) to the end for which way and ``finish`` together are least.

    ``finish`` is what each tile costs as the end, FAR for those that are none.
    """
    for index in range(rows * columns):
        status[index] = np.uint8(UNSEEN)
    found[END] = np.int64(-1)
    found[COST] = np.int64(4 * FAR)
    found[EXPANDED] = np.int64(0)
    found[HEAP_SIZE] = np.int64(1)
    status[start] = np.uint8(OPEN)
    length[start] = _ZERO
    origin[start] = np.int32(-1)
    key[start] = guess(start, columns, end_row, end_column, least_cost, least_finish)
    heap[0] = np.int32(start)
    place[start] = _ZERO
    while found[HEAP_SIZE] > 0 and key[np.int64(heap[0])] < found[COST]:
        index = take_first(heap, place, key, found)
        status[index] = np.uint8(SETTLED)
        found[EXPANDED] += 1
        if finish[index] < _FAR and np.int64(length[index]) + np.int64(finish[index]) < found[COST]:
            found[COST] = np.int64(length[index]) + np.int64(finish[index])
            found[END] = index
        row = index // columns
        column = index % columns
        own = np.int64(cost[top + row, left + column])
        for step in range(8):
            move_x = np.int64(0)
            move_y = np.int64(0)
            if step == 0 or step == 1 or step == 7:
                move_x = np.int64(1)
            if step >= 3 and step <= 5:
                move_x = np.int64(-1)
            if step >= 1 and step <= 3:
                move_y = np.int64(1)
            if step >= 5:
                move_y = np.int64(-1)
            to_row = row + move_y
            to_column = column + move_x
            if to_row < 0 or to_row >= rows or to_column < 0 or to_column >= columns:
                continue
            other = to_row * columns + to_column
            there = np.int64(cost[top + to_row, left + to_column])
            if there == 0 or status[other] == SETTLED:
                continue
            factor = np.int64(STRAIGHT_FACTOR)
            if step & 1:
                if cost[top + row, left + to_column] == 0 or cost[top + to_row, left + column] == 0:
                    continue
                factor = np.int64(DIAGONAL_FACTOR)
            value = np.int64(length[index]) + (own + there) * factor
            at = np.int64(0)
            if status[other] == UNSEEN:
                at = found[HEAP_SIZE]
                found[HEAP_SIZE] = at + 1
                heap[at] = np.int32(other)
                status[other] = np.uint8(OPEN)
            elif value >= length[other]:
                continue
            else:
                at = np.int64(place[other])
            length[other] = np.int32(value)
            origin[other] = np.int32(step)
            key[other] = value + guess(other, columns, end_row, end_column, least_cost, least_finish)
            rise(heap, place, key, at)


@inline
def read_steps(origin, columns, end, steps):
    """Write the steps of a finished way in order; their number, which may be more than there is room for."""
    count = np.int64(0)
    index = end
    while origin[index] >= 0:
        index = step_back(index, np.int64(origin[index]), columns)
        count += 1
    at = count
    index = end
    while origin[index] >= 0:
        at -= 1
        step = np.int64(origin[index])
        if at < steps.shape[0]:
            steps[at] = np.uint8(step)
        index = step_back(index, step, columns)
    return count


@inline
def step_back(index, step, columns):
    """The tile from which a step led to ``index``."""
    if step == 0 or step == 1 or step == 7:
        index -= 1
    if step >= 3 and step <= 5:
        index += 1
    if step >= 1 and step <= 3:
        index -= columns
    if step >= 5:
        index += columns
    return index


@kernel(
    "uint8[:, ::1] cost, int64 top, int64 left, int64 rows, int64 columns, int64 start_x, int64 start_y, int32[::1] seed_tile,"
    " int32[::1] seed_value, int32[::1] finish, uint8[::1] status, int32[::1] length, int32[::1] origin, int64[::1] key,"
    " int32[::1] heap, int32[::1] place, uint8[::1] steps, int64[::1] found"
)
def lead_to_seeds(
    cost, top, left, rows, columns, start_x, start_y, seed_tile, seed_value, finish, status, length, origin, key, heap, place,
    steps, found,
):  # fmt: skip
    """The best way from a tile to one of the seeds of its region; ``found[HEAP_SIZE]`` becomes the number of steps."""
    width = np.int64(cost.shape[1])
    for index in range(rows * columns):
        finish[index] = _FAR
    least = np.int64(FAR)
    for seed in range(seed_tile.shape[0]):
        index = (np.int64(seed_tile[seed]) // width - top) * columns + np.int64(seed_tile[seed]) % width - left
        finish[index] = min(finish[index], seed_value[seed])
        least = min(least, np.int64(seed_value[seed]))
    start = (start_y - top) * columns + start_x - left
    search_region(
        cost, top, left, rows, columns, start, np.int64(-1), np.int64(-1), np.int64(1), least, finish, status, length, origin,
        key, heap, place, found,
    )  # fmt: skip
    found[HEAP_SIZE] = np.int64(0)
    if found[END] >= 0:
        found[HEAP_SIZE] = read_steps(origin, columns, found[END], steps)


@block_kernel(
    "uint8[:, ::1] cost, int32[:, ::1] line, uint8[::1] kind, int32[::1] step_count, uint8[:, ::1] steps, int64[::1] way_cost,"
    " int32[:, ::1] finish, uint8[:, ::1] status, int32[:, ::1] length, int32[:, ::1] origin, int64[:, ::1] key,"
    " int32[:, ::1] heap, int32[:, ::1] place, int64[:, ::1] found, int64 size, int64 least_cost, int64 per_part"
)
def find_short_paths(
    cost, line, kind, step_count, steps, way_cost, finish, status, length, origin, key, heap, place, found, size, least_cost,
    per_part, begin, end,
):  # fmt: skip
    """For each line (x, y, x, y): sight, or the steps of a shortest way inside the 3 x 3 sectors around its start."""
    width = np.int64(cost.shape[1])
    height = np.int64(cost.shape[0])
    for part in range(begin, end):
        own_finish = finish[part]
        own_found = found[part]
        for index in range(finish.shape[1]):
            own_finish[index] = _FAR
        for item in range(part * per_part, min((part + 1) * per_part, np.int64(line.shape[0]))):
            from_x = np.int64(line[item, 0])
            from_y = np.int64(line[item, 1])
            to_x = np.int64(line[item, 2])
            to_y = np.int64(line[item, 3])
            kind[item] = np.uint8(NOTHING)
            step_count[item] = _ZERO
            way_cost[item] = np.int64(0)
            if sees(cost, from_x, from_y, to_x, to_y) != 0:
                kind[item] = np.uint8(SIGHT)
                continue
            left = max((from_x // size - 1) * size, 0)
            top = max((from_y // size - 1) * size, 0)
            rows = min((from_y // size + 2) * size, height) - top
            columns = min((from_x // size + 2) * size, width) - left
            outside = to_x < left or to_y < top or to_x >= left + columns or to_y >= top + rows
            if outside or from_x < 0 or from_y < 0 or from_x >= width or from_y >= height:
                continue
            if cost[from_y, from_x] == 0 or cost[to_y, to_x] == 0:
                continue
            goal = (to_y - top) * columns + to_x - left
            own_finish[goal] = _ZERO
            search_region(
                cost, top, left, rows, columns, (from_y - top) * columns + from_x - left, to_y - top, to_x - left, least_cost,
                np.int64(0), own_finish, status[part], length[part], origin[part], key[part], heap[part], place[part], own_found,
            )  # fmt: skip
            own_finish[goal] = _FAR
            if own_found[END] >= 0:
                kind[item] = np.uint8(STEPS)
                step_count[item] = np.int32(read_steps(origin[part], columns, own_found[END], steps[item]))
                way_cost[item] = own_found[COST]
