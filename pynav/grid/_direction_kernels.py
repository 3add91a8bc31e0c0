# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that read the directions off finished distances.

A tile's direction is a step of a shortest way. Where several are, this total order decides: first the straight steps in
favour (E and W in even columns, S and N in even rows), then the diagonal ones, then the other straight ones; within each by the
number of the direction. In open ground about half of all tiles have a straight and a diagonal step to choose from. Always
the same one would send a horde to the axis or the diagonal through its goal, to walk on in a single file; taking turns by
column or row makes the way follow the middle between the two, and a sampler that blends neighbouring tiles (see
_sampling_kernels.py) gets that middle as a heading.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, NO_DIRECTION, STRAIGHT_FACTOR, UNREACHABLE, UNREACHABLE_WIDE
from pynav.kernels import block_kernel, inline

_UNREACHABLE = np.int64(UNREACHABLE)
_UNREACHABLE_WIDE = np.int64(UNREACHABLE_WIDE)


@inline
def direction_of(cost, solid, allowed, distance, width, row, column):
    """The direction of a tile that is no goal and has a way."""
    offset = (1, width + 1, width, width - 1, -1, -width - 1, -width, -width + 1)
    tile = row * width + column
    here = np.int64(distance[tile])
    own = np.int64(cost[tile])
    steps = np.int64(allowed[solid[tile]])
    late_x = (column & 1) * 16
    late_y = (row & 1) * 16
    best = np.int64(24)
    for step in range(8):
        if (steps >> step) & 1:
            other = tile + offset[step]
            factor = np.int64(STRAIGHT_FACTOR)
            rank = np.int64(step) + late_x
            if step & 1:
                factor = np.int64(DIAGONAL_FACTOR)
                rank = np.int64(step) + 8
            elif step & 2:
                rank = np.int64(step) + late_y
            if rank < best and np.int64(distance[other]) + (own + np.int64(cost[other])) * factor == here:
                best = rank
    return best & 7


@inline
def direction_rows(cost, solid, allowed, distance, direction, width, unreachable, begin, end):
    """The rows of ``write_directions`` for either width of distance."""
    for row in range(begin, end):
        for column in range(width):
            here = np.int64(distance[row * width + column])
            found = np.int64(NO_DIRECTION)
            if here != 0 and here != unreachable:
                found = direction_of(cost, solid, allowed, distance, width, row, column)
            direction[row * width + column] = np.uint8(found)


@block_kernel("uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int32[::1] distance, uint8[::1] direction, int64 width")
def write_directions(cost, solid, allowed, distance, direction, width, begin, end):
    """Write the directions of rows ``begin..end`` from int32 distances; 8 for goals and tiles without a way."""
    direction_rows(cost, solid, allowed, distance, direction, width, _UNREACHABLE, begin, end)


@block_kernel("uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int64[::1] distance, uint8[::1] direction, int64 width")
def write_directions_wide(cost, solid, allowed, distance, direction, width, begin, end):
    """The same from int64 distances."""
    direction_rows(cost, solid, allowed, distance, direction, width, _UNREACHABLE_WIDE, begin, end)
