"""The node that says how much work on flow fields a tick may hold, and shows how the work goes."""

from __future__ import annotations

from collections.abc import Callable as Function
from typing import Any

from addons.pynav.bridge import Callable, GodotObject, engine, export, exported_property, is_editor, method, signal, singleton
from pynav.jobs import JobBudget

from . import job_sharing
from .telling import NodeError, label, tell

UNITS_PER_MICROSECOND = 1  # what a microsecond of the main thread is taken for: fixed, so that no clock decides a result
_DEFAULT = JobBudget()
_MONITORS = {  # in the debugger: which figure
    "pynav/job_queue": "queue_length",
    "pynav/job_usec": "last_usec",
    "pynav/job_overshoot_usec": "overshoot_usec",
    "pynav/late_jobs": "late_jobs",
}


class NavJobScheduler(GodotObject, base="Node", icon="res://addons/pynav/icons/nav_job_scheduler.svg"):
    """Says how much work on flow fields a physics tick may hold, and shows how the work goes.

    Put one anywhere in the scene tree, or in a scene that is an autoload: its budget then holds for each FlowFieldMap2D and
    FlowFieldMap3D in the tree, also for those that come later. Without one, or once it is freed, the defaults hold. If there are
    several, the first that entered the tree counts.

    New orders are searched on a thread in the background and published a few ticks later, on a tick that is fixed when the search
    begins; edits of a map are repaired within the tick's budget on the main thread. All work is counted in units, of which one
    takes about a microsecond. A budget is a number of units: how many follow from budget_usec is fixed (one a microsecond), so no
    clock has a say and a game runs the same, bit by bit, on every machine. What a slow machine doesn't get done in time is done
    when it is due, and shows as overshoot_usec and late_jobs.

    The budget is part of a game's state: another one publishes fields on other ticks, and players in lockstep need the same one.
    A state that was saved brings the budget it was saved with; the properties hold again when one of them changes.

    In the debugger's monitors: pynav/job_queue, pynav/job_usec, pynav/job_overshoot_usec, pynav/late_jobs.
    """

    queue_emptied = signal("No field waits any more for being built or repaired. Looked at once a physics tick.")

    budget_usec: int = export(
        _DEFAULT.frame_units // UNITS_PER_MICROSECOND,
        "Work of a map on the main thread in a physics tick. It is spent in counted units of about a microsecond, never by a "
        "clock: the result is the same on every machine. Edits that need more are finished in the ticks that follow.",
        range=(100, 20_000, 1, "or_greater", "or_less"),
        unit="us",
        changed="_budget_changed",
    )
    worker_units: int = export(
        _DEFAULT.worker_units,
        "Work of a map in the background in a physics tick, in units of about a microsecond. The more, the sooner new orders are "
        "published, and the likelier a slow machine is late with them and has to finish them at once.",
        range=(100, 100_000, 1, "or_greater", "or_less"),
        changed="_budget_changed",
    )
    slack_ticks: int = export(
        _DEFAULT.slack_ticks,
        "Ticks between the one in which a search should be done and the one in which its field is published: room for machines "
        "that are slower, or busy with something else. A search that has the background to itself takes a third of it.",
        range=(0, 60, 1, "or_greater"),
        changed="_budget_changed",
    )
    query_budget_usec: int = export(
        _DEFAULT.query_units // UNITS_PER_MICROSECOND,
        "Work of a map on queries that were requested (request_id_path() and the like of a map) in a physics tick, on the main "
        "thread, counted as budget_usec is. It decides in which tick an answer comes, and nothing else of the game.",
        range=(50, 20_000, 1, "or_greater", "or_less"),
        unit="us",
        changed="_budget_changed",
    )

    def __init__(self) -> None:
        self._budget = _DEFAULT
        self._problem = ""
        self._most_waiting = 0  # since the queue was last empty
        self._monitored = False

    # --- life

    def _enter_tree(self) -> None:
        self.set_physics_process(not is_editor())
        self._take_numbers()
        if not job_sharing.enter_scheduler(self) and not is_editor():
            engine.push_warning(f"{label(self)}: {self._rival_problem()}")

    def _exit_tree(self) -> None:
        self._show_monitors(False)
        job_sharing.leave_scheduler(self)

    def _physics_process(self, delta: float) -> None:
        waiting = self.queue_length
        if not waiting and self._most_waiting:
            self._most_waiting = 0
            self.queue_emptied.emit()
        self._most_waiting = max(self._most_waiting, waiting)

    def _get_configuration_warnings(self) -> list[str]:
        return [problem for problem in (self._number_problem(), self._rival_problem()) if problem]

    def _counting_changed(self) -> None:
        """A scheduler came or went, perhaps this one."""
        self.update_configuration_warnings()
        self._show_monitors(job_sharing.counting() is self and not is_editor())

    # --- the budget

    def _number_problem(self) -> str:
        for name, least in (("budget_usec", 1), ("worker_units", 1), ("slack_ticks", 0), ("query_budget_usec", 1)):
            value = getattr(self, name)
            if value < least:
                return f"`{name}` must be at least {least}, it is {value}: until it is set the numbers from before hold."
        return ""

    def _rival_problem(self) -> str:
        counting = job_sharing.counting()
        if counting is None or counting is self or not self.is_inside_tree():
            return ""
        return f"There is another NavJobScheduler, {counting.get_path()}: that one counts. Remove one of them."

    def _take_numbers(self) -> None:
        """The properties as a budget, or one error that says what is wrong with them."""
        problem = self._number_problem()
        if not problem:
            frame, query = self.budget_usec * UNITS_PER_MICROSECOND, self.query_budget_usec * UNITS_PER_MICROSECOND
            self._budget = JobBudget(frame, self.worker_units, self.slack_ticks, query)
        elif problem != self._problem and not is_editor():
            tell(self, NodeError(problem))
        self._problem = problem

    def _budget_changed(self) -> None:
        if not self.is_inside_tree():
            return
        self._take_numbers()
        self.update_configuration_warnings()
        if job_sharing.counting() is self:
            job_sharing.budget_changed()

    # --- figures

    @exported_property(group="Figures")
    def queue_length(self) -> int:
        """Fields that wait for being built or repaired, or are being built, on all maps."""
        return sum(world.queue_length for world in job_sharing.worlds())

    @exported_property(group="Figures")
    def progress(self) -> float:
        """How much of the queue is done, of the most that waited since it was last empty: 0 to 1, and 1 where nothing waits. For
        loading bars.
        """
        waiting = self.queue_length
        return 1.0 - waiting / max(self._most_waiting, waiting) if waiting else 1.0

    @exported_property(group="Figures", unit="us")
    def last_usec(self) -> float:
        """What the work took on the main thread in the latest tick, all maps together; 0 if there was nothing to do."""
        return sum(world.job_statistics.last_us for world in job_sharing.worlds())

    @exported_property(group="Figures", unit="us")
    def overshoot_usec(self) -> float:
        """By how much a map's work went over its budget on the main thread at worst, of its latest 4,096 ticks with work."""
        return max((max(world.job_statistics.overshoot_us, default=0.0) for world in job_sharing.worlds()), default=0.0)

    @exported_property(group="Figures")
    def finished_jobs(self) -> int:
        """Fields built and published since the maps were made."""
        return sum(world.job_statistics.finished for world in job_sharing.worlds())

    @exported_property(group="Figures")
    def late_jobs(self) -> int:
        """Of the fields published those that were not done by then: the main thread had to do what was left."""
        return sum(world.job_statistics.late for world in job_sharing.worlds())

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())

    # --- monitors

    def _show_monitors(self, shown: bool) -> None:
        """Add the debugger's monitors, or take them away."""
        if shown == self._monitored:
            return
        self._monitored = shown
        performance = singleton("Performance")
        for name, figure in _MONITORS.items():
            if shown:
                performance.add_custom_monitor(name, Callable(_reader(self, figure)))
            else:
                performance.remove_custom_monitor(name)


def _reader(node: NavJobScheduler, figure: str) -> Function[[], float]:
    """A function that reads a figure."""

    def read() -> float:
        return float(getattr(node, figure))

    return read
