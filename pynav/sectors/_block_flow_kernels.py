# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that write the directions of single blocks, from the exact values of their border tiles.

A tile that two blocks share has its best step in one of them, perhaps not in the one that writes it: each block writes its
left column and top row as far as it knows, notes what it knows of its right column and bottom row, and ``join_edges`` then
fills in what the neighbours know. All steps are steps of one exact potential, so they fit together whoever wrote them.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, NO_DIRECTION, NO_WAY, SOLID_TILE, STRAIGHT_FACTOR
from pynav.kernels import block_kernel, inline, kernel
from pynav.sectors._block_flood_kernels import flood_over_exits
from pynav.sectors._block_matrix_kernels import (
    HAS_EXITS,
    PADDED,
    TILES,
    load_block,
    open_step_cost,
    step_cost,
    step_offset,
)
from pynav.sectors.block_layout import FAR, ITEMS, NOT_HERE, PER_PART, READY, RING, SIDE, STEP, UNREACHED

_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)
_ZERO = np.int32(0)
_NOT_HERE = np.uint8(NOT_HERE)


@inline
def offer(local, distance, tile, other, beside, below, best):
    """The lesser of ``best`` and the distance over a neighbour."""
    cost = step_cost(local, PADDED, tile, other, beside, below)
    if cost < _FAR:
        offered = distance[other] + cost
        if offered < best:
            best = offered
    return best


@inline
def fill_inside(local, distance):
    """Distances of a block's inner tiles, from exact ones at its border (and at goals inside)."""
    changed = True
    while changed:
        changed = False
        for backwards in range(2):
            for step in range((SIDE - 2) * (SIDE - 2)):
                index = step
                side = np.int64(-1)
                if backwards == 1:
                    index = (SIDE - 2) * (SIDE - 2) - 1 - step
                    side = np.int64(1)
                tile = (index // (SIDE - 2) + 2) * PADDED + index % (SIDE - 2) + 2
                if local[tile] == 0:
                    continue
                ahead = tile + side * PADDED
                best = distance[tile]
                best = offer(local, distance, tile, tile + side, tile, tile, best)
                best = offer(local, distance, tile, ahead, tile, tile, best)
                best = offer(local, distance, tile, ahead - 1, tile - 1, ahead, best)
                best = offer(local, distance, tile, ahead + 1, tile + 1, ahead, best)
                best = offer(local, distance, tile, tile - side, tile, tile, best)
                if best < distance[tile]:
                    distance[tile] = best
                    changed = True


@inline
def fill_block(
    cost, closed, one_way, column_count, block, value, border_of, ring, goal_x, goal_y, first_goal, last_goal, local, distance,
):  # fmt: skip
    """Load a block and the exact distances of all of its tiles, from the values of the border tiles and the goals inside."""
    load_block(cost, closed, one_way, column_count, block, local)
    complete_block(column_count, block, value, border_of, ring, goal_x, goal_y, first_goal, last_goal, local, distance)


@inline
def complete_block(column_count, block, value, border_of, ring, goal_x, goal_y, first_goal, last_goal, local, distance):
    """The exact distances of all tiles of a loaded block."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    for tile in range(TILES):
        distance[tile] = _UNREACHED
    for index in range(RING):
        place = np.int64(ring[index])
        distance[(place // SIDE + 1) * PADDED + place % SIDE + 1] = value[np.int64(border_of[block, index])]
    for goal in range(first_goal, last_goal):
        row = np.int64(goal_y[goal]) - top
        column = np.int64(goal_x[goal]) - left
        if row >= 0 and row < SIDE and column >= 0 and column < SIDE and local[(row + 1) * PADDED + column + 1] != 0:
            distance[(row + 1) * PADDED + column + 1] = _ZERO
    if local[HAS_EXITS] != 0:
        flood_over_exits(local, distance)
    else:
        fill_inside(local, distance)


@inline
def best_open_step(local, distance, tile, row, column):
    """``best_step`` in a loaded block with closed exits."""
    best = np.int64(64)
    for step in range(8):
        cost = open_step_cost(local, tile, step)
        rank = np.int64(step)
        if step & 1:
            rank += 8
        elif step & 2:
            rank += (row & 1) * 16
        else:
            rank += (column & 1) * 16
        if cost < _FAR and rank < best and distance[tile + step_offset(step)] + cost == distance[tile]:
            best = rank
    if best == 64:
        return np.int64(NOT_HERE)
    return best & 7


@inline
def best_step(local, distance, stride, tile, row, column):
    """The step of a tile by the total order of _direction_kernels.py, among those inside the block; NOT_HERE if none is best."""
    here = distance[tile]
    late_x = (column & 1) * 16
    late_y = (row & 1) * 16
    best = np.int64(64)
    own = np.int64(local[tile])
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
        other = tile + move_y * stride + move_x
        there = np.int64(local[other])
        if there == 0:
            continue
        factor = np.int64(STRAIGHT_FACTOR)
        rank = np.int64(step) + late_x
        if step & 1:
            if local[tile + move_x] == 0 or local[tile + move_y * stride] == 0:
                continue
            factor = np.int64(DIAGONAL_FACTOR)
            rank = np.int64(step) + 8
        elif step & 2:
            rank = np.int64(step) + late_y
        if rank < best and np.int64(distance[other]) + (own + there) * factor == np.int64(here):
            best = rank
    if best == 64:
        return np.int64(NOT_HERE)
    return best & 7


@inline
def code_of(local, distance, stride, tile, row, column):
    """The flow byte of a tile."""
    if local[tile] == 0:
        return np.int64(SOLID_TILE)
    if distance[tile] >= _UNREACHED:
        return np.int64(NO_WAY)
    if distance[tile] == 0:
        return np.int64(NO_DIRECTION)
    return best_step(local, distance, stride, tile, row, column)


@inline
def code_in_block(local, distance, tile, row, column):
    """The flow byte of a tile of a loaded block, which may have closed exits."""
    code = code_of(local, distance, PADDED, tile, row, column)
    if local[HAS_EXITS] != 0 and (code < 8 or code == NOT_HERE):
        code = best_open_step(local, distance, tile, row, column)
    return code


@block_kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint8[::1] one_way, int32[::1] layer_of, int32[::1] item_slot,"
    " int32[::1] item_block, int32[:, ::1] value,"
    " int32[:, ::1] border_of,"
    " int32[::1] ring, int32[::1] goal_start, int32[::1] goal_x, int32[::1] goal_y, uint8[:, :, ::1] flow,"
    " uint8[:, :, ::1] edge, uint8[:, :, ::1] common, uint8[:, ::1] has_common, uint8[:, ::1] local, int32[:, ::1] distance,"
    " int64[::1] item_counts, int64 column_count,"
    " int64 layer"
)
def write_blocks(
    cost, closed, one_way, layer_of, item_slot, item_block, value, border_of, ring, goal_start, goal_x, goal_y, flow, edge,
    common, has_common, local, distance, item_counts, column_count, layer, begin, end,
):  # fmt: skip
    """Write the listed blocks of the listed flows of one layer, in parts with scratch of their own."""
    height = np.int64(flow.shape[1]) - 2
    width = np.int64(flow.shape[2]) - 2
    for part in range(begin, end):
        first = part * item_counts[PER_PART]
        last = min(first + item_counts[PER_PART], item_counts[ITEMS])
        own_local = local[part]
        own_distance = distance[part]
        for item in range(first, last):
            slot = np.int64(item_slot[item])
            if layer_of[slot] != layer:
                continue
            block = np.int64(item_block[item])
            top = (block // column_count) * STEP
            left = (block % column_count) * STEP
            fill_block(
                cost, closed, one_way, column_count, block, value[slot], border_of, ring, goal_x, goal_y,
                np.int64(goal_start[slot]),
                np.int64(goal_start[slot + 1]), own_local, own_distance,
            )  # fmt: skip
            for row in range(SIDE):
                if top + row >= height:
                    break
                for column in range(SIDE):
                    if left + column >= width:
                        break
                    tile = (row + 1) * PADDED + column + 1
                    code = np.uint8(code_in_block(own_local, own_distance, tile, top + row, left + column))
                    if row < STEP and column < STEP:
                        flow[slot, top + row + 1, left + column + 1] = code
                    if column == STEP:
                        edge[slot, block, row] = code
                    if row == STEP:
                        edge[slot, block, SIDE + column] = code
            if has_common[slot, block] != 0:
                for index in range(STEP * STEP):
                    if common[slot, block, index] != _NOT_HERE:
                        flow[slot, top + index // STEP + 1, left + index % STEP + 1] = common[slot, block, index]


@inline
def known(edge, ready, slot, block, place):
    """What a block knows of a tile of its right column or bottom row."""
    if ready[slot, block] != READY:
        return _NOT_HERE
    return edge[slot, block, place]


@inline
def join_block(flow, edge, ready, slot, block, column_count):
    """Fill in the left column and the top row of a block from what its neighbours know."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    rows = min(np.int64(STEP), np.int64(flow.shape[1]) - 2 - top)
    columns = min(np.int64(STEP), np.int64(flow.shape[2]) - 2 - left)
    if left > 0:
        for row in range(rows):
            if flow[slot, top + row + 1, left + 1] == _NOT_HERE:
                flow[slot, top + row + 1, left + 1] = known(edge, ready, slot, block - 1, row)
    if top > 0:
        for column in range(columns):
            if flow[slot, top + 1, left + column + 1] == _NOT_HERE:
                flow[slot, top + 1, left + column + 1] = known(edge, ready, slot, block - column_count, SIDE + column)
    if left > 0 and top > 0 and flow[slot, top + 1, left + 1] == _NOT_HERE:
        flow[slot, top + 1, left + 1] = known(edge, ready, slot, block - column_count - 1, STEP)


@kernel(
    "int32[::1] item_slot, int32[::1] item_block, uint8[:, :, ::1] flow, uint8[:, :, ::1] edge, uint8[:, ::1] ready,"
    " int64[::1] item_counts, int64 column_count, int64 row_count"
)
def join_edges(item_slot, item_block, flow, edge, ready, item_counts, column_count, row_count):
    """Mark the listed blocks as ready and fill in the borders of them and of their neighbours to the right and below."""
    for item in range(item_counts[ITEMS]):
        ready[np.int64(item_slot[item]), np.int64(item_block[item])] = np.uint8(READY)
    for item in range(item_counts[ITEMS]):
        slot = np.int64(item_slot[item])
        block = np.int64(item_block[item])
        # The map's last column and row belong to no further block: its last block writes them.
        height = np.int64(flow.shape[1]) - 2
        width = np.int64(flow.shape[2]) - 2
        for down in range(2):
            for right in range(2):
                row = block // column_count + down
                column = block % column_count + right
                if row < row_count and column < column_count and ready[slot, row * column_count + column] == READY:
                    join_block(flow, edge, ready, slot, row * column_count + column, column_count)
        top = (block // column_count) * STEP
        left = (block % column_count) * STEP
        if left + STEP == width - 1:
            for row in range(min(np.int64(SIDE), height - top)):
                code = edge[slot, block, row]
                if code != _NOT_HERE:
                    flow[slot, top + row + 1, width] = code
        if top + STEP == height - 1:
            for column in range(min(np.int64(SIDE), width - left)):
                code = edge[slot, block, SIDE + column]
                if code != _NOT_HERE:
                    flow[slot, height, left + column + 1] = code
