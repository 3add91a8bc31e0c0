# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Distances of the tiles of one block from goals that lie in it, for the kernels that begin searches."""

import numpy as np

from pynav.kernels import inline
from pynav.sectors._block_matrix_kernels import HAS_EXITS, PADDED, TILES, open_step_cost, step_cost, step_offset
from pynav.sectors.block_layout import FAR, SIDE, STEP

_FAR = np.int32(FAR)
_ZERO = np.int32(0)


@inline
def flood_block(local, distance):
    """Complete the distances of a loaded block's tiles from the seeds in ``distance`` (19 * 19, FAR where there is none)."""
    changed = True
    while changed:
        changed = False
        for backwards in range(2):
            for step in range(SIDE * SIDE):
                index = step
                if backwards == 1:
                    index = SIDE * SIDE - 1 - step
                tile = (index // SIDE + 1) * PADDED + index % SIDE + 1
                if local[tile] == 0:
                    continue
                best = distance[tile]
                side = np.int64(1)
                if backwards == 0:
                    side = np.int64(-1)
                ahead = side * PADDED
                offered = distance[tile + side] + step_cost(local, PADDED, tile, tile + side, tile, tile)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead] + step_cost(local, PADDED, tile, tile + ahead, tile, tile)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead - 1] + step_cost(local, PADDED, tile, tile + ahead - 1, tile - 1, tile + ahead)
                if offered < best:
                    best = offered
                offered = distance[tile + ahead + 1] + step_cost(local, PADDED, tile, tile + ahead + 1, tile + 1, tile + ahead)
                if offered < best:
                    best = offered
                offered = distance[tile - side] + step_cost(local, PADDED, tile, tile - side, tile, tile)
                if offered < best:
                    best = offered
                if best < distance[tile]:
                    distance[tile] = best
                    changed = True


@inline
def flood_over_exits(local, distance):
    """The same for a loaded block with closed exits: distances of tiles from which a way leads to a seed."""
    changed = True
    while changed:
        changed = False
        for backwards in range(2):
            for index in range(SIDE * SIDE):
                place = index
                if backwards == 1:
                    place = SIDE * SIDE - 1 - index
                tile = (place // SIDE + 1) * PADDED + place % SIDE + 1
                for step in range(8):
                    cost = open_step_cost(local, tile, step)
                    if cost < _FAR and distance[tile + step_offset(step)] + cost < distance[tile]:
                        distance[tile] = distance[tile + step_offset(step)] + cost
                        changed = True


@inline
def flood_from_goals(local, column_count, block, goal_x, goal_y, first_goal, last_goal, distance):
    """Distances of a loaded block's tiles from the goals that lie in it; False if none does, or all of them in solid tiles."""
    top = (block // column_count) * STEP
    left = (block % column_count) * STEP
    for tile in range(TILES):
        distance[tile] = _FAR
    found = False
    for goal in range(first_goal, last_goal):
        row = np.int64(goal_y[goal]) - top
        column = np.int64(goal_x[goal]) - left
        if row >= 0 and row < SIDE and column >= 0 and column < SIDE and local[(row + 1) * PADDED + column + 1] != 0:
            distance[(row + 1) * PADDED + column + 1] = _ZERO
            found = True
    if found and local[HAS_EXITS] != 0:
        flood_over_exits(local, distance)
    elif found:
        flood_block(local, distance)
    return found
