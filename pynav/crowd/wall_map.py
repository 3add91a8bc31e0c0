"""The wall maps: which tiles are solid and which have solid neighbours, a map a navigation layer, kept in step with the costs."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd._wall_map_kernels import leave_solid, mark_exits, mark_walls
from pynav.kernels import parallel_for

_ROWS_PER_BLOCK = 32
_AGENTS_PER_BLOCK = 2048


class WallMap:
    """Owns ``walls``, the bordered bit maps of wall_geometry.py: uint16 (layers, height + 2, width + 2), for one size of map.

    Memory 2 bytes a tile and layer.
    """

    def __init__(self, cost: npt.NDArray[np.uint8], closed: npt.NDArray[np.uint8] | None = None) -> None:
        self.shape = (int(cost.shape[0]), int(cost.shape[1]))
        self.walls: npt.NDArray[np.uint16] = np.zeros((0, cost.shape[0] + 2, cost.shape[1] + 2), dtype=np.uint16)
        self.add_layer(cost, closed)

    def add_layer(self, cost: npt.NDArray[np.uint8], closed: npt.NDArray[np.uint8] | None = None) -> None:
        """A map for one more layer; ``walls`` is replaced."""
        old = self.walls
        self.walls = np.zeros((len(old) + 1, *old.shape[1:]), dtype=np.uint16)
        self.walls[:-1] = old
        self.update(cost, 0, 0, cost.shape[1], cost.shape[0], len(old), closed)

    def update(
        self,
        cost: npt.NDArray[np.uint8],
        x: int,
        y: int,
        width: int,
        height: int,
        layer: int = 0,
        closed: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """Bring a layer's bits up to date after its costs or exits in the rectangle changed (its neighbours' bits too).

        ``closed`` are the closed exits of all tiles; None where there are none.
        """
        walls = self.walls[layer]
        rows, columns = walls.shape
        first_column, last_column = max(x, 0), min(x + width + 2, columns)
        first_row, last_row = max(y, 0), min(y + height + 2, rows)
        if first_row == 0 and last_row == rows:
            parallel_for(mark_walls, rows, cost, walls, first_column, last_column, block_size=_ROWS_PER_BLOCK)
        else:
            mark_walls(cost, walls, first_column, last_column, first_row, last_row)
        if closed is not None:
            parallel_for(
                mark_exits, last_row - first_row, cost, closed, walls, first_column, last_column, first_row,
                block_size=_ROWS_PER_BLOCK,
            )  # fmt: skip

    def push_out(
        self,
        values: npt.NDArray[np.float32],
        tags: npt.NDArray[np.int32],
        goals: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]],
        crowd_numbers: npt.NDArray[Any],
        crowd_settings: npt.NDArray[np.float32],
        count: int,
    ) -> bool:
        """Move the agents that stand in solid tiles of their layer to the nearest free place; whether there were any.

        Those that are half-way to one of ``goals`` stay there.
        """
        has_moved = np.zeros(count // _AGENTS_PER_BLOCK + 1, dtype=np.uint8)
        parallel_for(
            leave_solid, count, values, tags, *goals, crowd_numbers, crowd_settings, self.walls, has_moved, _AGENTS_PER_BLOCK,
            block_size=_AGENTS_PER_BLOCK,
        )  # fmt: skip
        return bool(has_moved.any())
