"""The published optimal lengths of the Moving AI scenarios, by counting the steps on the way that the directions give.

The files print lengths with six significant digits, so that those of 1000 and more are themselves off by up to 0.005; all
others are compared to 0.001. By default an even sample of each map's lines, so that the whole takes well under a minute;
with PYNAV_ALL_LINES=1 every line.
"""

import math
import os

import numpy as np
import pytest

from pynav.grid import IntegrationField, ScenarioLine, TileGrid, load_octile_map, load_scenario, path_to_goal
from tests.maps.moving_ai import EXACT, maps_folder

TOLERANCE = 1e-3
SAMPLE_TILES = 60_000_000  # tiles flooded a map in the sample: about two seconds
SQUARE_ROOT_OF_TWO = math.sqrt(2)


def tolerance(published: float) -> float:
    """1e-3, or half the last printed digit where that is more."""
    return TOLERANCE if published < 1000 else 5e-3 + 1e-9


def sampled(problems: list[ScenarioLine], tiles: int) -> list[ScenarioLine]:
    """All lines, or an even part of them with the first and the last (longest)."""
    if os.environ.get("PYNAV_ALL_LINES") == "1":
        return problems
    count = min(len(problems), max(SAMPLE_TILES // tiles, 20))
    return [problems[index * (len(problems) - 1) // (count - 1)] for index in range(count)]


def steps_of(path: np.ndarray) -> tuple[int, int]:
    """Straight and diagonal steps of a path; every step goes to a neighbour."""
    steps = np.abs(np.diff(path, axis=0))
    assert steps.size == 0 or steps.max() == 1
    diagonal = int((steps.sum(axis=1) == 2).sum())
    return len(steps) - diagonal, diagonal


@pytest.mark.parametrize("name", list(EXACT))
def test_every_line_has_its_published_length(name: str) -> None:
    folder = maps_folder()
    grid = TileGrid(load_octile_map(folder / f"{name}.map"))
    problems = load_scenario(folder / EXACT[name])
    assert (problems[0].width, problems[0].height) == (grid.width, grid.height)
    chosen = sampled(problems, grid.free_count)
    field = IntegrationField(grid)
    wrong = []
    goal = None
    for problem in sorted(chosen, key=lambda line: line.goal):
        if problem.goal != goal:
            goal = problem.goal
            field.build([goal])
        path = path_to_goal(field, problem.start)
        straight, diagonal = steps_of(path)
        end = (int(path[-1, 0]), int(path[-1, 1]))
        assert all(grid.is_free(int(x), int(y)) for x, y in path[:: max(len(path) // 8, 1)])
        length = straight + diagonal * SQUARE_ROOT_OF_TWO
        if end != goal or abs(length - problem.optimal_length) > tolerance(problem.optimal_length):
            wrong.append((problem.start, goal, end, length, problem.optimal_length))
    print(f"{name}: {len(chosen)} of {len(problems)} lines, {len(wrong)} wrong")
    assert not wrong, wrong[:5]
