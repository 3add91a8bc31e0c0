"""Benchmarks of formations on the move: the squeeze table.

Squeeze table: a formation of soldiers (2.5 tiles a second) and archers (3.0) behind them, spacing 1, marches through a passage on
a map of 110 x 60 tiles; eight starts differ by where each unit stands, up to a third of a tile aside. Seconds until the last one
formed stand beside the same order without marching (each unit runs to its slot). ``ok``: all starts formed and nobody was
stuck; no archer was ahead of a soldier by half a tile for more than 0.5 % of pairs and samples (measured along the route), and
of the pairs of a soldier and an archer less than 1 % passed the end of the passage in the wrong order; at doors the mean time
is within 15 % of running, round a boulder below it (among trees it is only shown).
"""

from __future__ import annotations

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


def rows() -> list[Row]:
    """Rows for the table."""
    return _squeeze_rows()
