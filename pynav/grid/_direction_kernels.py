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
def _direction_rows(cost, solid, allowed, distance, direction, width, unreachable, begin, end):
    offset = (1, width + 1, width, width - 1, -1, -width - 1, -width, -width + 1)
    for row in range(begin, end):
        for column in range(width):
            tile = row * width + column
            here = np.int64(distance[tile])
            found = np.int64(NO_DIRECTION)
            if here != 0 and here != unreachable:
                steps = np.int64(allowed[solid[tile]])
                own = np.int64(cost[tile])
                best = np.int64(24)
                for step in range(8):
                    if (steps >> step) & 1:
                        other = tile + offset[step]
                        factor = np.int64(STRAIGHT_FACTOR)
                        rank = np.int64(step)
                        if step & 1:
                            factor = np.int64(DIAGONAL_FACTOR)
                            rank += 8
                        elif ((row if step & 2 else column) & 1) == 1:
                            rank += 16
                        if rank < best and np.int64(distance[other]) + (own + np.int64(cost[other])) * factor == here:
                            best = rank
                            found = np.int64(step)
            direction[tile] = np.uint8(found)


@block_kernel(
    "uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int32[::1] distance, uint8[::1] direction, int64 width"
)
def write_directions(cost, solid, allowed, distance, direction, width, begin, end):
    """Write the directions of rows ``begin..end`` from int32 distances; 8 for goals and tiles without a way."""
    _direction_rows(cost, solid, allowed, distance, direction, width, _UNREACHABLE, begin, end)


@block_kernel(
    "uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int64[::1] distance, uint8[::1] direction, int64 width"
)
def write_directions_wide(cost, solid, allowed, distance, direction, width, begin, end):
    """The same from int64 distances."""
    _direction_rows(cost, solid, allowed, distance, direction, width, _UNREACHABLE_WIDE, begin, end)
