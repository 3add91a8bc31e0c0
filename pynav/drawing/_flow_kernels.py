# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that read the drawn flow off a search and its region fields."""

import numpy as np

from pynav.kernels import inline, kernel
from pynav.portals.sector_layout import FAR, SETTLED, SIDES

_SPREAD = 0x1E3779B97F4A7C15  # odd, without a pattern
_STIR = 0x3F58476D1CE4E5B9


@inline
def sign_sector(side_start, anchor_base, remaining, status, edit_count, sector):
    """A number that changes with a sector's edits and with the values of its anchors."""
    base = np.int64(anchor_base[sector])
    total = np.int64(edit_count[sector]) * np.int64(_SPREAD)
    for local in range(side_start[sector, SIDES]):
        node = base + local
        value = np.int64(0)
        if status[node] == SETTLED:
            value = np.int64(remaining[node]) + 1
        bits = (value + (np.int64(local) + 1) * np.int64(_SPREAD)) * np.int64(_STIR)  # integers wrap
        total += (bits ^ (bits >> 31)) * np.int64(_SPREAD)
    return total


@kernel(
    "int32[:, ::1] side_start, int32[::1] anchor_base, int64[::1] remaining, uint8[::1] status, int64[::1] edit_count,"
    " int64 left, int64 top, int64 right, int64 bottom, int64 column_count, int64 row_count, int64[:, ::1] signature,"
    " uint8[:, ::1] differs, int32[::1] changed, int64[::1] result"
)
def find_changed(
    side_start, anchor_base, remaining, status, edit_count, left, top, right, bottom, column_count, row_count, signature,
    differs, changed, result,
):  # fmt: skip
    """List the sectors of a rectangle that are, or have beside them, one whose signature is another than before; row by row.

    ``signature`` holds those of the rectangle and of one sector around it, and is brought up to date; ``result[0]``: how many
    changed.
    """
    for row in range(top - 1, bottom + 1):
        for column in range(left - 1, right + 1):
            place_y = row - top + 1
            place_x = column - left + 1
            differs[place_y, place_x] = np.uint8(0)
            if row < 0 or column < 0 or row >= row_count or column >= column_count:
                continue
            found = sign_sector(side_start, anchor_base, remaining, status, edit_count, row * column_count + column)
            if found != signature[place_y, place_x]:
                differs[place_y, place_x] = np.uint8(1)
                signature[place_y, place_x] = found
    count = np.int64(0)
    for row in range(top, bottom):
        for column in range(left, right):
            is_changed = False
            for place_y in range(row - top, row - top + 3):
                for place_x in range(column - left, column - left + 3):
                    is_changed = is_changed or differs[place_y, place_x] != 0
            if is_changed:
                changed[count] = np.int32(row * column_count + column)
                count += 1
    result[0] = count


@kernel("int32[::1] listed, int64 count, int64 size, int64 column_count, int64 left, int64 top, uint8[:, ::1] code,"
        " int64[:, ::1] remaining")  # fmt: skip
def clear_sectors(listed, count, size, column_count, left, top, code, remaining):
    """No codes and no values in the first of the listed sectors, in the arrays of a rectangle from sector (left, top) on."""
    for index in range(count):
        sector = np.int64(listed[index])
        first_y = (sector // column_count - top) * size
        first_x = (sector % column_count - left) * size
        for y in range(first_y, min(first_y + size, np.int64(code.shape[0]))):
            for x in range(first_x, min(first_x + size, np.int64(code.shape[1]))):
                code[y, x] = np.uint8(255)
                remaining[y, x] = np.int64(-1)


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] asked, int64[::1] base, uint8[:, ::1] direction,"
    " int32[:, ::1] distance, int64 size, int64 column_count, int64 left, int64 top, uint8[:, ::1] code, int64[:, ::1] remaining"
)
def write_islands(
    island, island_start, asked, base, direction, distance, size, column_count, left, top, code, remaining
):  # fmt: skip
    """Codes and what remains on the tiles of islands (``asked``: sector and number), each with its field."""
    for index in range(asked.shape[0]):
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
