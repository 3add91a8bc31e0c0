"""Kernels of the wall map: its bits from the tile costs, and getting agents out of tiles that turned solid."""

import numpy as np

from pynav.crowd.agent_layout import (
    ANCHOR_OFFSET,
    CROWD,
    LAYER,
    POSITION_X,
    POSITION_Y,
    VELOCITY_X,
    VELOCITY_Y,
    WALL_RADIUS,
)
from pynav.crowd.wall_geometry import GROUND_SHIFT, LARGEST_GROUND, ONE_WAY_GROUND, SOLID, WALL_RADIUS_LIMIT
from pynav.grid.exits import EAST, NORTH, SOUTH, WEST
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)


@inline
def side_step(side):
    """Columns and rows to the neighbour that a bit of the walls speaks of, in the order of wall_geometry.py; 8 is itself."""
    step_x = np.int64(0)
    step_y = np.int64(0)
    if side == 0 or side == 4 or side == 6:
        step_x = np.int64(-1)
    if side == 1 or side == 5 or side == 7:
        step_x = np.int64(1)
    if side == 2 or side == 4 or side == 5:
        step_y = np.int64(-1)
    if side == 3 or side == 6 or side == 7:
        step_y = np.int64(1)
    return step_x, step_y


@block_kernel("uint8[:, ::1] cost, uint16[:, ::1] walls, int64 first_column, int64 last_column")
def mark_walls(cost, walls, first_column, last_column, begin, end):
    """Bits of the wall map for rows ``begin..end`` and columns ``first_column..last_column - 1`` of the bordered map."""
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    for row in range(begin, end):
        for column in range(first_column, last_column):
            mask = np.int64(0)
            bit = np.int64(1)
            for side in range(9):
                step_x, step_y = side_step(side)
                tile_row = row - 1 + step_y
                tile_column = column - 1 + step_x
                if tile_row < 0 or tile_row >= height or tile_column < 0 or tile_column >= width:
                    mask |= bit
                elif cost[tile_row, tile_column] == 0:
                    mask |= bit
                elif side == 8:
                    mask |= min(np.int64(cost[tile_row, tile_column]) - 1, LARGEST_GROUND) << GROUND_SHIFT
                bit *= 2
            walls[row, column] = np.uint16(mask)


@inline
def is_closed(cost, closed, column, row, step_x, step_y):
    """Whether a straight step between two free tiles is forbidden by a closed exit."""
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    to_column = column + step_x
    to_row = row + step_y
    if column < 0 or row < 0 or column >= width or row >= height:
        return False
    if to_column < 0 or to_row < 0 or to_column >= width or to_row >= height:
        return False
    exit_bit = np.int64(NORTH)
    if step_x > 0:
        exit_bit = np.int64(EAST)
    elif step_x < 0:
        exit_bit = np.int64(WEST)
    elif step_y > 0:
        exit_bit = np.int64(SOUTH)
    return cost[row, column] != 0 and cost[to_row, to_column] != 0 and (closed[row, column] & exit_bit) != 0


@block_kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint16[:, ::1] walls, int64 first_column, int64 last_column, int64 first_row"
)
def mark_exits(cost, closed, walls, first_column, last_column, first_row, begin, end):
    """Add to the bits of ``mark_walls`` a wall wherever a closed exit stands in the way of who is in a tile, and mark the ground
    of tiles with closed exits. For rows ``first_row + begin..first_row + end`` of the bordered map.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    zero = np.int64(0)
    for line in range(begin, end):
        row = first_row + line - 1
        for bordered in range(first_column, last_column):
            column = bordered - 1
            if row < 0 or column < 0 or row >= height or column >= width or cost[row, column] == 0:
                continue
            mask = np.int64(walls[row + 1, bordered])
            if closed[row, column] != 0:
                mask |= ONE_WAY_GROUND
            for side in range(8):
                step_x, step_y = side_step(side)
                is_wall = False
                if step_x != 0:
                    is_wall = is_closed(cost, closed, column, row, step_x, zero)
                    is_wall = is_wall or (step_y != 0 and is_closed(cost, closed, column, row + step_y, step_x, zero))
                if step_y != 0:
                    is_wall = is_wall or is_closed(cost, closed, column, row, zero, step_y)
                    is_wall = is_wall or (step_x != 0 and is_closed(cost, closed, column + step_x, row, zero, step_y))
                if is_wall:
                    mask |= np.int64(1) << side
            walls[row + 1, bordered] = np.uint16(mask)


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, float32[::1] goal_x, float32[::1] goal_y, int32[:, ::1] crowd_numbers,"
    " float32[:, ::1] crowd_settings, uint16[:, :, ::1] walls, uint8[::1] has_moved, int64 agents_per_block"
)
def leave_solid(values, tags, goal_x, goal_y, crowd_numbers, crowd_settings, walls, has_moved, agents_per_block, begin, end):
    """Put agents whose tile has become solid into the free tile nearest to them (closest point; ties by row, then column).

    That becomes their goal too, so that who is half-way to another place stays. The entry of the block in ``has_moved`` becomes
    1 if any of its agents stood in a solid tile.
    """
    height = np.int64(walls.shape[1]) - 2
    width = np.int64(walls.shape[2]) - 2
    for agent in range(begin, end):
        crowd = np.int64(tags[CROWD, agent])
        layer = np.int64(crowd_numbers[LAYER, crowd])
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        x = values[POSITION_X, agent] - offset
        y = values[POSITION_Y, agent] - offset
        column = np.int64(x)
        row = np.int64(y)
        if (walls[layer, row + 1, column + 1] & SOLID) == 0:
            continue
        has_moved[begin // agents_per_block] = np.uint8(1)
        margin = crowd_settings[WALL_RADIUS, crowd]
        if margin > WALL_RADIUS_LIMIT:
            margin = WALL_RADIUS_LIMIT
        best = np.float32(1e30)
        best_x = x
        best_y = y
        ring = np.int64(1)
        last_ring = max(width, height)
        while ring <= last_ring:
            # A tile of ring k is at least k - 1 tiles away; one more ring after the first hit settles corners.
            nearest_possible = np.float32(ring - 1)
            if nearest_possible * nearest_possible > best:
                break
            for other_row in range(max(row - ring, 0), min(row + ring, height - 1) + 1):
                stride = np.int64(1)
                if other_row != row - ring and other_row != row + ring:
                    stride = 2 * ring
                other_column = column - ring
                while other_column <= column + ring:
                    if other_column >= 0 and other_column < width:
                        if (walls[layer, other_row + 1, other_column + 1] & SOLID) == 0:
                            low_x = np.float32(other_column) + margin
                            high_x = np.float32(other_column + 1) - margin
                            low_y = np.float32(other_row) + margin
                            high_y = np.float32(other_row + 1) - margin
                            to_x = x
                            if to_x < low_x:
                                to_x = low_x
                            if to_x > high_x:
                                to_x = high_x
                            to_y = y
                            if to_y < low_y:
                                to_y = low_y
                            if to_y > high_y:
                                to_y = high_y
                            squared = (to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)
                            if squared < best:
                                best = squared
                                best_x = to_x
                                best_y = to_y
                    other_column += stride
            ring += 1
        if best_x != x or best_y != y:
            values[POSITION_X, agent] = best_x + offset
            values[POSITION_Y, agent] = best_y + offset
        goal_x[agent] = values[POSITION_X, agent]
        goal_y[agent] = values[POSITION_Y, agent]
        values[VELOCITY_X, agent] = _ZERO
        values[VELOCITY_Y, agent] = _ZERO
