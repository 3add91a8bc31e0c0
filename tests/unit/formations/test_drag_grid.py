"""Slots of a drag."""

import math

import numpy as np
import pytest

from pynav.formations import DragGrid, FormationError, RowClass, army_of
from tests.naive.formations import drag_slots

ARMY = (RowClass(1, 17, 0.3), RowClass(2, 9, 0.4), RowClass(5, 4, 1.2))


@pytest.mark.parametrize("angle", [0.0, 0.4, 2.0, -1.2, math.pi])
@pytest.mark.parametrize("width", [0.0, 3.0, 7.5, 200.0, None])
def test_slots_are_those_of_the_reference(angle: float, width: float | None) -> None:
    grid = DragGrid((40.25, 31.5), (3 * math.cos(angle), 3 * math.sin(angle)), width, 0.35)
    slots = grid.slots(ARMY)
    expected = drag_slots(grid.position, grid.facing, slots.files, 0.35, [(found.count, found.radius) for found in ARMY])
    assert slots.positions.dtype == np.float32
    assert np.abs(slots.positions - np.array(expected)[:, :2]).max() < 1e-4
    assert slots.rows.tolist() == [int(row) for _, _, row in expected]


@pytest.mark.parametrize(("width", "files"), [(0.0, [1, 1, 1]), (4.0, [5, 4, 2]), (3.99, [4, 4, 2]), (1e300, [17, 9, 4])])
def test_a_width_holds_as_many_files_as_fit(width: float, files: list[int]) -> None:
    assert DragGrid((0, 0), (0, -1), width, 0.4).file_counts(ARMY) == files


def test_a_drag_to_the_right_looks_up_and_spans_from_end_to_end() -> None:
    grid = DragGrid.from_drag((2.0, 5.0), (12.0, 5.0), 0.4)
    slots = grid.slots([RowClass(0, 22, 0.3)])
    assert grid.facing == (0.0, -1.0)
    assert np.allclose(slots.positions[[0, 10]], [(2, 5), (12, 5)], atol=1e-5)
    assert np.allclose(slots.positions[11], (2, 6), atol=1e-5)
    assert DragGrid.from_drag((3, 4), (3, 4)).width is None


def test_units_of_a_priority_share_rows_and_lower_ones_stand_in_front() -> None:
    army = army_of([2, 1, 1, 2, 9, 1], [0.3, 0.5, 0.3, 0.3, 1.0, 0.3])
    assert [(found.priority, found.count) for found in army.classes] == [(1, 3), (2, 2), (9, 1)]
    assert [found.radius for found in army.classes] == [0.5, pytest.approx(0.3), 1.0]
    assert army.class_of_unit.tolist() == [1, 0, 0, 1, 2, 0]
    along, _ = DragGrid((0, 0), (1, 0), 2.0).slots(army.classes).projected()
    assert along[:3].min() > along[3:5].max() > along[5]


@pytest.mark.parametrize("spacing", [0.0, 0.4, 2.0])
def test_rims_keep_the_spacing(spacing: float) -> None:
    slots = DragGrid((0, 0), (0.6, 0.8), 6.0, spacing).slots(ARMY)
    radius = np.array([found.radius for found in ARMY])[slots.class_of_slot]
    apart = np.hypot(*(slots.positions[:, None] - slots.positions[None]).transpose(2, 0, 1)) - radius[:, None] - radius[None]
    np.fill_diagonal(apart, np.inf)
    assert apart.min() == pytest.approx(spacing, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (((float("nan"), 0), (0, 1)), "position as finite numbers"),
        (((0, 0, 0), (0, 1)), "position as two numbers"),
        (((0, 0), (0, 0)), "a facing with a length"),
        (((0, 0), (0, float("inf"))), "facing as finite numbers"),
        (((0, 0), (0, 1), -1.0), "width as a finite number from 0, got -1.0"),
        (((0, 0), (0, 1), "wide"), "width as a number, got 'wide'"),
        (((0, 0), (0, 1), 1.0, float("nan")), "spacing as a finite number"),
    ],
)
def test_bad_drags_are_refused_in_words(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(FormationError, match=words):
        DragGrid(*arguments)  # type: ignore[arg-type]


def test_bad_armies_are_refused_in_words() -> None:
    grid = DragGrid((0, 0), (0, 1))
    for classes, words in (
        ([], "at least one row class"),
        ([RowClass(1, 0, 0.3)], "with units"),
        ([RowClass(1, 2, 0.0)], "radius above 0"),
        ([RowClass(2, 2, 0.3), RowClass(1, 2, 0.3)], "ascending priority"),
    ):
        with pytest.raises(FormationError, match=words):
            grid.slots(classes)
    with pytest.raises(FormationError, match="within 1000000000 tiles"):
        DragGrid((0, 0), (0, 1), 1.0, 1e307).slots([RowClass(1, 100, 0.3)])
    for priorities, radii, words in (
        ([], 0.3, "1 to 1048576 units, got 0"),
        ([1.5], 0.3, "whole numbers"),
        ([1, 2], [0.3], r"one radius or \(2,\)"),
        ([1, 2], [0.3, -1.0], "above 0, got -1"),
        ([1, 2], float("nan"), "finite"),
        ([1, 2], "big", "radii as numbers"),
        (list(range(300)), 0.3, "at most 256"),
    ):
        with pytest.raises(FormationError, match=words):
            army_of(priorities, radii)


def test_the_direction_of_tiny_and_huge_facings_stays() -> None:
    for scale in (1e-300, 1.0, 1e300):
        assert DragGrid((0, 0), (3 * scale, 4 * scale)).facing == pytest.approx((0.6, 0.8))
