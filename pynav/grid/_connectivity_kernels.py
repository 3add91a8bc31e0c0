# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that keeps labels of connected tiles right after an edit, as long as a look at its surroundings is enough."""

import numpy as np

from pynav.kernels import inline, kernel

# Entries of ``result`` (int64).
IS_SETTLED = 0  # 0: something may have been cut off beyond the surroundings; only labels of all tiles anew can tell
HAS_OPENED = 1  # tiles turned free: what was apart may be connected now
LABEL_COUNT = 2  # labels given so far, in and out
RESULT_COUNT = 3

_STEP_X = (1, -1, 0, 0)  # a diagonal step needs the tiles beside it free: what steps connect shares sides
_STEP_Y = (0, 0, 1, -1)


@inline
def root_of(root, label):
    """The representative of a label; components that were joined since share one."""
    found = np.int64(label)
    while root[found] != found:
        root[found] = root[np.int64(root[found])]
        found = np.int64(root[found])
    return found


@inline
def join(root, one, other):
    """Make two labels one component, the lower representative's."""
    first = root_of(root, one)
    second = root_of(root, other)
    if first < second:
        root[second] = np.int32(first)
    elif second < first:
        root[first] = np.int32(second)


@inline
def flood_window(label, left, top, right, low, start_x, start_y, mark, place, stack):
    """Mark with ``place`` the labelled tiles of a window that are connected with a tile inside it."""
    width = right - left
    mark[start_y - top, start_x - left] = np.int32(place)
    stack[0] = np.int32((start_y - top) * width + start_x - left)
    size = np.int64(1)
    while size > 0:
        size -= 1
        tile = np.int64(stack[size])
        for direction in range(4):
            x = tile % width + _STEP_X[direction]
            y = tile // width + _STEP_Y[direction]
            if x >= 0 and x < width and y >= 0 and y < low - top and label[y + top, x + left] > 0 and mark[y, x] == 0:
                mark[y, x] = np.int32(place)
                stack[size] = np.int32(y * width + x)
                size += 1


@inline
def close_tiles(cost, label, left, top, right, low):
    """Take their labels from tiles that turned solid, as negative numbers; whether there are any."""
    found = False
    for y in range(top, low):
        for x in range(left, right):
            if cost[y, x] == 0 and label[y, x] > 0:
                label[y, x] = np.int32(-label[y, x])
                found = True
    return found


@kernel(
    "uint8[:, ::1] cost, int32[:, ::1] label, int32[::1] root, int32[:, ::1] mark, int32[::1] stack, int32[::1] piece_of_root,"
    " int64[::1] result, int64 left, int64 top, int64 right, int64 low, int64 margin"
)
def update_labels(cost, label, root, mark, stack, piece_of_root, result, left, top, right, low, margin):
    """Bring labels up to date after the costs of a rectangle have changed.

    Where tiles turn solid, what was connected by way of them must be connected around them within ``margin`` tiles; if it is
    not, ``result[IS_SETTLED]`` is 0 and the labels are of no use. Tiles that turn free join what they touch.
    ``label``: 0 solid; ``root``: representative of each label; ``mark``, ``stack``: room for the window's tiles;
    ``piece_of_root``: all 0, as long as ``root``.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    result[IS_SETTLED] = 1
    result[HAS_OPENED] = 0
    window_left = max(left - margin, np.int64(0))
    window_top = max(top - margin, np.int64(0))
    window_right = min(right + margin, width)
    window_low = min(low + margin, height)
    for y in range(window_low - window_top):
        for x in range(window_right - window_left):
            mark[y, x] = np.int32(0)
    if close_tiles(cost, label, left, top, right, low):
        place = np.int64(0)
        # The free neighbours of each closed tile: those of one component must be one piece within the window.
        for y in range(top, low):
            for x in range(left, right):
                if label[y, x] >= 0:
                    continue
                owner = root_of(root, -np.int64(label[y, x]))
                label[y, x] = np.int32(0)
                for direction in range(4):
                    near_x = x + _STEP_X[direction]
                    near_y = y + _STEP_Y[direction]
                    if near_x < 0 or near_x >= width or near_y < 0 or near_y >= height or label[near_y, near_x] <= 0:
                        continue
                    if mark[near_y - window_top, near_x - window_left] == 0:
                        place += 1
                        flood_window(label, window_left, window_top, window_right, window_low, near_x, near_y, mark, place, stack)
                    piece = mark[near_y - window_top, near_x - window_left]
                    if piece_of_root[owner] == 0:
                        piece_of_root[owner] = piece
                    elif piece_of_root[owner] != piece:
                        result[IS_SETTLED] = 0
        for y in range(window_low - window_top):
            for x in range(window_right - window_left):
                if label[y + window_top, x + window_left] > 0:
                    piece_of_root[root_of(root, label[y + window_top, x + window_left])] = np.int32(0)
    for y in range(top, low):
        for x in range(left, right):
            if cost[y, x] == 0 or label[y, x] != 0:
                continue
            if result[LABEL_COUNT] + 1 >= root.shape[0]:
                result[IS_SETTLED] = 0
                return
            result[LABEL_COUNT] += 1
            own = result[LABEL_COUNT]
            label[y, x] = np.int32(own)
            root[own] = np.int32(own)
            result[HAS_OPENED] = 1
            for direction in range(4):
                near_x = x + _STEP_X[direction]
                near_y = y + _STEP_Y[direction]
                if near_x < 0 or near_x >= width or near_y < 0 or near_y >= height or label[near_y, near_x] == 0:
                    continue
                join(root, own, label[near_y, near_x])
