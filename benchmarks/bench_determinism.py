"""The full determinism matrix: 65,535 units whose every bit must come out the same in all circumstances, over thousands of ticks.

Each run is timed beside one of a single thread; its answer is right if the state's hash was equal at every check on the way.
For a short one: ``python -m benchmarks.bench_determinism --ticks 200``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.table import Row, row
from pynav.kernels import get_threads, pool, set_threads
from tests.determinism.scenes import GAME, HUGE_SLICE, LARGE_RAID, RAID, Circumstances, Played, Scene, Variation, play

ROOT = Path(__file__).resolve().parents[1]
UNITS = 65_535
TICKS = {RAID.name: 10_000, GAME.name: 2_000, LARGE_RAID.name: 10_000}
OTHER_TICKS = 100  # of the runs with another seed, map and goal


def _matrix(ticks: int) -> list[Circumstances]:
    middle = tuple(range(1, ticks, max(1, ticks // 10)))
    return [
        Circumstances(2, "starved", HUGE_SLICE),
        Circumstances(3, "instant", 1, middle),
        Circumstances(7, "free", 1),
        Circumstances(16, "free", None, middle),
    ]


def _timed(scene: Scene, given: Circumstances, units: int, ticks: int) -> tuple[Played, float]:
    """A run, and milliseconds a tick."""
    began = time.perf_counter()
    played = play(scene, given, None, units, ticks)
    return played, (time.perf_counter() - began) * 1e3 / ticks


def _in_process(scene: Scene, units: int, ticks: int, options: list[str]) -> tuple[str, str, float]:
    """A run in a process of its own: its hash, its backend, milliseconds a tick (start and compiling included)."""
    numbers = ["--units", str(units), "--ticks", str(ticks)]
    began = time.perf_counter()
    command = [sys.executable, "-m", "tests.determinism.play", *options, *numbers, scene.name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["hashes"][scene.name], found["backend"], (time.perf_counter() - began) * 1e3 / ticks


def _differs(scene: Scene, units: int) -> bool:
    """Whether seed, map and goal show in the hash, and units have moved."""
    variations = (None, Variation(seed=8), Variation(map_seed=2), Variation(goal=41))
    hashes = {play(scene, Circumstances(2), other, units, OTHER_TICKS).hash for other in variations}
    return len(hashes) == len(variations)


def _scene_rows(scene: Scene, units: int, ticks: int) -> list[Row]:
    reference, alone = _timed(scene, Circumstances(1), units, ticks)
    note, peer = f"determinism: {scene.name}, {units:,} units, {ticks:,} ticks", "one thread"
    moved = sum(int((abs(crowd.velocities).sum(axis=1) > 0.5).sum()) for crowd in reference.world.crowds)
    found = [row(f"{note}, one thread", alone, "ms/tick", None, None, moved > 0 and _differs(scene, units))]
    for given in _matrix(ticks):
        played, taken = _timed(scene, given, units, ticks)
        is_same = played.first_difference(reference) is None and played.finished == reference.finished
        what = f"{played.threads_used} of {given.threads} threads, {given.pace}, {len(given.restore_at)} restores"
        found.append(row(f"{note}, {what}", taken, "ms/tick", peer, alone, is_same and played.threads_used > 1))
    levels = [["--level", str(level)] for level in (1, 3) if level <= pool.processor_level()]
    for options in [*levels, ["--backend", "jit"]]:
        state, backend, taken = _in_process(scene, units, ticks, options)
        found.append(row(f"{note}, {backend}", taken, "ms/tick", peer, alone, state == reference.hash))
    return found


def rows(units: int = UNITS, ticks: int | None = None) -> list[Row]:
    """All rows of this benchmark."""
    before = get_threads()
    found = [one for scene in (RAID, GAME, LARGE_RAID) for one in _scene_rows(scene, units, ticks or TICKS[scene.name])]
    set_threads(before)
    return found


def main() -> None:
    """Run it with other numbers."""
    parser = argparse.ArgumentParser(description="The determinism matrix.")
    parser.add_argument("--units", type=int, default=UNITS)
    parser.add_argument("--ticks", type=int)
    options = parser.parse_args()
    for found in rows(options.units, options.ticks):
        print(found["name"], found["value"], "ok" if found["answer_ok"] else "WRONG ANSWER", flush=True)


if __name__ == "__main__":
    main()
