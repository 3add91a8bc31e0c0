# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the line of sight: every tile that a straight line touches, in exact integers."""

import numpy as np

from pynav.kernels import inline, kernel


@inline
def way_along(start, end):
    """How far it is along an axis, and which way."""
    if end < start:
        return start - end, np.int64(-1)
    return end - start, np.int64(1)


@inline
def sees(cost, from_x, from_y, to_x, to_y):
    """1 if the line between the two tile centres touches no solid tile, not even at a corner, else 0.

    The line is walked from border to border. With dx and dy the distances in tiles, border number i in x is met at the
    time (2 i - 1) / (2 dx), number j in y at (2 j - 1) / (2 dy); which comes first is decided by whole numbers. Where both
    come at once, the line goes through a corner, and touches all four tiles around it.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    if from_x < 0 or from_y < 0 or from_x >= width or from_y >= height:
        return np.int64(0)
    if to_x < 0 or to_y < 0 or to_x >= width or to_y >= height:
        return np.int64(0)
    if cost[from_y, from_x] == 0:
        return np.int64(0)
    distance_x, step_x = way_along(from_x, to_x)
    distance_y, step_y = way_along(from_y, to_y)
    x = from_x
    y = from_y
    next_x = distance_y  # (2 i - 1) * dy, for the next border in x
    next_y = distance_x  # (2 j - 1) * dx, for the next border in y
    while x != to_x or y != to_y:
        if x != to_x and (next_x < next_y or y == to_y):
            x += step_x
            next_x += 2 * distance_y
        elif y != to_y and (next_y < next_x or x == to_x):
            y += step_y
            next_y += 2 * distance_x
        else:
            if cost[y, x + step_x] == 0 or cost[y + step_y, x] == 0:
                return np.int64(0)
            x += step_x
            y += step_y
            next_x += 2 * distance_y
            next_y += 2 * distance_x
        if cost[y, x] == 0:
            return np.int64(0)
    return np.int64(1)


@inline
def crosses(steps, x, y, step_x, step_y):
    """Whether a step of one tile may be taken, by the bits of exits.open_steps."""
    direction = np.int64(0)
    if step_x == 0:
        direction = np.int64(4) - 2 * step_y
    elif step_x > 0:
        direction = step_y & 7
    else:
        direction = np.int64(4) - step_y
    return (steps[y, x] >> direction) & 1 != 0


@inline
def sees_over_exits(steps, cost, from_x, from_y, to_x, to_y):
    """The same for a line that has to be walked from its first end: each border is crossed by a step that may be taken."""
    if sees(cost, from_x, from_y, to_x, to_y) == 0:
        return np.int64(0)
    distance_x, step_x = way_along(from_x, to_x)
    distance_y, step_y = way_along(from_y, to_y)
    x = from_x
    y = from_y
    next_x = distance_y
    next_y = distance_x
    while x != to_x or y != to_y:
        across = np.int64(0)
        down = np.int64(0)
        if x != to_x and (next_x <= next_y or y == to_y):
            across = step_x
        if y != to_y and (next_y <= next_x or x == to_x):
            down = step_y
        if not crosses(steps, x, y, across, down):
            return np.int64(0)
        if across != 0:
            x += across
            next_x += 2 * distance_y
        if down != 0:
            y += down
            next_y += 2 * distance_x
    return np.int64(1)


@kernel("uint8[:, ::1] steps, uint8[:, ::1] cost, int64[:, ::1] line, uint8[::1] result")
def see_many_over_exits(steps, cost, line, result):
    """``see_many`` where tiles have closed exits; ``steps`` as of exits.open_steps."""
    for index in range(line.shape[0]):
        result[index] = np.uint8(sees_over_exits(steps, cost, line[index, 0], line[index, 1], line[index, 2], line[index, 3]))


@kernel("uint8[:, ::1] cost, int64[:, ::1] line, uint8[::1] result")
def see_many(cost, line, result):
    """``result[i]`` becomes 1 if the ends (x, y, x, y) of ``line[i]`` see each other, else 0."""
    for index in range(line.shape[0]):
        result[index] = np.uint8(sees(cost, line[index, 0], line[index, 1], line[index, 2], line[index, 3]))
