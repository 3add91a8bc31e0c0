"""The same bits for formations: for any slicing, threads and backend, in a job, on a map with a history."""

import hashlib

import numpy as np
import pytest

from pynav.formations import ClassGround, DragGrid, SlotAssignment, army_of, move_to_ground
from pynav.grid.navigation_layers import NavigationLayers
from pynav.grid.terrain import Terrain
from pynav.kernels import get_backend, get_threads, set_backend, set_threads
from tests.unit.formations.filled_places import FilledPlaces

WHOLE, JOB = 0, -1  # instead of the work of a slice


def layers_of(side: int) -> NavigationLayers:
    cost = (np.random.default_rng(1).random((side, side)) > 0.15).astype(np.uint8)
    return NavigationLayers(Terrain(cost))


def hashes(units: int, work: int, layers: NavigationLayers | None = None, side: int = 60) -> list[str]:
    """Of slots, assignment, and the formation after each death."""
    generator = np.random.default_rng(units)
    layers = layers or layers_of(side)
    army = army_of(generator.choice([1, 2, 5], units), generator.choice([0.3, 0.4], units))
    places = generator.uniform(0, side, (units, 2)).astype(np.float32)
    grounds = [ClassGround(layers.base, places[army.class_of_unit == number]) for number in range(len(army.classes))]
    slots = move_to_ground(DragGrid((side * 0.6, side * 0.3), (-0.3, 1.7), side / 4).slots(army.classes), grounds)
    assignment = SlotAssignment(places, army.class_of_unit, slots)
    if work == JOB:
        assignment.start()
    elif work != WHOLE:
        while not assignment.advance(1, work):
            pass
    formation = FilledPlaces(slots, assignment.finish())
    found = [slots.positions, slots.is_cut_off, formation.unit_of_slot]
    for dead in np.array_split(generator.permutation(units)[: units // 3], 6):
        found += [formation.remove_units(dead), formation.unit_of_slot]
    return [hashlib.sha256(array.tobytes()).hexdigest() for array in found]


def test_equal_for_any_slicing() -> None:
    found = [hashes(700, work) for work in (WHOLE, JOB, 1_000_000, 333, 17)]
    assert all(one == found[0] for one in found)
    assert len(set(found[0])) == 15


def test_equal_on_any_number_of_threads() -> None:
    before = get_threads()
    try:
        found = []
        for threads in (1, 2, 3, 7, 16):
            set_threads(threads)
            found.append(hashes(5_000, JOB, side=200))
    finally:
        set_threads(before)
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("units", [1, 40, 150])
def test_equal_in_every_backend(units: int) -> None:
    before = get_backend()
    found = []
    try:
        for backend in dict.fromkeys(["python", "jit", before]):
            set_backend(backend)
            found.append(hashes(units, 500, side=30))
    finally:
        set_backend(before)
    assert all(one == found[0] for one in found)


def test_labels_of_a_maps_history_have_no_say() -> None:
    """A map that was edited and edited back has other labels of what is connected."""
    plain = layers_of(60)
    layers = layers_of(60)
    kinds = layers.terrain.kinds
    kept = kinds[:, 30].copy()
    for column in (0, kept):
        kinds[:, 30] = column
        layers.update((30, 0, 1, 60))
        layers.base.connectivity.settle()
    assert not np.array_equal(layers.base.connectivity.label, plain.base.connectivity.label)
    assert hashes(400, WHOLE, layers) == hashes(400, WHOLE, plain)
