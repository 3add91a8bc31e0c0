"""Benchmarks of the homing grid: a tick of many missiles beside peers that search, fields on large grids, scenarios, wells.

A tick is one of a game: enemies move, missiles that hit are gone and others are shot, so that all 65,535 fly all the time.
Scenarios fly 8,192 missiles at 16 or 1,024 enemies on 128 x 128 cells for 15 seconds of simulated time; a row gives the share
that hit (in per cent), the median time to the hit, and the missiles that still circle at the end. Wells: the share of missiles
that are inside a well for the whole last second of twenty.
"""

import math
import time
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from benchmarks.table import Row, row
from benchmarks.timing import best_ms
from pynav.homing import FieldSettings, GridBox, HomingWorld, ProjectileSettings, fill_of_2d

SIDE = 128
ENEMIES = 1_024
MISSILES = 65_535
LARGE = 1_024
FLOWN = 8_192
SECONDS = 15
HZ = 60
Floats = npt.NDArray[Any]


def _world(side: int, **settings: Any) -> HomingWorld:
    return HomingWorld(GridBox((0, 0), (side, side), side, side), FieldSettings(**settings))


def _directions(count: int, generator: np.random.Generator) -> Floats:
    angle = generator.uniform(0, 2 * np.pi, count)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


# --- one tick


class Battle:
    """As in a game: enemies cross the grid and turn round at its borders, missiles that hit are gone and others are shot.

    ``can_hit`` False: nothing is ever hit, and all missiles pile up on enemies.
    """

    SPEED = 4.0

    def __init__(self, mode: str, missiles: int = MISSILES, can_hit: bool = True) -> None:
        self._generator = np.random.default_rng(1)
        self.world = _world(SIDE, mode=mode)
        self._places = self._generator.uniform(0, SIDE, (ENEMIES, 2))
        self._velocity = self.SPEED * _directions(ENEMIES, self._generator)
        self._handles = self.world.add_sources(self._places, radius=0.25 if can_hit else 1e-6)
        reach = {} if can_hit else {"hit_radius": 0.0, "snap_distance": 0.0}
        self.batch = self.world.add_projectiles(ProjectileSettings(lifetime=0, **reach))  # type: ignore[arg-type]
        self._shoot(missiles)
        self._fill = fill_of_2d(self.batch, np.zeros(8 * missiles, np.float32), np.eye(2, 3, dtype=np.float32), 1.0)
        self.hits = 0

    def _shoot(self, count: int) -> None:
        places = self._generator.uniform(0, SIDE, (count, 2))
        self.batch.spawn(places, 8 * _directions(count, self._generator))

    def prepare(self) -> None:
        """What the game does between two ticks."""
        struck = len(self.batch.take_hits().projectiles)
        self.hits += struck
        if struck:
            self._shoot(struck)
        out = ((self._places < 1) & (self._velocity < 0)) | ((self._places > SIDE - 1) & (self._velocity > 0))
        self._velocity = np.where(out, -self._velocity, self._velocity)
        self._places = self._places + self._velocity / HZ

    def tick(self) -> tuple[float, float]:
        """Milliseconds of a tick (sources moved, fields, missiles, hits noted), and with the buffer of a multi-mesh filled."""
        self.prepare()
        begin = time.perf_counter()
        self.world.move_sources(self._handles, self._places)
        self.world.step(1 / HZ)
        stepped = time.perf_counter()
        self._fill.run()
        return (stepped - begin) * 1e3, (time.perf_counter() - begin) * 1e3


def _ticks(battle: Battle, count: int = 90) -> npt.NDArray[np.float64]:
    """(ticks, 2) milliseconds, see Battle.tick; field updates included as they come."""
    for _ in range(40):
        battle.tick()
    return np.array([battle.tick() for _ in range(count)])


def _brute(missiles: Floats, enemies: Floats) -> npt.NDArray[np.int64]:
    found = np.empty(len(missiles), np.int64)
    for begin in range(0, len(missiles), 2048):
        part = missiles[begin : begin + 2048]
        found[begin : begin + 2048] = ((part[:, None, 0] - enemies[:, 0]) ** 2 + (part[:, None, 1] - enemies[:, 1]) ** 2).argmin(
            axis=1
        )
    return found


def _points_right(battle: Battle, least: float) -> bool:
    """Whether the share of missiles that are pushed towards the nearest enemy, where it is not a matter of inches, is large."""
    battle.prepare()
    world, batch = battle.world, battle.batch
    before, places = batch.velocities, batch.positions.astype(np.float64)
    flying = batch.alive
    battle.world.move_sources(battle._handles, battle._places)
    world.step(1 / HZ)
    flying &= batch.alive
    enemies = world.sources.values[:2, : world.sources.count].T.astype(np.float64)
    push = (batch.velocities - before)[flying]
    tree = cKDTree(enemies)
    agreement = []
    for asked in (places, np.floor(places) + 0.5):  # nearest to the missile, and to the middle of its cell: both are right
        to = (enemies[tree.query(asked)[1]] - places)[flying]
        agreement.append((push * to).sum(axis=1) / np.maximum(np.hypot(*push.T) * np.hypot(*to.T), 1e-9))
    far = tree.query(places)[0][flying] > 1.0
    return bool(np.mean(np.maximum(*agreement)[far] > 0) > least)


def _tick_rows() -> list[Row]:
    found = []
    peers: dict[str, float] = {}
    for mode, least in (("relaxed", 0.8), ("exact", 0.95)):
        battle = Battle(mode)
        taken = _ticks(battle)
        median, drawn = (float(number) for number in np.median(taken, axis=0))
        places, enemies = battle.batch.positions, np.ascontiguousarray(battle.world.sources.values[:2, :ENEMIES].T)
        if not peers:
            peers["numpy, nearest by looking at all"] = best_ms(lambda p=places, e=enemies: _brute(p, e), 1)  # type: ignore[misc]
            peers["scipy cKDTree, built and asked"] = best_ms(lambda p=places, e=enemies: cKDTree(e).query(p), 3)  # type: ignore[misc]
        ok = battle.hits > 50_000 and battle.batch.count > 0.9 * MISSILES and _points_right(battle, least)
        name = f"homing.tick.{mode}.{MISSILES}_missiles.{ENEMIES}_enemies"
        for peer, value in peers.items():
            found.append(row(name, median, "ms", peer, value, ok))
        slowest = np.sort(taken[:, 0])
        found.append(row(f"{name}.p90", float(slowest[int(0.9 * len(slowest))]), "ms", "slowest", float(slowest[-1]), ok))
        found.append(row(f"{name}.with_buffer_filled", drawn, "ms", None, None, ok))
        half = float(np.median(_ticks(Battle(mode, MISSILES // 2))[:, 0]))
        found.append(row(f"{name}.half_as_many_missiles", half, "ms", "all of them", median, ok))
        piled = float(np.median(_ticks(Battle(mode, can_hit=False))[:, 0]))
        found.append(row(f"{name}.piled_up_on_them", piled, "ms", "in a game", median, ok))
    return found


# --- fields


def _relaxed_rows() -> list[Row]:
    found = []
    for side in (SIDE, 256, 512, LARGE):
        world = _world(side, sweeps=1, updates_per_second=0.0, inline_work=1 << 30)
        generator = np.random.default_rng(2)
        handles = world.add_sources(generator.uniform(0, side, (ENEMIES, 2)))
        field = world._field(0).relaxed
        assert field is not None
        field.take_sources(world.sources, 0, [])
        alive = best_ms(field.update, 20)
        full = field.strength[field.side].max()
        world.remove_sources(handles)
        field.take_sources(world.sources, 0, [])
        for _ in range(2_000 if side == SIDE else 400):
            field.update()
        dead = best_ms(field.update, 20)
        left = np.abs(field.strength[field.side])
        ok = bool(full > 1.0) and not bool(((left > 0) & (left < 1.2e-38)).any())
        found.append(
            row(f"homing.relaxed_sweep.{side}x{side}.with_directions", alive, "ms", "after all enemies are gone", dead, ok)
        )
    return found


def _border_rows() -> list[Row]:
    """An update at once beside what the tick's thread has to do where the background thread makes it; see INLINE_WORK.

    Enemies stand elsewhere each time: a processor that sees the same update again and again learns its branches by heart.
    """
    found = []
    for mode, sides in (("relaxed", (128, 256, 320, 384)), ("exact", (64, 128, 144, 192, 256))):
        for side in sides:
            world = _world(side, mode=mode, inline_work=1 << 30)
            generator = np.random.default_rng(4)
            handles = world.add_sources(generator.uniform(0, side, (ENEMIES, 2)))
            world.step(1 / HZ)
            typed = world._field(0)
            field = typed._field
            at_once, handing = [], []
            for _ in range(20):
                for is_job, taken in ((False, at_once), (True, handing)):
                    world.move_sources(handles, generator.uniform(0, side, (ENEMIES, 2)))
                    if typed.relaxed is not None:
                        typed.relaxed.take_sources(world.sources, 0, [])
                    elif typed.exact is not None:
                        typed.exact.take_sources(world.sources, 0)
                    begin = time.perf_counter()
                    if not is_job:
                        field.update()
                        taken.append(time.perf_counter() - begin)
                        continue
                    field.start_job()
                    begun = time.perf_counter()
                    time.sleep(0.01)  # it is done by then, as it would be some ticks later
                    again = time.perf_counter()
                    field.finish_job()
                    taken.append(begun - begin + time.perf_counter() - again)
            name = f"homing.border.{mode}.{side}x{side}.work_{field.work}.at_once"
            field.publish()
            shown = world.nearest_targets() if mode == "exact" else world.strength()
            ok = bool(shown.min() >= 0 and shown.max() > 0)
            middle = float(np.median(at_once)) * 1e3
            found.append(row(name, middle, "ms", "handed over and taken back", float(np.median(handing)) * 1e3, ok))
    return found


def _exact_rows() -> list[Row]:
    found = []
    for side, count in ((SIDE, ENEMIES), (LARGE, ENEMIES), (LARGE, 2), (SIDE, 16_384)):
        world = _world(side, mode="exact")
        points = np.random.default_rng(3).uniform(0, side, (count, 2)).astype(np.float32)
        world.add_sources(points)
        field = world._field(0).exact
        assert field is not None

        def update(field: Any = field, world: HomingWorld = world) -> None:
            field.take_sources(world.sources, 0)
            field.update()

        value = best_ms(update, 5)
        field.publish()
        y, x = (np.mgrid[:side, :side] + 0.5).astype(np.float64)
        centres = np.stack([x.ravel(), y.ravel()], axis=1)
        exact = points.astype(np.float64)
        peer = best_ms(lambda p=exact, c=centres: cKDTree(p).query(c), 1)  # type: ignore[misc]
        distance = cKDTree(exact).query(centres)[0]
        ours = np.hypot(*(exact[field.nearest[0]] - centres).T)
        ok = bool(np.abs(ours - distance).max() < 1e-6)
        found.append(
            row(f"homing.exact_targets.{side}x{side}.{count}_enemies", value, "ms", "scipy cKDTree, each cell asked", peer, ok)
        )
    return found


# --- scenarios


class Enemies:
    """Enemies that stand, cross, flee from missiles that come near, or turn at random twice a second."""

    SPEED = {"still": 0.0, "crossing": 4.0, "fleeing": 6.0, "juking": 6.0}

    def __init__(self, kind: str, count: int, hz: int) -> None:
        self.kind, self.hz = kind, hz
        self._generator = np.random.default_rng(5)
        self.places = self._generator.uniform(8, SIDE - 8, (count, 2))
        self._velocity = self.SPEED[kind] * _directions(count, self._generator)

    def move(self, tick: int, missiles: Floats) -> None:
        """Go on by a tick; they turn round at the borders."""
        if self.kind == "juking" and tick % max(1, self.hz // 2) == 0:
            self._velocity = self.SPEED[self.kind] * _directions(len(self.places), self._generator)
        if self.kind == "fleeing" and len(missiles):
            distance, index = cKDTree(missiles).query(self.places)
            near = (distance < 12) & (distance > 1e-6)
            away = self.places - missiles[index]
            self._velocity[near] = self.SPEED[self.kind] * away[near] / distance[near, None]
        out = ((self.places < 2) & (self._velocity < 0)) | ((self.places > SIDE - 2) & (self._velocity > 0))
        self._velocity = np.where(out, -self._velocity, self._velocity)
        self.places = self.places + self._velocity / self.hz


def _flown(mode: str, kind: str, count: int, hz: int, settings: ProjectileSettings) -> tuple[float, float, float]:
    """(per cent that hit, median seconds, missiles that have turned round more than three times and still fly)."""
    world = _world(SIDE, mode=mode, sight_cells=2)
    enemies = Enemies(kind, count, hz)
    handles = world.add_sources(enemies.places, radius=0.25)
    batch = world.add_projectiles(settings)
    generator = np.random.default_rng(6)
    batch.spawn(generator.uniform(0, SIDE, (FLOWN, 2)), 12 * _directions(FLOWN, generator))
    turned, before, times = np.zeros(FLOWN), batch.velocities.astype(np.float64), []
    for tick in range(SECONDS * hz):
        enemies.move(tick, batch.positions[batch.alive])
        world.move_sources(handles, enemies.places)
        world.step(1 / hz)
        now = batch.velocities.astype(np.float64)
        turned += np.arctan2(before[:, 0] * now[:, 1] - before[:, 1] * now[:, 0], (before * now).sum(axis=1))
        before = now
        times += [(tick + 1) / hz] * len(batch.take_hits().projectiles)
        if batch.count == 0:
            break
    orbits = int((np.abs(turned[batch.alive]) > 6 * np.pi).sum())
    return 100 * len(times) / FLOWN, float(np.median(times)) if times else math.inf, float(orbits)


def _scenario_rows() -> list[Row]:
    found = []
    kinds = {"sure_hit": ProjectileSettings.sure_hit(lifetime=0), "jukeable": ProjectileSettings.jukeable(lifetime=0)}
    cases = [(kind, count, HZ) for kind in Enemies.SPEED for count in (16, ENEMIES)]
    cases += [(kind, 16, hz) for kind in Enemies.SPEED for hz in (20, 240)] + [("fleeing", 16, 120)]
    for mode in ("relaxed", "exact"):
        for name, settings in kinds.items():
            for kind, count, hz in cases:
                share, seconds, orbits = _flown(mode, kind, count, hz, settings)
                least = {"still": 100.0, "crossing": 100.0, "fleeing": 95.0, "juking": 95.0}[kind]
                ok = orbits == 0 and (name == "jukeable" or share >= least)
                title = f"homing.{name}.{mode}.{kind}.{count}.{hz}hz"
                found.append(row(f"{title}.hit", share, "%", "median seconds to the hit", seconds, ok))
                found.append(row(f"{title}.orbits", orbits, "missiles", None, None, ok))
    return found


def _lead_rows() -> list[Row]:
    """The median second of a hit where missiles aim ahead, beside the same without."""
    found = []
    for mode in ("relaxed", "exact"):
        for name, flight in (("sure_hit", ProjectileSettings.sure_hit), ("jukeable", ProjectileSettings.jukeable)):
            for kind in ("crossing", "fleeing"):
                (share, led, _), (least, plain, _) = (
                    _flown(mode, kind, 16, HZ, flight(lifetime=0, lead=lead)) for lead in (0.5, 0.0)
                )
                ok = share >= least and (name == "jukeable" or led < plain)
                found.append(row(f"homing.lead.{mode}.{name}.{kind}.median_hit", led, "s", "without lead", plain, ok))
    return found


# --- wells


def _held(strength: float, hz: int, dense: bool, wells: int, repellers: int) -> float:
    world = _world(64)
    generator = np.random.default_rng(8)
    middle = np.array([(32.0, 32.0), (20.0, 40.0), (45.0, 20.0)])[:wells]
    world.add_sources(middle, power=0.0, reach=60.0, capture_radius=1.0, pull=10 * strength, dense=dense)
    if repellers:
        world.add_sources([(27, 36), (38, 30)][:repellers], power=-1.0, reach=2.0)
    count = 2_048
    batch = world.add_projectiles(ProjectileSettings(lifetime=0, top_speed=12))
    places = 32 + generator.uniform(0.5, 8, (count, 1)) * _directions(count, generator)
    batch.spawn(places, generator.uniform(0, 12, (count, 1)) * _directions(count, generator))
    inside = np.ones(count, bool)
    for tick in range(20 * hz):
        world.step(1 / hz)
        if tick >= 19 * hz:
            inside &= np.hypot(*(batch.positions[:, None] - middle).transpose(2, 0, 1)).min(axis=1) < 1.0
    return 100 * float(inside.mean())


def _well_rows() -> list[Row]:
    found = []
    for kind, dense in (("spring", False), ("denser_space", True)):
        for strength in (1, 10, 100, 1000):
            shares = [_held(strength, hz, dense, 1, 0) for hz in (10, 30, 60, 240)]
            name = f"homing.well.{kind}.strength_x{strength}.10_to_240hz.held"
            found.append(row(name, min(shares), "%", None, None, min(shares) == 100.0))
        share = min(_held(10, hz, dense, 3, 2) for hz in (10, 60))
        found.append(row(f"homing.well.{kind}.3_wells_2_repellers.held", share, "%", None, None, share == 100.0))
    return found


def rows() -> list[Row]:
    """Rows for the table."""
    return [*_tick_rows(), *_relaxed_rows(), *_border_rows(), *_exact_rows(), *_scenario_rows(), *_lead_rows(), *_well_rows()]
