"""Walls: bits against the slow reference, moves that never end in a wall, getting out of one."""

import math

import numpy as np
import pytest

from pynav.crowd.agent_layout import (
    CROWD_NUMBER_COUNT,
    CROWD_SETTING_COUNT,
    POSITION_X,
    POSITION_Y,
    TAG_COUNT,
    VALUE_COUNT,
    WALL_RADIUS,
)
from pynav.crowd.wall_geometry import allowed_move, pushed_from_walls
from pynav.crowd.wall_map import WallMap
from tests.naive.crowd import nearest_free_point, wall_bits, wall_distance


def _random_cost(seed: int, solid: float = 0.35) -> np.ndarray:
    return (np.random.default_rng(seed).random((14, 19)) > solid).astype(np.uint8)


def test_bits_match_the_reference_after_edits() -> None:
    random = np.random.default_rng(8)
    cost = _random_cost(1)
    walls = WallMap(cost)
    assert (walls.walls[0] == wall_bits(cost)).all()
    for _ in range(20):
        x, y = int(random.integers(0, 17)), int(random.integers(0, 12))
        width, height = int(random.integers(1, 20 - x)), int(random.integers(1, 15 - y))
        cost[y : y + height, x : x + width] = random.choice([0, 0, 1, 1, 2, 127, 128, 255], (height, width))
        walls.update(cost, x, y, width, height)
        assert (walls.walls[0] == wall_bits(cost)).all()


def push_out(walls: WallMap, values: np.ndarray, count: int) -> np.ndarray:
    """One crowd of small agents on the first layer; where those stay that were moved, zeros for the others."""
    settings = np.zeros((CROWD_SETTING_COUNT, 1), dtype=np.float32)
    settings[WALL_RADIUS] = 0.3
    tags, numbers = np.zeros((TAG_COUNT, values.shape[1]), dtype=np.int32), np.zeros((CROWD_NUMBER_COUNT, 1), dtype=np.int32)
    goals = np.zeros(count, dtype=np.float32), np.zeros(count, dtype=np.float32)
    walls.push_out(values, tags, goals, numbers, settings, count)
    return np.array(goals)


@pytest.mark.parametrize("radius", [0.05, 0.3, 0.45, 0.7, 1.6])
def test_a_pushed_point_stays_in_its_tile_and_keeps_its_distance(radius: float) -> None:
    random = np.random.default_rng(5)
    cost = _random_cost(2)
    walls = WallMap(cost).walls[0]
    checked = 0
    for x, y in random.random((1500, 2)).astype(np.float32) * np.float32([19, 14]):
        if cost[int(y), int(x)] == 0:
            continue
        new_x, new_y = pushed_from_walls(walls, np.float32(0), x, y, np.float32(radius))
        assert (int(new_x), int(new_y)) == (int(x), int(y))
        bits = int(walls[int(y) + 1, int(x) + 1])
        is_narrow = bits & 3 == 3 or bits & 12 == 12
        if not is_narrow:
            checked += 1
            assert wall_distance(cost, float(new_x), float(new_y)) >= min(radius, 0.45) - 0.02
    assert checked > 100


def test_moves_end_in_free_tiles_and_slide_along_walls() -> None:
    random = np.random.default_rng(6)
    cost = _random_cost(3)
    walls = WallMap(cost).walls[0]
    slid = 0
    for x, y in random.random((3000, 2)).astype(np.float32) * np.float32([19, 14]):
        if cost[int(y), int(x)] == 0:
            continue
        to = np.float32([x, y]) + (random.random(2).astype(np.float32) - np.float32(0.5)) * np.float32(1.6)
        new_x, new_y = allowed_move(walls, np.float32(0), x, y, to[0], to[1])
        assert walls[int(new_y) + 1, int(new_x) + 1] & 256 == 0
        slid += (new_x == to[0]) != (new_y == to[1])
    assert slid > 50


def test_nobody_slips_between_two_tiles_that_touch_at_a_corner() -> None:
    walls = WallMap(np.array([[1, 0], [0, 1]], dtype=np.uint8)).walls[0]
    at = np.float32(0.95)
    assert allowed_move(walls, np.float32(0), at, at, np.float32(1.05), np.float32(1.05)) == (at, at)


def test_who_stands_in_a_wall_comes_to_the_nearest_free_place() -> None:
    random = np.random.default_rng(7)
    cost = _random_cost(4, solid=0.8)
    count = 300
    values = np.zeros((VALUE_COUNT, count), dtype=np.float32)
    values[POSITION_X], values[POSITION_Y] = random.random((2, count)) * [[18.99], [13.99]]
    before = values.copy()
    goals = push_out(WallMap(cost), values, count)
    moved = 0
    for agent in range(count):
        old = before[POSITION_X, agent], before[POSITION_Y, agent]
        new = values[POSITION_X, agent], values[POSITION_Y, agent]
        if cost[int(old[1]), int(old[0])]:
            assert old == new
            assert not goals[:, agent].any()
            continue
        moved += 1
        assert cost[int(new[1]), int(new[0])]
        assert tuple(goals[:, agent]) == new
        assert math.dist(old, new) == pytest.approx(nearest_free_point(cost, *map(float, old), 0.3), abs=1e-5)
    assert moved > 100


def test_without_any_free_tile_agents_stay() -> None:
    values = np.full((VALUE_COUNT, 1), 0.5, dtype=np.float32)
    push_out(WallMap(np.zeros((3, 3), dtype=np.uint8)), values, 1)
    assert values[POSITION_X, 0] == np.float32(0.5)
