"""Benchmarks of what a formation of 65,535 units costs the tick: its order, and the work on the main thread in each later tick.

A formation's work is counted in slices (pynav/formations/sliced_work.py), so each tick of a case does the same in each run: what
is shown is the longest tick, each taken from the fastest of its runs. *Formation work* is ``FormationOrders.advance`` (plans,
taking places up, gaps, surveys of clusters), in processor time of the main thread; the kernels that lead units are a part of the
tick's sequence and are not in it. The tick of the order is the call and the step behind it, all that a game waits for.

Cases: units spread over a map of 512 x 512 tiles run, or march as one; units in 40 camps march in clusters, which merge; and a
block marches ten tiles, so that it arrives and forms up. Peer of a tick: the median step of the same units once under way.
``ok``: units move in the tick of the order, all of them in the eighth (each is steered anew every eighth), each unit has one slot
of its own class, and the runs end with the same bits.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from pynav.formations import DragGrid, OrderedFormation
from pynav.grid import TileGrid
from pynav.world import World

TICK = 1.0 / 60.0
ALL = 65_535
MAP_TILES = 512
SETTLED_IN_TICKS = 8  # before the order
ALL_MOVE_TICKS = 8  # within which each unit is steered anew
RUNS = 3
Floats = npt.NDArray[Any]


class Case(NamedTuple):
    """Where units stand, what they are told, and for how many ticks one looks."""

    places: Callable[[], Floats]
    grid: DragGrid
    mode: str
    ticks: int


def _spread() -> Floats:
    return np.random.default_rng(3).uniform(1.0, MAP_TILES - 1.0, (ALL, 2))


def _camps() -> Floats:
    generator = np.random.default_rng(0)
    middles = generator.uniform(40.0, MAP_TILES - 40.0, (40, 2))
    places = middles[generator.integers(0, len(middles), ALL)] + generator.normal(0.0, 8.0, (ALL, 2))
    return np.clip(places, 1.0, MAP_TILES - 1.0)


def _block() -> Floats:
    line, file = np.divmod(np.arange(ALL), 362)
    return np.stack([300.0 - line, 75.0 + file], axis=1)


FAR = DragGrid((300.0, 200.0), (1.0, 0.0))
CASES = {
    "run": Case(_spread, FAR, "run", 400),
    "march": Case(_spread, FAR, "march", 400),
    "march_in_clusters": Case(_camps, FAR, "march", 1500),
    "march_that_arrives": Case(_block, DragGrid((310.0, 256.0), (1.0, 0.0), 361.0, 0.4), "march", 1500),
}


class Run(NamedTuple):
    """Milliseconds of one run, and its answers."""

    order: float
    order_tick: float
    work: Floats  # of each tick
    steps: Floats
    moved_at_once: bool
    has_places: bool
    hash: str


def _run(case: Case) -> Run:
    world = World(seed=3)
    world.set_grid(TileGrid(np.ones((MAP_TILES, MAP_TILES), np.uint8)))
    for index, part in enumerate(np.array_split(case.places(), 2)):
        world.add_crowd(0, 2.5 + 0.5 * index, 0.3).spawn(part, snap=True)
    for _ in range(SETTLED_IN_TICKS):
        world.step(TICK)
    work = _timed_work(world)
    first = _positions(world)
    begin = time.perf_counter()
    formation = world.formations.order([(crowd, 1 + crowd.index) for crowd in world.crowds], case.grid, case.mode)
    order = time.perf_counter() - begin
    steps, has_places = [], False
    moved_first, moved_all = False, False
    for tick in range(case.ticks):
        begin = time.perf_counter()
        world.step(TICK)
        steps.append(time.perf_counter() - begin)
        if tick < ALL_MOVE_TICKS:
            has_moved = (_positions(world) != first).any(axis=1)
            moved_first = moved_first or (tick == 0 and bool(has_moved.any()))
            moved_all = moved_all or has_moved.mean() > 0.99
        if formation.slots is not None and not has_places:
            has_places = _has_each_a_place(world, formation)
    order_tick = (order + steps[0]) * 1e3
    return Run(
        order * 1e3, order_tick, np.array(work) * 1e3, np.array(steps) * 1e3, moved_first and moved_all, has_places,
        world.state_hash(),
    )  # fmt: skip


def _timed_work(world: World) -> list[float]:
    """A list that gets the seconds of each tick's formation work from now on."""
    formations: Any = world.formations
    advance, found = formations.advance, []

    def timed(dt: float) -> None:
        begin = time.thread_time()
        advance(dt)
        found.append(time.thread_time() - begin)

    formations.advance = timed
    return found


def _positions(world: World) -> Floats:
    return np.concatenate([crowd.positions.copy() for crowd in world.crowds])


def _has_each_a_place(world: World, formation: OrderedFormation) -> bool:
    """Whether each unit has one slot, in the rows of its class."""
    assert formation.slots is not None
    units = [(crowd.index, number) for crowd in world.crowds for number in range(crowd.count)]
    owners = formation.owners
    is_own_class = np.array_equal(owners[:, 0], formation.slots.class_of_slot)
    return is_own_class and np.array_equal(owners[np.lexsort(owners.T[::-1])], np.array(units, np.int32))


def _rows_of(name: str, case: Case) -> list[Row]:
    runs = [_run(case) for _ in range(RUNS)]
    ok = all(run.moved_at_once and run.has_places for run in runs) and len({run.hash for run in runs}) == 1
    work = np.min([run.work for run in runs], axis=0)
    steps = np.min([run.steps for run in runs], axis=0)
    walking = float(np.median(steps[-len(steps) // 2 :]))
    title = f"formation_ticks.{ALL}_{name}"
    return [
        row(f"{title}.order", min(run.order for run in runs), "ms", None, None, ok),
        row(f"{title}.tick_of_the_order", min(run.order_tick for run in runs), "ms", "a tick under way", walking, ok),
        row(f"{title}.longest_work_of_a_later_tick", float(work.max()), "ms", None, None, ok),
        row(f"{title}.work_of_all_ticks", float(work.sum()), "ms", None, None, ok),
        row(f"{title}.longest_later_tick", float(steps[1:].max()), "ms", "a tick under way", walking, ok),
    ]


def rows() -> list[Row]:
    """Rows for the table."""
    return [found for name, case in CASES.items() for found in _rows_of(name, case)]
