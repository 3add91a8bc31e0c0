# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that walks a direction map."""

import numpy as np

from pynav.kernels import kernel


@kernel("uint8[:, ::1] direction, int64 start_x, int64 start_y, int32[:, ::1] path, int64[::1] result")
def trace_path(direction, start_x, start_y, path, result):
    """Write the tiles from the start on until one has no direction.

    ``result[0]`` becomes the number of tiles of the way, the start included, even where ``path`` has no room for all;
    ``result[1]`` of its steps that are diagonal. A map that leads in a circle ends after as many tiles as it has.
    """
    step_x = (1, 1, 0, -1, -1, -1, 0, 1)
    step_y = (0, 1, 1, 1, 0, -1, -1, -1)
    room = np.int64(path.shape[0])
    most = np.int64(direction.shape[0]) * np.int64(direction.shape[1])
    x = start_x
    y = start_y
    count = np.int64(0)
    diagonal = np.int64(0)
    walking = True
    while walking:
        if count < room:
            path[count, 0] = np.int32(x)
            path[count, 1] = np.int32(y)
        count += 1
        code = np.int64(direction[y, x])
        walking = code < 8 and count < most
        if walking:
            diagonal += code & 1
            x += step_x[code]
            y += step_y[code]
    result[0] = count
    result[1] = diagonal
