"""The job scheduler: which long work begins when, and on which tick its result is published.

Work waits for its turn, runs in slices on the background thread, and is published on a tick that is fixed when it begins: from
what it and the work before it are likely to take, counted in units (a unit is a look at a block, about a microsecond). No clock
has a say, so that the same calls give the same results on every machine; a clock only notes what was late.

Jobs that wait are ordered by the tick in which they were submitted, a step of priority being worth PRIORITY_TICKS of waiting:
so whoever waits long enough is next, whatever keeps coming. (Soft starts and hard deadlines after The Flame in the Flood: begin
early, wait only when there is no time left.)
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Callable
from dataclasses import astuple, dataclass, field
from operator import attrgetter
from typing import Any, Protocol

PRIORITY_TICKS = 30
KEPT = 4_096


class Work(Protocol):
    """What a ticket begins: sliced work on the background thread."""

    def finish(self) -> int:
        """Do here what is left; how many slices that was."""

    def dismiss(self) -> None:
        """Stop it; never waits: the thread may still be at a slice of it."""


class JobObserver(Protocol):
    """Told what becomes of jobs; it may change nothing, and no result depends on it."""

    def job_begun(self, ticket: Ticket, tick: int) -> None:
        """A job began in this tick; its ticket says when it is due."""

    def job_published(self, ticket: Ticket, tick: int, slices: int) -> None:
        """A job's result is published in this tick; so many slices were not done by then."""


@dataclass(frozen=True)
class JobBudget:
    """How much work a tick may hold. Part of a simulation's state: other numbers give other results.

    Raises ValueError for a number that is too small or not whole.

    Attributes:
        frame_units: on the main thread, units; a unit takes about a microsecond.
        worker_units: on the background thread, units a tick.
        slack_ticks: between the tick in which a job should be done and the one in which it is published; a third of it for a
            job that has the background thread to itself, two thirds behind one other, for what they take is foreseen better.
        query_units: on the main thread for questions that wait, units a tick; the only number that a state does not depend on.
    """

    frame_units: int = 2_000
    worker_units: int = 6_144
    slack_ticks: int = 6
    query_units: int = 1_000

    def __post_init__(self) -> None:
        for name, least in (("frame_units", 1), ("worker_units", 1), ("slack_ticks", 0), ("query_units", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")


@dataclass(eq=False)
class Ticket:
    """A place in the queue.

    Attributes:
        owner: whatever the job is for.
        units: what it is likely to take.
        priority: steps above 0 (or below), each worth PRIORITY_TICKS of waiting.
        submitted_tick: when it was submitted.
        due_tick: when its result is published; -1 while it waits.
        work: what it began; None while it waits.
    """

    owner: Any
    units: int
    priority: int
    submitted_tick: int
    number: int
    due_tick: int = -1
    work: Any = None

    def __post_init__(self) -> None:
        self.turn = (self.submitted_tick - self.priority * PRIORITY_TICKS, self.number)  # sort key of those that wait


@dataclass
class SchedulerStatistics:
    """Counts over the life of a scheduler, and the latest times (KEPT of each); nothing depends on them.

    Attributes:
        finished: jobs published.
        late: of them, those that were not done by then.
        inline_slices: slices that the main thread had to do for them.
        frame_us: microseconds of the main thread, one entry a tick in which there was something to do.
        overshoot_us: of them, those over the budget's ``frame_units``.
        repair_ticks: from an edit until a field that it touches is right again, one entry a field.
        last_us: microseconds of the main thread in the latest tick, 0 if there was nothing to do.
    """

    finished: int = 0
    late: int = 0
    inline_slices: int = 0
    frame_us: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    overshoot_us: deque[float] = field(default_factory=lambda: deque(maxlen=KEPT))
    repair_ticks: deque[int] = field(default_factory=lambda: deque(maxlen=KEPT))
    last_us: float = 0.0

    def note_frame(self, microseconds: float, budget: JobBudget) -> None:
        """Note what a tick's work took on the main thread."""
        self.last_us = microseconds
        self.frame_us.append(microseconds)
        self.overshoot_us.append(max(0.0, microseconds - budget.frame_units))


class JobScheduler:
    """Tickets of one simulation.

    Args:
        budget: see JobBudget; ``change_budget`` gives another one.

    Notes:
        Deterministic: turns and ticks of publication depend on the calls alone.
    """

    def __init__(self, budget: JobBudget | None = None) -> None:
        self._budget = JobBudget() if budget is None else budget
        self._waiting: dict[int, Ticket] = {}  # by the identity of the owner
        self.turns: list[Ticket] = []  # the jobs that wait, in the order of their turns
        self.begun: list[Ticket] = []  # in the order in which they are due
        self.statistics = SchedulerStatistics()
        self.observer: JobObserver | None = None
        self.free_at = 0  # units done by the background thread, since tick 0, when it has nothing left to do
        self._number = 0

    @property
    def budget(self) -> JobBudget:
        """How much work a tick may hold."""
        return self._budget

    def change_budget(self, budget: JobBudget, tick: int) -> None:
        """Work by another budget from now on; what was begun is published when it was due.

        Args:
            budget: the new one.
            tick: the tick of now; what the background thread has left to do then takes as many units as before.
        """
        left = max(0, self.free_at - tick * self._budget.worker_units)
        self._budget = budget
        self.free_at = tick * budget.worker_units + left

    @property
    def job_count(self) -> int:
        """Jobs that wait or were begun."""
        return len(self.turns) + len(self.begun)

    def submit(self, owner: Any, units: int, tick: int, priority: int = 0) -> Ticket:
        """Have a job begun when its turn comes.

        Args:
            owner: noted on the ticket; none of its jobs may wait already.
            units: what it is likely to take, 1 or more.
            tick: the tick of now.
            priority: see Ticket.
        """
        ticket = Ticket(owner, max(1, units), priority, tick, self._number)
        self._number += 1
        self._waiting[id(owner)] = ticket
        if self.turns and ticket.turn < self.turns[-1].turn:
            bisect.insort(self.turns, ticket, key=attrgetter("turn"))
        else:
            self.turns.append(ticket)
        return ticket

    def begin(self, tick: int, start: Callable[[Ticket], Work]) -> int:
        """Begin the jobs whose turn has come, what the background thread should get to before the next tick ends; how many.

        Args:
            tick: the tick of now.
            start: makes the work of a ticket and sets it off; it may raise the ticket's units.
        """
        rate, before = self.budget.worker_units, len(self.begun)
        while self.turns and self.free_at <= (tick + 1) * rate:
            ticket = self.turns.pop(0)
            del self._waiting[id(ticket.owner)]
            ticket.work = start(ticket)
            self.free_at = max(self.free_at, tick * rate) + ticket.units
            ticket.due_tick = -(-self.free_at // rate) + 1 + self._slack()
            if self.begun:
                ticket.due_tick = max(ticket.due_tick, self.begun[-1].due_tick)
            self.begun.append(ticket)
            if self.observer is not None:
                self.observer.job_begun(ticket, tick)
        return len(self.begun) - before

    def _slack(self) -> int:
        """Of the job that begins now."""
        whole = self.budget.slack_ticks
        return min(whole, -(-whole // 3) * (1 + len(self.begun)))

    def take_due(self, tick: int) -> list[Ticket]:
        """The jobs that are published in this tick, done; in the order in which they began."""
        due = []
        while self.begun and self.begun[0].due_tick <= tick:
            due.append(self.begun.pop(0))
        if due:
            self._finish(due, tick)
        return due

    def _finish(self, tickets: list[Ticket], tick: int) -> None:
        slices = [ticket.work.finish() for ticket in tickets]
        self.statistics.finished += len(tickets)
        self.statistics.late += sum(done > 0 for done in slices)
        self.statistics.inline_slices += sum(slices)
        if self.observer is not None:
            for ticket, left in zip(tickets, slices, strict=True):
                self.observer.job_published(ticket, tick, left)

    def hurry(self, tick: int) -> None:
        """Have everything that was begun published in this tick, and the next jobs begun at once: for loading screens."""
        self.free_at = tick * self.budget.worker_units
        for ticket in self.begun:
            ticket.due_tick = tick

    def drop(self, owner: Any) -> list[Ticket]:
        """Forget the jobs of an owner; returns those that had begun, dismissed."""
        waiting = self._waiting.pop(id(owner), None)
        if waiting is not None:
            self.turns.remove(waiting)
        dropped = [ticket for ticket in self.begun if ticket.owner is owner]
        self.begun = [ticket for ticket in self.begun if ticket.owner is not owner]
        for ticket in dropped:
            ticket.work.dismiss()
        return dropped

    def is_waiting(self, owner: Any) -> bool:
        """Whether a job of an owner waits for its turn."""
        return id(owner) in self._waiting

    def has_begun(self, owner: Any) -> bool:
        """Whether a job of an owner has begun and is not published yet."""
        return any(ticket.owner is owner for ticket in self.begun)

    # --- state

    def state(self, name_of: Callable[[Any], int]) -> dict[str, Any]:
        """What a snapshot needs, but for the work itself; owners by number."""

        def entry(ticket: Ticket) -> list[int]:
            return [name_of(ticket.owner), ticket.units, ticket.priority, ticket.submitted_tick, ticket.number, ticket.due_tick]

        return {
            "budget": list(astuple(self.budget)),
            "waiting": [entry(ticket) for ticket in self.turns],
            "begun": [entry(ticket) for ticket in self.begun],
            "free_at": self.free_at,
            "number": self._number,
        }

    def load(self, state: dict[str, Any], owner_of: Callable[[int], Any]) -> None:
        """Take up a state; whoever calls sets off the work of ``begun`` again."""

        def ticket(entry: list[int]) -> Ticket:
            name, units, priority, submitted_tick, number, due_tick = entry
            return Ticket(owner_of(name), units, priority, submitted_tick, number, due_tick)

        self._budget = JobBudget(*state["budget"])
        self.turns = [ticket(entry) for entry in state["waiting"]]
        self._waiting = {id(made.owner): made for made in self.turns}
        self.begun = [ticket(entry) for entry in state["begun"]]
        self.free_at, self._number = state["free_at"], state["number"]
