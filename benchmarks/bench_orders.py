"""Benchmarks of a whole game's load: 65,535 units, 64 goals, a building every 10 ticks, 64 new orders every 30 ticks; and of
1,000 groups that are sent elsewhere at once, each to a goal of its own.

Ticks come 60 times a second, so that the background thread has the time that it has in a game. In between the main thread stays
awake, as one that draws does: on a virtual machine a thread that slept finds a slower processor for milliseconds, and ticks
took 1.4 times as long (measured).
"""

import gc
import os
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from pynav.grid import TileGrid, load_octile_map
from pynav.jobs import SchedulerStatistics
from pynav.sectors import GoalValues
from pynav.world import World

ROOT = Path(__file__).resolve().parents[1]
MAPS = ("Aurora", "BigGameHunters")
UNITS = 65_535
GROUPS = 64
MANY_GROUPS = 1000
MANY_UNITS = 16_000
TICKS = 600
EDIT_EVERY = 10
ORDER_EVERY = 30
TICK = 1 / 60


class Game:
    """Groups of units on a real map, each with a goal of its own, and a player who builds and gives orders."""

    def __init__(self, cost: npt.NDArray[np.uint8], units: int = UNITS, groups: int = GROUPS) -> None:
        self.world = World(threads=2, seed=1)
        self.world.set_grid(TileGrid(cost))
        self._random = np.random.default_rng(3)
        assert self.world.grid is not None
        label = self.world.grid.components()
        self._free = np.argwhere(label == int(np.argmax(np.bincount(label.reshape(-1))[1:])) + 1)[:, ::-1]
        for group in range(groups):
            crowd = self.world.add_crowd(0, 3.0, 0.3)
            crowd.set_goal([self._tile()])
            x, y = self._tile()
            crowd.spawn_in(units * (group + 1) // groups - units * group // groups, (x - 64, y - 64, 128, 128))
        self.world.finish_builds()

    def _tile(self) -> tuple[int, int]:
        x, y = self._free[self._random.integers(len(self._free))]
        return int(x), int(y)

    def build(self) -> None:
        """Put a building of 3 x 3 tiles somewhere, or take one away."""
        grid = self.world.grid
        assert grid is not None
        x, y = self._tile()
        x, y = min(max(x, 1), grid.width - 4), min(max(y, 1), grid.height - 4)
        is_wall = bool(self._random.integers(3))
        self.world.edit_cost(x, y, np.full((3, 3), 0 if is_wall else 1, dtype=np.uint8))

    def order(self) -> None:
        """Send every group somewhere else."""
        for crowd in self.world.crowds:
            crowd.set_goal([self._tile()])

    def is_right(self) -> bool:
        """Whether every eighth flow has the values of a build from nothing."""
        self.world.finish_builds()
        flows = self.world._flows
        assert flows is not None
        for flow in [flow for flow in flows.flows if flow is not None][::8]:
            fresh = GoalValues(flows.graph)
            tiles = np.floor(flow.points).astype(np.int64)
            fresh.build(tiles[flows.graph.cost[tiles[:, 1], tiles[:, 0]] != 0])
            if not (fresh.value == flows.value[flow.index]).all():
                return False
        return True


def _settle_memory() -> None:
    """As the addon does when it has started; and what the game before has left isn't freed in the ticks of this one."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _stay_awake(until: float) -> None:
    """Until a time of ``perf_counter``."""
    while time.perf_counter() < until:
        pass


def _map_rows(name: str, cost: npt.NDArray[np.uint8]) -> list[Row]:
    game = Game(cost)
    world = game.world
    for _ in range(30):
        world.step(TICK)
    _settle_memory()
    assert world._flows is not None
    world._flows.scheduler.statistics = statistics = SchedulerStatistics()  # without the loading
    plain, with_edit, with_orders = [], [], []
    for tick in range(TICKS):
        began = time.perf_counter()
        is_edit, is_order = tick % EDIT_EVERY == EDIT_EVERY // 2, tick % ORDER_EVERY == 0
        if is_edit:
            game.build()
        if is_order:
            game.order()
        world.step(TICK)
        taken = time.perf_counter() - began
        (with_orders if is_order else with_edit if is_edit else plain).append(taken * 1e3)
        _stay_awake(began + TICK)
    ages = np.array(statistics.repair_ticks)
    late = statistics.late / max(statistics.finished, 1)
    overshoot = float(np.percentile(np.array(statistics.overshoot_us), 99.9)) / 1e3
    ok = game.is_right()
    note = f"game: {name}, 65,535 units, 64 goals"
    return [
        row(f"{note}, tick, median", float(np.median(plain)), "ms", None, None, ok),
        row(f"{note}, tick, p99", float(np.percentile(plain, 99)), "ms", "budget", 6.0, ok),
        row(f"{note}, tick with an edit, p99", float(np.percentile(with_edit, 99)), "ms", "budget", 6.0, ok),
        row(f"{note}, tick with 64 orders, worst", max(with_orders), "ms", "budget", 12.0, ok),
        row(f"{note}, fields right after an edit, p99", float(np.percentile(ages, 99)), "ticks", "budget", 6.0, ok),
        row(f"{note}, over a budget of 2 ms, p99.9", overshoot, "ms", "budget", 0.3, ok),
        row(f"{note}, searches not done in time", late, "share", None, None, ok),
    ]


def _many_groups_rows(name: str, cost: npt.NDArray[np.uint8]) -> list[Row]:
    """All groups are sent elsewhere in one frame; then ticks until each has the field to its goal."""
    game = Game(cost, MANY_UNITS, MANY_GROUPS)
    world = game.world
    for _ in range(30):
        world.step(TICK)
    _settle_memory()
    began = time.perf_counter()
    game.order()
    ordered = time.perf_counter() - began
    times = []
    while world.queue_length and len(times) < 2 * TICKS:
        began = time.perf_counter()
        world.step(TICK)
        times.append(time.perf_counter() - began)
        _stay_awake(began + TICK)
    ok = not world.queue_length and game.is_right()
    note = f"game: {name}, {MANY_GROUPS:,} groups of {MANY_UNITS // MANY_GROUPS} sent at once"
    return [
        row(f"{note}, an order", ordered / MANY_GROUPS * 1e6, "us", None, None, ok),
        row(f"{note}, tick until all have fields, median", float(np.median(times)) * 1e3, "ms", None, None, ok),
        row(f"{note}, the same, p99", float(np.percentile(times, 99)) * 1e3, "ms", None, None, ok),
        row(f"{note}, all have fields after", len(times) * TICK, "s", None, None, ok),
    ]


def rows() -> list[Row]:
    """All rows of this benchmark."""
    folder = Path(os.environ.get("PYNAV_MAPS", ROOT.parent / "shared" / "maps")) / "movingai"
    if not folder.is_dir():
        print(f"bench_orders: no folder {folder}; set PYNAV_MAPS for the rows of real maps")
        return []
    found = []
    for name in MAPS:
        cost = load_octile_map(folder / f"{name}.map")
        found += _map_rows(name, cost) + _many_groups_rows(name, cost)
    return found
