"""Bodies of the game among agents: crowds go round them and are pushed aside; safe velocities; errors; save and restore."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.crowd.errors import PlacementError
from pynav.grid import TileGrid
from pynav.kernels import get_threads, set_threads
from pynav.world import World
from tests.unit.crowd.worlds import TICK

Floats = npt.NDArray[np.float32]


def meadow(width: int = 40, height: int = 30) -> World:
    world = World(seed=5)
    world.set_grid(TileGrid(np.ones((height, width), np.uint8)))
    return world


def drive(
    world: World, ids: npt.NDArray[np.int32], place: tuple[float, float], along: tuple[float, float], radius: float
) -> None:
    world.bodies.drive(ids, [place], [along], [radius])


def test_a_crowd_goes_round_a_body_that_stands() -> None:
    world = meadow()
    crowd = world.add_crowd(40, 3.0, 0.3, area=(2, 10, 8, 10))
    crowd.set_goal([(35, 15)])
    world.finish_builds()
    body = world.bodies.add([(20.0, 15.0)], [1.5])
    nearest = np.inf
    for _ in range(900):
        drive(world, body, (20.0, 15.0), (0.0, 0.0), 1.5)
        world.step(TICK)
        nearest = min(nearest, float(np.hypot(*(crowd.positions - (20.0, 15.0)).T).min()))
    assert crowd.arrived_count == 40
    assert 0.85 * 1.8 < nearest < 2.5
    assert world.bodies.crowd is not None
    assert world.bodies.crowd.positions[body[0]].tolist() == [20.0, 15.0]


def test_a_body_that_walks_pushes_those_who_stand_aside() -> None:
    world = meadow()
    places = np.stack(np.meshgrid(np.arange(10.0, 30.0, 0.75), np.arange(12.0, 18.0, 0.75)), axis=-1).reshape(-1, 2)
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn(places)
    body = world.bodies.add([(5.0, 15.0)], [0.8])
    x, deepest = 5.0, 0.0
    for _ in range(600):
        x += 3.0 * TICK
        drive(world, body, (x, 15.0), (3.0, 0.0), 0.8)
        world.step(TICK)
        deepest = max(deepest, float((1.1 - np.hypot(*(crowd.positions - (x, 15.0)).T)).max()))
    assert x > 34.0
    assert 0.0 < deepest < 0.35  # of 1.1: they are touched, and get out of the way
    moved = np.hypot(*(crowd.positions - places).T)
    beside = np.abs(places[:, 1] - 15.0) < 0.5
    assert moved[beside].min() > 0.2


def test_safe_velocities_are_what_is_wanted_where_nobody_is_near() -> None:
    world = meadow()
    ids = world.bodies.add([(5.0, 5.0), (25.0, 20.0)], [0.4, 0.4])
    world.step(TICK)
    wanted = np.array([(2.0, 1.0), (-9.0, 0.0)], np.float32)
    safe = world.bodies.safe_velocities(ids, wanted, [4.0, 4.0], TICK)
    assert np.allclose(safe, [(2.0, 1.0), (-4.0, 0.0)], atol=1e-5)
    assert world.bodies.safe_velocities(ids[:1], [(0.0, 0.0)], [4.0], TICK).tolist() == [[0.0, 0.0]]


def test_two_bodies_that_follow_their_safe_velocities_pass_one_another() -> None:
    world = meadow()
    place = np.array([(8.0, 15.0), (20.0, 15.0)], np.float32)
    along = np.zeros((2, 2), np.float32)
    goal = place[::-1].copy()
    ids = world.bodies.add(place, [0.5, 0.5])
    nearest = np.inf
    for _ in range(600):
        world.bodies.drive(ids, place, along, [0.5, 0.5])
        world.step(TICK)
        to = goal - place
        away = np.hypot(*to.T)[:, None]
        wanted = to / np.maximum(away, 1e-6) * np.minimum(3.0, away * 4.0)
        along = world.bodies.safe_velocities(ids, wanted, [3.0, 3.0], TICK)
        place = (place + along * np.float32(TICK)).astype(np.float32)
        nearest = min(nearest, float(np.hypot(*(place[0] - place[1]))))
    assert np.abs(place - goal).max() < 0.2
    assert nearest > 0.9


def test_a_wall_of_standing_agents_holds_a_body_back() -> None:
    world = meadow()
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([(10.85, 15.0)])
    world.commands.hold(crowd.handles())
    ids = world.bodies.add([(10.0, 15.0)], [0.5])
    for _ in range(10):
        drive(world, ids, (10.0, 15.0), (0.0, 0.0), 0.5)
        world.step(TICK)
    safe = world.bodies.safe_velocities(ids, [(3.0, 0.0)], [3.0], TICK)
    assert safe[0, 0] < 2.0


def test_questions_about_units_do_not_find_bodies() -> None:
    world = meadow()
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([(11.0, 15.0)])
    world.bodies.add([(10.0, 15.0)], [0.5])
    world.step(TICK)
    assert world.agents.in_circles([(10.0, 15.0)], 5.0).of(0).tolist() == crowd.handles().tolist()


@pytest.mark.parametrize("threads", [1, 3])
def test_bits_for_any_threads_and_after_a_restore(threads: int) -> None:
    before = get_threads()
    hashes = []
    try:
        for count, restores in ((1, False), (threads, True)):
            set_threads(count)
            world = meadow()
            crowd = world.add_crowd(60, 3.0, 0.3, area=(2, 2, 10, 20))
            crowd.set_goal([(35, 15)])
            world.finish_builds()
            ids = world.bodies.add([(15.0, 12.0), (20.0, 15.0)], [0.5, 1.0])
            for tick in range(120):
                x = 20.0 - 0.05 * tick
                world.bodies.drive(ids, [(15.0, 12.0), (x, 15.0)], [(0.0, 0.0), (-3.0, 0.0)], [0.5, 1.0])
                world.step(TICK)
                safe = world.bodies.safe_velocities(ids, [(0.0, 0.0), (-3.0, 0.0)], [3.0, 3.0], TICK)
                if restores and tick == 60:
                    saved, world = world.save(), World()
                    world.restore(saved)
                    assert world.bodies.are_there(ids).all()
            hashes.append((world.state_hash(), safe.tobytes()))
    finally:
        set_threads(before)
    assert hashes[0] == hashes[1]


def test_errors_in_words_and_nothing_half_done() -> None:
    world = meadow()
    with pytest.raises(PlacementError, match="expected ids, positions, velocities and radii of the 0 bodies"):
        world.bodies.drive(np.array([0], np.int32), [(1.0, 1.0)], [(0.0, 0.0)], [0.5])
    with pytest.raises(ValueError, match="map of 40 x 30"):
        world.bodies.add([(100.0, 1.0)], [0.5])
    ids = world.bodies.add([(5.0, 5.0), (7.0, 5.0)], [0.5, 0.5])
    before = world.state_hash()
    with pytest.raises(PlacementError, match="each once"):
        world.bodies.drive(np.array([ids[0], ids[0]]), [(1.0, 1.0)] * 2, [(0.0, 0.0)] * 2, [0.5] * 2)
    with pytest.raises(PlacementError, match="finite"):
        world.bodies.drive(ids, [(1.0, np.nan)] * 2, [(0.0, 0.0)] * 2, [0.5] * 2)
    with pytest.raises(PlacementError, match="ids of bodies that are there"):
        world.bodies.safe_velocities(np.array([9], np.int32), [(0.0, 0.0)], [1.0], TICK)
    assert world.state_hash() == before
    world.bodies.remove(ids[:1])
    assert world.bodies.are_there(ids).tolist() == [False, True]
    world.step(TICK)
    world.bodies.drive(ids[1:], [(90.0, -4.0)], [(0.0, 0.0)], [9.0])  # off the map: on its edge
    world.step(TICK)
    assert world.bodies.crowd is not None and world.bodies.crowd.radius == 4.0
