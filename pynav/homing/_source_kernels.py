"""Kernels that find sources by place: the first target of each cell, and buckets of all that a projectile may touch or feel."""

import numpy as np

from pynav.homing.homing_layout import (
    CAPTURE,
    OLD_X,
    OLD_Y,
    POWER,
    RADIUS,
    REACH,
    SOURCE_ALIVE,
    SOURCE_TYPE,
    SOURCE_VX,
    SOURCE_VY,
    SOURCE_X,
    SOURCE_Y,
    TOUCH_MOVE_X,
    TOUCH_MOVE_Y,
    TOUCH_RADIUS,
    TOUCH_SQUARED,
    TOUCH_TYPE,
    TOUCH_X,
    TOUCH_Y,
)
from pynav.kernels import inline, kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_ROUNDED = np.float32(1.01)  # far more than what rounding may lose
_SPARSE = 8


@inline
def clamped_index(value, start, scale, count):
    """Index of the cell (or bucket) that a coordinate lies in; one outside counts to the nearest."""
    place = (value - start) * scale
    limit = np.float32(count - 1)
    if place < _ZERO:
        place = _ZERO
    if place > limit:
        place = limit
    return np.int64(place)


@inline
def limited_index(value, start, scale, limit):
    """The same, with the last index as a float32: for loops that look up much."""
    return np.int64(min(max((value - start) * scale, _ZERO), limit))


@inline
def felt_within(values, source, hit_radius, step):
    """How far from a source projectiles must look at it; negative if never."""
    reach = np.float32(-1.0)
    if values[POWER, source] > _ZERO and values[RADIUS, source] > _ZERO:
        reach = values[RADIUS, source] + hit_radius
    if values[POWER, source] < _ZERO and values[REACH, source] > reach:
        reach = values[REACH, source]
    if values[CAPTURE, source] > _ZERO:
        reach = max(reach, max(values[CAPTURE, source], values[REACH, source]))
    if reach >= _ZERO:
        reach += step
    return reach


@inline
def squared_to(values, source, x, y):
    """Squared distance of a source from a place."""
    to_x = values[SOURCE_X, source] - x
    to_y = values[SOURCE_Y, source] - y
    return to_x * to_x + to_y * to_y


@kernel("float32[:, ::1] values, int64 count, float32 scale, int64[::1] switches")
def begin_tick(values, count, scale, switches):
    """Velocities from where sources are and were; whether there are repellers with a reach, and wells."""
    repellers = np.int64(0)
    wells = np.int64(0)
    for source in range(count):
        values[SOURCE_VX, source] = (values[SOURCE_X, source] - values[OLD_X, source]) * scale
        values[SOURCE_VY, source] = (values[SOURCE_Y, source] - values[OLD_Y, source]) * scale
        if values[POWER, source] < _ZERO and values[REACH, source] > _ZERO:
            repellers = np.int64(1)
        if values[CAPTURE, source] > _ZERO:
            wells = np.int64(1)
    switches[0] = repellers
    switches[1] = wells


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64 count, int64 type_number, int32[::1] first, int32[::1] seen,"
    " int32[::1] touched, int64[::1] touched_count, int64 sight, int64 columns, int64 rows, float32 start_x, float32 start_y,"
    " float32 cells_x, float32 cells_y"
)
def record_targets(
    values,
    tags,
    count,
    type_number,
    first,
    seen,
    touched,
    touched_count,
    sight,
    columns,
    rows,
    start_x,
    start_y,
    cells_x,
    cells_y,
):
    """Forget the targets of the last time; note in each cell the one with the lowest slot.

    ``seen`` has them too, and in cells without one the nearest to their middle of those up to ``sight`` cells away; the lowest of
    two as near. Not the lowest of all: missiles would gain speed where it changes, and some circle round several for ever.
    """
    width = _ONE / cells_x
    height = _ONE / cells_y
    cells = columns * rows
    if touched_count[0] * _SPARSE > cells:  # in a row, eight at a time, costs less than here and there
        for cell in range(cells):
            first[cell] = np.int32(-1)
        for cell in range(cells):
            seen[cell] = np.int32(-1)
    else:
        for index in range(touched_count[0]):
            first[touched[index]] = np.int32(-1)
            seen[touched[index]] = np.int32(-1)
    found = np.int64(0)
    for ring in range(min(2, sight + 1)):
        for source in range(count):
            if tags[SOURCE_ALIVE, source] == 0 or tags[SOURCE_TYPE, source] != type_number:
                continue
            if values[POWER, source] <= _ZERO or values[RADIUS, source] <= _ZERO:
                continue
            column = clamped_index(values[SOURCE_X, source], start_x, cells_x, columns)
            row = clamped_index(values[SOURCE_Y, source], start_y, cells_y, rows)
            if ring == 0:
                cell = row * columns + column
                if first[cell] < 0:
                    first[cell] = np.int32(source)
                    seen[cell] = np.int32(source)
                    touched[found] = np.int32(cell)
                    found += 1
                continue
            for near_row in range(max(0, row - sight), min(rows, row + sight + 1)):
                for near_column in range(max(0, column - sight), min(columns, column + sight + 1)):
                    cell = near_row * columns + near_column
                    if first[cell] >= 0:
                        continue
                    known = np.int64(seen[cell])
                    if known < 0:
                        seen[cell] = np.int32(source)
                        touched[found] = np.int32(cell)
                        found += 1
                        continue
                    x = start_x + (np.float32(near_column) + _HALF) * width
                    y = start_y + (np.float32(near_row) + _HALF) * height
                    if squared_to(values, source, x, y) < squared_to(values, known, x, y):
                        seen[cell] = np.int32(source)
    touched_count[0] = found


@inline
def span(now, before, reach, start, scale, count):
    """First and last of ``count`` buckets along an axis that a source touches on its way of a tick."""
    first = clamped_index(min(now, before) - reach, start, scale, count)
    return first, clamped_index(max(now, before) + reach, start, scale, count)


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64 count, int32[::1] bucket_start, int64[::1] total, int64 columns,"
    " int64 rows, float32 start_x, float32 start_y, float32 scale_x, float32 scale_y, float32 hit_radius, float32 step"
)
def count_buckets(values, tags, count, bucket_start, total, columns, rows, start_x, start_y, scale_x, scale_y, hit_radius, step):
    """Where each bucket's list begins, and how long all are together."""
    for bucket in range(columns * rows + 2):
        bucket_start[bucket] = np.int32(0)
    for source in range(count):
        reach = felt_within(values, source, hit_radius, step)
        if tags[SOURCE_ALIVE, source] == 0 or reach < _ZERO:
            continue
        left, right = span(values[SOURCE_X, source], values[OLD_X, source], reach, start_x, scale_x, columns)
        top, bottom = span(values[SOURCE_Y, source], values[OLD_Y, source], reach, start_y, scale_y, rows)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                bucket_start[row * columns + column + 2] += np.int32(1)
    found = np.int32(0)  # not read back from the array: each step would wait for the one before
    for bucket in range(columns * rows + 2):
        found += bucket_start[bucket]
        bucket_start[bucket] = found
    total[0] = found


@inline
def touched_within(values, source, hit_radius, step, move_x, move_y):
    """Square of how near a projectile must be to a target to touch it in this tick; below 0 for what is none."""
    if values[POWER, source] <= _ZERO or values[RADIUS, source] <= _ZERO:
        return np.float32(-1.0)
    near = (values[RADIUS, source] + hit_radius + step + np.sqrt(move_x * move_x + move_y * move_y)) * _ROUNDED
    return near * near


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64 count, int32[::1] bucket_start, int32[::1] items,"
    " float32[:, ::1] touch, int64 columns, int64 rows, float32 start_x, float32 start_y, float32 scale_x, float32 scale_y,"
    " float32 hit_radius, float32 step"
)
def fill_buckets(
    values, tags, count, bucket_start, items, touch, columns, rows, start_x, start_y, scale_x, scale_y, hit_radius, step
):
    """Put the sources into the lists, lowest slots first; list b is then ``bucket_start[b]..bucket_start[b + 1]``.

    Beside each what projectiles need to know to see whether they hit it; those out of reach are told apart by one comparison.
    """
    for source in range(count):
        reach = felt_within(values, source, hit_radius, step)
        if tags[SOURCE_ALIVE, source] == 0 or reach < _ZERO:
            continue
        left, right = span(values[SOURCE_X, source], values[OLD_X, source], reach, start_x, scale_x, columns)
        top, bottom = span(values[SOURCE_Y, source], values[OLD_Y, source], reach, start_y, scale_y, rows)
        move_x = values[SOURCE_X, source] - values[OLD_X, source]
        move_y = values[SOURCE_Y, source] - values[OLD_Y, source]
        squared = touched_within(values, source, hit_radius, step, move_x, move_y)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                bucket = row * columns + column
                place = np.int64(bucket_start[bucket + 1])
                items[place] = np.int32(source)
                touch[place, TOUCH_X] = values[OLD_X, source]
                touch[place, TOUCH_Y] = values[OLD_Y, source]
                touch[place, TOUCH_MOVE_X] = move_x
                touch[place, TOUCH_MOVE_Y] = move_y
                touch[place, TOUCH_RADIUS] = values[RADIUS, source]
                touch[place, TOUCH_SQUARED] = squared
                touch[place, TOUCH_TYPE] = np.float32(tags[SOURCE_TYPE, source])
                bucket_start[bucket + 1] += np.int32(1)
