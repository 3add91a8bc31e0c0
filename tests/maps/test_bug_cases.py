"""Faults that other projects had, as tiny maps: the cases that concern a grid and its fields."""

import math

import numpy as np

from pynav.grid import UNREACHABLE, FlowField, IntegrationField, TileGrid
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of, find


def length(field: IntegrationField, start: tuple[int, int]) -> float:
    """Straight steps plus diagonal ones times the square root of 2 on the way that the directions give; infinite for none."""
    x, y = start
    if field.distance[y, x] == UNREACHABLE:
        return math.inf
    total = 0.0
    while field.distance[y, x] != 0:
        dx, dy = naive.STEPS[int(field.directions[y, x])]
        x, y, total = x + dx, y + dy, total + math.hypot(dx, dy)
    return total


def from_scratch(grid: TileGrid, goal: tuple[int, int]) -> IntegrationField:
    field = IntegrationField(TileGrid(grid.cost))
    field.build([goal])
    return field


def test_a_diagonal_step_does_not_clip_a_wall_s_corner() -> None:
    field = IntegrationField(TileGrid(cost_of("S#..", ".G..")))
    field.build([(1, 1)])
    assert length(field, (0, 0)) == 2.0
    assert naive.STEPS[int(field.directions[0, 0])] == (0, 1)


def test_a_straight_run_does_not_weave() -> None:
    field = IntegrationField(TileGrid(np.ones((10, 10), dtype=np.uint8)))
    field.build([(7, 0)])
    assert length(field, (0, 0)) == 7.0
    assert (field.directions[0, :7] == 0).all()


def test_no_direction_points_into_a_wall() -> None:
    cost = cost_of("........", "...##...", "...##...", ".......G")
    field = IntegrationField(TileGrid(cost))
    field.build([(7, 3)])
    for y, x in np.argwhere(cost != 0).tolist():
        if (x, y) != (7, 3):
            assert naive.step_allowed(cost, x, y, int(field.directions[y, x]))
            assert field.directions[y, x] != 8


def test_an_edit_is_in_the_next_build_on_every_tile() -> None:
    grid = TileGrid(np.ones((8, 8), dtype=np.uint8))
    field, flow = IntegrationField(grid), FlowField(grid, [(7, 4)])
    field.build([(7, 4)])
    flow.build()
    assert length(field, (0, 4)) == 7.0
    grid.set_cost_rect(4, 0, np.zeros((7, 1), dtype=np.uint8))
    assert not field.is_current
    field.build([(7, 4)])
    flow.build()
    assert math.isclose(length(field, (0, 4)), 10.07107, abs_tol=1e-5)
    fresh = from_scratch(grid, (7, 4))
    assert (field.distance == fresh.distance).all()
    assert (field.directions == fresh.directions).all()
    inner = flow.flow[1:-1, 1:-1]
    assert (np.where(inner < 8, inner, 8) == fresh.directions).all()


def test_a_wall_built_and_destroyed_gives_the_answers_of_a_fresh_grid() -> None:
    rows = ["....#....", "S...#...G", "....#...."]
    start, goal = find(rows, "S"), find(rows, "G")
    at_load = TileGrid(cost_of(*rows))
    built_later = TileGrid(np.ones((3, 9), dtype=np.uint8))
    built_later.set_cost_rect(4, 0, np.zeros((3, 1), dtype=np.uint8))
    for grid in (at_load, built_later):
        field = IntegrationField(grid)
        answers = []
        for breach in (None, 1, 0, 1):
            if breach is not None:
                grid.set_cost_rect(4, 1, [[breach]])
            field.build([goal])
            answers.append(length(field, start))
            assert grid.is_connected(start, goal) == math.isfinite(answers[-1])
            assert (field.distance == from_scratch(grid, goal).distance).all()
        assert answers == [math.inf, 8.0, math.inf, 8.0]
    assert at_load.set_cost_rect(4, 1, [[1]]) is False  # destroyed twice: no change, no new revision
    again = TileGrid(at_load.cost)  # save and load
    field = IntegrationField(again)
    field.build([goal])
    assert length(field, start) == 8.0


def test_a_fallen_bridge_is_unreachable_and_the_way_back_is_there() -> None:
    rows = ["....~....", "....~....", "S.......G", "....~...."]
    grid = TileGrid(cost_of(*rows))
    field = IntegrationField(grid)
    field.build([(8, 2)])
    assert length(field, (0, 2)) == 8.0
    grid.set_cost_rect(4, 2, [[0]])
    field.build([(8, 2)])
    assert length(field, (2, 2)) == math.inf
    assert not grid.is_connected((2, 2), (8, 2))
    here = int(grid.components()[2, 2])
    assert grid.nearest_free(8, 2, component=here) == (3, 2)
    field.build([(0, 0)])
    assert math.isfinite(length(field, (2, 2)))


def test_a_walled_in_goal_is_unreachable_and_no_error() -> None:
    rows = ["........", ".####...", ".#.G#...", ".####...", "S......."]
    grid = TileGrid(cost_of(*rows))
    field = IntegrationField(grid)
    field.build([find(rows, "G")])
    assert length(field, find(rows, "S")) == math.inf
    assert field.directions[4, 0] == 8
    assert not grid.is_connected(find(rows, "S"), find(rows, "G"))


def test_components_agree_with_search_through_random_toggles() -> None:
    random = np.random.default_rng(12)
    cost = (random.random((64, 64)) > 0.4).astype(np.uint8)
    grid = TileGrid(cost)
    field = IntegrationField(grid)
    for _ in range(200):
        x, y = (int(value) for value in random.integers(0, 64, 2))
        cost[y, x] ^= 1
        grid.set_cost_rect(x, y, [[int(cost[y, x])]])
        free = np.argwhere(cost != 0)
        goal_y, goal_x = (int(value) for value in free[random.integers(len(free))])
        field.build([(goal_x, goal_y)])
        label = grid.components()
        assert ((field.distance != UNREACHABLE) == (label == label[goal_y, goal_x])).all()


def test_another_island_is_known_without_a_search_and_a_bridge_is_too() -> None:
    cost = np.ones((512, 512), dtype=np.uint8)
    cost[:, 256] = 0
    grid = TileGrid(cost)
    assert grid.component_count == 2
    starts = [(x, 7 * x) for x in range(70)]
    assert not any(grid.is_connected(start, (500, 500)) for start in starts)
    assert all(grid.is_connected(start, (255, 500)) for start in starts)
    grid.set_cost_rect(256, 100, [[1]])
    assert all(grid.is_connected(start, (500, 500)) for start in starts)


def test_who_stands_in_a_solid_tile_gets_out_by_the_nearest_free_one() -> None:
    cost = np.ones((5, 5), dtype=np.uint8)
    cost[2, 2] = 0
    grid = TileGrid(cost)
    assert grid.nearest_free(2, 2) == (2, 1)
    field = IntegrationField(grid)
    field.build([(4, 4)])
    assert math.isfinite(length(field, (2, 1)))
