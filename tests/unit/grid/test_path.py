"""Ways as lists of tiles."""

from itertools import pairwise

import numpy as np
import pytest

from pynav.grid import GridError, IntegrationField, TileGrid, path_to_goal
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of


def test_a_path_is_made_of_allowed_steps_and_costs_the_distance() -> None:
    cost = np.random.default_rng(8).integers(0, 4, (30, 30)).astype(np.uint8)
    cost[2, 3] = 1
    field = IntegrationField(TileGrid(cost))
    field.build([(3, 2)])
    lengths = set()
    for x, y in naive.dijkstra(cost, [(3, 2)]):
        path = path_to_goal(field, (x, y)).tolist()
        assert path[0] == [x, y]
        assert path[-1] == [3, 2]
        total = 0
        for (ax, ay), (bx, by) in pairwise(path):
            direction = naive.STEPS.index((bx - ax, by - ay))
            assert naive.step_allowed(cost, ax, ay, direction)
            total += naive.step_cost(cost, ax, ay, direction)
        assert total == field.distance[y, x]
        lengths.add(len(path))
    assert len(lengths) > 5


def test_no_way_is_an_empty_path_and_a_goal_is_a_path_of_one() -> None:
    field = IntegrationField(TileGrid(cost_of(".#.")))
    field.build([(0, 0)])
    assert path_to_goal(field, (2, 0)).shape == (0, 2)
    assert path_to_goal(field, (1, 0)).shape == (0, 2)
    assert path_to_goal(field, (0, 0)).tolist() == [[0, 0]]
    with pytest.raises(GridError, match=r"within 3 x 1 tiles, got \(3, 0\)"):
        path_to_goal(field, (3, 0))


def test_a_path_longer_than_the_first_room() -> None:
    cost = np.ones((1, 9000), dtype=np.uint8)
    field = IntegrationField(TileGrid(cost))
    field.build([(8999, 0)])
    path = path_to_goal(field, (0, 0))
    assert (path[:, 0] == np.arange(9000)).all()
