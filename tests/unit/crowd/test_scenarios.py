"""Whole scenes: cases of real bug reports, and the crowds that a method must resolve. Outcomes are counted, nothing is timed."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.crowd.crowd import STATUS_ARRIVED, STATUS_UNREACHABLE
from pynav.grid import TileGrid
from pynav.jobs import JobBudget
from pynav.world import World
from tests.naive.crowd import least_distance
from tests.unit.crowd.worlds import TICK, check, open_world, run, run_until_arrived, world_of


@pytest.mark.parametrize("removes", [False, True])
def test_a_block_is_walked_around_not_into(removes: bool) -> None:
    world = world_of("........", "...##...", "...##...", ".......G")
    crowd = world.add_crowd(100, 3.0, 0.4, area=(0, 0, 3, 4), on_arrival="remove" if removes else "stop")
    crowd.set_goal((7, 3))
    for _ in range(60 * 40):
        world.step(TICK)
        check(world)
        if crowd.arrived_count == 100:
            break
    assert crowd.arrived_count == 100


@pytest.mark.parametrize("direction", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_a_lone_agent_slides_along_a_wall(direction: tuple[int, int]) -> None:
    """Straight at a block with the goal behind it: never slower than a tenth of its speed for a second."""
    x, y = direction
    cost = np.ones((15, 15), dtype=np.uint8)
    cost[6:9, 6:9] = 0
    world = open_world(15, 15)
    world.edit_cost(0, 0, cost)
    crowd = world.add_crowd(0, 3.0, 0.4, speed_variation=0.0)
    crowd.spawn([[7.5 - 6 * x, 7.5 - 6 * y]])
    crowd.set_goal((7 + 6 * x, 7 + 6 * y))
    world.finish_builds()
    slow = longest = 0
    for _ in range(60 * 12):
        world.step(TICK)
        check(world)
        if crowd.arrived_count:
            break
        slow = slow + 1 if np.hypot(*crowd.velocities[0]) < 0.3 else 0
        longest = max(longest, slow)
    assert crowd.arrived_count == 1 and longest < 60


def test_all_set_off_in_the_tick_of_the_order_and_turn_in_the_one_that_has_its_flow() -> None:
    wall = np.ones((24, 24), dtype=np.uint8)
    wall[4:, 12] = 0  # ways to the right lead round its upper end
    world = World(threads=2, seed=1)
    world.set_grid(TileGrid(wall))
    crowd = world.add_crowd(0, 4.0, 0.3, speed_variation=0.0)
    crowd.spawn([[1.5 + 2 * (index % 4), 6.5 + index // 4 * 2] for index in range(24)])
    crowd.set_goal((20, 20))
    world.step(TICK)
    assert (crowd.velocities[:, 0] > 0.3).all(), "straight for the goal"
    while crowd.is_waiting:
        before = crowd.velocities[:, 1].copy()
        world.step(TICK)
    assert (crowd.velocities[:, 1] < before).all(), "up, along the flow"


def test_who_stands_in_the_middle_of_a_settled_crowd_gets_out_of_it_and_nobody_who_holds_is_moved() -> None:
    world = open_world(30, 30)
    crowd = world.add_crowd(0, 4.0, 0.3, speed_variation=0.0)
    crowd.spawn([[10.5 + 0.7 * x + 0.35 * (y % 2), 15.5 + 0.6 * y] for y in range(-4, 5) for x in range(-4, 5)])
    holds = crowd.handles(np.arange(9))
    world.commands.hold(holds)
    run(world, 60)
    held = crowd.positions[:9].copy()
    world.commands.move(crowd.handles([40]), (25.5, 15.5))
    run(world, 15 * 60)
    assert crowd.states[40] == STATUS_ARRIVED
    assert np.array_equal(crowd.positions[:9], held)


def test_while_its_field_is_built_an_agent_goes_straight_for_the_goal() -> None:
    world = open_world(16, 16)
    crowd = world.add_crowd(0, 4.0, 0.4, speed_variation=0.0)
    crowd.spawn([[3.5, 8.5]])
    crowd.set_goal((15, 8))
    while crowd.positions[0, 0] < 10.5:
        world.step(TICK)
    world.job_budget = JobBudget(slack_ticks=180)
    crowd.set_goal((0, 8))
    start = farthest = float(crowd.positions[0, 0])
    for _ in range(60):
        world.step(TICK)
        farthest = max(farthest, float(crowd.positions[0, 0]))
        assert crowd.is_waiting
    assert farthest < start + 1 and crowd.positions[0, 0] < start - 1
    assert run_until_arrived(world, 10)
    assert crowd.positions[0, 0] < 1.5


def test_while_its_field_is_built_an_agent_waits_before_a_wall() -> None:
    world = world_of(".........", "....#....", "....#....", "....#....")
    world.job_budget = JobBudget(slack_ticks=360)
    crowd = world.add_crowd(0, 4.0, 0.3, speed_variation=0.0)
    crowd.spawn([[0.5, 2.5]])
    crowd.set_goal((8, 2))
    for _ in range(120):
        world.step(TICK)
        assert crowd.is_waiting and crowd.positions[0, 0] < 3.7
    assert np.hypot(*crowd.velocities[0]) < 0.05
    assert run_until_arrived(world, 10)


def test_walls_at_load_built_later_and_destroyed() -> None:
    closed = world_of("....#....", "....#....", "....#....")
    crowd = closed.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[0.5, 1.5]])
    assert not crowd.set_goal((8, 1)) and crowd.is_refused
    run(closed, 1)
    assert closed.queue_length == 0, "a refused goal costs no build"
    assert crowd.states.tolist() == [STATUS_UNREACHABLE] and crowd.take_unreachable().tolist() == [0]
    closed.edit_cost(4, 1, [[1]])
    saved = closed.save()
    assert run_until_arrived(closed, 10)
    restored = World()
    restored.restore(saved)
    assert run_until_arrived(restored, 10)

    later = world_of(".........", ".........", ".........")
    crowd = later.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[0.5, 1.5]])
    assert crowd.set_goal((8, 1))
    run(later, 0.5)
    later.edit_cost(4, 0, [[0], [0], [0]])
    run(later, 2)
    assert crowd.states.tolist() == [STATUS_UNREACHABLE]
    for _ in range(2):  # twice destroyed is once destroyed
        later.edit_cost(4, 1, [[1]])
    assert run_until_arrived(later, 10)


def test_the_bridge_falls() -> None:
    world = world_of("....~....", "....~....", ".........", "....~....")
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[0.5, 2.5]])
    crowd.set_goal((8, 2))
    while crowd.positions[0, 0] < 2.5:
        world.step(TICK)
    world.edit_cost(4, 2, [[0]])
    run(world, 2)
    assert crowd.states.tolist() == [STATUS_UNREACHABLE] and crowd.take_unreachable().tolist() == [0]
    assert crowd.positions[0, 0] < 4 and np.abs(crowd.velocities).max() < 0.01
    assert crowd.set_goal((0, 0))
    assert run_until_arrived(world, 10)


def test_an_enclosed_goal_is_unreachable_without_an_exception() -> None:
    world = world_of("........", ".####...", ".#.#....", ".####...", "S.......")
    crowd = world.add_crowd(0)
    crowd.spawn([[0.5, 4.5]])
    assert not crowd.set_goal((2, 2)) and not crowd.set_goal((1, 1))
    run(world, 1)
    assert crowd.states.tolist() == [STATUS_UNREACHABLE]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_taken_goal_is_arrived_at_by_all_and_then_there_is_rest(seed: int) -> None:
    world = open_world(12, 12, seed)
    crowd = world.add_crowd(25, 3.0, 0.4)
    crowd.set_goal((6, 6))
    assert run_until_arrived(world, 20)
    run(world, 1)
    before = crowd.positions.copy()
    for _ in range(300):
        world.step(TICK)
        assert world.queue_length == 0
    assert np.abs(crowd.positions - before).max() < 0.1
    assert (crowd.states == STATUS_ARRIVED).all()


def test_its_own_tile_turned_solid_does_not_hold_an_agent() -> None:
    world = open_world(5, 5)
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[2.5, 2.5]])
    world.edit_cost(2, 2, [[0]])
    assert crowd.set_goal((4, 4))
    assert run_until_arrived(world, 5)
    other = world.add_crowd(0, 3.0, 0.3)
    other.spawn([[2.5, 2.5]], snap=True)
    assert other.set_goal((0, 0))
    assert run_until_arrived(world, 5)


@pytest.mark.parametrize("radius", [0.3, 0.45, 0.8, 1.5])
def test_walls_painted_over_a_crowd_leave_nobody_inside_or_wedged(radius: float) -> None:
    world = open_world(24, 24)
    crowd = world.add_crowd(60 if radius < 1 else 20, 3.0, radius)
    crowd.set_goal((22, 22))
    random = np.random.default_rng(4)
    for _ in range(40):
        x, y = (int(value) for value in random.integers(0, 20, 2))
        world.edit_cost(x, y, (random.random((3, 3)) > 0.4).astype(np.uint8))
        world.edit_cost(22, 22, [[1]])
        for _ in range(6):
            world.step(TICK)
            check(world)
    world.edit_cost(0, 0, np.ones((24, 24), dtype=np.uint8))
    assert run_until_arrived(world, 60)


@pytest.mark.parametrize("angle", [0, 1, 2, 3])
def test_two_exactly_head_on_pass_each_other(angle: int) -> None:
    ends = [((6.5, 9.5), (16.5, 9.5)), ((9.5, 6.5), (9.5, 16.5)), ((6.5, 6.5), (13.5, 13.5)), ((6.5, 13.5), (13.5, 6.5))]
    first, last = ends[angle]
    finals = []
    for _ in range(2):
        world = open_world(24, 24)
        crowds = [world.add_crowd(0, 2.0, 0.5, speed_variation=0.0, arrive_radius=0.5) for _ in range(2)]
        for crowd, start, goal in zip(crowds, (first, last), (last, first), strict=True):
            crowd.spawn([start])
            crowd.set_goal_point(*goal)
        nearest = 9.0
        ticks = 0
        while not all(crowd.arrived_count for crowd in crowds):
            world.step(TICK)
            ticks += 1
            nearest = min(nearest, float(np.hypot(*(crowds[0].positions[0] - crowds[1].positions[0]))))
            assert ticks < 2 * 60 * np.hypot(*np.subtract(first, last)) / 2.0
        assert nearest > 0.98
        finals.append(world.state_hash())
    assert finals[0] == finals[1]


@pytest.mark.parametrize("spread", [True, False])
def test_a_packed_crowd_does_not_overlap(spread: bool) -> None:
    world = open_world(16, 16)
    crowd = world.add_crowd(100 if spread else 0, 3.0, 0.4)
    if not spread:
        crowd.spawn(np.full((100, 2), 3.3))
    crowd.set_goal_point(8.0, 8.0)
    assert run_until_arrived(world, 60)
    run(world, 5)
    assert least_distance(crowd.positions) >= 0.95 * 0.8


def test_a_ring_of_forty_swaps_sides() -> None:
    world = open_world(30, 30)
    angles = np.arange(40) * 2 * np.pi / 40
    for x, y in np.stack([np.cos(angles), np.sin(angles)], axis=1) * 11:
        crowd = world.add_crowd(0, 3.0, 0.3)
        crowd.spawn([[15 + x, 15 + y]])
        crowd.set_goal_point(15 - x, 15 - y)
    world.finish_builds()
    assert run_until_arrived(world, 60)


def test_two_streams_pass_in_a_corridor_six_wide() -> None:
    world = open_world(60, 6)
    crowds = [world.add_crowd(60, 3.0, 0.3, area=(left, 0, 16, 6), on_arrival="remove") for left in (1, 43)]
    for crowd, column in zip(crowds, (58, 1), strict=True):
        crowd.set_goal([(column, row) for row in range(6)])
    for _ in range(60 * 90):
        world.step(TICK)
        if not world.agent_count:
            break
    assert [crowd.arrived_count for crowd in crowds] == [60, 60]


def test_a_door_of_one_tile_lets_everybody_through() -> None:
    rows = ["." * 15 + ("." if row == 8 else "#") + "." * 15 for row in range(16)]
    world = world_of(*rows)
    crowd = world.add_crowd(120, 3.0, 0.35, area=(0, 0, 14, 16), on_arrival="remove")
    crowd.set_goal([(28, row) for row in range(16)])
    passed = 0
    for _ in range(60 * 120):
        world.step(TICK)
        check(world)
        passed = int(np.count_nonzero(crowd.positions[crowd.alive, 0] > 16)) + crowd.arrived_count
        if passed == 120:
            break
    assert passed == 120


def test_friends_in_a_choke_are_no_walls() -> None:
    """A corridor of one tile, another way ten times as long: all queue, nobody takes the long one."""
    rows = ["....########...."] * 40
    rows[5] = rows[39] = "................"
    world = world_of(*rows)
    crowd = world.add_crowd(20, 3.0, 0.35, area=(0, 2, 4, 8))
    crowd.set_goal((15, 5))
    lowest = 0.0
    for _ in range(60 * 60):
        world.step(TICK)
        lowest = max(lowest, float(crowd.positions[:, 1].max()))
        if crowd.arrived_count == 20:
            break
    assert crowd.arrived_count == 20 and lowest < 14


def test_a_thousand_settle_around_a_point() -> None:
    world = open_world(84, 84)
    crowd = world.add_crowd(1000, 3.0, 0.3)
    crowd.set_goal_point(42.0, 42.0)
    assert run_until_arrived(world, 60)
    before = crowd.positions.copy()
    run(world, 3)
    assert np.abs(crowd.positions - before).max() < 0.1
    assert least_distance(crowd.positions) > 0.95 * 0.6


def house_of_rooms(seed: int, rooms: int = 5) -> npt.NDArray[np.uint8]:
    """Rooms of 8 x 8 tiles with doors of one tile between most of them."""
    random = np.random.default_rng(seed)
    cost = np.ones((9 * rooms + 1, 9 * rooms + 1), dtype=np.uint8)
    cost[::9] = cost[:, ::9] = 0
    for row in range(rooms):
        for column in range(rooms):
            for down, right in ((0, 1), (1, 0)):
                if row + down < rooms and column + right < rooms and random.random() < 0.85:
                    place = int(random.integers(1, 9))
                    x, y = (9 * (column + 1), 9 * row + place) if right else (9 * column + place, 9 * (row + 1))
                    cost[y, x] = 1
    return cost


@pytest.mark.parametrize("seed", [57, 74, 100, 110])
def test_nobody_waits_for_ever_behind_a_queue_that_has_settled(seed: int) -> None:
    """In these houses somebody was left in a door, held up by those who stood arrived but out of touch."""
    cost = house_of_rooms(seed)
    free = np.argwhere(cost)
    y, x = (int(value) for value in free[np.random.default_rng(seed).integers(len(free))])
    world = World(seed=seed)
    world.set_grid(TileGrid(cost))
    crowd = world.add_crowd(0, 3.0, 0.3, speed_variation=0.0, cohesion=False)
    crowd.spawn([[1.5 + column, 1.5 + row] for column in range(8) for row in range(8)])
    assert crowd.set_goal((x, y))
    world.finish_builds()
    for _ in range(60 * 90):
        world.step(TICK)
        if crowd.arrived_count == 64:
            break
    assert crowd.arrived_count == 64
