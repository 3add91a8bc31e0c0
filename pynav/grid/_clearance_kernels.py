# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel of the clearance: what a unit of several tiles pays where it stands."""

import numpy as np

from pynav.kernels import block_kernel


@block_kernel("uint8[:, ::1] cost, uint8[:, ::1] out, int64 left, int64 top, int64 size")
def cover_footprints(cost, out, left, top, size, begin, end):
    """Rows ``begin..end`` of ``out``, whose top left entry is the tile (left, top): the greatest cost under the footprint of a
    unit of ``size`` tiles a side, 0 where any of its tiles is solid or outside.
    """
    height = np.int64(cost.shape[0])
    width = np.int64(cost.shape[1])
    before = (size - 1) // 2
    after = size // 2
    for index in range(begin, end):
        first_row = top + index - before
        last_row = top + index + after
        for place in range(out.shape[1]):
            first_column = left + place - before
            last_column = left + place + after
            greatest = np.int64(0)
            if first_row >= 0 and first_column >= 0 and last_row < height and last_column < width:
                for row in range(first_row, last_row + 1):
                    for column in range(first_column, last_column + 1):
                        found = np.int64(cost[row, column])
                        if found == 0:
                            found = np.int64(256)
                        if found > greatest:
                            greatest = found
            out[index, place] = np.uint8(greatest & 255)
