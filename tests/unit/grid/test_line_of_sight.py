"""Line of sight: corners count, both ways the same."""

import numpy as np
import pytest

from pynav.grid import GridError, TileGrid, line_of_sight, lines_of_sight
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of


def test_a_line_through_a_corner_between_two_solid_tiles_is_blocked() -> None:
    assert not line_of_sight(TileGrid(cost_of(".#", "#.")), (0, 0), (1, 1))


def test_a_line_that_touches_a_solid_corner_is_blocked() -> None:
    assert not line_of_sight(TileGrid(cost_of("..", "#.")), (0, 0), (1, 1))
    assert line_of_sight(TileGrid(cost_of("..", "..")), (0, 0), (1, 1))


def test_ends() -> None:
    grid = TileGrid(cost_of(".#."))
    assert line_of_sight(grid, (0, 0), (0, 0))
    assert not line_of_sight(grid, (1, 0), (1, 0))
    assert not line_of_sight(grid, (0, 0), (1, 0))
    assert not line_of_sight(grid, (0, 0), (0, 1))
    assert not line_of_sight(grid, (-1, 0), (0, 0))


def test_all_pairs_of_a_map_agree_with_clipping_in_fractions() -> None:
    cost = (np.random.default_rng(3).random((7, 8)) > 0.25).astype(np.uint8)
    tiles = [(x, y) for y in range(7) for x in range(8)]
    pairs = [(*a, *b) for a in tiles for b in tiles]
    answers = lines_of_sight(TileGrid(cost), pairs)
    expected = [naive.sees(cost, (ax, ay), (bx, by)) for ax, ay, bx, by in pairs]
    assert answers.tolist() == expected
    assert 0 < sum(expected) < len(pairs)
    table = answers.reshape(len(tiles), len(tiles))
    assert (table == table.T).all()


@pytest.mark.parametrize("lines", [[(0, 0, 1)], [(0.5, 0, 1, 1)], [0, 0, 1, 1]])
def test_bad_lines_are_refused_in_words(lines: object) -> None:
    with pytest.raises(GridError, match=r"whole numbers \(n, 4\)"):
        lines_of_sight(TileGrid([[1]]), lines)  # type: ignore[arg-type]
