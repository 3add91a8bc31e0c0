# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""String pulling along a flow: which tile of its route an agent walks straight to.

The eight directions of a flow lead from tile to tile: whoever follows them zigzags and walks up to 8 % too far. So each agent
keeps a *target*, a tile of its route, and pushes it on along the flow as far as it stays in sight: string pulling, as Theta*
does it while it searches (Daniel et al. 2010, "Theta*: Any-Angle Path Planning on Grids"), done while walking. In sight means
that a strip as wide as the agent is held out of walls touches nothing but tiles of the cost of its own: no corner is cut, and a
route that goes round a swamp is not shortened through it. Nothing is in sight over tiles with closed exits. Who loses sight of
its target, or whose flow has changed, begins again from its own tile; where not even the next one is in sight, directions are
blended (_sampling_kernels.py), or, beside closed exits, followed from tile to tile.

A target is one int32, ``serial << 16 | (row & 255) << 8 | (column & 255)``: it lies less than 128 tiles away. ``serial``,
1..32767, tells the flow as it was when the target was found; 0 is no target.
"""

import numpy as np

from pynav.crowd.wall_geometry import GROUND, ONE_WAY_GROUND, WALL_RADIUS_LIMIT
from pynav.kernels import block_kernel, inline
from pynav.sectors.block_layout import READY, STEP

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_SHORTEST = np.float32(1e-3)

SIGHT_TILES = 48  # a target is nowhere farther away in x or y, 8..120; beyond 32 the way gets hardly any shorter
FAR_TILES = 3  # a target at least so far away is looked at anew in every fourth wish only
FAR_WISHES = 4  # a power of two
FARTHER_TILES = 9  # and at least so far away in every eighth: until then a third of the way is walked at most
FARTHER_WISHES = 8  # a power of two
HELD_UP_WISHES = 2  # the same for who makes no progress, a power of two
PLACE_SIGHT_TILES = np.float32(40.0)  # a place farther away (a slot, a foe) is not looked for
SLACK_TILES = np.float32(0.01)  # the strip is this much narrower on each side: who touches a wall sees along it
FIRST_STEPS = 16  # a target is pushed on by so many tiles; if that is out of sight by a quarter, and so on
ATTEMPTS = 3  # 16, 4, 1
# Steps of the directions 0..7 plus one, two bits each (pynav/grid/steps.py); looking up a table would be slower.
_STEPS_X = 2 + (2 << 2) + (1 << 4) + (1 << 12) + (2 << 14)
_STEPS_Y = 1 + (2 << 2) + (2 << 4) + (2 << 6) + (1 << 8)


@inline
def is_other_ground(walls, is_steep, along, across, own):
    """Whether a tile is solid or costs something else than the one whose bits are ``own``."""
    if is_steep:
        return ((np.int64(walls[along, across]) ^ own) & GROUND) != 0
    return ((np.int64(walls[across, along]) ^ own) & GROUND) != 0


@inline
def is_clear(walls, x, y, to_x, to_y, reach):
    """Whether the strip between two points touches nothing but tiles of the kind of ground at the first one.

    The strip is a parallelogram: ``reach`` wide on either side of the line, and cut off at the ends along the axis that the
    line is steeper to. Its tiles are walked column by column (row by row where it is steep), the far end first: that is where
    a target that has just been pushed on is hidden.

    Args:
        walls: bits of the map with its border (wall_geometry.py).
        x: a point inside the map, float32.
        y: its y.
        to_x: another point inside the map, float32.
        to_y: its y.
        reach: half the width, float32, 0..0.5 tiles.
    """
    own = np.int64(walls[np.int64(y) + 1, np.int64(x) + 1])
    if (own & GROUND) == ONE_WAY_GROUND:  # each tile of a one-way route may bend it
        return False
    along = x + _ONE  # one tile is added for the border, and truncation then rounds down
    across = y + _ONE
    to_along = to_x + _ONE
    to_across = to_y + _ONE
    is_steep = abs(to_y - y) > abs(to_x - x)
    if is_steep:
        along, across = across, along
        to_along, to_across = to_across, to_along
    length = abs(to_along - along)
    if length < _SHORTEST:
        return True
    slope = (across - to_across) / length  # a tile of the way back
    half = reach * np.sqrt(_ONE + slope * slope)
    low = to_across - half
    high = to_across + half
    falling = min(slope, _ZERO)
    rising = max(slope, _ZERO)
    line = np.int64(to_along)
    last = np.int64(along)
    step = np.int64(1)
    part = np.float32(line + 1) - to_along  # of the way within this column
    if last < line:
        step = np.int64(-1)
        part = to_along - np.float32(line)
    left = length
    while True:
        if part > left:
            part = left
        for tile in range(np.int64(low + falling * part), np.int64(high + rising * part) + 1):
            if is_other_ground(walls, is_steep, line, tile, own):
                return False
        if line == last:
            return True
        low += slope * part
        high += slope * part
        left -= part
        part = _ONE
        line += step


@inline
def sees(walls, offset, wall_radius, x, y, to_x, to_y):
    """Whether an agent can go straight to a place, no farther than PLACE_SIGHT_TILES in x or y, that may lie off the map."""
    rows = np.float32(np.int64(walls.shape[0]) - 2)
    columns = np.float32(np.int64(walls.shape[1]) - 2)
    tile_x = to_x - offset
    tile_y = to_y - offset
    if not (tile_x > _ZERO and tile_y > _ZERO and tile_x < columns and tile_y < rows):
        return False
    away = max(abs(to_x - x), abs(to_y - y))
    if away > PLACE_SIGHT_TILES:
        return False
    reach = max(min(wall_radius, WALL_RADIUS_LIMIT) - SLACK_TILES, _ZERO)
    return is_clear(walls, x - offset, y - offset, tile_x, tile_y, reach)


@inline
def further_along(flow, ready, column, row, steps):
    """The tile that many steps along the flow, or the last one before it ends (at a goal, in a block that is not written)."""
    block_columns = max((np.int64(flow.shape[1]) - 4 + STEP) // STEP, np.int64(1))
    for _ in range(steps):
        code = np.int64(flow[row + 1, column + 1])
        if code > 7 or ready[(row // STEP) * block_columns + column // STEP] != READY:
            break
        column += ((_STEPS_X >> (2 * code)) & 3) - 1
        row += ((_STEPS_Y >> (2 * code)) & 3) - 1
    return column, row


@inline
def target_tile(target, x, y):
    """Column and row of a target, seen from a point less than 128 tiles away."""
    column = np.int64(x)
    row = np.int64(y)
    column += (((target & 255) - column + 128) & 255) - 128
    row += ((((target >> 8) & 255) - row + 128) & 255) - 128
    return column, row


@inline
def is_within_sight(column, row, to_column, to_row):
    """Whether a tile is no farther away than a target may be."""
    return abs(to_column - column) <= SIGHT_TILES and abs(to_row - row) <= SIGHT_TILES


@inline
def pulled_target(flow, ready, walls, serial, target, x, y, reach):
    """The target of an agent from now on.

    Args:
        flow: uint8 (height + 2, width + 2), one flow (flow_field.py, and NOT_HERE in blocks that are not written).
        ready: uint8 (blocks,), which blocks are written as the flow is now (block_layout.py).
        walls: bits of the same shape (wall_geometry.py).
        serial: of the flow as it is.
        target: the agent's target so far, or 0.
        x: where the agent is among the tiles of its layer, float32, inside the map.
        y: its y.
        reach: what it is held out of walls by, tiles.

    Returns:
        int64, the target; 0 if not even the next tile of its route is in sight, as in the bends of narrow corridors.
    """
    column = np.int64(x)
    row = np.int64(y)
    reach = max(min(reach, WALL_RADIUS_LIMIT) - SLACK_TILES, _ZERO)
    from_column = column
    from_row = row
    is_known = target > 0 and (target >> 16) == serial
    if is_known:
        from_column, from_row = target_tile(target, x, y)
        is_inside = from_column >= 0 and from_row >= 0 and from_column < walls.shape[1] - 2 and from_row < walls.shape[0] - 2
        if not is_inside or not is_within_sight(column, row, from_column, from_row):
            is_known = False
    for again in range(2):
        if again == 0 and not is_known:
            continue
        if again == 1:
            from_column = column
            from_row = row
        steps = np.int64(FIRST_STEPS)
        for _ in range(ATTEMPTS):
            to_column, to_row = further_along(flow, ready, from_column, from_row, steps)
            steps //= 4
            if to_column == from_column and to_row == from_row:
                break
            if not is_within_sight(column, row, to_column, to_row):
                continue
            if is_clear(walls, x, y, np.float32(to_column) + _HALF, np.float32(to_row) + _HALF, reach):
                return (serial << 16) | ((to_row & 255) << 8) | (to_column & 255)
        if again == 0 and (from_column != column or from_row != row):
            if is_clear(walls, x, y, np.float32(from_column) + _HALF, np.float32(from_row) + _HALF, reach):
                return target
    return np.int64(0)


@inline
def wishes_a_look(target, x, y):
    """In how many wishes a target is looked at once, a power of two: the farther away, the less it has to offer."""
    column, row = target_tile(target, x, y)
    away = max(abs(column - np.int64(x)), abs(row - np.int64(y)))
    wishes = np.int64(1)
    if away >= FAR_TILES:
        wishes = np.int64(FAR_WISHES)
    if away >= FARTHER_TILES:
        wishes = np.int64(FARTHER_WISHES)
    return wishes


@inline
def heading_to_target(target, x, y):
    """Unit vector (x, y) to the middle of the target's tile; (0, 0) for who stands there."""
    column, row = target_tile(target, x, y)
    to_x = np.float32(column) + _HALF - x
    to_y = np.float32(row) + _HALF - y
    squared = to_x * to_x + to_y * to_y
    if squared < _SHORTEST * _SHORTEST:
        return _ZERO, _ZERO
    scale = _ONE / np.sqrt(squared)
    return to_x * scale, to_y * scale


@block_kernel(
    "uint8[:, ::1] flow, uint8[::1] ready, uint16[:, ::1] walls, float32[:, ::1] point, float32[::1] reach, int32[::1] target,"
    " float32[:, ::1] heading, int64 serial"
)
def pull_targets(flow, ready, walls, point, reach, target, heading, serial, begin, end):
    """Bring the targets of many agents up to date, and their headings; for tests and measurements."""
    for index in range(begin, end):
        x = point[index, 0]
        y = point[index, 1]
        found = pulled_target(flow, ready, walls, serial, np.int64(target[index]), x, y, reach[index])
        target[index] = np.int32(found)
        heading[index, 0] = _ZERO
        heading[index, 1] = _ZERO
        if found != 0:
            heading[index, 0], heading[index, 1] = heading_to_target(found, x, y)
