# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that brings the border values of published flows up to date after blocks have changed, each flow on its own.

First, in rising order of values, it finds those that have lost what they followed from (no goal and no lesser value that
stands gives them any more), raises them, and then lets the blocks around offer what they have, as in a build. What changes is
noted in a log. If it is too much, the log is played back and the flow is left for a build from nothing.
(The two phases: Ramalingam and Reps 1996, on the block graph instead of tiles.)
"""

import numpy as np

from pynav.grid._heap_kernels import HEAP_SIZE, rise, take_first
from pynav.kernels import block_kernel, inline
from pynav.sectors._block_flood_kernels import flood_from_goals
from pynav.sectors._block_heap_kernels import LOGGED, LOOKS, TESTED, wake
from pynav.sectors._block_matrix_kernels import PADDED, load_block
from pynav.sectors._border_search_kernels import look_at_block, lower, note
from pynav.sectors.block_layout import FAR, ITEMS, MISSING, OWNERS, PARTS_USED, RING, SIDE, UNREACHED

# What became of a flow.
REPAIRED = 0
TOO_MUCH = 1
NOT_TRIED = 2

CHANGED = 3  # entry of ``item_counts``: blocks that have changed
REPAIR_COUNT_COUNT = 4
TESTS_PER_UNIT = 4

_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)


@inline
def is_supported(border, matrix, matrix_of, one_way, border_of, owner_block, owner_ring, value, given, affected):
    """Whether a border tile's value still follows from a goal or from a lesser value that stands."""
    own = value[border]
    if given[border] <= own:
        return True
    for owner in range(OWNERS):
        block = np.int64(owner_block[border, owner])
        if block < 0:
            break
        own_matrix = matrix[np.int64(matrix_of[block])]
        row = np.int64(owner_ring[border, owner])
        if one_way[block] != 0:  # its matrix is not symmetric: rows hold the ways to a tile
            for index in range(RING):
                other = np.int64(border_of[block, index])
                if value[other] < own and affected[other] == 0 and value[other] + own_matrix[index, row] <= own:
                    return True
            continue
        for index in range(RING):
            other = np.int64(border_of[block, index])
            if value[other] < own and affected[other] == 0 and value[other] + own_matrix[row, index] <= own:
                return True
    return False


@inline
def push_border(border, value, heap, place, progress):
    """Have a border tile looked at, in the order of values."""
    if place[border] < 0:
        at = progress[HEAP_SIZE]
        progress[HEAP_SIZE] = at + 1
        heap[at] = np.int32(border)
        rise(heap, place, value, at)


@inline
def give_from_goals(
    cost, closed, one_way, column_count, goal_block, first_block, last_block, goal_x, goal_y, first_goal, last_goal, ring,
    border_of, given,
    local, distance,
):  # fmt: skip
    """Write what the goals give to the border tiles of their own blocks."""
    for index in range(first_block, last_block):
        block = np.int64(goal_block[index])
        load_block(cost, closed, one_way, column_count, block, local)
        if flood_from_goals(local, column_count, block, goal_x, goal_y, first_goal, last_goal, distance):
            for border_index in range(RING):
                place = np.int64(ring[border_index])
                found = distance[(place // SIDE + 1) * PADDED + place % SIDE + 1]
                border = np.int64(border_of[block, border_index])
                if found < _FAR and found < given[border]:
                    given[border] = found


@inline
def find_fallen(
    matrix, matrix_of, one_way, border_of, owner_block, owner_ring, changed_block, changed_count, value, given, affected, heap,
    place,
    listed, progress,
):  # fmt: skip
    """List the border tiles whose values no longer hold; how many, or one more than there is room for."""
    progress[HEAP_SIZE] = 0
    for index in range(changed_count):
        block = np.int64(changed_block[index])
        for border_index in range(RING):
            border = np.int64(border_of[block, border_index])
            if value[border] < _UNREACHED:
                push_border(border, value, heap, place, progress)
    limit = np.int64(listed.shape[0])
    count = np.int64(0)
    while progress[HEAP_SIZE] > 0:
        border = take_first(heap, place, value, progress)
        progress[TESTED] += 1
        if count > limit or affected[border] != 0:
            continue
        if is_supported(border, matrix, matrix_of, one_way, border_of, owner_block, owner_ring, value, given, affected):
            continue
        if count < limit:
            affected[border] = np.uint8(1)
            listed[count] = np.int32(border)
        count += 1
        for owner in range(OWNERS):
            block = np.int64(owner_block[border, owner])
            if block < 0 or count > limit:
                break
            own_matrix = matrix[np.int64(matrix_of[block])]
            row = np.int64(owner_ring[border, owner])
            for index in range(RING):
                other = np.int64(border_of[block, index])
                if affected[other] == 0 and value[other] < _UNREACHED and value[other] == value[border] + own_matrix[row, index]:
                    push_border(other, value, heap, place, progress)
    for index in range(min(count, limit)):
        affected[np.int64(listed[index])] = np.uint8(0)
    return count


@inline
def wake_whole_block(block, border_of, value, dirty, key, heap, place, progress):
    """Have a block offer all its values."""
    least = _UNREACHED
    for index in range(RING):
        found = value[np.int64(border_of[block, index])]
        if found < _UNREACHED:
            dirty[block, index] = np.uint8(1)
            if found < least:
                least = found
    if least < _UNREACHED:
        wake(block, least, heap, place, key, progress)


@inline
def take_back(value, dirty, heap, place, log_border, log_value, progress):
    """Undo everything and leave clean scratch."""
    for at in range(min(progress[LOGGED], np.int64(log_border.shape[0])) - 1, -1, -1):
        value[np.int64(log_border[at])] = log_value[at]
    for at in range(progress[HEAP_SIZE]):
        block = np.int64(heap[at])
        place[block] = np.int32(-1)
        for index in range(RING):
            dirty[block, index] = np.uint8(0)
    progress[HEAP_SIZE] = 0


@block_kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint8[::1] one_way, int32[::1] ring, int32[:, :, ::1] matrix,"
    " int32[::1] matrix_of, int32[:, ::1] border_of,"
    " int32[:, ::1] owner_block, int32[:, ::1] owner_ring, int32[::1] goal_start, int32[::1] goal_x, int32[::1] goal_y,"
    " int32[::1] goal_block_start, int32[::1] goal_block, int32[::1] changed_block, int32[::1] item_slot, uint8[::1] outcome,"
    " int64[::1] item_counts, int32[:, ::1] value, uint8[:, ::1] ready, int32[:, ::1] given, uint8[:, ::1] affected,"
    " int32[:, ::1] border_heap, int32[:, ::1] border_place, int32[:, ::1] listed, uint8[:, :, ::1] dirty, int32[:, ::1] key,"
    " int32[:, ::1] heap, int32[:, ::1] place, int32[:, ::1] rows, uint8[:, ::1] local, int32[:, ::1] distance,"
    " int32[:, ::1] log_border, int32[:, ::1] log_value, int64[:, ::1] progress, int64 column_count, int64 look_limit,"
    " int64 unit_limit"
)
def repair_flows(
    cost, closed, one_way, ring, matrix, matrix_of, border_of, owner_block, owner_ring, goal_start, goal_x, goal_y,
    goal_block_start, goal_block,
    changed_block, item_slot, outcome, item_counts, value, ready, given, affected, border_heap, border_place, listed, dirty, key,
    heap, place, rows, local, distance, log_border, log_value, progress, column_count, look_limit, unit_limit, begin, end,
):  # fmt: skip
    """Repair the listed flows, in parts with scratch of their own (clean: given UNREACHED, affected and dirty 0, places -1).

    A part takes every so many-th flow, in order, until it has done ``unit_limit`` units of work (a look at a block, or four
    border tiles tested, is one). ``outcome[item]``: REPAIRED, TOO_MUCH (nothing has changed then), or NOT_TRIED. Blocks whose
    values changed are marked as MISSING.
    """
    for part in range(begin, end):
        own = progress[part]
        units = np.int64(0)
        for item in range(part, item_counts[ITEMS], item_counts[PARTS_USED]):
            if units >= unit_limit:
                outcome[item] = np.uint8(NOT_TRIED)
                continue
            slot = np.int64(item_slot[item])
            first_block = np.int64(goal_block_start[slot])
            last_block = np.int64(goal_block_start[slot + 1])
            values = value[slot]
            give_from_goals(
                cost, closed, one_way, column_count, goal_block, first_block, last_block, goal_x, goal_y,
                np.int64(goal_start[slot]),
                np.int64(goal_start[slot + 1]), ring, border_of, given[part], local[part], distance[part],
            )  # fmt: skip
            changed_count = item_counts[CHANGED]
            own[TESTED] = 0
            count = find_fallen(
                matrix, matrix_of, one_way, border_of, owner_block, owner_ring, changed_block, changed_count, values, given[part],
                affected[part], border_heap[part], border_place[part], listed[part], own,
            )  # fmt: skip
            own[LOGGED] = 0
            own[LOOKS] = 0
            is_bounded = count <= listed.shape[1]
            if is_bounded:
                for index in range(count):
                    border = np.int64(listed[part, index])
                    note(border, values, log_border[part], log_value[part], own)
                    values[border] = given[part, border]
                for index in range(count):
                    for owner in range(OWNERS):
                        block = np.int64(owner_block[np.int64(listed[part, index]), owner])
                        if block >= 0:
                            wake_whole_block(block, border_of, values, dirty[part], key[part], heap[part], place[part], own)
                for index in range(changed_count):
                    block = np.int64(changed_block[index])
                    wake_whole_block(block, border_of, values, dirty[part], key[part], heap[part], place[part], own)
            for index in range(first_block, last_block):
                for border_index in range(RING):
                    border = np.int64(border_of[np.int64(goal_block[index]), border_index])
                    if is_bounded and given[part, border] < values[border]:
                        lower(
                            border, given[part, border], np.int64(-1), values, dirty[part], owner_block, owner_ring, heap[part],
                            place[part], key[part], log_border[part], log_value[part], own,
                        )  # fmt: skip
                    given[part, border] = _UNREACHED
            while own[HEAP_SIZE] > 0 and own[LOOKS] < look_limit and own[LOGGED] <= log_border.shape[1]:
                block = take_first(heap[part], place[part], key[part], own)
                look_at_block(
                    block, matrix, matrix_of, border_of, owner_block, owner_ring, values, dirty[part], key[part], heap[part],
                    place[part], rows[3 * part], rows[3 * part + 1], rows[3 * part + 2], log_border[part], log_value[part], own,
                )  # fmt: skip
                own[LOOKS] += 1
            units += own[LOOKS] + own[TESTED] // TESTS_PER_UNIT + 1
            outcome[item] = np.uint8(REPAIRED)
            if not is_bounded or own[HEAP_SIZE] > 0 or own[LOGGED] > log_border.shape[1]:
                take_back(values, dirty[part], heap[part], place[part], log_border[part], log_value[part], own)
                outcome[item] = np.uint8(TOO_MUCH)
                continue
            for at in range(own[LOGGED]):
                for owner in range(OWNERS):
                    block = np.int64(owner_block[np.int64(log_border[part, at]), owner])
                    if block >= 0:
                        ready[slot, block] = np.uint8(MISSING)
