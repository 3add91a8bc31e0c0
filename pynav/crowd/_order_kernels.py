# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of orders: whether anyone of a group can reach a goal, and a new start for the agents of groups."""

import numpy as np

from pynav.crowd.agent_layout import GROUP, PATIENCE, POSITION_X, POSITION_Y, REMOVED, STATUS, TARGET, WISH_X, WISH_Y
from pynav.grid._connectivity_kernels import root_of
from pynav.kernels import block_kernel, kernel

KEEP_STATUS = -1
KEEP_WISH = 8  # added to a status: agents that walk already go on as they do
_ZERO = np.float32(0.0)


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] label, int32[::1] root, int32[::1] goal_root, int64[::1] found,"
    " int64 group, int64 agent_count, int64 first, float32 offset"
)
def find_reaching_agent(values, tags, label, root, goal_root, found, group, agent_count, first, offset):
    """``found[0]`` becomes 1 if an agent of the group stands in one of the components ``goal_root``; ends with one, ``found[1]``.

    The look begins with the agent ``first`` and goes round.
    """
    found[0] = 0
    for index in range(agent_count):
        agent = first + index
        if agent >= agent_count:
            agent -= agent_count
        if tags[GROUP, agent] != group or tags[STATUS, agent] == REMOVED:
            continue
        row = np.int64(max(values[POSITION_Y, agent] - offset, _ZERO))
        column = np.int64(max(values[POSITION_X, agent] - offset, _ZERO))
        own = root_of(root, label[row, column])
        for goal in range(goal_root.shape[0]):
            if goal_root[goal] == own:
                found[0] = 1
                found[1] = agent
                return


@block_kernel("float32[:, ::1] values, int32[:, ::1] tags, int32[::1] new_status")
def restart_groups(values, tags, new_status, begin, end):
    """Give the agents of groups a new status (KEEP_STATUS: none), no wish, no target and fresh patience: a new order."""
    for agent in range(begin, end):
        new = np.int64(new_status[np.int64(tags[GROUP, agent])])
        if new == KEEP_STATUS or tags[STATUS, agent] == REMOVED:
            continue
        status = new & (KEEP_WISH - 1)
        if new == status or tags[STATUS, agent] != status:
            tags[STATUS, agent] = np.int32(status)
            tags[TARGET, agent] = np.int32(0)
            values[WISH_X, agent] = np.float32(0.0)
            values[WISH_Y, agent] = np.float32(0.0)
            values[PATIENCE, agent] = np.float32(0.0)
