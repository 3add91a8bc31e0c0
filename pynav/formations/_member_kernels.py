# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that lead the units of formations: what they want instead of what their crowd's order says, and where they look.

They come after the steering pass (pynav/crowd/_steering_kernels.py) and before the moves. Who is not in a formation is passed
over. A unit on the way to a slot follows the flow, as everybody does, until it sees its slot; then it goes straight there.
"""

import numpy as np

from pynav.crowd._steering_kernels import changed_patience, wish_among_others
from pynav.crowd._string_pulling_kernels import sees
from pynav.crowd.agent_layout import (
    AGENT_ID,
    ANCHOR_OFFSET,
    ARRIVED,
    CROWD,
    FIRST_SLOT,
    GROUP,
    HEADING_X,
    HEADING_Y,
    LAYER,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    SPEED,
    STATUS,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
    WALL_RADIUS,
    WISH_X,
    WISH_Y,
)
from pynav.formations.place_layout import (
    AT_X,
    AT_Y,
    COMING,
    DROPPED,
    FACE_X,
    FACE_Y,
    FACES_ALWAYS,
    FACING_X,
    FACING_Y,
    FIRST_STATION,
    FORMATION,
    FRONT,
    FRONT_SPEED,
    HI,
    IN_TIME,
    LAG,
    LATE,
    LO,
    MARCHING,
    PACE,
    PLACE_FRONT,
    PLACE_PATIENCE,
    PRESENT,
    SEES_TARGET,
    SETTLED,
    SETTLED_COUNT,
    SLOWEST,
    STAGE,
    STANDING,
    STATION,
    STATION_COUNT,
    STATION_TILES,
    STATION_X,
    STATION_Y,
    TANGENT_X,
    TANGENT_Y,
    TARGET_STATION,
    TARGET_VELOCITY_X,
    TARGET_VELOCITY_Y,
    TARGET_X,
    TARGET_Y,
    UNIT_SPEED,
    WHOLE,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)

NEAR_TILES = np.float32(3.0)  # a slot no farther is looked at in each wish, others in every fourth
FAR_WISHES = 4  # a power of two
SETTLE_TILES = np.float32(0.12)  # who is so near to its slot stands in it
CROWDED_TILES = np.float32(0.7)  # the same for who has been held up for CROWDED_PATIENCE
CROWDED_PATIENCE = np.float32(1.5)
LEAVE_TILES = np.float32(1.0)  # who was pushed farther from its slot goes back
BRAKE_PER_SECOND = np.float32(4.0)  # speed allowed a tile of distance to the slot
STATION_LOOK = 8  # stations around the latest one among which the nearest is looked for
LOST_TILES = np.float32(8.0)  # who is farther off the route goes by the flow
LOOK_AHEAD_STATIONS = 10  # who does not see its place makes for the route so far on
AHEAD_TILES = np.float32(1.0)  # who does not see its place and is so far before it waits
LATE_TILES = np.float32(3.0)  # who lags so far ...
LATE_PACE = np.float32(0.4)  # ... at less than this part of the march's speed ...
LATE_SECONDS = np.float32(4.0)  # ... for so long can't keep up,
BACK_TILES = np.float32(1.5)  # and is back when it has lagged less than this ...
BACK_SECONDS = np.float32(3.0)  # ... for so long
PASS_LAG = np.float32(1.2)  # who lags so far passes others beside its file ...
PASS_TILES = np.float32(0.5)  # ... so far to the right of it,
PASS_WIDTH = np.float32(4.0)  # where the way is so wide
PASS_GAIN = np.float32(2.0)
PASS_SLOPE = np.float32(0.8)
PACE_PART = np.float32(0.2)  # how much of the average pace a wish renews
FACE_PER_SECOND = np.float32(6.0)  # how fast a standing unit turns to the formation's facing


@inline
def member_of(tags, crowd_numbers, member_place, agent):
    """The place of an agent, -1 for who has none."""
    crowd = np.int64(tags[CROWD, agent])
    return np.int64(member_place[np.int64(crowd_numbers[FIRST_SLOT, crowd]) + np.int64(tags[AGENT_ID, agent])]) - 1


@inline
def whole_of(formation_tags, formation):
    """The formation that a cluster belongs to; any other one is whole itself."""
    whole = np.int64(formation_tags[WHOLE, formation])
    return formation if whole == 0 else whole - 1


@inline
def run_to_slot(place_values, place_tags, place, to_x, to_y, distance, speed, is_seen):
    """Whether who runs settles or has settled in its slot, and the heading and speed of who walks there."""
    patience = place_values[PLACE_PATIENCE, place]
    is_settled = place_tags[STANDING, place] == SETTLED
    if is_settled:
        is_settled = distance <= LEAVE_TILES
    elif is_seen:
        is_settled = distance <= SETTLE_TILES or (patience > CROWDED_PATIENCE and distance <= CROWDED_TILES)
    place_tags[STANDING, place] = np.int32(SETTLED if is_settled else COMING)
    if is_settled or distance < _TINY:
        return is_settled, _ZERO, _ZERO, _ZERO
    return False, to_x / distance, to_y / distance, min(distance * BRAKE_PER_SECOND, speed)


@inline
def nearest_station(stations, first, count, near, x, y):
    """The station nearest to a point among those around one; with its squared distance."""
    best = near
    least = np.float32(1e30)
    for index in range(max(near - STATION_LOOK, first), min(near + STATION_LOOK, first + count - 1) + 1):
        away_x = stations[STATION_X, index] - x
        away_y = stations[STATION_Y, index] - y
        squared = away_x * away_x + away_y * away_y
        if squared < least:
            least = squared
            best = index
    return best, least


@inline
def note_lag(place_values, place_tags, place, lag, walks, march_speed, wish_dt):
    """Note how far a unit is behind; who can't keep up is dropped, and is back after it was in time for a while."""
    place_values[LAG, place] = lag
    pace = place_values[PACE, place] + PACE_PART * (walks - place_values[PACE, place])
    place_values[PACE, place] = pace
    late = place_values[LATE, place] + wish_dt
    if lag <= LATE_TILES or pace >= LATE_PACE * march_speed:
        late = _ZERO
    in_time = place_values[IN_TIME, place] + wish_dt if lag < BACK_TILES else _ZERO
    place_values[LATE, place] = late
    place_values[IN_TIME, place] = in_time
    if place_tags[STANDING, place] == DROPPED:
        if in_time > BACK_SECONDS:
            place_tags[STANDING, place] = np.int32(COMING)
    elif late > LATE_SECONDS:
        place_tags[STANDING, place] = np.int32(DROPPED)
    else:
        place_tags[STANDING, place] = np.int32(COMING)


@inline
def way_along_route(stations, first, count, near, squared, aside, lag, walls, offset, wall_radius, x, y, speed):
    """Whether who does not see its place goes along the route, and the heading and speed."""
    if squared > LOST_TILES * LOST_TILES:
        return False, _ZERO, _ZERO, _ZERO
    if lag < -AHEAD_TILES:
        return True, _ZERO, _ZERO, _ZERO
    last = first + count - 1
    for attempt in range(2):
        index = min(near + LOOK_AHEAD_STATIONS // (attempt + 1), last)
        side = min(max(aside, stations[LO, index]), stations[HI, index]) if attempt == 0 else _ZERO
        goal_x = stations[STATION_X, index] - stations[TANGENT_Y, index] * side
        goal_y = stations[STATION_Y, index] + stations[TANGENT_X, index] * side
        if sees(walls, offset, wall_radius, x, y, goal_x, goal_y):
            to_x = goal_x - x
            to_y = goal_y - y
            distance = np.sqrt(to_x * to_x + to_y * to_y)
            if distance > _TINY:
                return True, to_x / distance, to_y / distance, speed
    return False, _ZERO, _ZERO, _ZERO


@inline
def march_to_place(
    values, agent, place_values, place_tags, place, formation_values, formation_tags, formation, stations, walls, offset,
    wall_radius, is_seen, wish_dt, to_x, to_y,
):  # fmt: skip
    """Whether a unit of a march goes its own way rather than by the flow, and the heading and speed."""
    x = values[POSITION_X, agent]
    y = values[POSITION_Y, agent]
    speed = values[SPEED, agent]
    first = np.int64(formation_tags[FIRST_STATION, formation])
    count = np.int64(formation_tags[STATION_COUNT, formation])
    near, squared = nearest_station(stations, first, count, np.int64(place_tags[STATION, place]), x, y)
    place_tags[STATION, place] = np.int32(near)
    away_x = x - stations[STATION_X, near]
    away_y = y - stations[STATION_Y, near]
    along = np.float32(near - first) * STATION_TILES + away_x * stations[TANGENT_X, near] + away_y * stations[TANGENT_Y, near]
    aside = away_y * stations[TANGENT_X, near] - away_x * stations[TANGENT_Y, near]
    lag = place_values[TARGET_STATION, place] - along
    walks = values[VELOCITY_X, agent] * values[VELOCITY_X, agent] + values[VELOCITY_Y, agent] * values[VELOCITY_Y, agent]
    note_lag(place_values, place_tags, place, lag, np.sqrt(walks), formation_values[SLOWEST, formation], wish_dt)
    place_values[UNIT_SPEED, place] = speed
    if not is_seen:
        return way_along_route(stations, first, count, near, squared, aside, lag, walls, offset, wall_radius, x, y, speed)
    if lag > PASS_LAG and stations[HI, near] - stations[LO, near] > PASS_WIDTH:
        # Others stand in the way where its file is: on through the gap beside them.
        target_x = x + to_x - stations[STATION_X, near]
        target_y = y + to_y - stations[STATION_Y, near]
        gap = target_y * stations[TANGENT_X, near] - target_x * stations[TANGENT_Y, near] + PASS_TILES
        gap = min(max(gap, stations[LO, near]), stations[HI, near])
        shift = min(max((gap - aside) * PASS_GAIN, -PASS_SLOPE), PASS_SLOPE)
        scale = _ONE / np.sqrt(_ONE + shift * shift)
        heading_x = (stations[TANGENT_X, near] - stations[TANGENT_Y, near] * shift) * scale
        heading_y = (stations[TANGENT_Y, near] + stations[TANGENT_X, near] * shift) * scale
        return True, heading_x, heading_y, speed
    front_speed = formation_values[FRONT_SPEED, formation]
    wish_x = to_x * BRAKE_PER_SECOND + place_values[TARGET_VELOCITY_X, place] * front_speed
    wish_y = to_y * BRAKE_PER_SECOND + place_values[TARGET_VELOCITY_Y, place] * front_speed
    wanted = np.sqrt(wish_x * wish_x + wish_y * wish_y)
    if wanted < _TINY:
        return True, _ZERO, _ZERO, _ZERO
    return True, wish_x / wanted, wish_y / wanted, min(wanted, speed)


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[::1] cell_start, uint16[:, :, ::1] walls,"
    " int32[:, ::1] crowd_numbers, float32[:, ::1] crowd_settings, int32[::1] member_place, int32[::1] group_formation,"
    " float32[:, ::1] place_values,"
    " int32[:, ::1] place_tags, float32[:, ::1] formation_values, int32[:, ::1] formation_tags, float32[:, ::1] stations,"
    " float32 rows_per_tile, float32 columns_per_tile,"
    " int64 column_count, int64 row_count,"
    " int64 tick, int64 wish_mask, float32 wish_dt"
)
def steer_members(
    values, tags, next_status, cell_start, walls, crowd_numbers, crowd_settings, member_place, group_formation, place_values,
    place_tags, formation_values, formation_tags, stations, rows_per_tile, columns_per_tile, column_count, row_count, tick,
    wish_mask, wish_dt, begin, end,
):  # fmt: skip
    """What the units of formations want, in the tick of their row; their status from now on."""
    for agent in range(begin, end):
        y = values[POSITION_Y, agent]
        due = np.int64(y * rows_per_tile + _HALF) + tick
        if (due & wish_mask) != 0 and next_status[agent] == tags[STATUS, agent]:
            continue
        place = member_of(tags, crowd_numbers, member_place, agent)
        if place < 0 or tags[STATUS, agent] == REMOVED:
            continue
        whole = whole_of(formation_tags, np.int64(place_tags[FORMATION, place]))
        if np.int64(group_formation[np.int64(tags[GROUP, agent])]) != whole + 1:  # it was told something else
            slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])
            member_place[slot] = np.int32(0)
            continue
        if (due & wish_mask) != 0:  # it had waited long enough behind its crowd to arrive; but its place is elsewhere
            next_status[agent] = tags[STATUS, agent]
            continue
        crowd = np.int64(tags[CROWD, agent])
        own_walls = walls[np.int64(crowd_numbers[LAYER, crowd])]
        x = values[POSITION_X, agent]
        speed = values[SPEED, agent]
        formation = np.int64(place_tags[FORMATION, place])
        is_marching = formation_tags[STAGE, formation] == MARCHING
        target_x = place_values[TARGET_X, place]
        target_y = place_values[TARGET_Y, place]
        if is_marching:  # it has moved on since it was worked out
            since = formation_values[FRONT, formation] - place_values[PLACE_FRONT, place]
            target_x += place_values[TARGET_VELOCITY_X, place] * since
            target_y += place_values[TARGET_VELOCITY_Y, place] * since
        to_x = target_x - x
        to_y = target_y - y
        distance = np.sqrt(to_x * to_x + to_y * to_y)
        is_seen = place_tags[SEES_TARGET, place] != 0
        if distance < NEAR_TILES or (due & (FAR_WISHES * (wish_mask + 1) - 1)) == 0:
            is_seen = sees(
                own_walls, crowd_settings[ANCHOR_OFFSET, crowd], crowd_settings[WALL_RADIUS, crowd], x, y,
                target_x, target_y,
            )  # fmt: skip
            place_tags[SEES_TARGET, place] = np.int32(1 if is_seen else 0)
        place_values[AT_X, place] = x
        place_values[AT_Y, place] = y
        is_settled = False
        leads = is_seen
        if is_marching:
            leads, heading_x, heading_y, wanted_speed = march_to_place(
                values, agent, place_values, place_tags, place, formation_values, formation_tags, formation, stations, own_walls,
                crowd_settings[ANCHOR_OFFSET, crowd], crowd_settings[WALL_RADIUS, crowd], is_seen, wish_dt, to_x, to_y,
            )  # fmt: skip
        else:
            is_settled, heading_x, heading_y, wanted_speed = run_to_slot(
                place_values, place_tags, place, to_x, to_y, distance, speed, is_seen
            )
        if is_settled:
            # Until all stand it gives way to who must pass, and comes back; then it holds its ground.
            is_formed = formation_tags[SETTLED_COUNT, formation] == formation_tags[PRESENT, formation]
            next_status[agent] = np.int32(ARRIVED if is_formed else WALKING)
            gain = _ZERO if is_formed else BRAKE_PER_SECOND
            place_values[PLACE_PATIENCE, place] = _ZERO
            values[PATIENCE, agent] = _ZERO
            values[WISH_X, agent] = to_x * gain
            values[WISH_Y, agent] = to_y * gain
            continue
        if next_status[agent] == ARRIVED or next_status[agent] == REMOVED or leads:
            next_status[agent] = np.int32(WALKING)
        if not leads:
            continue  # as its crowd's order leads it
        progress = values[VELOCITY_X, agent] * heading_x + values[VELOCITY_Y, agent] * heading_y
        patience = changed_patience(place_values[PLACE_PATIENCE, place], progress, wanted_speed, wish_dt)
        place_values[PLACE_PATIENCE, place] = patience
        values[PATIENCE, agent] = patience
        wish_x = _ZERO
        wish_y = _ZERO
        if wanted_speed > _ZERO:
            wish_x, wish_y = wish_among_others(
                values, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, x, y, values[RADIUS, agent], speed,
                heading_x, heading_y, wanted_speed, patience,
            )  # fmt: skip
        values[WISH_X, agent] = wish_x
        values[WISH_Y, agent] = wish_y


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] member_place,"
    " float32[:, ::1] place_values, int32[:, ::1] place_tags, float32[:, ::1] formation_values,"
    " int32[:, ::1] formation_tags, float32 dt"
)
def face_members(
    values, tags, crowd_numbers, member_place, place_values, place_tags, formation_values, formation_tags, dt, begin, end
):
    """Turn units that stand in their slots to the formation's facing, and those of a retreat as they walk."""
    for agent in range(begin, end):
        place = member_of(tags, crowd_numbers, member_place, agent)
        if place < 0:
            continue
        formation = np.int64(place_tags[FORMATION, place])
        if place_tags[STANDING, place] != SETTLED and formation_tags[FACES_ALWAYS, formation] == 0:
            place_values[FACE_X, place] = _ZERO
            place_values[FACE_Y, place] = _ZERO
            continue
        # Its own heading from the tick before: the move has turned it into the walk's direction since.
        face_x = place_values[FACE_X, place]
        face_y = place_values[FACE_Y, place]
        if face_x == _ZERO and face_y == _ZERO:
            face_x = values[HEADING_X, agent]
            face_y = values[HEADING_Y, agent]
        to_x = formation_values[FACING_X, formation]
        to_y = formation_values[FACING_Y, formation]
        part = FACE_PER_SECOND * dt / (_ONE + FACE_PER_SECOND * dt)
        # Straight back: blending would pass through zero, so turn by way of the side.
        aside = part if face_x * to_x + face_y * to_y < np.float32(-0.99) else _ZERO
        new_x = face_x + part * (to_x - face_x) - to_y * aside
        new_y = face_y + part * (to_y - face_y) + to_x * aside
        squared = new_x * new_x + new_y * new_y
        if squared > _TINY:
            scale = _ONE / np.sqrt(squared)
            face_x = new_x * scale
            face_y = new_y * scale
        place_values[FACE_X, place] = face_x
        place_values[FACE_Y, place] = face_y
        values[HEADING_X, agent] = face_x
        values[HEADING_Y, agent] = face_y
