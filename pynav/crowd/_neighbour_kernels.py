"""Kernel that lists the contacts of each agent: who is nearer than touching and a little more."""

import numpy as np

from pynav.crowd.agent_layout import NEIGHBOUR_LIMIT, POSITION_X, POSITION_Y, RADIUS
from pynav.kernels import LANES, append_set, block_kernel, discs_near

_HALF = np.float32(0.5)
SKIN_TILES = np.float32(0.08)  # neighbours this much beyond touching are in the contact list


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] neighbours, int32[::1] neighbour_count, int32[::1] cell_start, float32 rows_per_tile,"
    " float32 columns_per_tile, int64 column_count"
)
def find_contacts(values, neighbours, neighbour_count, cell_start, rows_per_tile, columns_per_tile, column_count, begin, end):
    """List up to NEIGHBOUR_LIMIT contacts of each agent in its row of ``neighbours``, in the order of the table.

    Candidates are in the two rows of cells around the point, each at least as high as two discs and the skin are wide, and the
    columns beside the own one, which are half as wide. Where they begin and end is looked up for the whole block first, and
    kept in the agent's row until its contacts are written there: how many candidates there are can't be predicted, and a
    processor that guessed wrong finds out at once if that number is at hand.
    """
    for agent in range(begin, end):
        row = np.int64(values[POSITION_Y, agent] * rows_per_tile + _HALF)
        cell = row * column_count + np.int64(values[POSITION_X, agent] * columns_per_tile)
        neighbours[agent, 0] = cell_start[cell]
        neighbours[agent, 1] = cell_start[cell + 3]
        neighbours[agent, 2] = cell_start[cell + column_count]
        neighbours[agent, 3] = cell_start[cell + column_count + 3]
    for agent in range(begin, end):
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        reach = values[RADIUS, agent] + SKIN_TILES
        start = np.int64(neighbours[agent, 0])
        stop = np.int64(neighbours[agent, 1])
        next_start = np.int64(neighbours[agent, 2])
        next_stop = np.int64(neighbours[agent, 3])
        count = np.int64(0)
        for _ in range(2):
            for first in range(start, max(stop, start + 1), LANES):  # once even without candidates: one way to guess wrong less
                bits = discs_near(values[POSITION_X], values[POSITION_Y], values[RADIUS], first, x, y, reach)
                bits &= (1 << min(stop - first, LANES)) - 1
                if first <= agent < first + LANES:
                    bits &= ~(1 << (agent - first))
                count = min(append_set(neighbours[agent], count, first, bits), NEIGHBOUR_LIMIT)
            start = next_start
            stop = next_stop
        neighbour_count[agent] = np.int32(count)
