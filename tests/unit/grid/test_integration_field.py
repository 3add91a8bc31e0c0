"""The integration field: goals, slices, widths of distance, unreachable tiles."""

import numpy as np
import pytest

from pynav.grid import UNREACHABLE, UNREACHABLE_WIDE, FlowField, GridError, IntegrationField, TileGrid
from pynav.grid import _integration_field_kernels as kernels
from tests.naive import grid as naive
from tests.unit.grid.pictures import cost_of


@pytest.mark.parametrize(
    ("goals", "words"),
    [
        ([], r"shape \(0,\)"),
        (np.zeros((0, 2), dtype=np.int64), "at least one"),
        ([(0, 0, 0)], r"shape \(1, 3\)"),
        ([(0.5, 0)], "float64"),
        ([(4, 0)], r"within 3 x 2, got \(4, 0\)"),
        ([(0, -1)], r"got \(0, -1\)"),
        ([(1, 1)], r"solid tile \(1, 1\)"),
    ],
)
def test_bad_goals_are_refused_and_the_field_stays(goals: object, words: str) -> None:
    field = IntegrationField(TileGrid(cost_of("...", ".#.")))
    field.build([(0, 0)])
    before = field.distance.copy()
    with pytest.raises(GridError, match=words):
        field.begin(goals)  # type: ignore[arg-type]
    assert field.is_finished
    assert (field.distance == before).all()


def test_a_goal_in_a_solid_tile_moves_to_the_nearest_free_one_if_asked_to() -> None:
    field = IntegrationField(TileGrid(cost_of(".....", ".###.", ".###.", ".###.", ".....")))
    field.build([(2, 2)], solid_goals="nearest")
    assert np.argwhere(field.distance == 0).tolist() == [[0, 2]]
    with pytest.raises(GridError, match="solid throughout"):
        IntegrationField(TileGrid([[0, 0]])).begin([(0, 0)], solid_goals="nearest")
    with pytest.raises(GridError, match="'push'"):
        field.begin([(0, 0)], solid_goals="push")  # type: ignore[arg-type]


def test_many_goals_and_repeated_ones() -> None:
    cost = np.ones((7, 9), dtype=np.uint8)
    field = IntegrationField(TileGrid(cost))
    goals = [(0, 0), (8, 6), (0, 0), (4, 3)]
    field.build(goals)
    assert (field.distance == naive.distance_array(cost, goals, UNREACHABLE)).all()


def test_the_build_keeps_to_the_grid_as_it_was_when_begun() -> None:
    grid = TileGrid(np.ones((6, 6), dtype=np.uint8))
    field = IntegrationField(grid)
    field.begin([(5, 5)])
    field.update(3)
    grid.set_cost_rect(2, 0, np.zeros((5, 1), dtype=np.uint8))
    while not field.update(3):
        pass
    assert (field.distance == naive.distance_array(np.ones((6, 6), dtype=np.uint8), [(5, 5)], UNREACHABLE)).all()
    assert not field.is_current
    field.build([(5, 5)])
    assert field.is_current
    assert (field.distance == naive.distance_array(grid.cost, [(5, 5)], UNREACHABLE)).all()


def test_directions_wait_for_the_build() -> None:
    field = IntegrationField(TileGrid(np.ones((4, 4), dtype=np.uint8)))
    field.begin([(0, 0)])
    with pytest.raises(GridError, match="in progress"):
        _ = field.directions
    with pytest.raises(GridError, match="at least 1 tile, got 0"):
        field.update(0)


def test_each_reachable_tile_is_expanded_once() -> None:
    cost = np.random.default_rng(4).integers(0, 9, (40, 50)).astype(np.uint8)
    cost[20, 20] = 3
    field = IntegrationField(TileGrid(cost))
    field.build([(20, 20)])
    assert field.expanded_count == np.count_nonzero(field.distance != UNREACHABLE)


def test_high_costs_take_64_bit_distances_by_the_stated_rule() -> None:
    # 198 * sum of costs + 198 * greatest cost against 2**31 - 1: one tile more or less of cost 255 decides.
    most = (2**31 - 2 - 198 * 255) // (198 * 255)
    for tiles, wide in ((most, False), (most + 1, True)):
        cost = np.zeros((8, (tiles + 7) // 8), dtype=np.uint8)
        cost.reshape(-1)[:tiles] = 255
        field = IntegrationField(TileGrid(cost))
        field.begin([(0, 0)])
        assert field.distance.dtype == (np.int64 if wide else np.int32), (tiles, wide)
        assert field.unreachable == (UNREACHABLE_WIDE if wide else UNREACHABLE)


def test_a_way_longer_than_32_bits_is_exact() -> None:
    # A corridor that winds through 320 x 320 tiles of cost 255: about 51,000 steps of 35,700.
    size = 401
    cost = np.full((size, size), 255, dtype=np.uint8)
    cost[1::2] = 0
    cost[1::4, -1] = 255
    cost[3::4, 0] = 255
    field = IntegrationField(TileGrid(cost))
    field.build([(0, 0)])
    steps = (size - 1) + (size // 2) * (size - 1 + 2)
    assert int(field.distance[-1, -1]) == steps * 2 * 255 * 70
    assert steps * 2 * 255 * 70 > 2**31
    flow = FlowField(TileGrid(cost), [(0, 0)])
    flow.build()
    assert (flow.flow[1:-1, 1:-1][cost != 0] == field.directions[cost != 0]).all()


def test_a_pool_that_runs_out_is_swept_and_changes_nothing() -> None:
    cost = np.random.default_rng(7).integers(0, 256, (48, 48)).astype(np.uint8)
    cost[0, 0] = 1
    field = IntegrationField(TileGrid(cost))
    field.build([(0, 0)])
    whole = field.distance.copy()
    most_nodes = int(field._state[kernels.FRESH_NODE])
    assert int(field._state[kernels.COLLECTIONS]) == 0
    # A pool that is a little too small, with room behind it, so that the test itself can't harm.
    room = np.zeros((2, 4 * most_nodes), dtype=np.int32)
    field._node_tile, field._node_next = room[0, : most_nodes - 16], room[1, : most_nodes - 16]
    field.build([(0, 0)])
    assert int(field._state[kernels.COLLECTIONS]) > 0
    assert (field.distance == whole).all()
