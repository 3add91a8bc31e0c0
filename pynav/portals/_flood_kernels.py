# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Inline functions that flood a small rectangle of tiles from seeds, row by row.

A row takes what the row above (or below) offers, all tiles at once, then hands it on to both sides along the row. Rows are looked
at again while a row beside them has fallen. What steps cost is worked out first, so that no sweep asks for walls: a
forbidden step costs 2 * FAR, and distances stay so far below 2 ** 31 that this can be added to them.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR
from pynav.kernels import inline
from pynav.portals.sector_layout import FAR

_FAR = np.int32(FAR)
_WALL = np.int32(2 * FAR)  # even from a distance far below zero it leads above FAR
_ZERO = np.int32(0)
_STRAIGHT = np.int32(STRAIGHT_FACTOR)
_DIAGONAL = np.int32(DIAGONAL_FACTOR)

# Rows of ``steps``: what the step to a tile costs from ...
FROM_LEFT = 0
FROM_ABOVE = 1
FROM_ABOVE_LEFT = 2
FROM_ABOVE_RIGHT = 3
STEP_ROWS = 4

# Rows of ``lines``: scratch of one row.
RELAXED = 0
RIGHTWARDS = 1
LEFTWARDS = 2
LINE_ROWS = 3


@inline
def weigh_steps(cost, top, left, rows, columns, padded, weight, wall, steps):
    """Load a rectangle of the map, with a solid border, and work out what its steps cost, without branches."""
    for tile in range((rows + 2) * padded):
        weight[tile] = _ZERO
        wall[tile] = _WALL
    for row in range(rows):
        own = (row + 1) * padded + 1
        for column in range(columns):
            here = np.int32(cost[top + row, left + column])
            weight[own + column] = here
            wall[own + column] = _WALL if here == 0 else _ZERO
    from_left = steps[FROM_LEFT]
    from_above = steps[FROM_ABOVE]
    falling = steps[FROM_ABOVE_LEFT]
    rising = steps[FROM_ABOVE_RIGHT]
    for tile in range(padded, (rows + 2) * padded - 1):
        above = tile - padded
        beside = tile - 1
        left_wall = np.int32(wall[tile] | wall[beside])
        above_wall = np.int32(wall[tile] | wall[above])
        from_left[tile] = np.int32((weight[tile] + weight[beside]) * _STRAIGHT + left_wall)
        from_above[tile] = np.int32((weight[tile] + weight[above]) * _STRAIGHT + above_wall)
        corner = np.int32(left_wall | wall[above] | wall[above - 1])
        falling[tile] = np.int32((weight[tile] + weight[above - 1]) * _DIAGONAL + corner)
        corner = np.int32(above_wall | wall[tile + 1] | wall[above + 1])
        rising[tile] = np.int32((weight[tile] + weight[above + 1]) * _DIAGONAL + corner)


@inline
def relax_row(distance, own, other, first_cost, left_cost, right_cost, straight, to_left, to_right, columns, relaxed):
    """A row against a row beside it; not zero if any tile falls.

    ``own`` and ``other`` are where the rows begin; the costs of the steps lie in three rows from ``first_cost``, ``left_cost``
    and ``right_cost`` on.
    """
    changed = _ZERO
    for column in range(columns):
        old = distance[own + column]
        best = old
        offered = np.int32(distance[other + column] + straight[first_cost + column])
        if offered < best:
            best = offered
        offered = np.int32(distance[other + column - 1] + to_left[left_cost + column])
        if offered < best:
            best = offered
        offered = np.int32(distance[other + column + 1] + to_right[right_cost + column])
        if offered < best:
            best = offered
        relaxed[column] = best
        changed = np.int32(changed | np.int32(best ^ old))
    return changed


@inline
def hand_along(distance, own, columns, beside, relaxed, rightwards, leftwards):
    """Hand a relaxed row's distances on to both sides at once and put them back; not zero if any tile fell."""
    right = _FAR
    left = _FAR
    for index in range(columns):
        right = min(relaxed[index], np.int32(right + beside[own + index]))
        rightwards[index] = right
        back = columns - 1 - index
        left = min(relaxed[back], np.int32(left + beside[own + back + 1]))
        leftwards[back] = left
    changed = _ZERO
    for index in range(columns):
        best = min(rightwards[index], leftwards[index])
        changed = np.int32(changed | np.int32(best ^ distance[own + index]))
        distance[own + index] = best
    return changed


@inline
def flood_rows(distance, padded, rows, columns, steps, lines, waiting):
    """Complete the distances of a rectangle from the seeds in ``distance``; FAR where there is none.

    ``waiting`` (2, rows + 2): rows to look at, from above and from below. Its first and last entries are the border's.
    """
    for row in range(rows + 2):
        waiting[0, row] = np.uint8(1)
        waiting[1, row] = np.uint8(1)
    relaxed = lines[RELAXED]
    rightwards = lines[RIGHTWARDS]
    leftwards = lines[LEFTWARDS]
    beside = steps[FROM_LEFT]
    above = steps[FROM_ABOVE]
    falling = steps[FROM_ABOVE_LEFT]
    rising = steps[FROM_ABOVE_RIGHT]
    first = True
    again = True
    while again:
        again = False
        for row in range(1, rows + 1):
            if waiting[0, row] != 0:
                waiting[0, row] = np.uint8(0)
                own = row * padded + 1
                fell = relax_row(distance, own, own - padded, own, own, own, above, falling, rising, columns, relaxed)
                if first or fell != 0:
                    fell = hand_along(distance, own, columns, beside, relaxed, rightwards, leftwards)
                    if fell != 0:
                        waiting[0, row + 1] = np.uint8(1)
                        waiting[1, row - 1] = np.uint8(1)
                        again = True
        first = False
        for index in range(rows):
            row = rows - index
            if waiting[1, row] != 0:
                waiting[1, row] = np.uint8(0)
                own = row * padded + 1
                below = own + padded
                fell = relax_row(distance, own, below, below, below - 1, below + 1, above, rising, falling, columns, relaxed)
                if fell != 0:
                    fell = hand_along(distance, own, columns, beside, relaxed, rightwards, leftwards)
                    if fell != 0:
                        waiting[1, row - 1] = np.uint8(1)
                        waiting[0, row + 1] = np.uint8(1)
                        again = True
