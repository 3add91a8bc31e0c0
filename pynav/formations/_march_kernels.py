# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of a march: how far its front and each row have come along the route, and where each place is then.

A place is a station of the route and a distance to the side. On a straight wide way rows and files are as they were dragged.
Where there is less room on one side, rows shift to the other; where there is less than they need, files move together; where
even that does not do, files fall in behind one another in *lanes*, the middle one of each first, and rows draw apart by as much.
So a formation comes out of a door as it went in. Trees (obstacles of at most 3 x 3 tiles) narrow nothing: each place steps aside
of them. The front waits for who lags, and a row for the row ahead of it (own, after the talk's wish for a distance field).
"""

import numpy as np

from pynav.formations._route_kernels import has_room
from pynav.formations.place_layout import (
    DEPTH,
    DROPPED,
    FILE,
    FIRST_ROW,
    FIRST_STATION,
    FORMATION,
    FRONT,
    FRONT_END,
    FRONT_SPEED,
    HI,
    IS_BEFORE,
    LAG,
    LANE,
    LEAST_SPEED,
    LO,
    MARCHING,
    OWNER_ID,
    PITCH,
    PLACE_FRONT,
    PLACE_OFFSET,
    PLACE_ROW,
    PROGRESS,
    RATIO,
    ROW_CLASS,
    ROW_COUNT,
    ROW_FILES,
    ROW_FIRST_PLACE,
    ROW_STATION,
    ROW_STATION_AHEAD,
    SLOWEST,
    STAGE,
    STANDING,
    STATION,
    STATION_COUNT,
    STATION_TILES,
    STATION_X,
    STATION_Y,
    STRETCH,
    TANGENT_X,
    TANGENT_Y,
    TARGET_STATION,
    TARGET_VELOCITY_X,
    TARGET_VELOCITY_Y,
    TARGET_X,
    TARGET_Y,
    UNIT_SPEED,
    WAIT,
    WAIT_GOAL,
    WALK_LAYER,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)

MEASURE_TICKS = 4  # a power of two
MOVE_TICKS = 4  # a place is worked out anew every so many ticks, a power of two
RUN_OF_PLACES = 64  # that are worked out in the same tick
BINS = 64  # of lag, a tenth of a tile each
_PER_BIN = np.float32(10.0)
_BIN = np.float32(0.1)
PACE = np.float32(0.95)  # of the slowest one's speed: who falls behind can catch up
GATE_FREE = np.float32(1.5)  # the front slows down where a tenth of the units lag more than GATE_LAG times what this exceeds 1 by
GATE_LAG = np.float32(1.2)
STOP_PER_SECOND = np.float32(2.0)  # the front's speed for each tile that is left, and a little more
STOP_SPEED = np.float32(0.2)
FASTER_PER_SECOND = np.float32(4.0)  # tiles a second that the front's speed may grow by in a second
AHEAD_TILES = np.float32(0.25)  # how far on the front is when the places' velocities are measured
WAITING_ROWS = 8  # deeper formations don't have rows wait: too slow
WAIT_SLACK = np.float32(0.4)
LONGEST_WAIT = np.float32(3.0)
CLASS_SLACK = np.float32(1.0)
LONGEST_CLASS_WAIT = np.float32(6.0)
WAIT_PER_SECOND = np.float32(3.0)
ROOM_TILES = np.float32(0.3)  # around a place
DODGE_TILES = np.float32(0.5)  # steps in which a place is looked for beside a tree
DODGES = 5
_STRETCH_STEPS = np.float32(16.0)


@inline
def station_at(stations, first, count, along):
    """Index of the station before a distance along the route, and the part of the way to the next one; clipped to the route."""
    steps = min(max(along / STATION_TILES, _ZERO), np.float32(count - 1) - np.float32(0.001))
    index = np.int64(steps)
    return first + index, steps - np.float32(index)


@inline
def mixed(stations, row, index, part):
    """An entry between two stations."""
    return stations[row, index] * (_ONE - part) + stations[row, index + 1] * part


@inline
def along_of_progress(stations, first, count, progress):
    """The distance along the route at which the rows have made some progress; negative before the route's beginning."""
    if progress < _ZERO:
        return progress
    low = np.int64(0)
    high = count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if stations[PROGRESS, first + middle] <= progress:
            low = middle
        else:
            high = middle
    step = stations[PROGRESS, first + low + 1] - stations[PROGRESS, first + low]
    part = _ZERO
    if step > _ZERO:
        part = min((progress - stations[PROGRESS, first + low]) / step, _ONE)
    return (np.float32(low) + part) * STATION_TILES


@inline
def lane_of(file, files, lanes):
    """Lane of a file, and its rank within the lane: the one nearest to the lane's middle first, of two the left one."""
    lane = file * lanes // files
    first = (lane * files + lanes - 1) // lanes
    behind = ((lane + 1) * files + lanes - 1) // lanes
    twice = 2 * file - (first + behind - 1)  # twice the distance to the lane's middle
    rank = abs(twice)
    if (behind - first) % 2 == 0:
        rank -= 0 if twice > 0 else 1
    elif twice < 0:
        rank -= 1
    return lane, rank


@inline
def place_on_route(stations, first, count, along, file, files, pitch, lane):
    """Where a file of a row at a distance along the route is: along, and to the right of the route."""
    index, part = station_at(stations, first, count, along)
    low = mixed(stations, LO, index, part)
    high = mixed(stations, HI, index, part)
    width = high - low
    half = _ZERO
    aside = _ZERO
    back = _ZERO
    if width >= np.float32(files - 1) * lane:
        if files > 1:
            gap = min(pitch, width / np.float32(files - 1))
            half = gap * np.float32(files - 1) * _HALF
            aside = np.float32(file) * gap - half
    else:
        lanes = max(width / lane + _ONE, _ONE)
        few = np.int64(lanes)
        more = min(few + 1, files)
        share = lanes - np.float32(few)
        few_lane, few_rank = lane_of(file, files, few)
        more_lane, more_rank = lane_of(file, files, more)
        few_at = np.float32(few_lane) - np.float32(few - 1) * _HALF
        more_at = np.float32(more_lane) - np.float32(more - 1) * _HALF
        gap = _ZERO
        if lanes > np.float32(1.2):
            gap = min(width / (lanes - _ONE), pitch)
        half = gap * (lanes - _ONE) * _HALF
        aside = min(max((few_at * (_ONE - share) + more_at * share) * gap, -half), half)
        back = (np.float32(few_rank) * (_ONE - share) + np.float32(more_rank) * share) * lane
    middle = min(max(_ZERO, low + half), high - half)
    return along - back, aside + middle


@inline
def point_on_route(stations, first, count, along, aside):
    """The point of the map there, held within the free width."""
    index, part = station_at(stations, first, count, along)
    aside = min(max(aside, mixed(stations, LO, index, part)), mixed(stations, HI, index, part))
    x = mixed(stations, STATION_X, index, part) - mixed(stations, TANGENT_Y, index, part) * aside
    y = mixed(stations, STATION_Y, index, part) + mixed(stations, TANGENT_X, index, part) * aside
    return x, y


@inline
def beside_obstacle(walls, offset, stations, first, count, along, aside):
    """The point of the map there, or, where a tree stands, the nearest one to its left or right that is free."""
    x, y = point_on_route(stations, first, count, along, aside)
    if has_room(walls, x - offset, y - offset, ROOM_TILES):
        return x, y
    for step in range(1, 2 * DODGES + 1):
        shift = DODGE_TILES * np.float32((step + 1) // 2)
        if step % 2 == 0:
            shift = -shift
        to_x, to_y = point_on_route(stations, first, count, along, aside + shift)
        if has_room(walls, to_x - offset, to_y - offset, ROOM_TILES):
            return to_x, to_y
    return x, y


@inline
def share_of_bins(bins, total, share):
    """The lag that a share of those that were counted doesn't exceed."""
    wanted = np.int64(np.float32(total) * share)
    seen = np.int64(0)
    for index in range(BINS):
        seen += np.int64(bins[index])
        if seen > wanted:
            return np.float32(index) * _BIN
    return np.float32(BINS) * _BIN


@inline
def count_row(place_values, place_tags, bins, begin, end):
    """Put the lags of the units of a row that count into bins; how many."""
    found = np.int64(0)
    for place in range(begin, end):
        if place_tags[OWNER_ID, place] >= 0 and place_tags[STANDING, place] != DROPPED:
            lag = min(np.int64(max(place_values[LAG, place], _ZERO) * _PER_BIN), np.int64(BINS - 1))
            bins[lag] += np.int32(1)
            found += 1
    return found


@inline
def measure_march(formation, formation_values, formation_tags, row_values, row_tags, place_values, place_tags, bins):
    """How far the units lag, by row and together, who is the slowest, and how much faster than the front the outer places go."""
    first_row = np.int64(formation_tags[FIRST_ROW, formation])
    rows = np.int64(formation_tags[ROW_COUNT, formation])
    slowest = np.float32(1e9)
    least = formation_values[LEAST_SPEED, formation]
    all_bins = bins[0]
    row_bins = bins[1]
    stretch_bins = bins[2]
    for index in range(BINS):
        all_bins[index] = np.int32(0)
        stretch_bins[index] = np.int32(0)
    total = np.int64(0)
    before = _ZERO  # the wait of the row ahead
    lag_ahead = _ZERO
    class_lag = _ZERO  # of the last one of the class so far
    classes_ahead = _ZERO  # of the last one of those before it
    for row in range(first_row, first_row + rows):
        begin = np.int64(row_tags[ROW_FIRST_PLACE, row])
        end = begin + np.int64(row_tags[ROW_FILES, row])
        for index in range(BINS):
            row_bins[index] = np.int32(0)
        counted = np.int64(0)
        if row_tags[IS_BEFORE, row] == 0:  # who has no place on the route yet holds up nobody
            counted = count_row(place_values, place_tags, row_bins, begin, end)
            for index in range(BINS):
                all_bins[index] += row_bins[index]
            total += counted
        if row > first_row and row_tags[ROW_CLASS, row] != row_tags[ROW_CLASS, row - 1]:
            classes_ahead = max(classes_ahead, class_lag)
            class_lag = _ZERO
        wait = _ZERO
        if rows <= WAITING_ROWS and row > first_row and (lag_ahead > WAIT_SLACK or before > _ZERO):
            wait = min(LONGEST_WAIT, max(before, lag_ahead - WAIT_SLACK))
        # Rows of the next class wait for the last one of those ahead: it can't pass them as long as they walk.
        if classes_ahead > CLASS_SLACK:
            wait = max(wait, min(classes_ahead, LONGEST_CLASS_WAIT))
        row_values[WAIT_GOAL, row] = wait
        before = min(wait, LONGEST_WAIT)
        lag_ahead = share_of_bins(row_bins, counted, np.float32(0.8)) if counted > 0 else _ZERO
        class_lag = max(class_lag, share_of_bins(row_bins, counted, np.float32(0.999))) if counted > 0 else class_lag
        for place in range(begin, end):
            if place_tags[OWNER_ID, place] < 0 or place_tags[STANDING, place] == DROPPED:
                continue
            stretch = min(np.int64(place_values[STRETCH, place] * _STRETCH_STEPS), np.int64(BINS - 1))
            stretch_bins[stretch] += np.int32(1)
            speed = place_values[UNIT_SPEED, place]
            if speed > _ZERO and speed >= least:
                slowest = min(slowest, speed)
    formation_values[SLOWEST, formation] = slowest if slowest < np.float32(1e8) else max(least, _ONE)
    lag = share_of_bins(all_bins, total, np.float32(0.9)) if total > 0 else _ZERO
    gate = min(max(GATE_FREE - lag / GATE_LAG, _ZERO), _ONE)
    ratio = _ONE
    if total > 0:
        ratio = max(share_of_bins(stretch_bins, total, np.float32(0.9)) * _PER_BIN / _STRETCH_STEPS, _ONE)
    formation_values[RATIO, formation] = gate / ratio


@block_kernel(
    "float32[:, ::1] row_values, int32[:, ::1] row_tags, int64 first_row, int32[:, ::1] place_tags, int64 first_station,"
    " int64 station_count, float64 front, int64 is_retreat"
)
def number_places(row_values, row_tags, first_row, place_tags, first_station, station_count, front, is_retreat, begin, end):
    """Row, file and first station of the places of a march.

    Args:
        row_values: of all rows.
        row_tags: the same.
        first_row: of the march.
        place_tags: of all places.
        first_station: of the march.
        station_count: of the march.
        front: where the front begins, tiles along the route.
        is_retreat: 1 where files are counted from the right.
        begin: first row.
        end: behind the last one.
    """
    for row in range(first_row + begin, first_row + end):
        first = np.int64(row_tags[ROW_FIRST_PLACE, row])
        files = np.int64(row_tags[ROW_FILES, row])
        steps = (front - np.float64(row_values[DEPTH, row])) / np.float64(STATION_TILES)
        station = first_station + np.int64(min(max(steps, np.float64(0.0)), np.float64(station_count - 1)))
        for file in range(files):
            place_tags[PLACE_ROW, first + file] = np.int32(row)
            place_tags[FILE, first + file] = np.int32(files - 1 - file if is_retreat != 0 else file)
            place_tags[STATION, first + file] = np.int32(station)


@block_kernel(
    "float32[:, ::1] formation_values, int32[:, ::1] formation_tags, float32[:, ::1] row_values, int32[:, ::1] row_tags,"
    " float32[:, ::1] place_values, int32[:, ::1] place_tags, float32[:, ::1] stations, int32[:, :, ::1] bins, int64 tick,"
    " float32 dt"
)
def advance_fronts(
    formation_values, formation_tags, row_values, row_tags, place_values, place_tags, stations, bins, tick, dt, begin, end
):
    """Move the fronts of marches on, and their rows with them."""
    for formation in range(begin, end):
        if formation_tags[STAGE, formation] != MARCHING:
            continue
        if ((formation + tick) & (MEASURE_TICKS - 1)) == 0:
            measure_march(
                formation, formation_values, formation_tags, row_values, row_tags, place_values, place_tags, bins[formation]
            )
        speed = formation_values[SLOWEST, formation] * PACE * formation_values[RATIO, formation]
        left = formation_values[FRONT_END, formation] - formation_values[FRONT, formation]
        speed = min(speed, left * STOP_PER_SECOND + STOP_SPEED)
        speed = min(speed, formation_values[FRONT_SPEED, formation] + FASTER_PER_SECOND * dt)
        front = min(formation_values[FRONT, formation] + speed * dt, formation_values[FRONT_END, formation])
        formation_values[FRONT_SPEED, formation] = (front - formation_values[FRONT, formation]) / dt if dt > _ZERO else _ZERO
        formation_values[FRONT, formation] = front
        first = np.int64(formation_tags[FIRST_STATION, formation])
        count = np.int64(formation_tags[STATION_COUNT, formation])
        index, part = station_at(stations, first, count, front)
        progress = mixed(stations, PROGRESS, index, part)
        index, part = station_at(stations, first, count, front + AHEAD_TILES)
        progress_ahead = mixed(stations, PROGRESS, index, part)
        follow = min(WAIT_PER_SECOND * dt, _ONE)
        first_row = np.int64(formation_tags[FIRST_ROW, formation])
        for row in range(first_row, first_row + np.int64(formation_tags[ROW_COUNT, formation])):
            row_values[WAIT, row] += follow * (row_values[WAIT_GOAL, row] - row_values[WAIT, row])
            depth = row_values[DEPTH, row]
            along = along_of_progress(stations, first, count, progress - depth)
            row_values[ROW_STATION, row] = along - row_values[WAIT, row]
            row_values[ROW_STATION_AHEAD, row] = (
                along_of_progress(stations, first, count, progress_ahead - depth) - row_values[WAIT, row]
            )
            row_tags[IS_BEFORE, row] = np.int32(1 if along < _ZERO else 0)


@block_kernel(
    "float32[:, ::1] formation_values, int32[:, ::1] formation_tags, float32[:, ::1] row_values, int32[:, ::1] row_tags,"
    " float32[:, ::1] place_values, int32[:, ::1] place_tags, float32[:, ::1] stations, uint16[:, :, ::1] walls, int64 tick"
)
def move_places(
    formation_values, formation_tags, row_values, row_tags, place_values, place_tags, stations, walls, tick, begin, end
):
    """Where the places of marches are, and how fast they go for each tile of the front's way; a run of places every MOVE_TICKS
    ticks (in between that speed tells where they are).
    """
    for place in range(begin, end):
        formation = np.int64(place_tags[FORMATION, place])
        if (
            formation < 0
            or formation_tags[STAGE, formation] != MARCHING
            or ((place // RUN_OF_PLACES + tick) & (MOVE_TICKS - 1)) != 0
        ):
            continue
        first = np.int64(formation_tags[FIRST_STATION, formation])
        count = np.int64(formation_tags[STATION_COUNT, formation])
        row = np.int64(place_tags[PLACE_ROW, place])
        file = np.int64(place_tags[FILE, place])
        files = np.int64(row_tags[ROW_FILES, row])
        pitch = row_values[PITCH, row]
        lane = row_values[LANE, row]
        along, aside = place_on_route(stations, first, count, row_values[ROW_STATION, row], file, files, pitch, lane)
        own_walls = walls[np.int64(formation_tags[WALK_LAYER, formation])]
        offset = formation_values[PLACE_OFFSET, formation]
        x, y = beside_obstacle(own_walls, offset, stations, first, count, along, aside)
        place_values[TARGET_X, place] = x
        place_values[TARGET_Y, place] = y
        place_values[TARGET_STATION, place] = max(along, _ZERO)
        place_values[PLACE_FRONT, place] = formation_values[FRONT, formation]
        x, y = point_on_route(stations, first, count, along, aside)
        along, aside = place_on_route(stations, first, count, row_values[ROW_STATION_AHEAD, row], file, files, pitch, lane)
        ahead_x, ahead_y = point_on_route(stations, first, count, along, aside)
        step_x = (ahead_x - x) / AHEAD_TILES
        step_y = (ahead_y - y) / AHEAD_TILES
        place_values[TARGET_VELOCITY_X, place] = step_x
        place_values[TARGET_VELOCITY_Y, place] = step_y
        place_values[STRETCH, place] = np.sqrt(step_x * step_x + step_y * step_y)
