# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of attack-move: who goes for which foe, how it gets there, and where it looks.

They come after the steering pass (_steering_kernels.py), whose wish stands for all who have no foe. An agent of an attacking
group that notices an enemy within its sight goes over to its own guidance: straight to one that it can walk to in a line, else
along a short way round, found by a flood of bounded length. Before a foe within its range it stands, engaged; once that
is gone it takes the next one, or the way of its group again.

Looking for foes is staggered as wishes are, by rows of cells; whole cells without an enemy are passed over by a mask of the
teams in them. Each agent reads the state of the last tick and writes its own slots; equally near foes are taken by crowd and id.
"""

import numpy as np

from pynav.crowd._steering_kernels import BRAKE_PER_SECOND, changed_patience, wish_among_others
from pynav.crowd._string_pulling_kernels import sees
from pynav.crowd.agent_layout import (
    AGENT_ID,
    ANCHOR_OFFSET,
    ATTACK_RANGE,
    ATTACKS,
    CROWD,
    ENEMY_TEAMS,
    ENGAGED,
    FIRST_SLOT,
    GROUP,
    HEADING_X,
    HEADING_Y,
    LAYER,
    MASK_LAYERS,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    SIGHT_RADIUS,
    SPEED,
    STATUS,
    TEAM,
    URGE,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
    WALL_RADIUS,
    WAY_X,
    WAY_Y,
    WISH_X,
    WISH_Y,
)
from pynav.crowd.wall_geometry import has_wall
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)
_STRAIGHT_BACK = np.float32(-0.99)

CELLS_A_CHUNK = 8  # columns of cells that share a mask of teams
LOOK_WISHES = 4  # a power of two: who has no foe in its range looks around in every fourth wish
TOUCH_TILES = np.float32(0.08)  # so far beyond its range a foe is within it: contacts keep discs that far apart
KEEP_RANGE_TILES = np.float32(0.25)  # and so far beyond it one that is struck already
KEEP_SIGHT = np.float32(1.25)  # a foe is followed so many times as far as it is noticed
LEAST_APPROACH = np.float32(0.3)  # part of its speed that an agent brakes to before a foe
AT_PLACE_TILES = np.float32(0.3)  # a place on the way is passed within this distance
WINDOW_TILES = 20  # a way round stays within so many tiles of the agent, in x and y
WINDOW = 2 * WINDOW_TILES + 1
MOST_STEPS = 32  # of a way round
WAYS_A_BLOCK = 2  # ways that are sought for the agents of a block in a tick; the others walk on, and ask again
NOBODY = -1


@block_kernel("int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] column_of")
def note_columns(tags, crowd_numbers, column_of, begin, end):
    """Where in the table the agent of each slot stands."""
    for agent in range(begin, end):
        slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])
        column_of[slot] = np.int32(agent)


@block_kernel(
    "int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] cell_start, int64[:, ::1] teams_near, int64 column_count"
)
def note_teams(tags, crowd_numbers, cell_start, teams_near, column_count, begin, end):
    """The teams of the agents in each chunk of CELLS_A_CHUNK cells of a row, a bit each."""
    for row in range(begin, end):
        for chunk in range(teams_near.shape[1]):
            first = chunk * CELLS_A_CHUNK
            last = min(first + CELLS_A_CHUNK, column_count)
            teams = np.int64(0)
            for agent in range(np.int64(cell_start[row * column_count + first]), np.int64(cell_start[row * column_count + last])):
                teams |= np.int64(1) << np.int64(crowd_numbers[TEAM, np.int64(tags[CROWD, agent])])
            teams_near[row, chunk] = teams


@inline
def enemies_of(crowd_numbers, crowd):
    """The teams that a crowd's agents attack, a bit each."""
    return np.int64(crowd_numbers[ENEMY_TEAMS, crowd]) & ~(np.int64(1) << np.int64(crowd_numbers[TEAM, crowd])) & 0xFFFFFFFF


@inline
def slot_of(tags, crowd_numbers, agent):
    """The slot of an agent in agent order."""
    return np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])


@inline
def column_of_unit(unit, column_of, alive, generation, crowd_numbers):
    """Where in the table the unit of a handle (unit_handles.py) stands; NOBODY if it is gone."""
    if unit == 0:
        return np.int64(NOBODY)
    slot = np.int64(crowd_numbers[FIRST_SLOT, (unit >> 20) & 4095]) + (unit & 1048575)
    if alive[slot] == 0 or np.int64(generation[slot]) != (unit >> 32) - 1:
        return np.int64(NOBODY)
    return np.int64(column_of[slot])


@inline
def nearest_foe(
    values, tags, cell_start, teams_near, walls, crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile, row_count,
    column_count, agent, must_see,
):  # fmt: skip
    """The column of the nearest enemy in sight that an agent can strike or, if it must, walk straight to; else NOBODY."""
    x = values[POSITION_X, agent]
    y = values[POSITION_Y, agent]
    crowd = np.int64(tags[CROWD, agent])
    sight = crowd_settings[SIGHT_RADIUS, crowd]
    enemies = enemies_of(crowd_numbers, crowd)
    best = np.int64(NOBODY)
    best_squared = sight * sight
    best_slot = np.int64(0)
    top = min(np.int64(max(y - sight, _ZERO) * rows_per_tile) + 1, row_count - 1)
    low = min(np.int64((y + sight) * rows_per_tile) + 1, row_count - 1)
    left = min(np.int64(max(x - sight, _ZERO) * columns_per_tile) + 1, column_count - 1)
    right = min(np.int64((x + sight) * columns_per_tile) + 1, column_count - 1)
    for row in range(top, low + 1):
        for chunk in range(left // CELLS_A_CHUNK, right // CELLS_A_CHUNK + 1):
            if (teams_near[row, chunk] & enemies) == 0:
                continue
            first = row * column_count + max(chunk * CELLS_A_CHUNK, left)
            last = row * column_count + min(chunk * CELLS_A_CHUNK + CELLS_A_CHUNK, right + 1)
            for other in range(np.int64(cell_start[first]), np.int64(cell_start[last])):
                other_crowd = np.int64(tags[CROWD, other])
                if ((enemies >> np.int64(crowd_numbers[TEAM, other_crowd])) & 1) == 0 or crowd_numbers[
                    MASK_LAYERS, other_crowd
                ] == 0:
                    continue  # on no layer nobody finds it: bodies of the game, for one
                to_x = values[POSITION_X, other]
                to_y = values[POSITION_Y, other]
                squared = (to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)
                slot = slot_of(tags, crowd_numbers, other)
                if squared > best_squared or (squared == best_squared and best != NOBODY and slot > best_slot):
                    continue
                reach = crowd_settings[ATTACK_RANGE, crowd] + TOUCH_TILES + values[RADIUS, agent] + values[RADIUS, other]
                if (
                    not must_see
                    or squared <= reach * reach
                    or sees(walls, crowd_settings[ANCHOR_OFFSET, crowd], crowd_settings[WALL_RADIUS, crowd], x, y, to_x, to_y)
                ):
                    best = other
                    best_squared = squared
                    best_slot = slot
    return best


@inline
def way_round(walls, offset, wall_radius, x, y, to_x, to_y, came_from, queue):
    """A place in sight on the shortest way, counted in steps, to a point that is not in sight; whether there is one.

    A flood from the point's tile over the window around the agent, until it gets to the agent. No step cuts a corner.

    Args:
        came_from: uint8 scratch, WINDOW * WINDOW: 0 for unseen tiles, else the direction (row, column) of the next tile, plus 1.
        queue: int32 scratch, the same length.
    """
    tile_x = max(to_x - offset, _ZERO)
    tile_y = max(to_y - offset, _ZERO)
    column = np.int64(x - offset)
    row = np.int64(y - offset)
    left = column - WINDOW_TILES
    top = row - WINDOW_TILES
    rows = np.int64(walls.shape[0]) - 2
    columns = np.int64(walls.shape[1]) - 2
    to_column = min(np.int64(tile_x), columns - 1)
    to_row = min(np.int64(tile_y), rows - 1)
    if abs(to_column - column) > WINDOW_TILES or abs(to_row - row) > WINDOW_TILES:
        return False, _ZERO, _ZERO
    for cell in range(WINDOW * WINDOW):
        came_from[cell] = np.uint8(0)
    start = (to_row - top) * WINDOW + to_column - left
    goal = np.int64(WINDOW_TILES * WINDOW + WINDOW_TILES)
    came_from[start] = np.uint8(5)  # nowhere: the middle of the nine
    queue[0] = np.int32(start)
    taken = np.int64(0)
    filled = np.int64(1)
    level_end = np.int64(1)
    steps = np.int64(0)
    while taken < filled and steps < MOST_STEPS and came_from[goal] == 0:
        cell = np.int64(queue[taken])
        cell_row = cell // WINDOW
        cell_column = cell - cell_row * WINDOW
        for turn in range(8):
            # The four sides first, so that straight ways are preferred to zigzags of as many steps.
            side = (0x86207531 >> (4 * turn)) & 15
            down = side // 3 - 1
            across = side - 3 * (side // 3) - 1
            next_row = cell_row + down
            next_column = cell_column + across
            map_row = top + next_row
            map_column = left + next_column
            if next_row < 0 or next_column < 0 or next_row >= WINDOW or next_column >= WINDOW:
                continue
            if map_row < 0 or map_column < 0 or map_row >= rows or map_column >= columns:
                continue
            found = next_row * WINDOW + next_column
            if came_from[found] != 0:
                continue
            bits = np.int64(walls[map_row + 1, map_column + 1])
            # The agent goes from there to here.
            if has_wall(bits, 0, 0) or has_wall(bits, -across, -down):
                continue
            if across != 0 and down != 0 and (has_wall(bits, -across, 0) or has_wall(bits, 0, -down)):
                continue
            came_from[found] = np.uint8(9 - side)
            queue[filled] = np.int32(found)
            filled += 1
        taken += 1
        if taken == level_end:
            level_end = filled
            steps += 1
    if came_from[goal] == 0:
        return False, _ZERO, _ZERO
    cell = goal
    place_x = _ZERO
    place_y = _ZERO
    is_found = False
    for _ in range(MOST_STEPS):
        side = np.int64(came_from[cell]) - 1
        if side == 4:
            break
        cell += (side // 3 - 1) * WINDOW + side - 3 * (side // 3) - 1
        cell_row = cell // WINDOW
        next_x = np.float32(left + cell - cell_row * WINDOW) + _HALF + offset
        next_y = np.float32(top + cell_row) + _HALF + offset
        if is_found and not sees(walls, offset, wall_radius, x, y, next_x, next_y):
            break
        place_x = next_x  # the first tile in any case: steps between neighbours are open
        place_y = next_y
        is_found = True
    return is_found, place_x, place_y


@inline
def gap_to(values, agent, other):
    """What lies between the discs of two agents, tiles; below 0 where they overlap."""
    away_x = values[POSITION_X, other] - values[POSITION_X, agent]
    away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
    return np.sqrt(away_x * away_x + away_y * away_y) - values[RADIUS, agent] - values[RADIUS, other]


@inline
def is_still_foe(values, tags, crowd_numbers, crowd_settings, agent, other):
    """Whether an agent keeps to a foe: it is an enemy still, and not too far away."""
    crowd = np.int64(tags[CROWD, agent])
    team = np.int64(crowd_numbers[TEAM, np.int64(tags[CROWD, other])])
    if ((enemies_of(crowd_numbers, crowd) >> team) & 1) == 0:
        return False
    away_x = values[POSITION_X, other] - values[POSITION_X, agent]
    away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
    limit = crowd_settings[SIGHT_RADIUS, crowd] * KEEP_SIGHT
    return away_x * away_x + away_y * away_y <= limit * limit


@inline
def chosen_foe(
    values, tags, cell_start, teams_near, walls, crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile, row_count,
    column_count, agent, known, looks,
):  # fmt: skip
    """Whom an agent goes for from now on, NOBODY for none, and whether it strikes.

    Args:
        known: whom it went for so far, NOBODY if that one is gone.
        looks: whether it looks around now, unless it strikes.
    """
    other = known
    reach = crowd_settings[ATTACK_RANGE, np.int64(tags[CROWD, agent])] + TOUCH_TILES
    if other != NOBODY and not is_still_foe(values, tags, crowd_numbers, crowd_settings, agent, other):
        other = np.int64(NOBODY)
        looks = True
    if other != NOBODY and tags[STATUS, agent] == ENGAGED and gap_to(values, agent, other) <= reach + KEEP_RANGE_TILES:
        return other, True
    if looks:
        found = nearest_foe(
            values, tags, cell_start, teams_near, walls, crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile,
            row_count, column_count, agent, True,
        )  # fmt: skip
        if found == NOBODY and other == NOBODY:
            found = nearest_foe(
                values, tags, cell_start, teams_near, walls, crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile,
                row_count, column_count, agent, False,
            )  # fmt: skip
        if found != NOBODY:
            other = found
    return other, other != NOBODY and gap_to(values, agent, other) <= reach


@inline
def has_way(chase, slot, walls, offset, wall_radius, x, y):
    """Whether an agent has a place on the way to its foe in sight that it hasn't come to yet."""
    way_x = chase[slot, WAY_X]
    way_y = chase[slot, WAY_Y]
    if way_x == _ZERO or (abs(way_x - x) < AT_PLACE_TILES and abs(way_y - y) < AT_PLACE_TILES):
        return False
    return sees(walls, offset, wall_radius, x, y, way_x, way_y)


@inline
def unit_of(tags, crowd_numbers, generation, agent):
    """The handle of an agent (unit_handles.py)."""
    number = np.int64(generation[slot_of(tags, crowd_numbers, agent)]) + 1
    return (number << 32) | (np.int64(tags[CROWD, agent]) << 20) | np.int64(tags[AGENT_ID, agent])


@inline
def heading_for(x, y, to_x, to_y):
    """Unit vector from a place to another one; (0, 0) for one at the same point."""
    to_x -= x
    to_y -= y
    distance = max(np.sqrt(to_x * to_x + to_y * to_y), _TINY)
    return to_x / distance, to_y / distance


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[::1] cell_start, int64[:, ::1] teams_near,"
    " int32[::1] column_of, uint16[:, :, ::1] walls, int32[:, ::1] crowd_numbers, float32[:, ::1] crowd_settings,"
    " int32[:, ::1] group_numbers, uint8[::1] alive, int32[::1] generation, int64[::1] foe, float32[:, ::1] chase,"
    " uint8[:, ::1] came_from, int32[:, ::1] queue, int64 agents_a_block, float32 rows_per_tile, float32 columns_per_tile,"
    " int64 column_count, int64 row_count, int64 tick, int64 wish_mask, float32 wish_dt"
)
def lead_fighters(
    values, tags, next_status, cell_start, teams_near, column_of, walls, crowd_numbers, crowd_settings, group_numbers, alive,
    generation, foe, chase, came_from, queue, agents_a_block, rows_per_tile, columns_per_tile, column_count, row_count, tick,
    wish_mask, wish_dt, begin, end,
):  # fmt: skip
    """The foe of each agent that attacks, and what it wants for it, in the tick of its row; its status from now on."""
    block = begin // agents_a_block
    ways_left = np.int64(WAYS_A_BLOCK)
    for agent in range(begin, end):
        y = values[POSITION_Y, agent]
        due = np.int64(y * rows_per_tile + _HALF) + tick
        if (due & wish_mask) != 0 and next_status[agent] == tags[STATUS, agent]:
            continue  # before anything by slot is looked up: those lie all over the memory
        if tags[STATUS, agent] == REMOVED:
            continue
        crowd = np.int64(tags[CROWD, agent])
        slot = slot_of(tags, crowd_numbers, agent)
        if group_numbers[ATTACKS, np.int64(tags[GROUP, agent])] == 0 or crowd_settings[SIGHT_RADIUS, crowd] <= _ZERO:
            foe[slot] = 0
            continue
        if (due & wish_mask) != 0:
            if foe[slot] != 0:  # it had waited long enough behind its crowd to arrive; but it is about something else
                next_status[agent] = tags[STATUS, agent]
            continue
        x = values[POSITION_X, agent]
        own_walls = walls[np.int64(crowd_numbers[LAYER, crowd])]
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        wall_radius = crowd_settings[WALL_RADIUS, crowd]
        is_look = (due & (LOOK_WISHES * (wish_mask + 1) - 1)) == 0

        known = column_of_unit(foe[slot], column_of, alive, generation, crowd_numbers)
        other, strikes = chosen_foe(
            values, tags, cell_start, teams_near, own_walls, crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile,
            row_count, column_count, agent, known, is_look or (foe[slot] != 0 and known == NOBODY),
        )  # fmt: skip
        foe[slot] = 0
        if other == NOBODY:
            chase[slot, URGE] = _ZERO
            chase[slot, WAY_X] = _ZERO
            continue
        to_x = values[POSITION_X, other]
        to_y = values[POSITION_Y, other]
        is_direct = strikes or sees(own_walls, offset, wall_radius, x, y, to_x, to_y)
        if is_direct:
            chase[slot, WAY_X] = _ZERO
        else:
            is_new = is_look or not has_way(chase, slot, own_walls, offset, wall_radius, x, y)
            if is_new and ways_left > 0:
                ways_left -= 1
                is_found, way_x, way_y = way_round(
                    own_walls, offset, wall_radius, x, y, to_x, to_y, came_from[block], queue[block]
                )
                chase[slot, WAY_X] = way_x if is_found else _ZERO
                chase[slot, WAY_Y] = way_y
            if chase[slot, WAY_X] == _ZERO:  # no short way leads there: on with the group, until it comes nearer
                chase[slot, URGE] = _ZERO
                continue
            to_x = chase[slot, WAY_X]
            to_y = chase[slot, WAY_Y]
        foe[slot] = unit_of(tags, crowd_numbers, generation, other)
        wish_x = _ZERO
        wish_y = _ZERO
        urge = _ZERO
        next_status[agent] = np.int32(ENGAGED if strikes else WALKING)
        if not strikes:
            heading_x, heading_y = heading_for(x, y, to_x, to_y)
            speed = values[SPEED, agent]
            wanted_speed = speed
            if is_direct:
                reach = crowd_settings[ATTACK_RANGE, crowd] + TOUCH_TILES
                brake = (gap_to(values, agent, other) - reach * _HALF) * BRAKE_PER_SECOND
                wanted_speed = min(max(brake, LEAST_APPROACH * speed), speed)
            progress = values[VELOCITY_X, agent] * heading_x + values[VELOCITY_Y, agent] * heading_y
            urge = changed_patience(chase[slot, URGE], progress, wanted_speed, wish_dt)
            wish_x, wish_y = wish_among_others(
                values, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, x, y, values[RADIUS, agent], speed,
                heading_x, heading_y, wanted_speed, urge,
            )  # fmt: skip
        chase[slot, URGE] = urge
        values[PATIENCE, agent] = urge
        values[WISH_X, agent] = wish_x
        values[WISH_Y, agent] = wish_y


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] column_of, uint8[::1] alive,"
    " int32[::1] generation, int64[::1] foe, float32 turn"
)
def face_foes(values, tags, crowd_numbers, column_of, alive, generation, foe, turn, begin, end):
    """Turn those who are engaged towards their foe."""
    for agent in range(begin, end):
        if tags[STATUS, agent] != ENGAGED:
            continue
        slot = slot_of(tags, crowd_numbers, agent)
        other = column_of_unit(foe[slot], column_of, alive, generation, crowd_numbers)
        if other == NOBODY:
            continue
        to_x = values[POSITION_X, other] - values[POSITION_X, agent]
        to_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
        squared = to_x * to_x + to_y * to_y
        if squared < _TINY:
            continue
        scale = _ONE / np.sqrt(squared)
        to_x *= scale
        to_y *= scale
        old_x = values[HEADING_X, agent]
        old_y = values[HEADING_Y, agent]
        # Straight back: blending would pass through zero, so turn by way of the side.
        aside = turn if old_x * to_x + old_y * to_y < _STRAIGHT_BACK else _ZERO
        new_x = old_x - to_y * aside
        new_y = old_y + to_x * aside
        new_x += turn * (to_x - new_x)
        new_y += turn * (to_y - new_y)
        squared = new_x * new_x + new_y * new_y
        if squared > _TINY:
            scale = _ONE / np.sqrt(squared)
            values[HEADING_X, agent] = new_x * scale
            values[HEADING_Y, agent] = new_y * scale
