"""Closed exits: steps, labels and ways that need not lead back, floods, sight and footprints, against the slow references."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import NO_DIRECTION, FlowField, GridError, IntegrationField, TileGrid, lines_of_sight
from pynav.grid.connectivity import Connectivity
from pynav.grid.exits import EAST, NORTH, SOUTH, WEST, entering_steps, footprint_exits
from tests.naive import one_way as naive
from tests.naive.grid import STEPS

Map = npt.NDArray[np.uint8]


def random_exits(random: np.random.Generator, shape: tuple[int, ...], share: float) -> Map:
    """Closed exits of some tiles, all fifteen patterns."""
    return (random.integers(1, 16, shape) * (random.random(shape) < share)).astype(np.uint8)


def random_grid(random: np.random.Generator, most: int = 14) -> TileGrid:
    height, width = (int(side) for side in random.integers(1, most, 2))
    cost = (random.integers(1, 4, (height, width)) * (random.random((height, width)) > 0.2)).astype(np.uint8)
    return TileGrid(cost, random_exits(random, cost.shape, float(random.choice([0.1, 0.3, 0.8]))))


def test_steps_are_those_of_the_rule_and_of_its_reverse() -> None:
    random = np.random.default_rng(1)
    for _ in range(60):
        grid = random_grid(random)
        steps = naive.open_step_array(grid.cost, grid.closed_exits)
        assert grid.open_steps.tolist() == steps.tolist()
        entering = entering_steps(grid.open_steps)
        for y, x in np.ndindex(*steps.shape):
            for direction, (dx, dy) in enumerate(STEPS):
                inside = 0 <= x + dx < grid.width and 0 <= y + dy < grid.height
                comes = inside and bool(steps[y + dy, x + dx] >> ((direction + 4) % 8) & 1)
                assert bool(entering[y, x] >> direction & 1) == comes


def test_who_gets_where_is_what_a_flood_reaches() -> None:
    random = np.random.default_rng(2)
    one_way = 0
    for _ in range(60):
        grid = random_grid(random, 11)
        connectivity = Connectivity(grid)
        start = (int(random.integers(0, grid.width)), int(random.integers(0, grid.height)))
        reached = naive.reached_from(grid.cost, grid.closed_exits, start)
        roots = connectivity.all_roots()
        reached_roots = connectivity.reached_from([int(roots[start[1], start[0]])])
        for y, x in np.ndindex(*grid.cost.shape):
            assert grid.is_connected(start, (x, y)) == ((x, y) in reached)
            assert (int(roots[y, x]) in reached_roots) == ((x, y) in reached)
            sources = connectivity.leading_to([int(roots[y, x])])
            assert (int(roots[start[1], start[0]]) in sources) == ((x, y) in reached)
            one_way += (x, y) in reached and not grid.is_connected((x, y), start)
    assert one_way > 100


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31))
def test_connectivity_follows_edits_of_costs_and_exits(seed: int) -> None:
    random = np.random.default_rng(seed)
    grid = TileGrid((random.random((int(random.integers(3, 40)), 50)) > 0.3).astype(np.uint8))
    connectivity = Connectivity(grid)
    for turn in range(14):
        x, y = int(random.integers(0, 48)), int(random.integers(0, grid.height - 1))
        before = connectivity.opening_count
        if turn % 4 == 1:
            is_changed = grid.set_closed_exits(x, y, random_exits(random, (1, 2), 0.7))
            if is_changed:
                connectivity.unsettle()
                assert connectivity.opening_count > before
        else:
            grid.set_cost_rect(x, y, (random.random((2, 2)) > 0.5).astype(np.uint8))
            connectivity.update(x, y, 2, 2)
        fresh = TileGrid(grid.cost.copy(), grid.closed_exits.copy())
        tiles = np.argwhere(grid.cost)[:, ::-1]
        if len(tiles) == 0:
            continue
        ends = tiles[random.integers(0, len(tiles), 12)]
        roots = connectivity.roots(ends).tolist()
        for index in range(0, 12, 2):
            expected = fresh.is_connected(tuple(ends[index].tolist()), tuple(ends[index + 1].tolist()))
            assert (roots[index + 1] in connectivity.reached_from([roots[index]])) == expected


def test_floods_hold_the_distances_to_the_goals_and_directions_are_allowed_steps() -> None:
    random = np.random.default_rng(3)
    for turn in range(40):
        grid = random_grid(random)
        free = np.argwhere(grid.cost)[:, ::-1]
        if len(free) == 0:
            continue
        goals = [(int(x), int(y)) for x, y in free[random.integers(0, len(free), 2)]]
        if turn % 8 == 0:  # distances of 64 bits
            grid.set_cost_rect(0, 0, np.where(grid.cost != 0, 255, 0))
        field = IntegrationField(grid)
        field.build(goals)
        expected = naive.distance_array(grid.cost, grid.closed_exits, goals, field.unreachable)
        assert field.distance.tolist() == expected.tolist()
        flow = FlowField(grid, goals)
        flow.build()
        for y, x in np.argwhere((expected > 0) & (expected < field.unreachable)).tolist():
            direction = int(field.directions[y, x])
            assert naive.may_step(grid.cost, grid.closed_exits, (x, y), direction)
            dx, dy = STEPS[direction]
            assert expected[y + dy, x + dx] < expected[y, x]
            assert flow.flow[y + 1, x + 1] == direction != NO_DIRECTION


def test_sight_is_that_of_the_way_straight_ahead() -> None:
    random = np.random.default_rng(4)
    seen = hidden = 0
    for _ in range(30):
        cost = np.ones((6, 7), dtype=np.uint8)
        cost[random.random(cost.shape) < 0.05] = 0
        grid = TileGrid(cost, random_exits(random, cost.shape, 0.12))
        for _ in range(20):
            start, end = ((int(random.integers(0, 7)), int(random.integers(0, 6))) for _ in range(2))
            found = bool(lines_of_sight(grid, np.array([[*start, *end]]))[0])
            assert found == naive.sees_ahead(cost, grid.closed_exits, start, end)
            seen, hidden = seen + found, hidden + (not found)
    assert seen > 100 and hidden > 100


def test_a_big_unit_finds_closed_what_any_tile_under_it_closes() -> None:
    closed = np.zeros((5, 6), dtype=np.uint8)
    closed[2, 3] = NORTH
    closed[4, 0] = EAST
    found = footprint_exits(closed, (0, 0, 6, 5), 2)
    assert np.argwhere(found & NORTH).tolist() == [[1, 2], [1, 3], [2, 2], [2, 3]]
    assert np.argwhere(found & EAST).tolist() == [[3, 0], [4, 0]]
    assert footprint_exits(closed, (2, 1, 2, 1), 3).tolist() == [[NORTH, NORTH]]


def test_bad_exits_are_refused_and_nothing_changes() -> None:
    grid = TileGrid(np.ones((3, 3), dtype=np.uint8))
    with pytest.raises(GridError, match=r"bits 0\.\.15"):
        grid.set_closed_exits(0, 0, np.full((1, 1), 16, dtype=np.uint8))
    with pytest.raises(GridError, match="set_closed_exits: expected a rectangle within 3 x 3"):
        grid.set_closed_exits(2, 0, np.full((1, 2), WEST, dtype=np.uint8))
    assert not grid.has_one_way and grid.revision == 0
    assert grid.set_closed_exits(0, 0, np.full((1, 1), SOUTH, dtype=np.uint8)) and grid.has_one_way
    assert grid.set_closed_exits(0, 0, np.zeros((1, 1), dtype=np.uint8)) and not grid.has_one_way
