# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels around a search over portals: what it waits for, and what is read off it."""

import numpy as np

from pynav.grid.steps import NO_DIRECTION
from pynav.kernels import block_kernel, inline, kernel
from pynav.portals._search_kernels import (
    BOX,
    DONE,
    GOAL_ISLAND,
    GOAL_SECTOR,
    GOAL_X,
    GOAL_Y,
    GOALS,
    LEAST_COST,
    LISTED,
    STOP_AT,
    WAITED_FOR,
    island_number,
    octile,
    row_span,
)
from pynav.portals.sector_layout import FAR, NEVER, SETTLED, SIDES


@inline
def best_anchor(island, island_start, side_start, anchor_base, anchor_tile, remaining, status, sector, number):
    """An island's settled anchor of least value, the first of equal ones; -1 if none is settled."""
    base = np.int64(anchor_base[sector])
    best = np.int64(-1)
    for local in range(side_start[sector, SIDES]):
        node = base + local
        if status[node] == SETTLED and (best < 0 or remaining[node] < remaining[best]):
            if island_number(island, island_start, sector, np.int64(anchor_tile[node])) == number:
                best = node
    return best


@inline
def goal_index(goal, count, number):
    """The first goal that lies in an island, -1 if none does."""
    for index in range(count):
        if goal[index, GOAL_ISLAND] == number:
            return np.int64(index)
    return np.int64(-1)


@inline
def island_bound(
    island, island_start, side_start, anchor_base, anchor_tile, matrix_base, matrix, remaining, status, goal, goal_span, count,
    sector, number,
):  # fmt: skip
    """What is known of a final island, with ``count`` goals on the map.

    Gives the value of its anchor of least value, and a bound: from no anchor of the island does more remain. Where a goal lies in
    the island: 0 and the greatest distance to it inside. NEVER and NEVER where no way leads.
    """
    own_goal = goal_index(goal, count, number)
    if own_goal >= 0:
        return np.int64(0), np.int64(goal_span[own_goal])
    node = best_anchor(island, island_start, side_start, anchor_base, anchor_tile, remaining, status, sector, number)
    if node < 0:
        return np.int64(NEVER), np.int64(NEVER)
    anchors = np.int64(side_start[sector, SIDES])
    row = matrix_base[sector] + (node - np.int64(anchor_base[sector])) * anchors
    return np.int64(remaining[node]), np.int64(remaining[node]) + row_span(matrix, row, anchors)


@kernel("uint8[:, ::1] cost, int32[::1] request, int32[:, ::1] goal, int64 size, int64 column_count, int64[::1] progress")
def take_goal(cost, request, goal, size, column_count, progress):
    """Make a tile (x, y) the one goal, if it is free."""
    x = np.int64(request[0])
    y = np.int64(request[1])
    progress[GOALS] = np.int64(0)
    if x >= 0 and y >= 0 and x < cost.shape[1] and y < cost.shape[0] and cost[y, x] != 0:
        progress[GOALS] = np.int64(1)
        goal[0, GOAL_X] = request[0]
        goal[0, GOAL_Y] = request[1]
        goal[0, GOAL_SECTOR] = np.int32((y // size) * column_count + x // size)


@kernel("uint8[:, ::1] cost, int32[::1] listed, int64 size, int64 column_count, int64[::1] progress")
def widen_box(cost, listed, size, column_count, progress):
    """Have the box of what is waited for hold some sectors too."""
    for index in range(progress[LISTED]):
        top = (np.int64(listed[index]) // column_count) * size
        left = (np.int64(listed[index]) % column_count) * size
        right = min(left + size, np.int64(cost.shape[1])) - 1
        bottom = min(top + size, np.int64(cost.shape[0])) - 1
        if progress[BOX + 2] < progress[BOX]:  # empty so far
            progress[BOX] = left
            progress[BOX + 1] = top
            progress[BOX + 2] = right
            progress[BOX + 3] = bottom
        progress[BOX] = min(progress[BOX], left)
        progress[BOX + 1] = min(progress[BOX + 1], top)
        progress[BOX + 2] = max(progress[BOX + 2], right)
        progress[BOX + 3] = max(progress[BOX + 3], bottom)


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int64[::1] matrix_base, int32[::1] matrix, int64[::1] remaining, uint8[::1] status, int32[:, ::1] goal,"
    " int64[::1] goal_span, int64[::1] progress, uint8[::1] wanted, int32[::1] component, int32[::1] listed, int64 size"
)
def want_sectors(
    island, island_start, side_start, anchor_base, anchor_tile, matrix_base, matrix, remaining, status, goal, goal_span, progress,
    wanted, component, listed, size,
):  # fmt: skip
    """Wait for the islands of the listed sectors that a way leads from, as far as the components tell."""
    slack = octile(size, size, progress[LEAST_COST])
    for index in range(progress[LISTED]):
        sector = np.int64(listed[index])
        count = np.int64(side_start[sector, SIDES])
        for number in range(np.int64(island_start[sector]), np.int64(island_start[sector + 1])):
            if wanted[number] != 0:
                continue
            is_connected = False
            for other in range(progress[GOALS]):
                is_connected = is_connected or component[number] == component[np.int64(goal[other, GOAL_ISLAND])]
            if not is_connected:
                continue
            wanted[number] = np.uint8(2)
            own_goal = goal_index(goal, progress[GOALS], number)
            if own_goal >= 0:
                progress[STOP_AT] = max(progress[STOP_AT], goal_span[own_goal] + slack)
                continue
            node = best_anchor(island, island_start, side_start, anchor_base, anchor_tile, remaining, status, sector, number)
            if node >= 0:
                row = matrix_base[sector] + (node - np.int64(anchor_base[sector])) * count
                progress[STOP_AT] = max(progress[STOP_AT], remaining[node] + row_span(matrix, row, count) + slack)
            else:
                wanted[number] = np.uint8(1)
                progress[WAITED_FOR] += 1
    progress[DONE] = 0


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int64[::1] remaining, uint8[::1] status, int32[:, ::1] goal, int64[::1] progress, int32[::1] listed, int32[:, ::1] target,"
    " int64[:, ::1] target_value"
)
def write_targets(
    island, island_start, side_start, anchor_base, anchor_tile, remaining, status, goal, progress, listed, target, target_value,
):  # fmt: skip
    """For each listed sector and each of its islands the tile to head for: the best settled anchor, or a goal; -1: none."""
    width = np.int64(island.shape[1])
    for index in range(progress[LISTED]):
        sector = np.int64(listed[index])
        first = np.int64(island_start[sector])
        for local in range(target.shape[1]):
            target[index, local] = np.int32(-1)
            target_value[index, local] = np.int64(NEVER)
            number = first + local
            if number >= island_start[sector + 1]:
                continue
            own_goal = goal_index(goal, progress[GOALS], number)
            if own_goal >= 0:
                tile = np.int64(goal[own_goal, GOAL_Y]) * width + np.int64(goal[own_goal, GOAL_X])
                target[index, local] = np.int32(tile)
                target_value[index, local] = np.int64(0)
                continue
            node = best_anchor(island, island_start, side_start, anchor_base, anchor_tile, remaining, status, sector, number)
            if node >= 0:
                target[index, local] = anchor_tile[node]
                target_value[index, local] = remaining[node]


@inline
def write_exits(
    side_start, anchor_base, anchor_tile, remaining, status, sector, reach, column_count, row_count, base_value, bound,
    seed_tile, seed_value, seed_code, at,
):  # fmt: skip
    """List the settled anchors on the border of a sector's region whose value is at most ``bound``, from place ``at`` on.

    Values are less ``base_value``, cut at -FAR / 2; the code is the step that crosses. Gives the place behind them.
    """
    row = sector // column_count
    column = sector % column_count
    for down in range(max(row - reach, 0), min(row + reach + 1, row_count)):
        for right in range(max(column - reach, 0), min(column + reach + 1, column_count)):
            other = down * column_count + right
            for side in range(SIDES):
                is_border = (
                    (side == 0 and down == row - reach)
                    or (side == 1 and right == column + reach)
                    or (side == 2 and down == row + reach)
                    or (side == 3 and right == column - reach)
                )
                if not is_border:
                    continue
                for local in range(side_start[other, side], side_start[other, side + 1]):
                    node = np.int64(anchor_base[other]) + local
                    if status[node] == SETTLED and remaining[node] <= bound:
                        seed_tile[at] = anchor_tile[node]
                        seed_value[at] = np.int32(max(remaining[node] - base_value, np.int64(-(FAR // 2))))
                        seed_code[at] = np.uint8((side + 3) % 4 * 2)
                        at += 1
    return at


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile,"
    " int64[::1] matrix_base, int32[::1] matrix, int64[::1] remaining, uint8[::1] status, int32[:, ::1] goal,"
    " int64[::1] goal_span, int64[::1] progress, int32[:, ::1] asked, int64 count, int64 reach, int64 column_count,"
    " int64 row_count, int64[::1] base, int32[::1] seed_start, int32[::1] seed_tile, int32[::1] seed_value, uint8[::1] seed_code"
)
def list_seeds(
    island, island_start, side_start, anchor_base, anchor_tile, matrix_base, matrix, remaining, status, goal, goal_span, progress,
    asked, count, reach, column_count, row_count, base, seed_start, seed_tile, seed_value, seed_code,
):  # fmt: skip
    """What the regions around islands are flooded from: exits and goals; ``asked`` holds each one's sector and number.

    ``base``: what remains at the value 0, NEVER without a way; ``seed_start``: where each one's seeds begin, and their end.
    """
    width = np.int64(island.shape[1])
    at = np.int64(0)
    seed_start[0] = np.int32(0)
    for index in range(count):
        sector = np.int64(asked[index, 0])
        value, bound = island_bound(
            island, island_start, side_start, anchor_base, anchor_tile, matrix_base, matrix, remaining, status, goal, goal_span,
            progress[GOALS], sector, np.int64(asked[index, 1]),
        )  # fmt: skip
        base[index] = value
        if value != NEVER:
            at = write_exits(
                side_start, anchor_base, anchor_tile, remaining, status, sector, reach, column_count, row_count, value, bound,
                seed_tile, seed_value, seed_code, at,
            )  # fmt: skip
            for other in range(progress[GOALS]):
                goal_sector = np.int64(goal[other, GOAL_SECTOR])
                down = abs(goal_sector // column_count - sector // column_count)
                right = abs(goal_sector % column_count - sector % column_count)
                if down <= reach and right <= reach:
                    seed_tile[at] = np.int32(np.int64(goal[other, GOAL_Y]) * width + np.int64(goal[other, GOAL_X]))
                    seed_value[at] = np.int32(max(-value, np.int64(-(FAR // 2))))
                    seed_code[at] = np.uint8(NO_DIRECTION)
                    at += 1
        seed_start[index + 1] = np.int32(at)


@block_kernel(
    "int32[:, ::1] side_start, int32[::1] anchor_base, int32[::1] anchor_tile, int64[::1] remaining, uint8[::1] status,"
    " int64 left, int64 top, int64 right, int64 column_count, int32[::1] tile, int64[::1] value, uint8[::1] is_other"
)
def find_best_anchors(
    side_start, anchor_base, anchor_tile, remaining, status, left, top, right, column_count, tile, value, is_other, begin, end
):  # fmt: skip
    """Of each sector of a rectangle the tile of its settled anchor of least value, the first of equal ones, and that.

    Rows ``begin`` to ``end`` (not included) of the rectangle. -1 and -1: none. ``tile``, ``value`` and ``is_other`` (whether
    they are others than before) hold all sectors.
    """
    for row in range(top + begin, top + end):
        for column in range(left, right):
            sector = row * column_count + column
            base = np.int64(anchor_base[sector])
            best = np.int64(-1)
            least = np.int64(-1)
            for local in range(side_start[sector, SIDES]):
                node = base + local
                if status[node] == SETTLED and (best < 0 or remaining[node] < least):
                    best = np.int64(anchor_tile[node])
                    least = np.int64(remaining[node])
            if best != tile[sector] or least != value[sector]:
                is_other[sector] = np.uint8(1)
                tile[sector] = np.int32(best)
                value[sector] = least
