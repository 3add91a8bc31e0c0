"""The tick of a batch of projectiles.

Most of a large swarm only follows its arrows, or flies at a target in sight. Those are gathered in strips of 64, whose pushes are
one loop without branches over neighbouring numbers: the compiler makes vectors of it, and square roots and divisions cost an
eighth. What comes so near to something that it may hit it is found in the same loop and looks for it afterwards; near wells and
repellers each flies by itself.
"""

import numpy as np

from pynav.homing._flight_kernels import bucket_at, fly, go_on, hold, snaps, strike
from pynav.homing._source_kernels import limited_index
from pynav.homing._well_kernels import is_well
from pynav.homing.homing_layout import (
    CELLS_X,
    CELLS_Y,
    COLUMNS,
    DAMPING,
    DEAD,
    DELTA,
    EXPIRED,
    FLYING,
    HAS_NOTES,
    HAS_REPELLERS,
    HAS_WELLS,
    HELD,
    IS_PLACE,
    LIFE,
    NEAR_SQUARED,
    NEAR_X,
    NEAR_Y,
    NO_EVENT,
    NOTE_X,
    NOTE_Y,
    OLD_X,
    OLD_Y,
    OTHER_X,
    OTHER_Y,
    ROWS,
    SOURCE_X,
    SOURCE_Y,
    START_X,
    START_Y,
    STATE,
    STRIP,
    STRIP_BLOCK,
    STRIP_VALUES,
    TARGET,
    THRUST,
    TOP_SPEED,
    TYPE,
    VX,
    VY,
    X,
    Y,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-12)
# Rows of a strip behind place and velocity. Places to come take the notes' rows, MAY_TOUCH that of IS_PLACE.
_NOTE_X, _NOTE_Y, _IS_PLACE, _OTHER_X, _OTHER_Y, _NEAR_X, _NEAR_Y, _NEAR_SQUARED = range(4, 12)
_MAY_TOUCH = _IS_PLACE


@inline
def push_strip(strip, base, count, thrust, damping, top_speed, delta):
    """What ``nearer``, ``towards``, ``pushed`` and ``capped`` do, for a whole strip; also who may touch something."""
    for lane in range(base, base + count):
        x = strip[lane]
        y = strip[lane + STRIP]
        u = strip[lane + 2 * STRIP]
        v = strip[lane + 3 * STRIP]
        is_place = strip[lane + _IS_PLACE * STRIP]
        near_x = x - strip[lane + _NEAR_X * STRIP]
        near_y = y - strip[lane + _NEAR_Y * STRIP]
        touches = _ONE if near_x * near_x + near_y * near_y <= strip[lane + _NEAR_SQUARED * STRIP] else _ZERO
        wish_x = strip[lane + _NOTE_X * STRIP] - x * is_place
        wish_y = strip[lane + _NOTE_Y * STRIP] - y * is_place
        other_x = strip[lane + _OTHER_X * STRIP] - x * is_place
        other_y = strip[lane + _OTHER_Y * STRIP] - y * is_place
        squared = wish_x * wish_x + wish_y * wish_y
        other_squared = other_x * other_x + other_y * other_y
        wish_x = other_x if other_squared < squared else wish_x
        wish_y = other_y if other_squared < squared else wish_y
        squared = other_squared if other_squared < squared else squared
        scale = _ONE / np.sqrt(squared)
        scale = scale if squared > _TINY else _ZERO
        scale = _ONE if is_place == _ZERO else scale
        wish_x *= scale
        wish_y *= scale
        along = u * wish_x + v * wish_y
        across_x = (u - along * wish_x) * damping
        across_y = (v - along * wish_y) * damping
        along += thrust
        calls = abs(wish_x) + abs(wish_y)
        u = along * wish_x + across_x if calls > _ZERO else u
        v = along * wish_y + across_y if calls > _ZERO else v
        squared = u * u + v * v
        scale = top_speed / np.sqrt(squared)
        scale = scale if squared > top_speed * top_speed else _ONE
        u *= scale
        v *= scale
        strip[lane + 2 * STRIP] = u
        strip[lane + 3 * STRIP] = v
        strip[lane + _NOTE_X * STRIP] = x + u * delta
        strip[lane + _NOTE_Y * STRIP] = y + v * delta
        strip[lane + _MAY_TOUCH * STRIP] = touches


@inline
def gather(strip, base, x, y, u, v, notes, cell):
    """A projectile and the notes of its cell into a strip."""
    strip[base] = x
    strip[base + STRIP] = y
    strip[base + 2 * STRIP] = u
    strip[base + 3 * STRIP] = v
    strip[base + _NOTE_X * STRIP] = notes[cell, NOTE_X]
    strip[base + _NOTE_Y * STRIP] = notes[cell, NOTE_Y]
    strip[base + _IS_PLACE * STRIP] = notes[cell, IS_PLACE]
    strip[base + _OTHER_X * STRIP] = notes[cell, OTHER_X]
    strip[base + _OTHER_Y * STRIP] = notes[cell, OTHER_Y]
    strip[base + _NEAR_X * STRIP] = notes[cell, NEAR_X]
    strip[base + _NEAR_Y * STRIP] = notes[cell, NEAR_Y]
    strip[base + _NEAR_SQUARED * STRIP] = notes[cell, NEAR_SQUARED]


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, uint8[::1] event, float32[:, ::1] sources, int32[:, ::1] source_tags,"
    " int32[::1] first, int32[::1] seen, int32[::1] nearest, float32[:, ::1] before, float32[:, ::1] after,"
    " int32[::1] bucket_start, int32[::1] items, float32[:, ::1] touch, float32[:, ::1] notes, float32[::1] strip,"
    " int32[::1] strip_slots, float32[::1] settings, float32[::1] box, int64[::1] numbers"
)
def move_projectiles(
    values, tags, event, sources, source_tags, first, seen, nearest, before, after, bucket_start, items, touch, notes, strip,
    strip_slots, settings, box, numbers, begin, end,
):  # fmt: skip
    """One tick of the projectiles ``begin..end``, a block or a part of one."""
    delta = settings[DELTA]
    start_x = box[START_X]
    start_y = box[START_Y]
    cells_x = box[CELLS_X]
    cells_y = box[CELLS_Y]
    columns = numbers[COLUMNS]
    last_column = np.float32(columns - 1)
    last_row = np.float32(numbers[ROWS] - 1)
    has_notes = numbers[HAS_NOTES] != 0
    is_simple = numbers[HAS_REPELLERS] == 0 and numbers[HAS_WELLS] == 0
    slots_base = begin // STRIP_BLOCK * STRIP
    base = slots_base * STRIP_VALUES
    for strip_begin in range(begin, end, STRIP):
        count = np.int64(0)
        for slot in range(strip_begin, min(strip_begin + STRIP, end)):
            event[slot] = np.uint8(NO_EVENT)
            state = tags[STATE, slot]
            if state == DEAD:
                continue
            values[LIFE, slot] -= delta
            if values[LIFE, slot] <= _ZERO:
                tags[STATE, slot] = np.int32(DEAD)
                event[slot] = np.uint8(EXPIRED)
                continue
            x = values[X, slot]
            y = values[Y, slot]
            u = values[VX, slot]
            v = values[VY, slot]
            if state == HELD:
                holder = np.int64(tags[TARGET, slot])
                if is_well(sources, source_tags, holder):
                    hold(values, tags, sources, slot, holder, x - sources[OLD_X, holder], y - sources[OLD_Y, holder], u, v, delta)
                    continue
                tags[STATE, slot] = np.int32(FLYING)
            column = limited_index(x, start_x, cells_x, last_column)
            cell = limited_index(y, start_y, cells_y, last_row) * columns + column
            if not has_notes or (not is_simple and notes[cell, NEAR_SQUARED] >= _ZERO):
                fly(
                    values, tags, event, slot, x, y, u, v, cell, sources, source_tags, first, seen, nearest, before, after,
                    bucket_start, items, touch, settings, box, numbers,
                )  # fmt: skip
                continue
            gather(strip, base + count, x, y, u, v, notes, cell)
            strip_slots[slots_base + count] = np.int32(slot)
            count += 1
        push_strip(strip, base, count, settings[THRUST], settings[DAMPING], settings[TOP_SPEED], delta)
        for lane in range(count):
            slot = np.int64(strip_slots[slots_base + lane])
            place = base + lane
            if strip[place + _MAY_TOUCH * STRIP] != _ZERO:
                x = strip[place]
                y = strip[place + STRIP]
                column = limited_index(x, start_x, cells_x, last_column)
                target = np.int64(first[limited_index(y, start_y, cells_y, last_row) * columns + column])
                if target >= 0 and snaps(x, y, target, sources, settings):
                    strike(values, tags, event, slot, sources[SOURCE_X, target], sources[SOURCE_Y, target], target)
                    continue
                low, high = bucket_at(x, y, bucket_start, box, numbers)
                go_on(
                    values, tags, event, slot, x, y, strip[place + 2 * STRIP], strip[place + 3 * STRIP], np.int64(-1), False,
                    sources, source_tags, items, touch, low, high, settings, numbers[TYPE],
                )  # fmt: skip
                continue
            values[X, slot] = strip[place + _NOTE_X * STRIP]
            values[Y, slot] = strip[place + _NOTE_Y * STRIP]
            values[VX, slot] = strip[place + 2 * STRIP]
            values[VY, slot] = strip[place + 3 * STRIP]
