# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that move agents between groups and count who is under way."""

import numpy as np

from pynav.crowd.agent_layout import (
    AGENT_ID,
    CROWD,
    ENGAGED,
    FIRST_SLOT,
    GROUP,
    MEMBERS,
    POSITION_X,
    POSITION_Y,
    REMOVED,
    STATUS,
    WALKING,
)
from pynav.kernels import kernel


@kernel("int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] group_of, int32[::1] status_of, int64 agent_count")
def note_groups(tags, crowd_numbers, group_of, status_of, agent_count):
    """Write group and status of each agent to its slot in agent order."""
    for agent in range(agent_count):
        if tags[STATUS, agent] == REMOVED:
            continue
        slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])
        group_of[slot] = tags[GROUP, agent]
        status_of[slot] = tags[STATUS, agent]


@kernel("int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] new_group, int64[:, ::1] group_counters, int64 agent_count")
def regroup_agents(tags, crowd_numbers, new_group, group_counters, agent_count):
    """Move agents to the group that is named at their slot (-1: none), and count members. On one thread: counts are shared."""
    for agent in range(agent_count):
        if tags[STATUS, agent] == REMOVED:
            continue
        slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])
        new = np.int64(new_group[slot])
        if new >= 0:
            group_counters[MEMBERS, np.int64(tags[GROUP, agent])] -= 1
            group_counters[MEMBERS, new] += 1
            tags[GROUP, agent] = np.int32(new)


@kernel("int32[:, ::1] tags, int64[::1] walking_count, int64 agent_count")
def count_walking(tags, walking_count, agent_count):
    """How many agents of each group are on their way."""
    for group in range(walking_count.shape[0]):
        walking_count[group] = 0
    for agent in range(agent_count):
        if tags[STATUS, agent] == WALKING or tags[STATUS, agent] == ENGAGED:
            walking_count[np.int64(tags[GROUP, agent])] += 1


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int64 group, float32 offset, int32[:, ::1] label, int64[::1] counts,"
    " int64 agent_count"
)
def count_labels_of_group(values, tags, group, offset, label, counts, agent_count):
    """How many agents of a group stand on tiles of each label; a place on the map lies ``offset`` right of its tile."""
    rows = np.int64(label.shape[0])
    columns = np.int64(label.shape[1])
    for agent in range(agent_count):
        if np.int64(tags[GROUP, agent]) != group or tags[STATUS, agent] == REMOVED:
            continue
        column = min(np.int64(max(values[POSITION_X, agent] - offset, np.float32(0.0))), columns - 1)
        row = min(np.int64(max(values[POSITION_Y, agent] - offset, np.float32(0.0))), rows - 1)
        counts[np.int64(label[row, column])] += 1


@kernel("int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] column_of, int64 agent_count")
def note_columns(tags, crowd_numbers, column_of, agent_count):
    """Write the column of each agent to its slot in agent order."""
    for agent in range(agent_count):
        if tags[STATUS, agent] != REMOVED:
            slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(tags[CROWD, agent])]) + np.int64(tags[AGENT_ID, agent])
            column_of[slot] = np.int32(agent)
