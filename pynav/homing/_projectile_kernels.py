"""The tick of a batch of projectiles.

Most of a large swarm only follows its arrows, or flies at a target in sight. They are taken in strips of 64 neighbours in the
table: each step of a strip is a short loop without branches over neighbouring numbers, of which the compiler makes vectors, so
that square roots and divisions cost an eighth. Whose way leads so near to something that it may hit it is found in the same loops
and looks for it afterwards; near wells and repellers each flies by itself.
"""

import numpy as np

from pynav.homing._flight_kernels import bucket_at, fly, go_on, hold, snaps, strike
from pynav.homing._well_kernels import is_well
from pynav.homing.homing_layout import (
    ASTRAY,
    CAUGHT,
    CELLS_X,
    CELLS_Y,
    COLUMNS,
    DAMPING,
    DEAD,
    DELTA,
    EXPIRED,
    FLYING,
    GENERATION,
    HAS_NOTES,
    HAS_REPELLERS,
    HAS_WELLS,
    HELD,
    HIT,
    IS_EXACT,
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
    PATIENCE,
    ROWS,
    SLOT_BITS,
    SOURCE_X,
    SOURCE_Y,
    START_X,
    START_Y,
    STATE,
    STRIP,
    STRIP_BLOCK,
    STRIP_NUMBERS,
    STRIP_VALUES,
    TARGET,
    THRUST,
    TIGHTENING,
    TOP_SPEED,
    TURN,
    TYPE,
    VX,
    VY,
    X,
    Y,
)
from pynav.kernels import block_kernel, inline, kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-12)
_NEVER = np.float32(np.inf)
# Rows of a strip behind place and velocity. What comes of them takes the rows of the notes.
_NOTE_X, _NOTE_Y, _IS_PLACE, _OTHER_X, _OTHER_Y, _NEAR_X, _NEAR_Y, _NEAR_SQUARED, _FLIES, _ASTRAY = range(4, 14)
_NEW_X, _NEW_Y, _MAY_TOUCH, _NEW_U, _NEW_V, _NEW_ASTRAY = _NOTE_X, _NOTE_Y, _IS_PLACE, _OTHER_X, _OTHER_Y, _NEAR_X


@inline
def age_strip(values, tags, event, begin, end, delta):
    """Lives go on. (how many fly, how many need a look for their life has ended or a well holds them)."""
    flying = np.int64(0)
    others = np.int64(0)
    for slot in range(begin, end):
        event[slot] = np.uint8(NO_EVENT)
    for slot in range(begin, end):
        left = values[LIFE, slot]
        values[LIFE, slot] = left if tags[STATE, slot] == DEAD else left - delta
    for slot in range(begin, end):
        flying += np.int64(tags[STATE, slot] == FLYING)
        others += np.int64((tags[STATE, slot] == HELD) | ((tags[STATE, slot] == FLYING) & (values[LIFE, slot] <= _ZERO)))
    return flying, others


@inline
def hold_or_end(values, tags, event, sources, source_tags, begin, end, delta):
    """Those whose life has ended are gone; those that a well holds stay on its spring, or fly on if it is gone. How many fly."""
    flying = np.int64(0)
    for slot in range(begin, end):
        if tags[STATE, slot] == DEAD:
            continue
        if values[LIFE, slot] <= _ZERO:
            tags[STATE, slot] = np.int32(DEAD)
            event[slot] = np.uint8(EXPIRED)
            continue
        if tags[STATE, slot] == HELD:
            holder = np.int64(tags[TARGET, slot])
            if is_well(sources, source_tags, holder):
                x = values[X, slot] - sources[OLD_X, holder]
                y = values[Y, slot] - sources[OLD_Y, holder]
                hold(values, tags, sources, slot, holder, x, y, values[VX, slot], values[VY, slot], delta)
                continue
            tags[STATE, slot] = np.int32(FLYING)
        flying += 1
    return flying


@inline
def load_strip(strip, base, values, tags, slot, count):
    """Places, velocities, and who flies; those that don't go along, and are not written back."""
    for lane in range(count):
        strip[base + lane] = values[X, slot + lane]
    for lane in range(count):
        strip[base + STRIP + lane] = values[Y, slot + lane]
    for lane in range(count):
        strip[base + 2 * STRIP + lane] = values[VX, slot + lane]
    for lane in range(count):
        strip[base + 3 * STRIP + lane] = values[VY, slot + lane]
    for lane in range(count):
        strip[base + _ASTRAY * STRIP + lane] = values[ASTRAY, slot + lane]
    for lane in range(count):
        strip[base + _FLIES * STRIP + lane] = _ONE if tags[STATE, slot + lane] == FLYING else _ZERO


@inline
def find_cells(numbers, first, strip, base, count, box, columns, last_column, last_row):
    """The cell of each, as ``limited_index`` finds it."""
    start_x = box[START_X]
    start_y = box[START_Y]
    cells_x = box[CELLS_X]
    cells_y = box[CELLS_Y]
    wide = np.int32(columns)
    for lane in range(count):
        column = np.int32(min(max((strip[base + lane] - start_x) * cells_x, _ZERO), last_column))
        row = np.int32(min(max((strip[base + STRIP + lane] - start_y) * cells_y, _ZERO), last_row))
        numbers[first + lane] = row * wide + column


@inline
def gather_notes(strip, base, notes, numbers, first, count, has_others):
    """What the notes say of each cell. There are ``others`` in exact mode alone; else they are the same, and copied in a row."""
    for lane in range(count):
        cell = np.int64(numbers[first + lane])
        place = base + lane
        strip[place + _NOTE_X * STRIP] = notes[cell, NOTE_X]
        strip[place + _NOTE_Y * STRIP] = notes[cell, NOTE_Y]
        strip[place + _IS_PLACE * STRIP] = notes[cell, IS_PLACE]
        strip[place + _NEAR_X * STRIP] = notes[cell, NEAR_X]
        strip[place + _NEAR_Y * STRIP] = notes[cell, NEAR_Y]
        strip[place + _NEAR_SQUARED * STRIP] = notes[cell, NEAR_SQUARED]
    if has_others:
        for lane in range(count):
            cell = np.int64(numbers[first + lane])
            strip[base + lane + _OTHER_X * STRIP] = notes[cell, OTHER_X]
            strip[base + lane + _OTHER_Y * STRIP] = notes[cell, OTHER_Y]
    else:
        for lane in range(base, base + count):
            strip[lane + _OTHER_X * STRIP] = strip[lane + _NOTE_X * STRIP]
            strip[lane + _OTHER_Y * STRIP] = strip[lane + _NOTE_Y * STRIP]


@inline
def push_strip(strip, base, count, settings, alone):
    """What ``nearer``, ``towards``, ``pushed`` and ``capped`` do, for a whole strip; also whose way leads through the circle of
    its cell, or who flies alone for there is one at all (``alone`` is 0, else infinite).
    """
    thrust = settings[THRUST]
    usual_damping = settings[DAMPING]
    top_speed = settings[TOP_SPEED]
    delta = settings[DELTA]
    patience = settings[PATIENCE]
    tightening = settings[TIGHTENING]
    turn = settings[TURN]
    for lane in range(base, base + count):
        x = strip[lane]
        y = strip[lane + STRIP]
        u = strip[lane + 2 * STRIP]
        v = strip[lane + 3 * STRIP]
        is_place = strip[lane + _IS_PLACE * STRIP]
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
        is_astray = along * abs(along) < _HALF * ((u * u + v * v) * (wish_x * wish_x + wish_y * wish_y))
        astray = strip[lane + _ASTRAY * STRIP]
        late = astray - patience
        damping = usual_damping / (_ONE + tightening * (late if late > _ZERO else _ZERO))
        astray += turn if is_astray else _ZERO
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
        move_x = u * delta
        move_y = v * delta
        near_x = x - strip[lane + _NEAR_X * STRIP]
        near_y = y - strip[lane + _NEAR_Y * STRIP]
        length = move_x * move_x + move_y * move_y
        share = -(near_x * move_x + near_y * move_y) / (length if length > _TINY else _TINY)
        share = share if share > _ZERO else _ZERO
        share = share if share < _ONE else _ONE
        near_x += share * move_x
        near_y += share * move_y
        near = strip[lane + _NEAR_SQUARED * STRIP]
        touches = _ONE if near_x * near_x + near_y * near_y <= near else _ZERO
        touches = _ONE if near >= alone else touches
        flies = strip[lane + _FLIES * STRIP]
        goes_on = flies * (_ONE - touches)
        strip[lane + _NEW_X * STRIP] = x + move_x if goes_on > _ZERO else x
        strip[lane + _NEW_Y * STRIP] = y + move_y if goes_on > _ZERO else y
        strip[lane + _NEW_U * STRIP] = u if goes_on > _ZERO else strip[lane + 2 * STRIP]
        strip[lane + _NEW_V * STRIP] = v if goes_on > _ZERO else strip[lane + 3 * STRIP]
        strip[lane + _NEW_ASTRAY * STRIP] = astray if goes_on > _ZERO else strip[lane + _ASTRAY * STRIP]
        strip[lane + 2 * STRIP] = u
        strip[lane + 3 * STRIP] = v
        strip[lane + _ASTRAY * STRIP] = astray
        strip[lane + _MAY_TOUCH * STRIP] = touches * flies


@inline
def store_strip(values, slot, strip, base, count):
    """Where all are now and how they move; those that don't fly, and those that may touch something, have what they had."""
    for lane in range(count):
        values[X, slot + lane] = strip[base + _NEW_X * STRIP + lane]
    for lane in range(count):
        values[Y, slot + lane] = strip[base + _NEW_Y * STRIP + lane]
    for lane in range(count):
        values[VX, slot + lane] = strip[base + _NEW_U * STRIP + lane]
    for lane in range(count):
        values[VY, slot + lane] = strip[base + _NEW_V * STRIP + lane]
    for lane in range(count):
        values[ASTRAY, slot + lane] = strip[base + _NEW_ASTRAY * STRIP + lane]


@inline
def list_touching(numbers, first, strip, base, count):
    """The lanes of those that may touch something; how many. Written without a branch, which would be guessed wrong too often."""
    found = np.int64(0)
    for lane in range(count):
        numbers[first + found] = np.int32(lane)
        found += np.int64(strip[base + _MAY_TOUCH * STRIP + lane])
    return found


@inline
def list_events(events, event, begin, end, numbers, first, found, others):
    """Slots of a strip to which something happened, in order, from ``events[begin]`` on; how many. If there are no ``others``, it
    happened to those that may touch something alone.
    """
    many = np.int64(0)
    if others > 0:
        for slot in range(begin, end):
            events[begin + many] = np.int32(slot)
            many += np.int64(event[slot] != NO_EVENT)
    else:
        for index in range(found):
            slot = begin + np.int64(numbers[first + index])
            events[begin + many] = np.int32(slot)
            many += np.int64(event[slot] != NO_EVENT)
    return many


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, uint8[::1] event, int32[::1] events, int32[::1] strip_events,"
    " float32[:, ::1] sources, int32[:, ::1] source_tags,"
    " int32[::1] first, int32[::1] seen, int32[::1] nearest, float32[:, ::1] before, float32[:, ::1] after,"
    " int32[::1] bucket_start, int32[::1] items, float32[:, ::1] touch, float32[:, ::1] notes, float32[::1] strip,"
    " int32[::1] strip_numbers, float32[::1] settings, float32[::1] box, int64[::1] numbers"
)
def move_projectiles(
    values, tags, event, events, strip_events, sources, source_tags, first, seen, nearest, before, after, bucket_start, items,
    touch, notes, strip, strip_numbers, settings, box, numbers, begin, end,
):  # fmt: skip
    """One tick of the projectiles ``begin..end``, a block or a part of one."""
    delta = settings[DELTA]
    columns = numbers[COLUMNS]
    last_column = np.float32(columns - 1)
    last_row = np.float32(numbers[ROWS] - 1)
    has_notes = numbers[HAS_NOTES] != 0
    is_simple = numbers[HAS_REPELLERS] == 0 and numbers[HAS_WELLS] == 0
    alone = _NEVER if is_simple else _ZERO
    cell_base = begin // STRIP_BLOCK * (STRIP * STRIP_NUMBERS)
    lane_base = cell_base + STRIP
    base = begin // STRIP_BLOCK * (STRIP * STRIP_VALUES)
    for strip_begin in range(begin, end, STRIP):
        strip_end = min(strip_begin + STRIP, end)
        count = strip_end - strip_begin
        flying, others = age_strip(values, tags, event, strip_begin, strip_end, delta)
        if others > 0:
            flying = hold_or_end(values, tags, event, sources, source_tags, strip_begin, strip_end, delta)
        if flying == 0:
            many = list_events(events, event, strip_begin, strip_end, strip_numbers, lane_base, np.int64(0), others)
            strip_events[strip_begin // STRIP] = np.int32(many)
            continue
        load_strip(strip, base, values, tags, strip_begin, count)
        find_cells(strip_numbers, cell_base, strip, base, count, box, columns, last_column, last_row)
        found = np.int64(0)
        if has_notes:
            gather_notes(strip, base, notes, strip_numbers, cell_base, count, numbers[IS_EXACT] != 0)
            push_strip(strip, base, count, settings, alone)
            found = list_touching(strip_numbers, lane_base, strip, base, count)
            store_strip(values, strip_begin, strip, base, count)
        else:
            for lane in range(count):
                strip[base + _MAY_TOUCH * STRIP + lane] = strip[base + _FLIES * STRIP + lane]
            found = list_touching(strip_numbers, lane_base, strip, base, count)
        for index in range(found):
            lane = np.int64(strip_numbers[lane_base + index])
            slot = strip_begin + lane
            place = base + lane
            x = strip[place]
            y = strip[place + STRIP]
            cell = np.int64(strip_numbers[cell_base + lane])
            if not has_notes or not is_simple:
                fly(
                    values, tags, event, slot, x, y, values[VX, slot], values[VY, slot], cell, sources, source_tags, first, seen,
                    nearest, before, after, bucket_start, items, touch, settings, box, numbers,
                )  # fmt: skip
                continue
            values[ASTRAY, slot] = strip[place + _ASTRAY * STRIP]
            target = np.int64(first[cell])
            if target >= 0 and snaps(x, y, target, sources, settings):
                strike(values, tags, event, slot, sources[SOURCE_X, target], sources[SOURCE_Y, target], target)
                continue
            low, high = bucket_at(x, y, bucket_start, box, numbers)
            go_on(
                values, tags, event, slot, x, y, strip[place + 2 * STRIP], strip[place + 3 * STRIP], np.int64(-1), False, sources,
                source_tags, items, touch, low, high, settings, numbers[TYPE],
            )  # fmt: skip
        many = list_events(events, event, strip_begin, strip_end, strip_numbers, lane_base, found, others)
        strip_events[strip_begin // STRIP] = np.int32(many)


@kernel(
    "uint8[::1] event, int32[::1] events, int32[::1] strip_events, int32[:, ::1] tags, float32[:, ::1] values, int64 count,"
    " int64[::1] handles, int64[::1] targets, float32[:, ::1] places, int64[::1] found"
)
def collect_events(event, events, strip_events, tags, values, count, handles, targets, places, found):
    """Handles, targets and places of those to which something happened: first all that hit, then what expired, then what was
    caught, each in the order of slots. ``found`` tells how many of each, and at NO_EVENT the lowest slot that is free for it.
    """
    strips = (count + STRIP - 1) // STRIP
    found[:] = 0
    found[NO_EVENT] = count
    for strip in range(strips):
        for index in range(strip * STRIP, strip * STRIP + np.int64(strip_events[strip])):
            slot = np.int64(events[index])
            kind = event[slot]
            found[kind] += 1
            if kind != CAUGHT:
                found[NO_EVENT] = min(found[NO_EVENT], slot)
    at_hit = np.int64(0)
    at_expired = found[HIT]
    at_caught = found[HIT] + found[EXPIRED]
    for strip in range(strips):
        for index in range(strip * STRIP, strip * STRIP + np.int64(strip_events[strip])):
            slot = np.int64(events[index])
            if event[slot] == HIT:
                place = at_hit
                at_hit += 1
            elif event[slot] == EXPIRED:
                place = at_expired
                at_expired += 1
            else:
                place = at_caught
                at_caught += 1
            handles[place] = np.int64(tags[GENERATION, slot]) << SLOT_BITS | slot
            targets[place] = np.int64(tags[TARGET, slot])
            places[place, 0] = values[X, slot]
            places[place, 1] = values[Y, slot]
