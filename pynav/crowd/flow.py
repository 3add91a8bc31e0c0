"""One flow: a goal on a navigation layer, who follows it, and what is published of it."""

import numpy as np
import numpy.typing as npt

NEAR_MARGIN_TILES = 1.0  # beyond the arrive radius, where agents head for the goal itself


class Flow:
    """A goal on a layer and the state of its directions.

    Attributes:
        index: row of the flow table's arrays.
        layer: number of the navigation layer that it leads over.
        key: what tells flows apart.
        points: float32 (n, 2), tiles of its layer.
        goal_blocks: int32, blocks that hold a goal.
        radius: largest arrive radius asked for, tiles.
        user_count: groups that follow it, or wait for it.
        groups: these groups, and some that did before.
        is_published: whether there is anything to follow.
        is_blockwise: published as border values.
        is_exact: the border values are those of the map as it is, but for what ``changed`` says.
        changed: blocks that were edited since the values were right, still to be repaired.
        changed_tick: tick of the first of these edits.
        near_is_due: the marks around its goals have to be made anew.
    """

    def __init__(
        self, index: int, points: npt.NDArray[np.float32], radius: float, goal_blocks: npt.NDArray[np.int32], layer: int = 0
    ) -> None:
        self.index = index
        self.layer = layer
        self.key = (layer, goal_key(points))
        self.points = points
        self.goal_blocks = goal_blocks
        self.radius = radius
        self.user_count = 0
        self.groups: set[int] = set()
        self.is_published = False
        self.is_blockwise = False
        self.is_exact = False
        self.changed: set[int] = set()
        self.changed_tick = 0
        self.near_is_due = False
        self._bounds: tuple[float, float, float, float] | None = None

    @property
    def near_box(self) -> tuple[int, int, int, int]:
        """Left, top, right and low edge of the tiles that may be near to a goal; they may lie outside the map."""
        reach = int(self.radius + NEAR_MARGIN_TILES) + 1
        if self._bounds is None:
            self._bounds = (*self.points.min(axis=0).tolist(), *self.points.max(axis=0).tolist())
        left, top, right, low = self._bounds
        return int(left) - reach, int(top) - reach, int(right) + reach + 1, int(low) + reach + 1

    def is_near(self, x: int, y: int, width: int, height: int) -> bool:
        """Whether a rectangle of tiles reaches into the box around the goals."""
        left, top, right, low = self.near_box
        return left < x + width and x < right and top < y + height and y < low


def goal_key(points: npt.NDArray[np.float32]) -> bytes:
    """What tells goals apart: the points' bytes."""
    return points.tobytes()
