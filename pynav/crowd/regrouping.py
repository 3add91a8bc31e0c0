"""Agents by group: who is where, moving them from one to another, who is under way."""

import numpy as np
import numpy.typing as npt

from pynav.crowd import _regroup_kernels as kernels
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.group_table import GroupTable


def groups_by_slot(table: AgentTable, crowds: CrowdTable) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Group (-1 where there is no agent) and status of the agent of each slot, int32 (slots,)."""
    _, tags = table.now
    group_of: npt.NDArray[np.int32] = np.full(len(crowds.alive), -1, dtype=np.int32)
    status_of: npt.NDArray[np.int32] = np.zeros(len(group_of), dtype=np.int32)
    kernels.note_groups(tags, crowds.numbers, group_of, status_of, table.count)
    return group_of, status_of


def columns_by_slot(table: AgentTable, crowds: CrowdTable) -> npt.NDArray[np.int32]:
    """Column of the table of the agent of each slot, int32 (slots,); -1 where there is no agent."""
    _, tags = table.now
    column_of: npt.NDArray[np.int32] = np.full(len(crowds.alive), -1, dtype=np.int32)
    kernels.note_columns(tags, crowds.numbers, column_of, table.count)
    return column_of


def labels_of_group(table: AgentTable, group: int, offset: float, label: npt.NDArray[np.int32], count: int) -> list[int]:
    """The labels (below ``count``) of the tiles that a group's agents stand on; a place lies ``offset`` right of its tile."""
    found: npt.NDArray[np.int64] = np.zeros(count, dtype=np.int64)
    kernels.count_labels_of_group(*table.now, group, offset, label, found, table.count)
    return np.flatnonzero(found).tolist()


def regroup(
    table: AgentTable,
    crowds: CrowdTable,
    groups: GroupTable,
    slots: npt.NDArray[np.int64],
    targets: npt.NDArray[np.int64] | int,
) -> None:
    """Move the agents of some slots to groups, one for all or one each. What they do stays as it is."""
    new_group: npt.NDArray[np.int32] = np.full(len(crowds.alive), -1, dtype=np.int32)
    new_group[slots] = targets
    _, tags = table.now
    kernels.regroup_agents(tags, crowds.numbers, new_group, groups.counters, table.count)


def walking_counts(table: AgentTable, groups: GroupTable) -> npt.NDArray[np.int64]:
    """How many agents of each group are on their way, int64 (groups,)."""
    walking: npt.NDArray[np.int64] = np.zeros(groups.row_count, dtype=np.int64)
    _, tags = table.now
    kernels.count_walking(tags, walking, table.count)
    return walking
