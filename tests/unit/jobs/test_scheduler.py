"""The job scheduler: turns, ticks of publication, priorities, hurry, snapshots."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pynav.jobs import JobBudget, JobScheduler, Ticket


@dataclass
class Chore:
    """Work that notes what happens to it."""

    slices_left: int = 0
    events: list[str] = field(default_factory=list)

    def finish(self) -> int:
        self.events.append("finish")
        return self.slices_left

    def dismiss(self) -> None:
        self.events.append("dismiss")


def started(scheduler: JobScheduler, tick: int) -> list[str]:
    """Who begins in a tick."""
    names = []

    def start(ticket: Ticket) -> Chore:
        names.append(ticket.owner)
        return Chore()

    scheduler.begin(tick, start)
    return names


@pytest.mark.parametrize(("whole", "slack"), [(0, [0, 0, 0, 0]), (1, [1, 1, 1, 1]), (6, [2, 4, 6, 6]), (60, [20, 40, 60, 60])])
def test_a_job_is_published_some_ticks_after_its_units_are_done_sooner_if_it_is_alone(whole: int, slack: list[int]) -> None:
    scheduler = JobScheduler(JobBudget(worker_units=100, slack_ticks=whole))
    for name in "abcd":
        scheduler.submit(name, 30, tick=7)
    assert started(scheduler, 7) == ["a", "b", "c", "d"]
    due = {ticket.owner: tick for tick in range(7, 90) for ticket in scheduler.take_due(tick)}
    done = [8, 8, 8, 9]
    assert list(due.values()) == [when + 1 + room for when, room in zip(done, slack, strict=True)]
    assert scheduler.statistics.finished == 4 and scheduler.statistics.late == 0


def test_no_job_is_due_before_one_that_began_before_it() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=100, slack_ticks=6))
    for name in "abc":
        scheduler.submit(name, 10, tick=0)
    started(scheduler, 0)
    assert [ticket.due_tick for ticket in scheduler.begun] == [4, 6, 8]
    assert [ticket.owner for ticket in scheduler.take_due(6)] == ["a", "b"]
    scheduler.submit("d", 10, tick=6)
    started(scheduler, 6)
    assert [ticket.due_tick for ticket in scheduler.begun] == [8, 7 + 1 + 4]
    scheduler.change_budget(JobBudget(worker_units=100, slack_ticks=0), 6)
    scheduler.submit("e", 10, tick=6)
    started(scheduler, 6)
    assert [ticket.due_tick for ticket in scheduler.begun] == [8, 12, 12]


def test_jobs_begin_as_the_background_thread_gets_to_them() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=100, slack_ticks=0))
    for name in "abcde":
        scheduler.submit(name, 100, tick=0)
    begun = {tick: started(scheduler, tick) for tick in range(5)}
    assert begun == {0: ["a", "b"], 1: ["c"], 2: ["d"], 3: ["e"], 4: []}
    assert [[ticket.owner for ticket in scheduler.take_due(tick)] for tick in range(2, 7)] == [["a"], ["b"], ["c"], ["d"], ["e"]]


def test_priority_goes_first_but_starves_nobody() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=10, slack_ticks=0))
    scheduler.submit("patient", 10, tick=0, priority=0)
    order: list[str] = []
    for tick in range(150):
        scheduler.submit(f"urgent {tick}", 10, tick, priority=1)
        scheduler.submit(f"more urgent {tick}", 10, tick, priority=2)
        order += started(scheduler, tick)
        scheduler.take_due(tick)
    assert order[0] == "more urgent 0"
    assert "patient" in order


def test_what_was_not_done_in_time_is_counted() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=100, slack_ticks=0))
    scheduler.submit("late", 1, tick=0)
    scheduler.begin(0, lambda ticket: Chore(slices_left=3))
    assert [ticket.owner for ticket in scheduler.take_due(50)] == ["late"]
    assert (scheduler.statistics.late, scheduler.statistics.inline_slices) == (1, 3)


def test_dropped_jobs_are_dismissed() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=1, slack_ticks=0))
    one, other = object(), object()
    scheduler.submit(one, 50, tick=0)
    scheduler.submit(other, 50, tick=0)
    scheduler.begin(0, lambda ticket: Chore())
    assert scheduler.is_waiting(other) and not scheduler.is_waiting(one)
    dropped = scheduler.drop(one)
    assert [ticket.work.events for ticket in dropped] == [["dismiss"]]
    assert scheduler.drop(other) == [] and not scheduler.is_waiting(other)
    assert scheduler.take_due(1000) == []


def test_hurry_publishes_now() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=1, slack_ticks=9))
    scheduler.submit("a", 1000, tick=3)
    started(scheduler, 3)
    assert scheduler.take_due(3) == []
    scheduler.hurry(3)
    assert [ticket.owner for ticket in scheduler.take_due(3)] == ["a"]
    scheduler.submit("b", 1, tick=3)
    assert started(scheduler, 3) == ["b"]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 400), st.integers(-2, 2)), max_size=25), st.integers(0, 40))
def test_a_restored_scheduler_goes_on_alike(jobs: list[tuple[int, int, int]], saved_at: int) -> None:
    scheduler = JobScheduler(JobBudget(worker_units=70, slack_ticks=1))
    restored: JobScheduler | None = None
    for tick in range(60):
        for number, (when, units, priority) in enumerate(jobs):
            if when == tick:
                for one in (scheduler, restored):
                    if one is not None:
                        one.submit(number, units, tick, priority)
        results = []
        for one in (scheduler, restored):
            if one is not None:
                results.append((started(one, tick), [(t.owner, t.due_tick) for t in one.take_due(tick)], one.free_at))
        assert len(results) < 2 or results[0] == results[1]
        if tick == saved_at:
            restored = JobScheduler()
            restored.load(scheduler.state(int), int)
            for ticket in restored.begun:
                ticket.work = Chore()


@pytest.mark.parametrize("bad", [{"frame_units": 0}, {"worker_units": -1}, {"slack_ticks": -1}, {"slack_ticks": 1.5}])
def test_a_budget_out_of_range_is_refused_in_words(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be a whole number of at least"):
        JobBudget(**bad)


def test_frames_over_the_budget_are_noted() -> None:
    scheduler = JobScheduler(JobBudget(frame_units=2_000))
    for microseconds in (100.0, 2_500.0):
        scheduler.statistics.note_frame(microseconds, scheduler.budget)
    assert list(scheduler.statistics.frame_us) == [100.0, 2_500.0]
    assert list(scheduler.statistics.overshoot_us) == [0.0, 500.0]


@pytest.mark.parametrize("rate", [10, 100, 1_000])
def test_another_budget_in_the_middle_keeps_what_is_left_to_do(rate: int) -> None:
    scheduler = JobScheduler(JobBudget(worker_units=100, slack_ticks=0))
    scheduler.submit("begun", 500, tick=1_000)
    assert started(scheduler, 1_000) == ["begun"]
    due = scheduler.begun[0].due_tick
    scheduler.change_budget(JobBudget(worker_units=rate, slack_ticks=0), 1_002)
    assert scheduler.free_at == 1_002 * rate + 300
    assert scheduler.begun[0].due_tick == due
    tick = 1_002
    scheduler.submit("next", 100, tick)
    while not started(scheduler, tick):
        tick += 1
    assert scheduler.begun[1].due_tick == max(1_002 + -(-400 // rate) + 1, due), "as if both had been submitted under it"


def test_another_budget_when_idle_makes_nobody_wait_longer() -> None:
    scheduler = JobScheduler(JobBudget(worker_units=4_096, slack_ticks=1))
    scheduler.submit("early", 5_000, tick=5_000)
    started(scheduler, 5_000)
    assert scheduler.take_due(5_100)
    scheduler.change_budget(JobBudget(worker_units=50, slack_ticks=1), 5_100)
    scheduler.submit("late", 200, tick=5_100)
    assert started(scheduler, 5_100) == ["late"]
    assert scheduler.begun[0].due_tick == 5_100 + 4 + 1 + 1
