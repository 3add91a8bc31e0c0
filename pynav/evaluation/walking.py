"""Walking the routes of a scenario, of groups, and of pairs without a way."""

import math
import time
from typing import Any

import numpy as np

from pynav.evaluation.groups import even_sample, is_split, picked_lines, unreachable_pairs
from pynav.evaluation.measures import octile_length, reversals, turning
from pynav.evaluation.moving_groups import group_lines, walk_groups
from pynav.evaluation.moving_units import walk_units
from pynav.evaluation.progress import shown
from pynav.grid import ScenarioLine, TileGrid
from pynav.router import SOLVERS, Router

DEFAULT_GROUPS = 20
MOST_GROUPS = 1000
DEFAULT_UNITS = 20
DEFAULT_MOVING_GROUPS = 4
UNREACHABLE_PAIRS = 200


def evaluate(
    grid: TileGrid,
    problems: list[ScenarioLine],
    solver: str = "exact",
    groups: int = DEFAULT_GROUPS,
    show_progress: bool = False,
    units: int = DEFAULT_UNITS,
    moving_groups: int = DEFAULT_MOVING_GROUPS,
    cohesion: bool = True,
) -> dict[str, Any]:
    """Walk every problem and measure the routes.

    Args:
        grid: the map.
        problems: lines of its scenario.
        solver: a name in ``SOLVERS``.
        groups: groups of 64 starts that are looked at for splits, at most.
        show_progress: draw bars on the error stream.
        units: lines that a moving unit walks, at most (exact solver only).
        moving_groups: lines that a moving group walks, at most (exact solver only).
        cohesion: of these groups.

    Returns:
        The report; keys as in the package's text.
    """
    began = time.perf_counter()
    router = SOLVERS[solver](grid)
    report = {"solver": solver, **_walk_lines(grid, router, problems, show_progress)}
    able = [line for line in problems if grid.is_connected(line.start, line.goal)] if solver == "exact" else []
    report.update(walk_units(grid, even_sample(able, units), show_progress))
    long_enough = even_sample(group_lines(able), moving_groups)
    report.update(walk_groups(grid, long_enough, cohesion, show_progress))
    lines = picked_lines(grid, problems, groups)
    splits = 0
    if solver != "exact":
        exact = SOLVERS["exact"](grid)
        splits = sum(is_split(grid, router, exact, line) for line in shown(lines, "groups", show_progress))
    pairs = unreachable_pairs(grid, UNREACHABLE_PAIRS)
    return {
        **report,
        "groups": len(lines),
        "splits": splits,
        "unreachable": len(pairs),
        "unreachable_refused": sum(_is_refused(router, start, goal) for start, goal in pairs),
        "seconds": round(time.perf_counter() - began, 3),
    }


def _is_refused(router: Router, start: tuple[int, int], goal: tuple[int, int]) -> bool:
    router.set_goals([goal])
    return len(router.path(start)) == 0


def _walk_lines(grid: TileGrid, router: Router, problems: list[ScenarioLine], show_progress: bool) -> dict[str, Any]:
    ratios: list[float] = []
    refused = back = 0
    turned = tiles = 0.0
    goal: tuple[int, int] | None = None
    for line in shown(sorted(problems, key=lambda line: line.goal), "routes", show_progress):
        if not grid.is_connected(line.start, line.goal):
            refused += 1
            continue
        if line.goal != goal:
            goal = line.goal
            router.set_goals([goal])
        path = router.path(line.start)
        if len(path) == 0 or tuple(path[-1].tolist()) != goal:
            continue
        ratios.append(octile_length(path) / line.optimal_length if line.optimal_length > 0 else 1.0)
        turned += turning(path)
        tiles += len(path) - 1
        back += reversals(path)
    found = np.array(ratios or [math.nan])
    return {
        "pairs": len(problems),
        "arrived": len(ratios),
        "refused": refused,
        "ratio_mean": float(found.mean()),
        "ratio_p99": float(np.percentile(found, 99)),
        "ratio_max": float(found.max()),
        "turning_per_tile": turned / max(tiles, 1.0),
        "reversals": back,
    }
