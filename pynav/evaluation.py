"""Evaluation of the exact solver on a map with published optimal lengths: every route walked tile by tile.

Keys of the report: pairs, arrived, refused (no way, told by components), solver, ratio_mean, ratio_p99, ratio_max (walked octile
length by the published optimum), euclid_ratio_mean (None: only moving units have one), turning_per_tile (radians), reversals (a
block border crossed and crossed back within 10 steps), seconds.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid import MapFormatError, ScenarioLine, TileGrid, load_octile_map, load_scenario
from pynav.sectors import BlockGraph
from pynav.sectors.block_layout import STEP
from pynav.sectors.exact_router import ExactRouter

REVERSAL_STEPS = 10
_SQUARE_ROOT = math.sqrt(2.0)


def octile_length(path: npt.NDArray[np.int32]) -> float:
    """Straight steps 1, diagonal ones the square root of 2."""
    steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
    return float((steps == 1).sum() + _SQUARE_ROOT * (steps == 2).sum())


def turning(path: npt.NDArray[np.int32]) -> float:
    """Sum of the angles between one step and the next, radians."""
    steps = np.diff(path, axis=0).astype(np.float64)
    angles = np.arctan2(steps[:, 1], steps[:, 0])
    turns = np.abs(np.diff(angles))
    return float(np.minimum(turns, 2 * math.pi - turns).sum())


def reversals(path: npt.NDArray[np.int32]) -> int:
    """How often a route leaves a block and is back in it within REVERSAL_STEPS steps, by way of a tile next to where it left."""
    blocks = path // STEP
    left = np.flatnonzero(np.any(np.diff(blocks, axis=0) != 0, axis=1))
    count = 0
    for at in left:
        later = slice(at + 2, at + 2 + REVERSAL_STEPS)
        back = np.all(blocks[later] == blocks[at], axis=1)
        near = np.abs(path[later] - path[at]).max(axis=1) <= 1
        count += int((back & near).any())
    return count


def evaluate(grid: TileGrid, problems: list[ScenarioLine], show_progress: bool = False) -> dict[str, Any]:
    """Walk every problem and measure the routes; keys as in the module's text, without ``map``."""
    began = time.perf_counter()
    router = ExactRouter(BlockGraph(grid))
    ratios: list[float] = []
    refused = back = 0
    turned = tiles = 0.0
    goal: tuple[int, int] | None = None
    for problem in _shown(sorted(problems, key=lambda line: line.goal), show_progress):
        if not grid.is_connected(problem.start, problem.goal):
            refused += 1
            continue
        if problem.goal != goal:
            goal = problem.goal
            router.set_goals([goal])
        path = router.path(problem.start)
        if len(path) == 0 or tuple(path[-1].tolist()) != goal:
            continue
        length = octile_length(path)
        ratios.append(length / problem.optimal_length if problem.optimal_length > 0 else 1.0)
        turned += turning(path)
        tiles += len(path) - 1
        back += reversals(path)
    found = np.array(ratios or [math.nan])
    return {
        "pairs": len(problems),
        "arrived": len(ratios),
        "refused": refused,
        "solver": "exact",
        "ratio_mean": float(found.mean()),
        "ratio_p99": float(np.percentile(found, 99)),
        "ratio_max": float(found.max()),
        "euclid_ratio_mean": None,
        "turning_per_tile": turned / max(tiles, 1.0),
        "reversals": back,
        "seconds": round(time.perf_counter() - began, 3),
    }


def _shown(problems: list[ScenarioLine], show_progress: bool) -> Iterator[ScenarioLine]:
    """The problems, with a bar on the error stream."""
    for index, problem in enumerate(problems):
        if show_progress and index % 50 == 0:
            done = 40 * index // len(problems)
            print(f"\r[{'#' * done}{'.' * (40 - done)}] {index}/{len(problems)}", end="", file=sys.stderr, flush=True)
        yield problem
    if show_progress:
        print(f"\r[{'#' * 40}] {len(problems)}/{len(problems)}", file=sys.stderr, flush=True)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m pynav evaluate``."""
    parser.add_argument("map", type=Path, metavar="MAP", help="an octile .map file")
    parser.add_argument("scenario", type=Path, metavar="SCEN", help="its .scen file")
    parser.add_argument("--limit", type=int, metavar="N", help="an even sample of N lines")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")


def main(options: argparse.Namespace) -> int:
    """Evaluate from the command line; 0 if every reachable pair arrived, 1 if not, 2 for files that can't be used."""
    try:
        grid = TileGrid(load_octile_map(options.map))
        problems = load_scenario(options.scenario)
    except MapFormatError as error:
        print(f"pynav: {error}", file=sys.stderr)
        return 2
    if (problems[0].width, problems[0].height) != (grid.width, grid.height):
        line = problems[0]
        print(f"pynav: expected a scenario of {grid.width} x {grid.height}, got {line.width} x {line.height}", file=sys.stderr)
        return 2
    if options.limit is not None and 0 < options.limit < len(problems):
        problems = [problems[index * len(problems) // options.limit] for index in range(options.limit)]
    report = {"map": options.map.name, **evaluate(grid, problems, sys.stderr.isatty())}
    print(json.dumps(report, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0 if report["arrived"] + report["refused"] == report["pairs"] else 1
