"""The integration field: the exact distance of every tile to the nearest goal, and the step to take there."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pynav.grid import _integration_field_kernels as kernels
from pynav.grid._direction_kernels import write_directions, write_directions_wide
from pynav.grid.errors import GridError
from pynav.grid.exits import entering_steps
from pynav.grid.steps import (
    DIAGONAL_FACTOR,
    STRAIGHT_FACTOR,
    UNIT_STEP_COST,
    UNREACHABLE,
    UNREACHABLE_WIDE,
    allowed_steps_table,
)
from pynav.grid.tile_grid import TileGrid
from pynav.kernels import parallel_for

_ROWS_PER_BLOCK = 16
_ALLOWED_STEPS = allowed_steps_table()
_STEPS_AS_THEY_ARE: npt.NDArray[np.uint8] = np.arange(256, dtype=np.uint8)
_UNLIMITED = 2**40  # more tiles than any grid has

Goals = Sequence[tuple[int, int]] | npt.NDArray[np.integer]
SolidGoals = Literal["refuse", "nearest"]


class IntegrationField:
    """Distances of all tiles of a grid to a set of goal tiles, exact, built whole or in slices.

    A step costs (cost of one tile + cost of the other) * 70 if straight, * 99 if diagonal; diagonal steps need both tiles
    beside them free. Between tiles of cost 1 that is 140 and 198. Closed exits (exits.py) are not stepped through.

    A build works on a copy of the costs that ``begin`` takes, so edits in the meantime neither disturb it nor show in it.

    Distances are int32 as long as 198 times the sum of all tile costs and the greatest step stay below 2**31 - 1: a way
    without repetition enters and leaves each tile at most once, so it can't cost more. Otherwise they are int64.

    Args:
        grid: the costs; its size never changes.

    Notes:
        Deterministic: the distances are the exact minima, whatever the slices or threads, and directions follow a total
        order (see _direction_kernels.py). Cost about 30 to 70 ns a tile on one thread. Memory 14 bytes a tile, and 8 more
        reserved of which only a part as large as the wave front is touched. Source: Dial 1969, Dinitz 1978.

    Example:
        >>> field = IntegrationField(TileGrid([[1, 1, 1], [1, 0, 1]]))
        >>> field.build([(0, 1)])
        >>> field.distance.tolist() == [[140, 280, 420], [0, UNREACHABLE, 560]]
        True
        >>> field.directions.tolist()
        [[2, 4, 4], [8, 8, 6]]
    """

    def __init__(self, grid: TileGrid) -> None:
        self.grid = grid
        shape = (grid.height, grid.width)
        tile_count = grid.height * grid.width
        self._cost: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self._solid: npt.NDArray[np.uint8] = np.zeros(shape, dtype=np.uint8)
        self._allowed, self._leaving = _ALLOWED_STEPS, self._solid
        self._narrow: npt.NDArray[np.int32] = np.full(shape, UNREACHABLE, dtype=np.int32)
        self._wide: npt.NDArray[np.int64] | None = None  # made when first needed
        self._is_wide = False
        node_count = tile_count + tile_count // 4 + 64
        self._node_tile: npt.NDArray[np.int32] = np.empty(node_count, dtype=np.int32)
        self._node_next: npt.NDArray[np.int32] = np.empty(node_count, dtype=np.int32)
        self._list_head: npt.NDArray[np.int32] = np.zeros(1, dtype=np.int32)
        self._goal: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._state: npt.NDArray[np.int64] = np.zeros(kernels.STATE_COUNT, dtype=np.int64)
        self._state[kernels.PHASE] = kernels.PHASE_DONE
        self._shift = 0
        self._uniform_cost = 0
        self._built_revision = -1
        self._directions: npt.NDArray[np.uint8] = np.full(shape, 8, dtype=np.uint8)
        self._directions_due = False

    # --- building

    def begin(self, goals: Goals, solid_goals: SolidGoals = "refuse") -> None:
        """Start a build towards the goals; a build in progress is dropped.

        Args:
            goals: tiles (x, y), integers (n, 2), n >= 1; repeated ones count once.
            solid_goals: what to do with a goal in a solid tile: "refuse" raises, "nearest" takes the free tile nearest to
                it instead (``TileGrid.nearest_free``).

        Raises:
            GridError: no goal, a goal outside the grid, in a solid tile when refused, or no free tile at all; the field
                stays as it was.
        """
        tiles = self._goal_tiles(goals, solid_goals)
        grid = self.grid
        self._goal = tiles
        np.copyto(self._cost, grid.cost)
        if grid.has_one_way:  # the steps themselves in place of solid neighbours: those that lead here, those that lead away
            steps = grid.open_steps
            self._allowed, self._leaving = _STEPS_AS_THEY_ARE, steps
            np.copyto(self._solid, entering_steps(steps))
        else:
            self._allowed, self._leaving = _ALLOWED_STEPS, self._solid
            np.copyto(self._solid, grid.solid_mask)
        low, high = grid.cost_range
        greatest_step = 2 * high * DIAGONAL_FACTOR
        self._is_wide = 2 * DIAGONAL_FACTOR * grid.cost_sum + greatest_step >= UNREACHABLE
        if self._is_wide and self._wide is None:
            self._wide = np.full(self._cost.shape, UNREACHABLE_WIDE, dtype=np.int64)
        self._shift = (2 * low * STRAIGHT_FACTOR).bit_length() - 1
        # A step from the lowest bucket ends at most this many buckets above it, the lowest itself not counted.
        lists = 1 << ((greatest_step >> self._shift) + 1).bit_length()
        self._list_head = np.full(lists, -1, dtype=np.int32)
        self._uniform_cost = low if low == high else 0
        self._state[:] = 0
        self._built_revision = grid.revision
        self._directions_due = True

    def update(self, tile_budget: int) -> bool:
        """Go on with the build.

        Args:
            tile_budget: tiles to expand at most, >= 1 (clearing 64 tiles counts as one).

        Returns:
            Whether the distances are finished.

        Raises:
            GridError: a budget below 1.
        """
        if tile_budget < 1:
            raise GridError(f"update: expected a budget of at least 1 tile, got {tile_budget}")
        if not self.is_finished:
            flood = kernels.flood_wide if self._is_wide else kernels.flood
            flood(*self.kernel_arguments(), min(int(tile_budget), _UNLIMITED))
        return self.is_finished

    def build(self, goals: Goals, solid_goals: SolidGoals = "refuse") -> None:
        """Build the whole field now; parameters and errors as for ``begin``."""
        self.begin(goals, solid_goals)
        self.update(_UNLIMITED)

    def kernel_arguments(self) -> tuple[Any, ...]:
        """What the kernels that work on a begun build take, but for the budget (see ``FlowField``)."""
        return (
            self._cost.reshape(-1), self._solid.reshape(-1), self._allowed, self._goal, self.distance.reshape(-1),
            self._list_head, self._node_tile, self._node_next, self._state, self._cost.shape[1], self._shift,
            self._uniform_cost,
        )  # fmt: skip

    @property
    def leaving(self) -> npt.NDArray[np.uint8]:
        """uint8 (tiles,): what directions are read with where the kernels that flood take the second of their arguments."""
        return self._leaving.reshape(-1)

    # --- results

    @property
    def is_finished(self) -> bool:
        """Whether no build is in progress."""
        return bool(self._state[kernels.PHASE] == kernels.PHASE_DONE)

    @property
    def is_current(self) -> bool:
        """Whether the field is finished and the grid has not been edited since its build began."""
        return self.is_finished and self._built_revision == self.grid.revision

    @property
    def distance(self) -> npt.NDArray[np.int32] | npt.NDArray[np.int64]:
        """int32 or int64 (height, width): cost of the best way to the nearest goal, ``unreachable`` where there is none.

        In a build, the distances of tiles already expanded are final.
        """
        return self._wide if self._is_wide and self._wide is not None else self._narrow

    @property
    def unreachable(self) -> int:
        """The value of ``distance`` where there is no way: 2**31 - 1, or 2**63 - 1 in int64."""
        return UNREACHABLE_WIDE if self._is_wide else UNREACHABLE

    @property
    def directions(self) -> npt.NDArray[np.uint8]:
        """uint8 (height, width): the step to take, 0..7 = E, SE, S, SW, W, NW, N, NE; 8 at goals and where no way is.

        Made in parallel by rows when first asked for after a build.

        Raises:
            GridError: a build is in progress.
        """
        if not self.is_finished:
            raise GridError("directions: expected a finished field, got one whose build is in progress")
        if self._directions_due:
            write = write_directions_wide if self._is_wide else write_directions
            parallel_for(
                write, self._cost.shape[0], self._cost.reshape(-1), self._leaving.reshape(-1), self._allowed,
                self.distance.reshape(-1), self._directions.reshape(-1), self._cost.shape[1], block_size=_ROWS_PER_BLOCK,
            )  # fmt: skip
            self._directions_due = False
        return self._directions

    @property
    def expanded_count(self) -> int:
        """Tiles expanded by the last build so far."""
        return int(self._state[kernels.EXPANDED])

    def distance_tiles(self, x: int, y: int) -> float:
        """The distance of tile (x, y) in straight steps between tiles of cost 1; infinite where there is no way."""
        value = int(self.distance[y, x])
        return float("inf") if value == self.unreachable else value / UNIT_STEP_COST

    def _goal_tiles(self, goals: Goals, solid_goals: SolidGoals) -> npt.NDArray[np.int64]:
        array = np.asarray(goals)
        if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
            raise GridError(
                f"goals: expected tiles (x, y) as whole numbers (n, 2), got shape {array.shape} of type {array.dtype}"
            )
        if solid_goals not in ("refuse", "nearest"):
            raise GridError(f'solid_goals: expected "refuse" or "nearest", got {solid_goals!r}')
        if array.shape[0] == 0:
            raise GridError("goals: expected at least one goal tile, got none")
        tiles = array.astype(np.int64)
        width, height = self.grid.width, self.grid.height
        outside = (tiles < 0).any(axis=1) | (tiles[:, 0] >= width) | (tiles[:, 1] >= height)
        if outside.any():
            x, y = tiles[int(np.argmax(outside))]
            raise GridError(f"goals: expected tiles within {width} x {height}, got ({x}, {y})")
        for index in np.flatnonzero(self.grid.cost[tiles[:, 1], tiles[:, 0]] == 0):
            x, y = (int(value) for value in tiles[index])
            if solid_goals == "refuse":
                raise GridError(f'goals: expected free tiles, got the solid tile ({x}, {y}); solid_goals="nearest" moves it')
            nearest = self.grid.nearest_free(x, y)
            if nearest is None:
                raise GridError("goals: expected a grid with a free tile, got one that is solid throughout")
            tiles[index] = nearest
        return tiles[:, 1] * width + tiles[:, 0]
