"""The tile grid: costs, edits, solid neighbours, components."""

import numpy as np
import pytest

from pynav.grid import GridError, TileGrid
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of


def test_a_grid_copies_its_costs_and_shows_them_read_only() -> None:
    source = np.ones((2, 3), dtype=np.uint8)
    grid = TileGrid(source)
    source[0, 0] = 9
    assert grid.cost[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        grid.cost[0, 0] = 5
    assert (grid.width, grid.height, grid.free_count) == (3, 2, 6)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ([1, 2, 3], "two dimensions"),
        ([[[1]]], "3 dimension"),
        ([[1.5, 2.0]], "float64"),
        ([[1, 256]], "got 256"),
        ([[-1, 3]], "got -1"),
        (np.zeros((0, 4), dtype=np.uint8), "4 x 0"),
        ([[1, 2], [3]], "unequal length"),
        (np.zeros((1, 20_000), dtype=np.uint8), "20000 x 1"),
    ],
)
def test_bad_costs_are_refused_in_words(cost: object, words: str) -> None:
    with pytest.raises(GridError, match=words):
        TileGrid(cost)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("x", "y", "values", "words"),
    [
        (3, 0, [[1, 1]], r"within 4 x 3 tiles, got 2 x 1 at \(3, 0\)"),
        (-1, 0, [[1]], r"at \(-1, 0\)"),
        (0, 3, [[1]], r"at \(0, 3\)"),
        (0, 0, [[300]], "got 300"),
        (0, 0, [[0.5]], "float64"),
        (0, 0, [1], "two dimensions"),
        (0.5, 0, [[1]], "x as a whole number"),
    ],
)
def test_bad_edits_are_refused_and_change_nothing(x: int, y: int, values: object, words: str) -> None:
    grid = TileGrid(np.full((3, 4), 2, dtype=np.uint8))
    with pytest.raises(GridError, match=words):
        grid.set_cost_rect(x, y, values)  # type: ignore[arg-type]
    assert grid.revision == 0
    assert (grid.cost == 2).all()


def test_an_edit_without_change_keeps_the_revision() -> None:
    grid = TileGrid(np.full((3, 4), 2, dtype=np.uint8))
    assert grid.set_cost_rect(1, 1, [[2, 2]]) is False
    assert grid.set_cost_rect(0, 0, np.zeros((0, 0), dtype=np.uint8)) is False
    assert grid.revision == 0
    assert grid.set_cost_rect(1, 1, [[2, 3]]) is True
    assert grid.revision == 1
    assert grid.cost_range == (2, 3)
    assert grid.cost_sum == 25


def test_an_edit_updates_the_bits_around_its_rectangle_and_no_more_than_is_needed() -> None:
    random = np.random.default_rng(1)
    cost = random.integers(0, 3, (12, 9)).astype(np.uint8)
    grid = TileGrid(cost)
    assert (grid.solid_mask == naive.solid_mask_array(cost)).all()
    for _ in range(60):
        width, height = random.integers(1, 5, 2)
        x, y = random.integers(0, 9 - width + 1), random.integers(0, 12 - height + 1)
        values = random.integers(0, 2, (height, width)).astype(np.uint8)
        grid.set_cost_rect(int(x), int(y), values)
        cost[y : y + height, x : x + width] = values
        assert (grid.cost == cost).all()
        assert (grid.solid_mask == naive.solid_mask_array(cost)).all()
        assert grid.free_count == np.count_nonzero(cost)
        assert grid.cost_sum == int(cost.sum())


def test_diagonal_neighbours_are_not_connected() -> None:
    grid = TileGrid(cost_of(".#", "#."))
    assert grid.component_count == 2
    assert not grid.is_connected((0, 0), (1, 1))


def test_connection_of_solid_and_outside_tiles_is_false() -> None:
    grid = TileGrid(cost_of("..", ".#"))
    assert not grid.is_connected((0, 0), (1, 1))
    assert not grid.is_connected((0, 0), (5, 0))
    assert not grid.is_connected((0, 0), (-1, 0))


def test_nearest_free_settles_ties_by_row_then_column() -> None:
    grid = TileGrid(cost_of(".....", ".###.", ".###.", ".###.", "....."))
    assert grid.nearest_free(2, 2) == (2, 0)
    assert grid.nearest_free(1, 1) == (1, 0)
    assert grid.nearest_free(3, 3) == (4, 3)
    assert grid.nearest_free(-7, 90) == (0, 4)
    assert TileGrid([[0]]).nearest_free(0, 0) is None


def test_nearest_free_finds_far_tiles_and_keeps_to_a_component() -> None:
    cost = np.zeros((90, 120), dtype=np.uint8)
    cost[80, 100] = cost[3, 2] = 1
    grid = TileGrid(cost)
    assert grid.nearest_free(60, 40) == naive.nearest_free(cost, 60, 40)
    assert grid.nearest_free(0, 0, component=int(grid.components()[80, 100])) == (100, 80)
    assert grid.nearest_free(0, 0, component=77) is None
    assert grid.nearest_free(0, 0, component=0) is None
