"""Buildings as targets of attack-move: found like agents, walked up to from any free side, state, refusals in words."""

import numpy as np
import pytest

from pynav.crowd.crowd import STATUS_ARRIVED, STATUS_ENGAGED
from pynav.crowd.errors import WorldError
from pynav.crowd.unit_handles import unpacked
from pynav.world import World
from tests.naive import foes as naive
from tests.unit.commands.test_attack_move import LOOK_TICKS, army
from tests.unit.crowd.worlds import TICK, open_world, run, world_of


def build(world: World, x: int, y: int, width: int, height: int, team: int = 1) -> int:
    """A building on ground that it makes solid."""
    world.edit_cost(x, y, np.zeros((height, width), dtype=np.uint8))
    return world.buildings.add(x, y, width, height, team)


def away_from(rect: tuple[int, int, int, int], places: np.ndarray) -> np.ndarray:
    x, y, width, height = rect
    edge = np.clip(places, [x, y], [x + width, y + height])
    return np.hypot(*(places - edge).T)


def test_units_walk_up_to_the_edge_strike_and_go_on_when_the_building_is_gone() -> None:
    world = open_world(60, 20)
    tower = build(world, 25, 7, 5, 5)
    soldiers = army(world, [[4.5, y + 0.5] for y in range(5, 15)], 0)
    command = world.commands.attack_move(soldiers, (50.5, 9.5))
    run(world, 15.0)
    units, struck = world.commands.engaged()
    assert len(units) == 10 and struck.tolist() == [tower] * 10
    assert world.commands.foes_of(soldiers.handles()).tolist() == struck.tolist()
    places = soldiers.positions
    gaps = away_from((25, 7, 5, 5), places) - soldiers.radius
    assert gaps.min() > -0.01 and gaps.max() <= 0.5 + 0.25 + naive.EDGE_TILES
    towards = np.clip(places, [25, 7], [30, 12]) - places
    assert ((soldiers.headings * towards).sum(axis=1) / np.hypot(*towards.T) > 0.9).all()
    world.buildings.remove(tower)
    assert not world.buildings.are_there(struck).any() and len(world.commands.engaged()[0]) == 0
    run(world, 12.0)
    assert (soldiers.states == STATUS_ARRIVED).all() and world.commands.take_finished() == [command]


def test_those_who_find_its_near_side_taken_surround_a_building() -> None:
    world = open_world(70, 40)
    build(world, 35, 16, 7, 7)
    soldiers = army(world, np.random.default_rng(1).uniform((2, 8), (16, 32), (90, 2)), 0)
    world.commands.attack_move(soldiers, (38.5, 19.5))
    run(world, 30.0)
    x, y = soldiers.positions[soldiers.states == STATUS_ENGAGED].T
    assert min(np.sum(x < 35), np.sum(x > 42), np.sum(y < 16), np.sum(y > 23)) >= 8


@pytest.mark.parametrize("radius, size", [(0.3, 0), (0.45, 0), (0.6, 0), (1.0, 0), (1.4, 0), (0.3, 3), (0.4, 2)])
def test_units_of_all_sizes_get_within_their_reach(radius: float, size: int) -> None:
    world = open_world(50, 40)
    build(world, 22, 17, 4, 3)
    crowd = world.add_crowd(0, 4.0, radius, speed_variation=0.0, size=size)
    crowd.sight_radius, crowd.attack_range = 14.0, 0.0
    crowd.spawn([[12.5, 8.5], [36.5, 9.5], [12.5, 30.5], [36.5, 29.5]])
    world.commands.attack_move(crowd, (24.5, 35.5))
    run(world, 8.0)
    assert (crowd.states == STATUS_ENGAGED).all(), away_from((22, 17, 4, 3), crowd.positions) - radius


def test_a_building_between_walls_is_reached_from_its_free_sides_and_one_without_is_left_alone() -> None:
    for is_closed in (False, True):
        rows = [list("." * 40) for _ in range(21)]
        for row in range(21):  # a wall from top to bottom, with a tower in it and a gate far down
            rows[row][20] = "#"
        rows[18][20] = "."
        if is_closed:
            for row, column in ((9, 19), (10, 19), (11, 19), (9, 21), (10, 21), (11, 21)):
                rows[row][column] = "#"
        world = world_of(*["".join(row) for row in rows])
        tower = build(world, 20, 9, 1, 3)
        soldiers = army(world, [[19.5, 3.5], [21.5, 3.5]], 0, sight=9.0)
        world.commands.attack_move(soldiers, (2.5, 1.5))
        run(world, 6.0)
        assert (soldiers.states == STATUS_ENGAGED).all() == (not is_closed)
        assert (world.commands.foes_of(soldiers.handles()) == tower).all() == (not is_closed)


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_what_each_goes_for_is_what_the_slow_reference_finds(seed: int) -> None:
    random = np.random.default_rng(seed)
    cost = np.ones((60, 60), dtype=np.uint8)
    cost[random.random((60, 60)) < 0.04] = 0
    world = world_of(*["".join("#" if tile == 0 else "." for tile in row) for row in cost])
    for number in range(14):
        build(world, *random.integers(0, 55, 2).tolist(), *random.integers(1, 6, 2).tolist(), team=number % 3)
    cost = world.grid.cost
    free = np.argwhere(cost != 0)[:, ::-1]
    places = free[random.permutation(len(free))[:90]] + 0.5
    crowds = [army(world, places[30 * team : 30 * team + 30], team, speed=0.0, sight=7.0, radius=0.25) for team in range(3)]
    crowds[1].enemy_teams = 0b001
    crowds[2].attack_range = 3.0
    for crowd in crowds:
        world.commands.attack_move(crowd, (free[0, 0] + 0.5, free[0, 1] + 0.5))
    for _ in range(LOOK_TICKS):
        world.step(TICK)
    seen = 0
    for crowd in crowds:
        for unit, handle in enumerate(world.commands.foes_of(crowd.handles()).tolist()):
            expected = naive.nearest_foe(world.crowds, crowd, unit, cost, world.buildings)
            if expected is not None:
                seen += expected[0] == naive.BUILDINGS
                assert [int(part[0]) for part in unpacked(np.array([handle]))[:2]] == list(expected), (crowd.index, unit)
    assert seen > 9


def test_whose_it_is_and_on_which_layers_decides_who_attacks_it() -> None:
    for kind in ("own", "friends", "unseen"):
        world = open_world(40, 12)
        soldiers = army(world, [[4.5, 6.5]], 0)
        if kind == "friends":
            soldiers.enemy_teams = 0b100
        world.buildings.add(18, 8, 2, 2, 0 if kind == "own" else 1, 0 if kind == "unseen" else 1)
        world.commands.attack_move(soldiers, (35.5, 6.5))
        run(world, 10.0)
        assert soldiers.states[0] == STATUS_ARRIVED, kind
    tower = int(world.buildings.add(33, 5, 2, 2, team=0))
    run(world, 1.0)
    assert soldiers.states[0] == STATUS_ARRIVED
    world.buildings.set_team(tower, 1)
    run(world, 1.0)
    assert soldiers.states[0] == STATUS_ENGAGED and world.buildings.team_of(tower) == 1


def siege() -> World:
    world = World(seed=9)
    world.set_grid(world_of(*["." * 50 for _ in range(40)]).grid)
    for x, y, width, height, team in ((22, 4, 3, 3, 1), (20, 16, 7, 7, 1), (23, 30, 1, 6, 1), (40, 18, 3, 3, 0)):
        build(world, x, y, width, height, team)
    for team in range(2):
        crowd = world.add_crowd(0, 4.0, 0.3)
        crowd.team, crowd.sight_radius, crowd.attack_range = team, 9.0, 0.4
        crowd.spawn_in(60 - 50 * team, (2 + 30 * team, 2, 12, 36))
    world.commands.attack_move(world.crowds[0], (45.5, 20.5))
    world.commands.attack_move(world.crowds[1], (5.5, 8.5))
    return world


def play_siege(world: World, until: int) -> None:
    while world.tick < until:
        if world.tick % 100 == 99:
            world.buildings.remove(int(world.buildings.handles()[0]))
        if world.tick == 150:
            build(world, 30, 6, 2, 2)
        world.step(TICK)


def test_the_state_goes_on_after_save_and_load_and_shows_in_the_hash() -> None:
    played = siege()
    play_siege(played, 180)
    struck = played.commands.engaged()[1]
    assert played.buildings.are_there(struck).sum() > 10 and not played.buildings.are_there(struck).all()
    restored = World()
    restored.restore(played.save())
    assert restored.state_hash() == played.state_hash()
    assert restored.buildings.handles().tolist() == played.buildings.handles().tolist()
    for world in (played, restored):
        play_siege(world, 260)
    assert restored.state_hash() == played.state_hash()
    before = played.state_hash()
    played.buildings.set_team(int(played.buildings.handles()[0]), 5)
    assert played.state_hash() != before


def test_the_nearest_ones_by_teams_and_layers() -> None:
    world = open_world(40, 40)
    random = np.random.default_rng(3)
    rects = np.concatenate([random.integers(0, 35, (25, 2)), random.integers(1, 6, (25, 2))], axis=1).tolist()
    handles = [world.buildings.add(*rect, team=number % 4, layers=1 << number % 3) for number, rect in enumerate(rects)]
    points = random.uniform(-5, 45, (30, 2)).astype(np.float32)
    found, away = world.buildings.nearest(points, 4, within=12.0, teams=0b0110, layers=0b011)
    for point, near, distance in zip(points, found.tolist(), away.tolist(), strict=True):
        expected = []
        for number, rect in enumerate(rects):
            gap = float(away_from(rect, point[None])[0])
            if number % 4 in (1, 2) and number % 3 in (0, 1) and gap <= 12.0:
                expected.append((gap, handles[number]))
        expected = sorted(expected)[:4]
        assert near == [handle for _, handle in expected] + [0] * (4 - len(expected))
        assert np.allclose(distance[: len(expected)], [gap for gap, _ in expected], atol=1e-5)
    assert (away[found == 0] == np.inf).all() and world.buildings.count == 25


def test_those_in_circles_and_rectangles_by_teams_and_layers() -> None:
    world = open_world(40, 40)
    random = np.random.default_rng(4)
    rects = np.concatenate([random.integers(0, 35, (25, 2)), random.integers(1, 6, (25, 2))], axis=1).tolist()
    handles = [world.buildings.add(*rect, team=number % 4, layers=1 << number % 3) for number, rect in enumerate(rects)]
    points = random.integers(-5, 45, (40, 2)).astype(np.float32)  # on edges of tiles too
    reach, sides = random.integers(0, 16, 40), random.integers(0, 25, (40, 2))
    masks = {"teams": 0b0110, "layers": 0b011}
    circles = world.buildings.in_circles(points, reach, **masks)
    rectangles = world.buildings.in_rectangles(np.concatenate([points, sides], axis=1), **masks)
    counts = [0, 0]
    for question, point in enumerate(points):
        inside, near = [], []
        for number, (x, y, width, height) in enumerate(rects):
            if number % 4 not in (1, 2) or number % 3 == 2:
                continue
            if float(away_from([x, y, width, height], point[None])[0]) <= reach[question]:
                near.append(handles[number])
            (left, top), (right, low) = point, point + sides[question]
            if x < right and left < x + width and y < low and top < y + height:
                inside.append(handles[number])
        assert circles.of(question).tolist() == near
        assert rectangles.of(question).tolist() == inside
        counts = [counts[0] + len(near), counts[1] + len(inside)]
    assert min(counts) > 20
    assert len(world.buildings.in_circles([], 1.0).units) == 0 and world.buildings.in_rectangles([]).first.tolist() == [0]
    assert world.buildings.in_circles(points[:2], 99.0, teams=1 << 20).first.tolist() == [0, 0, 0]


def test_what_is_wrong_is_refused_in_words() -> None:
    world = World()
    with pytest.raises(WorldError, match="no map"):
        world.buildings.add(1, 1, 1, 1)
    world = open_world(20, 20)
    for rect in ((-1, 0, 2, 2), (19, 0, 2, 2), (3, 3, 0, 2), (3, 19, 1, 2)):
        with pytest.raises(WorldError, match=r"inside the map of 20 x 20 tiles, got"):
            world.buildings.add(*rect)
    for wrong, words in (({"team": 32}, "team is 0 to 31"), ({"layers": 1 << 32}, "layers"), ({"team": 1.5}, "whole number")):
        with pytest.raises(WorldError, match=words):
            world.buildings.add(2, 2, 2, 2, **wrong)
    assert world.buildings.count == 0
    tower = world.buildings.add(2, 2, 2, 2)
    world.buildings.remove(tower)
    successor = world.buildings.add(2, 2, 2, 2)
    assert successor != tower
    for dead in (tower, 0, -1, 1 << 62):
        with pytest.raises(WorldError, match="building that is there"):
            world.buildings.remove(dead)
    with pytest.raises(WorldError, match="is a building"):
        world.commands.move([successor], (5.5, 5.5))
    for points, count, within in (([[np.nan, 1]], 1, None), ([1, 2], 1, None), ([[1, 2]], 0, None), ([[1, 2]], 1, -1.0)):
        with pytest.raises(WorldError, match="expected"):
            world.buildings.nearest(points, count, within=within)
    with pytest.raises(WorldError, match="expected a radius from 0"):
        world.buildings.in_circles([[1, 2]], -1.0)
    with pytest.raises(WorldError, match="a width and height from 0"):
        world.buildings.in_rectangles([[1, 2, 3, -1]])
