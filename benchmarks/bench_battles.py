"""Benchmarks of attack-move at scale: 20,000 against 20,000 among 500 buildings, the units of each side on the same order.

Every unit knows the nearest enemy in sight, agent or building, and goes for it. What this adds to a tick is timed pass by pass in
the very ticks of the battle, before the sides meet and while they fight, when the game takes health from whoever is struck.
The peer is what a game would write itself: a ``scipy.spatial.cKDTree`` of each side, built each tick and asked for the nearest
enemy of those whose turn to look around it is (one in 32); it sees through walls, knows no buildings, and leads nobody.

An answer is right if the foes that units hold are there, theirs to attack and in sight, those who strike are within their
range, and units that stand where those of the battle stand choose as near a foe as a slow search over all enemies finds.
"""

import time
from collections import defaultdict
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

from benchmarks.table import Row, row
from pynav.crowd.crowd import Crowd
from pynav.crowd.unit_handles import BUILDINGS, unpacked
from pynav.grid import TileGrid
from pynav.kernels import Sequence
from pynav.world import World
from tests.naive import foes as naive

TICK = 1.0 / 60.0
EACH = 20_000
BUILDINGS_COUNT = 500
WIDTH, HEIGHT = 420, 320
ARCHERS = 8_000  # of each side, among the others
SIGHT, RADIUS = 9.0, 0.3
RANGES = (0.4, 6.0)
HEALTH, BLOW = 600, 1  # blows of one a tick
MEET_TICKS, TICKS = 900, 240
LOOK_EVERY = 32  # ticks between two looks around of a unit in a large world
FOE_PASSES = ("note_columns", "note_teams", "lead_fighters", "face_foes")
ASKED = 300  # units of each crowd; about a fifth sees somebody
KEEP_SIGHT = 1.25  # a foe is followed so much farther than it is noticed
SLACK = 0.4  # tiles that two may go in eight ticks, which is how old a choice may be


class Battle:
    """Two sides and their buildings, and the game that takes health."""

    def __init__(self, attacks: bool = True, places: list[npt.NDArray[Any]] | None = None) -> None:
        generator = np.random.default_rng(7)
        cost = np.ones((HEIGHT, WIDTH), np.uint8)
        corners = [(int(x), int(y)) for x, y in generator.integers((8, 4), (WIDTH - 11, HEIGHT - 7), (BUILDINGS_COUNT, 2))]
        for x, y in corners:
            cost[y : y + 3, x : x + 3] = 0
        self.world = world = World(seed=7)
        world.set_grid(TileGrid(cost))
        for x, y in corners:
            world.buildings.add(x, y, 3, 3, team=int(x > WIDTH // 2))
        for side in range(2):
            for kind, count in enumerate((EACH - ARCHERS, ARCHERS)):
                crowd = world.add_crowd(0, 0.0 if places else 4.0, RADIUS)
                crowd.team, crowd.sight_radius, crowd.attack_range = side, SIGHT, RANGES[kind]
                if places is None:
                    crowd.spawn_in(count, (20 if side == 0 else WIDTH - 180, 10, 160, HEIGHT - 20))
                else:
                    crowd.spawn(places[2 * side + kind])
                order = world.commands.attack_move if attacks else world.commands.move
                order(crowd, (WIDTH - 20.5, HEIGHT / 2) if side == 0 else (20.5, HEIGHT / 2))
        world.finish_builds()
        self.health = [np.full(crowd.slot_count, HEALTH, np.int64) for crowd in world.crowds]

    def strike(self) -> int:
        """Take health from all who are struck, and those away who have none left; how many strike."""
        units, foes = self.world.commands.engaged()
        crowds, ids, _ = unpacked(foes)
        for number, crowd in enumerate(self.world.crowds):
            np.subtract.at(self.health[number], ids[crowds == number], BLOW)
            dead = np.flatnonzero((self.health[number] <= 0) & crowd.alive)
            if len(dead):
                crowd.remove(dead)
        return len(units)

    def is_right(self) -> bool:
        """Whether those whom units go for are there, enemies and near enough; and engaged ones within their range."""
        world, ok = self.world, True
        strikers = set(world.commands.engaged()[0].tolist())
        for crowd in world.crowds:
            own = np.flatnonzero(crowd.alive)
            handles = crowd.handles(own)
            held = world.commands.foes_of(handles)
            has = held != 0
            places, gap = crowd.positions[own], np.full(len(own), np.inf)
            numbers, ids, _ = unpacked(held)
            for number, other in enumerate(world.crowds):
                on = has & (numbers == number)
                ok &= not on.any() or other.team != crowd.team
                gap[on] = np.hypot(*(other.positions[ids[on]] - places[on]).T)
            for index in np.flatnonzero(has & (numbers == BUILDINGS)):
                ok &= world.buildings.team_of(int(held[index])) != crowd.team
                x, y, columns, rows = world.buildings.rect_of(int(held[index]))
                gap[index] = np.hypot(*(np.clip(places[index], (x, y), (x + columns, y + rows)) - places[index]))
            ok &= bool((gap[has] <= KEEP_SIGHT * SIGHT + SLACK).all())
            is_striking = has & np.isin(handles, list(strikers))
            ok &= bool((gap[is_striking] <= crowd.attack_range + 2 * RADIUS + 0.33 + SLACK).all())
        return ok


def _timed_by_pass(world: World, taken: dict[str, float]) -> None:
    """Have each kernel of a tick add the milliseconds that it takes to ``taken``, by its name."""

    def run(sequence: Sequence) -> None:
        for step in sequence.steps:
            begin = time.perf_counter()
            if step.count is None:
                step.call.run()
            else:
                step.call.run(int(step.count[0]), step.block_size)
            taken[step.call.kernel.short_name] += 1e3 * (time.perf_counter() - begin)

    for sequences in world._passes.values():
        for sequence in sequences:
            sequence.run = lambda sequence=sequence: run(sequence)  # type: ignore[method-assign]


def _peer_ms(battle: Battle, rounds: int = 3) -> float:
    """Milliseconds of a tick in which each side is put into a tree and those whose turn it is ask for the nearest enemy."""
    crowds = battle.world.crowds
    sides = [np.concatenate([one.positions[one.alive] for one in crowds if one.team == side]) for side in range(2)]
    best = np.inf
    for _ in range(rounds):
        begin = time.perf_counter()
        for own, others in ((0, 1), (1, 0)):
            cKDTree(sides[others]).query(sides[own][::LOOK_EVERY], distance_upper_bound=SIGHT)
        best = min(best, time.perf_counter() - begin)
    return 1e3 * best


def _nearest_gap(world: World, crowd: Crowd, unit: int) -> float:
    """Distance to the nearest enemy that a unit can strike or sees well, by looking at all of them; infinite without one. A unit
    looks along a strip that it fits through, which ends in a corner: seen well is what a strip half as wide again lies open to.
    """
    assert world.grid is not None
    cost, at = world.grid.cost, crowd.positions[unit]
    found: list[tuple[float, npt.NDArray[np.float32]]] = []
    for other in world.crowds:
        if other.team != crowd.team:
            places = other.positions[other.alive]
            away = np.hypot(*(places - at).T)
            near = np.flatnonzero(away <= SIGHT)
            found += [(float(away[index]), places[index]) for index in near]
    reach = crowd.attack_range + naive.TOUCH_TILES + 2 * RADIUS
    for handle in world.buildings.handles().tolist():
        if world.buildings.team_of(handle) == crowd.team:
            continue
        edge, spot = naive.before_building(world.buildings.rect_of(handle), at, RADIUS + naive.EDGE_TILES)
        gap = float(np.hypot(*(edge - at)))
        if gap <= SIGHT:
            found.append((gap, spot))
    for gap, place in sorted(found, key=lambda one: one[0]):
        if gap <= reach or naive.sees(cost, at, place, 1.5 * RADIUS):
            return gap
    return float("inf")


def _chooses_well(battle: Battle) -> bool:
    """Whether units that stand still where those of a battle stand choose foes as near as those of the slow search."""
    still = Battle(places=[crowd.positions[crowd.alive].copy() for crowd in battle.world.crowds])
    world = still.world
    for _ in range(2 * LOOK_EVERY):
        world.step(TICK)
    generator = np.random.default_rng(1)
    seen = 0
    for crowd in world.crowds:
        units = generator.choice(np.flatnonzero(crowd.alive), ASKED, replace=False)
        for unit, handle in zip(units.tolist(), world.commands.foes_of(crowd.handles(units)), strict=True):
            least = _nearest_gap(world, crowd, unit)
            if not np.isfinite(least):
                continue  # none in sight: it may know a way round to one
            seen += 1
            number, index, _ = (int(part[0]) for part in unpacked(np.array([handle])))
            at = crowd.positions[unit]
            if handle == 0:
                return False
            if number == BUILDINGS:
                x, y, columns, rows = world.buildings.rect_of(int(handle))
                gap = float(np.hypot(*(np.clip(at, (x, y), (x + columns, y + rows)) - at)))
            else:
                gap = float(np.hypot(*(world.crowds[number].positions[index] - at)))
            if gap > least + 0.05 and gap > crowd.attack_range + naive.TOUCH_TILES + 2 * RADIUS + 0.25:
                return False
    return seen > ASKED // 2


def _ticks(battle: Battle, count: int, strikes: bool) -> npt.NDArray[np.float64]:
    """Milliseconds of each tick, the game's part not counted."""
    found = np.zeros(count)
    for tick in range(count):
        begin = time.perf_counter()
        battle.world.step(TICK)
        found[tick] = 1e3 * (time.perf_counter() - begin)
        if strikes:
            battle.strike()
    return found


def _phase_rows(name: str, battle: Battle, peaceful: Battle, fights: bool, ok: bool) -> list[Row]:
    """Rows of the ticks that follow."""
    times, without = _ticks(battle, TICKS, fights), _ticks(peaceful, TICKS, False)
    taken: dict[str, float] = defaultdict(float)
    battle.world._bind()
    _timed_by_pass(battle.world, taken)
    _ticks(battle, LOOK_EVERY, False)
    passes = sum(taken[one] for one in FOE_PASSES) / LOOK_EVERY
    alive = sum(crowd.count for crowd in battle.world.crowds)
    note = f"battle: {name}"
    return [
        row(f"{note}, tick, median", float(np.median(times)), "ms", "the same on a plain move", float(np.median(without)), ok),
        row(f"{note}, tick, p99", float(np.percentile(times, 99)), "ms", "the same on a plain move",
            float(np.percentile(without, 99)), ok),
        row(f"{note}, foe passes, mean of a tick", passes, "ms", "scipy cKDTree, those due asked", _peer_ms(battle), ok),
        row(f"{note}, foe passes, a unit and tick", 1e6 * passes / alive, "ns", None, None, ok),
    ]  # fmt: skip


def rows() -> list[Row]:
    """All rows of this benchmark."""
    battle, peaceful = Battle(), Battle(attacks=False)
    for one in (battle, peaceful):
        _ticks(one, 30, False)
    found = _phase_rows("20,000 a side, apart", battle, peaceful, False, battle.is_right())
    _ticks(battle, MEET_TICKS, True)
    _ticks(peaceful, MEET_TICKS, False)
    strikers = battle.strike()
    ok = battle.is_right() and _chooses_well(battle)
    met = _phase_rows(f"fighting, {strikers:,} strike", battle, peaceful, True, ok and strikers > 1_000 and battle.is_right())
    return [*found, *met]
