"""Kernels of the agent table: the sort into cell order, and the export to agent order.

The sort is two stable counting sorts, first by row of cells, then by column within the row. One sort by whole cell would need
a histogram of all cells a block, 400,000 counters on a large map, cleared and summed each tick; by rows it is a few
thousand, and the second half runs a row at a time on the pool and touches each cell's start once. The order it yields is the only
stable one, whatever the blocks (the idea of sorting by cell: Green 2008, "CUDA Particles"; the two halves: own).
"""

import numpy as np

from pynav.crowd.agent_layout import (
    AGENT_ID,
    AGENTS,
    ARRIVALS,
    ARRIVED,
    CROWD,
    FIRST_SLOT,
    GROUP,
    HAS_GOAL,
    HEADING_X,
    HEADING_Y,
    IS_QUIET,
    MEMBERS,
    NEXT_GROUP,
    NO_EVENT,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    REMOVED,
    REST_STATUS,
    SPEED,
    STATUS,
    TAG_COUNT,
    TARGET,
    UNREACHABLE,
    VALUE_COUNT,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
)
from pynav.kernels import block_kernel, inline, kernel

_MARKS_IN_A_ROW = 64


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] block_row_count, int32[::1] agent_row,"
    " float32 rows_per_tile, int64 row_count, int64 agents_per_block"
)
def count_rows(values, tags, block_row_count, agent_row, rows_per_tile, row_count, agents_per_block, begin, end):
    """Note each agent's row of cells and count them a block; who is removed counts in the row behind the last."""
    block = begin // agents_per_block
    for row in range(row_count + 1):
        block_row_count[block, row] = np.int32(0)
    for agent in range(begin, end):
        row = np.int64(values[POSITION_Y, agent] * rows_per_tile) + 1
        if tags[STATUS, agent] == REMOVED:
            row = row_count
        agent_row[agent] = np.int32(row)
        block_row_count[block, row] += np.int32(1)


@kernel(
    "int32[:, ::1] block_row_count, int32[::1] row_start, int32[::1] cell_start, int64[::1] agent_count,"
    " int64[::1] old_count, int64 row_count, int64 column_count, int64 agents_per_block"
)
def start_rows(block_row_count, row_start, cell_start, agent_count, old_count, row_count, column_count, agents_per_block):
    """Turn the counts into the first index of each (row, block), rows first; the row of the removed ends the table."""
    block_count = (old_count[0] + agents_per_block - 1) // agents_per_block
    running = np.int64(0)
    for row in range(row_count + 1):
        row_start[row] = np.int32(running)
        for block in range(block_count):
            count = np.int64(block_row_count[block, row])
            block_row_count[block, row] = np.int32(running)
            running += count
    cell_start[row_count * column_count] = row_start[row_count]
    agent_count[0] = np.int64(row_start[row_count])


@block_kernel("int32[:, ::1] block_row_count, int32[::1] agent_row, int32[::1] agent_at, int64 agents_per_block")
def order_by_row(block_row_count, agent_row, agent_at, agents_per_block, begin, end):
    """Write each agent's index to its place in the order by row."""
    block = begin // agents_per_block
    for agent in range(begin, end):
        row = np.int64(agent_row[agent])
        place = block_row_count[block, row]
        block_row_count[block, row] = place + np.int32(1)
        agent_at[place] = np.int32(agent)


@block_kernel(
    "float32[:, ::1] old_values, int32[:, ::1] old_tags, float32[:, ::1] values, int32[:, ::1] tags, int32[::1] row_start,"
    " int32[::1] agent_at, int32[::1] place_of, int32[::1] cell_start, float32 columns_per_tile, int64 column_count"
)
def order_rows(
    old_values, old_tags, values, tags, row_start, agent_at, place_of, cell_start, columns_per_tile, column_count, begin, end
):
    """Within each row of cells sort by column, note where each cell starts, and move the agents' state there.

    While the agents of a row are placed, ``cell_start[base + column + 1]`` is the next free place of that column; afterwards it
    has become the start of the next one. The last column never holds an agent, so no block writes into another's row.
    """
    for row in range(begin, end):
        first = np.int64(row_start[row])
        last = np.int64(row_start[row + 1])
        base = row * column_count
        if first == last:
            for column in range(column_count):
                cell_start[base + column] = np.int32(first)
            continue
        for column in range(column_count):
            cell_start[base + column] = np.int32(0)
        for index in range(first, last):
            column = np.int64(old_values[POSITION_X, np.int64(agent_at[index])] * columns_per_tile) + 1
            place_of[index] = np.int32(column)
            cell_start[base + column + 1] += np.int32(1)
        running = np.int32(first)
        cell_start[base] = running
        for column in range(1, column_count):
            count = cell_start[base + column]
            cell_start[base + column] = running
            running += count
        for index in range(first, last):
            slot = base + np.int64(place_of[index]) + 1
            place = cell_start[slot]
            cell_start[slot] = place + np.int32(1)
            place_of[index] = place
    # All rows of the block together, one array after the other: streams long enough for the processor to fetch ahead.
    first = np.int64(row_start[begin])
    last = np.int64(row_start[end])
    for which in range(VALUE_COUNT):
        for index in range(first, last):
            values[which, np.int64(place_of[index])] = old_values[which, np.int64(agent_at[index])]
    for which in range(TAG_COUNT):
        for index in range(first, last):
            tags[which, np.int64(place_of[index])] = old_tags[which, np.int64(agent_at[index])]


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, float32[:, ::1] position,"
    " float32[:, ::1] velocity, float32[:, ::1] heading, int32[::1] status"
)
def export_agents(values, tags, crowd_numbers, position, velocity, heading, status, begin, end):
    """Write the agents' state to the arrays in agent order: slot = first slot of the crowd + id."""
    for agent in range(begin, end):
        if tags[STATUS, agent] == REMOVED:
            continue
        crowd = np.int64(tags[CROWD, agent])
        slot = np.int64(crowd_numbers[FIRST_SLOT, crowd]) + np.int64(tags[AGENT_ID, agent])
        position[slot, 0] = values[POSITION_X, agent]
        position[slot, 1] = values[POSITION_Y, agent]
        velocity[slot, 0] = values[VELOCITY_X, agent]
        velocity[slot, 1] = values[VELOCITY_Y, agent]
        heading[slot, 0] = values[HEADING_X, agent]
        heading[slot, 1] = values[HEADING_Y, agent]
        status[slot] = tags[STATUS, agent]


@inline
def goes_on(tags, group_numbers, group_counters, agent):
    """Whether an agent that has arrived goes over to the next group of its queue; it sets out in the next tick."""
    group = np.int64(tags[GROUP, agent])
    following = np.int64(group_numbers[NEXT_GROUP, group])
    if following < 0:
        return False
    tags[GROUP, agent] = np.int32(following)
    tags[STATUS, agent] = np.int32(WALKING if group_numbers[HAS_GOAL, following] != 0 else group_numbers[REST_STATUS, following])
    tags[TARGET, agent] = np.int32(0)
    group_counters[ARRIVALS, group] += 1
    group_counters[MEMBERS, group] -= 1
    group_counters[MEMBERS, following] += 1
    return True


@kernel(
    "uint8[::1] event, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[:, ::1] group_numbers, uint8[::1] alive,"
    " uint8[::1] arrived, uint8[::1] unreachable, int32[::1] generation, uint8[:, ::1] has_news, int64[:, ::1] counters,"
    " int64[:, ::1] group_counters, int64[::1] agent_count"
)
def collect_events(
    event, tags, crowd_numbers, group_numbers, alive, arrived, unreachable, generation, has_news, counters, group_counters,
    agent_count,
):  # fmt: skip
    """Note who has just arrived, left or found no way, by slot in agent order, and count. One pass over bytes, on one thread.

    Who has arrived where its queue goes on is no news.
    """
    for agent in range(agent_count[0]):
        happened = event[agent]
        if happened == NO_EVENT:
            continue
        if happened == ARRIVED and goes_on(tags, group_numbers, group_counters, agent):
            continue
        crowd = np.int64(tags[CROWD, agent])
        group = np.int64(tags[GROUP, agent])
        slot = np.int64(crowd_numbers[FIRST_SLOT, crowd]) + np.int64(tags[AGENT_ID, agent])
        if happened == ARRIVED or happened == REMOVED:
            group_counters[ARRIVALS, group] += 1
            if group_numbers[IS_QUIET, group] == 0:
                arrived[slot] = np.uint8(1)
                has_news[0, crowd] = np.uint8(1)
        if happened == REMOVED:
            alive[slot] = np.uint8(0)
            generation[slot] += np.int32(1)
            counters[AGENTS, crowd] -= 1
            group_counters[MEMBERS, group] -= 1
        if happened == UNREACHABLE:
            unreachable[slot] = np.uint8(1)
            has_news[1, crowd] = np.uint8(1)


@kernel("uint8[::1] marks, int64 begin, int64 end, int32[::1] ids, int64[::1] found")
def take_marks(marks, begin, end, ids, found):
    """List the marked slots of ``begin..end``, less ``begin``, in rising order, and clear the marks; ``found[0]`` tells how many.

    Few are marked: a row of them is looked at in one.
    """
    count = np.int64(0)
    for row in range(begin, end, _MARKS_IN_A_ROW):
        row_end = min(row + _MARKS_IN_A_ROW, end)
        any_mark = np.uint8(0)
        for slot in range(row, row_end):
            any_mark |= marks[slot]
        if any_mark == 0:
            continue
        for slot in range(row, row_end):
            if marks[slot] != 0:
                ids[count] = np.int32(slot - begin)
                count += 1
                marks[slot] = np.uint8(0)
    found[0] = count


@block_kernel("float32[:, ::1] values, int32[:, ::1] tags, int64 crowd, float32 speed_factor, float32 radius")
def resize_crowd(values, tags, crowd, speed_factor, radius, begin, end):
    """Scale the speeds of a crowd's agents, which differ a little from agent to agent, and set their radius."""
    for agent in range(begin, end):
        if tags[CROWD, agent] == crowd:
            values[SPEED, agent] *= speed_factor
            values[RADIUS, agent] = radius
