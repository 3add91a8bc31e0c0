"""Questions about ways: against the flood of all tiles, over edits, with more goals than are kept."""

import numpy as np
import pytest

from pynav.grid import DIRECTION_X, DIRECTION_Y, NO_DIRECTION, GridError, IntegrationField, TileGrid
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
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


def test_many_distances_at_once_are_those_of_a_flood() -> None:
    random = np.random.default_rng(5)
    far = 0
    for _ in range(20):
        cost = random_map(random, 1, 70)
        grid = TileGrid(cost)
        queries = RouteQueries(BlockGraph(grid))
        goal = random_goals(random, cost, 1)[0]
        field = IntegrationField(grid)
        field.build([goal])
        starts = random.integers(-2, 72, (200, 2))
        answers = queries.distances(starts, goal)
        for (x, y), answer in zip(starts.tolist(), answers.tolist(), strict=True):
            has_way = grid.is_connected((x, y), goal)
            assert answer == (field.distance_tiles(x, y) if has_way else -1.0)
            far += has_way and answer > 20
    assert far > 100
    assert len(queries.distances(np.zeros((0, 2), dtype=np.int64), goal)) == 0
    for wrong in ([1, 2], [[1, 2, 3]], [[0.5, 1.0]]):
        with pytest.raises(GridError, match="whole numbers"):
            queries.distances(wrong, goal)


def test_the_nearest_reachable_tile_is_that_of_a_look_at_all_tiles() -> None:
    random = np.random.default_rng(6)
    elsewhere = 0
    for _ in range(60):
        grid = TileGrid((random.random((9, 11)) > 0.45).astype(np.uint8))
        queries = RouteQueries(BlockGraph(grid))
        start, goal = ((int(random.integers(-1, 12)), int(random.integers(-1, 10))) for _ in range(2))
        found = queries.nearest_reachable(start, goal)
        reached = [(x, y) for y in range(9) for x in range(11) if grid.is_connected(start, (x, y))]
        order = sorted(reached, key=lambda tile: ((tile[0] - goal[0]) ** 2 + (tile[1] - goal[1]) ** 2, tile[1], tile[0]))
        assert found == (order[0] if order else None)
        assert queries.is_reachable(start, goal) == (goal in reached)
        elsewhere += found not in (None, goal)
    assert elsewhere > 10


def test_sizes_ask_about_places_where_they_fit_and_start_from_where_they_stand() -> None:
    """Bug 3: a unit inside the margin of a wall has a way, and its first leg leaves the margin."""
    cost = np.ones((8, 8), dtype=np.uint8)
    cost[3, 3] = 0
    layers = NavigationLayers(Terrain(cost))
    queries = RouteQueries(BlockGraph(layers.get(0, 2).grid), layers.base.grid, 2)
    path = queries.path((2, 3), (6, 6))
    assert path[0].tolist() == [2, 3] and path[-1].tolist() == [6, 6] and len(path) > 4
    assert all(layers.get(0, 2).grid.is_free(int(x), int(y)) for x, y in path[1:])
    assert queries.is_reachable((2, 3), (6, 6)) and not queries.is_reachable((6, 6), (2, 3))
    step = queries.direction((2, 3), (6, 6))
    assert (2 + DIRECTION_X[step], 3 + DIRECTION_Y[step]) == tuple(path[1])
    inner = queries.distance(tuple(path[1].tolist()), (6, 6))
    assert queries.distance((2, 3), (6, 6)) == inner + 1.0
    assert queries.nearest_reachable((0, 0), (3, 3)) in ((3, 4), (4, 3), (1, 3), (3, 1))
    assert queries.has_line_of_sight((0, 0), (6, 0)) and not queries.has_line_of_sight((0, 2), (6, 2))
    assert len(queries.path((3, 3), (6, 6))) == 0 and queries.distance((3, 3), (6, 6)) == -1.0


def test_maps_of_huge_costs_are_flooded_whole() -> None:
    grid = TileGrid(np.full((300, 300), 255, dtype=np.uint8))
    queries = RouteQueries(BlockGraph(grid))
    assert queries.distance((0, 0), (10, 0)) == 2550.0
    assert queries.distances([[0, 0], [10, 1], [-1, 0]], (10, 0)).tolist() == [2550.0, 255.0, -1.0]
    assert queries.direction((0, 0), (10, 0)) == 0
    assert len(queries.path((0, 0), (10, 0))) == 11
