"""Crowds in tight places: one drawing of each scenario of ``bench scenarios``, judged by its positions; and the judge itself."""

import numpy as np
import pytest

from benchmarks.scenarios.geometry import SCENARIOS
from benchmarks.scenarios.measures import REVERSAL_TICKS, Measures
from benchmarks.scenarios.runs import run_ours

MOST_OVERLAP = 0.12


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
