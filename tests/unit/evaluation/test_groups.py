"""Groups, splits and generated unreachable pairs, on maps small enough to see the answer."""

import numpy as np
import numpy.typing as npt

from pynav.evaluation import evaluate
from pynav.evaluation.groups import group_starts, is_apart, is_split, picked_lines, tiles_near, unreachable_pairs
from pynav.grid import ScenarioLine, TileGrid
from pynav.router import SOLVERS
from tests.naive.grid import STEPS, component_array, dijkstra, step_allowed
from tests.unit.sectors.maps import random_map


def line_of(grid: TileGrid, start: tuple[int, int], goal: tuple[int, int], length: float = 50.0) -> ScenarioLine:
    """A line of a scenario."""
    return ScenarioLine(0, "a.map", grid.width, grid.height, start, goal, length)


def test_starts_are_the_nearest_by_walking() -> None:
    random = np.random.default_rng(1)
    for _ in range(10):
        cost = random_map(random, 5, 30)
        y, x = (int(value) for value in np.argwhere(cost)[0])
        distance = dijkstra(cost, [(x, y)])
        expected = sorted(distance, key=lambda tile: (distance[tile], tile[1], tile[0]))[:64]
        assert group_starts(TileGrid(cost), (x, y)) == expected


def test_tiles_near_a_route_are_those_of_a_search_by_steps() -> None:
    random = np.random.default_rng(2)
    for _ in range(10):
        cost = random_map(random, 10, 50)
        free = [(int(x), int(y)) for y, x in np.argwhere(cost)]
        route = [free[0], free[len(free) // 2]]
        found = set(route)
        edge = found
        for _ in range(4):
            edge = {
                (x + dx, y + dy)
                for x, y in edge
                for direction, (dx, dy) in enumerate(STEPS)
                if step_allowed(cost, x, y, direction)
            } - found
            found = found | edge
        near = tiles_near(TileGrid(cost), np.array(route, dtype=np.int32), 4)
        assert {(int(x), int(y)) for y, x in np.argwhere(near)} == found


class Detour:
    """A router that sends whoever starts in the lower half round the other side of the block."""

    def __init__(self, grid: TileGrid) -> None:
        self.exact = SOLVERS["exact"](grid)

    def set_goals(self, goals: npt.ArrayLike) -> None:
        self.exact.set_goals(goals)

    def direction(self, x: int, y: int) -> int:
        return self.exact.direction(x, y)

    def path(self, start: tuple[int, int]) -> npt.NDArray[np.int32]:
        route = self.exact.path(start)
        if start[1] > 40:
            route[len(route) // 2] = (40, 79)
        return route


def test_a_group_is_split_if_its_router_parts_what_the_shortest_routes_keep_together() -> None:
    cost = np.ones((81, 81), dtype=np.uint8)
    grid = TileGrid(cost)
    exact = SOLVERS["exact"](grid)
    line = line_of(grid, (5, 40), (75, 40))
    assert not is_split(grid, exact, exact, line)
    assert is_split(grid, Detour(grid), exact, line)
    cost[21:60, 20:60] = 0  # now the shortest routes part too, so that nobody is to blame
    walled = TileGrid(cost)
    exact = SOLVERS["exact"](walled)
    starts = group_starts(walled, (5, 40))
    exact.set_goals([(75, 40)])
    near = tiles_near(walled, exact.path(starts[0]))
    assert any(is_apart(exact.path(start), near) for start in starts)
    assert not is_split(walled, exact, exact, line)


def test_lines_are_picked_evenly_among_those_that_have_a_way() -> None:
    cost = np.ones((40, 40), dtype=np.uint8)
    cost[:, 39] = cost[39, 39] = 0
    cost[20, 20] = 0
    grid = TileGrid(cost)
    lines = [line_of(grid, (0, 0), (30, index), 30.0) for index in range(20)] + [line_of(grid, (0, 0), (39, 5))]
    picked = picked_lines(grid, lines, 5)
    assert [line.goal[1] for line in picked] == [0, 4, 8, 12, 16]
    assert len(picked_lines(grid, lines, 100)) == 20 and picked_lines(grid, lines, 0) == []
    assert picked_lines(grid, [line_of(grid, (0, 0), (1, 0), 1.0)], 5) == []


def test_unreachable_pairs_have_no_way_and_are_always_the_same() -> None:
    cost = np.ones((30, 30), dtype=np.uint8)
    cost[:, 10] = cost[15, :] = 0
    grid = TileGrid(cost)
    label = component_array(cost)
    pairs = unreachable_pairs(grid, 50)
    assert len(pairs) == 50 and pairs == unreachable_pairs(grid, 50)
    assert all(label[start[1], start[0]] != label[goal[1], goal[0]] for start, goal in pairs)
    assert unreachable_pairs(TileGrid(np.ones((5, 5), dtype=np.uint8)), 50) == []


def test_reports_of_both_solvers() -> None:
    cost = np.ones((60, 60), dtype=np.uint8)
    cost[5:60, 30] = 0
    cost[0:3, 0:3] = [[1, 0, 1], [0, 0, 1], [1, 1, 1]]
    grid = TileGrid(cost)
    lines = [line_of(grid, (10, 50), (50, 50 - index), 90.0) for index in range(4)] + [line_of(grid, (0, 0), (50, 50))]
    for solver in SOLVERS:
        found = evaluate(grid, lines, solver, groups=2)
        assert (found["pairs"], found["arrived"], found["refused"], found["groups"]) == (5, 4, 1, 2)
        assert found["unreachable"] == found["unreachable_refused"] == 200
        assert found["solver"] == solver and found["splits"] == found["reversals"] == 0
