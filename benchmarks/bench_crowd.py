"""Benchmarks of a horde: the tick of 65,535 agents in the core and in the engine, beside the engine's own avoidance."""

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from pynav.grid import TileGrid, generate_map
from pynav.kernels import get_threads, set_threads
from pynav.world import World
from tests.bridge.engine_project import GODOT

ROOT = Path(__file__).resolve().parents[1]
AGENTS = 65_535
WARM_TICKS = 60
TICKS = 240
PEER_AGENTS = 4_000
PEER_TICKS = 120
TICK = np.float32(1 / 60)


def _open_world(agents_per_tile: float) -> World:
    """Agents that cross an open square to its middle."""
    side = int(np.sqrt(AGENTS / agents_per_tile))
    world = World(seed=3)
    world.set_grid(TileGrid(np.ones((side, side), dtype=np.uint8)))
    crowd = world.add_crowd(AGENTS, 6.0, 0.3)
    crowd.set_goal((side // 2, side // 2))
    world.finish_builds()
    return world


def _keep_world() -> World:
    """The demo's map and its camps."""
    made = generate_map("keep", 1024, 1024, 0)
    world = World(seed=0)
    world.set_grid(TileGrid(made.cost))
    crowd = world.add_crowd(0, 6.0, 0.3, arrive_radius=1.5, on_arrival="remove")
    crowd.set_goal(made.goals)
    count = len(made.spawn_areas)
    for index, area in enumerate(made.spawn_areas):
        x, y, columns, rows = (int(value) for value in area)
        crowd.spawn_in(AGENTS * (index + 1) // count - AGENTS * index // count, (x, y, columns, rows))
    world.finish_builds()
    return world


def _run(world: World) -> tuple[npt.NDArray[np.float64], str, bool]:
    """Milliseconds of each tick (step and filling), hash of the end, and whether all moved and nobody stands in a wall."""
    crowd = world.crowds[0]
    start = crowd.positions.copy()
    buffer = np.zeros(crowd.slot_count * 12, dtype=np.float32)
    filling = crowd.bind_buffer_2d(buffer, [[16, 0, 0], [0, 16, 0]], size=9.0, custom=True)
    times = np.zeros(TICKS)
    for tick in range(WARM_TICKS + TICKS):
        began = time.perf_counter_ns()
        world.step(float(TICK))
        filling.run()
        if tick >= WARM_TICKS:
            times[tick - WARM_TICKS] = (time.perf_counter_ns() - began) * 1e-6
    places = crowd.positions
    moved = bool((np.abs(places - start).max(axis=1) > 0.01)[crowd.alive].all())
    assert world.grid is not None
    free = world.grid.cost[places[:, 1].astype(np.int64), places[:, 0].astype(np.int64)] != 0
    return times, world.state_hash(), moved and bool(free[crowd.alive].all())


def _avoidance() -> tuple[float, bool]:
    """The engine's avoidance: microseconds an agent a tick, whole physics frames, and whether all agents moved."""
    with tempfile.TemporaryDirectory() as folder:
        tasks = Path(folder) / "tasks.json"
        tasks.write_text(json.dumps({"agents": PEER_AGENTS, "density": 1.0, "ticks": PEER_TICKS}), encoding="utf-8")
        (Path(folder) / "project.godot").write_text("config_version=5\n", encoding="utf-8")
        script = Path(__file__).with_name("peers") / "avoidance.gd"
        done = subprocess.run(
            [str(GODOT), "--headless", "--fixed-fps", "60", "--path", folder, "-s", str(script)],
            env={**os.environ, "PYNAV_PEER_TASKS": str(tasks)}, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
    line = next((line for line in done.stdout.splitlines() if line.startswith("{")), None)
    if line is None:
        raise RuntimeError(f"the engine's avoidance failed: {done.stdout[-500:]}{done.stderr[-500:]}")
    found: dict[str, Any] = json.loads(line)
    return float(found["tick_us_p50"]) / PEER_AGENTS, int(found["moved"]) > 0.95 * PEER_AGENTS


def _engine_rows(peer: str, peer_us: float) -> list[Row]:
    """The demo's own report of its ticks in the engine."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        done = subprocess.run(
            [str(GODOT), "--headless", "--path", str(ROOT), "--fixed-fps", "60", "res://scenes/horde/horde.tscn", "--",
             "--ticks", "600", "--units", str(AGENTS), "--report", str(report)],
            capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        if not report.is_file():
            raise RuntimeError(f"the horde gave no report: {done.stdout[-500:]}{done.stderr[-500:]}")
        found = json.loads(report.read_text(encoding="utf-8"))
    # In the thick of a camp one or another has not got away after 600 ticks.
    ok = found["moved"] > 0.999 * AGENTS and found["units"] == AGENTS and str(found["backend"]).startswith("library")
    return [
        row("horde in the engine, 65,535 units, tick, median", found["tick_ms_p50"], "ms", peer, peer_us * AGENTS / 1e3, ok),
        row("horde in the engine, 65,535 units, tick, p99", found["tick_ms_p99"], "ms", "budget", 12.0, ok),
        row("horde in the engine, Python a tick, p99", found["python_ms_p99"], "ms", "budget", 0.3, ok),
    ]


def rows() -> list[Row]:
    """All rows of this benchmark."""
    if not GODOT.exists():
        raise RuntimeError("the crowd's benchmark needs Godot for its peer: python3 dev.py setup")
    peer = f"NavigationServer2D avoidance, measured at {PEER_AGENTS:,}"
    peer_us, peer_ok = _avoidance()
    found = []
    threads = get_threads()
    for name, make in (
        ("open field, 1 agent in 1.6 tiles", lambda: _open_world(1 / 1.6)),
        ("open field, 1 agent in 3.8 tiles", lambda: _open_world(1 / 3.8)),
        ("the demo's map", _keep_world),
    ):
        set_threads(1)
        _, alone_hash, alone_ok = _run(make())
        set_threads(threads)
        times, state_hash, ok = _run(make())
        right = peer_ok and ok and alone_ok and state_hash == alone_hash
        us = times * 1e3 / AGENTS
        found.append(row(f"crowd: {name}, an agent a tick, median", float(np.median(us)), "us", peer, peer_us, right))
        found.append(row(f"crowd: {name}, tick of 65,535, p99", float(np.percentile(times, 99)), "ms", "budget", 12.0, right))
    return [*found, *_engine_rows(peer, peer_us)]
