"""The goals of all flows in flat arrays, as kernels read them; replaced only where there is no room left."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Goals = tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]  # points (n, 2), blocks (m,)


class GoalTable:
    """Points, tiles and blocks of goals, by flow.

    Attributes:
        start: int32, where the points of each flow begin in ``point``; one entry more.
        point: float32 (n, 2), the points of all flows, and room for more.
    """

    def __init__(self) -> None:
        self._reserve(16, 16, 64)

    def _reserve(self, flows: int, points: int, blocks: int) -> None:
        self.start: npt.NDArray[np.int32] = np.zeros(flows + 1, dtype=np.int32)
        self.point: npt.NDArray[np.float32] = np.zeros((points, 2), dtype=np.float32)
        self._x: npt.NDArray[np.int32] = np.zeros(points, dtype=np.int32)
        self._y: npt.NDArray[np.int32] = np.zeros(points, dtype=np.int32)
        self._block_start: npt.NDArray[np.int32] = np.zeros(flows + 1, dtype=np.int32)
        self._block: npt.NDArray[np.int32] = np.zeros(blocks, dtype=np.int32)

    def lay_out(self, goals: Sequence[Goals | None]) -> None:
        """Write the goals of all flows (None: no such flow)."""
        none: Goals = (np.zeros((0, 2), dtype=np.float32), np.zeros(0, dtype=np.int32))
        all_goals = [none if own is None else own for own in goals]
        points = np.concatenate([own[0] for own in all_goals])
        blocks = np.concatenate([own[1] for own in all_goals])
        if len(goals) >= len(self.start) or len(points) > len(self.point) or len(blocks) > len(self._block):
            self._reserve(2 * len(goals), 2 * len(points), 2 * len(blocks))
        self.start[1 : len(goals) + 1] = np.cumsum([len(own[0]) for own in all_goals])
        self.start[len(goals) + 1 :] = len(points)
        self._block_start[1 : len(goals) + 1] = np.cumsum([len(own[1]) for own in all_goals])
        self._block_start[len(goals) + 1 :] = len(blocks)
        self.point[: len(points)] = points
        tiles = np.floor(points).astype(np.int32)
        self._x[: len(points)], self._y[: len(points)] = tiles[:, 0], tiles[:, 1]
        self._block[: len(blocks)] = blocks

    def of_steps(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """First goal of each flow, columns and rows of goals."""
        return self.start, self._x, self._y

    def of_repair(
        self,
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The same, first goal block of each flow, goal blocks."""
        return self.start, self._x, self._y, self._block_start, self._block
