"""The world: ticks of any length, maps, edits, what is refused."""

import gc
import weakref

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.grid import GridError, TileGrid
from pynav.world import World
from tests.unit.crowd.worlds import TICK, check, open_world, run, run_until_arrived, world_of


def test_a_tick_of_no_time_changes_nothing() -> None:
    world = open_world(20, 20)
    crowd = world.add_crowd(30)
    crowd.set_goal((3, 3))
    run(world, 0.5)
    world.edit_cost(9, 9, [[0]])
    before = world.save()
    world.step(0.0)
    assert world.save() == before


@pytest.mark.parametrize("rate", [20, 30, 60, 120, 240])
def test_any_tick_rate_brings_the_same_crowd_to_the_goal(rate: int) -> None:
    world = world_of(*["." * 12 + ("." if row in (8, 9) else "#") + "." * 12 for row in range(18)])
    crowd = world.add_crowd(60, 4.0, 0.3, area=(0, 0, 10, 18))
    crowd.set_goal_point(20.0, 9.0)
    assert run_until_arrived(world, 40, 1.0 / rate)
    before = crowd.positions.copy()
    run(world, 1, 1.0 / rate)
    assert np.abs(crowd.positions - before).max() < 0.1


@pytest.mark.parametrize("speed", [0.5, 3.0, 12.0, 40.0])
def test_free_agents_walk_at_their_speed(speed: float) -> None:
    world = open_world(200, 5)
    crowd = world.add_crowd(0, speed, 0.3, speed_variation=0.0)
    crowd.spawn([[1.5, 2.5]])
    crowd.set_goal_point(199.0, 2.5)
    world.finish_builds()
    seconds = 120.0 / speed
    run(world, seconds)
    assert crowd.positions[0, 0] - 1.5 == pytest.approx(120.0, rel=0.06)


def test_the_fastest_agents_jump_no_wall() -> None:
    world = world_of(*["." * 10 + "#" + "." * 10] * 7, "." * 21)
    crowd = world.add_crowd(30, 200.0, 0.3, area=(0, 0, 9, 8))
    crowd.set_goal((19, 1))
    for _ in range(120):
        left = crowd.positions[:, 0] < 10
        world.step(1 / 30)
        check(world)
        crossed = left & (crowd.positions[:, 0] > 11)
        assert not (crossed & (crowd.positions[:, 1] < 6)).any()
    assert crowd.arrived_count == 30


@pytest.mark.parametrize("dt", [-0.1, float("nan"), float("inf"), 1.5])
def test_bad_ticks_are_refused(dt: float) -> None:
    world = open_world(5, 5)
    with pytest.raises(WorldError, match="dt must be 0 to 1"):
        world.step(dt)
    assert world.tick == 0


def test_without_a_map_the_world_says_so() -> None:
    world = World()
    crowd = world.add_crowd()
    for call in (lambda: world.step(TICK), lambda: crowd.set_goal((0, 0)), lambda: crowd.spawn([[1, 1]])):
        with pytest.raises(ValueError, match="set_grid"):
            call()


def test_an_edit_is_served_like_a_fresh_map() -> None:
    """After random edits the flow equals that of a world that was made with the map as it is now, on every tile."""
    random = np.random.default_rng(6)
    world = open_world(40, 30)
    crowd = world.add_crowd(10)
    goal = [(20, 15), (3, 3)]
    crowd.set_goal(goal)
    for _ in range(60):
        x, y = int(random.integers(0, 36)), int(random.integers(0, 26))
        world.edit_cost(x, y, random.integers(0, 4, (4, 4)).astype(np.uint8))
        for tile in goal:
            world.edit_cost(*tile, [[1]])
        world.step(TICK)
    while world.queue_length:
        world.step(TICK)
    assert world.grid is not None and world._flows is not None
    fresh = World()
    fresh.set_grid(TileGrid(world.grid.cost.copy()))
    fresh.add_crowd().set_goal(goal)
    fresh.finish_builds()
    assert fresh._flows is not None
    assert (world._flows.value[0] == fresh._flows.value[0]).all()
    assert (world._flows.near.box[0] == fresh._flows.near.box[0]).all()
    assert (world._flows.near.mark[0] == fresh._flows.near.mark[0]).all()
    for flows in (world._flows, fresh._flows):
        flows.write_all()
    assert (world._flows.flow[0] == fresh._flows.flow[0]).all()


def test_painting_without_a_pause_still_brings_new_flows() -> None:
    world = open_world(300, 300)
    crowd = world.add_crowd(5)
    crowd.set_goal((150, 150))
    world.finish_builds()
    assert world._flows is not None
    seen = set()
    for tick in range(60):
        world.edit_cost(tick, 10, [[0]])
        world.step(TICK)
        seen.add(world._flows.value[0].tobytes())
    assert len(seen) > 5


def test_nothing_is_built_twice_or_for_no_change() -> None:
    world = open_world(20, 20)
    crowd = world.add_crowd(3, cohesion=False)  # a group's common route is sought anew beside the repair
    crowd.set_goal((3, 3))
    world.finish_builds()
    assert not world.edit_cost(4, 4, [[1]])
    assert world.queue_length == 0
    for column in range(5):
        world.edit_cost(10 + column, 4, [[0]])
    assert world.queue_length == 1


def test_all_goals_turned_solid_and_freed_again() -> None:
    world = open_world(12, 12)
    crowd = world.add_crowd(5, area=(0, 0, 4, 4))
    crowd.set_goal((10, 10))
    run(world, 0.3)
    world.edit_cost(10, 10, [[0]])
    run(world, 1)
    assert crowd.unreachable_count == 5
    world.edit_cost(10, 10, [[1]])
    assert run_until_arrived(world, 20)


def test_another_map() -> None:
    world = open_world(12, 12)
    crowd = world.add_crowd(5, area=(0, 0, 4, 4))
    crowd.set_goal((10, 10))
    cost = np.ones((12, 12), dtype=np.uint8)
    cost[:, 6] = 0
    world.set_grid(TileGrid(cost))
    run(world, 1)
    assert crowd.unreachable_count == 5
    with pytest.raises(WorldError, match=r"12, 12.*9, 7.*5 agents"):
        world.set_grid(TileGrid(np.ones((7, 9), dtype=np.uint8)))
    crowd.clear()
    world.set_grid(TileGrid(np.ones((7, 9), dtype=np.uint8)))
    assert not crowd.has_goal
    crowd.spawn_in(3)
    crowd.set_goal((8, 6))
    assert run_until_arrived(world, 20)


def test_edits_outside_are_refused_and_change_nothing() -> None:
    world = open_world(12, 12)
    before = world.state_hash()
    with pytest.raises(GridError):
        world.edit_cost(11, 11, np.zeros((2, 2), dtype=np.uint8))
    assert world.state_hash() == before


def test_the_hash_tells_states_apart() -> None:
    def made(seed: int = 1, goal: tuple[int, int] = (3, 3), wall: bool = False, count: int = 20) -> str:
        world = open_world(20, 20, seed)
        if wall:
            world.edit_cost(19, 19, [[0]])
        world.add_crowd(count, area=(0, 0, 10, 10)).set_goal(goal)
        return world.state_hash()

    hashes = [made(), made(seed=2), made(goal=(3, 4)), made(wall=True), made(count=21)]
    assert made() == hashes[0] and len(set(hashes)) == 5


def test_a_goal_that_moves_each_tick_is_chased_round_a_wall() -> None:
    """Flows get done though each tick brings a new goal, one search under way at a time, and the agents get there."""
    cost = np.ones((64, 96), dtype=np.uint8)
    cost[0:56, 48] = 0
    world = World(seed=1)
    world.set_grid(TileGrid(cost))
    crowd = world.add_crowd(0, speed=6.0, radius=0.3, arrive_radius=1.0)
    crowd.spawn([(8.5 + column, 8.5 + row) for column in range(4) for row in range(4)])
    start = crowd.positions.copy()
    goal = np.zeros(2)
    for tick in range(1500):
        goal = np.array([70 + 8 * np.cos(tick / 160), 20 + 8 * np.sin(tick / 160)])
        crowd.set_goal_point(*goal)
        if tick == 450:
            restored = World()
            restored.restore(world.save())
            world = restored
            crowd = world.crowds[0]
        world.step(1 / 60)
        assert world._flows is not None and len(world._flows.scheduler.begun) <= 1
        assert sum(flow is not None for flow in world._flows.flows) <= 3
    assert world._flows is not None
    assert world._flows.scheduler.statistics.finished > 20
    assert (start[:, 0] < 48).all() and (np.hypot(*(crowd.positions - goal).T) < 6).all()


def test_a_restored_world_holds_nothing_of_what_was_before() -> None:
    world = World(threads=1, seed=3)
    world.set_grid(TileGrid(np.ones((40, 40), dtype=np.uint8)))
    world.add_crowd(20).set_goal([(30, 30)])
    world.finish_builds()
    before = weakref.ref(world._flows)
    saved = world.save()
    gc.disable()
    try:
        world.restore(saved)
        assert before() is None
    finally:
        gc.enable()
    assert world.save() == saved
