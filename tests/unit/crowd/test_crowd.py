"""The crowd's own face: ids, spawning, removing, teleporting, goals, what is refused."""

import numpy as np
import pytest

from pynav.crowd.crowd import STATUS_ARRIVED, STATUS_IDLE, STATUS_UNREACHABLE, STATUS_WALKING
from pynav.crowd.errors import GoalError, PlacementError, WorldError
from tests.unit.crowd.worlds import TICK, open_world, run, run_until_arrived, world_of


def test_ids_stay_with_their_agents_and_the_lowest_free_are_reused() -> None:
    world = open_world(30, 30)
    crowd = world.add_crowd(0, 3.0, 0.3)
    points = np.random.default_rng(1).random((20, 2)) * 30
    assert crowd.spawn(points).tolist() == list(range(20))
    assert crowd.positions == pytest.approx(points.astype(np.float32))
    assert crowd.remove([3, 7, 7, 99, -1]) == 2
    assert crowd.count == 18 and crowd.slot_count == 20
    assert np.flatnonzero(~crowd.alive).tolist() == [3, 7]
    assert crowd.spawn([[1.5, 1.5], [2.5, 2.5], [3.5, 3.5]]).tolist() == [3, 7, 20]
    world.step(TICK)
    assert crowd.count == 21 and world._table.count == 21
    assert crowd.positions[[3, 7, 20]] == pytest.approx(np.array([[1.5, 1.5], [2.5, 2.5], [3.5, 3.5]]), abs=0.6)


def test_several_crowds_collide_and_keep_their_own_ids() -> None:
    world = open_world(16, 16)
    crowds = [world.add_crowd(20, 2.0, 0.3), world.add_crowd(20, 3.0, 0.5), world.add_crowd(20, 3.0, 0.2)]
    for crowd in crowds:
        crowd.set_goal_point(8.0, 8.0)
    assert run_until_arrived(world, 40)
    run(world, 3)
    points = np.concatenate([crowd.positions for crowd in crowds])
    radius = np.repeat([0.3, 0.5, 0.2], 20)
    gap = np.sqrt(np.square(points[:, None] - points[None]).sum(axis=2)) / (radius[:, None] + radius[None])
    np.fill_diagonal(gap, 9)
    assert gap.min() > 0.95
    assert [crowd.arrived_count for crowd in crowds] == [20, 20, 20]


def test_removing_on_arrival_reports_each_id_once() -> None:
    world = open_world(20, 20)
    crowd = world.add_crowd(30, 3.0, 0.3, on_arrival="remove", arrive_radius=1.0)
    crowd.set_goal((10, 10))
    seen: list[int] = []
    for _ in range(1200):
        world.step(TICK)
        seen += crowd.take_arrived().tolist()
    assert sorted(seen) == list(range(30))
    assert crowd.count == 0 and crowd.arrived_count == 30 and world._table.count == 0


def test_take_arrived_gives_what_is_new() -> None:
    world = open_world(20, 20)
    crowd = world.add_crowd(10, 3.0, 0.3)
    crowd.set_goal((10, 10))
    assert run_until_arrived(world, 20)
    assert crowd.take_arrived().tolist() == list(range(10))
    assert crowd.take_arrived().tolist() == []
    assert crowd.arrived_count == 10
    crowd.set_goal((3, 3))
    assert crowd.arrived_count == 0 and (crowd.states == STATUS_WALKING).all()


def test_teleport() -> None:
    world = open_world(20, 20)
    crowd = world.add_crowd(5, 3.0, 0.3)
    crowd.set_goal((2, 2))
    assert run_until_arrived(world, 20)
    crowd.set_positions([4, 0], [[17.5, 17.5], [15.5, 3.5]])
    assert crowd.positions[[4, 0]].tolist() == [[17.5, 17.5], [15.5, 3.5]]
    assert crowd.states[[4, 0]].tolist() == [STATUS_WALKING] * 2 and crowd.states[1] == STATUS_ARRIVED
    assert run_until_arrived(world, 20)
    with pytest.raises(PlacementError, match="id 5 holds no agent"):
        crowd.set_positions([5], [[1, 1]])
    with pytest.raises(PlacementError, match="2 ids need as many positions, got 1"):
        crowd.set_positions([0, 1], [[1, 1]])


def test_spawning_keeps_to_the_area_and_to_tiles_that_reach_the_goal() -> None:
    world = world_of("....#....", "....#....", "....#....")
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.set_goal((7, 1))
    crowd.spawn_in(10)
    assert (crowd.positions[:, 0] > 5).all()
    other = world.add_crowd(6, 3.0, 0.3, area=(0, 0, 2, 3))
    assert (other.positions[:, 0] < 2).all()
    third = world.add_crowd(0, 3.0, 0.3)
    third.spawn_in(5, reaching=[(0, 0)])
    assert (third.positions[:, 0] < 4).all()
    with pytest.raises(PlacementError, match="no tile is free"):
        crowd.spawn_in(1, (0, 0, 4, 3))
    with pytest.raises(PlacementError, match=r"solid tile \(4, 1\)"):
        crowd.spawn_in(1, reaching=[(4, 1)])


def test_the_goal_it_has_is_no_new_order() -> None:
    world = open_world(12, 12)
    crowd = world.add_crowd(5, 3.0, 0.3)
    crowd.set_goal([(6, 6), (2, 3)])
    assert run_until_arrived(world, 20)
    crowd.set_goal([(2, 3), (6, 6), (6, 6)])
    assert (crowd.states == STATUS_ARRIVED).all() and crowd.arrived_count == 5
    assert world.queue_length == 0


def test_clearing_the_goal_stops_the_crowd() -> None:
    world = open_world(30, 30)
    crowd = world.add_crowd(5, 3.0, 0.3, area=(0, 0, 5, 5))
    crowd.set_goal((25, 25))
    run(world, 1)
    assert np.abs(crowd.velocities).max() > 1
    crowd.clear_goal()
    run(world, 1)
    assert np.abs(crowd.velocities).max() < 0.01 and (crowd.states == STATUS_IDLE).all()
    assert crowd.goal is None and not crowd.has_goal


def test_crowds_with_one_goal_share_a_flow() -> None:
    world = open_world(12, 12)
    crowds = [world.add_crowd(3) for _ in range(5)]
    for crowd in crowds:
        crowd.set_goal((6, 6))
    assert world.queue_length == 1
    crowds[0].set_goal((1, 1))
    world.finish_builds()
    assert world._flows is not None and sum(flow is not None for flow in world._flows.flows) == 2
    for crowd in crowds:
        crowd.clear_goal()
    assert all(flow is None for flow in world._flows.flows)


def test_speed_and_radius_change_for_all() -> None:
    world = open_world(60, 10)
    crowd = world.add_crowd(4, 2.0, 0.3, speed_variation=0.0, area=(0, 0, 3, 10))
    crowd.set_goal_point(55, 5)
    run(world, 1.5)
    assert np.hypot(*crowd.velocities.T) == pytest.approx(2.0, abs=0.3)
    crowd.speed = 5.0
    crowd.radius = 0.4
    run(world, 1.5)
    assert np.hypot(*crowd.velocities.T).max() == pytest.approx(5.0, abs=0.1)
    assert (crowd.speed, crowd.radius) == (5.0, pytest.approx(0.4))


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ([], "at least one tile"),
        ([[1.5, 2.0]], "must be integers"),
        ([[1, 2, 3]], r"shape \(n, 2\)"),
        ([[12, 3]], r"\(12, 3\) lies outside the map of 12 x 10"),
        ([[0, -1]], "outside"),
    ],
)
def test_bad_goals_are_refused(goal: list[list[int]], words: str) -> None:
    crowd = open_world(12, 10).add_crowd(1)
    with pytest.raises(GoalError, match=words):
        crowd.set_goal(goal)
    assert crowd.goal is None


def test_bad_numbers_are_refused() -> None:
    world = open_world(12, 10)
    with pytest.raises(WorldError, match=r"radius must be 0\.05 to 4, got 0"):
        world.add_crowd(1, radius=0)
    with pytest.raises(WorldError, match="speed must be 0 to 1000, got -1"):
        world.add_crowd(1, speed=-1)
    with pytest.raises(WorldError, match="'stop' or 'remove', got 'vanish'"):
        world.add_crowd(1, on_arrival="vanish")
    crowd = world.add_crowd(1)
    with pytest.raises(ValueError, match="'stop' or 'remove', got 'x'"):
        crowd.on_arrival = "x"
    with pytest.raises(GoalError, match="outside the map"):
        crowd.set_goal_point(12.0, 3.0)
    with pytest.raises(WorldError, match="arrive_radius must be"):
        crowd.arrive_radius = float("nan")


def test_arriving_at_exactly_the_radius_counts() -> None:
    world = open_world(20, 4)
    crowd = world.add_crowd(0, 0.0, 0.3, arrive_radius=1.0)
    crowd.spawn([[8.5, 2.5], [9.0, 1.0], [9.0, 2.5]])
    crowd.set_goal_point(10.0, 2.5)
    run(world, 0.5)
    assert crowd.states.tolist() == [STATUS_WALKING, STATUS_WALKING, STATUS_ARRIVED]


def test_unreachable_is_reported_once_and_each_time() -> None:
    world = world_of("....#....", "....#....")
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[0.5, 0.5], [8.5, 0.5]])
    assert crowd.set_goal((7, 1))
    run(world, 1)
    assert crowd.states.tolist() == [STATUS_UNREACHABLE, STATUS_ARRIVED]
    assert crowd.take_unreachable().tolist() == [0] and crowd.take_unreachable().tolist() == []
    assert crowd.unreachable_count == 1
    world.edit_cost(4, 0, [[1]])
    run(world, 0.5)
    assert crowd.unreachable_count == 0
    world.edit_cost(4, 0, [[0]])
    run(world, 0.5)
    assert crowd.take_unreachable().tolist() == [0]
