"""A death closes the gap with short moves."""

import numpy as np
import pytest

from pynav.formations import DragGrid, Formation, FormationError, RowClass
from tests.naive.formations import closed_gaps

ARMY = (RowClass(1, 33, 0.3), RowClass(2, 20, 0.5), RowClass(3, 2, 1.0))


def formation_of(width: float = 6.0, seed: int = 0) -> Formation:
    slots = DragGrid((20, 20), (0.6, -0.8), width).slots(ARMY)
    return Formation(slots, np.random.default_rng(seed).permutation(len(slots)))


def cells_of(formation: Formation) -> list[tuple[int, int, int]]:
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
        before = formation.slot_of_unit.copy()
        moves = formation.remove_units(dead)
        expected = closed_gaps(expected, cells, dead.tolist())
        assert formation.unit_of_slot.tolist() == expected
        moved = [unit for unit in left if before[unit] != formation.slot_of_unit[unit]]
        assert sorted(moves.units.tolist()) == moved
        assert np.array_equal(formation.slot_of_unit[moves.units], moves.slots)
    assert formation.unit_count == len(left)


def test_one_death_asks_for_short_moves_only() -> None:
    """A row's distance, or the diagonal; no unit changes its class; no gap stays in front of somebody."""
    for unit in range(55):
        formation = formation_of(seed=unit)
        before = formation.slot_of_unit.copy()
        moves = formation.remove_units([unit])
        places, numbers = formation.slots.positions, formation.slots.class_of_slot
        walked = np.hypot(*(places[moves.slots] - places[before[moves.units]]).T)
        pitch = np.array([0.6, 1.0, 2.0])[numbers[moves.slots]] + 0.4
        assert (walked <= 1.6 * pitch).all()
        assert np.array_equal(numbers[moves.slots], numbers[before[moves.units]])


def test_the_order_of_the_dead_has_no_say_and_a_state_comes_back() -> None:
    one, two = formation_of(), formation_of()
    kept = one.arrays()
    one.remove_units([3, 40, 12, 7])
    two.remove_units([12, 7, 40, 3])
    assert np.array_equal(one.unit_of_slot, two.unit_of_slot)
    three = formation_of()
    three.remove_units([50])
    three.load(one.arrays())
    for each in (one, two, three):
        each.remove_units([1, 2])
    assert np.array_equal(one.unit_of_slot, three.unit_of_slot)
    assert np.array_equal(one.slot_of_unit, three.slot_of_unit)
    one.load(kept)
    assert one.unit_count == 55


def test_everybody_may_fall() -> None:
    formation = formation_of()
    assert len(formation.remove_units(range(55)).units) == 0
    assert formation.unit_count == 0
    assert len(formation.remove_units([]).units) == 0


def test_bad_input_is_refused_in_words_and_changes_nothing() -> None:
    formation = formation_of()
    formation.remove_units([5])
    kept = formation.unit_of_slot.copy()
    for units, words in (
        ([5], "got 5, which was removed before"),
        ([55], r"units 0\.\.54, got 55"),
        ([-1], "got -1"),
        ([1, 1], "each unit once"),
        ([1.5], "whole numbers"),
        (3, "whole numbers"),
    ):
        with pytest.raises(FormationError, match=words):
            formation.remove_units(units)
    with pytest.raises(FormationError, match=r"int32 \(55,\)"):
        formation.load({"unit_of_slot": np.zeros(3, np.int32)})
    with pytest.raises(FormationError, match="at most once"):
        formation.load({"unit_of_slot": np.zeros(55, np.int32)})
    with pytest.raises(FormationError, match="expected unit_of_slot"):
        formation.load({})
    with pytest.raises(FormationError, match=r"each unit 0\.\.54 once"):
        Formation(formation.slots, np.zeros(55, int))
    assert np.array_equal(formation.unit_of_slot, kept)
