"""What all projectiles of a tick need to know of a cell, gathered once a cell instead of once a projectile."""

import numpy as np

from pynav.homing.homing_layout import (
    BLEND,
    BUCKET_COLUMNS,
    BUSY,
    COLUMNS,
    IS_BUSY,
    IS_EXACT,
    IS_PLACE,
    NOTE_X,
    NOTE_Y,
    POWER,
    SOURCE_ALIVE,
    SOURCE_TYPE,
    SOURCE_X,
    SOURCE_Y,
    TYPE,
    UNDECIDED,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)


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


@block_kernel(
    "float32[:, ::1] notes, float32[:, ::1] sources, int32[:, ::1] source_tags, int32[::1] first, int32[::1] seen,"
    " int32[::1] nearest, float32[:, ::1] before, float32[:, ::1] after, int32[::1] bucket_start, float32[::1] settings,"
    " int64[::1] numbers, int64 bucket_shift"
)
def note_cells(
    notes, sources, source_tags, first, seen, nearest, before, after, bucket_start, settings, numbers, bucket_shift, begin, end
):
    """Notes of the cells in rows ``begin..end``; a bucket is ``2 ** bucket_shift`` cells wide and high."""
    columns = numbers[COLUMNS]
    is_exact = numbers[IS_EXACT] != 0
    blend = settings[BLEND]
    for row in range(begin, end):
        first_bucket = (row >> bucket_shift) * numbers[BUCKET_COLUMNS]
        for column in range(columns):
            cell = row * columns + column
            bucket = first_bucket + (column >> bucket_shift)
            busy = BUSY if first[cell] >= 0 or bucket_start[bucket] != bucket_start[bucket + 1] else 0
            target = np.int64(seen[cell])
            if is_exact:
                other = exact_target(cell, nearest, sources, source_tags, numbers[TYPE])
                if target < 0:
                    target = other
                elif other >= 0 and other != target:
                    busy = UNDECIDED
            if target >= 0:
                notes[cell, NOTE_X] = sources[SOURCE_X, target]
                notes[cell, NOTE_Y] = sources[SOURCE_Y, target]
                notes[cell, IS_PLACE] = _ONE
            else:
                x, y = _ZERO, _ZERO
                if not is_exact:
                    x, y = blended(before, after, cell, blend)
                notes[cell, NOTE_X] = x
                notes[cell, NOTE_Y] = y
                notes[cell, IS_PLACE] = _ZERO
            notes[cell, IS_BUSY] = np.float32(busy)
