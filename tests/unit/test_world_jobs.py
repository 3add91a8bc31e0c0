"""The budget of a world's work on flows: where it shows, and that it is part of the state."""

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.jobs import JobBudget
from pynav.world import World
from tests.unit.crowd.worlds import TICK, open_world


def ticks_until_served(world: World) -> int:
    """Ticks until the first crowd's flow is published."""
    for tick in range(1_000):
        if not world.queue_length:
            return tick
        world.step(TICK)
    raise AssertionError("never served")


def ordered(budget: JobBudget, ticks_before: int = 0) -> World:
    """A world with a crowd that has just been given an order."""
    world = open_world(160, 160)
    crowd = world.add_crowd(10)
    for _ in range(ticks_before):
        world.step(TICK)
    world.job_budget = budget
    crowd.set_goal((150, 150))
    return world


def test_flows_are_published_by_the_budget() -> None:
    assert World().job_budget == JobBudget()
    soon = ticks_until_served(ordered(JobBudget(slack_ticks=0)))
    later = ticks_until_served(ordered(JobBudget(slack_ticks=9)))
    slowly = ticks_until_served(ordered(JobBudget(worker_units=10, slack_ticks=0)))
    assert later == soon + 3, "a third of it: no other search is under way"
    assert slowly > soon + 5


@pytest.mark.parametrize("units", [10, 4_096, 100_000])
def test_a_budget_given_late_works_as_one_given_at_the_start(units: int) -> None:
    budget = JobBudget(worker_units=units)
    assert ticks_until_served(ordered(budget, ticks_before=300)) == ticks_until_served(ordered(budget))


def test_repairs_keep_to_the_frame_units() -> None:
    ticks = []
    for frame_units in (1, 100_000):
        world = open_world(160, 160)
        for place in range(8):
            world.add_crowd(4).set_goal((150, 10 + place * 15))
        world.finish_builds()
        world.job_budget = JobBudget(frame_units=frame_units)
        world.edit_cost(80, 0, np.zeros((150, 2), np.uint8))
        ticks.append(ticks_until_served(world))
    assert ticks[0] > ticks[1]


def test_the_budget_is_saved_with_and_without_a_map() -> None:
    budget = JobBudget(1_234, 567, 8)
    for world in (World(), ordered(budget)):
        world.job_budget = budget
        restored = World()
        restored.restore(world.save())
        assert restored.job_budget == budget
        assert restored.save() == world.save()


def test_statistics_count_what_was_published() -> None:
    world = ordered(JobBudget())
    assert world.job_statistics.finished == 0
    ticks_until_served(world)
    assert world.job_statistics.finished == 1
    assert len(world.job_statistics.frame_us) == len(world.job_statistics.overshoot_us) > 0
    for _ in range(10):
        world.step(TICK)
    assert world.job_statistics.last_us == 0.0, "nothing was left to do"


def test_what_is_no_budget_is_refused() -> None:
    world = World()
    with pytest.raises(WorldError, match="job_budget is a JobBudget, got int"):
        world.job_budget = 2_000  # type: ignore[assignment]
    assert world.job_budget == JobBudget()
