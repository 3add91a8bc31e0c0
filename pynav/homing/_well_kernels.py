"""Inline functions of gravity wells: the pull from outside, the catch, the spring that holds, and the denser space.

A force alone throws what it attracts through the middle. Two ways hold it at any step and strength: a critically damped
spring, solved exactly and latched when the circle is entered (its frequency is frozen at the catch, so that nothing swings out
again), or a space that is denser the nearer to the middle, as an implicit step of the metric 1 + radius / distance.
"""

import numpy as np

from pynav.homing.homing_layout import (
    CAPTURE,
    DENSE,
    OLD_X,
    OLD_Y,
    PULL,
    REACH,
    SOURCE_ALIVE,
    SOURCE_TYPE,
    SOURCE_X,
    SOURCE_Y,
)
from pynav.kernels import inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)
_FOUR = np.float32(4.0)
_TINY = np.float32(1e-20)
_FAR = np.float32(3e38)


@inline
def exp_minus(value):
    """e to the power of -value, value >= 0, in float64; our own, for equal bits on every machine."""
    part = np.float64(value) / np.float64(4096.0)
    small = np.float64(1.0) - part * (np.float64(1.0) - part * (np.float64(0.5) - part / np.float64(6.0)))
    if part > np.float64(1.0):
        return np.float64(0.0)
    for _ in range(12):
        small = small * small
    return small


@inline
def nearest_well(sources, source_tags, items, low, high, x, y, type_number):
    """Slot of the well whose circle is nearest, among those that are felt here; -1 if there is none."""
    best = np.int64(-1)
    least = _FAR
    for index in range(low, high):
        source = np.int64(items[index])
        if sources[CAPTURE, source] <= _ZERO or source_tags[SOURCE_TYPE, source] != type_number:
            continue
        away_x = sources[OLD_X, source] - x
        away_y = sources[OLD_Y, source] - y
        distance = np.sqrt(away_x * away_x + away_y * away_y)
        if distance < max(sources[REACH, source], sources[CAPTURE, source]) and distance - sources[CAPTURE, source] < least:
            least = distance - sources[CAPTURE, source]
            best = source
    return best


@inline
def pulled(u, v, x, y, sources, well, delta):
    """Velocity after a tick of a well's pull; what goes round it is damped, so nothing circles for ever."""
    away_x = sources[OLD_X, well] - x
    away_y = sources[OLD_Y, well] - y
    distance = np.sqrt(away_x * away_x + away_y * away_y)
    if distance <= _TINY:
        return u, v
    away_x /= distance
    away_y /= distance
    pull = sources[PULL, well]
    along = u * away_x + v * away_y
    kept = np.float32(exp_minus(np.sqrt(pull / distance) * delta))
    across_x = (u - along * away_x) * kept
    across_y = (v - along * away_y) * kept
    along += pull * delta
    return along * away_x + across_x, along * away_y + across_y


@inline
def entry_time(x, y, move_x, move_y, radius):
    """Share of a move (0..1) after which a circle round the origin is entered; 0 inside, above 1 if it isn't."""
    outside = x * x + y * y - radius * radius
    if outside <= _ZERO:
        return _ZERO
    speed = move_x * move_x + move_y * move_y
    along = x * move_x + y * move_y
    under = along * along - speed * outside
    if along >= _ZERO or speed <= _TINY or under < _ZERO:
        return _TWO
    return (-along - np.sqrt(under)) / speed


@inline
def first_catch(x, y, move_x, move_y, sources, source_tags, items, low, high, type_number):
    """(share of the move, slot) of the well that catches first; (2, -1) if none does."""
    best = np.int64(-1)
    soonest = _TWO
    for index in range(low, high):
        source = np.int64(items[index])
        if sources[CAPTURE, source] <= _ZERO or source_tags[SOURCE_TYPE, source] != type_number:
            continue
        if source_tags[DENSE, source] != 0:
            continue
        own_x = sources[SOURCE_X, source] - sources[OLD_X, source]
        own_y = sources[SOURCE_Y, source] - sources[OLD_Y, source]
        share = entry_time(
            x - sources[OLD_X, source], y - sources[OLD_Y, source], move_x - own_x, move_y - own_y, sources[CAPTURE, source]
        )
        if share <= _ONE and share < soonest:
            soonest = share
            best = source
    return soonest, best


@inline
def spring_frequency(u, v, sources, well):
    """Of the spring that holds what enters with a velocity (relative to the well)."""
    radius = sources[CAPTURE, well]
    return max(np.sqrt(sources[PULL, well] / radius), np.sqrt(u * u + v * v) / radius)


@inline
def sprung(place, speed, omega, delta):
    """Place and speed after a time on the critically damped spring, along one axis; exact."""
    kept = exp_minus(omega * delta)
    push = np.float64(speed) + np.float64(omega) * np.float64(place)
    after = (np.float64(place) + push * np.float64(delta)) * kept
    return np.float32(after), np.float32(push * kept - np.float64(omega) * after)


@inline
def moved_in_denser_space(x, y, u, v, radius, delta):
    """(x, y, u, v) after a step in the metric 1 + radius / distance round the origin: one square root, no orbit is possible."""
    distance = np.sqrt(x * x + y * y)
    if distance <= _TINY:
        return x, y, _ZERO, _ZERO
    out_x = x / distance
    out_y = y / distance
    out = u * out_x + v * out_y
    around = v * out_x - u * out_y
    if out > _ZERO:
        after = distance + out * delta * distance / (distance + radius)
    else:
        part = radius - out * delta - distance
        root = np.sqrt(part * part + _FOUR * distance * radius)
        after = _TWO * distance * radius / (part + root) if part > _ZERO else _HALF * (root - part)
    half = _HALF * around * delta / (_HALF * (distance + after) + radius)
    scale = _ONE / (_ONE + half * half)
    cosine = (_ONE - half * half) * scale
    sine = _TWO * half * scale
    new_x = out_x * cosine - out_y * sine
    new_y = out_x * sine + out_y * cosine
    return new_x * after, new_y * after, new_x * out - new_y * around, new_y * out + new_x * around


@inline
def is_well(sources, source_tags, well):
    """Whether a slot is that of a well that is there."""
    return well >= 0 and source_tags[SOURCE_ALIVE, well] != 0 and sources[CAPTURE, well] > _ZERO
