"""Crowds of several sizes and classes in one world, doors, obstacles: where they walk, what they refuse, how they are saved."""

import math

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.grid import GridError, TileGrid
from pynav.grid.movement_class import MovementClass
from pynav.grid.terrain import Terrain
from pynav.world import World
from tests.naive.crowd import wall_distance
from tests.unit.crowd.worlds import TICK, grid_of, open_world, run_until_arrived, world_of

GAPS = [
    "..........#..........",
    "..........#..........",
    ".....................",
    "..........#..........",
    "..........#..........",
    "..........#..........",
    "..........#..........",
    "..........#..........",
    ".....................",
    ".....................",
    ".....................",
    "..........#..........",
    "..........#..........",
    "..........#..........",
    "..........#..........",
    ".....................",
    ".....................",
    "..........#..........",
    "..........#..........",
]
CLASSES = (MovementClass("ground", {1: 1, 2: 3}), MovementClass("boat", {3: 1}), MovementClass("bird", [1] * 256))


def margin(world: World, crowd_index: int) -> float:
    """Least distance of a crowd's middles to a solid tile of its class, less the radius."""
    crowd = world.crowds[crowd_index]
    cost = world.routes_for(crowd.movement_class, 1).graph.grid.cost
    return min(wall_distance(cost, float(x), float(y)) for x, y in crowd.positions[crowd.alive]) - crowd.radius


@pytest.mark.parametrize(("radius", "rows"), [(0.3, range(2, 3)), (0.95, range(15, 17)), (1.4, range(8, 11))])
def test_each_size_goes_by_the_nearest_gap_that_holds_it(radius: float, rows: range) -> None:
    world = world_of(*GAPS)
    crowd = world.add_crowd(0, 4.0, radius, arrive_radius=0.7)
    crowd.spawn([[4.5 + crowd.anchor_offset, 3.5 if radius < 0.9 else 12.5]])
    crowd.set_goal((16, 3 if radius < 0.9 else 12))
    world.finish_builds()
    least, crossed = math.inf, []
    for _ in range(1500):
        world.step(TICK)
        least = min(least, margin(world, 0))
        x, y = (float(value) for value in crowd.positions[0])
        if abs(x - 10.5) < 0.5:
            crossed.append(y)
        if crowd.arrived_count:
            break
    assert crowd.arrived_count == 1 and crossed
    assert all(rows.start + radius - 0.06 <= y <= rows.stop - radius + 0.06 for y in crossed)
    assert least >= -0.06  # no body over a solid tile by more than a small one's may be


def test_sizes_and_classes_share_a_world_and_keep_apart() -> None:
    """All reach their goals, big ones never over a wall, and discs of different layers push one another."""
    world = world_of(*["." * 40] * 12, *["." * 16 + "#" * 8 + "." * 16] * 6, *["." * 40] * 12)
    small, big, middle = (world.add_crowd(count, 3.0, r, arrive_radius=4.0) for count, r in ((60, 0.3), (4, 1.4), (10, 0.8)))
    for crowd, goal in ((small, (30, 15)), (big, (8, 15)), (middle, (20, 25))):
        assert crowd.set_goal(goal)
    small.on_arrival = "remove"  # not to stand in the way of the others
    world.finish_builds()
    closest = math.inf
    for tick in range(1200):
        world.step(TICK)
        if tick > 30 and tick % 10 == 0 and small.count:
            assert margin(world, 1) >= -0.06 and margin(world, 2) >= -0.06
            gaps = np.hypot(*(small.positions[small.alive][:, None] - big.positions[None]).transpose(2, 0, 1)) - 1.7
            closest = min(closest, float(gaps.min()))
        if [crowd.arrived_count for crowd in world.crowds] == [60, 4, 10]:
            break
    assert [crowd.arrived_count for crowd in world.crowds] == [60, 4, 10]
    assert -0.5 < closest < 0.3


def test_classes_walk_where_their_tables_let_them() -> None:
    world = World(seed=4)
    world.set_movement_classes(CLASSES)
    kinds = np.ones((12, 30), dtype=np.uint8)
    kinds[:, 12:18] = 3  # water
    kinds[3:5, 12:18] = 2  # a ford, slow
    kinds[6, 5:25] = 0  # a wall, for birds nothing
    world.set_grid(TileGrid(kinds))
    ground = world.add_crowd(8, 4.0, 0.3, arrive_radius=2.0, area=(0, 7, 10, 5), movement_class="ground")
    boat = world.add_crowd(3, 4.0, 0.3, arrive_radius=1.0, area=(0, 0, 30, 3), movement_class="boat")
    bird = world.add_crowd(5, 4.0, 0.3, arrive_radius=2.0, area=(0, 9, 3, 3), movement_class="bird")
    assert ground.set_goal((28, 10)) and bird.set_goal((28, 1)) and boat.set_goal((14, 0))
    world.finish_builds()
    seen = {crowd: set() for crowd in world.crowds}
    for _ in range(1500):
        world.step(TICK)
        for crowd in world.crowds:
            seen[crowd] |= {int(kinds[int(y), int(x)]) for x, y in crowd.positions}
    assert [crowd.arrived_count for crowd in world.crowds] == [8, 3, 5]
    assert seen[ground] == {1, 2} and seen[boat] == {3} and {0, 1, 3} <= seen[bird]
    assert not boat.set_goal((28, 10)) and boat.is_refused
    assert world.routes_for("ground").distance((0, 0), (28, 0)) > world.routes_for("bird").distance((0, 0), (28, 0))
    assert world.routes_for("boat").distance((13, 0), (16, 0)) == 3.0


def test_a_door_is_an_edit_of_the_classes_it_turns_for_alone() -> None:
    world = World()
    world.set_movement_classes([MovementClass("red"), MovementClass("blue")])
    world.set_grid(grid_of("....#....", "....#....", ".........", "....#...."))
    world.add_door("gate", 4, 2, 1, 1, open_for=["blue"])
    red, blue = (world.add_crowd(0, 4.0, 0.3, movement_class=name) for name in ("red", "blue"))
    for crowd in (red, blue):
        crowd.spawn([[1.5, 2.5]])
    assert not red.set_goal((7, 2)) and blue.set_goal((7, 2))
    assert world.doors == ("gate",) and world.is_door_open("gate", "blue") and not world.is_door_open("gate")
    assert run_for(world, 3.0) == [0, 1] and red.unreachable_count == 1
    revisions = [world.routes_for(name).graph.grid.revision for name in ("red", "blue")]
    assert world.set_door_open("gate", True, ["red"]) and not world.set_door_open("gate", True)
    after = [world.routes_for(name).graph.grid.revision for name in ("red", "blue")]
    assert after == [revisions[0] + 1, revisions[1]]
    assert run_for(world, 4.0) == [1, 1]  # it set off by itself
    world.set_door_open("gate", False)
    assert not red.set_goal((1, 2)) and not blue.set_goal((1, 2))
    world.remove_door("gate")
    assert run_for(world, 4.0) == [1, 1]


def run_for(world: World, seconds: float) -> list[int]:
    for _ in range(round(seconds / TICK)):
        world.step(TICK)
    return [crowd.arrived_count for crowd in world.crowds]


def test_an_obstacle_that_moves_keeps_what_the_game_edits_beneath_it() -> None:
    world = open_world(20, 6)
    number = world.add_obstacle(-1, 0, np.ones((6, 2)))
    for x in range(20):
        world.move_obstacle(number, x, 0)
        if x == 9:
            world.edit_cost(9, 3, [[0]])
        expected = np.ones((6, 20), dtype=np.uint8)
        expected[:, x : x + 2] = 0
        if x >= 9:
            expected[3, 9] = 0
        assert world.grid is not None and (world.grid.cost == expected).all()
        assert world.routes.distance((0, 0), (19, 0)) < 0
    world.remove_obstacle(number)
    assert world.routes.distance((0, 0), (19, 0)) == 19.0


def test_units_under_an_obstacle_or_too_big_for_their_place_get_out() -> None:
    """Bugs 3 and 18: whoever got in gets out, wherever it stands and whatever stands on it."""
    world = world_of(*["." * 8] * 3, "...#....", *["." * 8] * 4)
    crowd = world.add_crowd(0, 3.0, 0.7, arrive_radius=0.6)
    crowd.spawn([[2.6, 3.9]])
    assert crowd.set_goal_point(6.5, 6.5)
    assert run_until_arrived(world, 10)
    world = world_of(*["....."] * 5)
    crowd = world.add_crowd(0, 3.0, 0.3)
    crowd.spawn([[2.5, 2.5]])
    world.add_obstacle(2, 2, [[1]])
    assert crowd.set_goal((4, 4))
    assert run_until_arrived(world, 5)


@pytest.mark.parametrize("radius", [0.8, 1.4, 2.3])
def test_a_big_unit_sent_to_a_wall_comes_as_near_as_it_fits(radius: float) -> None:
    world = world_of(*["." * 30] * 8, *["." * 12 + "######" + "." * 12] * 6, *["." * 30] * 8)
    crowd = world.add_crowd(0, 4.0, radius, arrive_radius=0.5)
    crowd.spawn([[4.0, 4.0]])
    assert crowd.set_goal((11, 11))  # beside the wall
    assert run_until_arrived(world, 12)
    x, y = (float(value) for value in crowd.positions[0])
    assert radius - 0.1 <= 12 - x <= radius + 1.5 and abs(y - 11.5) < 1.5
    assert margin(world, 0) >= -0.06
    assert not crowd.set_goal((14, 11))  # within the wall nobody fits
    assert world.restore(world.save()) is None and crowd.is_refused


def test_bug_10_what_was_built_blocks_until_it_is_destroyed() -> None:
    """A building there at the start, built later, destroyed, destroyed twice, saved and read again; for small and big units."""
    for size, radius in ((1, 0.3), (2, 0.8)):
        rows = ["....#....", "....#....", "....#...."] if size == 1 else ["....#...."] * 2 + ["....#...."] * 2
        world = world_of(*rows)
        gap = np.ones((size, 1), dtype=np.uint8)
        world.edit_cost(4, 1, gap)
        crowd = world.add_crowd(0, 4.0, radius)
        crowd.spawn([[1.5 + crowd.anchor_offset, 1.5 + crowd.anchor_offset]])
        routes = world.routes_for("", size)
        assert routes.distance((0, 1), (7, 1)) == 7.0
        first = world.add_obstacle(4, 1, gap)
        assert routes.distance((0, 1), (7, 1)) == -1.0 and not crowd.set_goal((7, 1))
        second = world.add_obstacle(4, 0, np.ones((2, 1)))
        world.remove_obstacle(first)
        assert not routes.is_reachable((0, 1), (7, 1))
        world.restore(world.save())
        assert world.obstacles == (second,)
        run_for(world, 1.0)
        assert crowd.unreachable_count == 1
        world.remove_obstacle(second)
        with pytest.raises(GridError, match="no obstacle"):
            world.remove_obstacle(second)
        assert world.routes_for("", size).distance((0, 1), (7, 1)) == 7.0
        assert run_for(world, 4.0) == [1]  # it set off through the breach by itself


def test_a_crowd_that_grows_looks_for_a_way_of_its_new_size() -> None:
    world = world_of(*GAPS)
    crowd = world.add_crowd(0, 4.0, 0.3)
    crowd.spawn([[4.5, 3.5]])
    assert crowd.set_goal((16, 9)) and crowd.size == 1
    world.finish_builds()
    world.step(TICK)
    crowd.radius = 1.4
    assert crowd.size == 3 and not crowd.is_refused
    for _ in range(1200):
        world.step(TICK)
    assert crowd.arrived_count == 1 and margin(world, 0) >= -0.06
    crowd.size = 5
    crowd.set_goal((3, 9))
    assert crowd.is_refused  # no gap is five wide
    crowd.size = 0
    assert crowd.size == 3 and not crowd.is_refused


def busy_world(threads: int) -> World:
    """Three layers, edits, a door, a moving obstacle; 60 ticks in."""
    world = World(threads=threads, seed=5)
    world.set_movement_classes(CLASSES)
    kinds = np.ones((40, 60), dtype=np.uint8)
    kinds[5:30, 20:23] = 3
    world.set_grid(TileGrid(kinds))
    world.add_crowd(80, 3.0, 0.3, movement_class="ground").set_goal((50, 20))
    world.add_crowd(4, 3.0, 1.4, movement_class="ground").set_goal((40, 5))
    world.add_crowd(30, 3.0, 0.6, movement_class="bird").set_goal((3, 3))
    world.add_door("gate", 20, 31, 3, 9)
    world.add_obstacle(30, 10, np.ones((3, 3)), 9)
    advance(world, 0, 60)
    return world


def advance(world: World, first: int, last: int) -> None:
    for tick in range(first, last):
        if tick % 17 == 0:
            world.move_obstacle(0, 30 + tick % 11, 10, np.ones((3, 4)))
        if tick % 23 == 0:
            world.edit_cost(10 + tick % 7, 8, np.full((4, 2), tick % 3))
        if tick in (30, 80):
            world.set_door_open("gate", tick == 30, ["ground"])
        world.step(TICK)


def test_layers_give_the_same_bits_on_any_threads_and_after_restoring() -> None:
    first = busy_world(1)
    others = [busy_world(2), busy_world(3)]
    restored = World(threads=2)
    restored.restore(first.save())
    assert restored.save() == first.save()
    assert [crowd.size for crowd in restored.crowds] == [1, 3, 2]
    assert [crowd.movement_class for crowd in restored.crowds] == ["ground", "ground", "bird"]
    for world in (first, *others, restored):
        advance(world, 60, 150)
    assert len({world.state_hash() for world in (first, *others, restored)}) == 1
    assert first.save() == restored.save()
    assert restored.is_door_open("gate") is False and restored.doors == ("gate",)


def test_flows_of_all_layers_equal_flows_made_anew_after_edits() -> None:
    world = busy_world(2)
    advance(world, 60, 100)
    fresh = World(seed=5)
    fresh.restore(world.save())
    assert fresh._terrain is not None
    fresh._take_terrain(Terrain(fresh._terrain.kinds, fresh.movement_classes), None)
    for each in (world, fresh):
        each.finish_builds()
        assert each._flows is not None
        for flow in each._flows.flows:  # common routes depend on where groups stood
            if flow is not None:
                each._flows.common.drop(flow.index, each._flows.ready)
        each._flows.write_all()
    assert world._flows is not None and fresh._flows is not None
    for flow in world._flows.flows:
        if flow is None:
            continue
        assert (world._flows.flow[flow.index] == fresh._flows.flow[flow.index]).all()
        assert (world._flows.value[flow.index] == fresh._flows.value[flow.index]).all()


def test_asking_for_layers_changes_nothing() -> None:
    world = busy_world(2)
    before = world.save()
    assert world.routes_for("bird", 5).distance((5, 5), (50, 30)) > 0
    assert world.routes_for("boat", 2).distance((20, 10), (21, 20)) > 0
    assert world.save() == before


def test_a_world_that_takes_the_place_of_another_keeps_its_obstacles_and_doors() -> None:
    old = World()
    old.set_movement_classes(CLASSES)
    old.set_grid(TileGrid(np.ones((6, 6), dtype=np.uint8)))
    number = old.add_obstacle(4, 4, np.ones((2, 2)), movement_classes=["bird"])
    everybody = old.add_obstacle(0, 5, [[1]])
    old.add_door("gate", 1, 1, 1, 1)
    new = World()
    new.set_movement_classes([MovementClass("bird"), MovementClass("worm", [1] * 256)])
    new.keep_obstacles_of(old)
    new.set_grid(TileGrid(np.ones((5, 9), dtype=np.uint8)))
    assert new.grid is not None and (new.kinds == 1).all() and new.obstacles == (number, everybody)
    assert np.argwhere(new.grid.cost == 0).tolist() == [[1, 1], [4, 4], [4, 5]]
    assert not new.is_door_open("gate", "worm")
    assert np.argwhere(new.routes_for("worm").graph.grid.cost == 0).tolist() == [[1, 1]]
    new.move_obstacle(everybody, 0, 0)
    assert np.argwhere(new.routes_for("worm").graph.grid.cost == 0).tolist() == [[0, 0], [1, 1]]


def test_the_hash_tells_classes_doors_and_obstacles_apart() -> None:
    def made(change: str) -> str:
        world = open_world(12, 12)
        world.add_crowd(3, 3.0, 0.3, size=2 if change == "size" else 0)
        if change == "door":
            world.add_door("gate", 1, 1, 1, 1, is_open=True)
        if change == "obstacle":
            world.remove_obstacle(world.add_obstacle(0, 0, [[1]]))
            world.add_obstacle(0, 0, [[1]], 5)
        if change == "class":
            world.set_movement_classes([MovementClass("a"), MovementClass("b", [1] * 256)])
        return world.state_hash()

    assert len({made(change) for change in ("", "size", "door", "obstacle", "class")}) == 5


def test_what_is_refused_changes_nothing() -> None:
    world = World()
    with pytest.raises(WorldError, match="no map yet"):
        world.add_obstacle(0, 0, [[1]])
    world = open_world(9, 9)
    before = world.save()
    with pytest.raises(GridError, match="no movement class 'boat'"):
        world.add_crowd(1, movement_class="boat")
    with pytest.raises(WorldError, match="a size is 1 to 5"):
        world.add_crowd(1, size=6)
    with pytest.raises(GridError, match="no movement class"):
        world.add_obstacle(0, 0, [[1]], movement_classes=["boat"])
    with pytest.raises(GridError, match="1 to 5 tiles, got 9"):
        world.routes_for("", 9)
    with pytest.raises(GridError, match="no door"):
        world.set_door_open("gate", True)
    with pytest.raises(GridError, match="one movement class or more"):
        world.set_movement_classes([])
    assert world.save() == before
    world.set_movement_classes([MovementClass("a"), MovementClass("b")])
    world.add_crowd(1, movement_class="b")
    with pytest.raises(WorldError, match="2 movement classes are in use"):
        world.set_movement_classes([MovementClass("a")])
