"""The wall map: which tiles are solid and which have solid neighbours, kept in step with the tile costs."""

import numpy as np
import numpy.typing as npt

from pynav.crowd._wall_map_kernels import leave_solid, mark_walls
from pynav.kernels import parallel_for

_ROWS_PER_BLOCK = 32
_AGENTS_PER_BLOCK = 2048


class WallMap:
    """Owns ``walls``, the bordered bit map of wall_geometry.py, for one size of map."""

    def __init__(self, cost: npt.NDArray[np.uint8]) -> None:
        self.walls: npt.NDArray[np.uint16] = np.zeros((cost.shape[0] + 2, cost.shape[1] + 2), dtype=np.uint16)
        self.update(cost, 0, 0, cost.shape[1], cost.shape[0])

    def update(self, cost: npt.NDArray[np.uint8], x: int, y: int, width: int, height: int) -> None:
        """Bring the bits up to date after the costs in the rectangle changed (its neighbours' bits too)."""
        rows, columns = self.walls.shape
        first_column, last_column = max(x, 0), min(x + width + 2, columns)
        first_row, last_row = max(y, 0), min(y + height + 2, rows)
        if first_row == 0 and last_row == rows:
            parallel_for(mark_walls, rows, cost, self.walls, first_column, last_column, block_size=_ROWS_PER_BLOCK)
            return
        mark_walls(cost, self.walls, first_column, last_column, first_row, last_row)

    def push_out(self, values: npt.NDArray[np.float32], count: int) -> None:
        """Move the agents that stand in solid tiles to the nearest free place."""
        parallel_for(leave_solid, count, values, self.walls, block_size=_AGENTS_PER_BLOCK)
