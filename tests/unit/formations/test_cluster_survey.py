"""Who stands together: against every pair looked at, for any slicing, with walls between and with hysteresis."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from pynav.crowd.wall_geometry import SOLID
from pynav.formations import cluster_survey
from pynav.formations._cluster_kernels import JOIN_TILES, PART_TILES
from pynav.formations.cluster_survey import ClusterSurvey
from tests.naive.clusters import groups


def walls_of(cost: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """The map with its border, solid tiles marked."""
    return np.pad(np.where(cost == 0, SOLID, 0).astype(np.uint16), 1, constant_values=SOLID)


def survey(
    positions: npt.ArrayLike,
    labels: npt.ArrayLike | None = None,
    cost: npt.ArrayLike | None = None,
    leaders: npt.ArrayLike | None = None,
) -> ClusterSurvey:
    points = np.asarray(positions, np.float32)
    given = np.full(len(points), -1, np.int32) if labels is None else np.asarray(labels, np.int32)
    tiles = np.ones((40, 60), np.uint8) if cost is None else np.asarray(cost, np.uint8)
    led = np.full(int(given.max()) + 1, -1, np.int32) if leaders is None else np.asarray(leaders, np.int32)
    return ClusterSurvey(points, given, led, walls_of(tiles), 0.0)


def groups_of(found: ClusterSurvey) -> list[set[int]]:
    roots = found.roots.tolist()
    return [{unit for unit, root in enumerate(roots) if root == first} for first in sorted(set(roots))]


def middlemost(points: npt.NDArray[np.float32], units: set[int]) -> int:
    x, y = (sum(float(points[unit][axis]) for unit in sorted(units)) / len(units) for axis in (0, 1))
    return min(sorted(units), key=lambda unit: math.dist(points[unit].tolist(), (x, y)))


@pytest.mark.parametrize("units", [1, 2, 40, 150, 300])
@pytest.mark.parametrize("walls", [0.0, 0.15])
def test_the_same_groups_as_every_pair_gives(units: int, walls: float) -> None:
    generator = np.random.default_rng(units)
    cost = (generator.random((40, 60)) >= walls).astype(np.uint8)
    points = generator.uniform(0, (60, 40), (units, 2)).astype(np.float32)
    labels = generator.integers(-1, 4, units).astype(np.int32)
    found = survey(points, labels, cost)
    assert found.advance(10**9)
    wanted = groups(points.tolist(), labels.tolist(), cost, float(JOIN_TILES), float(PART_TILES))
    assert groups_of(found) == wanted
    assert found.group_size.tolist() == [sum(len(own) for own in wanted if min(own) == unit) for unit in range(units)]
    loose = {min(own): sum(labels[unit] < 0 for unit in own) for own in wanted}
    assert found.loose_size.tolist() == [loose.get(unit, 0) for unit in range(units)]
    for label in range(len(found.main_group)):
        pieces = [{unit for unit in own if labels[unit] == label} for own in wanted]
        largest = max(pieces, key=lambda piece: (len(piece), -pieces.index(piece)))
        main = min(wanted[pieces.index(largest)]) if largest else -1
        assert found.main_group[label] == main
        assert found.leads[label] == (middlemost(points, largest) if largest else -1)
    assert units < 40 or 1 < len(wanted) < units


def test_any_slicing_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(3)
    points = generator.uniform(0, (60, 40), (400, 2))
    whole = survey(points)
    whole.advance(10**9)
    slices = []
    for pairs in (1, 17, 333):
        monkeypatch.setattr(cluster_survey, "PAIRS_A_SLICE", pairs)
        found = survey(points)
        while not found.advance(1):
            assert not found.is_done
        assert np.array_equal(found.roots, whole.roots)
        slices.append(found.slices_done)
    assert slices[0] > slices[1] > slices[2] > whole.slices_done, "a survey of many units takes many ticks"


def test_the_numbering_of_units_has_no_say_in_who_stands_together() -> None:
    generator = np.random.default_rng(5)
    points = generator.uniform(0, (60, 40), (120, 2))
    order = generator.permutation(120)
    one, two = survey(points), survey(points[order])
    one.advance(10**9)
    two.advance(10**9)
    assert sorted(sorted(order[list(own)].tolist()) for own in groups_of(two)) == sorted(map(sorted, groups_of(one)))


def test_units_of_one_cluster_part_later_than_others_join() -> None:
    points = [(10.0, 10.0), (15.0, 10.0)]
    for labels, together in (((-1, -1), 2), ((0, 1), 2), ((1, 1), 1)):
        found = survey(points, labels)
        found.advance(10**9)
        assert len(groups_of(found)) == together
    found = survey([(10.0, 10.0), (16.1, 10.0)], (1, 1))
    found.advance(10**9)
    assert len(groups_of(found)) == 2


def test_a_wall_keeps_them_apart_and_its_gate_holds_them_together() -> None:
    cost = np.ones((40, 60), np.uint8)
    cost[:, 20] = 0
    points = [(19.0, 10.5), (22.0, 10.5)]
    closed = survey(points, None, cost)
    cost[10, 20] = 1
    opened = survey(points, None, cost)
    closed.advance(10**9)
    opened.advance(10**9)
    assert [len(groups_of(found)) for found in (closed, opened)] == [2, 1]


def test_who_leads_keeps_leading_until_another_is_nearer_to_the_middle_by_two_tiles() -> None:
    row = [(10.0 + unit, 10.0) for unit in range(9)]
    for leader, wanted in ((-1, 4), (5, 5), (3, 3), (7, 4), (0, 4)):
        found = survey(row, [0] * 9, None, [leader])
        found.advance(10**9)
        assert found.leads.tolist() == [wanted]
    parted = survey([*row, (40.0, 10.0)], [0] * 10, None, [9])
    parted.advance(10**9)
    assert parted.leads.tolist() == [4], "who has fallen off leads no more"
