# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that measure sectors: true distances between a sector's anchors, over ways inside it.

All anchors are sources at once, one a lane: the distances of a tile from all of them lie side by side, so that a relaxation is
a few vector instructions. Sweeps over the tiles, forward and back, until nothing changes.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR
from pynav.kernels import block_kernel, inline
from pynav.portals.sector_layout import FAR, SIDES

_FAR = np.int32(FAR)
_ZERO = np.int32(0)


@inline
def load_tiles(cost, top, left, bottom, right, padded, local):
    """Copy a rectangle's costs to ``local``, rows of ``padded`` tiles, with a solid border around."""
    for tile in range((bottom - top + 2) * padded):
        local[tile] = np.uint8(0)
    for row in range(bottom - top):
        for column in range(right - left):
            local[(row + 1) * padded + column + 1] = cost[top + row, left + column]


@inline
def straight_cost(local, own, other):
    """What a straight step costs, FAR if a tile is solid."""
    here = np.int64(local[own])
    there = np.int64(local[other])
    if here == 0 or there == 0:
        return _FAR
    return np.int32((here + there) * STRAIGHT_FACTOR)


@inline
def diagonal_cost(local, own, other, beside, below):
    """What a diagonal step costs, FAR if one of its ends or of the tiles beside it is solid."""
    here = np.int64(local[own])
    there = np.int64(local[other])
    if here == 0 or there == 0 or local[beside] == 0 or local[below] == 0:
        return _FAR
    return np.int32((here + there) * DIAGONAL_FACTOR)


@inline
def relax_lanes(lanes, relaxed, lane_count, tile, a, b, c, d, cost_a, cost_b, cost_c, cost_d):
    """Lanes of a tile against four neighbours; not zero if any fell. By way of a row of its own, else nothing is vectorised."""
    for lane in range(lane_count):
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
    changed = _ZERO
    for lane in range(lane_count):
        changed = np.int32(changed | np.int32(lanes[tile, lane] ^ relaxed[lane]))
        lanes[tile, lane] = relaxed[lane]
    return changed


@inline
def sweep_lanes(local, lanes, relaxed, lane_count, padded, rows, columns):
    """Complete the lanes' distances."""
    changed = np.int32(1)
    while changed != 0:
        changed = _ZERO
        for backwards in range(2):
            side = np.int64(-1)
            if backwards == 1:
                side = np.int64(1)
            ahead = side * padded
            for step in range(rows * columns):
                index = step
                if backwards == 1:
                    index = rows * columns - 1 - step
                tile = (index // columns + 1) * padded + index % columns + 1
                if local[tile] == 0:
                    continue
                beside = straight_cost(local, tile, tile + side)
                above = straight_cost(local, tile, tile + ahead)
                left = diagonal_cost(local, tile, tile + ahead - 1, tile - 1, tile + ahead)
                right = diagonal_cost(local, tile, tile + ahead + 1, tile + 1, tile + ahead)
                fell = relax_lanes(
                    lanes, relaxed, lane_count, tile, tile + side, tile + ahead, tile + ahead - 1, tile + ahead + 1, beside,
                    above, left, right,
                )  # fmt: skip
                changed = np.int32(changed | fell)


@block_kernel(
    "uint8[:, ::1] cost, int32[::1] sectors, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int64[::1] matrix_base, int32[::1] matrix, uint8[:, ::1] local, int32[:, :, ::1] lanes, int32[:, ::1] relaxed,"
    " int64 size, int64 column_count, int64 per_part"
)
def measure_sectors(
    cost, sectors, side_start, anchor_base, anchor_tile, matrix_base, matrix, local, lanes, relaxed, size, column_count,
    per_part, begin, end,
):  # fmt: skip
    """Write the matrices of the listed sectors: entry [a, b] of n x n is the distance from anchor a to anchor b, or FAR."""
    padded = size + 2
    width = np.int64(cost.shape[1])
    for part in range(begin, end):
        own = lanes[part]
        for item in range(part * per_part, min((part + 1) * per_part, np.int64(sectors.shape[0]))):
            sector = np.int64(sectors[item])
            count = np.int64(side_start[sector, SIDES])
            if count == 0:
                continue
            top = (sector // column_count) * size
            left = (sector % column_count) * size
            bottom = min(top + size, np.int64(cost.shape[0]))
            right = min(left + size, width)
            load_tiles(cost, top, left, bottom, right, padded, local[part])
            lane_count = (count + 7) & ~7
            for tile in range((bottom - top + 2) * padded):
                for lane in range(lane_count):
                    own[tile, lane] = _FAR
            base = np.int64(anchor_base[sector])
            for anchor in range(count):
                tile = np.int64(anchor_tile[base + anchor])
                own[(tile // width - top + 1) * padded + tile % width - left + 1, anchor] = _ZERO
            sweep_lanes(local[part], own, relaxed[part], lane_count, padded, bottom - top, right - left)
            first = matrix_base[sector]
            for anchor in range(count):
                tile = np.int64(anchor_tile[base + anchor])
                place = (tile // width - top + 1) * padded + tile % width - left + 1
                for other in range(count):
                    matrix[first + anchor * count + other] = min(own[place, other], _FAR)


@block_kernel(
    "uint16[:, ::1] island, int32[::1] sectors, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int64[::1] matrix_base, int32[::1] matrix, int64 least_cost"
)
def measure_straight(island, sectors, side_start, anchor_base, anchor_tile, matrix_base, matrix, least_cost, begin, end):
    """The talk's distances instead: as if an island had no walls. For comparison only."""
    width = np.int64(island.shape[1])
    for item in range(begin, end):
        sector = np.int64(sectors[item])
        count = np.int64(side_start[sector, SIDES])
        base = np.int64(anchor_base[sector])
        for anchor in range(count):
            tile = np.int64(anchor_tile[base + anchor])
            for other in range(count):
                there = np.int64(anchor_tile[base + other])
                found = np.int64(FAR)
                if island[tile // width, tile % width] == island[there // width, there % width]:
                    across = abs(tile % width - there % width)
                    down = abs(tile // width - there // width)
                    steps = (max(across, down) - min(across, down)) * STRAIGHT_FACTOR + min(across, down) * DIAGONAL_FACTOR
                    found = steps * 2 * least_cost
                matrix[matrix_base[sector] + anchor * count + other] = np.int32(found)
