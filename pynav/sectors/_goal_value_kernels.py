# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the exact distances from all border tiles to a goal.

Label correcting by blocks: a block waits in a heap under its least dirty value, the value of a border tile that fell since the
block was last looked at. Looking at a block offers each dirty value to the block's other border tiles by its matrix; what
falls there makes the neighbouring blocks dirty. Rows far above the block's least dirty value are left for later, since they
are likely to fall again. The end result is exact whatever the order; the order only decides how often a block is looked at.
"""

import numpy as np

from pynav.grid.steps import UNIT_STEP_COST
from pynav.kernels import inline, kernel
from pynav.sectors._block_matrix_kernels import PADDED, TILES, load_block, step_cost
from pynav.sectors.block_layout import FAR, OWNERS, RING, SIDE, STEP, UNREACHED

_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)
_ZERO = np.int32(0)

LATER = np.int32(16 * UNIT_STEP_COST)  # a row this much above the least one waits

# Entries of ``progress`` (int64).
HEAP_SIZE = 0
DONE = 1
LOOKS = 2  # blocks looked at
ROWS = 3  # matrix rows applied
AFFECTED = 4  # of a repair: values raised, -1 if they were too many
PROGRESS_COUNT = 5


@inline
def comes_first(key, a, b):
    """Order of blocks in the heap: by key, then by number, so that the order of work is the same everywhere."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


@inline
def rise(heap, place, key, at):
    """Move a block towards the top of the heap."""
    block = np.int64(heap[at])
    while at > 0:
        parent = (at - 1) >> 1
        other = np.int64(heap[parent])
        if not comes_first(key, block, other):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = parent
    heap[at] = np.int32(block)
    place[block] = np.int32(at)


@inline
def sink(heap, place, key, size, at):
    """Move a block towards the bottom of the heap."""
    block = np.int64(heap[at])
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and comes_first(key, np.int64(heap[child + 1]), np.int64(heap[child])):
            child += 1
        other = np.int64(heap[child])
        if not comes_first(key, other, block):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = child
    heap[at] = np.int32(block)
    place[block] = np.int32(at)


@inline
def wake(block, value, heap, place, key, progress):
    """Have a block looked at, not later than under ``value``."""
    at = np.int64(place[block])
    if at < 0:
        at = progress[HEAP_SIZE]
        progress[HEAP_SIZE] = at + 1
        heap[at] = np.int32(block)
        key[block] = value
        rise(heap, place, key, at)
    elif value < key[block]:
        key[block] = value
        rise(heap, place, key, at)


@inline
def lower(border, value_now, asking, value, dirty, owner_block, owner_ring, heap, place, key, progress):
    """Set a border tile's lower value and wake the blocks that it belongs to, but for the one that found it."""
    value[border] = value_now
    for owner in range(OWNERS):
        block = np.int64(owner_block[border, owner])
        if block >= 0 and block != asking:
            dirty[block, np.int64(owner_ring[border, owner])] = np.uint8(1)
            wake(block, value_now, heap, place, key, progress)


@inline
def flood_block(local, distance):
    """Complete the distances of a loaded block's tiles from the seeds in ``distance`` (19 * 19, FAR where there is none)."""
    changed = True
    while changed:
        changed = False
        for backwards in range(2):
            for step in range(SIDE * SIDE):
                index = step
                if backwards == 1:
                    index = SIDE * SIDE - 1 - step
                tile = (index // SIDE + 1) * PADDED + index % SIDE + 1
                if local[tile] == 0:
                    continue
                best = distance[tile]
                side = np.int64(1)
                if backwards == 0:
                    side = np.int64(-1)
                ahead = side * PADDED
                offered = distance[tile + side] + step_cost(local, PADDED, tile, tile + side, tile, tile)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead] + step_cost(local, PADDED, tile, tile + ahead, tile, tile)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead - 1] + step_cost(local, PADDED, tile, tile + ahead - 1, tile - 1, tile + ahead)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead + 1] + step_cost(local, PADDED, tile, tile + ahead + 1, tile + 1, tile + ahead)
                if offered < best:
                    best = offered
                offered = distance[tile - side] + step_cost(local, PADDED, tile, tile - side, tile, tile)
                if offered < best:
                    best = offered
                if best < distance[tile]:
                    distance[tile] = best
                    changed = True


@inline
def seed_from_goals(cost, column_count, row_count, block, goal_x, goal_y, local, distance):
    """Load a block and its distances from the goals in it; False if there is none."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    found = False
    for goal in range(goal_x.shape[0]):
        row = np.int64(goal_y[goal]) - top
        column = np.int64(goal_x[goal]) - left
        if row >= 0 and row < SIDE and column >= 0 and column < SIDE and cost[top + row, left + column] != 0:
            if not found:
                load_block(cost, column_count, block, local)
                for tile in range(TILES):
                    distance[tile] = _FAR
                found = True
            distance[(row + 1) * PADDED + column + 1] = _ZERO
    if found:
        flood_block(local, distance)
    return found


@kernel(
    "uint8[:, ::1] cost, int32[::1] goal_x, int32[::1] goal_y, int32[::1] ring, int32[:, ::1] border_of,"
    " int32[:, ::1] owner_block, int32[:, ::1] owner_ring, int32[::1] goal_block, int32[::1] value,"
    " uint8[:, ::1] dirty, int32[::1] key, int32[::1] heap, int32[::1] place, uint8[::1] local, int32[::1] distance,"
    " int64 column_count, int64 row_count, int64[::1] progress"
)
def seed_goals(
    cost, goal_x, goal_y, ring, border_of, owner_block, owner_ring, goal_block, value, dirty, key, heap, place, local,
    distance, column_count, row_count, progress,
):  # fmt: skip
    """Lower the values of border tiles to what the goals in their own blocks give them."""
    for index in range(goal_block.shape[0]):
        block = np.int64(goal_block[index])
        if not seed_from_goals(cost, column_count, row_count, block, goal_x, goal_y, local, distance):
            continue
        for border_index in range(RING):
            tile_index = np.int64(ring[border_index])
            found = distance[(tile_index // SIDE + 1) * PADDED + tile_index % SIDE + 1]
            border = np.int64(border_of[block, border_index])
            if found < _FAR and found < value[border]:
                lower(border, found, np.int64(-1), value, dirty, owner_block, owner_ring, heap, place, key, progress)


@inline
def look_at_block(
    block, matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order, progress
):  # fmt: skip
    """Offer a block's dirty values to its other border tiles."""
    own_matrix = matrix[np.int64(matrix_of[block])]
    count = np.int64(0)
    for index in range(RING):
        seen[index] = value[np.int64(border_of[block, index])]
        offered[index] = _UNREACHED
        if dirty[block, index] != 0:
            at = count
            while at > 0 and seen[np.int64(order[at - 1])] > seen[index]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = np.int32(index)
            count += 1
    least = seen[np.int64(order[0])]
    later = _UNREACHED
    for index in range(count):
        row = np.int64(order[index])
        own = seen[row]
        if own > least + LATER:
            if own < later:
                later = own
            continue
        dirty[block, row] = np.uint8(0)
        if offered[row] <= own:  # a way over an earlier row is as good: this row offers nothing that isn't there
            continue
        progress[ROWS] += 1
        for other in range(RING):
            total = own_matrix[row, other] + own
            if total < offered[other]:
                offered[other] = total
    for index in range(RING):
        if offered[index] < seen[index]:
            border = np.int64(border_of[block, index])
            lower(border, offered[index], block, value, dirty, owner_block, owner_ring, heap, place, key, progress)
    if later < _UNREACHED:
        wake(block, later, heap, place, key, progress)


@kernel(
    "int32[:, :, ::1] matrix, int32[::1] matrix_of, int32[:, ::1] border_of, int32[:, ::1] owner_block, int32[:, ::1] owner_ring,"
    " int32[::1] value, uint8[:, ::1] dirty, int32[::1] key, int32[::1] heap, int32[::1] place, int32[::1] seen,"
    " int32[::1] offered, int32[::1] order, int64[::1] progress, int64 budget"
)
def spread_values(
    matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order, progress,
    budget,
):  # fmt: skip
    """Look at ``budget`` blocks at most; ``progress[DONE]`` is 1 once nothing is dirty and all values are exact."""
    left = budget
    while left > 0 and progress[HEAP_SIZE] > 0:
        block = np.int64(heap[0])
        size = progress[HEAP_SIZE] - 1
        progress[HEAP_SIZE] = size
        place[block] = np.int32(-1)
        if size > 0:
            heap[0] = heap[size]
            place[np.int64(heap[0])] = np.int32(0)
            sink(heap, place, key, size, np.int64(0))
        look_at_block(
            block, matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order,
            progress,
        )  # fmt: skip
        progress[LOOKS] += 1
        left -= 1
    if progress[HEAP_SIZE] == 0:
        progress[DONE] = 1


@inline
def is_supported(
    border, matrix, matrix_of, border_of, owner_block, owner_ring, value, given, affected
):  # fmt: skip
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


@kernel(
    "uint8[:, ::1] cost, int32[::1] goal_x, int32[::1] goal_y, int32[::1] ring, int32[:, :, ::1] matrix, int32[::1] matrix_of,"
    " int32[:, ::1] border_of, int32[:, ::1] owner_block, int32[:, ::1] owner_ring, int32[::1] goal_block,"
    " int32[::1] changed_block, int32[::1] value, int32[::1] given, uint8[::1] affected, int32[::1] border_heap,"
    " int32[::1] border_place, int32[::1] listed, uint8[:, ::1] dirty, int32[::1] key, int32[::1] heap, int32[::1] place,"
    " uint8[::1] local, int32[::1] distance, int64 column_count, int64 row_count, int64 limit, int64[::1] progress"
)
def prepare_repair(
    cost, goal_x, goal_y, ring, matrix, matrix_of, border_of, owner_block, owner_ring, goal_block, changed_block, value, given,
    affected, border_heap, border_place, listed, dirty, key, heap, place, local, distance, column_count, row_count, limit,
    progress,
):  # fmt: skip
    """After blocks have changed: raise the values that no longer hold and wake the blocks from which they can be found again.

    Scratch comes clean (given UNREACHED, affected 0, border_place -1) and is left so. ``progress[AFFECTED]`` is the number of
    values raised, or -1 if they are more than ``limit``: then nothing was written and the values must be built anew.
    """
    for index in range(goal_block.shape[0]):
        block = np.int64(goal_block[index])
        if seed_from_goals(cost, column_count, row_count, block, goal_x, goal_y, local, distance):
            for border_index in range(RING):
                tile_index = np.int64(ring[border_index])
                found = distance[(tile_index // SIDE + 1) * PADDED + tile_index % SIDE + 1]
                border = np.int64(border_of[block, border_index])
                if found < _FAR and found < given[border]:
                    given[border] = found
    # In rising order of values, which of them have lost what they followed from; those that followed from them come later.
    progress[HEAP_SIZE] = 0
    for index in range(changed_block.shape[0]):
        block = np.int64(changed_block[index])
        for border_index in range(RING):
            border = np.int64(border_of[block, border_index])
            if value[border] < _UNREACHED:
                push_border(border, value, border_heap, border_place, progress)
    count = np.int64(0)
    is_bounded = True
    while progress[HEAP_SIZE] > 0:
        border = np.int64(border_heap[0])
        size = progress[HEAP_SIZE] - 1
        progress[HEAP_SIZE] = size
        border_place[border] = np.int32(-1)
        if size > 0:
            border_heap[0] = border_heap[size]
            border_place[np.int64(border_heap[0])] = np.int32(0)
            sink(border_heap, border_place, value, size, np.int64(0))
        if not is_bounded or affected[border] != 0:
            continue
        if is_supported(border, matrix, matrix_of, border_of, owner_block, owner_ring, value, given, affected):
            continue
        if count == limit:
            is_bounded = False
            continue
        affected[border] = np.uint8(1)
        listed[count] = np.int32(border)
        count += 1
        for owner in range(OWNERS):
            block = np.int64(owner_block[border, owner])
            if block < 0:
                break
            own_matrix = matrix[np.int64(matrix_of[block])]
            row = np.int64(owner_ring[border, owner])
            for index in range(RING):
                other = np.int64(border_of[block, index])
                if affected[other] == 0 and value[other] < _UNREACHED and value[other] == value[border] + own_matrix[row, index]:
                    push_border(other, value, border_heap, border_place, progress)
    progress[HEAP_SIZE] = 0
    if is_bounded:
        for index in range(count):
            border = np.int64(listed[index])
            value[border] = given[border]
        for index in range(count):
            for owner in range(OWNERS):
                block = np.int64(owner_block[np.int64(listed[index]), owner])
                if block >= 0:
                    wake_whole_block(block, border_of, value, dirty, key, heap, place, progress)
        for index in range(changed_block.shape[0]):
            wake_whole_block(np.int64(changed_block[index]), border_of, value, dirty, key, heap, place, progress)
    for index in range(goal_block.shape[0]):
        for border_index in range(RING):
            border = np.int64(border_of[np.int64(goal_block[index]), border_index])
            if is_bounded and given[border] < value[border]:
                lower(border, given[border], np.int64(-1), value, dirty, owner_block, owner_ring, heap, place, key, progress)
            given[border] = _UNREACHED
    for index in range(count):
        affected[np.int64(listed[index])] = np.uint8(0)
    progress[AFFECTED] = count
    if not is_bounded:
        progress[AFFECTED] = -1
    progress[DONE] = 0
