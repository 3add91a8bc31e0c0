"""Connectivity under edits against labels of all tiles made anew."""

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import TileGrid
from pynav.grid.connectivity import Connectivity


def same_partition(one: npt.NDArray[np.int32], other: npt.NDArray[np.int32]) -> bool:
    """Whether two labellings tell the same tiles apart."""
    pairs = np.unique(np.stack([one.reshape(-1), other.reshape(-1)]), axis=1).shape[1]
    return bool(pairs == len(np.unique(one)) == len(np.unique(other)) and ((one == 0) == (other == 0)).all())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**31), st.integers(3, 60), st.integers(3, 60), st.floats(0.1, 0.6))
def test_after_any_edits_as_labelled_anew(seed: int, width: int, height: int, wall_share: float) -> None:
    random = np.random.default_rng(seed)
    grid = TileGrid((random.random((height, width)) > wall_share).astype(np.uint8))
    connectivity = Connectivity(grid)
    connectivity.settle()
    for _ in range(25):
        columns, rows = int(random.integers(1, min(width, 5) + 1)), int(random.integers(1, min(height, 5) + 1))
        x, y = int(random.integers(width - columns + 1)), int(random.integers(height - rows + 1))
        grid.set_cost_rect(x, y, (random.random((rows, columns)) > random.random()).astype(np.uint8))
        connectivity.update(x, y, columns, rows)
        assert same_partition(connectivity.all_roots(), TileGrid(grid.cost.copy()).components())
        tiles = np.argwhere(np.ones(grid.cost.shape))[:, ::-1]
        assert connectivity.roots(tiles).tolist() == connectivity.all_roots().reshape(-1).tolist()


def test_buildings_on_open_ground_need_no_new_labels() -> None:
    grid = TileGrid(np.ones((80, 80), dtype=np.uint8))
    connectivity = Connectivity(grid)
    before = connectivity.label
    for x in range(10, 70, 10):
        grid.set_cost_rect(x, 30, np.zeros((3, 3), dtype=np.uint8))
        connectivity.update(x, 30, 3, 3)
    assert connectivity.opening_count == 0
    grid.set_cost_rect(10, 30, np.ones((3, 3), dtype=np.uint8))
    connectivity.update(10, 30, 3, 3)
    assert connectivity.opening_count == 1
    assert connectivity.label is before


def test_a_wall_across_the_map_cuts_it() -> None:
    grid = TileGrid(np.ones((40, 80), dtype=np.uint8))
    connectivity = Connectivity(grid)
    assert len(set(connectivity.roots([(5, 5), (70, 5)]).tolist())) == 1
    grid.set_cost_rect(40, 0, np.zeros((39, 1), dtype=np.uint8))
    connectivity.update(40, 0, 1, 39)
    assert len(set(connectivity.roots([(5, 5), (70, 5)]).tolist())) == 1
    grid.set_cost_rect(40, 39, [[0]])
    connectivity.update(40, 39, 1, 1)
    assert len(set(connectivity.roots([(5, 5), (70, 5)]).tolist())) == 2
