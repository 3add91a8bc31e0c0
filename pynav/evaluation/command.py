"""The command ``python -m pynav evaluate``."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pynav.evaluation.walking import DEFAULT_GROUPS, DEFAULT_MOVING_GROUPS, DEFAULT_UNITS, MOST_GROUPS, evaluate
from pynav.grid import MapFormatError, ScenarioLine, TileGrid, load_octile_map, load_scenario
from pynav.router import SOLVERS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m pynav evaluate``."""
    parser.add_argument("map", type=Path, metavar="MAP", help="an octile .map file")
    parser.add_argument("scenario", type=Path, metavar="SCEN", help="its .scen file")
    parser.add_argument("--solver", choices=list(SOLVERS), default="exact", help="default: exact")
    parser.add_argument("--limit", type=int, metavar="N", help="an even sample of N lines")
    parser.add_argument(
        "--groups", type=int, metavar="N", default=DEFAULT_GROUPS,
        help=f"groups of 64 units looked at for splits, 0 to {MOST_GROUPS}; default: {DEFAULT_GROUPS}",
    )  # fmt: skip
    parser.add_argument(
        "--units", type=int, metavar="N", default=DEFAULT_UNITS,
        help=f"lines that a moving unit walks (exact solver), half a second each; default: {DEFAULT_UNITS}",
    )  # fmt: skip
    parser.add_argument(
        "--moving-groups", type=int, metavar="N", default=DEFAULT_MOVING_GROUPS,
        help=f"lines that 64 moving units walk together (exact solver), seconds each; default: {DEFAULT_MOVING_GROUPS}",
    )  # fmt: skip
    parser.add_argument("--no-cohesion", action="store_true", help="let these groups part where their shortest ways do")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON")


def _problem_with(options: argparse.Namespace) -> str | None:
    if options.limit is not None and options.limit < 1:
        return f"expected --limit of at least 1, got {options.limit}"
    if not 0 <= options.groups <= MOST_GROUPS:
        return f"expected --groups of 0 to {MOST_GROUPS}, got {options.groups}"
    for name, value in (("--units", options.units), ("--moving-groups", options.moving_groups)):
        if value < 0:
            return f"expected {name} of at least 0, got {value}"
    return None


def _evaluated(grid: TileGrid, lines: list[ScenarioLine], options: argparse.Namespace) -> dict[str, Any]:
    return evaluate(
        grid, lines, options.solver, options.groups, sys.stderr.isatty(), options.units, options.moving_groups,
        not options.no_cohesion,
    )  # fmt: skip


def main(options: argparse.Namespace) -> int:
    """Evaluate from the command line.

    Returns:
        0 if every reachable pair arrived and every generated unreachable one was refused, 1 if not, 2 for files or numbers that
        can't be used.
    """
    problem = _problem_with(options)
    try:
        if problem is None:
            grid = TileGrid(load_octile_map(options.map))
            lines = load_scenario(options.scenario)
            if (lines[0].width, lines[0].height) != (grid.width, grid.height):
                size = f"{lines[0].width} x {lines[0].height}"
                problem = f"expected a scenario of {grid.width} x {grid.height}, got {size}"
    except MapFormatError as error:
        problem = str(error)
    if problem is not None:
        print(f"pynav: {problem}", file=sys.stderr)
        return 2
    if options.limit is not None and options.limit < len(lines):
        lines = [lines[index * len(lines) // options.limit] for index in range(options.limit)]
    report = {"map": options.map.name, **_evaluated(grid, lines, options)}
    print(json.dumps(report, indent=2))
    if options.json is not None:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    is_complete = report["arrived"] + report["refused"] == report["pairs"] and report["units_arrived"] == report["units"]
    return 0 if is_complete and report["unreachable_refused"] == report["unreachable"] else 1
