"""Kernel of the contact passes: averaged Jacobi iterations on positions, and walls.

Each agent reads its neighbours' guesses of the pass before and writes its own, so neither the order of agents nor the number of
threads matters (averaged Jacobi as in Macklin et al. 2014, "Unified Particle Physics for Real-Time Applications").
"""

import numpy as np

from pynav.crowd.agent_layout import (
    AGENT_ID,
    ANCHOR_OFFSET,
    CROWD,
    HOLDING,
    LAYER,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    SPEED,
    WALKING,
    WALL_RADIUS,
)
from pynav.crowd.random_numbers import mixed
from pynav.crowd.wall_geometry import allowed_move, limited_step, pushed_from_walls, step_limit
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-9)
_DIAGONAL = np.float32(0.70710678)

SLACK = np.float32(0.995)  # discs may overlap by this much before they are pushed: keeps a packed crowd at rest
STANDING_SHARE = np.float32(0.3)  # of a push, what one who does not walk takes against one who does
PRESS_PATIENCE = np.float32(1.0)  # who has been held up for so long presses on, and those who stand make way
_SMALL_SHARE = STANDING_SHARE / (_ONE + STANDING_SHARE)
_LARGE_SHARE = _ONE / (_ONE + STANDING_SHARE)
COINCIDENT = np.float32(0.001)  # distance assumed for two agents at one point, tiles


@inline
def parting_direction(own_id, other_id, order):
    """How two agents at one point part: one of eight directions by their ids, opposite for the other one."""
    side = COINCIDENT
    if own_id < other_id or (own_id == other_id and order < 0):
        side = -COINCIDENT
    turn = mixed(own_id + other_id + abs(own_id - other_id) * 4099) & 3
    if turn == 0:
        return side, _ZERO
    if turn == 1:
        return side * _DIAGONAL, side * _DIAGONAL
    if turn == 2:
        return _ZERO, side
    return side * _DIAGONAL, -side * _DIAGONAL


@inline
def is_pressing(status, patience):
    """Whether one walks and has been held up for so long that those who stand in its way step aside."""
    return status == WALKING and patience > PRESS_PATIENCE


@inline
def gives_way(status):
    """Whether one stands and lets those who press on by."""
    return (status != WALKING) & (status != HOLDING)  # not "and", which would be a branch


@inline
def pushed_apart(agent, values, tags, status, x_of, y_of, neighbours, count, relaxation):
    """The agent's guess moved by the average of what its overlaps ask for.

    Without branches: whether two in contact overlap can't be predicted, and a wrong guess costs the processor more than the sum.
    """
    x = x_of[agent]
    y = y_of[agent]
    radius = values[RADIUS, agent]
    sum_x = _ZERO
    sum_y = _ZERO
    overlaps = _ZERO
    walks = status[agent] == WALKING
    for index in range(count):
        other = np.int64(neighbours[agent, index])
        away_x = x - x_of[other]
        away_y = y - y_of[other]
        squared = away_x * away_x + away_y * away_y
        if squared < _TINY:
            away_x, away_y = parting_direction(np.int64(tags[AGENT_ID, agent]), np.int64(tags[AGENT_ID, other]), agent - other)
            squared = COINCIDENT * COINCIDENT
        distance = np.sqrt(squared)
        overlap = (radius + values[RADIUS, other]) * SLACK - distance
        overlap = overlap if overlap > _ZERO else _ZERO
        overlaps += _ONE if overlap > _ZERO else _ZERO
        who_walks = agent if walks else other
        who_stands = other if walks else agent
        is_pressed = (values[PATIENCE, who_walks] > PRESS_PATIENCE) & gives_way(status[who_stands])
        share = _LARGE_SHARE if is_pressed != walks else _SMALL_SHARE
        share = _HALF if (status[other] == WALKING) == walks else share
        push = overlap / distance * share
        sum_x += away_x * push
        sum_y += away_y * push
    scale = relaxation / overlaps if overlaps > _ONE else _ONE
    scale = _ZERO if status[agent] == HOLDING else scale
    return x + sum_x * scale, y + sum_y * scale


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[:, ::1] neighbours, int32[::1] neighbour_count,"
    " float32[::1] guess_x, float32[::1] guess_y, float32[::1] out_x, float32[::1] out_y, uint16[:, :, ::1] walls,"
    " int32[:, ::1] crowd_numbers, float32[:, ::1] crowd_settings, float32 dt, float32 relaxation"
)
def push_contacts(
    values, tags, next_status, neighbours, neighbour_count, guess_x, guess_y, out_x, out_y, walls, crowd_numbers, crowd_settings,
    dt, relaxation, begin, end,
):  # fmt: skip
    """One Jacobi iteration: guesses in, better guesses out, away from the walls."""
    for agent in range(begin, end):
        count = np.int64(neighbour_count[agent])
        crowd = np.int64(tags[CROWD, agent])
        own_walls = walls[np.int64(crowd_numbers[LAYER, crowd])]
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        new_x = guess_x[agent]
        new_y = guess_y[agent]
        if count > 0:
            x = values[POSITION_X, agent]
            y = values[POSITION_Y, agent]
            new_x, new_y = pushed_apart(agent, values, tags, next_status, guess_x, guess_y, neighbours, count, relaxation)
            new_x, new_y = limited_step(x, y, new_x, new_y, step_limit(values[SPEED, agent], dt))
            new_x, new_y = allowed_move(own_walls, offset, x, y, new_x, new_y)
        out_x[agent], out_y[agent] = pushed_from_walls(own_walls, offset, new_x, new_y, crowd_settings[WALL_RADIUS, crowd])
