"""Kernel of the steering pass: what an agent wants.

Method "f" of our crowd trials: every tick the velocity blends towards a cached wish (_motion_kernels.py); every fourth tick
(eighth in large worlds), staggered by rows of cells, the wish is made anew from the flow, a look ahead and patience. Rows
rather than ids stagger, because neighbours in memory then take the same branch.

Each agent reads the state of the last tick and writes its own slots.
"""

import numpy as np

from pynav.crowd._flow_table_kernels import is_near_goal
from pynav.crowd._string_pulling_kernels import HELD_UP_WISHES, heading_to_target, pulled_target, wishes_a_look
from pynav.crowd.agent_layout import (
    ANCHOR_OFFSET,
    ARRIVE_RADIUS,
    ARRIVED,
    CROWD,
    DESTINATION,
    FLOW_GOAL,
    FLOW_REFUSED,
    FLOW_SLOT,
    GOAL_X,
    GOAL_Y,
    GROUP,
    HAS_GOAL,
    HEADING_X,
    HEADING_Y,
    HOLDING,
    IDLE,
    IS_COMMAND,
    IS_STAND_IN,
    LAYER,
    LEAST_ARRIVE,
    NEXT_GROUP,
    ON_ARRIVAL,
    ON_ARRIVAL_REMOVE,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    REST_STATUS,
    SETS_OFF,
    SPEED,
    STATUS,
    TARGET,
    UNREACHABLE,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
    WALL_RADIUS,
    WISH_X,
    WISH_Y,
)
from pynav.crowd.look_ahead import FREE, PER_UNIT, look_ahead
from pynav.crowd.wall_geometry import NEARBY, is_by_one_way, is_one_way, is_open_ground
from pynav.grid._sampling_kernels import sample_flow
from pynav.kernels import block_kernel, inline
from pynav.sectors.block_layout import NOT_HERE

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)

EVERYBODY, FIRST_HALF, SECOND_HALF = range(3)
KEPT = -1

SIDESTEP = np.float32(0.6)  # how strongly meetings push sideways; 0 leaves counterflows stuck
AHEAD_TILES = np.float32(1.2)  # where the looked-at block of cells is centred
PATIENCE_FLOOR = np.float32(0.3)  # an impatient agent pushes at least at this part of its speed
PATIENCE_LIMIT = np.float32(4.0)
ARRIVAL_PATIENCE = np.float32(0.25)
FEELER_TILES = np.float32(2.0)  # how far ahead who has no flow yet looks for walls
STANDOFF_PATIENCE = np.float32(0.5)  # who has been held up for so long by one who comes the other way gives way to the right
STANDOFF_FORWARD = np.float32(0.4)
STANDOFF_ASIDE = np.float32(0.917)
_ONCOMING = np.float32(-0.3)
SEEK_PATIENCE = np.float32(0.5)
PROGRESS = np.float32(0.3)  # less than this part of the speed is no progress
BRAKE_PER_SECOND = np.float32(4.0)  # speed allowed a tile of distance to the goal
_FAR = np.float32(1e30)


@inline
def towards_next_tile(direction_vector, code, x, y):
    """Heading for the centre of the tile that the own tile's direction names: gets out of every corner, if not gracefully."""
    step_x = direction_vector[code, 2]
    step_y = direction_vector[code, 3]
    to_x = np.float32(np.int64(x)) + _HALF + step_x - x
    to_y = np.float32(np.int64(y)) + _HALF + step_y - y
    squared = to_x * to_x + to_y * to_y
    if squared < _TINY:
        return _ZERO, _ZERO
    scale = _ONE / np.sqrt(squared)
    return to_x * scale, to_y * scale


@inline
def straight_way(group_settings, group, walls, x, y, speed):
    """Heading and speed straight for a goal to which no flow leads yet; none where a wall or a one-way tile is just ahead."""
    to_x = group_settings[GOAL_X, group] - x
    to_y = group_settings[GOAL_Y, group] - y
    squared = to_x * to_x + to_y * to_y
    if squared < FEELER_TILES * FEELER_TILES:
        return _ZERO, _ZERO, _ZERO
    scale = _ONE / np.sqrt(squared)
    to_x *= scale
    to_y *= scale
    is_open = is_open_ground(walls, x + to_x * FEELER_TILES, y + to_y * FEELER_TILES)
    if not (is_open and is_open_ground(walls, x + to_x, y + to_y)) or is_one_way(walls, x, y):
        return _ZERO, _ZERO, _ZERO
    return to_x, to_y, speed


@inline
def goal_wish(goal_start, goal_point, slot, x, y, code, arrive, speed):
    """Status, heading and speed of who is near to a goal and sees it: straight there, braking."""
    nearest = _FAR
    heading_x = _ZERO
    heading_y = _ZERO
    first = np.int64(goal_start[slot])
    last = np.int64(goal_start[slot + 1])
    for goal in range(first, last):
        to_x = goal_point[goal, 0] - x
        to_y = goal_point[goal, 1] - y
        squared = to_x * to_x + to_y * to_y
        if squared < nearest:
            nearest = squared
            heading_x = to_x
            heading_y = to_y
    if nearest <= arrive * arrive or (code == FLOW_GOAL and last - first > 1):
        return np.int64(ARRIVED), heading_x, heading_y, _ZERO
    distance = np.sqrt(nearest)
    return np.int64(WALKING), heading_x / distance, heading_y / distance, min(distance * BRAKE_PER_SECOND, speed)


@inline
def route_wish(
    flow, ready, walls, direction_vector, serial, code, target, x, y, wall_radius, patience, due, wish_mask
):  # fmt: skip
    """Target and heading of who follows its route: straight for what it sees of it."""
    around = np.int64(walls[np.int64(y) + 1, np.int64(x) + 1])
    if patience > SEEK_PATIENCE and (around & NEARBY) != 0:
        heading_x, heading_y = towards_next_tile(direction_vector, code, x, y)
        return np.int64(0), heading_x, heading_y
    wishes = np.int64(1)
    if target > 0 and (target >> 16) == serial:
        wishes = wishes_a_look(target, x, y)
    if patience > _ZERO:  # it may have been pushed out of sight
        wishes = min(wishes, np.int64(HELD_UP_WISHES))
    if (due & (wishes * (wish_mask + 1) - 1)) == 0:
        target = pulled_target(flow, ready, walls, serial, target, x, y, wall_radius)
    if target != 0:
        heading_x, heading_y = heading_to_target(target, x, y)
    elif is_by_one_way(walls, x, y):
        heading_x, heading_y = towards_next_tile(direction_vector, code, x, y)
    else:
        heading_x, heading_y = sample_flow(flow, direction_vector, x, y)
    return target, heading_x, heading_y


@inline
def first_wish(
    group_numbers, group_settings, group, flow, walls, direction_vector, x, y, speed, wish_x, wish_y
):  # fmt: skip
    """The velocity wanted by who sets off and whose turn has not come: straight for the goal, along the flow once it is there.

    Who can't tell yet keeps the wish that it has.
    """
    slot = np.int64(group_numbers[FLOW_SLOT, group])
    if slot == FLOW_REFUSED:
        return _ZERO, _ZERO
    if slot < 0:
        heading_x, heading_y, wanted_speed = straight_way(group_settings, group, walls, x, y, speed)
        return heading_x * wanted_speed, heading_y * wanted_speed
    if flow[slot, np.int64(y) + 1, np.int64(x) + 1] < FLOW_GOAL and not is_by_one_way(walls, x, y):
        heading_x, heading_y = sample_flow(flow[slot], direction_vector, x, y)
        return heading_x * speed, heading_y * speed
    return wish_x, wish_y


@inline
def changed_patience(patience, progress, wanted_speed, wish_dt):
    """The patience of who walks: seconds without progress."""
    if progress < PROGRESS * wanted_speed:
        return min(patience + wish_dt, PATIENCE_LIMIT)
    return max(patience - wish_dt, _ZERO)


@inline
def has_arrived_there(tags, group_numbers, other, destination, following):
    """Whether one stands arrived where an agent goes, or stands there because its queue, as the agent's own, ends so."""
    status = tags[STATUS, other]
    group = np.int64(tags[GROUP, other])
    return (status == ARRIVED and group_numbers[DESTINATION, group] == destination) or (
        group == following and (status == HOLDING or status == IDLE)
    )


@inline
def touches_arrived(values, tags, neighbours, count, group_numbers, agent, heading_x, heading_y):
    """Whether one of the same goal stands arrived on the goal's side of an agent, in contact."""
    found = False
    group = np.int64(tags[GROUP, agent])
    destination = group_numbers[DESTINATION, group]
    following = np.int64(group_numbers[NEXT_GROUP, group])
    for index in range(count):
        other = np.int64(neighbours[agent, index])
        if has_arrived_there(tags, group_numbers, other, destination, following):
            away_x = values[POSITION_X, other] - values[POSITION_X, agent]
            away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
            found |= away_x * heading_x + away_y * heading_y > _ZERO
    return found


@inline
def faces_oncoming(values, neighbours, count, agent, heading_x, heading_y):
    """Whether one who walks the other way stands before an agent, in contact."""
    found = False
    for index in range(count):
        other = np.int64(neighbours[agent, index])
        away_x = values[POSITION_X, other] - values[POSITION_X, agent]
        away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
        same_way = values[HEADING_X, other] * heading_x + values[HEADING_Y, other] * heading_y
        found |= (away_x * heading_x + away_y * heading_y > _ZERO) & (same_way < _ONCOMING)
    return found


@inline
def wish_among_others(
    values, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, x, y, radius, speed, heading_x, heading_y,
    wanted_speed, patience,
):  # fmt: skip
    """The velocity wanted, with a look at who is ahead: queue behind slower ones, step aside of those that will be met."""
    ahead_x = max(x + heading_x * AHEAD_TILES, _ZERO)
    ahead_y = max(y + heading_y * AHEAD_TILES, _ZERO)
    column = min(max(np.int64(ahead_x * columns_per_tile + _HALF) - 1, np.int64(0)), column_count - 5)
    row = min(np.int64(ahead_y * rows_per_tile + _HALF), row_count - 2)
    limit_units = FREE
    aside_units = np.int32(0)
    for line in range(2):  # of four cells
        cell = (row + line) * column_count + column
        limit_units, aside_units = look_ahead(
            values, np.int64(cell_start[cell]), np.int64(cell_start[cell + 4]), x, y, radius, speed, heading_x, heading_y,
            wanted_speed, limit_units, aside_units,
        )  # fmt: skip
    floor = min(patience * _HALF, _ONE) * (PATIENCE_FLOOR * wanted_speed)
    limit = max(min(np.float32(limit_units) * PER_UNIT, wanted_speed), floor)
    aside = min(max(np.float32(aside_units) * PER_UNIT * SIDESTEP, -_ONE), _ONE) * speed
    wish_x = heading_x * limit - heading_y * aside
    wish_y = heading_y * limit + heading_x * aside
    squared = wish_x * wish_x + wish_y * wish_y
    if squared > speed * speed:
        scale = speed / np.sqrt(squared)
        wish_x *= scale
        wish_y *= scale
    return wish_x, wish_y


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[:, ::1] neighbours, int32[::1] neighbour_count,"
    " int32[::1] cell_start, uint16[:, :, ::1] walls, uint8[:, :, ::1] flow,"
    " uint8[:, ::1] near, int32[:, ::1] near_box, uint8[:, ::1] ready, int32[::1] route_serial,"
    " float32[:, ::1] direction_vector, int32[::1] goal_start, float32[:, ::1] goal_point, int32[:, ::1] crowd_numbers,"
    " float32[:, ::1] crowd_settings, int32[:, ::1] group_numbers, float32[:, ::1] group_settings, float32 rows_per_tile,"
    " float32 columns_per_tile, int64 column_count, int64 row_count, int64[::1] sets_off, int64 tick, int64 wish_mask,"
    " float32 wish_dt, int64 share"
)
def make_wishes(
    values, tags, next_status, neighbours, neighbour_count, cell_start, walls, flow, near, near_box, ready, route_serial,
    direction_vector, goal_start, goal_point, crowd_numbers, crowd_settings, group_numbers, group_settings, rows_per_tile,
    columns_per_tile, column_count, row_count, sets_off, tick, wish_mask, wish_dt, share, begin, end,
):  # fmt: skip
    """What each agent wants, in the tick of its row; its status from now on.

    While ``sets_off[0]`` is not 0, agents of groups that set off get a first wish whosever turn it is.

    ``share`` says who of those whose turn it is before the next move is looked at: EVERYBODY, or FIRST_HALF in one tick and
    SECOND_HALF in the next, which leaves what the first one found. In between KEPT stands for the status that an agent has.
    """
    for agent in range(begin, end):
        cell_row = np.int64(values[POSITION_Y, agent] * rows_per_tile + _HALF)
        is_its_turn = ((cell_row + tick) & wish_mask) == 0
        if sets_off[0] != 0 and not is_its_turn and tags[STATUS, agent] == WALKING:
            group = np.int64(tags[GROUP, agent])
            crowd = np.int64(tags[CROWD, agent])
            if group_numbers[SETS_OFF, group] != 0:
                offset = crowd_settings[ANCHOR_OFFSET, crowd]
                values[WISH_X, agent], values[WISH_Y, agent] = first_wish(
                    group_numbers, group_settings, group, flow, walls[np.int64(crowd_numbers[LAYER, crowd])], direction_vector,
                    values[POSITION_X, agent] - offset, values[POSITION_Y, agent] - offset, values[SPEED, agent],
                    values[WISH_X, agent], values[WISH_Y, agent],
                )  # fmt: skip
        if share != EVERYBODY and not is_its_turn:
            if share == FIRST_HALF:
                next_status[agent] = np.int32(KEPT)
            elif next_status[agent] == KEPT:
                next_status[agent] = tags[STATUS, agent]
            continue
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        radius = values[RADIUS, agent]
        speed = values[SPEED, agent]
        velocity_x = values[VELOCITY_X, agent]
        velocity_y = values[VELOCITY_Y, agent]
        status = np.int64(tags[STATUS, agent])
        crowd = np.int64(tags[CROWD, agent])
        own_walls = walls[np.int64(crowd_numbers[LAYER, crowd])]
        # The place among the tiles of its layer.
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        tile_x = x - offset
        tile_y = y - offset
        if is_its_turn:
            group = np.int64(tags[GROUP, agent])
            slot = np.int64(group_numbers[FLOW_SLOT, group])
            heading_x = _ZERO
            heading_y = _ZERO
            wanted_speed = _ZERO
            if slot < 0:
                if group_numbers[HAS_GOAL, group] == 0:
                    status = np.int64(group_numbers[REST_STATUS, group])
                elif slot == FLOW_REFUSED:
                    status = np.int64(UNREACHABLE)
                elif status != ARRIVED:
                    status = np.int64(WALKING)
                    heading_x, heading_y, wanted_speed = straight_way(group_settings, group, own_walls, tile_x, tile_y, speed)
            elif status != ARRIVED:
                code = np.int64(flow[slot, np.int64(tile_y) + 1, np.int64(tile_x) + 1])
                is_near = is_near_goal(near, near_box, slot, np.int64(tile_x), np.int64(tile_y))
                if group_numbers[IS_STAND_IN, group] != 0 and (is_near or (code >= FLOW_GOAL and code != NOT_HERE)):
                    status = np.int64(WALKING)
                    heading_x, heading_y, wanted_speed = straight_way(group_settings, group, own_walls, tile_x, tile_y, speed)
                elif is_near:
                    arrive = max(crowd_settings[ARRIVE_RADIUS, crowd], group_settings[LEAST_ARRIVE, group])
                    status, heading_x, heading_y, wanted_speed = goal_wish(
                        goal_start, goal_point, slot, tile_x, tile_y, code, arrive, speed
                    )
                elif code == NOT_HERE:
                    status = np.int64(WALKING)  # its block is written in one of the next ticks: brake until then
                elif code > FLOW_GOAL:
                    status = np.int64(UNREACHABLE)
                else:
                    status = np.int64(WALKING)
                    wanted_speed = speed
                    target, heading_x, heading_y = route_wish(
                        flow[slot], ready[slot], own_walls, direction_vector, np.int64(route_serial[slot]), code,
                        np.int64(tags[TARGET, agent]), tile_x, tile_y, crowd_settings[WALL_RADIUS, crowd],
                        values[PATIENCE, agent], cell_row + tick, wish_mask,
                    )  # fmt: skip
                    tags[TARGET, agent] = np.int32(target)
                    if heading_x == _ZERO and heading_y == _ZERO:
                        wanted_speed = _ZERO

            patience = _ZERO
            if status == WALKING:
                progress = velocity_x * heading_x + velocity_y * heading_y
                patience = changed_patience(values[PATIENCE, agent], progress, wanted_speed, wish_dt)
                if patience > ARRIVAL_PATIENCE and slot >= 0:  # arrival spreads by contact
                    count = np.int64(neighbour_count[agent])
                    if touches_arrived(values, tags, neighbours, count, group_numbers, agent, heading_x, heading_y):
                        status = np.int64(ARRIVED)
            values[PATIENCE, agent] = patience

            wish_x = _ZERO
            wish_y = _ZERO
            if status == WALKING and patience > STANDOFF_PATIENCE:
                if faces_oncoming(values, neighbours, np.int64(neighbour_count[agent]), agent, heading_x, heading_y):
                    aside_x = heading_x * STANDOFF_FORWARD + heading_y * STANDOFF_ASIDE
                    heading_y = heading_y * STANDOFF_FORWARD - heading_x * STANDOFF_ASIDE
                    heading_x = aside_x
            if status == WALKING and wanted_speed > _ZERO:
                wish_x, wish_y = wish_among_others(
                    values, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, x, y, radius, speed, heading_x,
                    heading_y, wanted_speed, patience,
                )  # fmt: skip
            values[WISH_X, agent] = wish_x
            values[WISH_Y, agent] = wish_y
            if status == ARRIVED and tags[STATUS, agent] != ARRIVED:
                if crowd_numbers[ON_ARRIVAL, crowd] == ON_ARRIVAL_REMOVE and group_numbers[IS_COMMAND, group] == 0:
                    status = np.int64(REMOVED)
        if share == FIRST_HALF and status == tags[STATUS, agent]:
            status = np.int64(KEPT)
        next_status[agent] = np.int32(status)
