"""What is measured while a scenario runs, from positions alone: it knows nothing of how they came about."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

OVERLAP_EVERY = 3  # ticks between looks at overlaps
STOP_FROM, STOP_TO = 0.7, 0.1  # of the speed: from above the one to below the other within a tick is a hard stop
MOVING = 0.1  # of the speed
REVERSAL_COSINE = -0.5  # headings a quarter of a second apart that differ by more than 120 degrees
REVERSAL_TICKS = 15
Array = npt.NDArray[np.float64]


@dataclass
class Measures:
    """Takes each tick's positions; the counts are complete at any time.

    Attributes:
        overlap: largest depth of two discs within each other, as a part of the sum of their radii.
        in_solid: agents whose middle was ever in a solid tile.
        hard_stops, reversals: how often, of all agents together, on their way.
        turns_after: changes of direction by more than 90 degrees of agents that had arrived and moved.
        arrived_at: (n,) seconds, NaN for who has not arrived.
    """

    cost: npt.NDArray[np.uint8]
    radius: Array
    speed: float
    dt: float
    overlap: float = 0.0
    hard_stops: int = 0
    reversals: int = 0
    turns_after: int = 0
    arrived_at: Array = field(init=False)

    def __post_init__(self) -> None:
        count = len(self.radius)
        self.arrived_at = np.full(count, np.nan)
        self._was_in_solid: npt.NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self._before: Array | None = None
        self._velocity: Array = np.zeros((count, 2))
        self._heading: Array = np.zeros((REVERSAL_TICKS, count, 2))  # ring of unit vectors, zero while standing
        self._is_turning: npt.NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self._tick = 0

    @property
    def in_solid(self) -> int:
        """Agents whose middle was ever in a solid tile."""
        return int(self._was_in_solid.sum())

    def take(self, position: Array, there: npt.NDArray[np.bool_], arrived: npt.NDArray[np.bool_]) -> None:
        """One tick.

        Args:
            position: (n, 2), tiles.
            there: (n,), false for who has left.
            arrived: (n,), true for who has left as well.
        """
        column, row = (np.floor(position[:, axis]).astype(np.int64) for axis in range(2))
        inside = (column >= 0) & (row >= 0) & (column < self.cost.shape[1]) & (row < self.cost.shape[0])
        solid = np.ones(len(position), dtype=bool)
        solid[inside] = self.cost[row[inside], column[inside]] == 0
        self._was_in_solid |= solid & there
        if self._tick % OVERLAP_EVERY == 0:
            self._look_at_overlaps(position[there], self.radius[there])
        self._look_at_motion(position, there, arrived)
        is_new = arrived & np.isnan(self.arrived_at)
        self.arrived_at[is_new] = self._tick * self.dt
        self._tick += 1

    def _look_at_overlaps(self, position: Array, radius: Array) -> None:
        if len(position) < 2:
            return
        pairs = cKDTree(position).query_pairs(2.0 * float(radius.max()), output_type="ndarray")
        if len(pairs):
            apart = np.linalg.norm(position[pairs[:, 0]] - position[pairs[:, 1]], axis=1)
            touch = radius[pairs].sum(axis=1)
            self.overlap = max(self.overlap, float(((touch - apart) / touch).max()))

    def _look_at_motion(self, position: Array, there: npt.NDArray[np.bool_], arrived: npt.NDArray[np.bool_]) -> None:
        if self._before is not None:
            velocity = (position - self._before) / self.dt
            size = np.linalg.norm(velocity, axis=1)
            size_before = np.linalg.norm(self._velocity, axis=1)
            walking = there & ~arrived
            self.hard_stops += int((walking & (size_before > STOP_FROM * self.speed) & (size < STOP_TO * self.speed)).sum())
            moving = there & (size > MOVING * self.speed)
            heading = np.where(moving[:, None], velocity / np.maximum(size, 1e-9)[:, None], 0.0)
            slot = self._tick % REVERSAL_TICKS
            turned = (heading * self._heading[slot]).sum(axis=1) < REVERSAL_COSINE
            self.reversals += int((turned & ~self._is_turning & walking).sum())
            self._is_turning = turned
            self._heading[slot] = heading
            back = (velocity * self._velocity).sum(axis=1) < 0.0
            both = (size > MOVING * self.speed) & (size_before > MOVING * self.speed)
            had_arrived = there & arrived & (self._tick * self.dt - self.arrived_at > 1.0)
            self.turns_after += int((back & both & had_arrived).sum())
            self._velocity = velocity
        self._before = position.copy()
