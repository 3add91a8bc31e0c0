"""Which unit goes to which slot."""

import itertools

import numpy as np
import pytest

from pynav.formations import DragGrid, FormationError, FormationSlots, RowClass, SlotAssignment, army_of
from tests.naive.formations import least_squared_distance, squared_distance, talk_order

Case = tuple[np.ndarray, np.ndarray, FormationSlots]
SHAPES = ("blob", "block", "ring", "two blobs", "one point", "own place")
SORT_SLICES = 14


def case(shape: str, count: int, seed: int, types: int = 2) -> Case:
    generator = np.random.default_rng([seed, count, SHAPES.index(shape)])
    army = army_of(generator.integers(0, types, count), 0.3)
    side = count**0.5
    angle = generator.uniform(0, 2 * np.pi)
    slots = DragGrid(
        generator.uniform(-side, side, 2), (np.cos(angle), np.sin(angle)), generator.uniform(0.3, 2.5) * side
    ).slots(army.classes)  # fmt: skip
    turn = generator.uniform(0, 2 * np.pi, count)
    way = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if shape == "blob":
        places = way * np.sqrt(generator.uniform(0, 1, (count, 1))) * side
    elif shape == "block":
        block = DragGrid((0, 0), generator.normal(size=2), 1.6 * side).slots(army.classes)
        places = np.empty((count, 2))
        places[np.argsort(army.class_of_unit, kind="stable")] = block.positions + generator.normal(0, 0.05, (count, 2))
    elif shape == "ring":
        places = way * generator.uniform(0.8, 1.0, (count, 1)) * side
    elif shape == "two blobs":
        places = way * generator.uniform(0, 0.5, (count, 1)) * side + np.where(np.arange(count) % 2, side, -side)[:, None]
    elif shape == "one point":
        places = np.full((count, 2), 3.25)
    else:
        places = np.empty((count, 2))
        places[np.argsort(army.class_of_unit, kind="stable")] = slots.positions + generator.normal(0, 0.2, (count, 2))
    return places.astype(np.float32), army.class_of_unit, slots


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [1, 2, 7, 60, 333])
def test_the_sort_is_the_talks(shape: str, count: int) -> None:
    places, classes, slots = case(shape, count, 1, types=3)
    assignment = SlotAssignment(places, classes, slots)
    assert not assignment.advance(SORT_SLICES)
    assert assignment._unit_of_slot.tolist() == talk_order(places, classes, slots.facing, slots.rows.tolist())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [1, 5, 25, 100, 400])
@pytest.mark.parametrize("seed", range(3))
def test_squared_distances_are_near_the_least(shape: str, count: int, seed: int) -> None:
    """Within a hundredth; the figure asked for is five."""
    places, classes, slots = case(shape, count, seed)
    found = SlotAssignment(places, classes, slots).finish()
    assert np.array_equal(np.sort(found), np.arange(count))
    assert np.array_equal(classes[found], slots.class_of_slot)
    least = least_squared_distance(places, slots.positions, classes, slots.class_of_slot)
    assert squared_distance(places, slots.positions, found) <= 1.01 * least + 1e-4


def test_work_only_ever_makes_the_sum_fall() -> None:
    places, classes, slots = case("ring", 300, 2)
    assignment = SlotAssignment(places, classes, slots)
    assignment.advance(SORT_SLICES)
    sums = []
    while not assignment.advance(1, 200):
        sums.append(squared_distance(places, slots.positions, assignment._unit_of_slot))
    assert all(two <= one + 1e-6 for one, two in itertools.pairwise(sums))
    assert sums[-1] < 0.95 * sums[0]


def test_an_order_straight_behind_mirrors_nothing() -> None:
    """Bug case 29: a 3 x 3 block facing north is ordered south; slots mirrored would have all walk through one another."""
    block = DragGrid((10, 10), (0, -1), 4.0, 1.4).slots([RowClass(0, 9, 0.3)])
    behind = DragGrid((10, 24), (0, 1), 4.0, 1.4).slots([RowClass(0, 9, 0.3)])
    found = SlotAssignment(block.positions, np.zeros(9, int), behind).finish()
    starts, ends = block.positions[found].astype(np.float64), behind.positions.astype(np.float64)
    zeros = np.zeros(9, int)
    assert squared_distance(block.positions, ends, found) == pytest.approx(
        least_squared_distance(block.positions, ends, zeros, zeros)
    )
    moves = ends - starts
    assert np.abs(moves - moves[0]).max() < 1e-4  # all the same way: no two straight ways cross


def test_two_of_a_class_never_come_near_when_all_walk_in_step() -> None:
    places, classes, slots = case("blob", 120, 5)
    found = SlotAssignment(places, classes, slots).finish()
    start, end = places[found].astype(np.float64), slots.positions.astype(np.float64)
    same = slots.class_of_slot
    for one in range(120):
        for two in range(one):
            if same[one] == same[two]:
                a, b = start[one] - start[two], end[one] - end[two]
                share = np.clip(-(a @ (b - a)) / max((b - a) @ (b - a), 1e-9), 0, 1)
                assert np.hypot(*(a + share * (b - a))) >= 0.7 * min(np.hypot(*a), np.hypot(*b)) - 1e-3


def test_the_work_is_bounded_for_the_largest_army() -> None:
    count = 65_535
    places, classes, slots = case("ring", count, 3, types=4)
    assignment = SlotAssignment(places, classes, slots)
    assignment.start()
    found = assignment.finish()
    assert np.array_equal(classes[found], slots.class_of_slot)
    assert np.array_equal(np.sort(found), np.arange(count))
    assert assignment.pairs_compared < 3_500_000


def test_bad_input_is_refused_in_words() -> None:
    places, classes, slots = case("blob", 10, 0)
    bad = places.copy()
    bad[3, 1] = np.nan
    for given, kinds, words in (
        (places[:9], classes, r"positions of shape \(10, 2\), got \(9, 2\)"),
        (bad, classes, "finite numbers, got .* at 3"),
        ("here", classes, "positions as numbers"),
        (places, classes[:4], r"class_of_unit as whole numbers \(10,\)"),
        (places, classes + 1.0, "whole numbers"),
        (places, classes + 5, r"row classes 0\.\.1, got 5"),
        (places, np.zeros(10, int), "as many units as slots by row class"),
    ):
        with pytest.raises(FormationError, match=words):
            SlotAssignment(given, kinds, slots)
    assignment = SlotAssignment(places, classes, slots)
    with pytest.raises(FormationError, match="at least 1, got 0"):
        assignment.advance(0)
