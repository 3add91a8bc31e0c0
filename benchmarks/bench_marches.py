"""Benchmarks of formations on the move: the squeeze table, and 65,535 units ordered.

Squeeze table: a formation of soldiers (2.5 tiles a second) and archers (3.0) behind them, spacing 1, marches through a passage on
a map of 110 x 60 tiles; eight starts differ by where each unit stands, up to a third of a tile aside. Seconds until the last one
formed stand beside the same order without marching (each unit runs to its slot). ``ok``: all starts formed and nobody was
stuck; no archer was ahead of a soldier by half a tile for more than 0.5 % of pairs and samples (measured along the route), and
of the pairs of a soldier and an archer less than 1 % passed the end of the passage in the wrong order; at doors the mean time
is within 15 % of running, round a boulder below it (among trees it is only shown).

65,535 units: what the order and the longest ticks between it and the march take (single figures are of a machine as it is), and
how many units have moved by the end of the tick of the order (each is steered anew every eighth tick). ``ok``: they move in
that tick, all of them in the eighth, and each has one slot.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from pynav.formations import DragGrid, OrderedFormation
from pynav.formations.place_layout import FIRST_STATION, SETTLED, STATION_COUNT, STATION_TILES, STATION_X, STATION_Y
from pynav.grid import TileGrid
from pynav.world import World

TICK = 1.0 / 60.0
STARTS = 8
LONGEST_SECONDS = 150
ALL = 65_535
Floats = npt.NDArray[Any]


class Passage(NamedTuple):
    """A map, where a formation starts and ends, and the column at which it has passed."""

    cost: npt.NDArray[np.uint8]
    start: tuple[float, float]
    end: tuple[float, float]
    passed: float


def passage(name: str) -> Passage:
    """A case of the squeeze table."""
    cost = np.ones((60, 110), np.uint8)
    start, end, passed = (30.0, 30.0), (85.0, 30.0), 57.0
    if name.startswith("door"):
        width = int(name[5])
        cost[:, 45:55] = 0
        cost[30 - width // 2 : 30 - width // 2 + width, 45:55] = 1
    if name.endswith("offset"):
        start, end = (30.0, 15.0), (85.0, 44.0)
    if name == "boulder":
        cost[26:34, 46:54] = 0
    if name == "trees":
        generator = np.random.default_rng(5)
        passed = 68.0
        for _ in range(14):
            x, y = int(generator.integers(40, 65)), int(generator.integers(15, 45))
            cost[y : y + 2, x : x + 2] = 0
    return Passage(cost, start, end, passed)


class Outcome(NamedTuple):
    """What became of a start."""

    seconds: float
    stuck: int
    ahead: float
    inverted: float


def _along(world: World, formation: OrderedFormation, points: Floats) -> Floats:
    """How far units have come along the route of a march."""
    tables = world.formations.tables
    first, count = (int(tables.formations.tags[row, formation.column]) for row in (FIRST_STATION, STATION_COUNT))
    route = tables.stations.values[STATION_X : STATION_Y + 1, first : first + count : 2].T
    near = ((points[:, None] - route[None]) ** 2).sum(axis=2).argmin(axis=1)
    return near * 2.0 * float(STATION_TILES)


def walk(case: Passage, files: int, rows: int, mode: str, seed: int) -> Outcome:
    """One start."""
    generator = np.random.default_rng(seed)
    world = World(seed=3)
    world.set_grid(TileGrid(case.cost))
    soldiers = world.add_crowd(0, 2.5, 0.3, speed_variation=0.0)
    archers = world.add_crowd(0, 3.0, 0.3, speed_variation=0.0)
    line, file = np.repeat(np.arange(rows), files), np.tile(np.arange(files), rows)
    places = np.stack([case.start[0] - line, case.start[1] + file - (files - 1) / 2], axis=1)
    places = places + generator.uniform(-1 / 3, 1 / 3, places.shape)
    half = rows // 2 * files
    soldiers.spawn(places[:half], snap=True)
    archers.spawn(places[half:], snap=True)
    formation = world.formations.order([(soldiers, 1), (archers, 2)], DragGrid(case.end, (1.0, 0.0), files - 1.0, 0.4), mode)
    passed = np.full(len(places), np.inf)
    ahead = []
    for tick in range(LONGEST_SECONDS * 60):
        world.step(TICK)
        points = np.concatenate([soldiers.positions, archers.positions])
        passed[np.isinf(passed) & (points[:, 0] > case.passed)] = tick
        if tick % 30 == 0 and formation.is_marching:
            along = _along(world, formation, points.astype(np.float64))
            ahead.append((along[half:, None] > along[None, :half] + 0.5).mean())
        if formation.is_formed:
            break
    inverted = float((passed[half:, None] < passed[None, :half]).mean())
    stuck = int(np.count_nonzero(formation.standings != SETTLED))
    return Outcome((tick + 1) * TICK, stuck, float(np.mean(ahead)) if ahead else 0.0, inverted)


def _squeeze_rows() -> list[Row]:
    found = []
    for files, lines in ((10, 6), (20, 20)):
        for name in ("door_2", "door_3", "door_6", "door_3_offset", "boulder", "trees"):
            case = passage(name)
            marched = [walk(case, files, lines, "march", seed) for seed in range(STARTS)]
            ran = [walk(case, files, lines, "run", seed) for seed in range(STARTS)]
            seconds, peer = (float(np.mean([one.seconds for one in outcomes])) for outcomes in (marched, ran))
            stuck = sum(one.stuck for one in marched)
            ahead, inverted = (100 * float(np.mean([getattr(one, part) for one in marched])) for part in ("ahead", "inverted"))
            most = {"boulder": 1.0, "trees": np.inf}.get(name, 1.15)
            ok = stuck == 0 and ahead <= 0.5 and inverted < 1.0 and seconds <= most * peer
            title = f"formations.squeeze.{files * lines}_units.{name}"
            found.append(row(f"{title}.seconds", seconds, "s", "the same without marching", peer, ok))
            found.append(row(f"{title}.stuck", float(stuck), "units", None, None, stuck == 0))
            found.append(row(f"{title}.archers_ahead", ahead, "%", None, None, ahead <= 0.5))
            ran_inverted = 100 * float(np.mean([one.inverted for one in ran]))
            found.append(row(f"{title}.inverted", inverted, "%", "the same without marching", ran_inverted, inverted < 1.0))
    return found


def _timed_step(world: World) -> float:
    begin = time.perf_counter()
    world.step(TICK)
    return (time.perf_counter() - begin) * 1e3


def _order_rows() -> list[Row]:
    """65,535 units spread over a map of 512 x 512 tiles are told to march."""
    world = World(seed=3)
    world.set_grid(TileGrid(np.ones((512, 512), np.uint8)))
    for speed in (2.5, 3.0):
        world.add_crowd(ALL // 2 + int(speed > 2.7), speed, 0.3)
    for _ in range(8):
        world.step(TICK)
    ranks = [(crowd, 1 + crowd.index) for crowd in world.crowds]
    begin = time.perf_counter()
    formation = world.formations.order(ranks, DragGrid((300.0, 200.0), (1, 0)), "march")
    order_ms = (time.perf_counter() - begin) * 1e3
    first = np.concatenate([crowd.positions.copy() for crowd in world.crowds])
    planned: list[float] = []
    moved = []
    while formation.plan is not None and len(planned) < 2000:
        planned.append(_timed_step(world))
        if len(planned) <= 8:
            away = np.hypot(*(np.concatenate([crowd.positions for crowd in world.crowds]) - first).T)
            moved.append(100.0 * float((away > 0).mean()))
    marching = [_timed_step(world) for _ in range(60)]
    whole = np.array_equal(np.sort(formation.owners.view(np.int64)[:, 0]), np.sort(_all_units(world)))
    ok = formation.is_marching and whole and moved[0] > 0.0 and moved[-1] > 99.0
    title = f"formations.{ALL}_ordered"
    walking, longest = float(np.median(planned[8:])), max(planned)
    return [
        row(f"{title}.order", order_ms, "ms", None, None, ok),
        row(f"{title}.move_in_the_tick_of_the_order", moved[0], "%", None, None, ok),
        row(f"{title}.move_in_the_eighth_tick", moved[-1], "%", None, None, ok),
        row(f"{title}.ticks_to_slots", float(len(planned)), "ticks", None, None, ok),
        row(f"{title}.tick_while_planned", walking, "ms", None, None, ok),
        row(f"{title}.longest_tick_while_planned", longest, "ms", None, None, ok),
        row(f"{title}.tick_marching", float(np.median(marching)), "ms", None, None, ok),
        row(f"{title}.longest_tick_marching", max(marching), "ms", None, None, ok),
    ]


def _all_units(world: World) -> npt.NDArray[np.int64]:
    """Crowd and id of each unit as ``OrderedFormation.owners`` holds them, two numbers in one."""
    owners = [(crowd.index, number) for crowd in world.crowds for number in range(crowd.count)]
    return np.array(owners, np.int32).view(np.int64)[:, 0]


def rows() -> list[Row]:
    """Rows for the table."""
    return [*_order_rows(), *_squeeze_rows()]
