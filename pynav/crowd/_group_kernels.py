# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that measures where groups stand: how far each is spread out, and who is in its middle."""

import numpy as np

from pynav.crowd.agent_layout import AGENT_ID, ANCHOR_OFFSET, CROWD, GROUP, MEMBERS, POSITION_X, POSITION_Y, REMOVED, STATUS
from pynav.kernels import inline, kernel
from pynav.sectors.block_layout import STEP

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
LEADER_ID = 11  # its id, and its crowd in the low half
COLUMN_COUNT = 12

UNITS = np.float32(256.0)
_LARGE = 1 << 60
_ZERO = np.float32(0.0)


@inline
def widen(spread, group, x, y):
    """Take an agent's place into account."""
    spread[group, COUNT] += 1
    spread[group, SUM_X] += x
    spread[group, SUM_Y] += y
    spread[group, LEFT] = min(spread[group, LEFT], x)
    spread[group, TOP] = min(spread[group, TOP], y)
    spread[group, RIGHT] = max(spread[group, RIGHT], x)
    spread[group, LOW] = max(spread[group, LOW], y)


@inline
def is_wide(spread, group, largest):
    """Whether a group is wider or higher than ``largest``."""
    return spread[group, RIGHT] - spread[group, LEFT] > largest or spread[group, LOW] - spread[group, TOP] > largest


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64[:, ::1] spread, float32[:, ::1] crowd_settings,"
    " int64[:, ::1] group_counters, int64[::1] start, int64[::1] start_count, int64 agent_count, int64 largest, int64 width"
)
def measure_groups(values, tags, spread, crowd_settings, group_counters, start, start_count, agent_count, largest, width):
    """Measure the wanted groups, until all their agents are found.

    The leader of those that are compact is who is nearest to the middle, then the lowest id, then the lowest crowd. Where all
    their agents stand among the tiles of their layer is listed in ``start``: (row * width + column) of the block, times the
    tiles of a block, and the tile in it, row by row.
    """
    start_count[0] = 0
    left = np.int64(0)  # agents that are still to be found
    for group in range(spread.shape[0]):
        if spread[group, WANTED] != 0:
            left += group_counters[MEMBERS, group]
        for column in range(COUNT, COLUMN_COUNT):
            spread[group, column] = 0
        spread[group, LEFT] = _LARGE
        spread[group, TOP] = _LARGE
        spread[group, LEADER_DISTANCE] = _LARGE
    found = np.int64(0)  # of them, listed in ``start`` until their tiles are
    agent = np.int64(0)
    while agent < agent_count and left > 0:
        group = np.int64(tags[GROUP, agent])
        if spread[group, WANTED] != 0 and tags[STATUS, agent] != REMOVED:
            widen(spread, group, np.int64(values[POSITION_X, agent] * UNITS), np.int64(values[POSITION_Y, agent] * UNITS))
            start[found] = agent
            found += 1
            left -= 1
            if is_wide(spread, group, largest):
                spread[group, WANTED] = 0
                left -= group_counters[MEMBERS, group] - spread[group, COUNT]
        agent += 1
    for group in range(spread.shape[0]):
        if spread[group, COUNT] < 2:
            spread[group, WANTED] = 0
    for index in range(found):
        agent = start[index]
        group = np.int64(tags[GROUP, agent])
        if spread[group, WANTED] == 0:
            continue
        count = spread[group, COUNT]
        x = np.int64(values[POSITION_X, agent] * UNITS)
        y = np.int64(values[POSITION_Y, agent] * UNITS)
        away_x = x - spread[group, SUM_X] // count
        away_y = y - spread[group, SUM_Y] // count
        squared = away_x * away_x + away_y * away_y
        own_id = (np.int64(tags[AGENT_ID, agent]) << 32) + np.int64(tags[CROWD, agent])
        offset = crowd_settings[ANCHOR_OFFSET, np.int64(tags[CROWD, agent])]
        row = np.int64(max(values[POSITION_Y, agent] - offset, _ZERO))
        column = np.int64(max(values[POSITION_X, agent] - offset, _ZERO))
        block = (row // STEP) * width + column // STEP
        start[start_count[0]] = block * (STEP * STEP) + (row % STEP) * STEP + column % STEP
        start_count[0] += 1
        if squared < spread[group, LEADER_DISTANCE] or (
            squared == spread[group, LEADER_DISTANCE] and own_id < spread[group, LEADER_ID]
        ):
            spread[group, LEADER_DISTANCE] = squared
            spread[group, LEADER_ID] = own_id
            spread[group, LEADER_X] = x
            spread[group, LEADER_Y] = y
