"""Crowds in tight places: one drawing of each scenario of ``bench scenarios``, judged by its positions; and the judge itself."""

import numpy as np
import pytest

from benchmarks.scenarios.geometry import SCENARIOS
from benchmarks.scenarios.measures import REVERSAL_TICKS, Measures
from benchmarks.scenarios.runs import run_ours
from pynav.grid import TileGrid
from pynav.world import World

MOST_OVERLAP = 0.12
TICK = 1 / 60


@pytest.mark.parametrize("name", SCENARIOS)
def test_everybody_gets_through_and_nobody_into_walls_or_one_another(name: str) -> None:
    outcome = run_ours(name, seed=0)
    measures = outcome.measures
    assert outcome.resolved and not np.isnan(measures.arrived_at).any()
    assert measures.in_solid == 0
    assert measures.overlap < MOST_OVERLAP
    assert measures.turns_after == 0


def _measures(count: int) -> Measures:
    cost = np.ones((4, 8), dtype=np.uint8)
    cost[:, 7] = 0
    return Measures(cost, np.full(count, 0.5), 1.0, 0.5)


def test_measures_see_walls_and_overlaps() -> None:
    measures = _measures(3)
    there = np.ones(3, dtype=bool)
    measures.take(np.array([[1.0, 1.0], [1.75, 1.0], [6.9, 1.0]]), there, ~there)
    assert measures.in_solid == 0 and measures.overlap == pytest.approx(0.25)
    measures.take(np.array([[1.0, 1.0], [1.75, 1.0], [7.1, 1.0]]), there, ~there)
    measures.take(np.array([[1.0, 1.0], [1.75, 1.0], [-0.1, 1.0]]), there, ~there)
    assert measures.in_solid == 1


def test_measures_see_hard_stops_and_reversals_once_each_and_turns_after_arrival() -> None:
    measures = _measures(1)
    there, nobody = np.ones(1, dtype=bool), np.zeros(1, dtype=bool)
    x = 1.0
    for tick in range(3 * REVERSAL_TICKS):
        x += 0.05 if tick < REVERSAL_TICKS else -0.05
        measures.take(np.array([[x, 1.0]]), there, nobody)
    assert measures.reversals == 1 and measures.hard_stops == 0
    for step in (0.4, 0.4, 0.0):
        x += step
        measures.take(np.array([[x, 1.0]]), there, nobody)
    assert measures.hard_stops == 1
    for _ in range(4):
        measures.take(np.array([[x, 1.0]]), there, there)
    assert measures.turns_after == 0
    for step in (0.1, -0.1):
        x += step
        measures.take(np.array([[x, 1.0]]), there, there)
    assert measures.turns_after == 1


def test_who_waits_before_a_door_stands_quietly() -> None:
    cost = np.ones((24, 40), dtype=np.uint8)
    cost[:, 20] = 0
    cost[12, 20] = 1
    world = World(seed=2)
    world.set_grid(TileGrid(cost))
    crowd = world.add_crowd(0, 3.0, 0.3, speed_variation=0.0)
    crowd.spawn_in(160, (4, 4, 14, 16))
    crowd.set_goal([(36, 12)])
    world.finish_builds()
    for _ in range(300):
        world.step(TICK)
    walked, at = np.zeros(160), crowd.positions.copy()
    begin, waits = at.copy(), at[:, 0] < 19.0
    for _ in range(240):
        world.step(TICK)
        walked += np.hypot(*(crowd.positions - at).T)
        at = crowd.positions.copy()
    waits &= at[:, 0] < 19.0
    nearer = np.hypot(*(begin - (20.5, 12.5)).T) - np.hypot(*(at - (20.5, 12.5)).T)
    assert waits.sum() > 60
    assert ((walked - nearer)[waits] / 4.0).mean() < 0.3, "tiles a second that bring nobody nearer; 0.9 before they stood"
