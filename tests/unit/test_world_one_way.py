"""One-way tiles in a world: agents go by them and are never where a closed exit keeps them from; orders, edits, state."""

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.crowd.wall_map import WallMap
from pynav.grid import GridError, TileGrid
from pynav.grid.exits import EAST, NORTH, SOUTH, WEST
from pynav.grid.movement_class import MovementClass
from pynav.kernels import set_threads
from pynav.world import World
from tests.naive import one_way as naive
from tests.naive.crowd import wall_bits
from tests.unit.crowd.worlds import TICK, check, grid_of, open_world, world_of
from tests.unit.grid.test_exits import random_exits


def line(width: int, height: int) -> np.ndarray:
    return np.ones((height, width), dtype=bool)


def stepped(world: World, ticks: int, closed: np.ndarray) -> int:
    """Steps the world and holds each agent's change of tile against the exits; how often a tile with closed exits was entered."""
    crossed = 0
    cost = world.grid.cost  # type: ignore[union-attr]
    for _ in range(ticks):
        before = [crowd.positions.astype(int) for crowd in world.crowds]
        world.step(TICK)
        check(world)
        for crowd, old in zip(world.crowds, before, strict=True):
            new = crowd.positions.astype(int)
            for (x, y), (to_x, to_y) in zip(old[crowd.alive].tolist(), new[crowd.alive].tolist(), strict=True):
                if (x, y) == (to_x, to_y):
                    continue
                way_round = [((x, y), (to_x, y), (to_x, to_y)), ((x, y), (x, to_y), (to_x, to_y))]
                assert any(
                    all(
                        a == b or naive.may_step_straight(cost, closed, a, (b[0] - a[0], b[1] - a[1]))
                        for a, b in ((way[0], way[1]), (way[1], way[2]))
                    )
                    for way in way_round
                ), ((x, y), (to_x, to_y))
                crossed += bool(closed[to_y, to_x]) and not closed[y, x]
    return crossed


def test_a_gate_lets_through_one_way_and_sends_round_the_other() -> None:
    world = world_of("......#......", "......#......", ".............", "......#......", "......#......", ".............")
    world.add_one_way(6, 2, line(1, 1), WEST)
    closed = world.grid.closed_exits.copy()  # type: ignore[union-attr]
    assert world.routes.distance((5, 2), (7, 2)) == 2.0
    assert world.routes.distance((7, 2), (5, 2)) > 7.0
    there, back = world.add_crowd(0, speed=4.0), world.add_crowd(0, speed=4.0)
    there.spawn([(1.5, 2.5), (2.5, 2.5), (1.5, 0.5)])
    back.spawn([(11.5, 2.5), (10.5, 2.5), (11.5, 0.5)])
    there.set_goal((11, 1))
    back.set_goal((1, 1))
    world.finish_builds()
    assert stepped(world, 500, closed) >= 3
    assert (there.positions[:, 0] > 8).all() and (back.positions[:, 0] < 5).all()


def ledge(high: int = 8) -> World:
    """High ground above a ledge over the whole width of a map: nobody gets up again."""
    world = open_world(40, 24)
    world.add_one_way(0, high, line(40, 1), NORTH)
    return world


def test_who_cannot_get_up_is_refused_and_who_can_get_down_is_not() -> None:
    world = ledge()
    routes = world.routes
    assert routes.is_reachable((5, 3), (5, 20)) and not routes.is_reachable((5, 20), (5, 3))
    assert routes.nearest_reachable((5, 20), (5, 3)) == (5, 8)
    assert routes.distances([(5, 3), (5, 8), (5, 9)], (9, 3)).tolist()[1:] == [-1.0, -1.0]
    assert routes.has_line_of_sight((5, 3), (7, 20)) and not routes.has_line_of_sight((7, 20), (5, 3))
    low = world.add_crowd(0)
    low.spawn([(5.5, 20.5), (9.5, 8.5)])
    assert not low.set_goal((5, 3))
    high = world.add_crowd(0)
    high.spawn([(5.5, 3.5), (20.5, 2.5)])
    assert high.set_goal((30, 20)) and high.set_goal((5, 5))
    mixed = world.add_crowd(0)
    mixed.spawn([(5.5, 20.5), (5.5, 3.5)])
    assert mixed.set_goal((9, 3))
    placed = world.add_crowd(0)
    placed.set_goal((9, 3))
    placed.spawn_in(30)
    assert (placed.positions[:, 1] < 8).all()


def test_a_crowd_walks_down_a_ledge_and_one_beside_it_stays_up() -> None:
    world = ledge()
    closed = world.grid.closed_exits.copy()  # type: ignore[union-attr]
    down = world.add_crowd(60, speed=4.0, area=(2, 0, 12, 7))
    along = world.add_crowd(0, speed=3.0)
    along.spawn([(20.5, 7.6), (21.5, 7.4), (22.5, 7.9), (24.5, 7.95)])  # at the very edge
    down.set_goal((8, 20))
    along.set_goal((38, 7))
    world.finish_builds()
    assert stepped(world, 420, closed) > 40
    assert (down.positions[:, 1] > 9).sum() > 50
    assert (along.positions[:, 1] < 8).all() and (along.positions[:, 0] > 35).all()


def test_before_a_flow_is_there_nobody_runs_over_an_edge() -> None:
    world = open_world(40, 24)
    world.add_one_way(4, 8, line(36, 1), NORTH)  # up again on the far left
    crowd = world.add_crowd(0, speed=6.0)
    crowd.spawn([(20.5, 12.5)])
    crowd.set_goal((20, 3))
    for _ in range(7):
        world.step(TICK)
    world.finish_builds()
    stepped(world, 600, world.grid.closed_exits.copy())  # type: ignore[union-attr]
    assert crowd.arrived_count == 1


def test_a_goal_across_an_edge_is_not_headed_for_straight() -> None:
    world = open_world(30, 20)
    world.add_one_way(3, 8, line(27, 1), NORTH)
    crowd = world.add_crowd(0, speed=4.0, arrive_radius=0.4)
    crowd.spawn([(20.5, 8.5), (20.5, 9.5)])
    crowd.set_goal([(20, 7), (25, 6)])
    world.finish_builds()
    stepped(world, 700, world.grid.closed_exits.copy())  # type: ignore[union-attr]
    assert (crowd.positions[:, 1] < 8).all()


def test_conveyors_of_any_shape_are_followed() -> None:
    """A spiral whose tiles let go on only: each step is forced."""
    world = open_world(9, 9)
    ring = [(x, 0) for x in range(8)] + [(8, y) for y in range(8)] + [(x, 8) for x in range(8, 0, -1)] + [(0, 8)]
    exits = [EAST] * 8 + [SOUTH] * 8 + [WEST] * 9
    for (x, y), way in zip(ring, exits, strict=True):
        world.add_one_way(x, y, line(1, 1), 15 & ~way if (x, y) != (0, 8) else 15)
    crowd = world.add_crowd(0, speed=4.0)
    crowd.spawn([(0.5, 0.5), (2.5, 0.5)])
    crowd.set_goal((0, 8))
    world.finish_builds()
    stepped(world, 600, world.grid.closed_exits.copy())  # type: ignore[union-attr]
    assert crowd.arrived_count >= 1
    assert world.routes.distance((0, 0), (0, 8)) == 24.0


def test_crowds_go_by_random_exits_and_edits_of_them() -> None:
    random = np.random.default_rng(31)
    moved = 0
    for seed in range(4):
        world = World(seed=seed)
        cost = (random.random((36, 40)) > 0.12).astype(np.uint8)
        world.set_grid(TileGrid(cost))
        closed = random_exits(random, cost.shape, 0.1)
        numbers = []
        for pattern in range(1, 16):
            if (closed == pattern).any():
                numbers.append(world.add_one_way(0, 0, closed == pattern, pattern))
        crowds = [world.add_crowd(40, speed=4.0, radius=0.2) for _ in range(2)]
        start = [crowd.positions.copy() for crowd in crowds]
        for turn, crowd in enumerate(crowds):
            crowd.set_goal(tuple(int(v) for v in np.argwhere(cost)[(turn + 1) * 300][::-1]))
        for _ in range(6):
            now = world.grid.closed_exits.copy()  # type: ignore[union-attr]
            assert (world._walls.walls[0] == walls_of(world)).all()  # type: ignore[union-attr]
            stepped(world, 25, now)
            if numbers and random.random() < 0.5:
                world.remove_obstacle(numbers.pop())
            else:
                numbers.append(world.add_one_way(int(random.integers(0, 36)), 5, line(3, 4), int(random.integers(1, 16))))
        moved += sum(int((np.abs(crowd.positions - old).max(axis=1) > 2).sum()) for crowd, old in zip(crowds, start, strict=True))
    assert moved > 60


def walls_of(world: World) -> np.ndarray:
    """The bits of the first layer, made anew."""
    grid = world.grid
    assert grid is not None
    found = WallMap(grid.cost.copy(), grid.closed_exits.copy()).walls[0]
    plain = wall_bits(grid.cost)
    for y, x in np.argwhere(grid.cost).tolist():
        bits = int(plain[y + 1, x + 1])
        for bit, step in enumerate(((-1, 0), (1, 0), (0, -1), (0, 1))):
            if not naive.may_step_straight(grid.cost, grid.closed_exits, (x, y), step):
                bits |= 1 << bit
        assert found[y + 1, x + 1] & 15 == bits & 15
        assert (found[y + 1, x + 1] >> 9 == 127) == bool(grid.closed_exits[y, x])
    return np.asarray(found)


def test_edits_reach_all_layers_and_classes_and_can_be_taken_back() -> None:
    world = World()
    world.set_movement_classes([MovementClass("walk"), MovementClass("fly")])
    world.set_grid(grid_of(*["." * 30] * 20))
    number = world.add_one_way(0, 8, line(30, 1), NORTH, ["walk"])
    assert not world.routes_for("walk").is_reachable((4, 12), (4, 4)) and world.routes_for("fly").is_reachable((4, 12), (4, 4))
    big = world.routes_for("walk", 3)
    assert not big.is_reachable((4, 12), (4, 4)) and big.is_reachable((4, 4), (4, 12))
    assert world.move_obstacle(number, 0, 3)
    assert world.routes_for("walk").is_reachable((4, 12), (4, 4)) and not big.is_reachable((4, 12), (4, 1))
    second = world.add_one_way(0, 3, line(30, 1), NORTH)
    world.remove_obstacle(number)
    assert not world.routes_for("walk").is_reachable((4, 12), (4, 1)) and not big.is_reachable((4, 12), (4, 1))
    world.remove_obstacle(second)
    assert big.is_reachable((4, 12), (4, 1)) and not world.grid.has_one_way  # type: ignore[union-attr]
    with pytest.raises(GridError, match="closed exits are 1 to 15"):
        world.add_one_way(0, 0, line(1, 1), 16)
    with pytest.raises(WorldError, match="without closed exits"):
        World().set_grid(TileGrid(np.ones((2, 2), np.uint8), np.ones((2, 2), np.uint8)))


def test_a_new_map_keeps_one_way_tiles_as_it_keeps_obstacles() -> None:
    world = ledge()
    world.set_grid(open_world(40, 24).grid)  # type: ignore[arg-type]
    assert not world.routes.is_reachable((5, 20), (5, 3))
    other = World()
    other.keep_obstacles_of(world)
    other.set_grid(open_world(50, 30).grid)  # type: ignore[arg-type]
    assert other.routes.is_reachable((5, 20), (5, 3)) and not other.routes.has_line_of_sight((5, 20), (5, 3))


def busy(ticks: int) -> World:
    """A world with a ledge, gates that come and go, two crowds on two layers, edits and orders."""
    world = open_world(150, 120, seed=9)
    world.add_one_way(0, 60, line(120, 1), NORTH)
    crowds = [world.add_crowd(50, area=(0, 0, 100, 50)), world.add_crowd(30, radius=0.8, area=(0, 70, 100, 40))]
    for tick in range(ticks):
        act(world, crowds, tick)
        world.step(TICK)
    return world


def act(world: World, crowds: list, tick: int) -> None:
    if tick == 2:
        crowds[0].set_goal((20, 110))
        crowds[1].set_goal((20, 10))
    if tick % 11 == 5:
        world.add_one_way(20 + tick, 30, line(2, 40), EAST if tick % 2 else WEST | SOUTH)
    if tick % 13 == 6:
        world.edit_cost(30 + tick, 58, np.zeros((5, 2), np.uint8))
    if tick % 17 == 9:
        world.remove_obstacle(world.obstacles[-1])


def test_the_same_bits_on_any_threads_and_after_a_restore_in_the_middle() -> None:
    hashes = set()
    for threads in (1, 2, 3, 7):
        set_threads(threads)
        hashes.add(busy(90).state_hash())
    set_threads(2)
    assert len(hashes) == 1
    for middle in (4, 30):  # the first with builds under way
        world = World()
        world.restore(busy(middle).save())
        for tick in range(middle, 90):
            act(world, list(world.crowds), tick)
            world.step(TICK)
        assert world.state_hash() in hashes
    open_all = busy(90)
    open_all.add_one_way(0, 0, line(1, 1), NORTH)
    assert open_all.state_hash() not in hashes
