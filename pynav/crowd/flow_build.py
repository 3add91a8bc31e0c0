"""Builds of flows, as jobs on the background thread: by blocks (exact border values), or whole for maps of huge costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.flow import Flow
from pynav.grid import FlowField, TileGrid
from pynav.jobs import SlicedJob
from pynav.sectors import CommonRoute, GoalValues, Groups

BLOCKS_PER_SLICE = 64  # work of a job between two looks at whether it is wanted back
TILES_PER_SLICE = 4_096
CORRIDOR_TILES_PER_SLICE = 512
_DONE = 1  # entry of a kernel's progress


class FlowBuild:
    """A build in progress: of which flow, from which costs."""

    def __init__(self, flow: Flow, cost: npt.NDArray[np.uint8], closed: npt.NDArray[np.uint8] | None) -> None:
        self.flow = flow
        self.cost = cost  # (rows, columns) as they were when it began
        self.closed = closed  # exits then; None where all were open
        self.changed: set[int] = set()  # blocks that were edited since
        self.is_outdated = False  # the map was replaced since: another build follows
        self._jobs: list[SlicedJob] = []  # each works on what the one before has left

    @property
    def goal_tiles(self) -> npt.NDArray[np.int64]:
        """(n, 2) the flow's goal tiles that were free when the build began."""
        tiles = self.flow.points.astype(np.int64)
        return np.asarray(tiles[self.cost[tiles[:, 1], tiles[:, 0]] != 0], dtype=np.int64)

    def finish(self) -> int:
        """Do here what the background thread has not done; how many slices that was."""
        for job in self._jobs[1:]:
            job.cancel()  # not to begin on what the one before has not left yet
        return sum(job.finish() for job in self._jobs)

    def dismiss(self) -> None:
        """Stop; the background thread may still be at a slice of it."""
        for job in reversed(self._jobs):
            job.dismiss()

    @property
    def is_released(self) -> bool:
        """Whether the background thread has let go of a dismissed build."""
        return all(job.is_released for job in self._jobs)

    def _start(self, call: Any, progress: npt.NDArray[np.int64]) -> None:
        self._jobs.append(SlicedJob(call, progress, _DONE))
        self._jobs[-1].start()


class BlockBuild(FlowBuild):
    """Exact values of the border tiles of a graph's blocks; directions come later, block by block.

    Args:
        flow: which one.
        values: what the search works with.
        groups: those that are to stay together.
        common: what the search for their common route works with; None without groups.
    """

    def __init__(self, flow: Flow, values: GoalValues, groups: Groups, common: CommonRoute | None) -> None:
        graph = values.graph
        super().__init__(flow, graph.frozen_cost(), graph.frozen_exits())
        self.values, self.groups, self.common = values, groups, common
        self.revision = graph.revision  # of the costs that it works on
        self._start(*values.begin(self.goal_tiles, BLOCKS_PER_SLICE))
        if common is not None:
            cost = graph.corridor_cost()
            self._start(*common.begin(cost, values.value, values.goal_x, values.goal_y, groups, CORRIDOR_TILES_PER_SLICE))


class WholeBuild(FlowBuild):
    """A direction for every tile, with 64-bit distances where the map needs them."""

    def __init__(self, flow: Flow, grid: TileGrid) -> None:
        super().__init__(flow, grid.cost.copy(), None if grid.closed_if_any is None else grid.closed_exits.copy())
        self.field: FlowField | None = None  # None where every goal tile is solid
        tiles = self.goal_tiles
        if len(tiles):
            self.field = FlowField(grid, tiles)
            self.field.begin()
            self._start(*self.field.bound_slice(TILES_PER_SLICE))

    def dismiss(self) -> None:
        """Stop; waits for the slice in progress."""
        for job in self._jobs:
            job.cancel()
        if self.field is not None:
            self.field.cancel()
