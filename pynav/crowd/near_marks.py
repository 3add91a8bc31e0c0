"""Marks of the tiles from which a flow's goal is seen and near: there agents head for the goal itself."""

import numpy as np
import numpy.typing as npt

from pynav.crowd._flow_table_kernels import mark_near_goals
from pynav.crowd.flow import NEAR_MARGIN_TILES, Flow
from pynav.kernels.kept_call import KeptCall

_LEAST_TILES = 256


class NearMarks:
    """A window of tiles a flow, around its goals.

    Args:
        count: flows.

    Attributes:
        box: int32 (flows, 4): left and top tile of the window, its width and height.
        mark: uint8 (flows, tiles): the windows by row, 1 where a goal is near; untouched ones cost no memory.
    """

    def __init__(self, count: int) -> None:
        self.box: npt.NDArray[np.int32] = np.zeros((count, 4), dtype=np.int32)
        self.mark: npt.NDArray[np.uint8] = np.zeros((count, _LEAST_TILES), dtype=np.uint8)
        self._mark_near_goals = KeptCall(mark_near_goals)

    def grow(self, count: int) -> None:
        """Room for more flows; replaces the arrays."""
        self._replace(count, self.mark.shape[1])

    def _replace(self, count: int, tiles: int) -> None:
        box, mark = self.box, self.mark
        self.box = np.zeros((count, 4), dtype=np.int32)
        self.mark = np.zeros((count, tiles), dtype=np.uint8)
        self.box[: len(box)] = box
        for index, (_, _, width, height) in enumerate(box.tolist()):
            self.mark[index, : width * height] = mark[index, : width * height]

    def make(
        self,
        flow: Flow,
        walls: npt.NDArray[np.uint16],
        points: npt.NDArray[np.float32],
        first: int,
        last: int,
        closed: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        """Mark the window of a flow anew; may replace the arrays.

        Args:
            flow: the flow.
            walls: uint16 (height + 2, width + 2), see wall_map.py.
            points: goal points of all flows; those of this one are ``first`` to ``last - 1``.
            closed: uint8 (height, width), closed exits of the flow's layer; None where there are none.
        """
        height, width = walls.shape[0] - 2, walls.shape[1] - 2
        left, top, right, low = flow.near_box
        left, top, right, low = max(left, 0), max(top, 0), min(right, width), min(low, height)
        tiles = (right - left) * (low - top)
        if tiles > self.mark.shape[1]:
            self._replace(len(self.box), 2 * tiles)
        self.box[flow.index] = left, top, right - left, low - top
        self.mark[flow.index, :tiles] = 0
        reach = flow.radius + NEAR_MARGIN_TILES
        self._mark_near_goals.bound(self.mark, self.box, walls, points, flow.index, first, last, reach).run()
        if closed is not None and closed[top:low, left:right].any():
            mark = self.mark[flow.index, :tiles].reshape(low - top, right - left)
            _unmark_over_exits(mark, closed, (left, top), np.floor(points[first:last]).astype(np.int64), flow.radius)
        flow.near_is_due = False

    def state(self, index: int) -> dict[str, npt.NDArray[np.int32] | npt.NDArray[np.uint8]]:
        """What a snapshot needs of a flow."""
        _, _, width, height = self.box[index].tolist()
        return {"near_box": self.box[index], "near": self.mark[index, : width * height]}

    def load(self, index: int, box: npt.NDArray[np.int32], mark: npt.NDArray[np.uint8]) -> None:
        """Take up the state of a flow."""
        if len(mark) > self.mark.shape[1]:
            self._replace(len(self.box), 2 * len(mark))
        self.box[index] = box
        self.mark[index, : len(mark)] = mark


def _unmark_over_exits(
    mark: npt.NDArray[np.uint8],
    closed: npt.NDArray[np.uint8],
    corner: tuple[int, int],
    goals: npt.NDArray[np.int64],
    radius: float,
) -> None:
    """Take the marks from tiles of a window between which and a goal that may be the nearest lies a tile with a closed exit: its
    directions lead there, one tile after the other. A goal's own tile keeps its mark.

    Args:
        mark: uint8 (rows, columns), written.
        closed: uint8 (height, width), closed exits of the map.
        corner: column and row of the window's first tile.
        goals: int64 (n, 2), tiles.
        radius: arrive radius, tiles.
    """
    rows, columns = mark.shape
    x, y = corner[0] + np.arange(columns), (corner[1] + np.arange(rows))[:, None]
    sums = np.zeros((closed.shape[0] + 1, closed.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = (closed != 0).cumsum(axis=0).cumsum(axis=1)
    own = {(int(column), int(row)) for column, row in goals}
    before = mark.copy()
    for column, row in sorted(own):
        left, right = np.minimum(x, column), np.maximum(x, column) + 1
        top, low = np.minimum(y, row), np.maximum(y, row) + 1
        between = sums[low, right] - sums[top, right] - sums[low, left] + sums[top, left]
        # Whoever stands in a marked tile is no farther than this from the nearest goal, and from this one if it is that.
        is_near = (x - column) ** 2 + (y - row) ** 2 <= (radius + NEAR_MARGIN_TILES + 2.0) ** 2
        mark[is_near & (between > 0)] = 0
    for column, row in own:
        if 0 <= row - corner[1] < rows and 0 <= column - corner[0] < columns:
            mark[row - corner[1], column - corner[0]] = before[row - corner[1], column - corner[0]]
