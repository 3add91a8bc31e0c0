"""Sampling a flow between tiles."""

import math

import numpy as np
import pytest

from pynav.grid import FlowField, IntegrationField, TileGrid, generate_map
from pynav.grid._sampling_kernels import heading_table, sample_many
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of


def sampled(field: FlowField, points: list[tuple[float, float]]) -> np.ndarray:
    at = np.array(points, dtype=np.float32)
    out = np.zeros((len(points), 2), dtype=np.float32)
    sample_many(field.flow, heading_table(), at, out)
    return out


def built(cost: np.ndarray, goal: tuple[int, int]) -> FlowField:
    field = FlowField(TileGrid(cost), [goal])
    field.build()
    return field


def test_open_ground_gives_the_middle_between_straight_and_diagonal() -> None:
    field = built(np.ones((40, 80), dtype=np.uint8), (79, 39))
    headings = sampled(field, [(x + 0.3, 8.7) for x in range(20, 40)])
    angles = np.degrees(np.arctan2(headings[:, 1], headings[:, 0]))
    assert np.allclose(np.hypot(headings[:, 0], headings[:, 1]), 1.0, atol=1e-6)
    assert (angles > 5).all()
    assert (angles < 40).all()
    assert abs(angles.mean() - 22.5) < 3


def test_a_straight_run_is_straight() -> None:
    field = built(np.ones((10, 10), dtype=np.uint8), (7, 0))
    assert (field.flow[1, 1:8] == 0).all()
    assert sampled(field, [(2.5, 0.5)]).tolist() == [[1.0, 0.0]]


def test_goals_solid_tiles_and_tiles_without_a_way_give_zero() -> None:
    field = built(cost_of("..#.", "..#."), (0, 0))
    assert sampled(field, [(0.5, 0.5), (2.5, 0.5), (3.5, 1.5)]).tolist() == [[0.0, 0.0]] * 3


@pytest.mark.parametrize("seed", range(4))
def test_no_heading_leads_from_a_tile_s_near_half_into_a_wall(seed: int) -> None:
    random = np.random.default_rng(seed)
    cost = (random.random((24, 24)) > 0.3).astype(np.uint8)
    cost[12, 12] = 1
    field = built(cost, (12, 12))
    distance = naive.dijkstra(cost, [(12, 12)])
    points = [
        (x + dx, y + dy)
        for (x, y) in sorted(distance)
        if (x, y) != (12, 12)
        for dx, dy in random.random((6, 2)).astype(np.float32).tolist()
    ]
    for (x, y), (hx, hy) in zip(points, sampled(field, points).tolist(), strict=True):
        assert math.isclose(math.hypot(hx, hy), 1.0, abs_tol=1e-5), (x, y)
        column, row = int(x), int(y)
        side = column + (1 if x - column >= 0.5 else -1)
        level = row + (1 if y - row >= 0.5 else -1)
        to_side, to_level = hx * (side - column) > 1e-6, hy * (level - row) > 1e-6
        if to_side:
            assert naive.is_free(cost, side, row), (x, y)
        if to_level:
            assert naive.is_free(cost, column, level), (x, y)
        if to_side and to_level:
            assert naive.is_free(cost, side, level), (x, y)


@pytest.mark.parametrize("kind", ["caverns", "rooms", "city"])
def test_points_that_follow_the_headings_arrive_touch_no_wall_and_walk_no_detour(kind: str) -> None:
    cost = (generate_map(kind, 96, 96, 5).cost != 0).astype(np.uint8)  # type: ignore[arg-type]
    grid = TileGrid(cost)
    goal = grid.nearest_free(48, 48)
    assert goal is not None
    field = IntegrationField(grid)
    field.build([goal])
    flow = FlowField(grid, [goal])
    flow.build()
    random = np.random.default_rng(1)
    free = np.argwhere(field.distance > 20 * 140)
    free = free[field.distance[free[:, 0], free[:, 1]] != field.unreachable]
    at = (free[random.integers(0, len(free), 200)][:, ::-1] + random.random((200, 2))).astype(np.float32)
    octile = field.distance[at[:, 1].astype(int), at[:, 0].astype(int)] / 140
    walked = np.zeros(200)
    out = np.zeros_like(at)
    for _ in range(3000):
        sample_many(flow.flow, heading_table(), at, out)
        if not out.any():
            break
        at += out * np.float32(0.125)
        walked += np.hypot(out[:, 0], out[:, 1]) * 0.125
        assert (cost[at[:, 1].astype(int), at[:, 0].astype(int)] != 0).all()
    assert (at.astype(int) == goal).all()
    # Octile ways zigzag; the blended headings straighten them by a few per cent.
    assert (walked / octile).mean() < 0.99
    assert (walked / octile).max() < 1.03
