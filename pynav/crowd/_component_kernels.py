"""Kernel that labels the connected free tiles, by runs of a row joined with the runs of the row above (union-find)."""

import numpy as np

from pynav.kernels import inline, kernel


@inline
def root_of(parent, label):
    """The representative of a label, halving the path on the way."""
    while parent[label] != label:
        parent[label] = parent[np.int64(parent[label])]
        label = np.int64(parent[label])
    return label


@kernel("uint8[:, ::1] cost, int32[:, ::1] label, int32[::1] parent, int64[::1] result")
def label_components(cost, label, parent, result):
    """Label free tiles that are joined by their sides: 1, 2, ... in the order of their first tile, 0 for solid.

    Without corner cutting a diagonal step needs both sides free, so joined by sides means joined by steps. ``parent`` needs one
    entry more than the map can have runs: height * ((width + 1) // 2) + 1. ``result[0]`` becomes the number of components.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    runs = np.int64(0)
    parent[0] = np.int32(0)
    for row in range(height):
        current = np.int64(0)
        joined = np.int64(0)
        for column in range(width):
            if cost[row, column] == 0:
                label[row, column] = np.int32(0)
                current = np.int64(0)
                joined = np.int64(0)
                continue
            if current == 0:
                runs += 1
                current = runs
                parent[runs] = np.int32(runs)
            label[row, column] = np.int32(current)
            if row > 0:
                above = np.int64(label[row - 1, column])
                if above != 0 and above != joined:
                    joined = above
                    first = root_of(parent, above)
                    second = root_of(parent, current)
                    if first < second:
                        parent[second] = np.int32(first)
                    elif second < first:
                        parent[first] = np.int32(second)
    # A representative is the smallest run of its component, so one pass in rising order names the components.
    count = np.int64(0)
    for run in range(1, runs + 1):
        if parent[run] == run:
            count += 1
            parent[run] = np.int32(-count)
        else:
            parent[run] = parent[np.int64(parent[run])]
    for row in range(height):
        for column in range(width):
            run = np.int64(label[row, column])
            if run != 0:
                label[row, column] = np.int32(-parent[run])
    result[0] = count
