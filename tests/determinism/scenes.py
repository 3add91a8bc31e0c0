"""Scenes whose every bit must come out the same, and playing one in different circumstances.

What a scene does in a tick follows from the world and the tick alone, so that it may go on in a world that was restored.
Circumstances are all that may not show: threads, how far the background thread gets and in what slices, restores on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest import mock

import numpy as np
import numpy.typing as npt

from pynav.crowd import flow_build
from pynav.crowd.unit_handles import unpacked
from pynav.grid import TileGrid, generate_map
from pynav.grid.movement_class import MovementClass
from pynav.jobs import JobBudget, SlicedJob
from pynav.kernels import reset_stats, set_threads, stats
from pynav.world import World

STEPS = (1 / 60, 1 / 30, 1 / 144)  # seconds of a tick, in turn
CHECK_EVERY = 20
HUGE_SLICE = 1 << 40


@dataclass(frozen=True)
class Variation:
    """What must show in the hash: the seed, the map, where a crowd goes."""

    seed: int = 7
    map_seed: int = 1
    goal: int = 40


@dataclass(frozen=True)
class Scene:
    """A map with crowds, and what happens to them.

    Attributes:
        ticks: how long it is played.
        make: builds it in a world; ``units`` in all.
        act: what happens before a tick.
        steps: seconds of a tick, in turn.
    """

    name: str
    ticks: int
    units: int
    make: Callable[[World, int, Variation], None]
    act: Callable[[World, int], None]
    steps: tuple[float, ...] = STEPS


@dataclass(frozen=True)
class Circumstances:
    """What must not show.

    Attributes:
        pace: of the background thread: "free", "starved" (it never gets to anything: all work is done at the deadlines),
            "instant" (all work is done as soon as it begins).
        slice_size: blocks (or tiles of whole floods) of a slice; None: as in play.
        restore_at: ticks before which the world is saved, and a new one goes on from the bytes.
    """

    threads: int = 1
    pace: str = "free"
    slice_size: int | None = None
    restore_at: tuple[int, ...] = ()


@dataclass
class Played:
    """How a scene went.

    Attributes:
        trail: (tick, hash) at times, and at the end.
        threads_used: distinct threads that ran blocks.
        late: flows that were not done when they were due.
        finished: flows that were published.
    """

    world: World
    trail: list[tuple[int, str]] = field(default_factory=list)
    threads_used: int = 0
    late: int = 0
    finished: int = 0

    @property
    def hash(self) -> str:
        """Of the state at the end."""
        return self.trail[-1][1]

    def first_difference(self, other: Played) -> int | None:
        """The first tick noted in which the states differ; None if they never do."""
        pairs = zip(self.trail, other.trail, strict=True)
        return next((left[0] for left, right in pairs if left != right), None)


def play(
    scene: Scene,
    circumstances: Circumstances | None = None,
    variation: Variation | None = None,
    units: int | None = None,
    ticks: int | None = None,
) -> Played:
    """Play a scene; other numbers of units or ticks make another scene of it."""
    given = circumstances or Circumstances()
    seeds = variation or Variation()
    set_threads(given.threads)
    reset_stats()
    with _pace(given):
        played = Played(World(seed=seeds.seed))
        scene.make(played.world, units or scene.units, seeds)
        for tick in range(ticks or scene.ticks):
            if tick in given.restore_at:
                _count_jobs(played)
                restored = World()
                restored.restore(played.world.save())
                played.world = restored
            scene.act(played.world, tick)
            played.world.step(scene.steps[tick % len(scene.steps)])
            if tick % CHECK_EVERY == 0:
                played.trail.append((tick, played.world.state_hash()))
        played.trail.append((ticks or scene.ticks, played.world.state_hash()))
        _count_jobs(played)
    played.threads_used = stats().threads_used
    return played


def _count_jobs(played: Played) -> None:
    """A restored world counts anew."""
    played.finished += played.world.job_statistics.finished
    played.late += played.world.job_statistics.late


@contextmanager
def _pace(given: Circumstances) -> Iterator[None]:
    """Have jobs run as the circumstances say."""

    def starved(job: SlicedJob) -> None:
        """The background thread never gets to it."""

    def instant(job: SlicedJob) -> None:
        while not job.is_done:
            job._call.run()

    start = {"free": SlicedJob.start, "starved": starved, "instant": instant}[given.pace]
    blocks, tiles = given.slice_size or flow_build.BLOCKS_PER_SLICE, given.slice_size or flow_build.TILES_PER_SLICE
    with (
        mock.patch.object(SlicedJob, "start", start),
        mock.patch.object(flow_build, "BLOCKS_PER_SLICE", blocks),
        mock.patch.object(flow_build, "TILES_PER_SLICE", tiles),
    ):
        yield


def _free_tiles(world: World) -> npt.NDArray[np.int64]:
    """Free tiles (n, 2) of the largest part of the map, in rising order of rows."""
    assert world.grid is not None
    labels = world.grid.components()
    sizes = np.bincount(labels.reshape(-1))
    sizes[0] = 0
    return np.argwhere(labels == int(np.argmax(sizes)))[:, ::-1]


def _tile(world: World, number: int) -> tuple[int, int]:
    """A free tile by any number: far numbers lie far apart."""
    free = _free_tiles(world)
    x, y = free[number * 7919 % len(free)]
    return int(x), int(y)


# --- raid: two large crowds on caverns; walls, new orders, deaths


def _make_raid(world: World, units: int, seeds: Variation) -> None:
    side = max(96, round((units * 4) ** 0.5))
    world.set_grid(TileGrid(generate_map("caverns", side, side, seeds.map_seed).cost))
    free = _free_tiles(world)
    stay = world.add_crowd(0, 3.0, 0.3)
    leave = world.add_crowd(0, 2.0, 0.4, on_arrival="remove", arrive_radius=3.0)
    stay.set_goal(free[len(free) // 2])
    leave.set_goal([free[seeds.goal], free[-40]])
    stay.spawn_in(units * 3 // 4)
    leave.spawn_in(units // 4)


def _act_in_raid(world: World, tick: int) -> None:
    assert world.grid is not None
    stay, leave = world.crowds
    if tick % 100 == 60:
        world.edit_cost(40 + tick // 100 % 40, 40, np.full((6, 9), 0 if tick % 200 < 100 else 2, dtype=np.uint8))
    if tick % 300 == 90:
        x, y = _tile(world, tick)
        stay.set_goal_point(x + 0.25, y + 0.75)
    if tick % 120 == 30:
        stay.remove(np.arange(tick % 200, stay.slot_count, 11))
        leave.spawn_in(50)
    if tick % 300 == 150:
        leave.set_goal([_tile(world, 3 * tick), _tile(world, tick)])


# --- game: movement classes, sizes, doors, obstacles, many orders, a budget that keeps work waiting

_CLASSES = (
    MovementClass("ground", {1: 1, 2: 3, 4: 1}),
    MovementClass("amphibious", {1: 1, 2: 2, 3: 2, 4: 1}),
    MovementClass("boat", {3: 1}),
)
_GROUPS = 12


def _make_game(world: World, units: int, seeds: Variation) -> None:
    side = max(128, round((units * 6) ** 0.5))
    cost = generate_map("rooms", side, side, seeds.map_seed).cost
    kinds = np.where(cost == 0, 0, np.where(cost > 1, 2, 1)).astype(np.uint8)
    kinds[side // 2 - 4 : side // 2 + 4] = np.where(kinds[side // 2 - 4 : side // 2 + 4] == 0, 0, 3)  # a river
    for column in range(8, side - 8, 24):
        kinds[side // 2 - 4 : side // 2 + 4, column : column + 5] = 4  # bridges
    world.set_movement_classes(_CLASSES)
    world.set_grid(TileGrid(kinds))
    world.job_budget = JobBudget(frame_units=40, worker_units=30, slack_ticks=1)
    world.add_door("gate", 8, side // 2 - 1, 5, 2)
    world.add_door("lock", side // 2, side // 2 - 4, 2, 8, is_open=True)
    world.add_obstacle(20, 20, np.ones((3, 3)))
    world.add_obstacle(30, 20, np.ones((2, 5)), extra_cost=20, movement_classes=["ground"])
    for group in range(_GROUPS):
        kind = "boat" if group == 5 else ("ground", "amphibious")[group % 2]
        crowd = world.add_crowd(
            0, 2.0 + group % 3, (0.3, 0.45, 0.9)[group % 3 if group != 5 else 0], movement_class=kind,
            on_arrival=("stop", "remove")[group % 4 == 3],
        )  # fmt: skip
        crowd.spawn_in(max(1, units // (_GROUPS * (12 if group % 3 == 2 else 1))))
        crowd.set_goal([_place(world, group, seeds.goal + group)])


def _place(world: World, group: int, number: int) -> tuple[int, int]:
    """A tile where a crowd can stand."""
    crowd = world.crowds[group]
    free = np.argwhere(world.routes_for(crowd.movement_class, crowd.size).graph.grid.cost != 0)[:, ::-1]
    x, y = free[number * 7919 % len(free)]
    return int(x), int(y)


def _act_in_game(world: World, tick: int) -> None:
    assert world.grid is not None
    side = world.grid.width
    if tick % 20 == 3:
        for group in range(tick // 20 % 3, _GROUPS, 3):
            world.crowds[group].set_goal([_place(world, group, tick + group)])
    if tick % 15 == 5:
        world.set_door_open("gate", tick % 2 == 0)
        world.set_door_open("lock", tick % 4 == 0, ["boat"])
    if tick % 5 == 1:
        world.move_obstacle(0, 20 + tick % (side - 24), 20 + tick // 5 % 20)
    if tick % 30 == 12:
        x, y = _tile(world, tick)
        kind = (0, 1, 3)[tick // 30 % 3]
        world.edit_cost(min(x, side - 4), min(y, side - 4), np.full((3, 3), kind, dtype=np.uint8))
    if tick % 60 == 25:
        x, y = _tile(world, 5 * tick)
        world.add_obstacle(x, y, np.ones((2, 2)))
    if tick % 60 == 40:
        crowd = world.crowds[tick // 60 % _GROUPS]
        crowd.remove(np.arange(0, crowd.slot_count, 9))
        crowd.spawn_in(5)
    if tick % 80 == 70:
        giants = world.crowds[2]
        giants.radius = 0.45 if tick % 160 == 70 else 0.9
        world.crowds[1].movement_class = "ground" if tick % 160 == 70 else "amphibious"


# --- dear: tiles so dear that distances need 64 bits, so whole floods instead of blocks


def _make_dear(world: World, units: int, seeds: Variation) -> None:
    made = generate_map("caverns", 210, 210, seeds.map_seed).cost
    world.set_grid(TileGrid(np.where(made == 0, 0, 255).astype(np.uint8)))
    world.job_budget = JobBudget(worker_units=500)
    free = _free_tiles(world)
    for group in range(3):
        crowd = world.add_crowd(0, 3.0, 0.3, arrive_radius=2.0)
        crowd.set_goal(free[(seeds.goal + group * 4001) % len(free)])
        crowd.spawn_in(units // 3)


def _act_in_dear(world: World, tick: int) -> None:
    if tick % 40 == 20:
        x, y = _tile(world, tick)
        world.edit_cost(min(x, 200), min(y, 200), np.full((4, 4), tick % 3 * 100, dtype=np.uint8))
    if tick % 50 == 30:
        world.crowds[tick // 50 % 3].set_goal([_tile(world, tick)])


# --- small: what the plain Python backend can play in a few seconds


def _make_small(world: World, units: int, seeds: Variation) -> None:
    cost = np.ones((24, 30), np.uint8)
    cost[4:20, 12] = 0
    cost[10, 3:9] = 0
    cost[0:5, 20:25] = 7
    cost[20 + seeds.map_seed % 3, 25] = 0
    world.set_grid(TileGrid(cost))
    walkers = world.add_crowd(units * 4 // 5, 4.0, 0.3, arrive_radius=1.0)
    giants = world.add_crowd(units // 5, 2.0, 0.9, on_arrival="remove", arrive_radius=2.0)
    walkers.set_goal([(27, 20), (seeds.goal % 30, 2)])
    giants.set_goal_point(20.5, 12.5)


def _act_in_small(world: World, tick: int) -> None:
    walkers = world.crowds[0]
    if tick == 6:
        world.edit_cost(14, 0, np.zeros((3, 2), np.uint8))
    if tick == 9:
        walkers.remove([1, 5])
        walkers.spawn([(2.5, 2.5), (3.5, 2.5)])
        world.add_door("door", 18, 10, 1, 4)
    if tick == 14:
        walkers.set_goal([(1, 1)])
        world.set_door_open("door", True)


# --- army: commands to selections over several crowds and layers, queues, patrols, followers, deaths


def _make_army(world: World, units: int, seeds: Variation) -> None:
    side = max(96, round((units * 6) ** 0.5))
    world.set_grid(TileGrid(generate_map("caverns", side, side, seeds.map_seed).cost))
    free = _free_tiles(world)
    for radius, part in ((0.3, 2), (0.25, 2), (0.8, 20)):
        crowd = world.add_crowd(0, 3.0 + radius, radius)
        crowd.set_goal([free[seeds.goal]])
        crowd.spawn_in(units // part // 2)


def _chosen(world: World, tick: int, every: int) -> npt.NDArray[np.int64]:
    """Handles of some units of all crowds: those whose id is at this tick's turn."""
    chosen = []
    for crowd in world.crowds:
        ids = np.flatnonzero(crowd.alive)
        chosen.append(crowd.handles(ids[(ids + tick) % every == 0]))
    return np.concatenate(chosen)


def _act_in_army(world: World, tick: int) -> None:
    commands = world.commands
    x, y = _tile(world, tick + 3)
    if tick % 25 == 2:
        commands.move(_chosen(world, tick, 3), (x + 0.5, y + 0.25))
    if tick % 25 in (7, 12):
        commands.move(_chosen(world, tick, 4), (x + 0.5, y + 0.5), queued=True)
    if tick % 40 == 9:
        commands.patrol(_chosen(world, tick, 7), (x + 0.5, y + 0.5))
        commands.hold(_chosen(world, tick, 5), yields=tick % 80 == 9, queued=tick % 80 == 49)
    if tick % 50 == 21:
        followed = world.crowds[0].handles()
        commands.follow(_chosen(world, tick, 9), int(followed[tick % len(followed)]))
        commands.follow(_chosen(world, tick, 11), world.crowds[2], queued=True)
    if tick % 60 == 33:
        commands.release(_chosen(world, tick, 6))
        commands.stop(_chosen(world, tick, 13))
        world.crowds[1].set_goal([(x, y)])
    if tick % 45 == 17:
        world.edit_cost(min(x, 80), min(y, 80), np.full((5, 5), tick % 2, dtype=np.uint8))
        world.crowds[0].remove(np.arange(tick % 7, world.crowds[0].slot_count, 13))
        world.crowds[0].spawn_in(20)
    if tick == 100:
        world.crowds[1].radius = 0.6


# --- battle: three teams attack one another; who is struck falls, others come, walls rise between them


def _make_battle(world: World, units: int, seeds: Variation) -> None:
    side = max(72, round((units * 4) ** 0.5))
    world.set_grid(TileGrid(generate_map("caverns", side, side, seeds.map_seed).cost))
    for number, (radius, sight, reach) in enumerate(((0.3, 6.0, 0.4), (0.25, 10.0, 5.0), (0.3, 7.0, 0.3), (0.8, 9.0, 1.0))):
        crowd = world.add_crowd(0, 3.0 + radius, radius)
        crowd.team, crowd.sight_radius, crowd.attack_range = min(number, 2), sight, reach
        crowd.spawn_in(units // 4 if number < 3 else units // 40)
    world.crowds[0].enemy_teams = 0b110
    _act_in_battle(world, 0)
    world.commands.attack_move(world.crowds[1], _middle(world, seeds.goal))


def _middle(world: World, number: int) -> tuple[float, float]:
    x, y = _tile(world, number)
    return x + 0.5, y + 0.5


def _act_in_battle(world: World, tick: int) -> None:
    commands = world.commands
    if tick % 60 == 0:
        commands.attack_move(_chosen(world, tick, 2), _middle(world, tick // 60))
    if tick % 60 == 20:
        commands.attack_move(_chosen(world, tick, 3), _middle(world, tick), queued=True)
        commands.move(_chosen(world, tick, 11), _middle(world, tick))
    if tick % 20 == 11:
        _, struck = commands.engaged()
        crowds, ids, _ = unpacked(np.unique(struck[tick % 40 // 20 :: 4]))
        for crowd in world.crowds:
            crowd.remove(ids[crowds == crowd.index])
    if tick % 50 == 31:
        world.crowds[tick // 50 % 3].spawn_in(20)
        x, y = _tile(world, 7 * tick)
        world.edit_cost(min(x, 60), min(y, 60), np.full((4, 4), tick % 2, dtype=np.uint8))
    if tick == 110:
        world.crowds[2].enemy_teams = 0b001
        world.crowds[1].sight_radius = 5.0


# --- siege: a battle about buildings, which are struck down, rise elsewhere and change hands


def _make_siege(world: World, units: int, seeds: Variation) -> None:
    _make_battle(world, units, seeds)
    for number in range(12):
        _build(world, number)


def _build(world: World, number: int) -> None:
    assert world.grid is not None
    width, height = 1 + number % 4, 1 + number % 3
    x, y = _tile(world, 5 * number)
    x, y = min(x, world.grid.width - width), min(y, world.grid.height - height)
    world.edit_cost(x, y, np.zeros((height, width), dtype=np.uint8))
    world.buildings.add(x, y, width, height, number % 3)


def _act_in_siege(world: World, tick: int) -> None:
    _act_in_battle(world, tick)
    handles = world.buildings.handles()
    if tick % 25 == 13:
        struck = world.commands.engaged()[1]
        world.buildings.remove(int(next(iter(struck[world.buildings.are_there(struck)]), handles[0])))
        _build(world, tick)
    if tick % 40 == 17:
        world.buildings.set_team(int(handles[tick % len(handles)]), tick % 3)


# --- large: raid and battle as worlds so large that two ticks share a move


def _make_large_raid(world: World, units: int, seeds: Variation) -> None:
    world.large_world_agents = 100
    _make_raid(world, units, seeds)


def _make_large_battle(world: World, units: int, seeds: Variation) -> None:
    world.large_world_agents = 100
    _make_battle(world, units, seeds)


STEADY = (*[1 / 60] * 40, 1 / 50)

RAID = Scene("raid", 240, 2_000, _make_raid, _act_in_raid)
GAME = Scene("game", 200, 2_000, _make_game, _act_in_game)
DEAR = Scene("dear", 120, 300, _make_dear, _act_in_dear)
SMALL = Scene("small", 24, 40, _make_small, _act_in_small)
ARMY = Scene("army", 200, 1_200, _make_army, _act_in_army)
BATTLE = Scene("battle", 160, 1_000, _make_battle, _act_in_battle)
SIEGE = Scene("siege", 160, 1_000, _make_siege, _act_in_siege)
LARGE_RAID = Scene("large raid", 240, 1_500, _make_large_raid, _act_in_raid, STEADY)
LARGE_BATTLE = Scene("large battle", 160, 1_000, _make_large_battle, _act_in_battle, STEADY)
SCENES = {scene.name: scene for scene in (RAID, GAME, DEAR, SMALL, ARMY, BATTLE, SIEGE, LARGE_RAID, LARGE_BATTLE)}
