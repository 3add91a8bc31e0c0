"""Floods by sector with exchanged borders against one flood of all tiles, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import GridError, IntegrationField, TileGrid
from pynav.kernels import get_threads, set_threads
from pynav.portals import SectorFlood, SectorMap
from pynav.portals.sector_layout import FAR
from tests.naive import portals as naive
from tests.unit.sectors.maps import random_goals, random_map


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([8, 13, 16]), st.sampled_from([1, 2, 3]))
def test_the_whole_map_equals_one_flood(seed: int, size: int, threads: int) -> None:
    random = np.random.default_rng(seed)
    grid = TileGrid(random_map(random, 1, 70))
    goals = random_goals(random, grid.cost)
    field = IntegrationField(grid)
    field.build(goals)
    before = get_threads()
    try:
        set_threads(threads)
        flood = SectorFlood(SectorMap(grid, size))
        found = flood.run(goals)
        again = flood.run(goals[:1])
    finally:
        set_threads(before)
    assert flood.rounds >= 1 and flood.floods >= flood.rounds
    field.build(goals[:1])
    assert again.tolist() == np.where(field.distance == field.unreachable, FAR, field.distance).tolist()
    assert found is again


def test_an_area_with_seeds_of_any_value_equals_the_reference() -> None:
    random = np.random.default_rng(5)
    reached = 0
    for _ in range(10):
        cost = random_map(random, 30, 60)
        sectors = SectorMap(TileGrid(cost), 8)
        column, row = int(random.integers(0, sectors.column_count)), int(random.integers(0, sectors.row_count))
        columns = int(random.integers(1, sectors.column_count - column + 1))
        rows = int(random.integers(1, sectors.row_count - row + 1))
        seeds = random_goals(random, cost, 6)
        values = random.integers(-3000, 3000, len(seeds)).tolist()
        area = naive.Sector(column * 8, row * 8, min((column + columns) * 8, cost.shape[1]), min((row + rows) * 8, cost.shape[0]))
        inside = {}
        for seed, value in zip(seeds, values, strict=True):
            if area.left <= seed[0] < area.right and area.top <= seed[1] < area.bottom:
                inside[seed] = min(value, inside.get(seed, value))
        expected = naive.flood(cost, area, inside)
        found = SectorFlood(sectors, (column, row, columns, rows)).run(seeds, values)
        for y in range(area.top, area.bottom):
            for x in range(area.left, area.right):
                assert found[y - area.top, x - area.left] == expected.get((x, y), FAR)
        reached += len(expected)
    assert reached > 500


def test_faulty_areas_seeds_and_costs_are_told() -> None:
    sectors = SectorMap(TileGrid(np.ones((20, 20), dtype=np.uint8)), 8)
    for area in ((0, 0, 4, 1), (-1, 0, 1, 1), (0, 0, 0, 1)):
        with pytest.raises(GridError, match="within 3 x 3 sectors"):
            SectorFlood(sectors, area)
    with pytest.raises(GridError, match="2 seeds, got 1"):
        SectorFlood(sectors).run([(0, 0), (1, 1)], [0])
    dear = SectorMap(TileGrid(np.full((200, 200), 255, dtype=np.uint8)))
    assert not SectorFlood(dear).fits
    with pytest.raises(GridError, match="stay below"):
        SectorFlood(dear).run([(0, 0)])
    assert (SectorFlood(sectors).run(np.zeros((0, 2))) == FAR).all()
    sectors.grid.set_cost_rect(3, 3, [[0]])
    assert (SectorFlood(sectors).run([(3, 3), (99, 0)]) == FAR).all()
