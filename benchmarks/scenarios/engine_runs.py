"""The second peer of the scenarios: the engine's own avoidance (NavigationServer2D), led and placed like the first (peer.py)."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.engine_peer import engine_answers
from benchmarks.scenarios.geometry import SPEED, Group, Scenario
from benchmarks.scenarios.measures import Measures
from benchmarks.scenarios.peer import (
    HORIZON_SECONDS,
    NEIGHBOUR_TILES,
    NEIGHBOURS,
    PUSH,
    THERE_TILES,
    WALL_HORIZON_SECONDS,
    Lead,
    arrival_distance,
    wall_runs,
)
from benchmarks.scenarios.runs import DT, SPEED_VARIATION, Outcome, drawn, radii

_TIMEOUT_SECONDS = 1800.0


def run_engine(drawings: list[tuple[str, int]]) -> list[Outcome] | None:
    """Runs of some drawings (scenario, seed); None, with a line that says why, without an engine."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.bin") for number in range(len(drawings))]
        tasks = [_task(drawn(*drawing), drawing[1], file) for drawing, file in zip(drawings, files, strict=True)]
        answers = engine_answers("scenarios.gd", tasks, _TIMEOUT_SECONDS)
        if answers is None:
            return None
        return [
            _judged(drawn(*drawing), answer, np.fromfile(file, dtype=np.uint8))
            for drawing, answer, file in zip(drawings, answers, files, strict=True)
        ]


def _task(scenario: Scenario, seed: int, file: Path) -> dict[str, Any]:
    random = np.random.default_rng(seed + 1000)
    start = np.concatenate([group.start for group in scenario.groups])
    return {
        "ticks": int(scenario.limit / DT),
        "leaves": scenario.leaves,
        "near": arrival_distance(scenario),
        "push": PUSH,
        "seed": seed,
        "neighbours": NEIGHBOURS,
        "neighbour_tiles": NEIGHBOUR_TILES,
        "horizon": HORIZON_SECONDS,
        "wall_horizon": WALL_HORIZON_SECONDS,
        "there": THERE_TILES,
        "width": scenario.cost.shape[1],
        "walls": wall_runs(scenario.cost),
        "radius": radii(scenario).tolist(),
        "speed": (SPEED * (1.0 + random.uniform(-SPEED_VARIATION, SPEED_VARIATION, len(start)))).tolist(),
        "start": start.tolist(),
        "groups": [_group(scenario.cost, group) for group in scenario.groups],
        "file": str(file),
    }


def _group(cost: npt.NDArray[np.uint8], group: Group) -> dict[str, Any]:
    lead = Lead(cost, group)
    rows, columns = np.indices(cost.shape).reshape(2, -1)
    tiles = np.stack([columns, rows], axis=1)
    return {
        "count": len(group.start),
        "goals": lead.goals.tolist(),
        "ahead": [] if lead.is_open else (lead.ahead(tiles) + 0.5).tolist(),
        "nearest": lead.nearest(tiles.astype(np.float64) + 0.5).tolist(),
    }


def _judged(scenario: Scenario, answer: dict[str, Any], written: npt.NDArray[np.uint8]) -> Outcome:
    """What the judge of all runs finds in the places that the engine wrote."""
    radius = radii(scenario)
    count, ticks = len(radius), int(answer["ticks"])
    written = written.reshape(ticks, 9 * count)
    places = np.ascontiguousarray(written[:, : 8 * count]).view(np.float32).reshape(ticks, count, 2).astype(np.float64)
    measures = Measures(scenario.cost, radius, SPEED * (1.0 + SPEED_VARIATION), DT)
    for place, marks in zip(places, written[:, 8 * count :], strict=True):
        arrived = marks != 0
        measures.take(place, ~arrived if scenario.leaves else np.ones(count, dtype=bool), arrived)
    is_resolved = bool(answer["resolved"])
    return Outcome(is_resolved, ticks * DT if is_resolved else scenario.limit, measures)
