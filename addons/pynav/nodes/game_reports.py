"""What a running game tells the editor's debugger tab: what each tick took, and what became of the jobs.

Nothing is noted, and no message sent, unless a debugger is attached and its tab asks; what a game then pays is one test a tick.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import Array, Callable, PackedFloat32Array, PackedInt32Array, is_editor, singleton
from pynav.jobs.scheduler import Ticket

CHANNEL = "pynav"
READY = f"{CHANNEL}:ready"  # from the game: it listens now, and asks whether it is watched
TICKS_PER_MESSAGE = 6
# A tick's row: tick, microseconds of all, of kernels, of the work on fields, its budget, jobs that wait, agents.
TICK_COLUMNS = 7
# A job's row: number, tick of submission, of its begin, of publication, units, slices that were left, x and y of its goal.
JOB_COLUMNS = 8


class _Reports:
    """Whether anybody listens."""

    is_attached = False
    is_watched = False


class MapReport:
    """Rows of one map that wait to be sent; also the observer of its jobs."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ticks: list[float] = []
        self.jobs: list[int] = []
        self._begun: dict[int, int] = {}

    def job_begun(self, ticket: Ticket, tick: int) -> None:
        """Told by the scheduler."""
        self._begun[ticket.number] = tick

    def job_published(self, ticket: Ticket, tick: int, slices: int) -> None:
        """Told by the scheduler."""
        points: Any = getattr(ticket.owner, "points", ())
        x, y = (int(points[0][0]), int(points[0][1])) if len(points) else (-1, -1)
        begun = self._begun.pop(ticket.number, ticket.submitted_tick)
        self.jobs += [ticket.number, ticket.submitted_tick, begun, tick, ticket.units, slices, x, y]


def attach() -> None:
    """Listen to the debugger, if there is one; called when a map enters a running game."""
    debugger = singleton("EngineDebugger")
    if _Reports.is_attached or is_editor() or not debugger.is_active():
        return
    _Reports.is_attached = True
    debugger.register_message_capture(CHANNEL, Callable(_heard))
    debugger.send_message(READY, [])  # what was said before nobody heard


def detach() -> None:
    """The game ends."""
    if _Reports.is_attached:
        _Reports.is_attached = _Reports.is_watched = False
        singleton("EngineDebugger").unregister_message_capture(CHANNEL)


def _heard(message: str, data: Array) -> bool:
    if message in ("watch", f"{CHANNEL}:watch"):
        _Reports.is_watched = bool(data[0])
        return True
    return False


def note_tick(node: Any, world: Any, cost: Any) -> None:
    """A map's tick is over."""
    if not _Reports.is_watched:
        return
    report: MapReport | None = node._report
    if report is None:
        report = node._report = MapReport(str(node.get_path()) if node.is_inside_tree() else str(node.name))
    world.observe_jobs(report)
    statistics = world.job_statistics
    report.ticks += [
        world.tick, cost.total * 1e-3, cost.kernels * 1e-3, statistics.last_us, world.job_budget.frame_units,
        world.queue_length, world.agent_count,
    ]  # fmt: skip
    if len(report.ticks) >= TICK_COLUMNS * TICKS_PER_MESSAGE:
        ticks, jobs = PackedFloat32Array(report.ticks), PackedInt32Array(np.array(report.jobs, dtype=np.int32))
        singleton("EngineDebugger").send_message(f"{CHANNEL}:ticks", [report.name, ticks, jobs])
        report.ticks, report.jobs = [], []
