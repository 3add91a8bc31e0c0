"""A death closes the gap with short moves."""

import numpy as np
import pytest

from pynav.formations import DragGrid, RowClass
from tests.naive.formations import closed_gaps
from tests.unit.formations.filled_places import FilledPlaces

ARMY = (RowClass(1, 33, 0.3), RowClass(2, 20, 0.5), RowClass(3, 2, 1.0))


def formation_of(width: float = 6.0, seed: int = 0) -> FilledPlaces:
    slots = DragGrid((20, 20), (0.6, -0.8), width).slots(ARMY)
    return FilledPlaces(slots, np.random.default_rng(seed).permutation(len(slots)))


def cells_of(formation: FilledPlaces) -> list[tuple[int, int, int]]:
    found = []
    for number, (count, files) in enumerate(zip((33, 20, 2), formation.slots.files, strict=True)):
        rows = -(-count // files)
        for index in range(count):
            row, file = divmod(index, files)
            in_row = count - row * files if row == rows - 1 else files
            found.append((number, row, file + (files - in_row) // 2))
    return found


@pytest.mark.parametrize("width", [0.0, 2.0, 6.0, 100.0])
@pytest.mark.parametrize("seed", range(4))
def test_gaps_close_as_in_the_reference(width: float, seed: int) -> None:
    formation = formation_of(width, seed)
    generator = np.random.default_rng(seed)
    expected, cells = formation.unit_of_slot.tolist(), cells_of(formation)
    left = list(range(55))
    for size in (1, 1, 4, 10, 1, 20):
        dead = generator.choice(left, size, replace=False)
        left = [unit for unit in left if unit not in dead]
        before = formation.slot_of_unit
        moved = formation.remove_units(dead)
        expected = closed_gaps(expected, cells, dead.tolist())
        assert formation.unit_of_slot.tolist() == expected
        assert sorted(moved.tolist()) == [unit for unit in left if before[unit] != formation.slot_of_unit[unit]]


def test_one_death_asks_for_short_moves_only() -> None:
    """A row's distance, or the diagonal; no unit changes its class; no gap stays in front of somebody."""
    for unit in range(55):
        formation = formation_of(seed=unit)
        before = formation.slot_of_unit
        moved = formation.remove_units([unit])
        places, numbers = formation.slots.positions, formation.slots.class_of_slot
        to, origin = formation.slot_of_unit[moved], before[moved]
        pitch = np.array([0.6, 1.0, 2.0])[numbers[to]] + 0.4
        assert (np.hypot(*(places[to] - places[origin]).T) <= 1.6 * pitch).all()
        assert np.array_equal(numbers[to], numbers[origin])


def test_the_order_of_the_dead_has_no_say() -> None:
    one, two = formation_of(), formation_of()
    one.remove_units([3, 40, 12, 7])
    two.remove_units([12, 7, 40, 3])
    assert np.array_equal(one.unit_of_slot, two.unit_of_slot)


def test_everybody_may_fall() -> None:
    formation = formation_of()
    assert len(formation.remove_units(range(55))) == 0
    assert (formation.unit_of_slot == -1).all() and (formation.slot_of_unit == -1).all()
    assert len(formation.remove_units([])) == 0
