"""Figures of the inspector's panel: counted in slices, equal to what the solver says."""

from __future__ import annotations

import numpy as np
import pytest

from addons.pynav.editor.map_figures import FigureCount, portal_count
from pynav.grid import TileGrid
from pynav.portals.sector_map import SectorMap


@pytest.mark.parametrize("seed", range(6))
def test_portals_are_those_of_the_solver(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows, columns = generator.integers(5, 70, 2)
    cost = (generator.random((rows, columns)) > generator.random() * 0.6).astype(np.uint8)
    found = SectorMap(TileGrid(cost))
    assert portal_count(cost, found.size) * 2 == sum(len(found.portals(sector)) for sector in range(found.sector_count))


def test_what_is_counted() -> None:
    cost = np.ones((40, 50), dtype=np.uint8)
    cost[:, 20] = 0
    cost[3, 3] = 9
    count = FigureCount(cost)
    while not count.advance():
        pass
    assert count.figures is not None
    text = dict(count.figures.rows_of_text())
    assert text["Tiles"] == "50 x 40"
    assert text["Free"] == "1,960  (98 %)"
    assert (text["Costly"], text["Islands"], text["Sectors"]) == ("1", "2", "12")
    assert count.figures.bytes > cost.nbytes
