"""Looking ahead: against the slow reference, whatever the order of the others and whatever lies behind them in the table."""

import numpy as np
import pytest

from pynav.crowd.agent_layout import (
    ARRIVED,
    GROUP,
    HEADING_X,
    HEADING_Y,
    POSITION_X,
    POSITION_Y,
    RADIUS,
    STATUS,
    TAG_COUNT,
    VALUE_COUNT,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
)
from pynav.crowd.look_ahead import FREE, PER_UNIT, look_ahead
from pynav.kernels import LANES
from tests.naive.crowd import seen_ahead

Floats = np.ndarray[tuple[int, int], np.dtype[np.float32]]
AGENT = tuple(np.float32(value) for value in (5.0, 4.0, 0.3, 3.3))
HEADING = (np.float32(0.6), np.float32(0.8))
WANTED = np.float32(3.0)
GROUP_NUMBER = np.int64(2)


def _others(count: int, seed: int) -> Floats:
    random = np.random.default_rng(seed)
    values = np.zeros((VALUE_COUNT, count + LANES), dtype=np.float32)
    values[[POSITION_X, POSITION_Y]] = np.array([[5.0], [4.0]]) + random.uniform(-2.7, 2.7, (2, count + LANES))
    values[[VELOCITY_X, VELOCITY_Y]] = random.uniform(-4, 4, (2, count + LANES))
    values[RADIUS] = random.uniform(0.1, 0.5, count + LANES)
    return values


def _look(values: Floats, first: int, last: int) -> tuple[int, int]:
    limit, aside, _ = _whole_look(values, np.zeros((TAG_COUNT, values.shape[1]), dtype=np.int32), first, last)
    return limit, aside


def _whole_look(values: Floats, tags: np.ndarray, first: int, last: int) -> tuple[int, int, int]:
    nothing = np.int32(0)
    with np.errstate(all="ignore"):
        found = look_ahead(values, tags, first, last, *AGENT, GROUP_NUMBER, *HEADING, WANTED, FREE, nothing, nothing)
    limit, aside, against = (int(number) for number in found)
    return limit, aside, against


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


def test_in_the_way_is_who_stands_in_sight_or_who_is_of_another_group_and_faces_the_agent() -> None:
    seen = unseen = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        values, tags = _others(6, seed), np.zeros((TAG_COUNT, 6 + LANES), dtype=np.int32)
        angle = random.uniform(-np.pi, np.pi, values.shape[1])
        values[[HEADING_X, HEADING_Y]] = np.cos(angle), np.sin(angle)
        tags[GROUP] = random.choice([2, 2, 3], values.shape[1])
        tags[STATUS] = random.choice([WALKING] * 9 + [ARRIVED], values.shape[1])
        expected = 0
        for other in range(6):
            away = values[[POSITION_X, POSITION_Y], other] - AGENT[:2]
            ahead = float(away @ np.array(HEADING)) > 0.0 and float(away @ away) <= 2.5**2
            faces = float(values[[HEADING_X, HEADING_Y], other] @ np.array(HEADING)) < -0.3
            comes = faces and tags[GROUP, other] != GROUP_NUMBER
            expected |= ahead and (comes or tags[STATUS, other] != WALKING)
        assert _whole_look(values, tags, 0, 6)[2] == int(expected)
        seen, unseen = seen + expected, unseen + (not expected)
    assert seen > 5 and unseen > 5
