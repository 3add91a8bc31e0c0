"""Where rays meet the ground of a map in 3D, against a slow walk along the ray."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from addons.pynav.nodes.ground import heights_on, ray_on_ground
from addons.pynav.nodes.tile_plane import TilePlane

PLANE = TilePlane((-7.0, 3.0), (0.5, 0.0), (0.0, 0.5), 1.5)


def hills(seed: int, rows: int = 24, columns: int = 40) -> npt.NDArray[np.float32]:
    """Smooth ground between -1 and 3 metres."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[:rows, :columns]
    phase, slope = random.random(2) * 6, 0.15 + random.random(2) * 0.2
    return (1.0 + np.sin(x * slope[0] + phase[0]) + np.sin(y * slope[1] + phase[1])).astype(np.float32)


def walked(start: npt.NDArray[np.float64], ahead: npt.NDArray[np.float64], ground: npt.NDArray[np.float32]) -> npt.NDArray | None:
    """The first place below the ground, in steps of a millimetre or two."""
    for length in range(40_000):
        place = start + ahead * (length * 0.002)
        tile = np.array([PLANE.to_tile(place[0], place[2])], dtype=np.float32)
        if place[1] <= heights_on(ground, PLANE.elevation, tile)[0]:
            return tile[0]
    return None


@pytest.mark.parametrize("seed", range(4))
def test_a_ray_ends_where_it_first_meets_the_ground(seed: int) -> None:
    random, ground = np.random.default_rng(seed), hills(seed)
    steep = 0
    for _ in range(6):
        aim = np.array([PLANE.to_local(*(random.random(2) * (40, 24))), (0.0, 0.0)])[0]
        away = random.random() * math.tau
        start = np.array([aim[0] + math.cos(away) * 9, PLANE.elevation + 4 + random.random() * 6, aim[1] + math.sin(away) * 9])
        ahead = np.array([aim[0], PLANE.elevation, aim[1]]) - start
        ahead /= np.linalg.norm(ahead)
        found, expected = ray_on_ground(start, ahead, PLANE, ground), walked(start, ahead, ground)
        assert found is not None and expected is not None
        assert found == pytest.approx(expected.tolist(), abs=0.03)
        flat = ray_on_ground(start, ahead, PLANE, None)
        assert flat is not None and flat == pytest.approx(PLANE.to_tile(*aim), abs=1e-6)
        steep += math.dist(flat, found) > 1.0
    assert steep > 1


def test_a_hill_hides_what_lies_behind_it() -> None:
    ground = np.zeros((10, 40), dtype=np.float32)
    ground[:, 18:22] = 5.0
    start, ahead = np.array([-7.0, 4.5, 5.5]), np.array([1.0, -0.1, 0.0]) / math.hypot(1.0, 0.1)
    found = ray_on_ground(start, ahead, PLANE, ground)
    assert found is not None and 17.5 < found[0] < 18.5 and found[1] == pytest.approx(5.0)
    above = ray_on_ground(start + np.array([0.0, 4.0, 0.0]), ahead, PLANE, ground)
    assert above is not None and above[0] > 50.0  # beyond the map it is as high as at its edge


def test_plateaus_looks_from_straight_above_and_from_below() -> None:
    ground = np.full((10, 40), 2.0, dtype=np.float32)
    ground[:, :5] = -1.0
    down, up = np.array([0.0, -1.0, 0.0]), np.array([0.0, 1.0, 0.0])
    assert ray_on_ground(np.array([5.0, 30.0, 5.0]), down, PLANE, ground) == pytest.approx((24.0, 4.0))
    assert ray_on_ground(np.array([5.0, -30.0, 5.0]), up, PLANE, ground) == pytest.approx((24.0, 4.0))
    assert ray_on_ground(np.array([5.0, 30.0, 5.0]), up, PLANE, ground) is None
    assert ray_on_ground(np.array([5.0, 3.6, 5.0]), np.array([1.0, 0.0, 0.0]), PLANE, ground) is None
    level = np.full((10, 40), 2.0, dtype=np.float32)
    slanted = np.array([0.6, -0.8, 0.0])
    assert ray_on_ground(np.array([0.0, 7.5, 5.0]), slanted, PLANE, level) == pytest.approx((20.0, 4.0), abs=1e-5)
