# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of bodies that the game moves: where they are now, and how fast they may go without running into anybody."""

import numpy as np

from pynav.crowd._steering_kernels import PATIENCE_LIMIT, STANDOFF_ASIDE, STANDOFF_FORWARD, wish_among_others
from pynav.crowd.agent_layout import (
    AGENT_ID,
    CROWD,
    HEADING_X,
    HEADING_Y,
    HOLDING,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    STATUS,
    VELOCITY_X,
    VELOCITY_Y,
    WISH_X,
    WISH_Y,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_HALF = np.float32(0.5)
_TINY = np.float32(1e-6)

PART_OF_OVERLAP = np.float32(0.2)  # that a body gets out of in a tick

# Columns of a body's row.
X, Y, ALONG_X, ALONG_Y, OWN_RADIUS, BODY_COLUMNS = range(6)
WANTED_X, WANTED_Y, TOP_SPEED, WANT_COLUMNS = range(4)


@inline
def is_barred(values, tags, neighbours, count, agent, heading_x, heading_y):
    """Whether one who isn't pushed is in the way of a body, in contact."""
    found = False
    for index in range(count):
        other = np.int64(neighbours[agent, index])
        away_x = values[POSITION_X, other] - values[POSITION_X, agent]
        away_y = values[POSITION_Y, other] - values[POSITION_Y, agent]
        ahead = away_x * heading_x + away_y * heading_y
        aside = away_x * heading_y - away_y * heading_x
        found |= (tags[STATUS, other] == HOLDING) & (ahead > abs(aside))
    return found


@inline
def mostly_forward(move_x, move_y, heading_x, heading_y):
    """A velocity that leads aside no faster than forward: amid a crowd that stands a body would only be turned to and fro."""
    forward = move_x * heading_x + move_y * heading_y
    aside = move_x * heading_y - move_y * heading_x
    aside = min(max(aside, -forward), forward)
    return forward * heading_x + aside * heading_y, forward * heading_y - aside * heading_x


@inline
def kept_out(values, other, x, y, radius, move_x, move_y, per_dt):
    """A velocity without what would lead into one who isn't pushed, each taking half of the gap; out again where they overlap."""
    away_x = values[POSITION_X, other] - x
    away_y = values[POSITION_Y, other] - y
    squared = away_x * away_x + away_y * away_y
    if squared > _TINY:
        distance = np.sqrt(squared)
        away_x /= distance
        away_y /= distance
        gap = distance - radius - values[RADIUS, other]
        allowed = gap * per_dt * (_HALF if gap > _ZERO else PART_OF_OVERLAP)
        excess = max(move_x * away_x + move_y * away_y - allowed, _ZERO)
        move_x -= excess * away_x
        move_y -= excess * away_y
    return move_x, move_y


@block_kernel("float32[:, ::1] values, int32[:, ::1] tags, float32[:, ::1] body, int64 crowd")
def drive_bodies(values, tags, body, crowd, begin, end):
    """Put the agents of a crowd where ``body`` (by id) says that they are, with what velocity; they stand like rocks."""
    for agent in range(begin, end):
        if tags[CROWD, agent] == crowd and tags[STATUS, agent] != REMOVED:
            own = np.int64(tags[AGENT_ID, agent])
            along_x = body[own, ALONG_X]
            along_y = body[own, ALONG_Y]
            values[POSITION_X, agent] = body[own, X]
            values[POSITION_Y, agent] = body[own, Y]
            values[VELOCITY_X, agent] = along_x
            values[VELOCITY_Y, agent] = along_y
            values[RADIUS, agent] = body[own, OWN_RADIUS]
            values[WISH_X, agent] = _ZERO
            values[WISH_Y, agent] = _ZERO
            squared = along_x * along_x + along_y * along_y
            if squared > _TINY:
                scale = _ONE / np.sqrt(squared)
                values[HEADING_X, agent] = along_x * scale
                values[HEADING_Y, agent] = along_y * scale
            tags[STATUS, agent] = np.int32(HOLDING)


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] neighbours, int32[::1] neighbour_count, int32[::1] cell_start,"
    " float32[:, ::1] want, float32[:, ::1] safe, int64 crowd, float32 rows_per_tile, float32 columns_per_tile, int64 row_count,"
    " int64 column_count, float32 per_dt"
)
def find_safe_velocities(
    values, tags, neighbours, neighbour_count, cell_start, want, safe, crowd, rows_per_tile, columns_per_tile, row_count,
    column_count, per_dt, begin, end,
):  # fmt: skip
    """``safe`` (by id) becomes what agents would wish and do in a body's place: near to what is wanted, past those ahead.

    Behind others it goes as fast as an impatient agent, who pushes those aside that may be pushed. Those who hold their ground,
    other bodies among them, are not run into, but passed on the right.
    """
    for agent in range(begin, end):
        if tags[CROWD, agent] == crowd and tags[STATUS, agent] != REMOVED:
            own = np.int64(tags[AGENT_ID, agent])
            x = values[POSITION_X, agent]
            y = values[POSITION_Y, agent]
            radius = values[RADIUS, agent]
            move_x = want[own, WANTED_X]
            move_y = want[own, WANTED_Y]
            top = want[own, TOP_SPEED]
            squared = move_x * move_x + move_y * move_y
            if squared > _TINY:
                wanted_speed = np.sqrt(squared)
                heading_x = move_x / wanted_speed
                heading_y = move_y / wanted_speed
                if is_barred(values, tags, neighbours, np.int64(neighbour_count[agent]), agent, heading_x, heading_y):
                    aside_x = heading_x * STANDOFF_FORWARD + heading_y * STANDOFF_ASIDE
                    heading_y = heading_y * STANDOFF_FORWARD - heading_x * STANDOFF_ASIDE
                    heading_x = aside_x
                move_x, move_y = wish_among_others(
                    values, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, x, y, radius, top,
                    heading_x, heading_y, min(wanted_speed, top), PATIENCE_LIMIT,
                )  # fmt: skip
                move_x, move_y = mostly_forward(move_x, move_y, heading_x, heading_y)
            for index in range(np.int64(neighbour_count[agent])):
                other = np.int64(neighbours[agent, index])
                if tags[STATUS, other] == HOLDING:
                    move_x, move_y = kept_out(values, other, x, y, radius, move_x, move_y, per_dt)
            squared = move_x * move_x + move_y * move_y
            if squared > top * top:
                scale = top / np.sqrt(squared)
                move_x *= scale
                move_y *= scale
            safe[own, 0] = move_x
            safe[own, 1] = move_y
