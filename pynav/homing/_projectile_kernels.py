"""The tick of a batch of projectiles: each finds its direction in its cell, is pushed, goes round repellers, is pulled and caught
by wells, hits what lies on its way, and moves. A projectile writes its own slot alone.
"""

import numpy as np

from pynav.homing._source_kernels import limited_index
from pynav.homing._well_kernels import (
    entry_time,
    first_catch,
    is_well,
    moved_in_denser_space,
    nearest_well,
    pulled,
    spring_frequency,
    sprung,
)
from pynav.homing.homing_layout import (
    BLEND,
    BUCKET_COLUMNS,
    BUCKET_ROWS,
    BUCKETS_X,
    BUCKETS_Y,
    CAPTURE,
    CAUGHT,
    CELLS_X,
    CELLS_Y,
    COLUMNS,
    DAMPING,
    DEAD,
    DELTA,
    DENSE,
    EXPIRED,
    FLYING,
    HAS_REPELLERS,
    HAS_WELLS,
    HELD,
    HIT,
    HIT_RADIUS,
    IS_BILINEAR,
    IS_EXACT,
    LEAD,
    LIFE,
    NO_EVENT,
    OLD_X,
    OLD_Y,
    OMEGA,
    POWER,
    RADIUS,
    REACH,
    ROWS,
    SNAP_SQUARED,
    SOURCE_ALIVE,
    SOURCE_TYPE,
    SOURCE_VX,
    SOURCE_VY,
    SOURCE_X,
    SOURCE_Y,
    START_X,
    START_Y,
    STATE,
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
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)
_TINY = np.float32(1e-12)
_HEAD_ON = np.float32(0.05)
_FIRM = np.float32(2.0)


@inline
def unit(x, y):
    """A vector of length 1 in that direction; 0 for what is nearly 0."""
    squared = x * x + y * y
    if squared <= _TINY:
        return _ZERO, _ZERO
    scale = _ONE / np.sqrt(squared)
    return x * scale, y * scale


@inline
def towards(x, y, sources, target, lead, top_speed):
    """Unit direction from a place to a target, or to where it will be."""
    to_x = sources[SOURCE_X, target] - x
    to_y = sources[SOURCE_Y, target] - y
    if lead > _ZERO:
        ahead = min(lead, np.sqrt(to_x * to_x + to_y * to_y) / top_speed)
        to_x += sources[SOURCE_VX, target] * ahead
        to_y += sources[SOURCE_VY, target] * ahead
    return unit(to_x, to_y)


@inline
def blended(before, after, cell, blend):
    """Direction of a cell between the last published field and the one before."""
    return (
        before[cell, 0] + (after[cell, 0] - before[cell, 0]) * blend,
        before[cell, 1] + (after[cell, 1] - before[cell, 1]) * blend,
    )


@inline
def bilinear(before, after, x, y, box, numbers, blend):
    """Direction between the middles of four cells."""
    columns = numbers[COLUMNS]
    rows = numbers[ROWS]
    place_x = min(max((x - box[START_X]) * box[CELLS_X] - _HALF, _ZERO), np.float32(columns - 1))
    place_y = min(max((y - box[START_Y]) * box[CELLS_Y] - _HALF, _ZERO), np.float32(rows - 1))
    column = np.int64(place_x)
    row = np.int64(place_y)
    part_x = place_x - np.float32(column)
    part_y = place_y - np.float32(row)
    right = min(column + 1, columns - 1)
    below = min(row + 1, rows - 1)
    one_x, one_y = blended(before, after, row * columns + column, blend)
    two_x, two_y = blended(before, after, row * columns + right, blend)
    three_x, three_y = blended(before, after, below * columns + column, blend)
    four_x, four_y = blended(before, after, below * columns + right, blend)
    top_x = one_x + (two_x - one_x) * part_x
    top_y = one_y + (two_y - one_y) * part_x
    low_x = three_x + (four_x - three_x) * part_x
    low_y = three_y + (four_y - three_y) * part_x
    return top_x + (low_x - top_x) * part_y, top_y + (low_y - top_y) * part_y


@inline
def wished(x, y, cell, target, sources, source_tags, nearest, before, after, settings, box, numbers):
    """Direction that a projectile is pushed in, at most 1 long; 0 where nothing calls.

    Between arrows that disagree it is shorter. A target in sight is flown at itself: the arrow of its own cell points nowhere.
    """
    if numbers[IS_EXACT] != 0:
        other = np.int64(nearest[cell])
        if other >= 0 and (source_tags[SOURCE_ALIVE, other] == 0 or sources[POWER, other] <= _ZERO):
            other = np.int64(-1)
        if other >= 0 and source_tags[SOURCE_TYPE, other] != numbers[TYPE]:
            other = np.int64(-1)
        if target >= 0 and other >= 0 and other != target:
            one_x = sources[SOURCE_X, target] - x
            one_y = sources[SOURCE_Y, target] - y
            two_x = sources[SOURCE_X, other] - x
            two_y = sources[SOURCE_Y, other] - y
            if two_x * two_x + two_y * two_y < one_x * one_x + one_y * one_y:
                target = other
        elif target < 0:
            target = other
        if target < 0:
            return _ZERO, _ZERO
        return towards(x, y, sources, target, settings[LEAD], settings[TOP_SPEED])
    if target >= 0:
        return towards(x, y, sources, target, settings[LEAD], settings[TOP_SPEED])
    if numbers[IS_BILINEAR] != 0:
        return bilinear(before, after, x, y, box, numbers, settings[BLEND])
    return blended(before, after, cell, settings[BLEND])


@inline
def gone_round(wish_x, wish_y, x, y, slot, sources, source_tags, items, low, high, type_number):
    """The wish bent round the repellers that are felt here, and their push: (wish x, wish y, push x, push y).

    What leads inwards is taken out of the wish, so that it leads past; who flies at the very middle takes a side by its slot.
    """
    push_x = _ZERO
    push_y = _ZERO
    for index in range(low, high):
        source = np.int64(items[index])
        reach = sources[REACH, source]
        if sources[POWER, source] >= _ZERO or reach <= _ZERO or source_tags[SOURCE_TYPE, source] != type_number:
            continue
        away_x = x - sources[SOURCE_X, source]
        away_y = y - sources[SOURCE_Y, source]
        squared = away_x * away_x + away_y * away_y
        if squared >= reach * reach:
            continue
        away_x, away_y = unit(away_x, away_y)
        if away_x == _ZERO and away_y == _ZERO:
            away_x = _ONE
        depth = _ONE - np.sqrt(squared) / reach
        inwards = -(wish_x * away_x + wish_y * away_y)
        if inwards > _ZERO:
            side = wish_y * away_x - wish_x * away_y
            if abs(side) < _HEAD_ON:
                side = _ONE if slot % 2 == 0 else -_ONE
            side = _ONE if side > _ZERO else -_ONE
            wish_x = -away_y * side
            wish_y = away_x * side
        strength = _FIRM * depth * -sources[POWER, source]
        push_x += away_x * strength
        push_y += away_y * strength
    return wish_x, wish_y, push_x, push_y


@inline
def pushed(u, v, wish_x, wish_y, thrust, damping):
    """Velocity after the push; what goes across the wish is damped: a turning circle stays, an endless orbit cannot."""
    if wish_x == _ZERO and wish_y == _ZERO:
        return u, v
    along = u * wish_x + v * wish_y
    across_x = (u - along * wish_x) * damping
    across_y = (v - along * wish_y) * damping
    along += thrust
    return along * wish_x + across_x, along * wish_y + across_y


@inline
def capped(u, v, top_speed):
    """A velocity of at most the top speed."""
    squared = u * u + v * v
    if squared > top_speed * top_speed:
        scale = top_speed / np.sqrt(squared)
        return u * scale, v * scale
    return u, v


@inline
def first_hit(x, y, move_x, move_y, sources, source_tags, items, low, high, hit_radius, type_number):
    """(share of the move, slot) of the target that is touched first, both moving; (2, -1) if none is."""
    best = np.int64(-1)
    soonest = _TWO
    for index in range(low, high):
        source = np.int64(items[index])
        if sources[POWER, source] <= _ZERO or sources[RADIUS, source] <= _ZERO:
            continue
        if source_tags[SOURCE_TYPE, source] != type_number:
            continue
        old_x = sources[OLD_X, source]
        old_y = sources[OLD_Y, source]
        own_x = sources[SOURCE_X, source] - old_x
        own_y = sources[SOURCE_Y, source] - old_y
        share = entry_time(x - old_x, y - old_y, move_x - own_x, move_y - own_y, sources[RADIUS, source] + hit_radius)
        if share <= _ONE and share < soonest:
            soonest = share
            best = source
    return soonest, best


@inline
def strike(values, tags, event, slot, x, y, target):
    """The projectile is gone where it touched its target."""
    values[X, slot] = x
    values[Y, slot] = y
    tags[STATE, slot] = np.int32(DEAD)
    tags[TARGET, slot] = np.int32(target)
    event[slot] = np.uint8(HIT)


@inline
def hold(values, tags, sources, slot, well, x, y, u, v, delta):
    """A tick on the spring of the well; x, y, u, v are relative to it."""
    omega = values[OMEGA, slot]
    x, u = sprung(x, u, omega, delta)
    y, v = sprung(y, v, omega, delta)
    values[X, slot] = sources[SOURCE_X, well] + x
    values[Y, slot] = sources[SOURCE_Y, well] + y
    values[VX, slot] = u
    values[VY, slot] = v


@inline
def go_on(values, tags, event, slot, x, y, u, v, well, has_wells, sources, source_tags, items, low, high, settings, type_number):
    """The move of a tick: to the first target or well on the way, else to its end."""
    delta = settings[DELTA]
    move_x = u * delta
    move_y = v * delta
    share, target = first_hit(x, y, move_x, move_y, sources, source_tags, items, low, high, settings[HIT_RADIUS], type_number)
    caught = _TWO
    catcher = np.int64(-1)
    if has_wells:
        caught, catcher = first_catch(x, y, move_x, move_y, sources, source_tags, items, low, high, type_number)
    if target >= 0 and share <= caught:
        strike(values, tags, event, slot, x + move_x * share, y + move_y * share, target)
        return
    if catcher >= 0:
        own_x = (sources[SOURCE_X, catcher] - sources[OLD_X, catcher]) / delta
        own_y = (sources[SOURCE_Y, catcher] - sources[OLD_Y, catcher]) / delta
        passed = caught * delta
        u -= own_x
        v -= own_y
        tags[STATE, slot] = np.int32(HELD)
        tags[TARGET, slot] = np.int32(catcher)
        event[slot] = np.uint8(CAUGHT)
        values[OMEGA, slot] = spring_frequency(u, v, sources, catcher)
        at_x = x - sources[OLD_X, catcher] + u * passed
        at_y = y - sources[OLD_Y, catcher] + v * passed
        hold(values, tags, sources, slot, catcher, at_x, at_y, u, v, delta - passed)
        return
    if well >= 0 and source_tags[DENSE, well] != 0:
        at_x = x - sources[OLD_X, well]
        at_y = y - sources[OLD_Y, well]
        at_x, at_y, u, v = moved_in_denser_space(at_x, at_y, u, v, sources[CAPTURE, well], delta)
        move_x = sources[SOURCE_X, well] + at_x - x
        move_y = sources[SOURCE_Y, well] + at_y - y
    values[X, slot] = x + move_x
    values[Y, slot] = y + move_y
    values[VX, slot] = u
    values[VY, slot] = v


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, uint8[::1] event, float32[:, ::1] sources, int32[:, ::1] source_tags,"
    " int32[::1] first, int32[::1] seen, int32[::1] nearest, float32[:, ::1] before, float32[:, ::1] after,"
    " int32[::1] bucket_start, int32[::1] items, float32[::1] settings, float32[::1] box, int64[::1] numbers"
)
def move_projectiles(
    values, tags, event, sources, source_tags, first, seen, nearest, before, after, bucket_start, items, settings, box, numbers,
    begin, end,
):  # fmt: skip
    """One tick of the projectiles ``begin..end``."""
    delta = settings[DELTA]
    thrust = settings[THRUST]
    damping = settings[DAMPING]
    top_speed = settings[TOP_SPEED]
    blend = settings[BLEND]
    snap_squared = settings[SNAP_SQUARED]
    start_x = box[START_X]
    start_y = box[START_Y]
    cells_x = box[CELLS_X]
    cells_y = box[CELLS_Y]
    buckets_x = box[BUCKETS_X]
    buckets_y = box[BUCKETS_Y]
    columns = numbers[COLUMNS]
    bucket_columns = numbers[BUCKET_COLUMNS]
    last_column = np.float32(columns - 1)
    last_row = np.float32(numbers[ROWS] - 1)
    last_bucket_column = np.float32(bucket_columns - 1)
    last_bucket_row = np.float32(numbers[BUCKET_ROWS] - 1)
    type_number = numbers[TYPE]
    has_repellers = numbers[HAS_REPELLERS] != 0
    has_wells = numbers[HAS_WELLS] != 0
    is_plain = numbers[IS_EXACT] == 0 and numbers[IS_BILINEAR] == 0
    for slot in range(begin, end):
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
        sight = np.int64(seen[cell])
        target = np.int64(first[cell]) if sight >= 0 else sight
        if target >= 0:
            to_x = sources[SOURCE_X, target] - x
            to_y = sources[SOURCE_Y, target] - y
            if to_x * to_x + to_y * to_y < snap_squared:
                strike(values, tags, event, slot, sources[SOURCE_X, target], sources[SOURCE_Y, target], target)
                continue
        if is_plain and sight < 0:
            wish_x = before[cell, 0] + (after[cell, 0] - before[cell, 0]) * blend
            wish_y = before[cell, 1] + (after[cell, 1] - before[cell, 1]) * blend
        else:
            wish_x, wish_y = wished(x, y, cell, sight, sources, source_tags, nearest, before, after, settings, box, numbers)
        column = limited_index(x, start_x, buckets_x, last_bucket_column)
        bucket = limited_index(y, start_y, buckets_y, last_bucket_row) * bucket_columns + column
        low = np.int64(bucket_start[bucket])
        high = np.int64(bucket_start[bucket + 1])
        if low == high:
            u, v = pushed(u, v, wish_x, wish_y, thrust, damping)
            u, v = capped(u, v, top_speed)
            values[X, slot] = x + u * delta
            values[Y, slot] = y + v * delta
            values[VX, slot] = u
            values[VY, slot] = v
            continue
        well = np.int64(-1)
        if has_repellers:
            wish_x, wish_y, push_x, push_y = gone_round(
                wish_x, wish_y, x, y, slot, sources, source_tags, items, low, high, type_number
            )
            u += push_x * thrust
            v += push_y * thrust
        u, v = pushed(u, v, wish_x, wish_y, thrust, damping)
        if has_wells:
            well = nearest_well(sources, source_tags, items, low, high, x, y, type_number)
            if well >= 0:
                u, v = pulled(u, v, x, y, sources, well, delta)
        u, v = capped(u, v, top_speed)
        go_on(
            values, tags, event, slot, x, y, u, v, well, has_wells, sources, source_tags, items, low, high, settings, type_number
        )
