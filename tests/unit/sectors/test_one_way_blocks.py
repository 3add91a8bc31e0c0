"""Blocks with closed exits: values, directions, repairs and questions against a flood of all tiles that goes by the exits."""

from itertools import pairwise

import numpy as np

from pynav.grid import DIRECTION_X, DIRECTION_Y, TileGrid
from pynav.sectors import BlockGraph, GoalValues
from pynav.sectors.block_layout import READY, UNREACHED
from pynav.sectors.exact_router import ExactRouter
from pynav.sectors.route_queries import RouteQueries
from tests.naive import one_way as naive
from tests.unit.grid.test_exits import random_exits
from tests.unit.sectors.maps import random_goals, random_map
from tests.unit.sectors.test_flow_repair import FLOWS, Table


def test_border_values_are_the_distances_of_a_flood() -> None:
    random = np.random.default_rng(21)
    apart = 0
    for _ in range(25):
        cost = random_map(random, 2, 60)
        grid = TileGrid(cost, random_exits(random, cost.shape, float(random.choice([0.02, 0.2, 0.6]))))
        graph = BlockGraph(grid)
        goals = random_goals(random, cost)
        values = GoalValues(graph)
        values.build(goals)
        expected = naive.distance_array(cost, grid.closed_exits, goals, UNREACHED)
        inside = (graph.border_x < grid.width) & (graph.border_y < grid.height)
        found = values.value[inside]
        assert found.tolist() == expected[graph.border_y[inside], graph.border_x[inside]].tolist()
        apart += int(np.count_nonzero(found == UNREACHED))
    assert apart > 500


def test_paths_take_allowed_steps_and_are_the_shortest_over_edits_of_costs_and_exits() -> None:
    random = np.random.default_rng(22)
    walked = refused = 0
    for _ in range(14):
        cost = random_map(random, 10, 60)
        grid = TileGrid(cost, random_exits(random, cost.shape, 0.05))
        graph = BlockGraph(grid)
        queries = RouteQueries(graph)
        goal = random_goals(random, cost, 1)[0]
        for turn in range(10):
            closed = grid.closed_exits
            distance = naive.dijkstra_to(grid.cost, closed, [goal] if grid.is_free(*goal) else [])
            start = (int(random.integers(0, grid.width)), int(random.integers(0, grid.height)))
            path = [(int(x), int(y)) for x, y in queries.path(start, goal)]
            assert queries.is_reachable(start, goal) == (start in distance) == bool(path)
            assert queries.distance(start, goal) == (distance[start] / 140 if start in distance else -1.0)
            if path:
                assert path[0] == start and path[-1] == goal
                for here, after in pairwise(path):
                    step = (after[0] - here[0], after[1] - here[1])
                    direction = list(zip(DIRECTION_X, DIRECTION_Y, strict=True)).index(step)
                    assert naive.may_step(grid.cost, closed, here, direction)
                    assert distance[here] - distance[after] == naive.step_cost(grid.cost, *here, direction)
            else:
                reached = naive.reached_from(grid.cost, closed, start)
                order = sorted(reached, key=lambda t: ((t[0] - goal[0]) ** 2 + (t[1] - goal[1]) ** 2, t[1], t[0]))
                assert queries.nearest_reachable(start, goal) == (order[0] if order else None)
            walked, refused = walked + bool(path), refused + (not path)
            x, y = int(random.integers(0, grid.width)), int(random.integers(0, grid.height))
            if turn % 2:
                grid.set_closed_exits(x, y, np.array([[random.integers(0, 16)]], dtype=np.uint8))
            else:
                grid.set_cost_rect(x, y, [[int(random.integers(0, 4))]])
            graph.update(x, y, 1, 1)
    assert walked > 30 and refused > 30


def test_directions_of_all_tiles_are_steps_of_the_exact_distances() -> None:
    random = np.random.default_rng(23)
    for _ in range(8):
        cost = random_map(random, 17, 40)
        grid = TileGrid(cost, random_exits(random, cost.shape, 0.15))
        router = ExactRouter(BlockGraph(grid))
        goals = random_goals(random, cost)
        router.set_goals(goals)
        distance = naive.dijkstra_to(cost, grid.closed_exits, goals)
        for y, x in np.argwhere(cost).tolist():
            code = router.direction(x, y)
            if (x, y) not in distance:
                assert code == 9
            elif distance[x, y] > 0:
                assert naive.may_step(cost, grid.closed_exits, (x, y), code)
                after = (x + DIRECTION_X[code], y + DIRECTION_Y[code])
                assert distance[x, y] - distance[after] == naive.step_cost(cost, x, y, code)


def test_repairs_equal_builds_from_nothing_whatever_is_closed_and_opened() -> None:
    random = np.random.default_rng(24)
    raised = lowered = 0
    for _ in range(14):
        cost = random_map(random, 17, 70)
        table = Table(cost, [random_goals(random, cost) for _ in range(FLOWS)])
        for turn in range(24):
            height, width = (int(side) for side in random.integers(1, 4, 2))
            x = int(random.integers(0, max(table.grid.width - width, 0) + 1))
            y = int(random.integers(0, max(table.grid.height - height, 0) + 1))
            height, width = min(height, table.grid.height - y), min(width, table.grid.width - x)
            old = table.value.copy()
            if turn % 3:
                closed = random_exits(random, (height, width), float(random.choice([0.0, 0.5, 1.0])))
                table.grid.set_closed_exits(x, y, closed)
            else:
                table.grid.set_cost_rect(x, y, np.full((height, width), random.choice([0, 1, 3]), dtype=np.uint8))
            changed = table.graph.update(x, y, width, height)
            table.ready[:] = READY
            slots = np.arange(FLOWS, dtype=np.int32)
            assert not table.repair.run(slots, changed, table.value, table.ready, table.goal_numbers()).any()
            for row, expected in enumerate(table.built()):
                assert table.value[row].tolist() == expected.tolist()
            raised += int((table.value > old).sum())
            lowered += int((table.value < old).sum())
    assert raised > 1_000 and lowered > 500


def test_blocks_share_a_matrix_only_where_their_exits_are_the_same() -> None:
    cost = np.ones((17, 81), dtype=np.uint8)
    closed = np.zeros_like(cost)
    closed[5, 5] = closed[5, 37] = 1
    graph = BlockGraph(TileGrid(cost, closed))
    assert graph.one_way.tolist() == [1, 0, 1, 0, 0]
    first, plain, same, other, last = graph.matrix_of.tolist()
    assert first == same != plain == other == last
    assert (graph.matrix[plain] == graph.matrix[plain].T).all() and not (graph.matrix[first] == graph.matrix[first].T).all()
