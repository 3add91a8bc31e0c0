# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that measures where crowds stand: how far each is spread out, and who is in its middle."""

import numpy as np

from pynav.crowd.agent_layout import AGENT_ID, AGENTS, ANCHOR_OFFSET, CROWD, POSITION_X, POSITION_Y, REMOVED, STATUS
from pynav.kernels import inline, kernel

# Columns of ``spread`` (int64); places in 1 / UNITS tiles, so that sums don't depend on the order of agents.
WANTED = 0  # 1: to be measured
COUNT = 1
SUM_X = 2
SUM_Y = 3
LEFT = 4
TOP = 5
RIGHT = 6
LOW = 7
LEADER_X = 8  # of the agent nearest to the middle
LEADER_Y = 9
LEADER_DISTANCE = 10  # squared
LEADER_ID = 11
COLUMN_COUNT = 12

UNITS = np.float32(256.0)
_LARGE = 1 << 60
_ZERO = np.float32(0.0)


@inline
def widen(spread, crowd, x, y):
    """Take an agent's place into account."""
    spread[crowd, COUNT] += 1
    spread[crowd, SUM_X] += x
    spread[crowd, SUM_Y] += y
    spread[crowd, LEFT] = min(spread[crowd, LEFT], x)
    spread[crowd, TOP] = min(spread[crowd, TOP], y)
    spread[crowd, RIGHT] = max(spread[crowd, RIGHT], x)
    spread[crowd, LOW] = max(spread[crowd, LOW], y)


@inline
def is_wide(spread, crowd, largest):
    """Whether a crowd is wider or higher than ``largest``."""
    return spread[crowd, RIGHT] - spread[crowd, LEFT] > largest or spread[crowd, LOW] - spread[crowd, TOP] > largest


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64[:, ::1] spread, float32[:, ::1] crowd_settings,"
    " int64[:, ::1] counters, int64[::1] start, int64[::1] start_count, int64 agent_count, int64 largest, int64 width"
)
def measure_crowds(values, tags, spread, crowd_settings, counters, start, start_count, agent_count, largest, width):
    """Measure the wanted crowds, until all their agents are found.

    The leader of those that are compact is who is nearest to the middle, then the lowest id. Where all their agents stand is
    listed in ``start``, as row * width + column among the tiles of their layer.
    """
    start_count[0] = 0
    left = np.int64(0)  # agents that are still to be found
    for crowd in range(spread.shape[0]):
        if spread[crowd, WANTED] != 0:
            left += counters[AGENTS, crowd]
        for column in range(COUNT, COLUMN_COUNT):
            spread[crowd, column] = 0
        spread[crowd, LEFT] = _LARGE
        spread[crowd, TOP] = _LARGE
        spread[crowd, LEADER_DISTANCE] = _LARGE
    last = np.int64(0)
    while last < agent_count and left > 0:
        crowd = np.int64(tags[CROWD, last])
        if spread[crowd, WANTED] != 0 and tags[STATUS, last] != REMOVED:
            widen(spread, crowd, np.int64(values[POSITION_X, last] * UNITS), np.int64(values[POSITION_Y, last] * UNITS))
            left -= 1
            if is_wide(spread, crowd, largest):
                spread[crowd, WANTED] = 0
                left -= counters[AGENTS, crowd] - spread[crowd, COUNT]
        last += 1
    for crowd in range(spread.shape[0]):
        if spread[crowd, COUNT] < 2:
            spread[crowd, WANTED] = 0
    for agent in range(last):
        crowd = np.int64(tags[CROWD, agent])
        if spread[crowd, WANTED] == 0 or tags[STATUS, agent] == REMOVED:
            continue
        count = spread[crowd, COUNT]
        x = np.int64(values[POSITION_X, agent] * UNITS)
        y = np.int64(values[POSITION_Y, agent] * UNITS)
        away_x = x - spread[crowd, SUM_X] // count
        away_y = y - spread[crowd, SUM_Y] // count
        squared = away_x * away_x + away_y * away_y
        own_id = np.int64(tags[AGENT_ID, agent])
        offset = crowd_settings[ANCHOR_OFFSET, crowd]
        row = np.int64(max(values[POSITION_Y, agent] - offset, _ZERO))
        start[start_count[0]] = row * width + np.int64(max(values[POSITION_X, agent] - offset, _ZERO))
        start_count[0] += 1
        if squared < spread[crowd, LEADER_DISTANCE] or (
            squared == spread[crowd, LEADER_DISTANCE] and own_id < spread[crowd, LEADER_ID]
        ):
            spread[crowd, LEADER_DISTANCE] = squared
            spread[crowd, LEADER_ID] = own_id
            spread[crowd, LEADER_X] = x
            spread[crowd, LEADER_Y] = y
