"""Tables whose columns are given out: growing keeps what is in them, whether or not memory was got before."""

import numpy as np
import pytest

from pynav.formations.cluster_survey import LEAST_UNITS, MOST_CLUSTERS, largest_groups
from pynav.formations.place_table import ColumnTable

VALUE_ROWS, TAG_ROWS = 3, 2


def filled(count: int) -> tuple[ColumnTable, int]:
    table = ColumnTable(VALUE_ROWS, TAG_ROWS)
    first = table.take(count)
    table.values[:, first : first + count] = np.arange(VALUE_ROWS * count).reshape(VALUE_ROWS, count)
    table.tags[:, first : first + count] = np.arange(TAG_ROWS * count).reshape(TAG_ROWS, count)
    return table, first


@pytest.mark.parametrize("calls", [0, 1, VALUE_ROWS + TAG_ROWS, 20])
def test_growing_keeps_what_is_there(calls: int) -> None:
    table, first = filled(50)
    for _ in range(calls):
        table.prepare(1000)
    table.tags[1, first + 7] = -5  # written while memory is got
    second = table.take(600)
    assert (first, second) == (0, 50) and table.capacity == (1000 if calls else 650)
    expected, _ = filled(50)
    expected.tags[1, 7] = -5
    assert np.array_equal(table.values[:, :50], expected.values[:, :50])
    assert np.array_equal(table.tags[:, :50], expected.tags[:, :50])
    assert not table.values[:, 50:650].any() and not table.tags[:, 50:650].any()
    table.give_back(0)
    assert table.take(50) == 0 and not table.values[:, :650].any()


def test_memory_that_is_there_is_not_got_again() -> None:
    table, _ = filled(50)
    values = table.values
    table.prepare(64)
    assert table.take(14) == 50 and table.values is values
    for capacity in (500, 400, 900):
        table.prepare(capacity)
    table.take(100)
    assert table.capacity == 900


def test_the_largest_groups_come_first() -> None:
    generator = np.random.default_rng(3)
    roots = np.repeat(np.arange(60), generator.integers(1, 9, 60)).astype(np.int32)
    roots = generator.permutation(roots)
    groups = {root: np.flatnonzero(roots == root) for root in range(60)}
    large = [root for root in groups if len(groups[root]) >= LEAST_UNITS]
    wanted = sorted(large, key=lambda root: (-len(groups[root]), root))[:MOST_CLUSTERS]
    found = largest_groups(roots)
    assert len(large) > MOST_CLUSTERS == len(found)
    assert all(np.array_equal(units, groups[root]) for units, root in zip(found, wanted, strict=True))
    assert largest_groups(np.zeros(0, np.int32)) == []
