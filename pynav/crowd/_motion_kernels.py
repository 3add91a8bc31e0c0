"""Kernels at both ends of a move: the first guess of where an agent goes, and what follows once its place is found.

Each agent reads the state of the last tick and writes its own slots.
"""

import numpy as np

from pynav.crowd._contact_kernels import gives_way, is_pressing
from pynav.crowd.agent_layout import (
    ANCHOR_OFFSET,
    CROWD,
    HEADING_X,
    HEADING_Y,
    HOLDING,
    LAYER,
    NO_EVENT,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    SPEED,
    STATUS,
    VELOCITY_X,
    VELOCITY_Y,
    WALKED,
    WALKED_PERIOD,
    WALKING,
    WISH_X,
    WISH_Y,
)
from pynav.crowd.wall_geometry import SOLID, allowed_move, limited_step, step_limit
from pynav.kernels import block_kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-9)
_APART = np.float32(1e-6)  # squared distance below which two agents have no direction from one to the other

PROJECTION = np.float32(0.8)  # part of the approaching velocity taken out at a contact
_PERIOD = np.float32(WALKED_PERIOD)
_MOVING = np.float32(0.01)  # squared part of the top speed below which the heading is kept
_STRAIGHT_BACK = np.float32(-0.99)


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[:, ::1] neighbours, int32[::1] neighbour_count,"
    " float32[::1] guess_x, float32[::1] guess_y, uint16[:, :, ::1] walls, int32[:, ::1] crowd_numbers,"
    " float32[:, ::1] crowd_settings, float32 dt, float32 per_dt, float32 blend, float32 blend_stop"
)
def guess_moves(
    values, tags, next_status, neighbours, neighbour_count, guess_x, guess_y, walls, crowd_numbers, crowd_settings, dt, per_dt,
    blend, blend_stop, begin, end,
):  # fmt: skip
    """Blend the velocity towards the wish, take out what would drive into a contact, and see where that leads."""
    for agent in range(begin, end):
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        radius = values[RADIUS, agent]
        speed = values[SPEED, agent]
        velocity_x = values[VELOCITY_X, agent]
        velocity_y = values[VELOCITY_Y, agent]
        crowd = np.int64(tags[CROWD, agent])
        own_walls = walls[np.int64(crowd_numbers[LAYER, crowd])]
        offset = crowd_settings[ANCHOR_OFFSET, crowd]

        part = blend
        if next_status[agent] != WALKING:
            part = blend_stop
        move_x = velocity_x + part * (values[WISH_X, agent] - velocity_x)
        move_y = velocity_y + part * (values[WISH_Y, agent] - velocity_y)
        presses = is_pressing(next_status[agent], values[PATIENCE, agent])
        for index in range(np.int64(neighbour_count[agent])):
            other = np.int64(neighbours[agent, index])
            away_x = values[POSITION_X, other] - x
            away_y = values[POSITION_Y, other] - y
            squared = away_x * away_x + away_y * away_y
            if squared > _APART and not (presses and gives_way(next_status[other])):
                distance = np.sqrt(squared)
                gap = distance - radius - values[RADIUS, other]
                if gap < _ZERO:
                    gap = _ZERO
                away_x /= distance
                away_y /= distance
                # What depends on the contact alone stands apart: the chain from one contact to the next is what takes the time.
                allowed = values[VELOCITY_X, other] * away_x + values[VELOCITY_Y, other] * away_y + gap * per_dt * _HALF
                part_x = PROJECTION * away_x
                part_y = PROJECTION * away_y
                excess = move_x * away_x + move_y * away_y - allowed
                if excess < _ZERO:  # no branch: whether one approaches can't be predicted
                    excess = _ZERO
                move_x -= excess * part_x
                move_y -= excess * part_y
        if next_status[agent] == HOLDING:  # contacts that come near push, too
            move_x = _ZERO
            move_y = _ZERO
        to_x, to_y = limited_step(x, y, x + move_x * dt, y + move_y * dt, step_limit(speed, dt))
        guess_x[agent], guess_y[agent] = allowed_move(own_walls, offset, x, y, to_x, to_y)


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, float32[::1] guess_x, float32[::1] guess_y,"
    " uint8[::1] event, float32 dt, float32 per_dt, float32 standing_damping, float32 turn, int64 is_halved"
)
def finish_move(values, tags, next_status, guess_x, guess_y, event, dt, per_dt, standing_damping, turn, is_halved, begin, end):
    """Take the guesses as positions, or half of the way there; velocity, heading and distance walked follow from them.

    No branches and no neighbours: the compiler makes vectors of it, a tenth of what it cost within the contact pass.
    """
    for agent in range(begin, end):
        new_x = guess_x[agent]
        new_y = guess_y[agent]
        speed = values[SPEED, agent]
        velocity_x = (new_x - values[POSITION_X, agent]) * per_dt
        velocity_y = (new_y - values[POSITION_Y, agent]) * per_dt
        squared = velocity_x * velocity_x + velocity_y * velocity_y
        status = next_status[agent]
        scale = speed / np.sqrt(squared) if squared > speed * speed else _ONE
        scale = scale if status == WALKING else scale * standing_damping
        velocity_x *= scale
        velocity_y *= scale
        event[agent] = np.uint8(status if status != tags[STATUS, agent] else NO_EVENT)
        tags[STATUS, agent] = status
        middle_x = (values[POSITION_X, agent] + new_x) * _HALF
        middle_y = (values[POSITION_Y, agent] + new_y) * _HALF
        values[POSITION_X, agent] = middle_x if is_halved != 0 else new_x
        values[POSITION_Y, agent] = middle_y if is_halved != 0 else new_y
        values[VELOCITY_X, agent] = velocity_x
        values[VELOCITY_Y, agent] = velocity_y

        squared = velocity_x * velocity_x + velocity_y * velocity_y
        size = np.sqrt(squared)
        moves = squared > speed * speed * _MOVING
        walked = values[WALKED, agent] + (size * dt if moves else _ZERO)
        values[WALKED, agent] = walked - _PERIOD if walked >= _PERIOD else walked
        old_x = values[HEADING_X, agent]
        old_y = values[HEADING_Y, agent]
        to_x = velocity_x / size
        to_y = velocity_y / size
        # Straight back: blending would pass through zero, so turn by way of the side.
        aside = turn if old_x * to_x + old_y * to_y < _STRAIGHT_BACK else _ZERO
        heading_x = old_x - to_y * aside
        heading_y = old_y + to_x * aside
        heading_x += turn * (to_x - heading_x)
        heading_y += turn * (to_y - heading_y)
        squared = heading_x * heading_x + heading_y * heading_y
        scale = _ONE / np.sqrt(squared)
        turns = moves & (squared > _TINY)
        values[HEADING_X, agent] = heading_x * scale if turns else old_x
        values[HEADING_Y, agent] = heading_y * scale if turns else old_y


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, float32[::1] guess_x, float32[::1] guess_y, uint16[:, :, ::1] walls,"
    " int32[:, ::1] crowd_numbers, float32[:, ::1] crowd_settings"
)
def take_second_half(values, tags, guess_x, guess_y, walls, crowd_numbers, crowd_settings, begin, end):
    """Bring agents that are half-way to where their move leads, unless that place has turned solid."""
    for agent in range(begin, end):
        x = guess_x[agent]
        y = guess_y[agent]
        crowd = np.int64(tags[CROWD, agent])
        layer = np.int64(crowd_numbers[LAYER, crowd])
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        if (walls[layer, np.int64(y - offset) + 1, np.int64(x - offset) + 1] & SOLID) == 0:
            values[POSITION_X, agent] = x
            values[POSITION_Y, agent] = y
