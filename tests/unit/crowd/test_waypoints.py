"""Waypoints of single ways: ends, sight between neighbours, length, ground of other costs, one-way tiles."""

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest

from pynav.crowd.waypoints import waypoints
from pynav.grid import TileGrid
from pynav.grid.exits import NORTH
from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.route_queries import RouteQueries
from tests.naive import sight

RADIUS = 0.3
REACH = 0.29
Floats = npt.NDArray[np.float32]


def way(grid: TileGrid, start: tuple[float, float], end: tuple[float, float], radius: float = RADIUS) -> tuple[Floats, Floats]:
    """Waypoints and the tiles' way that they come from."""
    path = RouteQueries(BlockGraph(grid)).path((int(start[0]), int(start[1])), (int(end[0]), int(end[1])))
    found = waypoints(grid, path, np.array(start, np.float32), np.array(end, np.float32), radius)
    return found, path.astype(np.float32) + 0.5


def length(points: Floats) -> float:
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def test_open_ground_is_one_line_to_the_very_place() -> None:
    found, _ = way(TileGrid(np.ones((40, 60), np.uint8)), (3.2, 4.7), (50.9, 30.1))
    assert found.tolist() == np.array([[3.2, 4.7], [50.9, 30.1]], np.float32).tolist()


def test_ways_within_a_tile() -> None:
    grid = TileGrid(np.ones((4, 4), np.uint8))
    assert way(grid, (1.2, 1.2), (1.8, 1.6))[0].tolist() == np.array([[1.2, 1.2], [1.8, 1.6]], np.float32).tolist()
    assert way(grid, (1.2, 1.2), (1.2, 1.2))[0].tolist() == np.array([[1.2, 1.2]], np.float32).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_neighbours_are_in_sight_and_the_way_gets_shorter(seed: int) -> None:
    random = np.random.default_rng(seed)
    cost = (random.random((60, 70)) > 0.25).astype(np.uint8)
    grid = TileGrid(cost)
    label = grid.components()
    largest = int(np.argmax(np.bincount(label.reshape(-1))[1:])) + 1
    tiles = np.argwhere(label == largest)[:, ::-1]
    turned = 0
    for _ in range(20):
        (a, b), (c, d) = tiles[random.integers(len(tiles))].tolist(), tiles[random.integers(len(tiles))].tolist()
        found, path = way(grid, (a + 0.5, b + 0.5), (c + 0.5, d + 0.5))
        assert found[0].tolist() == path[0].tolist() and found[-1].tolist() == path[-1].tolist()
        assert length(found) <= length(path) + 1e-3
        assert length(found) >= math.dist(path[0], path[-1]) - 1e-3
        steps = {tuple(p) for p in path.tolist()}
        assert all(tuple(p) in steps for p in found.tolist())
        turned += len(found) < len(path)
        for one, other in itertools.pairwise(found):
            if max(abs(other - one)) > 1.0:  # steps of the way itself may pass a corner: they are what the map allows
                assert sight.is_clear(cost, tuple(one.tolist()), tuple(other.tolist()), REACH - 1e-3)
    assert turned > 10


def test_dear_ground_is_not_crossed_for_a_shorter_line() -> None:
    cost = np.ones((21, 41), np.uint8)
    cost[5:, 10:30] = 50
    found, path = way(TileGrid(cost), (5.5, 15.5), (35.5, 15.5))
    assert length(found) < length(path)
    for one, other in itertools.pairwise(found):
        for part in np.linspace(0.0, 1.0, 200):
            x, y = one + part * (other - one)
            assert cost[int(y), int(x)] == 1


def test_beside_closed_exits_the_way_stays_as_it_is() -> None:
    cost, closed = np.ones((12, 12), np.uint8), np.zeros((12, 12), np.uint8)
    closed[6, :8] = NORTH
    grid = TileGrid(cost, closed)
    found, path = way(grid, (2.5, 9.5), (2.5, 2.5))
    rows = np.floor(found[:, 1]).astype(int)
    crossing = [i for i in range(len(found) - 1) if rows[i] >= 6 > rows[i + 1]]
    assert len(crossing) == 1 and found[crossing[0], 0] > 8.0
    assert len(path) > 8
