"""The horde without an engine: ``python -m pynav.headless`` runs the world alone, reports, and draws a picture of it.

The report has the keys of the engine's run: units, arrived, ticks, tick_ms_p50, tick_ms_p99, tick_ms_max, python_ms_p99 (time on
the main thread beyond kernels), hash, threads, threads_used, backend, moved, versions.
"""

import argparse
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError, MapFormatError, TileGrid, generate_map, load_octile_map
from pynav.kernels import KernelError, backend_in_use, get_threads, reset_stats, stats
from pynav.picture import world_picture, write_png
from pynav.world import World

TICK_SECONDS = 1.0 / 60.0
MAP_SIDE = 1024
MOVED_TILES = 0.1


def main(arguments: list[str] | None = None) -> int:
    """Run from the command line; 0 if all went well, 2 for arguments or files that can't be used."""
    options = _parser().parse_args(arguments)
    try:
        report = run(options)
    except (GridError, MapFormatError, KernelError, ValueError, OSError) as problem:
        print(f"pynav: {problem}", file=sys.stderr)
        return 2
    if options.report is not None:
        options.report.parent.mkdir(parents=True, exist_ok=True)
        options.report.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    shown = ("units", "arrived", "ticks", "tick_ms_p50", "tick_ms_p99", "tick_ms_max", "python_ms_p99", "threads_used", "hash")
    print(", ".join(f"{name} {report[name]}" for name in shown))
    return 0


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Make the world, run it, draw it; returns the report."""
    seed = options.seed
    if options.map is None:
        made = generate_map("keep", MAP_SIDE, MAP_SIDE, seed)
        grid = TileGrid(made.cost)
        goal: npt.NDArray[np.integer[Any]] = made.goals
        areas = made.spawn_areas
    else:
        grid = TileGrid(load_octile_map(options.map))
        goal = _middle_of_largest_part(grid)
        areas = None
    if options.goal is not None:
        goal = np.array([options.goal], dtype=np.int32)
    world = World(threads=options.threads, seed=seed)
    world.set_grid(grid)
    crowd = world.add_crowd(0, options.speed, options.radius, arrive_radius=options.arrive_radius, on_arrival=options.on_arrival)
    crowd.set_goal(goal)
    if areas is None or options.goal is not None:
        crowd.spawn_in(options.units)
    else:
        shares = np.full(len(areas), options.units // len(areas))
        shares[: options.units % len(areas)] += 1
        for area, share in zip(areas, shares, strict=True):
            x, y, columns, rows = (int(value) for value in area)
            crowd.spawn_in(int(share), (x, y, columns, rows))
    world.finish_builds()
    start = crowd.positions.copy()
    buffer = np.zeros(crowd.slot_count * 16, dtype=np.float32)
    affine = np.array([[32, 0, 0], [0, 32, 0]], dtype=np.float32)
    white = (1.0, 1.0, 1.0, 1.0)
    total = np.zeros(options.ticks, dtype=np.int64)
    kernels = np.zeros(options.ticks, dtype=np.int64)
    filling = crowd.bind_buffer_2d(buffer, affine, color=white, custom=True)
    filling.run()
    reset_stats()
    ticks = 0
    for tick in range(options.ticks):
        before = stats().kernel_nanoseconds
        began = time.perf_counter_ns()
        world.step(TICK_SECONDS)
        filling.run()
        total[tick] = time.perf_counter_ns() - began
        kernels[tick] = stats().kernel_nanoseconds - before
        ticks = tick + 1
        if options.until_arrived and crowd.arrived_count >= options.units:
            break
    total, kernels = total[:ticks], kernels[:ticks]
    moved = (np.square(crowd.positions - start).sum(axis=1) > MOVED_TILES**2) | ~crowd.alive
    if options.picture is not None:
        options.picture.parent.mkdir(parents=True, exist_ok=True)
        write_png(options.picture, world_picture(world))
    return {
        "units": options.units,
        "arrived": crowd.arrived_count,
        "ticks": ticks,
        "tick_ms_p50": _milliseconds(total, 50),
        "tick_ms_p99": _milliseconds(total, 99),
        "tick_ms_max": _milliseconds(total, 100),
        "python_ms_p99": _milliseconds(total - kernels, 99),
        "hash": world.state_hash(),
        "threads": get_threads(),
        "threads_used": stats().threads_used,
        "backend": backend_in_use(),
        "moved": int(np.count_nonzero(moved)),
        "versions": {"python": platform.python_version(), "numpy": np.__version__},
    }


def _milliseconds(nanoseconds: npt.NDArray[np.int64], percentile: float) -> float:
    return round(float(np.percentile(nanoseconds, percentile)) * 1e-6, 3) if nanoseconds.size else 0.0


def _middle_of_largest_part(grid: TileGrid) -> npt.NDArray[np.int64]:
    """The tile nearest to the middle of the map in its largest connected part."""
    labels = grid.components()
    sizes = np.bincount(labels.reshape(-1))
    sizes[0] = 0
    tile = grid.nearest_free(grid.width // 2, grid.height // 2, int(np.argmax(sizes)))
    if tile is None:
        raise GridError("the map has no free tile")
    return np.array([tile], dtype=np.int64)


def _tile(text: str) -> tuple[int, int]:
    parts = text.split(",")
    try:
        x, y = (int(part) for part in parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a tile as X,Y, got {text!r}") from None
    return x, y


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least 1, got {text}")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m pynav.headless", description="The horde without an engine.")
    parser.add_argument("--units", type=_count, default=65_535, metavar="N")
    parser.add_argument("--ticks", type=_count, default=600, metavar="N", help="ticks of 1/60 s")
    parser.add_argument("--map", type=Path, metavar="FILE", help="octile .map file; default: a generated keep")
    parser.add_argument("--goal", type=_tile, metavar="X,Y", help="goal tile; default: the keep, or the middle of the map")
    parser.add_argument("--threads", type=_count, metavar="T", help="threads that run kernels")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the generated map and of the units")
    parser.add_argument("--speed", type=float, default=3.0, help="tiles a second")
    parser.add_argument("--radius", type=float, default=0.3, help="of a unit, tiles")
    parser.add_argument("--arrive-radius", type=float, default=3.0, help="tiles around the goal")
    parser.add_argument("--on-arrival", choices=("stop", "remove"), default="stop")
    parser.add_argument("--until-arrived", action="store_true", help="end early once all units have arrived")
    parser.add_argument("--report", "--json", type=Path, metavar="FILE", help="write the report as JSON")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the world at the end as a PNG")
    return parser


if __name__ == "__main__":
    sys.exit(main())
