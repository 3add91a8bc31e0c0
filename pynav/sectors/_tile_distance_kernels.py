# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that answers how far single tiles are from a goal, from the exact values of the border tiles."""

import numpy as np

from pynav.kernels import block_kernel
from pynav.sectors._block_flow_kernels import fill_block
from pynav.sectors._block_matrix_kernels import PADDED
from pynav.sectors.block_layout import STEP


@block_kernel(
    "uint8[:, ::1] cost, uint8[:, ::1] closed, uint8[::1] one_way, int32[::1] value, int32[:, ::1] border_of,"
    " int32[::1] ring, int32[::1] goal_x, int32[::1] goal_y,"
    " int32[::1] block, int32[::1] first, int32[::1] tile_x, int32[::1] tile_y, uint8[:, ::1] local, int32[:, ::1] distance,"
    " int32[::1] out, int64 column_count, int64 per_part"
)
def read_distances(
    cost, closed, one_way, value, border_of, ring, goal_x, goal_y, block, first, tile_x, tile_y, local, distance, out,
    column_count, per_part,
    begin, end,
):  # fmt: skip
    """Distances of listed tiles, which are in the order of their blocks, in parts of blocks with scratch of their own.

    Tiles ``first[i]`` to ``first[i + 1] - 1`` lie in ``block[i]``; UNREACHED where there is no way.
    """
    for part in range(begin, end):
        for item in range(part * per_part, min((part + 1) * per_part, np.int64(block.shape[0]))):
            own = np.int64(block[item])
            fill_block(
                cost, closed, one_way, column_count, own, value, border_of, ring, goal_x, goal_y, np.int64(0),
                np.int64(goal_x.shape[0]),
                local[part], distance[part],
            )  # fmt: skip
            top = (own // column_count) * STEP
            left = (own % column_count) * STEP
            for index in range(np.int64(first[item]), np.int64(first[item + 1])):
                row = np.int64(tile_y[index]) - top
                column = np.int64(tile_x[index]) - left
                out[index] = distance[part, (row + 1) * PADDED + column + 1]
