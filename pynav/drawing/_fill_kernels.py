# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that give squares of tiles their roles: what tiles cost, where units of a size can stand, which island they are of."""

import numpy as np

from pynav.drawing.roles import Role
from pynav.kernels import inline, kernel

_NOTHING = int(Role.NOTHING)
_FITS = int(Role.FITS)
_TOO_NARROW = int(Role.TOO_NARROW)


@kernel(
    "uint8[:, ::1] cost, uint8[::1] role_of_cost, int64 left, int64 top, int64 stride, int64 x, int64 y, int64 x_end,"
    " int64 y_end, uint8[:, ::1] role"
)
def write_cost_roles(cost, role_of_cost, left, top, stride, x, y, x_end, y_end, role):
    """The role of the least cost in each square of ``stride`` x ``stride`` tiles, so that thin walls stay visible from afar.

    ``role`` holds the squares from tile (left, top) on; those in x .. x_end and y .. y_end (not included) are written.
    """
    for row in range(y, y_end):
        first_y = top + row * stride
        for column in range(x, x_end):
            first_x = left + column * stride
            least = np.int64(255)
            for tile_y in range(first_y, min(first_y + stride, np.int64(cost.shape[0]))):
                for tile_x in range(first_x, min(first_x + stride, np.int64(cost.shape[1]))):
                    least = min(least, np.int64(cost[tile_y, tile_x]))
            role[row, column] = role_of_cost[least]


@inline
def is_block_free(cost, x, y, size):
    """Whether ``size`` x ``size`` tiles from (x, y) on lie within the map and are free."""
    is_free = x >= 0 and y >= 0 and x + size <= np.int64(cost.shape[1]) and y + size <= np.int64(cost.shape[0])
    if is_free:
        for tile_y in range(y, y + size):
            for tile_x in range(x, x + size):
                if cost[tile_y, tile_x] == 0:
                    is_free = False
    return is_free


@inline
def is_covered(cost, x, y, size):
    """Whether a unit of a size can stand so that it covers a tile."""
    found = False
    for up in range(size):
        for aside in range(size):
            if not found:
                found = is_block_free(cost, x - aside, y - up, size)
    return found


@kernel(
    "uint8[:, ::1] cost, int64 unit_size, int64 left, int64 top, int64 stride, int64 x, int64 y, int64 x_end, int64 y_end,"
    " uint8[:, ::1] role"
)
def write_clearance(cost, unit_size, left, top, stride, x, y, x_end, y_end, role):
    """Whether the first tile of each square is wide enough for a unit: some place where it fits covers it. As above."""
    for row in range(y, y_end):
        tile_y = top + row * stride
        for column in range(x, x_end):
            tile_x = left + column * stride
            found = np.int64(_NOTHING)
            if cost[tile_y, tile_x] != 0:
                found = np.int64(_TOO_NARROW)
                if is_covered(cost, tile_x, tile_y, unit_size):
                    found = np.int64(_FITS)
            role[row, column] = np.uint8(found)


@kernel(
    "uint16[:, ::1] island, int32[::1] island_start, uint8[::1] role_of_island, int64 size, int64 column_count, int64 left,"
    " int64 top, int64 stride, uint8[:, ::1] role"
)
def write_island_roles(island, island_start, role_of_island, size, column_count, left, top, stride, role):
    """The role of the island that the first tile of each square is of; solid ones have none."""
    for row in range(role.shape[0]):
        tile_y = top + row * stride
        for column in range(role.shape[1]):
            tile_x = left + column * stride
            local = np.int64(island[tile_y, tile_x])
            role[row, column] = np.uint8(0)
            if local > 0:
                sector = tile_y // size * column_count + tile_x // size
                role[row, column] = role_of_island[np.int64(island_start[sector]) + local - 1]
