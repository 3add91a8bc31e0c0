"""What a projectile does in a tick: it finds its direction in its cell, is pushed, goes round repellers, is pulled and caught by
wells, hits what lies on its way, and moves. It writes its own slot alone.
"""

import numpy as np

from pynav.homing._cell_kernels import blended, exact_target
from pynav.homing._source_kernels import limited_index
from pynav.homing._well_kernels import (
    entry_time,
    first_catch,
    moved_in_denser_space,
    nearest_well,
    pulled,
    spring_frequency,
    sprung,
)
from pynav.homing.homing_layout import (
    ASTRAY,
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
    HAS_REPELLERS,
    HAS_WELLS,
    HELD,
    HIT,
    HIT_RADIUS,
    IS_BILINEAR,
    IS_EXACT,
    LEAD,
    OLD_X,
    OLD_Y,
    OMEGA,
    PATIENCE,
    POWER,
    REACH,
    ROWS,
    SNAP_SQUARED,
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
    TIGHTENING,
    TOP_SPEED,
    TOUCH_MOVE_X,
    TOUCH_MOVE_Y,
    TOUCH_RADIUS,
    TOUCH_SQUARED,
    TOUCH_TYPE,
    TOUCH_X,
    TOUCH_Y,
    TURN,
    TYPE,
    VX,
    VY,
    X,
    Y,
)
from pynav.kernels import inline

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
def meeting_time(to_x, to_y, target_u, target_v, speed):
    """Seconds until something of that speed can meet a target at (to_x, to_y) that keeps its velocity; 0 if it never can.

    The least t above 0 with |to + velocity t| = speed t, found by its inverse: nothing cancels where both are about as fast.
    """
    squared = to_x * to_x + to_y * to_y
    away = to_x * target_u + to_y * target_v
    root = away * away + squared * (speed * speed - (target_u * target_u + target_v * target_v))
    if root < _ZERO:
        return _ZERO
    nearing = np.sqrt(root) - away
    return squared / nearing if nearing > _ZERO else _ZERO


@inline
def towards(x, y, sources, target, lead, top_speed):
    """Unit direction from a place to a target, or to where it can be met, at most ``lead`` seconds ahead of it.

    At one that gets away it flies itself: leading that as far as it may made sure hits by a fifth to a quarter later.
    """
    to_x = sources[SOURCE_X, target] - x
    to_y = sources[SOURCE_Y, target] - y
    if lead > _ZERO:
        ahead = min(lead, meeting_time(to_x, to_y, sources[SOURCE_VX, target], sources[SOURCE_VY, target], top_speed))
        to_x += sources[SOURCE_VX, target] * ahead
        to_y += sources[SOURCE_VY, target] * ahead
    return unit(to_x, to_y)


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
def nearer(x, y, one, other, sources):
    """Of two targets, either of which may be none (-1), the nearer; the first of two as near."""
    if one < 0:
        return other
    if other >= 0 and other != one:
        one_x = sources[SOURCE_X, one] - x
        one_y = sources[SOURCE_Y, one] - y
        other_x = sources[SOURCE_X, other] - x
        other_y = sources[SOURCE_Y, other] - y
        if other_x * other_x + other_y * other_y < one_x * one_x + one_y * one_y:
            return other
    return one


@inline
def wished(x, y, cell, target, sources, source_tags, nearest, before, after, settings, box, numbers):
    """Direction that a projectile is pushed in, at most 1 long; 0 where nothing calls.

    Between arrows that disagree it is shorter. A target in sight is flown at itself: the arrow of its own cell points nowhere.
    """
    if numbers[IS_EXACT] != 0:
        target = nearer(x, y, target, exact_target(cell, nearest, sources, source_tags, numbers[TYPE]), sources)
    if target >= 0:
        return towards(x, y, sources, target, settings[LEAD], settings[TOP_SPEED])
    if numbers[IS_EXACT] != 0:
        return _ZERO, _ZERO
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
def pushed(u, v, wish_x, wish_y, astray, settings):
    """(velocity after the push, turns astray).

    What goes across the wish is damped: a turning circle stays. Who flies astray, more than an eighth of a turn off its wish, for
    longer than its patience, is damped the more the longer it does: so nothing circles for ever. Who doesn't comes nearer all the
    time.
    """
    if wish_x == _ZERO and wish_y == _ZERO:
        return u, v, astray
    along = u * wish_x + v * wish_y
    is_astray = along * abs(along) < _HALF * ((u * u + v * v) * (wish_x * wish_x + wish_y * wish_y))
    late = astray - settings[PATIENCE]
    damping = settings[DAMPING] / (_ONE + settings[TIGHTENING] * (late if late > _ZERO else _ZERO))
    across_x = (u - along * wish_x) * damping
    across_y = (v - along * wish_y) * damping
    along += settings[THRUST]
    astray += settings[TURN] if is_astray else _ZERO
    return along * wish_x + across_x, along * wish_y + across_y, astray


@inline
def capped(u, v, top_speed):
    """A velocity of at most the top speed."""
    squared = u * u + v * v
    scale = top_speed / np.sqrt(squared)  # before it is known whether it is needed: a branch would be guessed wrong too often
    scale = scale if squared > top_speed * top_speed else _ONE
    return u * scale, v * scale


@inline
def first_hit(x, y, move_x, move_y, touch, items, low, high, hit_radius, type_number):
    """(share of the move, slot) of the target that is touched first, both moving; (2, -1) if none is."""
    best = np.int64(-1)
    soonest = _TWO
    for index in range(low, high):
        to_x = x - touch[index, TOUCH_X]
        to_y = y - touch[index, TOUCH_Y]
        if to_x * to_x + to_y * to_y > touch[index, TOUCH_SQUARED] or touch[index, TOUCH_TYPE] != np.float32(type_number):
            continue
        share = entry_time(
            to_x, to_y, move_x - touch[index, TOUCH_MOVE_X], move_y - touch[index, TOUCH_MOVE_Y],
            touch[index, TOUCH_RADIUS] + hit_radius,
        )  # fmt: skip
        if share <= _ONE and share < soonest:
            soonest = share
            best = np.int64(items[index])
    return soonest, best


@inline
def snaps(x, y, target, sources, settings):
    """Whether the target of a projectile's own cell is so near that it is hit at once."""
    to_x = sources[SOURCE_X, target] - x
    to_y = sources[SOURCE_Y, target] - y
    return to_x * to_x + to_y * to_y < settings[SNAP_SQUARED]


@inline
def bucket_at(x, y, bucket_start, box, numbers):
    """Where the list of the sources that may be felt at a place begins and ends."""
    columns = numbers[BUCKET_COLUMNS]
    column = limited_index(x, box[START_X], box[BUCKETS_X], np.float32(columns - 1))
    row = limited_index(y, box[START_Y], box[BUCKETS_Y], np.float32(numbers[BUCKET_ROWS] - 1))
    bucket = row * columns + column
    return np.int64(bucket_start[bucket]), np.int64(bucket_start[bucket + 1])


@inline
def strike(values, tags, event, slot, x, y, target):
    """The projectile is gone where it touched its target."""
    values[X, slot] = x
    values[Y, slot] = y
    values[ASTRAY, slot] = _ZERO
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
def go_on(
    values, tags, event, slot, x, y, u, v, well, has_wells, sources, source_tags, items, touch, low, high, settings, type_number
):
    """The move of a tick: to the first target or well on the way, else to its end."""
    delta = settings[DELTA]
    move_x = u * delta
    move_y = v * delta
    share, target = first_hit(x, y, move_x, move_y, touch, items, low, high, settings[HIT_RADIUS], type_number)
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
        values[ASTRAY, slot] = _ZERO
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


@inline
def fly(
    values, tags, event, slot, x, y, u, v, cell, sources, source_tags, first, seen, nearest, before, after, bucket_start, items,
    touch, settings, box, numbers,
):  # fmt: skip
    """The tick of one projectile that flies, with all that there may be."""
    thrust = settings[THRUST]
    sight = np.int64(seen[cell])
    target = np.int64(first[cell]) if sight >= 0 else sight
    if target >= 0 and snaps(x, y, target, sources, settings):
        strike(values, tags, event, slot, sources[SOURCE_X, target], sources[SOURCE_Y, target], target)
        return
    wish_x, wish_y = wished(x, y, cell, sight, sources, source_tags, nearest, before, after, settings, box, numbers)
    low, high = bucket_at(x, y, bucket_start, box, numbers)
    well = np.int64(-1)
    has_wells = numbers[HAS_WELLS] != 0 and low < high
    if numbers[HAS_REPELLERS] != 0 and low < high:
        wish_x, wish_y, push_x, push_y = gone_round(
            wish_x, wish_y, x, y, slot, sources, source_tags, items, low, high, numbers[TYPE]
        )
        u += push_x * thrust
        v += push_y * thrust
    u, v, astray = pushed(u, v, wish_x, wish_y, values[ASTRAY, slot], settings)
    values[ASTRAY, slot] = astray
    if has_wells:
        well = nearest_well(sources, source_tags, items, low, high, x, y, numbers[TYPE])
        if well >= 0:
            u, v = pulled(u, v, x, y, sources, well, settings[DELTA])
    u, v = capped(u, v, settings[TOP_SPEED])
    go_on(
        values, tags, event, slot, x, y, u, v, well, has_wells, sources, source_tags, items, touch, low, high, settings,
        numbers[TYPE],
    )  # fmt: skip
