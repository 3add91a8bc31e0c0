"""The hash: the same in every form, and spread evenly."""

import numpy as np

from pynav.crowd.random_numbers import hash_array, hash_integers, unit_array


def test_array_and_scalar_hash_agree() -> None:
    third = np.arange(-3, 50, dtype=np.int64)
    for first, second in ((0, 0), (1, 2), (2**31 - 1, 77), (-5, 3)):
        expected = [hash_integers(first, second, int(value)) for value in third]
        assert hash_array(first, second, third).tolist() == expected
        assert all(0 <= value < 2**32 for value in expected)


def test_units_are_even_and_differ_by_every_argument() -> None:
    third = np.arange(20_000, dtype=np.int64)
    units = unit_array(3, 4, third)
    assert units.dtype == np.float32 and units.min() >= 0 and units.max() < 1
    counts = np.histogram(units, bins=10, range=(0, 1))[0]
    assert counts.min() > 1800 and counts.max() < 2200
    for other in (unit_array(2, 4, third), unit_array(3, 5, third)):
        assert np.count_nonzero(other == units) < 20
