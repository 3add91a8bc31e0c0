"""Common routes against a slow reference: the corridor, the shortest ways inside it, and when it isn't worth it."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.grid import TileGrid
from pynav.sectors import BlockGraph, CommonRoute, Groups
from pynav.sectors.block_layout import NOT_HERE, STEP
from pynav.sectors.common_route import DETOUR_PERCENT, REACH_STEPS
from pynav.sectors.exact_router import ExactRouter
from tests.naive.common_route import corridor_directions
from tests.naive.grid import STEPS
from tests.unit.sectors.maps import random_goals, random_map

Tile = tuple[int, int]
DONE = 1


def found(route: CommonRoute) -> dict[Tile, int]:
    """The result by tile."""
    codes: dict[Tile, int] = {}
    for block, rows in zip(route.blocks.tolist(), route.codes.reshape(-1, STEP, STEP), strict=True):
        row, column = divmod(block, route.graph.column_count)
        for y, x in np.argwhere(rows != NOT_HERE).tolist():
            codes[column * STEP + x, row * STEP + y] = int(rows[y, x])
    return codes


def starts_of(cost: npt.NDArray[np.uint8], groups: list[tuple[Tile, int]]) -> list[Tile]:
    """Every free tile around the leaders."""
    return sorted(
        {
            (x, y)
            for (left, top), radius in groups
            for x in range(max(left - radius, 0), min(left + radius + 1, cost.shape[1]))
            for y in range(max(top - radius, 0), min(top + radius + 1, cost.shape[0]))
            if cost[y, x]
        }
    )


def search(router: ExactRouter, groups: list[tuple[Tile, int]], route: CommonRoute, budget: int = 1_000_000) -> int:
    """Search for the common route of groups (leader, radius); how many slices it took."""
    graph, values = router.graph, router.values
    leaders = np.array([(*leader, radius) for leader, radius in groups], dtype=np.int32)
    numbers = Groups(leaders, np.array(starts_of(graph.grid.cost, groups), dtype=np.int32))
    call, progress = route.begin(graph.frozen_block_cost(), values.value, values.goal_x, values.goal_y, numbers, budget)
    slices = 0
    while not progress[DONE]:
        call.run()
        slices += 1
    return slices


def expected(router: ExactRouter, goals: list[Tile], groups: list[tuple[Tile, int]]) -> dict[Tile, int]:
    """The same by the slow reference."""
    named = [(leader, radius, [(int(x), int(y)) for x, y in router.path(leader)]) for leader, radius in groups]
    if any(not route for _, _, route in named):
        return {}
    cost = router.graph.grid.cost
    return corridor_directions(cost, goals, named, starts_of(cost, groups), REACH_STEPS, DETOUR_PERCENT)


def test_directions_are_those_of_the_shortest_way_inside_the_corridor() -> None:
    random = np.random.default_rng(5)
    worth_it = not_worth_it = 0
    for number in range(60):
        cost = random_map(random, 12, 50)
        goals = random_goals(random, cost, 2)
        router = ExactRouter(BlockGraph(TileGrid(cost)))
        router.set_goals(goals)
        route = CommonRoute(router.graph)
        for _ in range(2):  # the second one finds what the first has left
            groups = [(leader, int(random.integers(0, 12))) for leader in random_goals(random, cost, 2)]
            search(router, groups, route)
            wanted = expected(router, goals, groups)
            assert found(route) == wanted, (number, groups)
            worth_it += bool(wanted)
            not_worth_it += not wanted
    assert worth_it > 20 and not_worth_it > 20


@pytest.mark.parametrize("budget", [1, 7, 300])
def test_slices_of_any_size_give_the_same_route(budget: int) -> None:
    cost = np.ones((70, 90), dtype=np.uint8)
    cost[10:60, 40:44] = 0
    router = ExactRouter(BlockGraph(TileGrid(cost)))
    router.set_goals([(80, 33)])
    whole, sliced = CommonRoute(router.graph), CommonRoute(router.graph)
    groups = [((5, 36), 3)]
    assert search(router, groups, whole) == 2  # the check ends a slice
    assert search(router, groups, sliced, budget) > 3
    assert found(whole) == found(sliced) == expected(router, [(80, 33)], groups)


def test_a_group_before_a_wall_goes_round_it_on_one_side() -> None:
    """Without a common route half of it goes left, half right."""
    cost: npt.NDArray[np.uint8] = np.ones((140, 64), dtype=np.uint8)
    cost[30:33, 12:52] = 0
    router = ExactRouter(BlockGraph(TileGrid(cost)))
    router.set_goals([(32, 130)])
    units = [(x, 10) for x in range(28, 37)]
    own_sides = {bool(router.path(unit)[:, 0].min() < 12) for unit in units}
    route = CommonRoute(router.graph)
    search(router, [((32, 10), 5)], route)
    codes = found(route)
    sides = set()
    for x, y in units:
        left = x
        while codes[x, y] != 8:
            right, down = STEPS[codes[x, y]]
            x, y = x + right, y + down
            left = min(left, x)
        sides.add(left < 12)
    assert own_sides == {False, True}
    assert len(sides) == 1


def test_a_leader_without_a_way_has_no_common_route() -> None:
    cost = np.ones((20, 40), dtype=np.uint8)
    cost[:, 20] = 0
    router = ExactRouter(BlockGraph(TileGrid(cost)))
    router.set_goals([(30, 5)])
    route = CommonRoute(router.graph)
    search(router, [((5, 5), 2)], route)
    assert found(route) == {}
