"""Crowds that go together: who is a group, what edits do to a common route, and that it is part of the state."""

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd import Crowd
from pynav.crowd.group_finder import GROUP_TILES, GroupFinder
from pynav.world import World
from tests.unit.crowd.worlds import TICK, open_world, run

WALL = (16, 50, 48, 3)  # x, y, width, height


def group_before_a_wall(cohesion: bool = True) -> tuple[World, Crowd]:
    """64 units; as far round the wall to the left as to the right."""
    world = open_world(80, 150)
    x, y, width, height = WALL
    world.edit_cost(x, y, np.zeros((height, width), dtype=np.uint8))
    crowd = world.add_crowd(0, 4.0, 0.3, speed_variation=0.0, cohesion=cohesion)
    crowd.spawn([[36.5 + column, 8.5 + row] for row in range(8) for column in range(8)])
    return world, crowd


def sides(crowd: Crowd) -> set[bool]:
    """On which sides of the wall's middle the units are."""
    return set((crowd.positions[:, 0] > 40).tolist())


def common_blocks(world: World) -> npt.NDArray[np.intp]:
    assert world._flows is not None
    return np.flatnonzero(world._flows.common.has_code[0])


def test_a_group_goes_round_one_side_only() -> None:
    for cohesion in (False, True):
        world, crowd = group_before_a_wall(cohesion)
        crowd.set_goal((40, 140))
        run(world, 11.0)
        assert (crowd.positions[:, 1] > 40).all()
        assert len(sides(crowd)) == (1 if cohesion else 2)
        assert bool(len(common_blocks(world))) == cohesion


def test_an_edit_on_the_common_route_drops_it_and_another_is_found() -> None:
    world, crowd = group_before_a_wall()
    crowd.set_goal((40, 140))
    world.finish_builds()
    before = common_blocks(world)
    run(world, 0.5)
    assert len(before) and not world.edit_cost(2, 2, [[1]])
    way = "left" if (before % 5 == 0).any() else "right"
    world.edit_cost(0 if way == "left" else 64, 51, np.zeros((1, 16), dtype=np.uint8))  # close that side
    assert not len(common_blocks(world))
    world.finish_builds()
    after = common_blocks(world)
    assert len(after) and set(after.tolist()) != set(before.tolist())
    run(world, 60.0)
    assert crowd.arrived_count == 64


def test_an_edit_elsewhere_leaves_the_common_route() -> None:
    world = open_world(200, 60)
    crowd = world.add_crowd(0, 4.0, 0.3)
    crowd.spawn([[180.5 + column, 10.5] for column in range(4)])
    crowd.set_goal((100, 10))
    world.finish_builds()
    before = common_blocks(world)
    world.edit_cost(20, 50, [[0]])
    run(world, 0.2)
    assert len(before) and common_blocks(world).tolist() == before.tolist() and world.queue_length == 0


def test_a_second_group_with_the_same_goal_gets_its_corridor_too() -> None:
    world, crowd = group_before_a_wall()
    crowd.set_goal((40, 140))
    world.finish_builds()
    before = set(common_blocks(world).tolist())
    second = world.add_crowd(0, 4.0, 0.3)
    second.spawn([[4.5, 145.5], [5.5, 145.5]])
    second.set_goal((40, 140))
    assert world.queue_length == 1
    world.finish_builds()
    assert set(common_blocks(world).tolist()) > before


def test_who_is_a_group() -> None:
    world = open_world(120, 60)
    lone, wide, near = (world.add_crowd(0, 3.0, 0.3) for _ in range(3))
    lone.spawn([[5.5, 5.5]])
    wide.spawn([[5.5, 7.5], [5.5 + GROUP_TILES + 1, 7.5]])
    near.spawn([[20.5, 20.5], [22.5, 20.5], [30.5, 24.5]])
    finder = GroupFinder(world._table, world._crowds, world._groups)
    groups = finder.those_together([0, 1, 2])
    assert groups.leaders.tolist() == [[22, 20, 9]]
    assert sorted(groups.starts.tolist()) == [[20, 20], [22, 20], [30, 24]]
    assert len(finder.those_together([0, 1]).leaders) == len(finder.those_together([]).starts) == 0


def test_a_restored_world_keeps_its_common_routes_and_finishes_those_under_way() -> None:
    for steps in (2, 40):  # while the flow is built, and after it was published
        world, crowd = group_before_a_wall()
        crowd.set_goal((40, 140))
        for _ in range(steps):
            world.step(TICK)
        other = World()
        other.restore(world.save())
        assert other.crowds[0].cohesion
        for each in (world, other):
            for _ in range(200):
                each.step(TICK)
        assert world.state_hash() == other.state_hash() and len(common_blocks(world))
        assert (common_blocks(world) == common_blocks(other)).all()


def test_cohesion_is_part_of_the_state() -> None:
    (world, crowd), (other, _) = group_before_a_wall(), group_before_a_wall(cohesion=False)
    assert world.state_hash() != other.state_hash()
    crowd.cohesion = False
    assert world.state_hash() == other.state_hash()
