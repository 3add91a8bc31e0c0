"""The published optimal lengths of the Moving AI scenarios, by counting the steps on the way that the directions give.

The files print lengths with six significant digits, so that those of 1000 and more are themselves off by up to 0.005; all
others are compared to 0.001. By default an even sample of each map's lines, so that the whole takes well under a minute;
with PYNAV_ALL_LINES=1 every line.
"""

import math
import os

import numpy as np
import pytest

from pynav.grid import IntegrationField, ScenarioLine, TileGrid, load_octile_map, load_scenario
from tests.maps.moving_ai import EXACT, maps_folder
from tests.naive.grid import STEPS

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


def walked(directions: np.ndarray, start: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
    """Straight steps, diagonal steps and the tile where the way ends."""
    width = directions.shape[1]
    code = directions.reshape(-1)
    offset = [dy * width + dx for dx, dy in STEPS]
    at, counts = start[1] * width + start[0], [0, 0]
    while (direction := int(code[at])) < 8:
        counts[direction & 1] += 1
        at += offset[direction]
        assert counts[0] + counts[1] <= code.size, "the directions lead in a circle"
    return counts[0], counts[1], (at % width, at // width)


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
        straight, diagonal, end = walked(field.directions, problem.start)
        length = straight + diagonal * SQUARE_ROOT_OF_TWO
        if end != goal or abs(length - problem.optimal_length) > tolerance(problem.optimal_length):
            wrong.append((problem.start, goal, end, length, problem.optimal_length))
    print(f"{name}: {len(chosen)} of {len(problems)} lines, {len(wrong)} wrong")
    assert not wrong, wrong[:5]
