"""Benchmark of crowd scenarios: whether everybody gets through, how fast, how far discs sink into one another; beside pyrvo and
the engine's own avoidance.

Twenty seeds of each scenario (benchmarks/scenarios/geometry.py has the maps and the time limits) for our crowd, two of them
for the peers, which take far longer. An answer is right if every run resolved, nobody's middle was ever in a solid
tile, nobody changed direction after arrival, and no two discs overlapped by 12 % of their radii.
"""

from collections.abc import Callable

import numpy as np

from benchmarks.scenarios.engine_runs import run_engine
from benchmarks.scenarios.geometry import SCENARIOS
from benchmarks.scenarios.peer import run_peer
from benchmarks.scenarios.runs import Outcome, drawn, run_ours
from benchmarks.table import Row, row

SEEDS = tuple(range(20))
PEER_SEEDS = SEEDS[:2]
MOST_OVERLAP = 0.12


def _percentile(outcomes: list[Outcome], percentile: float) -> float | None:
    """Of the seconds to arrive; None if not everybody did."""
    if not all(outcome.resolved for outcome in outcomes):
        return None
    return float(np.percentile(np.concatenate([outcome.measures.arrived_at for outcome in outcomes]), percentile))


def _per_agent(outcomes: list[Outcome], name: str) -> float:
    return float(sum(getattr(one.measures, name) for one in outcomes) / sum(len(one.measures.radius) for one in outcomes))


def _resolved(outcomes: list[Outcome]) -> float:
    return 100.0 * float(np.mean([outcome.resolved for outcome in outcomes]))


def _overlap(outcomes: list[Outcome]) -> float:
    return 100.0 * max(outcome.measures.overlap for outcome in outcomes)


def scenario_rows(name: str, peers: dict[str, list[Outcome]]) -> list[Row]:
    """Rows of one scenario, beside each peer's runs."""
    ours = [run_ours(name, seed) for seed in SEEDS]
    calm = sum(one.measures.in_solid + one.measures.turns_after for one in ours) == 0
    ok = _resolved(ours) == 100.0 and calm and _overlap(ours) < 100.0 * MOST_OVERLAP
    note = f"{name} ({drawn(name, 0).limit:.0f} s)"
    measured: dict[str, tuple[str, Callable[[list[Outcome]], float | None]]] = {
        "runs resolved, more is better": ("%", _resolved),
        "arrival, p50": ("s", lambda runs: _percentile(runs, 50)),
        "arrival, p95": ("s", lambda runs: _percentile(runs, 95)),
        "largest overlap": ("%", _overlap),
        "hard stops an agent": ("", lambda runs: _per_agent(runs, "hard_stops")),
        "reversals an agent": ("", lambda runs: _per_agent(runs, "reversals")),
    }
    return [
        row(f"{note}: {what}", figure(ours), unit, peer, figure(runs), ok)
        for what, (unit, figure) in measured.items()
        for peer, runs in peers.items()
    ]


def rows() -> list[Row]:
    """All rows of this benchmark."""
    drawings = [(name, seed) for name in SCENARIOS for seed in PEER_SEEDS]
    by_engine = dict(zip(drawings, run_engine(drawings) or [], strict=False))
    found = []
    for name in SCENARIOS:
        peers = {f"pyrvo, {len(PEER_SEEDS)} seeds": [run_peer(name, seed) for seed in PEER_SEEDS]}
        if by_engine:
            peers[f"NavigationServer2D, {len(PEER_SEEDS)} seeds"] = [by_engine[name, seed] for seed in PEER_SEEDS]
        found += scenario_rows(name, peers)
    return found
