"""Parts of a march beside slow references: lanes, trees, who changes places, routes and their width."""

import numpy as np
import pytest

from pynav.crowd.wall_map import WallMap
from pynav.formations import DragGrid
from pynav.formations._march_kernels import lane_of, place_on_route
from pynav.formations._route_kernels import is_small
from pynav.formations.place_layout import HI, LO, PROGRESS, STATION_TILES, STATION_X, STATION_Y, TANGENT_X, TANGENT_Y
from pynav.formations.route import Route, RowShape, make_route
from pynav.grid import TileGrid
from pynav.world import World
from tests.naive.formations import crossing, is_tree, lanes_of_files
from tests.unit.crowd.worlds import TICK, open_world

WIDE = RowShape(8, 1.0, 0.72)


def walls_of(cost: np.ndarray) -> np.ndarray:
    grid = TileGrid(cost.astype(np.uint8))
    return WallMap(grid.cost, grid.closed_if_any).walls[0]


def route_over(cost: np.ndarray, start: tuple[int, int], goal: tuple[int, int], shape: RowShape = WIDE) -> Route:
    world = World()
    world.set_grid(TileGrid(cost.astype(np.uint8)))
    steps = make_route(
        world.routes.path(start, goal), walls_of(cost), 0.0, 0.3, shape, 6.0, 6.0, (goal[0] + 0.5, goal[1] + 0.5)
    )  # fmt: skip
    while True:
        try:
            next(steps)
        except StopIteration as done:
            assert isinstance(done.value, Route)
            return done.value


@pytest.mark.parametrize("files", range(1, 14))
def test_lanes_hold_neighbouring_files_the_middle_one_first(files: int) -> None:
    for lanes in range(1, files + 1):
        assert [lane_of(file, files, lanes) for file in range(files)] == lanes_of_files(files, lanes)


def test_trees_are_small_obstacles_with_free_ground_around() -> None:
    generator = np.random.default_rng(3)
    seen = set()
    for _ in range(40):
        cost = np.ones((14, 15), np.uint8)
        for _ in range(3):
            x, y = generator.integers(0, 14, 2)
            width, height = generator.integers(1, 5, 2)
            cost[y : y + height, x : x + width] = 0
        walls = walls_of(cost)
        for y, x in np.argwhere(cost == 0).tolist():
            wanted = is_tree(cost, x, y)
            seen.add(wanted)
            assert is_small(walls, np.float32(x + 0.5), np.float32(y + 0.5)) == wanted, (x, y)
    assert seen == {True, False}


def straight(low: float, high: float) -> np.ndarray:
    """A straight route along x with room from low to high."""
    stations = np.zeros((7, 200), np.float32)
    stations[STATION_X] = np.arange(200) * STATION_TILES
    stations[TANGENT_X] = 1.0
    stations[LO], stations[HI] = low, high
    stations[PROGRESS] = stations[STATION_X]
    return stations


@pytest.mark.parametrize("room", [(-9.0, 9.0), (-9.0, 2.0), (-1.0, 9.0), (-2.0, 2.6), (-1.0, 1.2), (-0.4, 0.4), (0.0, 0.0)])
def test_a_row_keeps_within_its_room_and_its_units_apart(room: tuple[float, float]) -> None:
    low, high = room
    stations = straight(low, high)
    places = np.array([
        place_on_route(stations, 0, 200, np.float32(30.0), file, 8, np.float32(1.0), np.float32(0.72)) for file in range(8)
    ])  # fmt: skip
    along, aside = places.T
    assert (aside >= low - 1e-4).all() and (aside <= high + 1e-4).all() and (along <= 30.0 + 1e-4).all()
    apart = np.hypot(*(places[:, None] - places[None]).T) + 9.0 * np.eye(8)
    assert apart.min() > 0.45, "between two whole numbers of lanes they close up for a moment"
    if high - low >= 7.0:
        assert np.allclose(along, 30.0) and np.allclose(np.diff(aside), 1.0)
    if (low, high) == (-9.0, 9.0):
        assert np.isclose(aside.mean(), 0.0, atol=1e-6)


def test_a_route_is_smooth_leads_from_start_to_goal_and_stays_on_free_ground() -> None:
    cost = np.ones((40, 60), np.uint8)
    cost[:25, 28:31] = 0
    route = route_over(cost, (5, 8), (54, 8))
    points = route.stations[[STATION_X, STATION_Y]].T
    begin, end = (points[round(along / float(STATION_TILES))] for along in (route.start, route.goal))
    assert np.hypot(*(begin - (5.5, 8.5))) < 1.5 and np.hypot(*(end - (54.5, 8.5))) < 1.5
    steps = np.hypot(*np.diff(points, axis=0).T)
    assert abs(steps.mean() - STATION_TILES) < 0.03 and steps.max() < 0.3
    tiles = points.astype(int)
    assert cost[tiles[:, 1], tiles[:, 0]].all()
    angles = np.unwrap(np.arctan2(route.stations[TANGENT_Y], route.stations[TANGENT_X]))
    assert np.abs(np.diff(angles)).max() < 0.6, "no sharp bend"
    assert route.start > 4.0 and route.length - route.goal > 3.0, "it goes on straight at both ends"


def test_a_door_narrows_the_route_and_a_tree_does_not() -> None:
    cost = np.ones((40, 60), np.uint8)
    cost[:, 28:31] = 0
    cost[18:21, 28:31] = 1
    cost[10:12, 14:16] = 0
    route = route_over(cost, (5, 19), (54, 19))
    x, width = route.stations[STATION_X], route.stations[HI] - route.stations[LO]
    assert abs(width[np.argmin(np.abs(x - 29.5))] - (3.0 - 2 * 0.35)) < 0.15
    assert width[np.argmin(np.abs(x - 15.0))] > 8.0
    assert np.abs(np.diff(width)).max() < 2 * 0.7 * float(STATION_TILES) + 1e-3
    slow = np.diff(route.stations[PROGRESS]) < 0.9 * float(STATION_TILES)
    assert slow[np.argmin(np.abs(x - 29.5))] and not slow[np.argmin(np.abs(x - 15.0))], "rows draw apart in the door alone"


def test_two_units_of_a_class_that_would_cross_change_places() -> None:
    world = open_world(40, 20)
    crowd = world.add_crowd(0, 2.5, 0.3, speed_variation=0.0)
    archers = world.add_crowd(0, 2.5, 0.3, speed_variation=0.0)
    crowd.spawn([(5.5, 8.0), (5.5, 9.0)])
    archers.spawn([(4.5, 8.0), (4.5, 9.0)])
    formation = world.formations.order([(crowd, 1), (archers, 2)], DragGrid((30.0, 8.5), (1.0, 0.0), 1.0))
    for _ in range(20):
        world.step(TICK)
    before = formation.owners.tolist()
    ways = [(tuple(crowd.positions[number]), tuple(formation.targets[slot])) for slot, (_, number) in enumerate(before[:2])]
    assert not crossing(ways[0], ways[1])
    first, second = crowd.positions[before[0][1]].copy(), crowd.positions[before[1][1]].copy()
    crowd.set_positions([before[0][1], before[1][1]], [second, first])
    for _ in range(12):
        world.step(TICK)
    after = formation.owners.tolist()
    assert after[:2] == before[:2][::-1], "soldiers change with soldiers"
    assert after[2:] == before[2:], "never with archers"
