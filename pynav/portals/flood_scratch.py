"""Scratch of floods over small rectangles of tiles."""

import numpy as np
import numpy.typing as npt

from pynav.portals._flood_kernels import LINE_ROWS, STEP_ROWS


class FloodScratch:
    """What floods of regions work in: one set of arrays for each part of a parallel run.

    Args:
        size: tiles a side of a sector.
        reach: sectors around the one in the middle.
        parts: how many may run at once.
    """

    def __init__(self, size: int, reach: int, parts: int) -> None:
        side = (2 * reach + 1) * size + 2
        tiles = side * side
        self.weight: npt.NDArray[np.int32] = np.zeros((parts, tiles), dtype=np.int32)
        self.wall: npt.NDArray[np.int32] = np.zeros((parts, tiles), dtype=np.int32)
        self.steps: npt.NDArray[np.int32] = np.zeros((parts, STEP_ROWS * tiles), dtype=np.int32).reshape(parts, STEP_ROWS, tiles)
        self.lines: npt.NDArray[np.int32] = np.zeros((parts, LINE_ROWS, side), dtype=np.int32)
        self.waiting: npt.NDArray[np.uint8] = np.zeros((parts, 2, side), dtype=np.uint8)
        self.distance: npt.NDArray[np.int32] = np.zeros((parts, tiles), dtype=np.int32)

    @property
    def all(self) -> tuple[npt.NDArray[np.int32] | npt.NDArray[np.uint8], ...]:
        """The arrays in the order that kernels over parts take them."""
        return self.weight, self.wall, self.steps, self.lines, self.waiting, self.distance

    @property
    def first(self) -> tuple[npt.NDArray[np.int32] | npt.NDArray[np.uint8], ...]:
        """Those of the first part, for kernels that run on one thread."""
        return self.weight[0], self.wall[0], self.steps[0], self.lines[0], self.waiting[0], self.distance[0]
