"""Where agents are put, and what is refused."""

import numpy as np
import pytest

from pynav.crowd.errors import PlacementError
from pynav.crowd.placement import checked_positions, spread_positions


def test_every_tile_is_used_once_before_any_is_used_twice() -> None:
    allowed = np.random.default_rng(1).random((20, 30)) > 0.5
    count = int(allowed.sum())
    for wanted in (count // 2, count, count + 7):
        points = spread_positions(allowed, wanted, 0.3, seed=5, stream=1)
        tiles = points.astype(int)
        assert allowed[tiles[:, 1], tiles[:, 0]].all()
        uses = np.bincount(tiles[:, 1] * 30 + tiles[:, 0])
        assert uses.sum() == wanted and uses.max() == (1 if wanted <= count else 2)


def test_seed_and_stream_decide() -> None:
    allowed = np.ones((20, 20), dtype=bool)
    points = [spread_positions(allowed, 50, 0.3, seed, stream) for seed, stream in ((1, 1), (1, 1), (2, 1), (1, 2))]
    assert (points[0] == points[1]).all()
    assert (points[0] != points[2]).any() and (points[0] != points[3]).any()


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        ([[1.0, float("nan")]], "position 0 is not finite"),
        ([[1.5, 1.5], [-0.1, 1]], "position 1 .* outside the map of 4 x 3"),
        ([[4.0, 1.0]], "outside"),
        ([[1.5, 1.5], [0.5, 0.5]], r"position 1 .* solid tile \[0, 0\]"),
        ([[1.0, 2.0, 3.0]], r"shape \(n, 2\), got \(1, 3\)"),
    ],
)
def test_bad_positions_are_named(positions: list[list[float]], words: str) -> None:
    cost = np.ones((3, 4), dtype=np.uint8)
    cost[0, 0] = 0
    with pytest.raises(PlacementError, match=words):
        checked_positions(positions, cost)


def test_no_free_tile_is_said() -> None:
    with pytest.raises(PlacementError, match="no tile is free"):
        spread_positions(np.zeros((3, 3), dtype=bool), 1, 0.3, 1, 1)
