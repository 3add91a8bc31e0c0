# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of region fields: floods of the sectors around a sector, directions of the one in the middle."""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, NO_DIRECTION, NO_WAY, SOLID_TILE, STRAIGHT_FACTOR
from pynav.kernels import block_kernel, inline
from pynav.portals._flood_kernels import flood_rows, weigh_steps
from pynav.portals.sector_layout import FAR

_FAR = np.int32(FAR)


@inline
def best_step(weight, distance, padded, tile, row, column):
    """The step of a shortest way, by the total order of _direction_kernels.py (row and column are those of the map)."""
    here = np.int64(distance[tile])
    own = np.int64(weight[tile])
    late_x = (column & 1) * 16
    late_y = (row & 1) * 16
    best = np.int64(NO_DIRECTION) + 64
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
        other = tile + move_y * padded + move_x
        there = np.int64(weight[other])
        if there == 0:
            continue
        factor = np.int64(STRAIGHT_FACTOR)
        rank = np.int64(step) + late_x
        if step & 1:
            if weight[tile + move_x] == 0 or weight[tile + move_y * padded] == 0:
                continue
            factor = np.int64(DIAGONAL_FACTOR)
            rank = np.int64(step) + 8
        elif step & 2:
            rank = np.int64(step) + late_y
        if rank < best and np.int64(distance[other]) + (own + there) * factor == here:
            best = rank
    if best > 24:
        return np.int64(NO_DIRECTION)
    return best & 7


@inline
def code_of(weight, distance, padded, tile, row, column):
    """The code of a tile, as in steps.py; NO_DIRECTION where a seed lies, which the caller knows."""
    if weight[tile] == 0:
        return np.int64(SOLID_TILE)
    if distance[tile] >= FAR:
        return np.int64(NO_WAY)
    return best_step(weight, distance, padded, tile, row, column)


@inline
def flood_region(
    cost, top, left, rows, columns, padded, seed_tile, seed_value, first, last, weight, wall, steps, lines, waiting, distance
):  # fmt: skip
    """Distances of a rectangle of the map from seeds inside it (y * width + x and value)."""
    width = np.int64(cost.shape[1])
    weigh_steps(cost, top, left, rows, columns, padded, weight, wall, steps)
    for tile in range((rows + 2) * padded):
        distance[tile] = _FAR
    for seed in range(first, last):
        tile = np.int64(seed_tile[seed])
        place = (tile // width - top + 1) * padded + tile % width - left + 1
        if seed_value[seed] < distance[place]:
            distance[place] = seed_value[seed]
    flood_rows(distance, padded, rows, columns, steps, lines, waiting)


@block_kernel(
    "uint8[:, ::1] cost, int32[:, ::1] asked, int32[::1] picked, int32[::1] seed_start, int32[::1] seed_tile,"
    " int32[::1] seed_value, uint8[::1] seed_code, uint8[:, ::1] direction, int32[:, ::1] value, int32[:, ::1] weight,"
    " int32[:, ::1] wall, int32[:, :, ::1] steps, int32[:, :, ::1] lines, uint8[:, :, ::1] waiting, int32[:, ::1] distance,"
    " int64 size, int64 column_count, int64 reach, int64 count, int64 per_part"
)
def write_fields(
    cost, asked, picked, seed_start, seed_tile, seed_value, seed_code, direction, value, weight, wall, steps, lines, waiting,
    distance, size, column_count, reach, count, per_part, begin, end,
):  # fmt: skip
    """Flood a sector's region (``reach`` sectors around it) and write distances and directions of the sector.

    For ``count`` picked ones of those that were asked for (``asked``: sector and island), each with its seeds.
    """
    width = np.int64(cost.shape[1])
    height = np.int64(cost.shape[0])
    padded = (2 * reach + 1) * size + 2
    for part in range(begin, end):
        own_weight = weight[part]
        own_distance = distance[part]
        for item in range(part * per_part, min((part + 1) * per_part, count)):
            one = np.int64(picked[item])
            sector = np.int64(asked[one, 0])
            own_top = (sector // column_count) * size
            own_left = (sector % column_count) * size
            top = max(own_top - reach * size, 0)
            left = max(own_left - reach * size, 0)
            rows = min(own_top + (reach + 1) * size, height) - top
            columns = min(own_left + (reach + 1) * size, width) - left
            first = np.int64(seed_start[one])
            last = np.int64(seed_start[one + 1])
            flood_region(
                cost, top, left, rows, columns, padded, seed_tile, seed_value, first, last, own_weight, wall[part], steps[part],
                lines[part], waiting[part], own_distance,
            )  # fmt: skip
            if own_top + size > height or own_left + size > width:  # tiles beyond the map
                for index in range(size * size):
                    value[item, index] = np.int32(0)
                    direction[item, index] = np.uint8(0)
            for row in range(own_top, min(own_top + size, height)):
                for column in range(own_left, min(own_left + size, width)):
                    tile = (row - top + 1) * padded + column - left + 1
                    index = (row - own_top) * size + column - own_left
                    value[item, index] = own_distance[tile]
                    direction[item, index] = np.uint8(code_of(own_weight, own_distance, padded, tile, row, column))
            for seed in range(first, last):
                tile = np.int64(seed_tile[seed])
                row = tile // width - own_top
                column = tile % width - own_left
                if row >= 0 and row < size and column >= 0 and column < size:
                    if value[item, row * size + column] == seed_value[seed]:
                        direction[item, row * size + column] = seed_code[seed]
