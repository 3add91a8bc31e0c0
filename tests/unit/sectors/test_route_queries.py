"""Questions about ways: against the flood of all tiles, over edits, with more goals than are kept."""

import numpy as np

from pynav.grid import NO_DIRECTION, IntegrationField, TileGrid
from pynav.sectors import BlockGraph
from pynav.sectors.route_queries import RouteQueries
from tests.unit.sectors.maps import random_goals, random_map


def test_answers_are_those_of_a_flood_over_edits_and_many_goals() -> None:
    random = np.random.default_rng(12)
    asked = 0
    for _ in range(12):
        cost = random_map(random, 10, 60)
        grid = TileGrid(cost)
        graph = BlockGraph(grid)
        queries = RouteQueries(graph)
        goals = random_goals(random, cost, 1) + random_goals(random, cost, 6)
        for turn in range(12):
            goal = goals[turn % len(goals)]
            start = (int(random.integers(0, grid.width)), int(random.integers(0, grid.height)))
            path = queries.path(start, goal)
            if not grid.is_connected(start, goal):
                assert len(path) == 0 and queries.distance(start, goal) == -1.0
                assert queries.direction(start, goal) == NO_DIRECTION
            else:
                field = IntegrationField(grid)
                field.build([goal])
                assert tuple(path[0]) == start and tuple(path[-1]) == goal
                assert queries.distance(start, goal) == field.distance_tiles(*start)
                assert (queries.direction(start, goal) < 8) == (start != goal)
                asked += 1
            x, y = int(random.integers(0, grid.width)), int(random.integers(0, grid.height))
            grid.set_cost_rect(x, y, [[int(random.integers(0, 4))]])
            graph.update(x, y, 1, 1)
    assert asked > 40


def test_maps_of_huge_costs_are_flooded_whole() -> None:
    grid = TileGrid(np.full((300, 300), 255, dtype=np.uint8))
    queries = RouteQueries(BlockGraph(grid))
    assert queries.distance((0, 0), (10, 0)) == 2550.0
    assert queries.direction((0, 0), (10, 0)) == 0
    assert len(queries.path((0, 0), (10, 0))) == 11
