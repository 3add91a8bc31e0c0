# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the flow table: one marks the surroundings of a flow's goals, one touches the memory of a row."""

import numpy as np

from pynav.crowd.wall_geometry import SOLID
from pynav.kernels import inline, kernel

_HALF = np.float32(0.5)
_STEPS_PER_TILE = np.float32(8.0)


@kernel(
    "uint8[:, ::1] near, int32[:, ::1] near_box, uint16[:, ::1] walls, float32[:, ::1] goal_point, int64 slot, int64 first,"
    " int64 last, float32 radius"
)
def mark_near_goals(near, near_box, walls, goal_point, slot, first, last, radius):
    """Mark the tiles of a flow's window whose centre lies within ``radius`` of a goal and sees it; they were cleared before."""
    left = np.int64(near_box[slot, 0])
    top = np.int64(near_box[slot, 1])
    columns = np.int64(near_box[slot, 2])
    height = np.int64(walls.shape[0]) - 2
    width = np.int64(walls.shape[1]) - 2
    reach = np.int64(radius) + 1
    for goal in range(first, last):
        goal_x = goal_point[goal, 0]
        goal_y = goal_point[goal, 1]
        goal_column = np.int64(goal_x)
        goal_row = np.int64(goal_y)
        for row in range(max(goal_row - reach, 0), min(goal_row + reach, height - 1) + 1):
            for column in range(max(goal_column - reach, 0), min(goal_column + reach, width - 1) + 1):
                if (walls[row + 1, column + 1] & SOLID) != 0:
                    continue
                to_x = goal_x - (np.float32(column) + _HALF)
                to_y = goal_y - (np.float32(row) + _HALF)
                squared = to_x * to_x + to_y * to_y
                if squared > radius * radius:
                    continue
                steps = np.int64(np.sqrt(squared) * _STEPS_PER_TILE) + 1
                clear = True
                for step in range(1, steps):
                    part = np.float32(step) / np.float32(steps)
                    at_column = np.int64(np.float32(column) + _HALF + to_x * part)
                    at_row = np.int64(np.float32(row) + _HALF + to_y * part)
                    if (walls[at_row + 1, at_column + 1] & SOLID) != 0:
                        clear = False
                if clear:
                    near[slot, (row - top) * columns + column - left] = np.uint8(1)


@inline
def is_near_goal(near, near_box, slot, column, row):
    """Whether a tile is marked as near to a flow's goal."""
    column -= np.int64(near_box[slot, 0])
    row -= np.int64(near_box[slot, 1])
    columns = np.int64(near_box[slot, 2])
    if column < 0 or row < 0 or column >= columns or row >= near_box[slot, 3]:
        return False
    return near[slot, row * columns + column] != 0


@kernel(
    "uint8[:, ::1] flow, int32[:, ::1] value, uint8[:, ::1] edge, int64[::1] progress, int64 row, int64 page, int64 page_budget"
)
def touch_row(flow, value, edge, progress, row, page, page_budget):
    """Write zeros to a number of pages of a row that nobody reads yet, so that the system gives them memory.

    ``progress[0]`` is the next page, counted over the three arrays one after the other; ``progress[1]`` is set to 1 at the end.
    """
    values = page // 4
    flow_pages = (np.int64(flow.shape[1]) + page - 1) // page
    value_pages = (np.int64(value.shape[1]) + values - 1) // values
    edge_pages = (np.int64(edge.shape[1]) + page - 1) // page
    begin = progress[0]
    end = min(begin + page_budget, flow_pages + value_pages + edge_pages)
    for index in range(begin, min(end, flow_pages)):
        flow[row, index * page] = np.uint8(0)
    for index in range(max(begin - flow_pages, 0), min(end - flow_pages, value_pages)):
        value[row, index * values] = np.int32(0)
    for index in range(max(begin - flow_pages - value_pages, 0), end - flow_pages - value_pages):
        edge[row, index * page] = np.uint8(0)
    progress[0] = end
    if end == flow_pages + value_pages + edge_pages:
        progress[1] = np.int64(1)
