# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that read the drawn flow off a search and its region fields, and describe it."""

import numpy as np

from pynav.drawing.roles import FLOW_STEPS, Role
from pynav.grid.steps import UNIT_STEP_COST
from pynav.kernels import inline, kernel
from pynav.portals._search_kernels import GOAL_SECTOR, GOALS
from pynav.portals.sector_layout import FAR, SETTLED, SIDES

_SPREAD = 0x1E3779B97F4A7C15  # odd, without a pattern
_STIR = 0x3F58476D1CE4E5B9
_NOTHING_SETTLED = 0
_AS_BEFORE = 1  # but for what its values begin at
_DIFFERENT = 2
_FLOW = int(Role.FLOW)
_FLOW_FROM_AFAR = int(Role.FLOW_FROM_AFAR)
_ARROW = int(Role.ARROW)
_ARROW_ON_BRIGHT = int(Role.ARROW_ON_BRIGHT)
_BRIGHT_STEPS = 13  # of the ramp: dark arrows are seen on these


@inline
def least_value(side_start, anchor_base, remaining, status, sector):
    """What remains at the settled anchor of a sector that is nearest to the goals; -1: none is settled."""
    base = np.int64(anchor_base[sector])
    least = np.int64(-1)
    for local in range(side_start[sector, SIDES]):
        node = base + local
        if status[node] == SETTLED and (least < 0 or remaining[node] < least):
            least = np.int64(remaining[node])
    return least


@inline
def sign_sector(side_start, anchor_base, remaining, status, edit_count, sector, least):
    """A number that changes with a sector's edits and with the values of its anchors, less the least of them."""
    base = np.int64(anchor_base[sector])
    total = np.int64(edit_count[sector]) * np.int64(_SPREAD)
    for local in range(side_start[sector, SIDES]):
        node = base + local
        value = np.int64(0)
        if status[node] == SETTLED:
            value = np.int64(remaining[node]) - least + 1
        bits = (value + (np.int64(local) + 1) * np.int64(_SPREAD)) * np.int64(_STIR)  # integers wrap
        total += (bits ^ (bits >> 31)) * np.int64(_SPREAD)
    return total


@inline
def is_beside_goal(goal, count, column_count, row, column):
    """Whether a goal lies in a sector or in one of those around it."""
    found = False
    for index in range(count):
        sector = np.int64(goal[index, GOAL_SECTOR])
        if abs(sector // column_count - row) <= 1 and abs(sector % column_count - column) <= 1:
            found = True
    return found


@kernel(
    "int32[:, ::1] side_start, int32[::1] anchor_base, int64[::1] remaining, uint8[::1] status, int32[:, ::1] goal,"
    " int64[::1] progress, int64[::1] edit_count, int64 left, int64 top, int64 right, int64 bottom, int64 column_count,"
    " int64 row_count, int64[:, ::1] signature, int64[:, ::1] least, int64[:, ::1] moved, uint8[:, ::1] state,"
    " uint8[::1] is_stale, int64[::1] shift, int32[::1] changed, int64[::1] result"
)
def find_changed(
    side_start, anchor_base, remaining, status, goal, progress, edit_count, left, top, right, bottom, column_count, row_count,
    signature, least, moved, state, is_stale, shift, changed, result,
):  # fmt: skip
    """Note for each sector of a rectangle whether what was read of it still holds; list those of which it doesn't, row by row.

    ``is_stale``: what it follows from is another; ``shift``: all of it remains, but so much farther from the goal. ``signature``
    and ``least`` (with a border of one sector around the map's) are brought up to date. ``result[0]``: how many are listed.
    """
    for row in range(max(top - 1, 0), min(bottom + 1, row_count)):
        for column in range(max(left - 1, 0), min(right + 1, column_count)):
            sector = row * column_count + column
            lowest = least_value(side_start, anchor_base, remaining, status, sector)
            found = sign_sector(side_start, anchor_base, remaining, status, edit_count, sector, lowest)
            y = row + 1
            x = column + 1
            if found != signature[y, x]:
                state[y, x] = np.uint8(_DIFFERENT)
                signature[y, x] = found
            elif lowest < 0:
                state[y, x] = np.uint8(_NOTHING_SETTLED)
            else:
                state[y, x] = np.uint8(_AS_BEFORE)
                moved[y, x] = lowest - least[y, x]
            least[y, x] = lowest
    count = np.int64(0)
    for row in range(top, bottom):
        for column in range(left, right):
            is_other = False
            is_any = False
            by = np.int64(0)
            for y in range(max(row, 1), min(row + 3, row_count + 1)):
                for x in range(max(column, 1), min(column + 3, column_count + 1)):
                    if state[y, x] == _DIFFERENT:
                        is_other = True
                    elif state[y, x] == _AS_BEFORE:
                        if is_any and moved[y, x] != by:
                            is_other = True
                        is_any = True
                        by = moved[y, x]
            if not is_other and by == 0:
                continue
            sector = row * column_count + column
            if is_other or is_beside_goal(goal, progress[GOALS], column_count, row, column):
                is_stale[sector] = np.uint8(1)
            else:
                shift[sector] += by
            changed[count] = np.int32(sector)
            count += 1
    result[0] = count


@kernel(
    "int64 left, int64 top, int64 right, int64 bottom, int64 size, int64 column_count, uint8[::1] is_stale, int64[::1] shift,"
    " int64[:, ::1] remaining, int32[::1] stale, int64[::1] result"
)
def take_changes(left, top, right, bottom, size, column_count, is_stale, shift, remaining, stale, result):
    """Have what remains on the tiles of a rectangle of sectors follow its shifts, and list the sectors to be read anew.

    Neither are noted any more then; ``result[0]``: how many are listed.
    """
    count = np.int64(0)
    for row in range(top, bottom):
        for column in range(left, right):
            sector = row * column_count + column
            by = shift[sector]
            shift[sector] = np.int64(0)
            if is_stale[sector] != 0:
                is_stale[sector] = np.uint8(0)
                stale[count] = np.int32(sector)
                count += 1
            elif by != 0:
                first_y = (row - top) * size
                first_x = (column - left) * size
                for y in range(first_y, min(first_y + size, np.int64(remaining.shape[0]))):
                    for x in range(first_x, min(first_x + size, np.int64(remaining.shape[1]))):
                        if remaining[y, x] >= 0:
                            remaining[y, x] += by
    result[0] = count


@inline
def distance_step(remaining, far):
    """The step of the ramp for what remains, the last one from ``far`` tiles on; finer near the goal."""
    share = np.sqrt(np.float64(remaining) / np.float64(UNIT_STEP_COST) / np.float64(far))
    return np.int64(min(share, np.float64(1.0)) * np.float64(FLOW_STEPS - 1))


@inline
def arrow_role(step):
    """The role of an arrow on a step of the ramp, so that it stands out."""
    role = np.int64(_ARROW)
    if step >= 0 and step < _BRIGHT_STEPS:
        role = np.int64(_ARROW_ON_BRIGHT)
    return role


@kernel(
    "uint8[:, ::1] code, int64[:, ::1] remaining, int64 left, int64 top, int64 arrow_step, int64 far, uint8[:, ::1] role,"
    " float32[:, ::1] place, uint8[::1] arrow_code, uint8[::1] arrow_role_of, int64[::1] result"
)
def describe_near(code, remaining, left, top, arrow_step, far, role, place, arrow_code, arrow_role_of, result):
    """A role for each tile of a rectangle from (left, top) on, and an arrow on every so many of them.

    ``result[0]``: how many arrows.
    """
    for y in range(code.shape[0]):
        for x in range(code.shape[1]):
            value = np.int64(remaining[y, x])
            role[y, x] = np.uint8(0)
            if value >= 0:
                role[y, x] = np.uint8(_FLOW + distance_step(value, far))
    half = arrow_step // 2
    count = np.int64(0)
    for y in range(half, code.shape[0], arrow_step):
        for x in range(half, code.shape[1], arrow_step):
            if code[y, x] < 8:
                place[count, 0] = np.float32(np.float64(left + x) + np.float64(0.5))
                place[count, 1] = np.float32(np.float64(top + y) + np.float64(0.5))
                arrow_code[count] = code[y, x]
                arrow_role_of[count] = np.uint8(arrow_role(np.int64(role[y, x]) - _FLOW))
                count += 1
    result[0] = count


@inline
def direction_code(x, y):
    """The direction (steps.py) that a vector is nearest to."""
    across = abs(x)
    down = abs(y)
    code = np.int64(1)  # south east
    if (across + down) * (across + down) < 2 * across * across:  # down / across below the tangent of an eighth of half a turn
        code = np.int64(0)
    elif (across + down) * (across + down) < 2 * down * down:
        code = np.int64(2)
    if x < 0:
        code = 4 - code
    if y < 0:
        code = (8 - code) % 8
    return code


@kernel(
    "int32[::1] tile, int64[::1] value, int64 left, int64 top, int64 right, int64 bottom, int64 size, int64 column_count,"
    " int64 width, int64 every, int64 far, uint8[:, ::1] role, float32[:, ::1] place, uint8[::1] arrow_code,"
    " uint8[::1] arrow_role_of, int64[::1] result"
)
def describe_far(
    tile, value, left, top, right, bottom, size, column_count, width, every, far, role, place, arrow_code, arrow_role_of, result
):  # fmt: skip
    """A role for each sector of a rectangle, and in every so many rows and columns an arrow towards its best anchor.

    ``tile`` and ``value`` of all sectors: where that lies and what remains there. ``result[0]``: how many arrows.
    """
    count = np.int64(0)
    for row in range(top, bottom):
        for column in range(left, right):
            sector = row * column_count + column
            role[row - top, column - left] = np.uint8(0)
            if value[sector] < 0:
                continue
            step = distance_step(value[sector], far)
            role[row - top, column - left] = np.uint8(_FLOW_FROM_AFAR + step)
            if row % every == every // 2 and column % every == every // 2:
                x = np.int64(tile[sector]) % width
                y = np.int64(tile[sector]) // width
                place[count, 0] = np.float32((np.float64(column) + np.float64(0.5)) * np.float64(size))
                place[count, 1] = np.float32((np.float64(row) + np.float64(0.5)) * np.float64(size))
                # Twice the way from the middle of the sector to that of the tile.
                arrow_code[count] = np.uint8(
                    direction_code(2 * x + 1 - (2 * column + 1) * size, 2 * y + 1 - (2 * row + 1) * size)
                )
                arrow_role_of[count] = np.uint8(arrow_role(step))
                count += 1
    result[0] = count


@kernel(
    "int32[::1] listed, int64 begin, int64 end, int64 size, int64 column_count, int64 left, int64 top, uint8[:, ::1] code,"
    " int64[:, ::1] remaining"
)
def clear_sectors(listed, begin, end, size, column_count, left, top, code, remaining):
    """No codes and no values in the sectors listed[begin:end], in the arrays of a rectangle from sector (left, top) on."""
    for index in range(begin, end):
        sector = np.int64(listed[index])
        first_y = (sector // column_count - top) * size
        first_x = (sector % column_count - left) * size
        for y in range(first_y, min(first_y + size, np.int64(code.shape[0]))):
            for x in range(first_x, min(first_x + size, np.int64(code.shape[1]))):
                code[y, x] = np.uint8(255)
                remaining[y, x] = np.int64(-1)


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] asked, int64[::1] base, uint8[:, ::1] direction,"
    " int32[:, ::1] distance, int64 begin, int64 end, int64 size, int64 column_count, int64 left, int64 top, uint8[:, ::1] code,"
    " int64[:, ::1] remaining"
)
def write_islands(
    island, island_start, asked, base, direction, distance, begin, end, size, column_count, left, top, code, remaining
):  # fmt: skip
    """Codes and what remains on the tiles of the islands asked[begin:end] (sector and number), each with its field."""
    for index in range(begin, end):
        sector = np.int64(asked[index, 0])
        own = np.int64(asked[index, 1]) - np.int64(island_start[sector]) + 1
        first_y = (sector // column_count - top) * size
        first_x = (sector % column_count - left) * size
        for y in range(first_y, min(first_y + size, np.int64(code.shape[0]))):
            for x in range(first_x, min(first_x + size, np.int64(code.shape[1]))):
                place = (y - first_y) * size + x - first_x
                value = np.int64(distance[index, place])
                if np.int64(island[y + top * size, x + left * size]) == own and value < FAR:
                    code[y, x] = direction[index, place]
                    remaining[y, x] = base[index] + value
