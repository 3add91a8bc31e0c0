# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that lets those arrive who have been held up for long behind a crowd that has settled.

Arrival spreads by contact (_steering_kernels.py). But in a door or a bend somebody may press this way and that without ever
touching those who stand arrived before it.
"""

import numpy as np

from pynav.crowd._steering_kernels import has_arrived_there
from pynav.crowd.agent_layout import (
    ARRIVED,
    CROWD,
    DESTINATION,
    FLOW_SLOT,
    GROUP,
    IS_COMMAND,
    NEXT_GROUP,
    ON_ARRIVAL,
    ON_ARRIVAL_REMOVE,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    WALKING,
    WISH_X,
    WISH_Y,
)
from pynav.kernels import block_kernel, inline

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
WAITING_PATIENCE = np.float32(2.0)
WAITING_GAP = np.float32(0.4)  # tiles between the two that count as next to one another then


@inline
def waits_for_arrived(values, tags, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, group_numbers, agent):
    """Whether one of the same goal stands arrived next to an agent: in the two rows of four cells around it."""
    x = values[POSITION_X, agent]
    y = values[POSITION_Y, agent]
    column = min(max(np.int64(x * columns_per_tile + _HALF) - 1, np.int64(0)), column_count - 5)
    row = min(np.int64(y * rows_per_tile + _HALF), row_count - 2)
    group = np.int64(tags[GROUP, agent])
    destination = group_numbers[DESTINATION, group]
    following = np.int64(group_numbers[NEXT_GROUP, group])
    for line in range(2):
        cell = (row + line) * column_count + column
        for other in range(np.int64(cell_start[cell]), np.int64(cell_start[cell + 4])):
            if has_arrived_there(tags, group_numbers, other, destination, following):
                away_x = values[POSITION_X, other] - x
                away_y = values[POSITION_Y, other] - y
                limit = values[RADIUS, agent] + values[RADIUS, other] + WAITING_GAP
                if away_x * away_x + away_y * away_y < limit * limit:
                    return True
    return False


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[::1] next_status, int32[::1] cell_start, int32[:, ::1] crowd_numbers,"
    " int32[:, ::1] group_numbers, float32 rows_per_tile, float32 columns_per_tile, int64 column_count, int64 row_count"
)
def settle_waiting(
    values, tags, next_status, cell_start, crowd_numbers, group_numbers, rows_per_tile, columns_per_tile, column_count,
    row_count, begin, end,
):  # fmt: skip
    """Those who have made no progress for WAITING_PATIENCE seconds arrive if one of the same goal has next to them."""
    for agent in range(begin, end):
        if values[PATIENCE, agent] <= WAITING_PATIENCE or next_status[agent] != WALKING:
            continue
        crowd = np.int64(tags[CROWD, agent])
        group = np.int64(tags[GROUP, agent])
        if group_numbers[FLOW_SLOT, group] >= 0 and waits_for_arrived(
            values, tags, cell_start, rows_per_tile, columns_per_tile, row_count, column_count, group_numbers, agent
        ):
            is_removed = crowd_numbers[ON_ARRIVAL, crowd] == ON_ARRIVAL_REMOVE and group_numbers[IS_COMMAND, group] == 0
            next_status[agent] = np.int32(REMOVED if is_removed else ARRIVED)
            values[PATIENCE, agent] = _ZERO
            values[WISH_X, agent] = _ZERO
            values[WISH_Y, agent] = _ZERO
