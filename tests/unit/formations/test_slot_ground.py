"""Slots that are cut off move outward to reachable ground."""

import math

import numpy as np
import pytest

from pynav.formations import ClassGround, DragGrid, FormationError, FormationSlots, RowClass, move_to_ground
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
from tests.naive.formations import outward_places

SIDE = 40


def layers_of(cost: np.ndarray) -> NavigationLayers:
    return NavigationLayers(Terrain(cost.astype(np.uint8)))


def open_map() -> np.ndarray:
    return np.ones((SIDE, SIDE), np.uint8)


def moved(
    cost: np.ndarray, grid: DragGrid, army: list[RowClass], stand: tuple[float, float] = (2.5, 2.5), sizes: tuple[int, ...] = ()
) -> tuple[FormationSlots, FormationSlots, list[ClassGround]]:
    """(as dragged, as moved, grounds)"""
    layers = layers_of(cost)
    slots = grid.slots(army)
    grounds = [ClassGround(layers.get(0, size), [stand]) for size in sizes or (1,) * len(army)]
    return slots, move_to_ground(slots, grounds), grounds


def standing_badly(slots: FormationSlots, cost: np.ndarray) -> list[int]:
    """Slots whose unit would overlap a solid tile or the border; looked up tile by tile."""
    found = []
    radius = np.array([each.radius for each in slots.classes])[slots.class_of_slot]
    height, width = cost.shape
    for number, ((x, y), own) in enumerate(zip(slots.positions.tolist(), radius.tolist(), strict=True)):
        for row in range(math.floor(y - own), math.floor(y + own) + 1):
            for column in range(math.floor(x - own), math.floor(x + own) + 1):
                is_solid = not (0 <= row < height and 0 <= column < width) or cost[row, column] == 0
                near = (max(column - x, x - column - 1, 0), max(row - y, y - row - 1, 0))
                if is_solid and math.hypot(*near) < own - 1e-4:
                    found.append(number)
    return found


def least_share(slots: FormationSlots) -> float:
    """How near the nearest two stand, as a share of the wished distance."""
    radius = np.array([each.radius for each in slots.classes])[slots.class_of_slot]
    apart = np.hypot(*(slots.positions[:, None].astype(float) - slots.positions[None]).transpose(2, 0, 1))
    share = apart / (radius[:, None] + radius[None] + slots.spacing)
    np.fill_diagonal(share, np.inf)
    return float(share.min())


def test_on_open_ground_nothing_moves() -> None:
    slots, after, _ = moved(open_map(), DragGrid((20, 15), (0.3, -1), 8.0), [RowClass(1, 30, 0.3), RowClass(2, 20, 0.4)])
    assert np.array_equal(slots.positions, after.positions)
    assert not after.is_moved.any() and not after.is_cut_off.any()


@pytest.mark.parametrize("seed", range(6))
def test_moved_places_are_those_of_the_reference(seed: int) -> None:
    generator = np.random.default_rng(seed)
    cost = open_map()
    for _ in range(12):
        x, y = generator.integers(4, 34, 2)
        cost[y : y + generator.integers(1, 7), x : x + generator.integers(1, 7)] = 0
    facing = generator.normal(size=2)
    army = [RowClass(1, 40, 0.3), RowClass(2, 25, 0.3), RowClass(7, 6, 0.9)]
    slots, after, grounds = moved(cost, DragGrid(generator.uniform(8, 32, 2), facing, 9.0), army, sizes=(1, 1, 2))
    assert after.is_moved.any() and not after.is_cut_off.any()
    kept = [
        number
        for number, (old, new) in enumerate(zip(slots.positions, after.positions, strict=True))
        if np.array_equal(np.floor(old), np.floor(new)) and not np.array_equal(new % 0.5, (0, 0))
    ]
    taken = [
        (*after.positions[number].astype(float).tolist(), army[slots.class_of_slot[number]].radius) for number in kept
    ]  # fmt: skip
    for index, each in enumerate(army):
        own = np.flatnonzero(slots.class_of_slot == index)
        lost = [number for number in own.tolist() if number not in set(kept)]
        if not lost:
            continue
        front = slots.positions[own[0]].astype(float)
        ground = grounds[index]

        def ahead(x: float, y: float, front: np.ndarray = front) -> float:
            return float((x - front[0]) * slots.facing[0] + (y - front[1]) * slots.facing[1])

        tiles = np.clip(ground.tiles(slots.positions[lost]), 0, SIDE - 1).tolist()
        places = outward_places(
            [(x, y) for x, y in tiles], lambda x, y, g=ground: bool(g.is_open(np.array([[x, y]]))[0]), (SIDE, SIDE), taken,
            each.radius, slots.spacing, ground.offset, ahead,
        )  # fmt: skip
        assert sorted(places) == sorted(tuple(place) for place in after.positions[lost].astype(float).tolist())


@pytest.mark.parametrize("seed", range(8))
def test_all_stand_on_ground_apart_and_clear_of_walls(seed: int) -> None:
    generator = np.random.default_rng(seed)
    cost = (generator.random((SIDE, SIDE)) > 0.12).astype(np.uint8)
    cost[:6, :6] = 1
    army = [RowClass(1, 60, 0.3), RowClass(2, 40, 0.45), RowClass(3, 3, 0.8)]
    slots, after, grounds = moved(
        cost, DragGrid(generator.uniform(0, SIDE, 2), generator.normal(size=2), 12.0), army, sizes=(1, 1, 2)
    )
    there = ~after.is_cut_off
    assert there.sum() > 60
    assert set(standing_badly(after, cost)) <= set(np.flatnonzero(after.is_cut_off).tolist())
    for index, ground in enumerate(grounds):
        own = there & (after.class_of_slot == index)
        assert ground.is_open(ground.tiles(after.positions[own])).all()
    radius = np.array([each.radius for each in army])[after.class_of_slot][there]
    places = after.positions[there].astype(float)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    np.fill_diagonal(apart, np.inf)
    both = radius[:, None] + radius[None]
    assert (apart >= np.maximum(both, 0.8 * (both + slots.spacing)) - 1e-3).all()


def test_nobody_is_sent_into_a_yard_without_a_gate() -> None:
    cost = open_map()
    cost[10:25, 10] = cost[10:25, 24] = cost[10, 10:25] = cost[24, 10:25] = 0
    army = [RowClass(1, 40, 0.3)]
    _, after, grounds = moved(cost, DragGrid((17, 14), (0, -1), 6.0), army)
    assert not ((after.positions > 11) & (after.positions < 24)).all(axis=1).any()
    assert grounds[0].is_open(grounds[0].tiles(after.positions)).all()
    cost[24, 17] = 1
    slots, after, _ = moved(cost, DragGrid((17, 14), (0, -1), 6.0), army)
    assert np.array_equal(slots.positions, after.positions)


def test_archers_stay_behind_soldiers_at_a_shore() -> None:
    """Half of the drag lies in a lake in front; both classes go back, the archers behind their own front."""
    cost = open_map()
    cost[:14] = 0
    army = [RowClass(1, 20, 0.3), RowClass(2, 20, 0.3)]
    slots, after, _ = moved(cost, DragGrid((20, 13), (0, -1), 9.0), army, stand=(20.5, 35.5))
    soldiers, archers = after.positions[:20, 1], after.positions[20:, 1]
    assert after.is_moved.any() and (archers >= slots.positions[20, 1]).all()
    assert soldiers.mean() < archers.mean()


def test_a_drag_into_a_lake_or_off_the_map_finds_its_shore() -> None:
    cost = open_map()
    cost[12:38, 8:36] = 0
    for place in ((22, 25), (-300.0, 20.0), (1e6, -1e6)):
        _, after, grounds = moved(cost, DragGrid(place, (0, -1), 5.0), [RowClass(1, 30, 0.3)])
        assert not after.is_cut_off.any() and after.is_moved.all()
        assert grounds[0].is_open(grounds[0].tiles(after.positions)).all()
        assert least_share(after) >= 0.79


def test_where_the_map_has_no_room_the_last_ones_are_cut_off() -> None:
    cost = np.zeros((SIDE, SIDE), np.uint8)
    cost[5:8, 5:8] = 1
    slots, after, _ = moved(cost, DragGrid((6.5, 5.5), (0, -1), 4.0), [RowClass(1, 10, 0.3)], stand=(6.5, 6.5))
    assert after.is_cut_off.sum() == 1
    assert np.array_equal(after.positions[after.is_cut_off], slots.positions[after.is_cut_off])
    _, nowhere, _ = moved(cost, DragGrid((6.5, 5.5), (0, -1), 4.0), [RowClass(1, 10, 0.3)], stand=(30, 30))
    assert nowhere.is_cut_off.all()


def test_most_units_say_which_part_of_the_map_counts() -> None:
    cost = open_map()
    cost[:, 20] = 0
    layer = layers_of(cost).base
    west, east = (5.5, 5.5), (30.5, 5.5)
    for stand, side in (([west, east, east], east), ([west, west, east], west), ([east, west], east), ([west, east], west)):
        ground = ClassGround(layer, stand)
        assert ground.is_open(ground.tiles(np.array([west, east], np.float32))).tolist() == [side == west, side == east]


def test_bad_grounds_are_refused_in_words() -> None:
    layer = layers_of(open_map()).base
    slots = DragGrid((5, 5), (0, 1)).slots([RowClass(1, 3, 0.3), RowClass(2, 3, 0.3)])
    with pytest.raises(FormationError, match="one ground a row class, 2, got 1"):
        move_to_ground(slots, [ClassGround(layer, [(1, 1)])])
    with pytest.raises(FormationError, match="finite numbers"):
        ClassGround(layer, [(1, float("nan"))])
    with pytest.raises(FormationError, match="grounds of one map"):
        small = layers_of(np.ones((5, 5))).base
        move_to_ground(slots, [ClassGround(layer, [(1, 1)]), ClassGround(small, [(1, 1)])])


def test_of_equally_many_units_in_two_parts_the_earlier_ones_part_counts() -> None:
    cost = np.ones((6, 11), np.uint8)
    cost[:, 5] = 0
    layer = NavigationLayers(Terrain(cost)).base
    left, right, beyond, wall = (2.5, 2.5), (8.5, 2.5), (-3.0, 2.0), (5.5, 2.5)
    for stand, wanted in (
        ([left, right], (2, 2)), ([right, left], (8, 2)), ([left, right, right], (8, 2)), ([beyond, wall, right, left], (8, 2)),
    ):  # fmt: skip
        ground = ClassGround(layer, stand)
        assert ground.is_open(np.array([(2, 2), (8, 2)])).tolist() == [wanted == (2, 2), wanted == (8, 2)], stand
    assert not ClassGround(layer, [beyond, wall]).is_open(np.array([(2, 2), (8, 2)])).any()
