"""Groups that move: that parting is seen, and that cohesion prevents it."""

import numpy as np

from pynav.evaluation.moving_groups import group_lines, walk_groups
from pynav.grid import IntegrationField, ScenarioLine, TileGrid
from pynav.grid.steps import UNIT_STEP_COST


def line_of(grid: TileGrid, start: tuple[int, int], goal: tuple[int, int]) -> ScenarioLine:
    field = IntegrationField(grid)
    field.build([goal])
    length = float(field.distance[start[1], start[0]]) / UNIT_STEP_COST
    return ScenarioLine(0, "map", grid.width, grid.height, start, goal, length)


def walled() -> tuple[TileGrid, ScenarioLine]:
    """A wall in the middle of the way: as far to the left as to the right."""
    cost = np.ones((150, 80), dtype=np.uint8)
    cost[50:53, 16:64] = 0
    grid = TileGrid(cost)
    return grid, line_of(grid, (40, 12), (40, 140))


def test_a_group_parts_before_a_wall_unless_it_is_to_keep_together() -> None:
    grid, line = walled()
    apart, together = (walk_groups(grid, [line], cohesion) for cohesion in (False, True))
    assert (apart["moving_splits"], together["moving_splits"]) == (1, 0)
    assert apart["moving_units_arrived"] == together["moving_units_arrived"] == 64
    assert apart["moving_groups"] == together["moving_groups"] == 1
    assert 0.9 < apart["moving_ratio_max"] < together["moving_ratio_max"] < 1.10
    assert together["moving_ratio_p99"] <= together["moving_ratio_max"]


def test_only_long_ways_are_for_groups() -> None:
    grid, line = walled()
    assert group_lines([line, line_of(grid, (3, 3), (40, 3))]) == [line]
    assert walk_groups(grid, []) == {"moving_groups": 0, "moving_splits": 0, "moving_units_arrived": 0}
