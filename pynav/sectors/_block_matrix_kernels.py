# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that measure blocks: the true distances between the border tiles of a block, over ways inside it.

All 64 border tiles are sources at once, one a lane: the distances of a tile from all of them lie side by side, so that one
relaxation is a few vector instructions (as long as every sum is cast back to 32 bits: a sum of two int32 is int64 else).
Sweeps over the tiles, forward and back, until nothing changes.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR
from pynav.kernels import block_kernel, inline
from pynav.sectors.block_layout import FAR, RING, SIDE, STEP, UNREACHED

_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)
_ZERO = np.int32(0)
PADDED = SIDE + 2  # with a border that counts as solid
TILES = PADDED * PADDED
# A loaded block: its costs, then, where any of its tiles has a closed exit, the steps that lead out of each tile (bits of
# exits.open_steps), and whether that is so.
HAS_EXITS = 2 * TILES
LOADED = 2 * TILES + 1


@inline
def step_cost(cost, padded, own, other, beside, below):
    """What a step between two tiles of a padded map costs, FAR where walls forbid it (a diagonal one needs both beside it)."""
    here = np.int64(cost[own])
    there = np.int64(cost[other])
    if here == 0 or there == 0 or cost[beside] == 0 or cost[below] == 0:
        return _FAR
    if beside == own:
        return np.int32((here + there) * STRAIGHT_FACTOR)
    return np.int32((here + there) * DIAGONAL_FACTOR)


@inline
def load_costs(cost, column_count, block, local):
    """Copy a block's costs, with a solid border, to ``local`` (19 * 19)."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    for index in range(TILES):
        local[index] = np.uint8(0)
    for row in range(SIDE):
        for column in range(SIDE):
            local[(row + 1) * PADDED + column + 1] = cost[top + row, left + column]


@inline
def load_block(cost, closed, one_way, column_count, block, local):
    """Copy a block's costs, with a solid border, to ``local`` (LOADED), and the steps of one with closed exits."""
    load_costs(cost, column_count, block, local)
    local[HAS_EXITS] = one_way[block]
    if one_way[block] != 0:
        top = (block // column_count) * STEP
        left = (block % column_count) * STEP
        for index in range(TILES):
            local[TILES + index] = np.uint8(0)
        for row in range(SIDE):
            for column in range(SIDE):
                local[TILES + (row + 1) * PADDED + column + 1] = closed[top + row, left + column]
        open_block_steps(local)


@inline
def step_offset(step):
    """How far on the tile lies to which a step leads in a padded block."""
    offset = (1, PADDED + 1, PADDED, PADDED - 1, -1, -PADDED - 1, -PADDED, -PADDED + 1)
    return offset[step]


@inline
def open_block_steps(local):
    """Turn the closed exits of a loaded block into the steps that lead out of its tiles: exits.open_steps within the block."""
    for row in range(1, SIDE + 1):
        for column in range(1, SIDE + 1):
            tile = row * PADDED + column
            closed = np.int64(local[TILES + tile])
            steps = np.int64(0)
            for side in range(4):
                if (closed >> side) & 1 == 0 and local[tile] != 0 and local[tile + step_offset(2 * side)] != 0:
                    steps |= np.int64(1) << (2 * side)
            local[TILES + tile] = np.uint8(steps)
    for row in range(1, SIDE + 1):
        for column in range(1, SIDE + 1):
            tile = row * PADDED + column
            steps = np.int64(local[TILES + tile])
            for side in range(4):
                before = 2 * side
                after = (2 * side + 2) & 7
                if (steps >> before) & 1 == 0 or (steps >> after) & 1 == 0:
                    continue
                first = np.int64(local[TILES + tile + step_offset(before)])
                second = np.int64(local[TILES + tile + step_offset(after)])
                if (first >> after) & 1 != 0 and (second >> before) & 1 != 0:
                    steps |= np.int64(1) << (before + 1)
            local[TILES + tile] = np.uint8(steps)


@inline
def open_step_cost(local, tile, step):
    """What a step out of a tile of a loaded block with closed exits costs, FAR where it may not be taken."""
    if (local[TILES + tile] >> step) & 1 == 0:
        return _FAR
    total = np.int64(local[tile]) + np.int64(local[tile + step_offset(step)])
    if step & 1:
        return np.int32(total * DIAGONAL_FACTOR)
    return np.int32(total * STRAIGHT_FACTOR)


@inline
def put_back(lanes, relaxed, tile):
    """Relaxed lanes back to their tile; not zero if any fell."""
    changed = _ZERO
    for lane in range(RING):
        changed = np.int32(changed | np.int32(lanes[tile, lane] ^ relaxed[lane]))
        lanes[tile, lane] = relaxed[lane]
    return changed


@inline
def relax_four(lanes, relaxed, tile, a, b, c, d, cost_a, cost_b, cost_c, cost_d):
    """Lanes of a tile against four neighbours; not zero if any lane fell.

    By way of a row of its own: in place, the compiler's test whether rows overlap spans all tiles, and fails.
    """
    for lane in range(RING):
        best = lanes[tile, lane]
        offered = np.int32(lanes[a, lane] + cost_a)
        if offered < best:
            best = offered
        offered = np.int32(lanes[b, lane] + cost_b)
        if offered < best:
            best = offered
        offered = np.int32(lanes[c, lane] + cost_c)
        if offered < best:
            best = offered
        offered = np.int32(lanes[d, lane] + cost_d)
        if offered < best:
            best = offered
        relaxed[lane] = best
    return put_back(lanes, relaxed, tile)


@inline
def relax_one(lanes, relaxed, tile, a, cost_a):
    """The same against one neighbour."""
    for lane in range(RING):
        best = np.int32(lanes[a, lane] + cost_a)
        if best > lanes[tile, lane]:
            best = lanes[tile, lane]
        relaxed[lane] = best
    return put_back(lanes, relaxed, tile)


@inline
def begin_lanes(local, lanes, ring):
    """No distance but that of each border tile from itself, in its own lane."""
    for tile in range(TILES):
        for lane in range(RING):
            lanes[tile, lane] = _FAR
    for lane in range(RING):
        place = np.int64(ring[lane])
        tile = (place // SIDE + 1) * PADDED + place % SIDE + 1
        if local[tile] != 0:
            lanes[tile, lane] = _ZERO


@inline
def measure_over_exits(local, lanes, relaxed, ring):
    """Distances of all tiles of a loaded block with closed exits to (not from) all its border tiles."""
    begin_lanes(local, lanes, ring)
    changed = np.int32(1)
    while changed != 0:
        changed = _ZERO
        for backwards in range(2):
            for index in range(SIDE * SIDE):
                place = index
                if backwards == 1:
                    place = SIDE * SIDE - 1 - index
                tile = (place // SIDE + 1) * PADDED + place % SIDE + 1
                for step in range(8):
                    cost = open_step_cost(local, tile, step)
                    if cost < _FAR:
                        changed |= relax_one(lanes, relaxed, tile, tile + step_offset(step), cost)


@inline
def measure_block(local, lanes, relaxed, ring):
    """Distances of all tiles of a loaded block from all its border tiles."""
    begin_lanes(local, lanes, ring)
    changed = np.int32(1)
    while changed != 0:
        changed = _ZERO
        for row in range(1, SIDE + 1):
            first = row * PADDED
            for column in range(1, SIDE + 1):
                tile = first + column
                if local[tile] != 0:
                    up = tile - PADDED
                    changed |= relax_four(
                        lanes, relaxed, tile, tile - 1, up, up - 1, up + 1,
                        step_cost(local, PADDED, tile, tile - 1, tile, tile), step_cost(local, PADDED, tile, up, tile, tile),
                        step_cost(local, PADDED, tile, up - 1, tile - 1, up),
                        step_cost(local, PADDED, tile, up + 1, tile + 1, up),
                    )  # fmt: skip
            for column in range(SIDE - 1, 0, -1):
                tile = first + column
                if local[tile] != 0 and local[tile + 1] != 0:
                    changed |= relax_one(lanes, relaxed, tile, tile + 1, step_cost(local, PADDED, tile, tile + 1, tile, tile))
        for row in range(SIDE, 0, -1):
            first = row * PADDED
            for column in range(SIDE, 0, -1):
                tile = first + column
                if local[tile] != 0:
                    low = tile + PADDED
                    changed |= relax_four(
                        lanes, relaxed, tile, tile + 1, low, low + 1, low - 1,
                        step_cost(local, PADDED, tile, tile + 1, tile, tile), step_cost(local, PADDED, tile, low, tile, tile),
                        step_cost(local, PADDED, tile, low + 1, tile + 1, low),
                        step_cost(local, PADDED, tile, low - 1, tile - 1, low),
                    )  # fmt: skip
            for column in range(2, SIDE + 1):
                tile = first + column
                if local[tile] != 0 and local[tile - 1] != 0:
                    changed |= relax_one(lanes, relaxed, tile, tile - 1, step_cost(local, PADDED, tile, tile - 1, tile, tile))


@block_kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint8[::1] one_way, int32[::1] block_list, int32[::1] slot_list, int32[:, :,"
    " ::1] matrix,"
    " int32[::1] ring, uint8[:, ::1] local, int32[:, :, ::1] lanes, int32[:, ::1] relaxed, int64 column_count,"
    " int64 blocks_per_part"
)
def build_matrices(
    cost, closed, one_way, block_list, slot_list, matrix, ring, local, lanes, relaxed, column_count, blocks_per_part, begin, end
):  # fmt: skip
    """Measure the listed blocks into the listed slots, in parts: each part has scratch of its own.

    Row i holds the distances to border tile i; matrices of blocks without closed exits are symmetric.
    """
    for part in range(begin, end):
        first = part * blocks_per_part
        last = min(first + blocks_per_part, np.int64(block_list.shape[0]))
        for index in range(first, last):
            block = np.int64(block_list[index])
            slot = np.int64(slot_list[index])
            load_block(cost, closed, one_way, column_count, block, local[part])
            if one_way[block] != 0:
                measure_over_exits(local[part], lanes[part], relaxed[part], ring)
            else:
                measure_block(local[part], lanes[part], relaxed[part], ring)
            for border in range(RING):
                place = np.int64(ring[border])
                tile = (place // SIDE + 1) * PADDED + place % SIDE + 1
                for lane in range(RING):
                    found = lanes[part, tile, lane]
                    if found >= _FAR:
                        found = _UNREACHED
                    if one_way[block] != 0:
                        matrix[slot, lane, border] = found
                    else:
                        matrix[slot, border, lane] = found
