"""What the editor has heard of the maps of a running game: the latest ticks, the latest jobs, the slowest ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from addons.pynav.nodes.game_reports import JOB_COLUMNS, TICK_COLUMNS

KEPT_TICKS = 360
KEPT_JOBS = 400
SLOWEST = 24


class TickRow(NamedTuple):
    """One tick: microseconds of all, of kernels, of the work on fields; its budget; jobs that wait; agents."""

    tick: int
    total_us: float
    kernels_us: float
    fields_us: float
    budget_us: float
    waiting: int
    agents: int


class JobRow(NamedTuple):
    """One job: the ticks in which it was submitted, begun and published; its units; slices left at the end; its goal."""

    number: int
    submitted: int
    begun: int
    published: int
    units: int
    late_slices: int
    x: int
    y: int

    @property
    def ticks(self) -> int:
        """From the order to the field."""
        return self.published - self.submitted


class MapRecord:
    """One map of the running game."""

    def __init__(self) -> None:
        self.ticks: deque[TickRow] = deque(maxlen=KEPT_TICKS)
        self.jobs: deque[JobRow] = deque(maxlen=KEPT_JOBS)
        self.slowest: list[JobRow] = []

    def take(self, ticks: npt.NDArray[np.float32], jobs: npt.NDArray[np.int32]) -> None:
        """Add the rows of a message (see game_reports); a map that was made anew begins at tick 0 again."""
        for row in ticks.reshape(-1, TICK_COLUMNS).tolist():
            if self.ticks and row[0] < self.ticks[-1].tick:
                self.__init__()  # type: ignore[misc]
            self.ticks.append(TickRow(int(row[0]), row[1], row[2], row[3], row[4], int(row[5]), int(row[6])))
        found = [JobRow(*row) for row in jobs.reshape(-1, JOB_COLUMNS).tolist()]
        self.jobs.extend(found)
        ranked = sorted([*self.slowest, *found], key=lambda job: (-job.ticks, -job.units, job.number))
        self.slowest = ranked[:SLOWEST]


def lanes_of(jobs: Sequence[JobRow]) -> list[int]:
    """A lane for each job, in the order of the jobs, so that none overlaps another in its lane."""
    ends: list[int] = []
    lanes = []
    for job in jobs:
        lane = next((number for number, end in enumerate(ends) if end < job.submitted), len(ends))
        if lane == len(ends):
            ends.append(job.published)
        else:
            ends[lane] = job.published
        lanes.append(lane)
    return lanes
