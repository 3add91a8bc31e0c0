# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of attack-move: who goes for which foe, how it gets there, and where it looks.

They come after the steering pass (_steering_kernels.py), whose wish stands for all who have no foe. An agent of an attacking
group that notices an enemy within its sight goes over to its own guidance: straight to one that it can walk to in a line, else
along a short way round, found by a flood of bounded length. Before a foe within its range it stands, engaged; once that
is gone it takes the next one, or the way of its group again.

Foes are agents and buildings (buildings.py). Here an agent is the column of the table that it stands in, a building -2 less its
id. A building is as far away as its nearest edge, and walked to a spot before its side; the way round leads to any free side.

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
    HALF_SIZE,
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
from pynav.crowd.building_layout import CELL_TILES, FOUND_ON, GONE_BEFORE, IS_THERE, LEFT, LOW, OWNER, RIGHT, TOP
from pynav.crowd.unit_handles import BUILDINGS
from pynav.crowd.wall_geometry import WALL_RADIUS_LIMIT, has_wall
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
FIRST_BUILDING = -2  # the building of id 0; the others below
WAIT_SECONDS = np.float32(2.0)  # for a place before the side of a building that others stand at
EDGE_TILES = np.float32(0.05)  # what is kept between a wall and who stands before it


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
def foe_of_handle(unit, column_of, alive, generation, crowd_numbers, buildings):
    """The agent or building of a handle (unit_handles.py); NOBODY if it is gone."""
    if unit == 0:
        return np.int64(NOBODY)
    if (unit >> 20) & 4095 == BUILDINGS:
        found = unit & 1048575
        if buildings[IS_THERE, found] == 0 or np.int64(buildings[GONE_BEFORE, found]) != (unit >> 32) - 1:
            return np.int64(NOBODY)
        return FIRST_BUILDING - found
    slot = np.int64(crowd_numbers[FIRST_SLOT, (unit >> 20) & 4095]) + (unit & 1048575)
    if alive[slot] == 0 or np.int64(generation[slot]) != (unit >> 32) - 1:
        return np.int64(NOBODY)
    return np.int64(column_of[slot])


@inline
def stand_off(crowd_settings, crowd):
    """How near its middle comes to a wall that an agent stands before, tiles."""
    return crowd_settings[HALF_SIZE, crowd] + min(crowd_settings[WALL_RADIUS, crowd], WALL_RADIUS_LIMIT) + EDGE_TILES


@inline
def nearest_edge(buildings, found, x, y):
    """The place of a building that is nearest to a point: the point itself within it."""
    edge_x = min(max(x, np.float32(buildings[LEFT, found])), np.float32(buildings[RIGHT, found]))
    edge_y = min(max(y, np.float32(buildings[TOP, found])), np.float32(buildings[LOW, found]))
    return edge_x, edge_y


@inline
def spot_before(buildings, found, crowd_settings, crowd, x, y):
    """Where an agent at a point goes to strike a building: before the side that it stands to, straight ahead where that is free
    of corners.
    """
    left = np.float32(buildings[LEFT, found])
    top = np.float32(buildings[TOP, found])
    right = np.float32(buildings[RIGHT, found])
    low = np.float32(buildings[LOW, found])
    half = crowd_settings[HALF_SIZE, crowd]
    clear = stand_off(crowd_settings, crowd)
    spot_x = min(max(x, left + _HALF - half), right - _HALF + half)
    spot_y = min(max(y, top + _HALF - half), low - _HALF + half)
    if max(left - x, x - right) >= max(top - y, y - low):
        spot_x = left - clear if x + x < left + right else right + clear
    else:
        spot_y = top - clear if y + y < top + low else low + clear
    return spot_x, spot_y


@inline
def foe_place(values, buildings, x, y, other):
    """Where a foe is as seen from a point: the middle of an agent, the nearest edge of a building."""
    place_x, place_y = values[POSITION_X, max(other, np.int64(0))], values[POSITION_Y, max(other, np.int64(0))]
    if other <= FIRST_BUILDING:
        place_x, place_y = nearest_edge(buildings, FIRST_BUILDING - other, x, y)
    return place_x, place_y


@inline
def nearest_building(
    buildings, building_start, building_list, building_columns, walls, crowd_numbers, crowd_settings, crowd, x, y, radius,
    must_see, limit,
):  # fmt: skip
    """The nearest enemy building whose squared distance is no more than ``limit``, and that distance; else NOBODY.

    Args:
        must_see: take only those that the agent can strike or walk straight to.
    """
    best = np.int64(NOBODY)
    best_squared = limit
    if building_list.shape[0] == 0:
        return best, best_squared
    sight = crowd_settings[SIGHT_RADIUS, crowd]
    enemies = enemies_of(crowd_numbers, crowd)
    reach = crowd_settings[ATTACK_RANGE, crowd] + TOUCH_TILES + max(radius, stand_off(crowd_settings, crowd))
    building_rows = (building_start.shape[0] - 1) // building_columns
    left = np.int64(max(x - sight, _ZERO)) // CELL_TILES
    right = min(np.int64(x + sight) // CELL_TILES, building_columns - 1)
    top = np.int64(max(y - sight, _ZERO)) // CELL_TILES
    for row in range(top, min(np.int64(y + sight) // CELL_TILES, building_rows - 1) + 1):
        for cell in range(row * building_columns + left, row * building_columns + right + 1):
            for at in range(np.int64(building_start[cell]), np.int64(building_start[cell + 1])):
                found = np.int64(building_list[at])
                if ((enemies >> np.int64(buildings[OWNER, found])) & 1) == 0 or buildings[FOUND_ON, found] == 0:
                    continue
                edge_x, edge_y = nearest_edge(buildings, found, x, y)
                squared = (edge_x - x) * (edge_x - x) + (edge_y - y) * (edge_y - y)
                if squared > best_squared or (squared == best_squared and best != NOBODY and found >= FIRST_BUILDING - best):
                    continue
                spot_x, spot_y = spot_before(buildings, found, crowd_settings, crowd, x, y)
                if (
                    not must_see
                    or squared <= reach * reach
                    or sees(walls, crowd_settings[ANCHOR_OFFSET, crowd], crowd_settings[WALL_RADIUS, crowd], x, y, spot_x, spot_y)
                ):
                    best = FIRST_BUILDING - found
                    best_squared = squared
    return best, best_squared


@inline
def nearest_foe(
    values, tags, cell_start, teams_near, buildings, building_start, building_list, building_columns, walls, crowd_numbers,
    crowd_settings, rows_per_tile, columns_per_tile, row_count, column_count, agent, must_see,
):  # fmt: skip
    """The nearest enemy in sight that an agent can strike or, if it must, walk straight to; else NOBODY. Of a building and an
    agent that are equally near it is the agent.
    """
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
    found, squared = nearest_building(
        buildings, building_start, building_list, building_columns, walls, crowd_numbers, crowd_settings, crowd, x, y,
        values[RADIUS, agent], must_see, best_squared,
    )  # fmt: skip
    if found != NOBODY and (best == NOBODY or squared < best_squared):
        best = found
    return best


@inline
def way_round(walls, offset, wall_radius, x, y, first_column, first_row, last_column, last_row, is_ring, came_from, queue):
    """A place in sight on the shortest way, counted in steps, to tiles that are not in sight; whether there is one.

    A flood from these tiles over the window around the agent, until it gets to the agent. No step cuts a corner.

    Args:
        first_column: the tiles are a rectangle of those of the agent's layer.
        is_ring: only those along the rectangle's sides, without its corners, and those that are free.
        came_from: uint8 scratch, WINDOW * WINDOW: 0 for unseen tiles, else the direction (row, column) of the next tile, plus 1.
        queue: int32 scratch, the same length.
    """
    column = np.int64(x - offset)
    row = np.int64(y - offset)
    left = column - WINDOW_TILES
    top = row - WINDOW_TILES
    rows = np.int64(walls.shape[0]) - 2
    columns = np.int64(walls.shape[1]) - 2
    for cell in range(WINDOW * WINDOW):
        came_from[cell] = np.uint8(0)
    goal = np.int64(WINDOW_TILES * WINDOW + WINDOW_TILES)
    taken = np.int64(0)
    filled = np.int64(0)
    for map_row in range(max(first_row, top, np.int64(0)), min(last_row, top + WINDOW - 1, rows - 1) + 1):
        for map_column in range(max(first_column, left, np.int64(0)), min(last_column, left + WINDOW - 1, columns - 1) + 1):
            if is_ring:
                is_end_row = (map_row == first_row) | (map_row == last_row)
                is_end_column = (map_column == first_column) | (map_column == last_column)
                if is_end_row == is_end_column or has_wall(np.int64(walls[map_row + 1, map_column + 1]), 0, 0):
                    continue
            start = (map_row - top) * WINDOW + map_column - left
            came_from[start] = np.uint8(5)  # nowhere: the middle of the nine
            queue[filled] = np.int32(start)
            filled += 1
    level_end = filled
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
def gap_to(values, tags, crowd_settings, buildings, agent, other):
    """What lies between the discs of an agent and its foe, tiles; below 0 where they overlap. Of a building: between its edge and
    an agent that comes as near to it as walls let it.
    """
    if other <= FIRST_BUILDING:
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        edge_x, edge_y = nearest_edge(buildings, FIRST_BUILDING - other, x, y)
        distance = np.sqrt((edge_x - x) * (edge_x - x) + (edge_y - y) * (edge_y - y))
        return distance - max(values[RADIUS, agent], stand_off(crowd_settings, np.int64(tags[CROWD, agent])))
    away_x = values[POSITION_X, other] - values[POSITION_X, agent]
    away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
    return np.sqrt(away_x * away_x + away_y * away_y) - values[RADIUS, agent] - values[RADIUS, other]


@inline
def is_still_foe(values, tags, crowd_numbers, crowd_settings, buildings, agent, other):
    """Whether an agent keeps to a foe: it is an enemy still, and not too far away."""
    crowd = np.int64(tags[CROWD, agent])
    x = values[POSITION_X, agent]
    y = values[POSITION_Y, agent]
    if other <= FIRST_BUILDING:
        team = np.int64(buildings[OWNER, FIRST_BUILDING - other])
    else:
        team = np.int64(crowd_numbers[TEAM, np.int64(tags[CROWD, other])])
    if ((enemies_of(crowd_numbers, crowd) >> team) & 1) == 0:
        return False
    place_x, place_y = foe_place(values, buildings, x, y, other)
    away_x = place_x - x
    away_y = place_y - y
    limit = crowd_settings[SIGHT_RADIUS, crowd] * KEEP_SIGHT
    return away_x * away_x + away_y * away_y <= limit * limit


@inline
def chosen_foe(
    values, tags, cell_start, teams_near, buildings, building_start, building_list, building_columns, walls, crowd_numbers,
    crowd_settings, rows_per_tile, columns_per_tile, row_count, column_count, agent, known, looks,
):  # fmt: skip
    """Whom an agent goes for from now on, NOBODY for none, and whether it strikes.

    Args:
        known: whom it went for so far, NOBODY if that one is gone.
        looks: whether it looks around now, unless it strikes.
    """
    other = known
    reach = crowd_settings[ATTACK_RANGE, np.int64(tags[CROWD, agent])] + TOUCH_TILES
    if other != NOBODY and not is_still_foe(values, tags, crowd_numbers, crowd_settings, buildings, agent, other):
        other = np.int64(NOBODY)
        looks = True
    if (
        other != NOBODY
        and tags[STATUS, agent] == ENGAGED
        and gap_to(values, tags, crowd_settings, buildings, agent, other) <= reach + KEEP_RANGE_TILES
    ):
        return other, True
    if looks:
        found = nearest_foe(
            values, tags, cell_start, teams_near, buildings, building_start, building_list, building_columns, walls,
            crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile, row_count, column_count, agent, True,
        )  # fmt: skip
        if found == NOBODY and other == NOBODY:
            found = nearest_foe(
                values, tags, cell_start, teams_near, buildings, building_start, building_list, building_columns, walls,
                crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile, row_count, column_count, agent, False,
            )  # fmt: skip
        if found != NOBODY:
            other = found
    return other, other != NOBODY and gap_to(values, tags, crowd_settings, buildings, agent, other) <= reach


@inline
def has_way(chase, slot, walls, offset, wall_radius, x, y):
    """Whether an agent has a place on the way to its foe in sight that it hasn't come to yet."""
    way_x = chase[slot, WAY_X]
    way_y = chase[slot, WAY_Y]
    if way_x == _ZERO or (abs(way_x - x) < AT_PLACE_TILES and abs(way_y - y) < AT_PLACE_TILES):
        return False
    return sees(walls, offset, wall_radius, x, y, way_x, way_y)


@inline
def turns_corner(chase, slot, buildings, found, crowd_settings, crowd, walls, offset, wall_radius, x, y):
    """Whether an agent before a building whose side is taken is on its way round the next corner, where there may be room. Those
    of even slots turn one way, the others the other way, so that a building is surrounded from both ends.
    """
    if chase[slot, URGE] >= WAIT_SECONDS:
        left = np.float32(buildings[LEFT, found])
        top = np.float32(buildings[TOP, found])
        right = np.float32(buildings[RIGHT, found])
        low = np.float32(buildings[LOW, found])
        clear = stand_off(crowd_settings, crowd)
        beyond = clear + clear + _ONE
        turn = (slot & 1) == 0
        if max(left - x, x - right) >= max(top - y, y - low):
            is_first = x + x < left + right
            way_x = left - clear if is_first else right + clear
            way_y = top - beyond if is_first == turn else low + beyond
        else:
            is_first = y + y < top + low
            way_x = right + beyond if is_first == turn else left - beyond
            way_y = top - clear if is_first else low + clear
        if sees(walls, offset, wall_radius, x, y, way_x, way_y):
            chase[slot, WAY_X] = way_x
            chase[slot, WAY_Y] = way_y
            chase[slot, URGE] = _ZERO
    return has_way(chase, slot, walls, offset, wall_radius, x, y)


@inline
def tiles_to_stand_on(buildings, crowd_settings, crowd, walls, to_x, to_y, other):
    """The tiles, of its layer, that an agent seeks a way round to: that of a foe at (to_x, to_y), or those around a building on
    which its footprint touches it (a ring).
    """
    offset = crowd_settings[ANCHOR_OFFSET, crowd]
    column = min(np.int64(max(to_x - offset, _ZERO)), np.int64(walls.shape[1]) - 3)
    row = min(np.int64(max(to_y - offset, _ZERO)), np.int64(walls.shape[0]) - 3)
    if other > FIRST_BUILDING:
        return column, row, column, row
    found = FIRST_BUILDING - other
    size = np.int64(crowd_settings[HALF_SIZE, crowd] * np.float32(2.0)) + 1
    before = size // 2 + 1
    behind = (size - 1) // 2
    return (
        np.int64(buildings[LEFT, found]) - before,
        np.int64(buildings[TOP, found]) - before,
        np.int64(buildings[RIGHT, found]) + behind,
        np.int64(buildings[LOW, found]) + behind,
    )


@inline
def aim_at_foe(
    values, chase, slot, buildings, crowd_settings, crowd, walls, x, y, known, other, strikes, is_look, may_seek, came_from, queue
):
    """The place that an agent makes for to get at its foe: whether there is one, whether it is the foe's, whether a way round was
    sought for it, and where.

    Args:
        known: the foe that it had before.
        may_seek: whether a way round may be sought.
    """
    offset = crowd_settings[ANCHOR_OFFSET, crowd]
    wall_radius = crowd_settings[WALL_RADIUS, crowd]
    to_x, to_y = foe_place(values, buildings, x, y, other)
    if other <= FIRST_BUILDING:
        to_x, to_y = spot_before(buildings, FIRST_BUILDING - other, crowd_settings, crowd, x, y)
    is_direct = strikes or sees(walls, offset, wall_radius, x, y, to_x, to_y)
    is_sought = False
    if other != known and min(other, known) <= FIRST_BUILDING:  # the way round a building leads to no other foe
        chase[slot, WAY_X] = _ZERO
    is_turning = is_direct and not strikes and other <= FIRST_BUILDING
    if is_turning:
        is_turning = turns_corner(
            chase, slot, buildings, FIRST_BUILDING - other, crowd_settings, crowd, walls, offset, wall_radius, x, y
        )
    if is_direct and not is_turning:
        chase[slot, WAY_X] = _ZERO
    elif not is_direct and may_seek and (is_look or not has_way(chase, slot, walls, offset, wall_radius, x, y)):
        is_sought = True
        first_column, first_row, last_column, last_row = tiles_to_stand_on(
            buildings, crowd_settings, crowd, walls, to_x, to_y, other
        )
        is_found, way_x, way_y = way_round(
            walls, offset, wall_radius, x, y, first_column, first_row, last_column, last_row, other <= FIRST_BUILDING,
            came_from, queue,
        )  # fmt: skip
        chase[slot, WAY_X] = way_x if is_found else _ZERO
        chase[slot, WAY_Y] = way_y
    is_direct = is_direct and not is_turning
    if not is_direct:
        to_x = chase[slot, WAY_X]
        to_y = chase[slot, WAY_Y]
    return is_direct or to_x != _ZERO, is_direct, is_sought, to_x, to_y


@inline
def handle_of_foe(tags, crowd_numbers, generation, buildings, agent):
    """The handle of an agent or a building (unit_handles.py)."""
    if agent <= FIRST_BUILDING:
        found = FIRST_BUILDING - agent
        return ((np.int64(buildings[GONE_BEFORE, found]) + 1) << 32) | (np.int64(BUILDINGS) << 20) | found
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
    " int32[::1] column_of, int32[:, ::1] buildings, int32[::1] building_start, int32[::1] building_list, int64 building_columns,"
    " uint16[:, :, ::1] walls, int32[:, ::1] crowd_numbers, float32[:, ::1] crowd_settings, int32[:, ::1] group_numbers,"
    " uint8[::1] alive, int32[::1] generation, int64[::1] foe, float32[:, ::1] chase,"
    " uint8[:, ::1] came_from, int32[:, ::1] queue, int64 agents_a_block, float32 rows_per_tile, float32 columns_per_tile,"
    " int64 column_count, int64 row_count, int64 tick, int64 wish_mask, float32 wish_dt"
)
def lead_fighters(
    values, tags, next_status, cell_start, teams_near, column_of, buildings, building_start, building_list, building_columns,
    walls, crowd_numbers, crowd_settings, group_numbers, alive, generation, foe, chase, came_from, queue, agents_a_block,
    rows_per_tile, columns_per_tile, column_count, row_count, tick, wish_mask, wish_dt, begin, end,
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
        is_look = (due & (LOOK_WISHES * (wish_mask + 1) - 1)) == 0

        known = foe_of_handle(foe[slot], column_of, alive, generation, crowd_numbers, buildings)
        other, strikes = chosen_foe(
            values, tags, cell_start, teams_near, buildings, building_start, building_list, building_columns, own_walls,
            crowd_numbers, crowd_settings, rows_per_tile, columns_per_tile, row_count, column_count, agent, known,
            is_look or (foe[slot] != 0 and known == NOBODY),
        )  # fmt: skip
        foe[slot] = 0
        if other == NOBODY:
            chase[slot, URGE] = _ZERO
            chase[slot, WAY_X] = _ZERO
            continue
        has_aim, is_direct, is_sought, to_x, to_y = aim_at_foe(
            values, chase, slot, buildings, crowd_settings, crowd, own_walls, x, y, known, other, strikes, is_look,
            ways_left > 0, came_from[block], queue[block],
        )  # fmt: skip
        if is_sought:
            ways_left -= 1
        if not has_aim:  # no short way leads there: on with the group, until it comes nearer
            chase[slot, URGE] = _ZERO
            continue
        foe[slot] = handle_of_foe(tags, crowd_numbers, generation, buildings, other)
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
                brake = (gap_to(values, tags, crowd_settings, buildings, agent, other) - reach * _HALF) * BRAKE_PER_SECOND
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
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] column_of, int32[:, ::1] buildings,"
    " uint8[::1] alive, int32[::1] generation, int64[::1] foe, float32 turn"
)
def face_foes(values, tags, crowd_numbers, column_of, buildings, alive, generation, foe, turn, begin, end):
    """Turn those who are engaged towards their foe."""
    for agent in range(begin, end):
        if tags[STATUS, agent] != ENGAGED:
            continue
        slot = slot_of(tags, crowd_numbers, agent)
        other = foe_of_handle(foe[slot], column_of, alive, generation, crowd_numbers, buildings)
        if other == NOBODY:
            continue
        to_x, to_y = foe_place(values, buildings, values[POSITION_X, agent], values[POSITION_Y, agent], other)
        to_x -= values[POSITION_X, agent]
        to_y -= values[POSITION_Y, agent]
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
