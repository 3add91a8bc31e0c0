"""Contacts: lists against all pairs, pushes against the slow iteration."""

import numpy as np
import pytest

from pynav.crowd._contact_kernels import SLACK, parting_direction, pushed_apart
from pynav.crowd.agent_layout import ARRIVED, NEIGHBOUR_LIMIT, POSITION_X, POSITION_Y, RADIUS, TAG_COUNT, VALUE_COUNT, WALKING
from pynav.crowd.movement import RELAXATION
from pynav.crowd.pace import Stage
from tests.naive.crowd import neighbours_within, pushed
from tests.unit.crowd.worlds import TICK, open_world


def test_contact_lists_name_all_neighbours() -> None:
    world = open_world(20, 20)
    for radius in (0.2, 0.35, 0.6):
        world.add_crowd(60, 2.0, radius).set_goal((10, 10))
    world.finish_builds()
    world.large_world_agents = 0
    while world._pace.stage != Stage.LISTED:
        world.step(TICK)
    movement = world._movement
    count = world._table.count
    values, _ = world._table.now
    points = values[[POSITION_X, POSITION_Y], :count].T
    found = 0
    for agent in range(count):
        listed = movement.neighbours[agent, : movement.neighbour_count[agent]]
        expected = neighbours_within(points, values[RADIUS], 0.08, agent)
        assert len(expected) < NEIGHBOUR_LIMIT
        assert set(listed.tolist()) == expected
        found += len(expected)
    assert found > 100


def test_pushes_match_the_slow_iteration() -> None:
    random = np.random.default_rng(4)
    count = 40
    values = np.zeros((VALUE_COUNT, count), dtype=np.float32)
    tags = np.zeros((TAG_COUNT, count), dtype=np.int32)
    x, y = (random.random((2, count)) * 2.5).astype(np.float32)
    values[RADIUS] = random.uniform(0.2, 0.4, count)
    status = np.where(random.random(count) < 0.3, ARRIVED, WALKING).astype(np.int32)
    neighbours = np.array([[other for other in range(count) if other != agent] for agent in range(count)], dtype=np.int32)
    expected = pushed(np.stack([x, y], axis=1).astype(np.float64), values[RADIUS], (status == WALKING).tolist(), float(SLACK))
    for agent in range(count):
        got = pushed_apart(agent, values, tags, status, x, y, neighbours, count - 1, RELAXATION)
        assert got == pytest.approx(expected[agent], abs=2e-5)


def test_agents_at_one_point_part_in_opposite_directions() -> None:
    directions = set()
    for first in range(12):
        for second in range(12):
            order = first - second or 1
            one = parting_direction(first, second, order)
            other = parting_direction(second, first, -order)
            assert one == (-other[0], -other[1]) and one != (0, 0)
            directions.add(tuple(map(float, one)))
    assert len(directions) == 8
