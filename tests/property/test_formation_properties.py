"""Formations on drags, armies and maps that hypothesis makes up."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.formations import ClassGround, DragGrid, SlotAssignment, army_of, move_to_ground
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
from tests.naive.formations import least_squared_distance, squared_distance, talk_order
from tests.property.test_grid_properties import costs, thorough
from tests.unit.formations.filled_places import FilledPlaces

numbers = st.floats(-30, 30, width=32)
units = st.lists(st.tuples(numbers, numbers, st.integers(0, 3), st.sampled_from([0.2, 0.3, 0.5])), min_size=1, max_size=60)
drags = st.tuples(numbers, numbers, numbers, numbers, st.floats(0, 2))


def drag_of(values: tuple[float, float, float, float, float]) -> DragGrid:
    return DragGrid.from_drag(values[:2], values[2:4], values[4])


@thorough
@given(units, drags)
def test_assignments_are_whole_ordered_and_near_the_least(army: list[tuple[float, float, int, float]], drag: tuple) -> None:  # type: ignore[type-arg]
    places = np.array([unit[:2] for unit in army], np.float32)
    rows = army_of([unit[2] for unit in army], [unit[3] for unit in army])
    slots = drag_of(drag).slots(rows.classes)
    assignment = SlotAssignment(places, rows.class_of_unit, slots)
    assignment.advance(14)
    expected = talk_order(places, rows.class_of_unit, slots.facing, slots.rows.tolist())
    sort = squared_distance(places, slots.positions, expected)
    found = assignment.finish()
    assert sorted(found.tolist()) == list(range(len(army)))
    assert np.array_equal(rows.class_of_unit[found], slots.class_of_slot)
    mine = squared_distance(places, slots.positions, found)
    least = least_squared_distance(places, slots.positions, rows.class_of_unit, slots.class_of_slot)
    assert least - 1e-3 <= mine <= sort + 1e-3
    assert mine <= 1.05 * least + 1e-3


@thorough
@given(costs(20), units, drags)
def test_moved_slots_stand_on_ground_or_say_so(
    cost: np.ndarray, army: list[tuple[float, float, int, float]], drag: tuple
) -> None:  # type: ignore[type-arg]
    rows = army_of([unit[2] for unit in army], [unit[3] for unit in army])
    places = np.array([unit[:2] for unit in army], np.float32)
    layer = NavigationLayers(Terrain(cost)).base
    grounds = [ClassGround(layer, places[rows.class_of_unit == number]) for number in range(len(rows.classes))]
    slots = drag_of(drag).slots(rows.classes)
    after = move_to_ground(slots, grounds)
    for number, ground in enumerate(grounds):
        own = after.class_of_slot == number
        assert np.array_equal(ground.is_open(ground.tiles(after.positions[own])) & ~after.is_cut_off[own], ~after.is_cut_off[own])
    assert np.array_equal(after.positions[after.is_cut_off], slots.positions[after.is_cut_off])


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 50), st.floats(0, 12), st.randoms(use_true_random=False))
def test_no_gap_is_left_before_somebody(count: int, width: float, random) -> None:  # type: ignore[no-untyped-def]
    slots = DragGrid((0, 0), (1, 0), width).slots(army_of([0] * count, 0.3).classes)
    formation = FilledPlaces(slots, np.arange(count))
    alive = list(range(count))
    random.shuffle(alive)
    while alive:
        formation.remove_units([alive.pop()])
        along, across = slots.projected()
        empty = np.flatnonzero(formation.unit_of_slot < 0)
        for slot in np.flatnonzero(formation.unit_of_slot >= 0):
            before = empty[(np.abs(along[empty] - along[slot] - 1.0) < 1e-3) & (np.abs(across[empty] - across[slot]) < 0.1)]
            assert len(before) == 0
        assert sorted(formation.unit_of_slot[formation.unit_of_slot >= 0].tolist()) == sorted(alive)
