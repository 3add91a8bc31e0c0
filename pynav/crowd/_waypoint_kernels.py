# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that makes a way of tiles straight."""

import numpy as np

from pynav.crowd._string_pulling_kernels import is_clear
from pynav.kernels import kernel

LONGEST_STRIDE = 64  # tiles of the way that are tried at once; a power of four


@kernel("uint16[:, ::1] walls, float32[:, ::1] point, float32 reach, uint8[::1] keep")
def keep_corners(walls, point, reach, keep):
    """``keep[i]`` becomes 1 for the points at which a way turns: each is in sight of the one before (or beside it).

    From each corner the way is walked in strides for as long as the strip to where a stride ends is clear
    (_string_pulling_kernels.py), in shorter ones where it isn't; where not even the next point is in sight is the next corner.
    """
    count = np.int64(point.shape[0])
    keep[:] = 0
    keep[0] = 1
    corner = np.int64(0)
    while corner < count - 1:
        seen = corner + 1
        stride = np.int64(LONGEST_STRIDE)
        while stride > 0:
            index = seen + stride
            if index < count and is_clear(walls, point[corner, 0], point[corner, 1], point[index, 0], point[index, 1], reach):
                seen = index
            else:
                stride //= 4
        keep[seen] = 1
        corner = seen
