# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of floods by sector: each sector floods its own tiles and a rim of its neighbours', then borders are exchanged.

A sector's rows of ``distance`` hold its tiles and one ring around them (cut at the area's edge), so that every legal step from
its tiles lies inside. A flood writes its own sector's rows alone; an exchange writes the rims alone, and reads what lies within.
"""

import numpy as np

from pynav.kernels import block_kernel, inline, kernel
from pynav.portals._flood_kernels import flood_rows, weigh_steps
from pynav.portals.sector_layout import FAR

_FAR = np.int32(FAR)


# Entries of ``area`` (int64): sectors, then the tiles behind its last ones.
FIRST_COLUMN = 0
FIRST_ROW = 1
COLUMNS = 2
ROWS = 3
RIGHT = 4
BOTTOM = 5


@inline
def low_edge(number, first, size):
    """First row or column of tiles of a sector with its rim, within an area that begins with sector ``first``."""
    return max(number * size - 1, first * size)


@block_kernel("int32[:, ::1] distance")
def clear_distances(distance, begin, end):
    """No way known yet."""
    for item in range(begin, end):
        for index in range(distance.shape[1]):
            distance[item, index] = _FAR


@kernel(
    "int32[::1] seed_x, int32[::1] seed_y, int32[::1] seed_value, int32[:, ::1] distance, uint8[::1] active, int64 size,"
    " int64[::1] area"
)
def place_seeds(seed_x, seed_y, seed_value, distance, active, size, area):
    """Put the seeds into their sectors of the area and wake those."""
    padded = size + 4
    for seed in range(seed_x.shape[0]):
        x = np.int64(seed_x[seed])
        y = np.int64(seed_y[seed])
        column = x // size - area[FIRST_COLUMN]
        row = y // size - area[FIRST_ROW]
        if column < 0 or column >= area[COLUMNS] or row < 0 or row >= area[ROWS]:
            continue
        item = row * area[COLUMNS] + column
        top = low_edge(y // size, area[FIRST_ROW], size)
        left = low_edge(x // size, area[FIRST_COLUMN], size)
        place = (y - top + 1) * padded + x - left + 1
        distance[item, place] = min(distance[item, place], seed_value[seed])
        active[item] = np.uint8(1)


@kernel("uint8[::1] active, int32[::1] listed, int64[::1] counts")
def list_active(active, listed, counts):
    """List the sectors to flood in order; ``counts``: how many, floods so far, rounds so far."""
    count = np.int64(0)
    for item in range(active.shape[0]):
        if active[item] != 0:
            listed[count] = np.int32(item)
            count += 1
    counts[0] = count
    counts[1] += count
    if count > 0:
        counts[2] += 1


@block_kernel(
    "uint8[:, ::1] cost, int32[::1] listed, int64[::1] counts, int32[:, ::1] distance, int32[:, ::1] weight, int32[:, ::1] wall,"
    " int32[:, :, ::1] steps, int32[:, :, ::1] lines, uint8[:, :, ::1] waiting, int64 size, int64[::1] area, int64 parts"
)
def flood_sectors(cost, listed, counts, distance, weight, wall, steps, lines, waiting, size, area, parts, begin, end):
    """Flood the listed sectors, in parts with scratch of their own."""
    padded = size + 4
    for part in range(begin, end):
        for index in range(part, counts[0], parts):
            item = np.int64(listed[index])
            row = item // area[COLUMNS] + area[FIRST_ROW]
            column = item % area[COLUMNS] + area[FIRST_COLUMN]
            top = low_edge(row, area[FIRST_ROW], size)
            left = low_edge(column, area[FIRST_COLUMN], size)
            rows = min((row + 1) * size + 1, area[BOTTOM]) - top
            columns = min((column + 1) * size + 1, area[RIGHT]) - left
            weigh_steps(cost, top, left, rows, columns, padded, weight[part], wall[part], steps[part])
            flood_rows(distance[item], padded, rows, columns, steps[part], lines[part], waiting[part])


@inline
def take_rim(distance, item, other, x, y, left, top, other_left, other_top, padded):
    """Take over a neighbour's distance of a tile of the rim; whether it is less."""
    place = (y - top + 1) * padded + x - left + 1
    found = distance[other, (y - other_top + 1) * padded + x - other_left + 1]
    if found < distance[item, place]:
        distance[item, place] = found
        return True
    return False


@block_kernel("int32[:, ::1] distance, uint8[::1] active, uint8[::1] next_active, int64 size, int64[::1] area")
def exchange_rims(distance, active, next_active, size, area, begin, end):
    """Bring the rims of sectors up to date from neighbours that were flooded; who got something is to be flooded next."""
    padded = size + 4
    for item in range(begin, end):
        next_active[item] = np.uint8(0)
        row = item // area[COLUMNS]
        column = item % area[COLUMNS]
        top = low_edge(row + area[FIRST_ROW], area[FIRST_ROW], size)
        left = low_edge(column + area[FIRST_COLUMN], area[FIRST_COLUMN], size)
        bottom = min((row + area[FIRST_ROW] + 1) * size + 1, area[BOTTOM])
        right = min((column + area[FIRST_COLUMN] + 1) * size + 1, area[RIGHT])
        fell = False
        for down in range(max(row - 1, 0), min(row + 2, area[ROWS])):
            for across in range(max(column - 1, 0), min(column + 2, area[COLUMNS])):
                other = down * area[COLUMNS] + across
                if other == item or active[other] == 0:
                    continue
                # The part of the rim that lies in the neighbour.
                other_row = down + area[FIRST_ROW]
                other_column = across + area[FIRST_COLUMN]
                other_top = low_edge(other_row, area[FIRST_ROW], size)
                other_left = low_edge(other_column, area[FIRST_COLUMN], size)
                for y in range(max(top, other_row * size), min(bottom, (other_row + 1) * size)):
                    for x in range(max(left, other_column * size), min(right, (other_column + 1) * size)):
                        if take_rim(distance, item, other, x, y, left, top, other_left, other_top, padded):
                            fell = True
        if fell:
            next_active[item] = np.uint8(1)


@block_kernel("int32[:, ::1] distance, int32[:, ::1] result, int64 size, int64[::1] area")
def read_distances(distance, result, size, area, begin, end):
    """Copy the tiles of the sectors, without their rims, to a rectangle of tiles."""
    padded = size + 4
    for item in range(begin, end):
        row = item // area[COLUMNS] + area[FIRST_ROW]
        column = item % area[COLUMNS] + area[FIRST_COLUMN]
        top = low_edge(row, area[FIRST_ROW], size)
        left = low_edge(column, area[FIRST_COLUMN], size)
        down = area[FIRST_ROW] * size
        across = area[FIRST_COLUMN] * size
        for y in range(row * size, min((row + 1) * size, area[BOTTOM])):
            for x in range(column * size, min((column + 1) * size, area[RIGHT])):
                result[y - down, x - across] = distance[item, (y - top + 1) * padded + x - left + 1]
