# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that cut the map into islands and grow portals along the borders of sectors."""

import numpy as np

from pynav.kernels import block_kernel, inline, kernel
from pynav.portals.sector_layout import ANCHOR_STEP, EAST, NORTH, SIDES, SOUTH


@inline
def find_root(parent, at):
    """The representative of a set, with shorter ways for the next who asks."""
    while parent[at] != at:
        parent[at] = parent[np.int64(parent[at])]
        at = np.int64(parent[at])
    return at


@inline
def flood_island(cost, island, stack, row, column, number, top, left, bottom, right):
    """Give a number to all tiles that ways inside a sector connect to one.

    A diagonal step needs the tiles beside it free, so tiles that steps connect are tiles that share sides.
    """
    width = np.int64(cost.shape[1])
    island[row, column] = np.uint16(number)
    stack[0] = np.int32(row * width + column)
    waiting = np.int64(1)
    while waiting > 0:
        waiting -= 1
        tile = np.int64(stack[waiting])
        here_row = tile // width
        here_column = tile % width
        for side in range(SIDES):
            other_row = here_row
            other_column = here_column
            if side == NORTH:
                other_row -= 1
            elif side == EAST:
                other_column += 1
            elif side == SOUTH:
                other_row += 1
            else:
                other_column -= 1
            if other_row < top or other_row >= bottom or other_column < left or other_column >= right:
                continue
            if cost[other_row, other_column] != 0 and island[other_row, other_column] == 0:
                island[other_row, other_column] = np.uint16(number)
                stack[waiting] = np.int32(other_row * width + other_column)
                waiting += 1


@block_kernel(
    "uint8[:, ::1] cost, int32[::1] sectors, uint16[:, ::1] island, int32[::1] island_count, int32[:, ::1] stack, int64 size,"
    " int64 column_count, int64 per_part"
)
def label_islands(cost, sectors, island, island_count, stack, size, column_count, per_part, begin, end):
    """Number the islands of the listed sectors 1, 2, ... by their first tile in row order; solid tiles are 0."""
    for part in range(begin, end):
        for item in range(part * per_part, min((part + 1) * per_part, np.int64(sectors.shape[0]))):
            sector = np.int64(sectors[item])
            top = (sector // column_count) * size
            left = (sector % column_count) * size
            bottom = min(top + size, np.int64(cost.shape[0]))
            right = min(left + size, np.int64(cost.shape[1]))
            for row in range(top, bottom):
                for column in range(left, right):
                    island[row, column] = np.uint16(0)
            count = np.int64(0)
            for row in range(top, bottom):
                for column in range(left, right):
                    if cost[row, column] != 0 and island[row, column] == 0:
                        count += 1
                        flood_island(cost, island, stack[part], row, column, count, top, left, bottom, right)
            island_count[sector] = np.int32(count)


@inline
def is_open_pair(cost, row, column, side, along, length):
    """Whether tile number ``along`` of a side and the one that it faces are free; (row, column) is the side's first tile."""
    if along < 0 or along >= length:
        return False
    other_row = row
    other_column = column
    if side == NORTH or side == SOUTH:
        column += along
        other_column += along
        other_row = row - 1
        if side == SOUTH:
            other_row = row + 1
    else:
        row += along
        other_row += along
        other_column = column - 1
        if side == EAST:
            other_column = column + 1
    if other_row < 0 or other_row >= cost.shape[0] or other_column < 0 or other_column >= cost.shape[1]:
        return False
    return cost[row, column] != 0 and cost[other_row, other_column] != 0


@inline
def grow_portals(cost, top, left, bottom, right, side, first, anchor_tile, anchor_middle, write):
    """Find the anchors of a side in order; their number. They are written from ``first`` on if ``write`` is not 0.

    The middle one of each portal is marked.
    """
    row = top
    column = left
    length = right - left
    if side == SOUTH:
        row = bottom - 1
    if side == EAST:
        column = right - 1
    if side != NORTH and side != SOUTH:
        length = bottom - top
    count = np.int64(0)
    run = np.int64(0)  # open pairs of the portal so far
    run_first = np.int64(0)  # its first anchor
    for along in range(length):
        if not is_open_pair(cost, row, column, side, along, length):
            run = np.int64(0)
            continue
        if run == 0:
            run_first = count
        is_last = not is_open_pair(cost, row, column, side, along + 1, length)
        if run % ANCHOR_STEP == 0 or is_last:
            if write != 0:
                tile_row = row
                tile_column = column
                if side == NORTH or side == SOUTH:
                    tile_column += along
                else:
                    tile_row += along
                anchor_tile[first + count] = np.int32(tile_row * np.int64(cost.shape[1]) + tile_column)
                anchor_middle[first + count] = np.uint8(0)
                if is_last:
                    anchor_middle[first + (run_first + count) // 2] = np.uint8(1)
            count += 1
        run += 1
    return count


@block_kernel(
    "uint8[:, ::1] cost, int32[::1] sectors, int32[:, ::1] side_start, int32[::1] no_tile, uint8[::1] no_mark, int64 size,"
    " int64 column_count"
)
def count_anchors(cost, sectors, side_start, no_tile, no_mark, size, column_count, begin, end):
    """Where each side's anchors begin in the sector's list (5 entries a sector, the last is their number)."""
    for item in range(begin, end):
        sector = np.int64(sectors[item])
        top = (sector // column_count) * size
        left = (sector % column_count) * size
        bottom = min(top + size, np.int64(cost.shape[0]))
        right = min(left + size, np.int64(cost.shape[1]))
        total = np.int64(0)
        for side in range(SIDES):
            side_start[item, side] = np.int32(total)
            total += grow_portals(cost, top, left, bottom, right, side, np.int64(0), no_tile, no_mark, np.int64(0))
        side_start[item, SIDES] = np.int32(total)


@block_kernel(
    "uint8[:, ::1] cost, int32[::1] sectors, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int32[::1] anchor_sector, uint8[::1] anchor_middle, int64 size, int64 column_count"
)
def write_anchors(
    cost, sectors, side_start, anchor_base, anchor_tile, anchor_sector, anchor_middle, size, column_count, begin, end
):  # fmt: skip
    """Write the tiles of the listed sectors' anchors to their places in the pool."""
    for item in range(begin, end):
        sector = np.int64(sectors[item])
        top = (sector // column_count) * size
        left = (sector % column_count) * size
        bottom = min(top + size, np.int64(cost.shape[0]))
        right = min(left + size, np.int64(cost.shape[1]))
        base = np.int64(anchor_base[sector])
        for side in range(SIDES):
            first = base + np.int64(side_start[sector, side])
            grow_portals(cost, top, left, bottom, right, side, first, anchor_tile, anchor_middle, np.int64(1))
        for anchor in range(base, base + np.int64(side_start[sector, SIDES])):
            anchor_sector[anchor] = np.int32(sector)


@inline
def facing_sector(sector, side, column_count):
    """The sector on the other side of a border."""
    if side == NORTH:
        return sector - column_count
    if side == EAST:
        return sector + 1
    if side == SOUTH:
        return sector + column_count
    return sector - 1


@kernel(
    "uint16[:, ::1] island, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile, int32[::1] island_start,"
    " int32[::1] component, int64 column_count, int64[::1] result"
)
def join_islands(island, side_start, anchor_base, anchor_tile, island_start, component, column_count, result):
    """Number the components of the portal graph 1, 2, ... by their first island; ``result[0]`` becomes their number."""
    width = np.int64(island.shape[1])
    islands = np.int64(island_start[side_start.shape[0]])
    for number in range(islands):
        component[number] = np.int32(number)
    for sector in range(side_start.shape[0]):
        for side in range(EAST, SOUTH + 1):
            for local in range(side_start[sector, side], side_start[sector, side + 1]):
                tile = np.int64(anchor_tile[np.int64(anchor_base[sector]) + local])
                row = tile // width
                column = tile % width
                other = facing_sector(sector, side, column_count)
                number = np.int64(island_start[sector]) + np.int64(island[row, column]) - 1
                if side == EAST:
                    column += 1
                else:
                    row += 1
                facing = np.int64(island_start[other]) + np.int64(island[row, column]) - 1
                first = find_root(component, number)
                second = find_root(component, facing)
                if first < second:
                    component[second] = np.int32(first)
                else:
                    component[first] = np.int32(second)
    count = np.int64(0)
    for number in range(islands):  # a representative is the least of its set: one rising pass numbers all
        if component[number] == number:
            count += 1
            component[number] = np.int32(-count)
        else:
            component[number] = component[np.int64(component[number])]
    for number in range(islands):
        component[number] = np.int32(-np.int64(component[number]))
    result[0] = count
