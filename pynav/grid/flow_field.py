"""The flow field: the direction map that agents follow, served from one buffer while the next one is built in another."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid._flow_field_kernels import DONE, PROGRESS_COUNT, build_flow, build_flow_wide
from pynav.grid.errors import GridError
from pynav.grid.integration_field import Goals, IntegrationField, SolidGoals
from pynav.grid.steps import NO_WAY, SOLID_TILE, UNREACHABLE
from pynav.grid.tile_grid import TileGrid

_UNLIMITED = 2**40  # more tiles than any grid has


def _idle(grid: TileGrid) -> list[IntegrationField]:
    """Distance fields of the grid that no build uses: a hundred flows need but as many as are built at a time."""
    idle: list[IntegrationField] = grid.idle_workspaces
    return idle


class FlowField:
    """Directions of all tiles towards a set of goals, double-buffered.

    ``begin`` takes a copy of the grid; the work is then done in slices, by ``work`` or by a job on another thread that runs
    the call of ``bound_slice``; ``publish`` swaps the buffers. Until then ``flow`` keeps what was published before, so an
    edited map is never seen half done.

    Args:
        grid: the costs.
        goals: tiles (x, y), whole numbers (n, 2).
        solid_goals: as for ``IntegrationField.begin``.

    Raises:
        GridError: bad goals, when ``begin`` looks at them; nothing is built or dropped then.

    Notes:
        Memory 2 bytes a tile, and 16 more during a build, which fields of one grid hand to one another.
        Deterministic: how the work is sliced and where it runs doesn't show in the result. Who publishes on a tick that
        depends on counts alone, keeps a whole simulation deterministic.

    Example:
        >>> field = FlowField(TileGrid([[1, 1, 1]]), [(2, 0)])
        >>> field.begin()
        >>> while not field.work(tile_budget=100):
        ...     pass
        >>> field.publish()
        >>> field.flow[1:-1, 1:-1].tolist()
        [[0, 0, 8]]
    """

    def __init__(self, grid: TileGrid, goals: Goals, solid_goals: SolidGoals = "refuse") -> None:
        self.grid = grid
        self.goals = goals
        self.solid_goals = solid_goals
        shape = (grid.height + 2, grid.width + 2)
        self._front: npt.NDArray[np.uint8] = np.full(shape, SOLID_TILE, dtype=np.uint8)
        self._front[1:-1, 1:-1] = np.where(grid.cost == 0, SOLID_TILE, NO_WAY)
        self._back: npt.NDArray[np.uint8] = np.full(shape, SOLID_TILE, dtype=np.uint8)
        self._workspace: IntegrationField | None = None  # while a build is in progress
        self._progress: npt.NDArray[np.int64] = np.zeros(PROGRESS_COUNT, dtype=np.int64)
        self._begun_revision = -1
        self._published_revision = -1

    @property
    def flow(self) -> npt.NDArray[np.uint8]:
        """uint8 (height + 2, width + 2), the published map with a border of one tile, index [y + 1, x + 1].

        0..7 = E, SE, S, SW, W, NW, N, NE; 8 goal; 9 no way; 10 solid, and the border. Before the first ``publish``: 9 and 10.
        The array changes with ``publish``: ask again after it.
        """
        return self._front

    @property
    def is_building(self) -> bool:
        """Whether a build has begun and not been published."""
        return self._workspace is not None

    @property
    def is_ready(self) -> bool:
        """Whether the build in progress is complete and can be published."""
        return self.is_building and bool(self._progress[DONE])

    @property
    def is_current(self) -> bool:
        """Whether what is published was built from the grid as it is now."""
        return self._published_revision == self.grid.revision

    def begin(self) -> None:
        """Start a build from the grid as it is now; one in progress is dropped (no job may be working on it any more)."""
        workspace = self._workspace or (_idle(self.grid).pop() if _idle(self.grid) else IntegrationField(self.grid))
        try:
            workspace.begin(self.goals, self.solid_goals)
        except GridError:
            if self._workspace is None:
                _idle(self.grid).append(workspace)
            raise
        self._workspace = workspace
        self._begun_revision = self.grid.revision
        self._progress[:] = 0

    def bound_slice(self, tile_budget: int) -> tuple[Any, npt.NDArray[np.int64]]:
        """The build in progress as a bound kernel call for a job.

        Args:
            tile_budget: tiles of work a call, >= 1.

        Returns:
            (call, progress): run ``call`` until ``progress[1]`` is 1. The arrays belong to it until ``publish`` or ``begin``.

        Raises:
            GridError: no build in progress, or a budget below 1.
        """
        workspace = self._workspace
        if workspace is None:
            raise GridError("bound_slice: expected a build in progress, got none; call begin() first")
        if tile_budget < 1:
            raise GridError(f"bound_slice: expected a budget of at least 1 tile, got {tile_budget}")
        kernel = build_flow if workspace.unreachable == UNREACHABLE else build_flow_wide
        budget = min(int(tile_budget), _UNLIMITED)
        return kernel.bind(*workspace.kernel_arguments(), workspace.leaving, self._back, self._progress, budget), self._progress

    def work(self, tile_budget: int = _UNLIMITED) -> bool:
        """Do a slice of the build on this thread.

        Args:
            tile_budget: tiles of work, >= 1.

        Returns:
            Whether the build is complete.

        Raises:
            GridError: no build in progress, or a budget below 1.
        """
        call, progress = self.bound_slice(tile_budget)
        if not progress[DONE]:
            call.run()
        return bool(progress[DONE])

    def publish(self) -> None:
        """Serve what was built.

        Raises:
            GridError: no complete build.
        """
        workspace = self._workspace
        if workspace is None or not self.is_ready:
            raise GridError("publish: expected a complete build, got " + ("one in progress" if self.is_building else "none"))
        self._front, self._back = self._back, self._front
        self._published_revision = self._begun_revision
        self._workspace = None
        _idle(self.grid).append(workspace)

    def cancel(self) -> None:
        """Drop a build in progress, if there is one (no job may be working on it any more)."""
        if self._workspace is not None:
            _idle(self.grid).append(self._workspace)
            self._workspace = None

    def build(self) -> None:
        """Build and publish now."""
        self.begin()
        while not self.work():
            pass
        self.publish()
