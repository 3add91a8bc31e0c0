"""Worlds so large that two ticks share a move: nobody notices but the clock."""

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.crowd.pace import LARGE_WORLD_AGENTS, Pace, Passes, Stage
from pynav.grid import TileGrid
from pynav.world import World

TICK = 1 / 60


def large_world(count: int = 60, side: int = 40, **crowd: float) -> World:
    world = World(seed=4)
    world.large_world_agents = 10
    world.set_grid(TileGrid(np.ones((side, side), np.uint8)))
    world.add_crowd(count, area=(2, 2, side - 4, side - 4), **{"speed": 3.0, "radius": 0.3, **crowd})
    return world


def run(world: World, ticks: int) -> None:
    for _ in range(ticks):
        world.step(TICK)


def run_until(world: World, stage: Stage) -> None:
    """A dozen ticks, and on until the world stands there."""
    run(world, 12)
    while world._pace.stage != stage:
        world.step(TICK)


BOTH = (Stage.LISTED, Stage.HALFWAY)


def next_passes(
    pace: Pace, dt: float = TICK, count: int = LARGE_WORLD_AGENTS + 1, speed: float = 3.0, bodies: bool = False
) -> Passes:
    return pace.next_turn(7, dt, count, speed, bodies).passes


def test_two_ticks_share_a_move() -> None:
    pace = Pace()
    assert [next_passes(pace) for _ in range(5)] == [Passes.ALL, Passes.LISTS, Passes.MOVES, Passes.LISTS, Passes.MOVES]


def test_the_numbers_of_a_move_are_the_same_in_both_ticks() -> None:
    pace = Pace()
    turns = [pace.next_turn(tick, TICK, LARGE_WORLD_AGENTS + 1, 3.0, False) for tick in range(9)]
    moves = turns[1:]
    assert [turn.number for turn in moves] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert {(turn.dt, turn.wish_interval, turn.is_halved) for turn in turns} == {(2 * TICK, 4, True)}


@pytest.mark.parametrize(
    "other",
    [{"count": LARGE_WORLD_AGENTS}, {"bodies": True}, {"speed": 7.6}, {"dt": 1 / 20}],
    ids=["small", "bodies", "fast", "slow"],
)
def test_other_worlds_move_in_every_tick(other: dict[str, float]) -> None:
    pace = Pace()
    for _ in range(3):
        turn = pace.next_turn(
            9, other.get("dt", TICK), int(other.get("count", 50_000)), other.get("speed", 3.0), bool(other.get("bodies", False))
        )
        assert (turn.passes, turn.number, turn.is_halved) == (Passes.ALL, 9, False)
    assert pace.stage == Stage.DONE


@pytest.mark.parametrize("what", ["rows_changed", "places_changed", "orders_came"])
def test_what_comes_in_between_is_looked_at(what: str) -> None:
    pace = Pace()
    next_passes(pace), next_passes(pace)
    assert pace.stage == Stage.LISTED
    setattr(pace, what, True)
    assert next_passes(pace) == Passes.ALL
    setattr(pace, what, True)
    assert next_passes(pace) == (Passes.LISTS if what == "rows_changed" else Passes.ALL)


def test_another_time_step_begins_anew() -> None:
    pace = Pace()
    next_passes(pace)
    assert next_passes(pace, dt=TICK * 1.1) == Passes.ALL
    assert next_passes(pace, dt=TICK * 1.1) == Passes.LISTS


def test_everybody_moves_equally_far_in_every_tick() -> None:
    world = large_world(11, radius=0.1, speed_variation=0.0)
    crowd = world.crowds[0]
    crowd.set_positions(np.arange(11), [(3.5, 3.5 + 3 * number) for number in range(11)])
    crowd.set_goal([(38, 20)])
    world.finish_builds()
    run(world, 90)
    before = crowd.positions.copy()
    for _ in range(8):
        world.step(TICK)
        step = np.hypot(*(crowd.positions - before).T)
        assert step == pytest.approx(3.0 * TICK, rel=0.02)
        before = crowd.positions.copy()


@pytest.mark.parametrize("stage", BOTH)
def test_who_is_told_something_sets_off_in_the_same_tick(stage: Stage) -> None:
    world = large_world()
    crowd = world.crowds[0]
    crowd.set_goal([(30, 30)])
    world.finish_builds()
    run(world, 20)
    chosen = np.flatnonzero(np.hypot(*(crowd.positions - 30.5).T) > 6)[:20]
    world.commands.stop(crowd.handles(chosen))
    run(world, 40 + (stage == Stage.HALFWAY))
    assert world._pace.stage == stage
    assert np.hypot(*crowd.velocities[chosen].T).max() < 0.05
    before = crowd.positions[chosen]
    world.commands.move(crowd.handles(chosen), (3.5, 3.5))
    world.step(TICK)
    along = ((crowd.positions[chosen] - before) * (3.5 - before)).sum(axis=1)
    assert (along > 0).mean() > 0.2, "those whose turn it is to make a wish"


@pytest.mark.parametrize("stage", BOTH)
def test_nothing_that_comes_in_between_is_lost(stage: Stage) -> None:
    world = large_world()
    crowd = world.crowds[0]
    crowd.set_goal([(30, 30)])
    world.finish_builds()
    run_until(world, stage)
    crowd.remove([3, 4])
    born = crowd.spawn([(5.5, 5.5), (6.5, 5.5)])
    crowd.set_positions([7, 8], [(10.5, 20.5), (12.5, 20.5)])
    world.step(TICK)
    assert crowd.count == 60 and not crowd.alive[[3, 4]][np.isin([3, 4], born, invert=True)].any()
    assert np.abs(crowd.positions[born] - [(5.5, 5.5), (6.5, 5.5)]).max() < 0.2
    assert np.abs(crowd.positions[[7, 8]] - [(10.5, 20.5), (12.5, 20.5)]).max() < 0.2
    run(world, 900)
    assert crowd.arrived_count == 60


def test_arrivals_are_told_once() -> None:
    world = large_world()
    crowd = world.crowds[0]
    crowd.set_goal([(20, 20)])
    world.finish_builds()
    told: list[int] = []
    for _ in range(1200):
        world.step(TICK)
        told += crowd.take_arrived().tolist()
    assert sorted(told) == list(range(60))


@pytest.mark.parametrize("stage", BOTH)
def test_nobody_goes_on_into_a_new_wall(stage: Stage) -> None:
    world = large_world(200, radius=0.2)
    crowd = world.crowds[0]
    crowd.set_goal([(37, 20)])
    world.finish_builds()
    run(world, 60)
    run_until(world, stage)
    for edit in range(30):
        world.edit_cost(edit, 3, np.full((34, 1), edit % 3 == 0, np.uint8))
        world.step(TICK)
        assert world.grid is not None
        x, y = crowd.positions.astype(int).T
        assert (world.grid.cost[y, x] != 0).all()


def test_it_takes_as_long_as_in_a_small_world() -> None:
    taken = []
    for limit in (10, LARGE_WORLD_AGENTS):
        world = large_world(150)
        world.large_world_agents = limit
        world.crowds[0].set_goal([(20, 20)])
        world.finish_builds()
        ticks = 0
        while world.crowds[0].arrived_count < 140 and ticks < 2000:
            world.step(TICK)
            ticks += 1
        taken.append(ticks)
    assert taken[0] == pytest.approx(taken[1], rel=0.1)


def test_large_is_part_of_the_state_and_checked() -> None:
    world = World()
    assert world.large_world_agents == LARGE_WORLD_AGENTS
    world.large_world_agents = 5
    restored = World()
    restored.restore(world.save())
    assert restored.large_world_agents == 5
    for wrong in (-1, 2.5, "many"):
        with pytest.raises(WorldError, match="whole number of at least 0, got"):
            world.large_world_agents = wrong  # type: ignore[assignment]


@pytest.mark.parametrize("stage", BOTH)
def test_an_edit_that_puts_some_out_of_a_wall_neither_ends_a_move_nor_depends_on_lists_in_memory(stage: Stage) -> None:
    world, other = large_world(600), World()
    crowd = world.crowds[0]
    crowd.set_goal([(30, 30)])
    world.finish_builds()
    run(world, 120)
    run_until(world, stage)
    other.restore(world.save())
    x, y = (int(at) for at in np.median(crowd.positions, axis=0))
    wall = np.zeros((6, 6), dtype=np.uint8)
    inside = (np.abs(np.floor(crowd.positions) - (x + 0.5, y + 0.5)) < 3).all(axis=1)
    assert inside.sum() > 5
    for one in (world, other):
        one.edit_cost(x - 2, y - 2, wall)
        one.step(TICK)
        assert one._pace.stage == (Stage.HALFWAY if stage == Stage.LISTED else Stage.LISTED), "the move went on"
        tiles = np.floor(one.crowds[0].positions).astype(int)
        assert one.grid is not None and one.grid.cost[tiles[:, 1], tiles[:, 0]].all()
    assert world.state_hash() == other.state_hash()
    for _ in range(10):
        run(world, 1), run(other, 1)
        assert world.state_hash() == other.state_hash()
        tiles = np.floor(crowd.positions).astype(int)
        assert world.grid is not None and world.grid.cost[tiles[:, 1], tiles[:, 0]].all()
