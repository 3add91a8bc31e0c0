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
LOGGED = 4  # of a repair: values changed so far
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
def note(border, value, log_border, log_value, progress):
    """Keep what a value was, where there is a log; it may be full, which ends a repair."""
    if log_border.shape[0] > 0:
        at = progress[LOGGED]
        progress[LOGGED] = at + 1
        if at < log_border.shape[0]:
            log_border[at] = np.int32(border)
            log_value[at] = value[border]


@inline
def lower(
    border, value_now, asking, value, dirty, owner_block, owner_ring, heap, place, key, log_border, log_value, progress
):  # fmt: skip
    """Set a border tile's lower value and wake the blocks that it belongs to, but for the one that found it."""
    note(border, value, log_border, log_value, progress)
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
def seed_from_goals(cost, column_count, block, goal_x, goal_y, first_goal, last_goal, local, distance):
    """Load a block and its distances from those of the goals that lie in it; False if none does."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    found = False
    for goal in range(first_goal, last_goal):
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
    " int32[::1] log_border, int32[::1] log_value, int64 column_count, int64[::1] progress"
)
def seed_goals(
    cost, goal_x, goal_y, ring, border_of, owner_block, owner_ring, goal_block, value, dirty, key, heap, place, local,
    distance, log_border, log_value, column_count, progress,
):  # fmt: skip
    """Lower the values of border tiles to what the goals in their own blocks give them."""
    for index in range(goal_block.shape[0]):
        block = np.int64(goal_block[index])
        last = np.int64(goal_x.shape[0])
        if not seed_from_goals(cost, column_count, block, goal_x, goal_y, np.int64(0), last, local, distance):
            continue
        for border_index in range(RING):
            tile_index = np.int64(ring[border_index])
            found = distance[(tile_index // SIDE + 1) * PADDED + tile_index % SIDE + 1]
            border = np.int64(border_of[block, border_index])
            if found < _FAR and found < value[border]:
                lower(
                    border, found, np.int64(-1), value, dirty, owner_block, owner_ring, heap, place, key, log_border, log_value,
                    progress,
                )  # fmt: skip


@inline
def look_at_block(
    block, matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order,
    log_border, log_value, progress,
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
            total = np.int32(own_matrix[row, other] + own)
            if total < offered[other]:
                offered[other] = total
    for index in range(RING):
        if offered[index] < seen[index]:
            border = np.int64(border_of[block, index])
            lower(
                border, offered[index], block, value, dirty, owner_block, owner_ring, heap, place, key, log_border, log_value,
                progress,
            )  # fmt: skip
    if later < _UNREACHED:
        wake(block, later, heap, place, key, progress)


@inline
def next_block(heap, place, key, progress):
    """Take the block with the least key from the heap."""
    block = np.int64(heap[0])
    size = progress[HEAP_SIZE] - 1
    progress[HEAP_SIZE] = size
    place[block] = np.int32(-1)
    if size > 0:
        heap[0] = heap[size]
        place[np.int64(heap[0])] = np.int32(0)
        sink(heap, place, key, size, np.int64(0))
    return block


@kernel(
    "int32[:, :, ::1] matrix, int32[::1] matrix_of, int32[:, ::1] border_of, int32[:, ::1] owner_block, int32[:, ::1] owner_ring,"
    " int32[::1] value, uint8[:, ::1] dirty, int32[::1] key, int32[::1] heap, int32[::1] place, int32[::1] seen,"
    " int32[::1] offered, int32[::1] order, int32[::1] log_border, int32[::1] log_value, int64[::1] progress, int64 budget"
)
def spread_values(
    matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order, log_border,
    log_value, progress, budget,
):  # fmt: skip
    """Look at ``budget`` blocks at most; ``progress[DONE]`` is 1 once nothing is dirty and all values are exact."""
    left = budget
    while left > 0 and progress[HEAP_SIZE] > 0:
        block = next_block(heap, place, key, progress)
        look_at_block(
            block, matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order,
            log_border, log_value, progress,
        )  # fmt: skip
        progress[LOOKS] += 1
        left -= 1
    if progress[HEAP_SIZE] == 0:
        progress[DONE] = 1
