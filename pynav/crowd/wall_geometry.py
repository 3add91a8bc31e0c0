"""Small kernels that keep a disc out of solid tiles; inlined into the passes that move agents.

``walls`` is uint16 (height + 2, width + 2), one tile of solid border around the map, index [y + 1, x + 1]. Bit 8 says that
the tile itself is solid, bits 0..7 that its neighbour W, E, N, S, NW, NE, SW, SE is, or that a closed exit (pynav/grid/exits.py)
stands in the way there: for who is inside that is a wall, who comes from there doesn't see it. The seven bits above hold its cost
less 1, 126 at most, so that the ground changes where they do; 127 marks tiles with closed exits, whatever they cost: no straight
way leads over them but from tile to tile.

The tiles are those of the agent's layer: of a size above 1 they are anchors, and solid where the whole unit doesn't fit
(pynav/grid/clearance.py). ``offset`` is what a position lies right and below of its place among them. What is held out of the
walls is then the part of the disc alone that reaches beyond the tiles of its size (``radius`` here): a wall to the right of the
last free anchor begins where the footprint ends. At corners that keeps the disc a little further away than it must be.

A disc is held at this radius up to ``WALL_RADIUS_LIMIT``; a bigger one is held at the limit, so that whoever can
walk a corridor of its size can leave it again: the flow leads through every such gap, and a disc that were kept out at its true
radius would be wedged in the door for ever.

A coordinate becomes a tile by truncation: rounding down would cost a library call on processors without SSE4.1. Places up to
a tile left of or above the map thereby count as its first column or row, whose neighbour outside is solid, so that the push
brings them back.
"""

import numpy as np

from pynav.kernels import inline

SOLID = 256
NEARBY = 511  # the bits that speak of walls
GROUND_SHIFT = 9  # where the cost begins
LARGEST_GROUND = 126
ONE_WAY_GROUND = 127 << GROUND_SHIFT
GROUND = SOLID | ONE_WAY_GROUND  # solid or not, and the cost
WALL_RADIUS_LIMIT = np.float32(0.45)
STEP_BASE = np.float32(3.0)  # farthest a tick may move an agent: dt * (STEP_BASE + STEP_SPEED * speed) ...
STEP_SPEED = np.float32(2.0)
STEP_LIMIT = np.float32(0.45)  # ... and never this many tiles, so that no wall is jumped
_HALF = np.float32(0.5)
_SIDES = 0x736180524  # which bit tells of a neighbour: four bits each, by row, then column
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)


@inline
def is_one_way(walls, x, y):
    """Whether the tile under (x, y) has closed exits."""
    return (np.int64(walls[np.int64(y) + 1, np.int64(x) + 1]) & GROUND) == ONE_WAY_GROUND


@inline
def has_wall(bits, across, down):
    """Whether the bits of a tile say that nothing goes on to the one so many columns and rows (-1..1) on; (0, 0) is itself."""
    side = (_SIDES >> (4 * (3 * down + across + 4))) & 15
    return (bits >> side) & 1 != 0


@inline
def is_open_ground(walls, x, y):
    """Whether the tile under (x, y) is neither solid nor has closed exits; it may lie up to one tile outside the map."""
    ground = np.int64(walls[np.int64(y) + 1, np.int64(x) + 1]) & GROUND
    return (ground & SOLID) == 0 and ground != ONE_WAY_GROUND


@inline
def is_by_one_way(walls, x, y):
    """Whether one of the four tiles around (x, y) that a heading is blended from has closed exits (_sampling_kernels.py)."""
    column = np.int64(x + _HALF)
    row = np.int64(y + _HALF)
    for down in range(2):
        for right in range(2):
            if (np.int64(walls[row + down, column + right]) & GROUND) == ONE_WAY_GROUND:
                return True
    return False


@inline
def allowed_move(walls, offset, old_x, old_y, new_x, new_y):
    """The end of a move of less than a tile: whole, along one axis, or none, so that it ends in a free tile.

    Between two solid tiles that touch at a corner nobody slips through, however small.
    """
    old_column = np.int64(old_x - offset) + 1
    old_row = np.int64(old_y - offset) + 1
    new_column = np.int64(new_x - offset) + 1
    new_row = np.int64(new_y - offset) + 1
    if old_column == new_column and old_row == new_row:
        return new_x, new_y
    bits = np.int64(walls[old_row, old_column])
    along_x = not has_wall(bits, new_column - old_column, 0)
    along_y = not has_wall(bits, 0, new_row - old_row)
    if not has_wall(bits, new_column - old_column, new_row - old_row) and (along_x or along_y):
        return new_x, new_y
    if along_x:
        return new_x, old_y
    if along_y:
        return old_x, new_y
    return old_x, old_y


@inline
def pushed_from_walls(walls, offset, x, y, radius):
    """The nearest place to (x, y) in its tile where a disc overlaps none of the eight tiles around (corners first)."""
    column = np.int64(x - offset)
    row = np.int64(y - offset)
    mask = np.int64(walls[row + 1, column + 1]) & NEARBY
    if mask == 0:
        return x, y
    if (mask & SOLID) != 0:
        return x, y
    base_x = np.float32(column) + offset
    base_y = np.float32(row) + offset
    inner_x = x - base_x
    inner_y = y - base_y
    limit = radius
    if limit > WALL_RADIUS_LIMIT:
        limit = WALL_RADIUS_LIMIT
    limit_squared = limit * limit
    if mask & 16:
        squared = inner_x * inner_x + inner_y * inner_y
        if squared < limit_squared and squared > _TINY:
            scale = limit / np.sqrt(squared)
            inner_x *= scale
            inner_y *= scale
    if mask & 32:
        from_right = _ONE - inner_x
        squared = from_right * from_right + inner_y * inner_y
        if squared < limit_squared and squared > _TINY:
            scale = limit / np.sqrt(squared)
            inner_x = _ONE - from_right * scale
            inner_y *= scale
    if mask & 64:
        from_bottom = _ONE - inner_y
        squared = inner_x * inner_x + from_bottom * from_bottom
        if squared < limit_squared and squared > _TINY:
            scale = limit / np.sqrt(squared)
            inner_x *= scale
            inner_y = _ONE - from_bottom * scale
    if mask & 128:
        from_right = _ONE - inner_x
        from_bottom = _ONE - inner_y
        squared = from_right * from_right + from_bottom * from_bottom
        if squared < limit_squared and squared > _TINY:
            scale = limit / np.sqrt(squared)
            inner_x = _ONE - from_right * scale
            inner_y = _ONE - from_bottom * scale
    if (mask & 1) and inner_x < limit:
        inner_x = limit
    if (mask & 2) and inner_x > _ONE - limit:
        inner_x = _ONE - limit
    if (mask & 4) and inner_y < limit:
        inner_y = limit
    if (mask & 8) and inner_y > _ONE - limit:
        inner_y = _ONE - limit
    return base_x + inner_x, base_y + inner_y


@inline
def limited_step(x, y, new_x, new_y, limit):
    """The end of the step from (x, y), shortened to ``limit`` tiles."""
    step_x = new_x - x
    step_y = new_y - y
    squared = step_x * step_x + step_y * step_y
    if squared > limit * limit:
        scale = limit / np.sqrt(squared)
        return x + step_x * scale, y + step_y * scale
    return new_x, new_y


@inline
def step_limit(speed, dt):
    """The farthest an agent of this top speed may be moved in a tick, tiles."""
    limit = dt * (STEP_BASE + STEP_SPEED * speed)
    if limit > STEP_LIMIT:
        limit = STEP_LIMIT
    return limit
