"""Border values against the full flood; slices; repairs against builds from nothing."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.grid import IntegrationField, TileGrid
from pynav.sectors import BlockGraph, GoalValues
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
        values.build(goals)
        assert values.value.tolist() == flood(grid, graph, goals).tolist()
        reached += int((values.value < UNREACHED).sum())
    assert reached > 1000


@pytest.mark.parametrize("budget", [1, 3, 1000])
def test_slices_of_any_size_give_the_same_values(budget: int) -> None:
    random = np.random.default_rng(7)
    cost = random_map(random, 50, 90)
    graph = BlockGraph(TileGrid(cost))
    goals = random_goals(random, cost)
    values = GoalValues(graph)
    call, progress = values.begin(goals, budget)
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
    values.build([(5, 5)])
    assert (values.value == UNREACHED).all()
