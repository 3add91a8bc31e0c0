"""String pulling: strips against clipping, targets against routes, and what units make of them."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from pynav.crowd._string_pulling_kernels import SIGHT_TILES, is_clear, pull_targets, target_tile
from pynav.crowd.wall_map import WallMap
from pynav.grid import FlowField, TileGrid
from pynav.sectors.block_layout import MISSING, READY, block_counts
from pynav.world import World
from tests.naive import sight
from tests.unit.crowd.worlds import TICK, check, open_world, run_until_arrived, world_of

Cost = npt.NDArray[np.uint8]
RADIUS = 0.3
REACH = 0.29


def rubble(seed: int, solid: float = 0.12, side: int = 60) -> Cost:
    """Free ground with single solid tiles and a few walls."""
    random = np.random.default_rng(seed)
    cost = (random.random((side, side)) > solid).astype(np.uint8)
    cost[side // 3, 5 : side - 20] = cost[10 : side - 10, side * 3 // 4] = 0
    cost[side // 2, side // 2] = 1
    return cost


def pulled(
    field: FlowField, points: npt.ArrayLike, targets: npt.ArrayLike | None = None, serial: int = 5, ready: int = READY
) -> tuple[list[tuple[int, int] | None], npt.NDArray[np.float32]]:
    """Targets as tiles, None for none, and headings."""
    at = np.asarray(points, dtype=np.float32)
    target = np.zeros(len(at), dtype=np.int32) if targets is None else np.array(targets, dtype=np.int32)
    heading = np.zeros((len(at), 2), dtype=np.float32)
    columns, rows = block_counts(field.grid.width, field.grid.height)
    blocks = np.full(columns * rows, ready, dtype=np.uint8)
    radius = np.full(len(at), RADIUS, dtype=np.float32)
    walls = WallMap(field.grid.cost).walls[0]
    pull_targets(field.flow, blocks, walls, at, radius, target, heading, serial, 0, len(at))
    assert ((target == 0) | (target >> 16 == serial)).all()
    tiles = [None if t == 0 else target_tile(int(t), *p) for t, p in zip(target, at, strict=True)]
    return [None if tile is None else (int(tile[0]), int(tile[1])) for tile in tiles], heading


def built(cost: Cost, goal: tuple[int, int]) -> FlowField:
    field = FlowField(TileGrid(cost), [goal])
    field.build()
    return field


def free_points(cost: Cost, count: int, seed: int) -> npt.NDArray[np.float32]:
    """Points in free tiles, as far from the tiles' sides as a unit of RADIUS is kept."""
    random = np.random.default_rng(seed)
    tiles = np.argwhere(cost != 0)[:, ::-1]
    inner = RADIUS + random.random((count, 2)) * (1 - 2 * RADIUS)
    return (tiles[random.integers(0, len(tiles), count)] + inner).astype(np.float32)


@pytest.mark.parametrize("reach", [0.05, REACH, 0.44])
def test_a_strip_is_clear_exactly_where_clipping_says_so(reach: float) -> None:
    cost = rubble(1, 0.06, 24)
    cost[3:9, 14:20] *= 4
    walls = WallMap(cost).walls[0]
    seen = hidden = 0
    starts, ends = free_points(cost, 700, 2), free_points(cost, 700, 3)
    for (x, y), (to_x, to_y) in zip(starts, np.floor(ends) + np.float32(0.5), strict=True):
        if max(abs(to_x - x), abs(to_y - y)) < 1e-3:
            continue
        line = (float(x), float(y)), (float(to_x), float(to_y))
        wide, narrow = sight.is_clear(cost, *line, reach + 1e-4), sight.is_clear(cost, *line, reach - 1e-4)
        if wide == narrow:  # else it is a matter of rounding
            found = bool(is_clear(walls, x, y, to_x, to_y, np.float32(reach)))
            assert found == wide, line
            seen, hidden = seen + found, hidden + (not found)
    assert seen > 40 and hidden > 100


@pytest.mark.parametrize("seed", range(3))
def test_a_target_lies_on_the_route_and_in_sight(seed: int) -> None:
    cost = rubble(seed)
    field = built(cost, (30, 30))
    points = free_points(cost, 400, seed)
    points = np.array([p for p in points if field.flow[int(p[1]) + 1, int(p[0]) + 1] < 8], dtype=np.float32)
    found, heading = pulled(field, points)
    far = 0
    for (x, y), tile, (heading_x, heading_y) in zip(points.tolist(), found, heading.tolist(), strict=True):
        ahead = sight.route(field.flow, int(x), int(y))[1:]
        if tile is None:
            assert not sight.is_clear(cost, (x, y), (ahead[0][0] + 0.5, ahead[0][1] + 0.5), REACH + 1e-4)
            assert (heading_x, heading_y) == (0, 0)
            continue
        middle = (tile[0] + 0.5, tile[1] + 0.5)
        assert tile in ahead[:16]
        assert sight.is_clear(cost, (x, y), middle, REACH - 1e-4)
        size = math.dist((x, y), middle)
        assert math.dist((heading_x, heading_y), ((middle[0] - x) / size, (middle[1] - y) / size)) < 1e-5
        far += tile in ahead[3:]
    assert far > len(points) / 4


def test_a_target_is_pushed_on_and_never_lost_while_in_sight() -> None:
    cost = np.ones((40, 300), dtype=np.uint8)
    field = built(cost, (290, 20))
    point = [[10.5, 3.5]]
    target = 0
    steps = []
    for _ in range(8):
        (tile,), _ = pulled(field, point, [target])
        assert tile is not None and tile in sight.route(field.flow, 10, 3)
        steps.append(tile[0])
        target = 5 << 16 | (tile[1] & 255) << 8 | (tile[0] & 255)
    assert steps == sorted(steps) and steps[0] < 30 and steps[-1] == 10 + SIGHT_TILES


def test_targets_of_another_flow_outside_the_map_or_too_far_away_are_dropped() -> None:
    field = built(np.ones((20, 200), dtype=np.uint8), (190, 10))
    fresh, _ = pulled(field, [[10.5, 3.5]])
    for stale in (4 << 16 | 9 << 8 | 20, 5 << 16 | 250 << 8 | 20, 5 << 16 | 9 << 8 | 90, -5):
        assert pulled(field, [[10.5, 3.5]], [stale])[0] == fresh


def test_directions_of_blocks_that_are_not_written_are_not_followed() -> None:
    field = built(np.ones((20, 40), dtype=np.uint8), (35, 10))
    assert pulled(field, [[3.5, 3.5]], ready=MISSING)[0] == [None]
    assert pulled(field, [[3.5, 3.5]])[0] != [None]


def test_a_way_around_a_swamp_is_not_shortened_through_it() -> None:
    cost = np.ones((21, 41), dtype=np.uint8)
    cost[4:17, 10:31] = 9
    world = World(seed=1)
    world.set_grid(TileGrid(cost))
    crowd = world.add_crowd(0, 3.0, RADIUS, speed_variation=0.0)
    crowd.spawn([[4.5, 9.5]])
    crowd.set_goal((36, 9))
    world.finish_builds()
    for _ in range(60 * 30):
        world.step(TICK)
        x, y = crowd.positions[0]
        assert cost[int(y), int(x)] == 1
        if crowd.arrived_count:
            return
    pytest.fail("it never arrived")


def walked(world: World, start: tuple[float, float], goal: tuple[int, int], seconds: float = 60.0) -> tuple[float, float]:
    """Length of the way of a lone unit to a goal, and the sum of the angles that it turned by; it must arrive."""
    crowd = world.add_crowd(0, 3.0, RADIUS, arrive_radius=0.1, speed_variation=0.0)
    crowd.spawn([start])
    crowd.set_goal(goal)
    world.finish_builds()
    points = [crowd.positions[0].astype(float)]
    while not crowd.arrived_count and len(points) < seconds * 60:
        world.step(TICK)
        check(world)
        points.append(crowd.positions[0].astype(float))
    assert crowd.arrived_count == 1, (start, goal, points[-1])
    crowd.remove([0])
    moves = np.diff(points, axis=0)
    lengths = np.hypot(*moves.T)
    angles = np.unwrap(np.arctan2(*moves[lengths > 1e-3].T))
    return float(lengths.sum()), float(np.abs(np.diff(angles)).sum())


@pytest.mark.parametrize("goal", [(95, 2), (95, 18), (95, 30), (60, 38), (3, 38), (10, 20)])
def test_on_open_ground_the_way_is_nearly_straight(goal: tuple[int, int]) -> None:
    start = (2.5, 2.5)
    length, turned = walked(open_world(100, 40), start, goal)
    straight = math.dist(start, (goal[0] + 0.5, goal[1] + 0.5))
    assert length < straight * 1.006
    assert turned < 0.6, "no zigzag"


def test_a_straight_run_does_not_weave() -> None:
    _, turned = walked(open_world(10, 10), (0.5, 0.5), (7, 0))
    assert turned < 1e-3


def test_a_corner_is_gone_round_not_cut() -> None:
    length, _ = walked(world_of("S#..", ".G.."), (0.5, 0.5), (1, 1))
    assert length > 1.5


@pytest.mark.parametrize("seed", range(3))
def test_whoever_has_a_way_arrives_and_not_much_later_than_on_tiles(seed: int) -> None:
    cost = rubble(seed, 0.25, 48)
    goal = (24, 24)
    grid = TileGrid(cost)
    field = built(cost, goal)
    starts = [p for p in free_points(cost, 40, seed).tolist() if grid.is_connected((int(p[0]), int(p[1])), goal)]
    assert len(starts) > 10
    world = World(seed=1)
    world.set_grid(grid)
    for x, y in starts[:12]:
        tiles = np.array(sight.route(field.flow, int(x), int(y)), dtype=float)
        optimum = np.hypot(*np.diff(tiles, axis=0).T).sum()
        length, _ = walked(world, (x, y), goal)
        assert length < optimum + 1.0


def test_near_a_corner_closer_than_the_radius_a_unit_gets_out_again() -> None:
    cost = np.ones((8, 8), dtype=np.uint8)
    cost[3, 3] = 0
    world = World(seed=1)
    world.set_grid(TileGrid(cost))
    crowd = world.add_crowd(0, 3.0, 0.7)
    crowd.spawn([[2.6, 3.9]])
    crowd.set_goal((6, 6))
    assert run_until_arrived(world, 10)


def test_a_wall_across_the_line_of_sight_is_seen_at_once() -> None:
    world = open_world(60, 21)
    crowd = world.add_crowd(0, 3.0, RADIUS, speed_variation=0.0)
    crowd.spawn([[5.5, 10.5]])
    crowd.set_goal((55, 10))
    world.finish_builds()
    for _ in range(60):
        world.step(TICK)
    assert abs(crowd.headings[0, 1]) < 0.01
    world.edit_cost(25, 4, np.zeros((13, 1), dtype=np.uint8))
    for _ in range(20):
        world.step(TICK)
    assert abs(crowd.headings[0, 1]) > 0.2, "it makes for the end of the wall, long before it is there"
    assert run_until_arrived(world, 40)


def test_routes_of_a_crowd_spread_over_open_ground() -> None:
    """Units side by side walk side by side, instead of one behind the other along a common line of tiles."""
    world = open_world(160, 60)
    crowd = world.add_crowd(0, 3.0, RADIUS, speed_variation=0.0)
    crowd.spawn([[4.5, 2.5 + 2 * index] for index in range(10)])
    crowd.set_goal((155, 45))
    world.finish_builds()
    for _ in range(60 * 25):
        world.step(TICK)
    points = crowd.positions.astype(float)
    line = np.array([155.5, 45.5]) - points
    bearing = np.sort(np.arctan2(line[:, 1], line[:, 0]))
    assert np.diff(bearing).min() > 0.005


def test_the_target_is_part_of_the_state() -> None:
    worlds = []
    for restores in (False, True):
        world = world_of("." * 40, "." * 12 + "#" + "." * 27, *["." * 40] * 12)
        crowd = world.add_crowd(30, 3.0, RADIUS, area=(0, 0, 8, 14))
        crowd.set_goal((38, 9))
        for tick in range(90):
            if restores and tick in (7, 30, 31):
                again = World()
                again.restore(world.save())
                world = again
            world.step(TICK)
        worlds.append(world)
    assert worlds[0].state_hash() == worlds[1].state_hash()
    assert worlds[0].save() == worlds[1].save()
