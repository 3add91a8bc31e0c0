"""Kernels of slots on the ground: what ground units stand on, how far a tile is from slots, and places that keep apart."""

import numpy as np

from pynav.kernels import block_kernel, inline, kernel

STRAIGHT, DIAGONAL = 2, 3  # chamfer steps between tiles: 2 dx + dy for dx >= dy, never below twice the larger part
_TINY = np.float32(1e-4)  # tiles; what rounding may take from a distance


@kernel(
    "float32[:, ::1] points, int32[::1] group, int64 own, int32[:, ::1] label, float64 shift, int64[::1] counts, int64[::1] first"
)
def count_labels(points, group, own, label, shift, counts, first):
    """How many points of a group lie on tiles of each label, and the first of them; a place lies ``shift`` right of its tile."""
    rows = np.int64(label.shape[0])
    columns = np.int64(label.shape[1])
    for index in range(points.shape[0]):
        if np.int64(group[index]) != own:
            continue
        x = np.float64(points[index, 0]) - shift
        y = np.float64(points[index, 1]) - shift
        if not (x >= np.float64(0.0) and y >= np.float64(0.0) and x < np.float64(columns) and y < np.float64(rows)):
            continue
        found = np.int64(label[np.int64(y), np.int64(x)])
        if counts[found] == 0:
            first[found] = index
        counts[found] += 1


@inline
def is_ground(label, is_open, column, row):
    """Whether an anchor is open ground."""
    if column < 0 or row < 0 or column >= np.int64(label.shape[1]) or row >= np.int64(label.shape[0]):
        return False
    return is_open[np.int64(label[row, column])] != 0


@inline
def anchor_of(value, shift, count):
    """Column or row of the anchor nearest to a coordinate; clipped to a tile beyond the map."""
    return np.int64(min(max(np.floor(np.float64(value) - shift), np.float64(-1.0)), np.float64(count)))


@block_kernel(
    "float32[:, ::1] places, int32[:, ::1] label, uint8[::1] is_open, float64 offset, float64 slack, uint8[::1] is_good"
)
def keep_on_ground(places, label, is_open, offset, slack, is_good, begin, end):
    """Which places lie on open ground; these are moved within their tiles so that a unit touches no tile that isn't.

    Args:
        places: float32 (n, 2), tiles.
        label: of each anchor.
        is_open: uint8, by label, 1 for open ground.
        offset: what the middle of a unit lies right and below of its anchor.
        slack: how far it may lie from there without touching another tile.
        is_good: uint8 (n,).
        begin: first place.
        end: behind the last one.
    """
    shift = offset - np.float64(0.5)
    for index in range(begin, end):
        column = anchor_of(places[index, 0], shift, label.shape[1])
        row = anchor_of(places[index, 1], shift, label.shape[0])
        is_good[index] = np.uint8(0)
        if not is_ground(label, is_open, column, row):
            continue
        is_good[index] = np.uint8(1)
        middle_x = np.float64(column) + offset
        middle_y = np.float64(row) + offset
        x = np.float64(places[index, 0]) - middle_x
        y = np.float64(places[index, 1]) - middle_y
        right = np.int64(1) if x > np.float64(0.0) else np.int64(-1)
        down = np.int64(1) if y > np.float64(0.0) else np.int64(-1)
        if abs(x) > slack and not is_ground(label, is_open, column + right, row):
            x = np.float64(right) * slack
        if abs(y) > slack and not is_ground(label, is_open, column, row + down):
            y = np.float64(down) * slack
        if abs(x) > slack and abs(y) > slack and not is_ground(label, is_open, column + right, row + down):
            if abs(y) < abs(x):  # a corner alone is in the way: aside along the shorter axis
                y = np.float64(down) * slack
            else:
                x = np.float64(right) * slack
        places[index, 0] = np.float32(middle_x + x)
        places[index, 1] = np.float32(middle_y + y)


@kernel("int32[:, ::1] distance")
def spread(distance):
    """Chamfer distances to the tiles that hold 0, over all tiles; others begin with a large number (exact on a rectangle)."""
    rows = np.int64(distance.shape[0])
    columns = np.int64(distance.shape[1])
    for y in range(rows):
        for x in range(columns):
            best = distance[y, x]
            if x > 0:
                best = min(best, np.int32(distance[y, x - 1] + STRAIGHT))
            if y > 0:
                best = min(best, np.int32(distance[y - 1, x] + STRAIGHT))
                if x > 0:
                    best = min(best, np.int32(distance[y - 1, x - 1] + DIAGONAL))
                if x < columns - 1:
                    best = min(best, np.int32(distance[y - 1, x + 1] + DIAGONAL))
            distance[y, x] = best
    for line in range(rows):
        y = rows - 1 - line
        for place in range(columns):
            x = columns - 1 - place
            best = distance[y, x]
            if x < columns - 1:
                best = min(best, np.int32(distance[y, x + 1] + STRAIGHT))
            if y < rows - 1:
                best = min(best, np.int32(distance[y + 1, x] + STRAIGHT))
                if x > 0:
                    best = min(best, np.int32(distance[y + 1, x - 1] + DIAGONAL))
                if x < columns - 1:
                    best = min(best, np.int32(distance[y + 1, x + 1] + DIAGONAL))
            distance[y, x] = best


@inline
def is_clear(x, y, radius, spacing, share, taken, taken_radius, next_taken, cell_first, cells_per_tile):
    """Whether nobody stands too near to a place: rims apart, and at ``share`` of the wished distance at least."""
    rows = np.int64(cell_first.shape[0])
    columns = np.int64(cell_first.shape[1])
    column = min(max(np.int64(x * cells_per_tile), np.int64(0)), columns - 1)
    row = min(max(np.int64(y * cells_per_tile), np.int64(0)), rows - 1)
    for line in range(max(row - 1, np.int64(0)), min(row + 1, rows - 1) + 1):
        for place in range(max(column - 1, np.int64(0)), min(column + 1, columns - 1) + 1):
            other = np.int64(cell_first[line, place])
            while other >= 0:
                both = radius + taken_radius[other]
                limit = max(both, share * (both + spacing)) - _TINY
                away_x = taken[other, 0] - x
                away_y = taken[other, 1] - y
                if away_x * away_x + away_y * away_y < limit * limit:
                    return False
                other = np.int64(next_taken[other])
    return True


@kernel(
    "float32[:, ::1] wanted, float32[::1] radius, float32 spacing, float32 share, int64 most, float32[:, ::1] taken,"
    " float32[::1] taken_radius, int32[::1] next_taken, int32[:, ::1] cell_first, float32 cells_per_tile, int64[::1] taken_count,"
    " uint8[::1] is_taken"
)
def take_places(
    wanted, radius, spacing, share, most, taken, taken_radius, next_taken, cell_first, cells_per_tile, taken_count, is_taken
):
    """Take places in their order, each if nobody stands too near, until ``most`` are taken."""
    rows = np.int64(cell_first.shape[0])
    columns = np.int64(cell_first.shape[1])
    found = np.int64(0)
    for index in range(wanted.shape[0]):
        is_taken[index] = np.uint8(0)
        x = wanted[index, 0]
        y = wanted[index, 1]
        if found == most or not is_clear(
            x, y, radius[index], spacing, share, taken, taken_radius, next_taken, cell_first, cells_per_tile
        ):
            continue
        column = min(max(np.int64(x * cells_per_tile), np.int64(0)), columns - 1)
        row = min(max(np.int64(y * cells_per_tile), np.int64(0)), rows - 1)
        at = taken_count[0]
        taken[at, 0] = x
        taken[at, 1] = y
        taken_radius[at] = radius[index]
        next_taken[at] = cell_first[row, column]
        cell_first[row, column] = np.int32(at)
        taken_count[0] = at + 1
        is_taken[index] = np.uint8(1)
        found += 1
