# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel of the exact distances from all border tiles to a goal.

Label correcting by blocks: a block waits in a heap under its least dirty value, the value of a border tile that fell since the
block was last looked at. Looking at a block offers each dirty value to the block's other border tiles by its matrix; what
falls there is written to the neighbouring blocks and makes them dirty. Rows far above the block's least dirty value are left
for later, since they are likely to fall again. The end result is exact whatever the order; the order only decides how often a
block is looked at.

While the search runs, values lie by block: each block has its 64 side by side, and a tile that several blocks share is written
to all of them. That takes half the time of values by border tile, which are what is handed over at the end.
"""

import numpy as np

from pynav.grid._heap_kernels import HEAP_SIZE, take_first
from pynav.kernels import LANES, append_set, inline, items_below, kernel
from pynav.sectors._block_flood_kernels import flood_from_goals
from pynav.sectors._block_heap_kernels import DONE, LOOKS, PHASE, ROWS, wake
from pynav.sectors._block_matrix_kernels import PADDED, load_block
from pynav.sectors.block_layout import FAR, LATER, RING, SIDE, UNREACHED

_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)
_LATER = np.int32(LATER)

BEGINNING = 0
SPREADING = 1


@kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint8[::1] one_way, int32[::1] goal_block, uint8[:, ::1] goal_local,"
    " int64 column_count"
)
def load_goal_blocks(cost, closed, one_way, goal_block, goal_local, column_count):
    """Keep the costs of the blocks that hold goals, so that a build goes by the map on which it began."""
    for index in range(goal_block.shape[0]):
        load_block(cost, closed, one_way, column_count, np.int64(goal_block[index]), goal_local[index])


@inline
def offer_to_block(
    block, offered, value, dirty, neighbour, other_count, other_side, other_ring, order, least, key, heap, place, progress
):
    """Lower a block's values to what is offered, tell the neighbours that share the tiles, and wake them."""
    for side in range(8):
        least[side] = _UNREACHED
    count = np.int64(0)
    for first in range(0, RING, LANES):
        count = append_set(order, count, first, items_below(offered, value[block], first))
    for place_in_order in range(count):
        index = np.int64(order[place_in_order])
        found = offered[index]
        value[block, index] = found
        for shared in range(other_count[index]):
            side = np.int64(other_side[index, shared])
            other = np.int64(neighbour[block, side])
            there = np.int64(other_ring[index, shared])
            value[other, there] = found
            dirty[other, there] = np.uint8(1)
            if found < least[side]:
                least[side] = found
    nobody = neighbour.shape[0]
    for side in range(8):
        other = np.int64(neighbour[block, side])
        if least[side] < _UNREACHED and other < nobody:
            wake(other, least[side], heap, place, key, progress)


@inline
def offers_of_block(own_matrix, own_value, own_dirty, offered, waiting, progress):
    """What a block's dirty values offer to its border tiles; returns the least value that is left for later.

    Rows are applied in rising order of value. One to which the rows before have offered as much as it has offers nothing that
    isn't there: it is dropped. Loops of one length without branches: which rows are dirty, or dropped, can't be predicted.

    Args:
        own_matrix: int32 (RING, RING), from row to border tile.
        own_value: int32 (RING,).
        own_dirty: uint8 (RING,), 1 where a value has to be offered; those that are done are cleared.
        offered: int32 (RING,), written.
        waiting: int32 (RING or more,), scratch.
        progress: its entry ROWS counts the rows applied.
    """
    least = _UNREACHED
    for index in range(RING):
        offered[index] = _UNREACHED
        here = own_value[index] if own_dirty[index] != 0 else _UNREACHED
        waiting[index] = here
        least = min(least, here)
    limit = least + _LATER
    while least <= limit and least < _UNREACHED:
        row = np.int32(RING)
        for index in range(RING):
            row = min(row, np.int32(index) if waiting[index] == least else np.int32(RING))
        progress[ROWS] += 1
        lower = _UNREACHED
        for other in range(RING):
            found = min(offered[other], own_matrix[row, other] + least)
            offered[other] = found
            here = waiting[other] if found > own_value[other] else _UNREACHED
            waiting[other] = here
            lower = min(lower, here)
        least = lower
    for index in range(RING):
        own_dirty[index] = np.uint8(waiting[index] < _UNREACHED)
    return least


@inline
def clear_search(value, dirty, place, progress):
    """Forget what a search before has left."""
    for block in range(value.shape[0]):
        for index in range(RING):
            value[block, index] = _UNREACHED
            dirty[block, index] = np.uint8(0)
    for block in range(place.shape[0]):
        place[block] = np.int32(-1)
    progress[HEAP_SIZE] = 0


@kernel(
    "int32[:, :, ::1] matrix, int32[::1] matrix_of, int32[:, ::1] border_of, int32[::1] ring, int32[:, ::1] neighbour,"
    " int32[::1] other_count, int32[:, ::1] other_side, int32[:, ::1] other_ring, int32[::1] goal_x, int32[::1] goal_y,"
    " int32[::1] goal_block, uint8[:, ::1] goal_local, int32[:, ::1] block_value, uint8[:, ::1] dirty, int32[::1] key,"
    " int32[::1] heap, int32[::1] place, int32[::1] offered, int32[::1] order, int32[::1] least, int32[::1] distance,"
    " int32[::1] value, int64[::1] progress, int64 column_count, int64 budget"
)
def search_blocks(
    matrix, matrix_of, border_of, ring, neighbour, other_count, other_side, other_ring, goal_x, goal_y, goal_block, goal_local,
    block_value, dirty, key, heap, place, offered, order, least, distance, value, progress, column_count, budget,
):  # fmt: skip
    """Look at ``budget`` blocks at most; ``progress[DONE]`` is 1 once ``value`` holds the exact values by border tile."""
    if progress[PHASE] == BEGINNING:
        clear_search(block_value, dirty, place, progress)
        for index in range(goal_block.shape[0]):
            block = np.int64(goal_block[index])
            if not flood_from_goals(
                goal_local[index], column_count, block, goal_x, goal_y, np.int64(0), np.int64(goal_x.shape[0]), distance
            ):
                continue
            for border_index in range(RING):
                tile = np.int64(ring[border_index])
                offered[border_index] = distance[(tile // SIDE + 1) * PADDED + tile % SIDE + 1]
                if offered[border_index] >= _FAR:
                    offered[border_index] = _UNREACHED
            offer_to_block(
                block, offered, block_value, dirty, neighbour, other_count, other_side, other_ring, order, least, key, heap,
                place, progress,
            )  # fmt: skip
        progress[PHASE] = SPREADING
    left = budget
    while left > 0 and progress[HEAP_SIZE] > 0:
        block = take_first(heap, place, key, progress)
        later = offers_of_block(matrix[np.int64(matrix_of[block])], block_value[block], dirty[block], offered, order, progress)
        offer_to_block(
            block, offered, block_value, dirty, neighbour, other_count, other_side, other_ring, order, least, key, heap, place,
            progress,
        )  # fmt: skip
        if later < _UNREACHED:
            wake(block, later, heap, place, key, progress)
        progress[LOOKS] += 1
        left -= 1
    if progress[HEAP_SIZE] == 0:
        for block in range(border_of.shape[0]):
            for index in range(RING):
                value[np.int64(border_of[block, index])] = block_value[block, index]
        progress[DONE] = 1
