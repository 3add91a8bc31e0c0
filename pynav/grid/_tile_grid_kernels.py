# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the tile grid: the solid neighbours of every tile, and the labels of connected free tiles."""

import numpy as np

from pynav.grid.exits import EAST, NORTH, SOUTH, WEST
from pynav.kernels import block_kernel, inline, kernel


@block_kernel("uint8[:, ::1] cost, uint8[:, ::1] solid, int64 first_column, int64 last_column")
def mark_solid_neighbours(cost, solid, first_column, last_column, begin, end):
    """Write the bits of rows ``begin..end``, columns ``first_column..last_column``; outside the grid all is solid."""
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    step_x = (1, 1, 0, -1, -1, -1, 0, 1)
    step_y = (0, 1, 1, 1, 0, -1, -1, -1)
    for row in range(begin, end):
        for column in range(first_column, last_column):
            mask = np.int64(0)
            for direction in range(8):
                other_row = row + step_y[direction]
                other_column = column + step_x[direction]
                outside = other_row < 0 or other_row >= height or other_column < 0 or other_column >= width
                if outside or cost[other_row, other_column] == 0:
                    mask |= 1 << direction
            solid[row, column] = np.uint8(mask)


@inline
def join_runs(parent, one, other):
    """Make two runs one component, the lower representative's."""
    first = one
    while parent[first] != first:
        parent[first] = parent[np.int64(parent[first])]
        first = np.int64(parent[first])
    second = other
    while parent[second] != second:
        parent[second] = parent[np.int64(parent[second])]
        second = np.int64(parent[second])
    if first < second:
        parent[second] = np.int32(first)
    elif second < first:
        parent[first] = np.int32(second)


@inline
def number_components(label, parent, run_count):
    """Labels of runs become numbers of components, 1, 2, ... by their lowest run; how many.

    A representative is the lowest run of its component, so one rising pass can number the components; the numbers are negative
    meanwhile, to tell them from runs.
    """
    count = np.int64(0)
    for run in range(1, run_count + 1):
        if parent[run] == run:
            count += 1
            parent[run] = np.int32(-count)
        else:
            parent[run] = parent[np.int64(parent[run])]
    for row in range(label.shape[0]):
        for column in range(label.shape[1]):
            run = np.int64(label[row, column])
            if run != 0:
                label[row, column] = np.int32(-np.int64(parent[run]))
    return count


@kernel("uint8[:, ::1] cost, int32[:, ::1] label, int32[::1] parent, int64[::1] result")
def label_components(cost, label, parent, result):
    """Label the free tiles that steps connect: 1, 2, ... in the order of their first tile by rows; 0 for solid ones.

    Runs of a row are joined with the runs above them (union-find; the lower run is the representative). A diagonal step
    needs the tiles beside it free, so tiles that steps connect are tiles that share sides. ``parent`` needs
    height * ((width + 1) // 2) + 1 entries; ``result[0]`` becomes the number of components.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    run_count = np.int64(0)
    parent[0] = np.int32(0)
    for row in range(height):
        run = np.int64(0)
        joined = np.int64(0)
        for column in range(width):
            if cost[row, column] == 0:
                label[row, column] = np.int32(0)
                run = np.int64(0)
                joined = np.int64(0)
                continue
            if run == 0:
                run_count += 1
                run = run_count
                parent[run] = np.int32(run)
            label[row, column] = np.int32(run)
            if row == 0:
                continue
            above = np.int64(label[row - 1, column])
            if above == 0 or above == joined:
                continue
            joined = above
            join_runs(parent, above, run)
    result[0] = number_components(label, parent, run_count)


@kernel("uint8[:, ::1] cost, uint8[:, ::1] closed, int32[:, ::1] label, int32[::1] parent, int64[::1] result")
def label_two_way(cost, closed, label, parent, result):
    """The same where tiles have closed exits (exits.py): tiles are joined where steps lead both to and fro.

    ``parent`` needs height * width + 1 entries.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    run_count = np.int64(0)
    parent[0] = np.int32(0)
    for row in range(height):
        run = np.int64(0)
        for column in range(width):
            if cost[row, column] == 0:
                label[row, column] = np.int32(0)
                run = np.int64(0)
                continue
            if run == 0 or (closed[row, column] & WEST) != 0 or (closed[row, column - 1] & EAST) != 0:
                run_count += 1
                run = run_count
                parent[run] = np.int32(run)
            label[row, column] = np.int32(run)
            if row == 0 or (closed[row, column] & NORTH) != 0 or (closed[row - 1, column] & SOUTH) != 0:
                continue
            above = np.int64(label[row - 1, column])
            if above != 0:
                join_runs(parent, above, run)
    result[0] = number_components(label, parent, run_count)
