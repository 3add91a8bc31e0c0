# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that list portals and the edges of the portal graph for a rectangle of sectors."""

import numpy as np

from pynav.grid.steps import UNIT_STEP_COST
from pynav.kernels import inline, kernel
from pynav.portals.sector_layout import EAST, FAR, NORTH, SIDES, SOUTH

_WINDING_PERCENT = 115  # a way that much longer than walls would allow counts as winding
_DIAGONAL_PARTS = 4142  # of 10,000: how much longer a diagonal step is


@kernel(
    "uint8[:, ::1] cost, int64 left, int64 top, int64 right, int64 bottom, int64 size, int64 column_count, int64 row_count,"
    " int32[::1] sector, uint8[::1] is_east, int32[::1] border, int32[::1] first, int32[::1] last, int64[::1] result"
)
def list_portals(cost, left, top, right, bottom, size, column_count, row_count, sector, is_east, border, first, last, result):
    """List the portals on the east borders of the sectors of a rectangle, by column, then on the south ones, by row.

    ``result[0]``: how many there are; what there is no room for is left out.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    room = np.int64(sector.shape[0])
    count = np.int64(0)
    for direction in range(2):
        for across in range(left, min(right, column_count - 1)) if direction == 0 else range(top, min(bottom, row_count - 1)):
            line = (across + 1) * size
            for block in range(top, bottom) if direction == 0 else range(left, right):
                end = min((block + 1) * size, height if direction == 0 else width)
                begin = np.int64(-1)
                for along in range(block * size, end + 1):
                    is_open = False
                    if along < end:
                        if direction == 0:
                            is_open = cost[along, line - 1] != 0 and cost[along, line] != 0
                        else:
                            is_open = cost[line - 1, along] != 0 and cost[line, along] != 0
                    if is_open and begin < 0:
                        begin = np.int64(along)
                    if is_open or begin < 0:
                        continue
                    if count < room:
                        row = block if direction == 0 else across
                        sector[count] = np.int32(row * column_count + block + across - row)
                        is_east[count] = np.uint8(1 - direction)
                        border[count] = np.int32(line)
                        first[count] = np.int32(begin)
                        last[count] = np.int32(along - 1)
                    count += 1
                    begin = np.int64(-1)
    result[0] = count


@inline
def is_one_portal(cost, side, one, other):
    """Whether no wall lies between two anchors (y * width + x) of a side, nor across the border."""
    width = np.int64(cost.shape[1])
    x = one % width
    y = one // width
    found = True
    while y * width + x <= other:
        if side == NORTH:
            found = found and cost[y, x] != 0 and cost[y - 1, x] != 0
        elif side == EAST:
            found = found and cost[y, x] != 0 and cost[y, x + 1] != 0
        elif side == SOUTH:
            found = found and cost[y, x] != 0 and cost[y + 1, x] != 0
        else:
            found = found and cost[y, x] != 0 and cost[y, x - 1] != 0
        if side == NORTH or side == SOUTH:
            x += 1
        else:
            y += 1
    return found


@inline
def group_anchors(cost, side_start, anchor_base, anchor_tile, sector, portal_start, span):
    """Where the portals of a sector begin in its list of anchors, and where they lie; how many there are.

    ``span``: x and y of the portal's begin, x and y of its end, on the border line.
    """
    width = np.int64(cost.shape[1])
    base = np.int64(anchor_base[sector])
    count = np.int64(0)
    for side in range(SIDES):
        for local in range(side_start[sector, side], side_start[sector, side + 1]):
            tile = np.int64(anchor_tile[base + local])
            x = tile % width
            y = tile // width
            is_first = local == side_start[sector, side]
            if is_first or not is_one_portal(cost, side, np.int64(anchor_tile[base + local - 1]), tile):
                portal_start[count] = np.int32(local)
                span[count, 0] = np.int32(x + (1 if side == EAST else 0))
                span[count, 1] = np.int32(y + (1 if side == SOUTH else 0))
                count += 1
            along_x = side == NORTH or side == SOUTH
            span[count - 1, 2] = np.int32(x + 1 if along_x else span[count - 1, 0])
            span[count - 1, 3] = np.int32(span[count - 1, 1] if along_x else y + 1)
    portal_start[count] = side_start[sector, SIDES]
    return count


@inline
def least_way(matrix, base, anchors, portal_start, one, other):
    """The shortest way from an anchor of one portal to one of another."""
    least = np.int64(FAR)
    for row in range(portal_start[one], portal_start[one + 1]):
        for column in range(portal_start[other], portal_start[other + 1]):
            least = min(least, np.int64(matrix[base + np.int64(row) * anchors + np.int64(column)]))
    return least


@inline
def open_way(span, one, other, least_cost):
    """How long the way from one portal to another would be without walls."""
    across = max(max(span[one, 0] - span[other, 2], span[other, 0] - span[one, 2]), 0)
    down = max(max(span[one, 1] - span[other, 3], span[other, 1] - span[one, 3]), 0)
    tiles = np.float64(max(across, down)) + np.float64(_DIAGONAL_PARTS) / np.float64(10_000) * np.float64(min(across, down))
    return tiles * np.float64(UNIT_STEP_COST) * np.float64(least_cost)


@kernel(
    "uint8[:, ::1] cost, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile, int64[::1] matrix_base,"
    " int32[::1] matrix, int64 left, int64 top, int64 right, int64 bottom, int64 column_count, int64 least_cost,"
    " int32[::1] portal_start, int32[:, ::1] span, float32[:, :, ::1] line, int32[::1] edge_cost, uint8[::1] is_winding,"
    " int32[::1] owner, int64[::1] result"
)
def list_edges(
    cost, side_start, anchor_base, anchor_tile, matrix_base, matrix, left, top, right, bottom, column_count, least_cost,
    portal_start, span, line, edge_cost, is_winding, owner, result,
):  # fmt: skip
    """List the ways inside the sectors of a rectangle, from portal to portal, sector by sector.

    ``result[0]``: how many there are; what there is no room for is left out.
    """
    room = np.int64(owner.shape[0])
    count = np.int64(0)
    for row in range(top, bottom):
        for column in range(left, right):
            sector = row * column_count + column
            portals = group_anchors(cost, side_start, anchor_base, anchor_tile, sector, portal_start, span)
            anchors = np.int64(side_start[sector, SIDES])
            for one in range(portals):
                for other in range(one):
                    way = least_way(matrix, np.int64(matrix_base[sector]), anchors, portal_start, one, other)
                    if way >= FAR:
                        continue
                    if count < room:
                        for axis in range(2):
                            line[count, 0, axis] = np.float32(np.float64(span[one, axis] + span[one, axis + 2]) * np.float64(0.5))
                            line[count, 1, axis] = np.float32(
                                np.float64(span[other, axis] + span[other, axis + 2]) * np.float64(0.5)
                            )
                        limit = np.float64(_WINDING_PERCENT) / np.float64(100) * open_way(
                            span, one, other, least_cost
                        ) + np.float64(UNIT_STEP_COST)
                        edge_cost[count] = np.int32(way)
                        is_winding[count] = np.uint8(1 if np.float64(way) > limit else 0)
                        owner[count] = np.int32(sector)
                    count += 1
    result[0] = count
