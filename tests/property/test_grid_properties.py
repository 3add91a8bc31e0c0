"""The grid against its slow references, on maps that hypothesis makes up."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import UNREACHABLE, FlowField, IntegrationField, TileGrid, lines_of_sight
from tests.naive import grid as naive

thorough = settings(deadline=None, max_examples=60)


@st.composite
def costs(draw: st.DrawFn, most: int = 14) -> np.ndarray:
    """A map with walls and few or many costs, at least one tile free."""
    width, height = draw(st.integers(1, most)), draw(st.integers(1, most))
    palette = draw(st.sampled_from([[0, 1], [0, 1, 1, 1], [0, 1, 2, 9], [0, 3, 7], [0, 1, 255], [1, 2], [255]]))
    tiles = draw(st.lists(st.sampled_from(palette), min_size=width * height, max_size=width * height))
    cost = np.array(tiles, dtype=np.uint8).reshape(height, width)
    if not cost.any():
        cost[0, 0] = 1
    return cost


def free_tiles(cost: np.ndarray) -> list[tuple[int, int]]:
    return [(int(x), int(y)) for y, x in zip(*np.nonzero(cost), strict=True)]


@thorough
@given(costs(), st.data())
def test_distances_and_directions_are_those_of_a_plain_dijkstra(cost: np.ndarray, data: st.DataObject) -> None:
    goals = data.draw(st.lists(st.sampled_from(free_tiles(cost)), min_size=1, max_size=4))
    field = IntegrationField(TileGrid(cost))
    field.build(goals)
    assert (field.distance == naive.distance_array(cost, goals, UNREACHABLE)).all()
    assert (field.directions == naive.direction_array(cost, goals)).all()


@thorough
@given(costs(), st.data())
def test_slices_of_any_size_end_in_the_same_bits(cost: np.ndarray, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(free_tiles(cost)))
    grid = TileGrid(cost)
    whole, sliced = IntegrationField(grid), IntegrationField(grid)
    whole.build([goal])
    sliced.begin([goal])
    while not sliced.update(data.draw(st.integers(1, 40))):
        pass
    assert (whole.distance == sliced.distance).all()
    assert (whole.directions == sliced.directions).all()
    assert whole.expanded_count == sliced.expanded_count
    flow = FlowField(grid, [goal])
    flow.begin()
    while not flow.work(data.draw(st.integers(1, 40))):
        pass
    flow.publish()
    inner = flow.flow[1:-1, 1:-1]
    assert (np.where(inner < 8, inner, 8) == whole.directions).all()


@thorough
@given(costs(), st.data())
def test_walking_the_directions_costs_the_distance_and_ends_at_a_goal(cost: np.ndarray, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(free_tiles(cost)))
    field = IntegrationField(TileGrid(cost))
    field.build([goal])
    for x, y in free_tiles(cost):
        if field.distance[y, x] == UNREACHABLE:
            assert field.directions[y, x] == 8
            continue
        at, walked = (x, y), 0
        while at != goal:
            direction = int(field.directions[at[1], at[0]])
            assert naive.step_allowed(cost, *at, direction)
            walked += naive.step_cost(cost, *at, direction)
            dx, dy = naive.STEPS[direction]
            at = (at[0] + dx, at[1] + dy)
        assert walked == field.distance[y, x]


@thorough
@given(costs(), st.data())
def test_distances_are_symmetric(cost: np.ndarray, data: st.DataObject) -> None:
    a, b = data.draw(st.sampled_from(free_tiles(cost))), data.draw(st.sampled_from(free_tiles(cost)))
    field = IntegrationField(TileGrid(cost))
    field.build([a])
    there = int(field.distance[b[1], b[0]])
    field.build([b])
    assert int(field.distance[a[1], a[0]]) == there


@thorough
@given(costs(), st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13), st.integers(0, 2)), max_size=12))
def test_components_say_exactly_whether_a_way_exists_after_every_edit(
    cost: np.ndarray, edits: list[tuple[int, int, int]]
) -> None:
    grid = TileGrid(cost)
    cost = cost.copy()
    for x, y, value in [(0, 0, int(cost[0, 0])), *edits]:
        x, y = x % cost.shape[1], y % cost.shape[0]
        cost[y, x] = value
        grid.set_cost_rect(x, y, [[value]])
        label = grid.components()
        assert (label == naive.component_array(cost)).all()
        assert grid.component_count == int(label.max())
        assert (grid.solid_mask == naive.solid_mask_array(cost)).all()
        for goal in free_tiles(cost)[:2]:
            field = IntegrationField(grid)
            field.build([goal])
            same = label == label[goal[1], goal[0]]
            assert ((field.distance != UNREACHABLE) == same).all()


@thorough
@given(costs(9), st.data())
def test_sight_is_that_of_clipping_in_fractions(cost: np.ndarray, data: st.DataObject) -> None:
    height, width = cost.shape
    tile = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    pairs = data.draw(st.lists(st.tuples(tile, tile), min_size=1, max_size=20))
    answers = lines_of_sight(TileGrid(cost), [(*a, *b) for a, b in pairs])
    assert answers.tolist() == [naive.sees(cost, a, b) for a, b in pairs]


@thorough
@given(costs(), st.integers(-3, 16), st.integers(-3, 16))
def test_the_nearest_free_tile(cost: np.ndarray, x: int, y: int) -> None:
    assert TileGrid(cost).nearest_free(x, y) == naive.nearest_free(cost, x, y)
