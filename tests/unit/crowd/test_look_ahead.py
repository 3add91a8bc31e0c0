"""Looking ahead: against the slow reference, whatever the order of the others and whatever lies behind them in the table."""

import numpy as np
import pytest

from pynav.crowd.agent_layout import POSITION_X, POSITION_Y, RADIUS, VALUE_COUNT, VELOCITY_X, VELOCITY_Y
from pynav.crowd.look_ahead import FREE, PER_UNIT, look_ahead
from pynav.kernels import LANES
from tests.naive.crowd import seen_ahead

Floats = np.ndarray[tuple[int, int], np.dtype[np.float32]]
AGENT = tuple(np.float32(value) for value in (5.0, 4.0, 0.3, 3.3))
HEADING = (np.float32(0.6), np.float32(0.8))
WANTED = np.float32(3.0)


def _others(count: int, seed: int) -> Floats:
    random = np.random.default_rng(seed)
    values = np.zeros((VALUE_COUNT, count + LANES), dtype=np.float32)
    values[[POSITION_X, POSITION_Y]] = np.array([[5.0], [4.0]]) + random.uniform(-2.7, 2.7, (2, count + LANES))
    values[[VELOCITY_X, VELOCITY_Y]] = random.uniform(-4, 4, (2, count + LANES))
    values[RADIUS] = random.uniform(0.1, 0.5, count + LANES)
    return values


def _look(values: Floats, first: int, last: int) -> tuple[int, int]:
    with np.errstate(all="ignore"):
        limit, aside = look_ahead(values, first, last, *AGENT, *HEADING, WANTED, FREE, np.int32(0))
    return int(limit), int(aside)


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 30])
def test_it_matches_the_slow_reference(count: int) -> None:
    queued = pushed = 0
    for seed in range(12):
        values = _others(count, seed)
        points, velocities = values[[POSITION_X, POSITION_Y], :count].T, values[[VELOCITY_X, VELOCITY_Y], :count].T
        agent = tuple(float(value) for value in AGENT)
        expected_limit, expected_aside = seen_ahead(
            points, velocities, values[RADIUS, :count], agent, (float(HEADING[0]), float(HEADING[1])), float(WANTED)
        )  # fmt: skip
        limit, aside = _look(values, 0, count)
        if np.isfinite(expected_limit):
            assert limit * float(PER_UNIT) == pytest.approx(expected_limit, abs=1e-3)
            queued += 1
        else:
            assert limit == FREE
        assert aside * float(PER_UNIT) == pytest.approx(expected_aside, abs=1e-3 * (1 + count))
        pushed += expected_aside != 0
    assert (queued > 0 and pushed > 0) or count < 7


def test_the_order_of_the_others_changes_no_bit() -> None:
    for seed in range(20):
        values = _others(30, seed)
        mixed = values.copy()
        mixed[:, :30] = values[:, np.random.default_rng(seed).permutation(30)]
        assert _look(values, 0, 30) == _look(mixed, 0, 30)


def test_neighbours_in_memory_do_not_count() -> None:
    values = _others(40, 5)
    alone = np.zeros_like(values)
    alone[:, 10:21] = values[:, 10:21]
    assert _look(values, 10, 21) == _look(alone, 10, 21) != _look(values, 0, 40)
