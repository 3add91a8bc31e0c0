"""Benchmark of crowd scenarios: whether everybody gets through, how fast, how far discs sink into one another; beside pyrvo.

Twenty seeds of each scenario (benchmarks/scenarios/geometry.py has the maps and the time limits) for our crowd, two of them
for the peer, which takes far longer. An answer is right if every run resolved, nobody's middle was ever in a solid
tile, nobody changed direction after arrival, and no two discs overlapped by 12 % of their radii.
"""

import numpy as np

from benchmarks.scenarios.geometry import SCENARIOS
from benchmarks.scenarios.peer import run_peer
from benchmarks.scenarios.runs import Outcome, drawn, run_ours
from benchmarks.table import Row, row

SEEDS = tuple(range(20))
PEER_SEEDS = SEEDS[:2]
MOST_OVERLAP = 0.12
PEER = f"pyrvo, {len(PEER_SEEDS)} seeds"


def _percentile(outcomes: list[Outcome], percentile: float) -> float | None:
    """Of the seconds to arrive; None if not everybody did."""
    if not all(outcome.resolved for outcome in outcomes):
        return None
    return float(np.percentile(np.concatenate([outcome.measures.arrived_at for outcome in outcomes]), percentile))


def _per_agent(outcomes: list[Outcome], name: str) -> float:
    return float(sum(getattr(one.measures, name) for one in outcomes) / sum(len(one.measures.radius) for one in outcomes))


def _overlap(outcomes: list[Outcome]) -> float:
    return 100.0 * max(outcome.measures.overlap for outcome in outcomes)


def scenario_rows(name: str) -> list[Row]:
    """Rows of one scenario."""
    ours, peers = [run_ours(name, seed) for seed in SEEDS], [run_peer(name, seed) for seed in PEER_SEEDS]
    resolved, peer_resolved = (100.0 * float(np.mean([one.resolved for one in runs])) for runs in (ours, peers))
    calm = sum(one.measures.in_solid + one.measures.turns_after for one in ours) == 0
    ok = resolved == 100.0 and calm and _overlap(ours) < 100.0 * MOST_OVERLAP
    note = f"{name} ({drawn(name, 0).limit:.0f} s)"
    return [
        row(f"{note}: runs resolved, more is better", resolved, "%", PEER, peer_resolved, ok),
        row(f"{note}: arrival, p50", _percentile(ours, 50), "s", PEER, _percentile(peers, 50), ok),
        row(f"{note}: arrival, p95", _percentile(ours, 95), "s", PEER, _percentile(peers, 95), ok),
        row(f"{note}: largest overlap", _overlap(ours), "%", PEER, _overlap(peers), ok),
        row(f"{note}: hard stops an agent", _per_agent(ours, "hard_stops"), "", PEER, _per_agent(peers, "hard_stops"), ok),
        row(f"{note}: reversals an agent", _per_agent(ours, "reversals"), "", PEER, _per_agent(peers, "reversals"), ok),
    ]


def rows() -> list[Row]:
    """All rows of this benchmark."""
    return [found for name in SCENARIOS for found in scenario_rows(name)]
