"""Every scene comes out the same, bit by bit, whatever the threads, the background thread's pace and slices, restores on the way,
kernel backend and processor baseline. And the hash is no constant.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pynav.jobs import JobBudget
from pynav.kernels import get_backend, get_threads, pool, set_backend, set_threads
from tests.determinism.scenes import GAME, HUGE_SLICE, RAID, SCENES, SMALL, Circumstances, Played, Variation, play

ROOT = Path(__file__).resolve().parents[2]
# Each number of threads, each pace, each slice size, with and without restores: right before, in and after orders, edits, builds
# and repairs.
MATRIX = (
    Circumstances(2, "starved", HUGE_SLICE),
    Circumstances(3, "instant", 1, restore_at=(0, 1, 4, 13, 61, 91, 110)),
    Circumstances(7, "free", 1),
    Circumstances(16, "free", None, restore_at=(2, 30, 31, 60, 62, 93)),
    Circumstances(1, "starved", 1, restore_at=(*range(5, 24), 61, 92, 100)),
)


@cache
def reference(name: str) -> Played:
    """One thread, as in play."""
    return play(SCENES[name], Circumstances(1))


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threads, backend = get_threads(), get_backend()
    yield
    set_threads(threads)
    set_backend(backend)


@pytest.mark.parametrize("given", MATRIX, ids=str)
@pytest.mark.parametrize("name", SCENES)
def test_circumstances_do_not_show(name: str, given: Circumstances) -> None:
    played = play(SCENES[name], given)
    assert played.first_difference(reference(name)) is None
    assert played.world.save() == reference(name).world.save()
    print(f"{name}: {given.threads} threads, {played.threads_used} of them ran blocks; {played.late} of {played.finished} late")
    assert played.finished == reference(name).finished > 1
    assert 1 <= played.threads_used <= given.threads
    if given.pace == "starved":
        assert played.late == played.finished, "every search was done at its deadline"
    if given.pace == "instant":
        assert played.late == 0


@pytest.mark.parametrize("threads", [2, 7])
def test_threads_are_seen_at_work(threads: int) -> None:
    assert 2 <= play(RAID, Circumstances(threads)).threads_used <= threads


@pytest.mark.parametrize("backend", ["python", "jit"])
def test_backends_do_not_show(backend: str) -> None:
    expected = {scene.name: reference(scene.name) for scene in ((SMALL,) if backend == "python" else (SMALL, RAID))}
    set_backend(backend)
    for name, found in expected.items():
        assert play(SCENES[name], Circumstances(2)).first_difference(found) is None, name


@pytest.mark.parametrize("level", [1, 3])
def test_processor_baselines_do_not_show(level: int) -> None:
    """A process for each: a library, once loaded, stays."""
    if level > pool.processor_level():
        pytest.skip("this processor has no x86-64-v3")
    command = [sys.executable, "-m", "tests.determinism.play", "--level", str(level), "raid", "game", "small"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["backend"] == {1: "library x86-64", 3: "library x86-64-v3"}[level]
    assert found["hashes"] == {name: reference(name).hash for name in ("raid", "game", "small")}


@pytest.mark.parametrize("name", SCENES)
def test_seed_map_and_goal_show(name: str) -> None:
    scene = SCENES[name]
    changed = [play(scene, None, other) for other in (Variation(seed=8), Variation(map_seed=2), Variation(goal=41))]
    assert len({reference(name).hash, *(other.hash for other in changed)}) == 4


def test_the_budget_shows() -> None:
    """It is part of the state: so that it is kept equal above says something."""

    def with_budget(budget: JobBudget) -> str:
        def act(world: object, tick: int) -> None:
            if tick == 0:
                world.job_budget = budget  # type: ignore[attr-defined]
            GAME.act(world, tick)  # type: ignore[arg-type]

        return play(type(GAME)("game", 60, 200, GAME.make, act)).hash

    hashes = {with_budget(JobBudget(40, 30, 1)), with_budget(JobBudget(40, 300, 1)), with_budget(JobBudget(40, 30, 4))}
    assert len(hashes) == 3


@pytest.mark.parametrize("name", SCENES)
def test_units_move(name: str) -> None:
    crowds = reference(name).world.crowds
    fast = [np.hypot(*crowd.velocities[crowd.alive].T) > 0.5 for crowd in crowds]
    assert np.concatenate(fast).mean() > 0.2
    assert sum(crowd.arrived_count for crowd in crowds) > 0 or name != "raid"
