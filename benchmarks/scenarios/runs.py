"""Runs of a scenario by our crowd (the peer's: peer.py)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.scenarios.geometry import SCENARIOS, SPEED, Scenario
from benchmarks.scenarios.measures import Measures
from pynav.grid import TileGrid
from pynav.world import World

DT = 1.0 / 60.0
SPEED_VARIATION = 0.1
SETTLED = 0.01  # tiles a second: nobody is faster once all have settled
SETTLED_TICKS = 60
_ARRIVED = 2


@dataclass
class Outcome:
    """Of one run."""

    resolved: bool
    seconds: float
    measures: Measures


def drawn(name: str, seed: int) -> Scenario:
    """The scenario as its seed draws it."""
    return SCENARIOS[name](np.random.default_rng(seed))


def radii(scenario: Scenario) -> npt.NDArray[np.float64]:
    """(n,) of all agents, group by group."""
    return np.concatenate([np.full(len(group.start), group.radius) for group in scenario.groups])


def run_ours(name: str, seed: int, threads: int = 1) -> Outcome:
    """Our crowd, one thread: it holds for any number, bit by bit."""
    scenario = drawn(name, seed)
    world = World(threads=threads, seed=seed)
    world.set_grid(TileGrid(scenario.cost))
    on_arrival = "remove" if scenario.leaves else "stop"
    for group in scenario.groups:
        crowd = world.add_crowd(
            0, SPEED, group.radius, arrive_radius=scenario.arrive_radius, on_arrival=on_arrival, speed_variation=SPEED_VARIATION
        )
        crowd.spawn(group.start)
        crowd.set_goal(group.goal)
    world.finish_builds()
    measures = Measures(scenario.cost, radii(scenario), SPEED * (1.0 + SPEED_VARIATION), DT)
    rest = 0
    for tick in range(int(scenario.limit / DT)):
        world.step(DT)
        position = np.concatenate([crowd.positions for crowd in world.crowds]).astype(np.float64)
        there = np.concatenate([crowd.alive for crowd in world.crowds])
        states = np.concatenate([crowd.states for crowd in world.crowds])
        arrived = ~there | (states == _ARRIVED)
        measures.take(position, there, arrived)
        velocity = np.concatenate([crowd.velocities for crowd in world.crowds])[there]
        is_at_rest = scenario.leaves or np.abs(velocity).max(initial=0.0) < SETTLED
        rest = rest + 1 if arrived.all() and is_at_rest else 0
        if rest > (0 if scenario.leaves else SETTLED_TICKS):
            return Outcome(True, tick * DT, measures)
    return Outcome(False, scenario.limit, measures)
