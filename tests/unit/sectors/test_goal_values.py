"""Border values against the full flood; slices; repairs against builds from nothing."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.grid import IntegrationField, TileGrid
from pynav.sectors import BlockGraph, GoalValues, SearchScratch
from pynav.sectors.block_layout import UNREACHED
from tests.unit.sectors.maps import random_goals, random_map


def flood(grid: TileGrid, graph: BlockGraph, goals: list[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Distances of the border tiles by a flood of all tiles."""
    field = IntegrationField(grid)
    field.build(goals)
    whole = np.full(graph.cost.shape, UNREACHED, dtype=np.int64)
    whole[: grid.height, : grid.width] = np.where(field.distance == field.unreachable, UNREACHED, field.distance)
    found: npt.NDArray[np.int64] = whole[graph.border_y, graph.border_x]
    return found


def test_values_are_those_of_a_flood_of_all_tiles() -> None:
    random = np.random.default_rng(2)
    reached = 0
    for _ in range(60):
        cost = random_map(random)
        grid = TileGrid(cost)
        graph = BlockGraph(grid)
        goals = random_goals(random, cost)
        values = GoalValues(graph)
        values.build(goals, SearchScratch(graph))
        assert values.value.tolist() == flood(grid, graph, goals).tolist()
        reached += int((values.value < UNREACHED).sum())
    assert reached > 1000


@pytest.mark.parametrize("budget", [1, 3, 1000])
def test_slices_of_any_size_give_the_same_values(budget: int) -> None:
    random = np.random.default_rng(7)
    cost = random_map(random, 50, 90)
    graph = BlockGraph(TileGrid(cost))
    goals = random_goals(random, cost)
    scratch = SearchScratch(graph)
    values = GoalValues(graph)
    values.begin(goals, scratch)
    call, progress = values.bound_slice(scratch, budget)
    slices = 0
    while not progress[1]:
        call.run()
        slices += 1
    assert values.is_finished and (budget > 100 or slices > 3)
    assert values.value.tolist() == flood(graph.grid, graph, goals).tolist()


def test_solid_goals_count_for_nothing() -> None:
    grid = TileGrid(np.ones((20, 20), dtype=np.uint8))
    grid.set_cost_rect(5, 5, [[0]])
    graph = BlockGraph(grid)
    values = GoalValues(graph)
    values.build([(5, 5)], SearchScratch(graph))
    assert (values.value == UNREACHED).all()


def test_repairs_equal_builds_from_nothing() -> None:
    """Walls and costs come and go, on goals too; each time the repaired values are those of a new build."""
    random = np.random.default_rng(4)
    raised = lowered = 0
    for _ in range(25):
        cost = random_map(random, 17, 80)
        grid = TileGrid(cost)
        graph = BlockGraph(grid)
        scratch = SearchScratch(graph)
        goals = random_goals(random, cost)
        values, fresh = GoalValues(graph), GoalValues(graph)
        values.build(goals, scratch)
        for _ in range(25):
            height, width = (int(side) for side in random.integers(1, 4, 2))
            x, y = int(random.integers(0, grid.width - width + 1)), int(random.integers(0, grid.height - height + 1))
            grid.set_cost_rect(x, y, np.full((height, width), random.choice([0, 0, 1, 1, 3]), dtype=np.uint8))
            changed = graph.update(x, y, width, height)
            free = [goal for goal in goals if grid.is_free(*goal)]
            old = values.value.copy()
            assert values.begin_repair(old, free, changed, scratch)
            call, progress = values.bound_slice(scratch, 10**9)
            if not progress[1]:
                call.run()
            fresh.build(free, scratch)
            assert values.value.tolist() == fresh.value.tolist()
            raised += int((values.value > old).sum())
            lowered += int((values.value < old).sum())
    assert raised > 100 and lowered > 100


def test_a_repair_of_too_much_is_refused_and_leaves_clean_scratch() -> None:
    grid = TileGrid(np.ones((513, 513), dtype=np.uint8))
    graph = BlockGraph(grid)
    scratch = SearchScratch(graph)
    values = GoalValues(graph)
    values.build([(2, 2)], scratch)
    wall = np.zeros((513, 1), dtype=np.uint8)
    grid.set_cost_rect(100, 0, wall)
    changed = graph.update(100, 0, 1, 513)
    assert not values.begin_repair(values.value.copy(), [(2, 2)], changed, scratch)
    assert not scratch.affected.any() and (scratch.border_place == -1).all() and (scratch.given == UNREACHED).all()
    values.build([(2, 2)], scratch)
    assert values.value.tolist() == flood(grid, graph, [(2, 2)]).tolist()
