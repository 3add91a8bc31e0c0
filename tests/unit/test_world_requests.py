"""Questions that wait, asked of a world: they change nothing in it, and they outlive a restore and a new world."""

import numpy as np

from pynav.jobs import JobBudget
from pynav.sectors.route_requests import DISTANCES, PATH, REACHABLE
from pynav.world import World
from tests.unit.crowd.worlds import TICK, open_world


def played(asks: bool, query_units: int = 60) -> tuple[list[str], list[tuple[int, int]], bytes]:
    """Hashes by tick, (tick, query) of each answer, and a snapshot of the end, of a run with orders and edits."""
    world = open_world(200, 200)
    world.job_budget = JobBudget(query_units=query_units)
    crowd = world.add_crowd(60)
    hashes, answers = [], []
    for tick in range(60):
        if tick % 20 == 5:
            crowd.set_goal((190 - tick, 150))
        if tick % 9 == 4:
            world.edit_cost(60 + tick, 20, np.zeros((9, 1), np.uint8))
        if asks and tick % 6 == 0:
            world.requests.submit(PATH, [(tick, 3)], (150, 190 - tick))
            world.requests.submit(DISTANCES, [(tick, 3), (5, 5)], (190, 190))
            world.requests.submit(REACHABLE, [(tick, 3), (5, 5)], (190, 190), size=2)
        world.step(TICK)
        answers += [(tick, answer.request.number) for answer in world.requests.take_answers()]
        hashes.append(world.state_hash())
    world.job_budget = JobBudget()
    return hashes, answers, world.save()


def test_asking_changes_nothing_and_answers_come_on_fixed_ticks() -> None:
    hashes, answers, state = played(asks=True)
    quiet, none, quiet_state = played(asks=False)
    assert hashes == quiet and state == quiet_state and none == []
    assert len(answers) > 15 and len({tick for tick, _ in answers}) > 8
    assert played(asks=True)[1] == answers
    other_hashes, sooner, _ = played(asks=True, query_units=10_000)
    assert other_hashes == quiet and sooner != answers


def test_questions_outlive_a_restore_and_are_answered_on_that_map() -> None:
    world = open_world(120, 120)
    state = world.save()
    world.edit_cost(60, 0, np.zeros((120, 1), np.uint8))
    world.requests.submit(PATH, [(5, 5)], (110, 110))
    world.restore(state)
    for _ in range(30):
        world.step(TICK)
    (answer,) = world.requests.take_answers()
    assert len(answer.result) == 106

    other = World()
    world.requests.submit(PATH, [(5, 5)], (20, 5))
    other.keep_requests_of(world)
    other.set_grid(open_world(30, 30).grid)  # type: ignore[arg-type]
    other.step(TICK)
    (answer,) = other.requests.take_answers()
    assert len(answer.result) == 16
