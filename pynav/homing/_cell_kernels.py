"""What all projectiles of a tick need to know of a cell, gathered once a cell instead of once a projectile."""

import numpy as np

from pynav.homing.homing_layout import (
    BLEND,
    BUCKET_COLUMNS,
    COLUMNS,
    IS_EXACT,
    IS_PLACE,
    NEAR_SQUARED,
    NEAR_X,
    NEAR_Y,
    NOTE_X,
    NOTE_Y,
    OTHER_X,
    OTHER_Y,
    POWER,
    SOURCE_ALIVE,
    SOURCE_TYPE,
    SOURCE_X,
    SOURCE_Y,
    TOUCH_MOVE_X,
    TOUCH_MOVE_Y,
    TOUCH_RADIUS,
    TOUCH_SQUARED,
    TOUCH_TYPE,
    TOUCH_X,
    TOUCH_Y,
    TYPE,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_ROUNDED = np.float32(1.01)  # far more than what rounding may lose
_SLACK = np.float32(1e-4)  # of a step, for tiny radii: what rounding may lose on the way


@inline
def blended(before, after, cell, blend):
    """Direction of a cell between the last published field and the one before."""
    return (
        before[cell, 0] + (after[cell, 0] - before[cell, 0]) * blend,
        before[cell, 1] + (after[cell, 1] - before[cell, 1]) * blend,
    )


@inline
def exact_target(cell, nearest, sources, source_tags, type_number):
    """The exact field's target of a cell, -1 for none: it may be gone since the field was made, or be another's slot by now."""
    target = np.int64(nearest[cell])
    if target >= 0 and (source_tags[SOURCE_ALIVE, target] == 0 or sources[POWER, target] <= _ZERO):
        return np.int64(-1)
    if target >= 0 and source_tags[SOURCE_TYPE, target] != type_number:
        return np.int64(-1)
    return target


@inline
def touch_radius(touch, item, hit_radius, snap, slack):
    """How near to where a target was a projectile's way must lead to touch it; 0 for a repeller or a well."""
    if touch[item, TOUCH_SQUARED] < _ZERO:
        return _ZERO
    move_x = touch[item, TOUCH_MOVE_X]
    move_y = touch[item, TOUCH_MOVE_Y]
    return (max(touch[item, TOUCH_RADIUS] + hit_radius, snap) + np.sqrt(move_x * move_x + move_y * move_y)) * _ROUNDED + slack


@inline
def note_touch_circle(notes, cell, touch, low, high, type_number, hit_radius, snap, slack):
    """Where a projectile's way of a tick must lead through to hit or feel what its bucket lists in ``low..high``: one circle
    round all of them that are of its type.
    """
    count = np.int64(0)
    near_x, near_y, radius = _ZERO, _ZERO, -_ONE
    for item in range(low, high):
        if touch[item, TOUCH_TYPE] != np.float32(type_number):
            continue
        one = touch_radius(touch, item, hit_radius, snap, slack)
        x = touch[item, TOUCH_X]
        y = touch[item, TOUCH_Y]
        if count == 0:
            near_x, near_y, radius = x, y, one
        else:
            away_x = x - near_x
            away_y = y - near_y
            radius = max(radius, np.sqrt(away_x * away_x + away_y * away_y) * _ROUNDED + one)
        count += 1
    notes[cell, NEAR_X] = near_x
    notes[cell, NEAR_Y] = near_y
    notes[cell, NEAR_SQUARED] = radius * radius if radius >= _ZERO else -_ONE


@block_kernel(
    "float32[:, ::1] notes, float32[:, ::1] sources, int32[:, ::1] source_tags, int32[::1] first, int32[::1] seen,"
    " int32[::1] nearest,"
    " float32[:, ::1] before, float32[:, ::1] after, int32[::1] bucket_start, float32[:, ::1] touch, float32[::1] settings,"
    " int64[::1] numbers, int64 bucket_shift, float32 hit_radius, float32 snap, float32 step"
)
def note_cells(
    notes, sources, source_tags, first, seen, nearest, before, after, bucket_start, touch, settings, numbers, bucket_shift,
    hit_radius, snap, step, begin, end,
):  # fmt: skip
    """Notes of the cells in rows ``begin..end``; a bucket is ``2 ** bucket_shift`` cells wide and high.

    A cell's first target is in the list of its bucket, so the circle of a cell that has one, widened by the snap distance, covers
    snaps too. Radius, snap distance and ``step``, the way of a tick, are the largest of all batches.
    """
    slack = step * _SLACK
    columns = numbers[COLUMNS]
    is_exact = numbers[IS_EXACT] != 0
    blend = settings[BLEND]
    for row in range(begin, end):
        first_bucket = (row >> bucket_shift) * numbers[BUCKET_COLUMNS]
        for column in range(columns):
            cell = row * columns + column
            bucket = first_bucket + (column >> bucket_shift)
            low = np.int64(bucket_start[bucket])
            high = np.int64(bucket_start[bucket + 1])
            own_snap = snap if first[cell] >= 0 else _ZERO
            note_touch_circle(notes, cell, touch, low, high, numbers[TYPE], hit_radius, own_snap, slack)
            target = np.int64(seen[cell])
            other = target
            if is_exact:
                other = exact_target(cell, nearest, sources, source_tags, numbers[TYPE])
                target = other if target < 0 else target
                other = target if other < 0 else other
            if target >= 0:
                notes[cell, NOTE_X] = sources[SOURCE_X, target]
                notes[cell, NOTE_Y] = sources[SOURCE_Y, target]
                notes[cell, IS_PLACE] = _ONE
                notes[cell, OTHER_X] = sources[SOURCE_X, other]
                notes[cell, OTHER_Y] = sources[SOURCE_Y, other]
            else:
                x, y = _ZERO, _ZERO
                if not is_exact:
                    x, y = blended(before, after, cell, blend)
                notes[cell, NOTE_X] = x
                notes[cell, NOTE_Y] = y
                notes[cell, IS_PLACE] = _ZERO
                notes[cell, OTHER_X] = x
                notes[cell, OTHER_Y] = y
