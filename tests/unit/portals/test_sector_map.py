"""Sector maps against slow references, from nothing and through edits."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import GridError, TileGrid
from pynav.kernels import get_threads, set_threads
from pynav.portals import SectorMap
from pynav.portals.sector_layout import FAR
from tests.naive import grid as naive_grid
from tests.naive import portals as naive
from tests.unit.sectors.maps import random_map


def content(sectors: SectorMap) -> list[object]:
    """What a map says, without where it lies."""
    found: list[object] = [sectors.island.tolist(), sectors.island_count.tolist(), sectors.component.tolist()]
    for sector in range(sectors.sector_count):
        pool = sectors.pool
        found += [pool.side_start[sector].tolist(), pool.tiles(sector).tolist(), sectors.matrix(sector).tolist()]
        base = int(pool.anchor_base[sector])
        found.append(pool.anchor_middle[base : base + len(pool.tiles(sector))].tolist())
        assert (pool.anchor_sector[base : base + len(pool.tiles(sector))] == sector).all()
    return found


@pytest.mark.parametrize("size", [8, 16, 21, 32])
def test_islands_portals_and_distances_are_those_of_the_reference(size: int) -> None:
    random = np.random.default_rng(size)
    portal_count = distance_count = 0
    for _ in range(4):
        cost = random_map(random, 1, 60)
        sectors = SectorMap(TileGrid(cost), size)
        assert sectors.island.tolist() == naive.island_array(cost, size).tolist()
        for number, sector in enumerate(naive.sectors(cost, size)):
            tiles = [(int(tile) % cost.shape[1], int(tile) // cost.shape[1]) for tile in sectors.pool.tiles(number)]
            assert tiles == naive.anchors(cost, sector)
            assert sectors.matrix(number).tolist() == naive.distances(cost, sector, FAR)
            distance_count += int((sectors.matrix(number) < FAR).sum())
            expected = [(side, run[0], run[-1]) for side in range(4) for run in naive.portals(cost, sector, side)]
            found = sectors.portals(number)
            assert [(portal.side, portal.first, portal.last) for portal in found] == expected
            assert [anchor for portal in found for anchor in portal.anchors] == list(range(len(tiles)))
            middles = [portal.anchors[(len(portal.anchors) - 1) // 2] for portal in found]
            base = int(sectors.pool.anchor_base[number])
            assert np.flatnonzero(sectors.pool.anchor_middle[base : base + len(tiles)]).tolist() == middles
            portal_count += len(found)
            for island in range(1, int(sectors.island_count[number]) + 1):
                assert sectors.island_portals(number, island) == [portal for portal in found if portal.island == island]
    assert portal_count > 20 and distance_count > 300


def test_components_of_the_portal_graph_are_those_of_a_flat_flood() -> None:
    random = np.random.default_rng(5)
    several = 0
    for _ in range(30):
        cost = random_map(random, 5, 70)
        sectors = SectorMap(TileGrid(cost), 8)
        label = naive_grid.component_array(cost)
        assert sectors.component_count == label.max()
        for x, y in [(int(x), int(y)) for y, x in np.argwhere(cost)]:
            assert (sectors.component_of(x, y) > 0) and sectors.component_of(x, y) <= sectors.component_count
        first = {int(label[y, x]): sectors.component_of(int(x), int(y)) for y, x in np.argwhere(label)}
        assert len(set(first.values())) == len(first)
        assert all(sectors.component_of(int(x), int(y)) == first[int(label[y, x])] for y, x in np.argwhere(label))
        several += len(first) > 1
    assert several > 5


@st.composite
def edits(draw: st.DrawFn) -> tuple[npt.NDArray[np.uint8], list[tuple[int, int, int, int, int]]]:
    """A map and some rectangles of costs."""
    height, width = draw(st.integers(1, 40)), draw(st.integers(1, 40))
    seed = draw(st.integers(0, 2**16))
    walls = draw(st.sampled_from([0.0, 0.15, 0.4]))
    cost = (np.random.default_rng(seed).random((height, width)) >= walls).astype(np.uint8)
    count = draw(st.integers(1, 6))
    found = []
    for _ in range(count):
        x, y = draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1))
        columns, rows = draw(st.integers(1, min(20, width - x))), draw(st.integers(1, min(20, height - y)))
        found.append((x, y, columns, rows, draw(st.sampled_from([0, 0, 1, 3]))))
    return cost, found


@settings(max_examples=120, deadline=None)
@given(edits(), st.sampled_from([8, 16]))
def test_after_any_edits_a_map_equals_one_from_nothing(
    case: tuple[npt.NDArray[np.uint8], list[tuple[int, int, int, int, int]]], size: int
) -> None:
    cost, rectangles = case
    grid = TileGrid(cost)
    sectors = SectorMap(grid, size)
    for x, y, width, height, value in rectangles:
        before = [sectors.matrix(sector).tolist() for sector in range(sectors.sector_count)]
        grid.set_cost_rect(x, y, np.full((height, width), value, dtype=np.uint8))
        changed = sectors.update(x, y, width, height)
        assert content(sectors) == content(SectorMap(grid, size))
        after = [sectors.matrix(sector).tolist() for sector in range(sectors.sector_count)]
        assert {index for index, old in enumerate(before) if old != after[index]} <= set(changed.tolist())


def test_an_edit_rebuilds_what_it_touches_and_nothing_else() -> None:
    grid = TileGrid(np.ones((64, 64), dtype=np.uint8))
    sectors = SectorMap(grid)
    grid.set_cost_rect(20, 20, [[0]])
    assert sectors.update(20, 20, 1, 1).tolist() == [5]
    grid.set_cost_rect(31, 20, [[0]])  # on the border: the sector to the right loses a piece of its portal
    assert sectors.update(31, 20, 1, 1).tolist() == [5, 6]
    assert sectors.update(70, 70, 4, 4).tolist() == []


def test_places_move_and_waste_is_cleared() -> None:
    """Edits that make sectors outgrow their places again and again keep the pool right and bounded."""
    random = np.random.default_rng(1)
    grid = TileGrid(np.ones((64, 64), dtype=np.uint8))
    sectors = SectorMap(grid)
    layouts, rooms = set(), set()
    for _ in range(200):
        x, y = (int(value) for value in random.integers(0, 60, 2))
        grid.set_cost_rect(x, y, (random.random((4, 4)) > 0.4).astype(np.uint8))
        sectors.update(x, y, 4, 4)
        layouts.add((id(sectors.pool), sectors.pool.layout))
        rooms.add(sectors.pool.room)
    assert len(layouts) > 10 and max(rooms) < 16 * 44 * 3
    assert content(sectors) == content(SectorMap(grid))


def test_the_nearest_reachable_tile_is_that_of_a_search_over_all_tiles() -> None:
    random = np.random.default_rng(9)
    moved = 0
    for _ in range(60):
        cost = random_map(random, 2, 50)
        sectors = SectorMap(TileGrid(cost), 8)
        label = naive_grid.component_array(cost)
        free = np.argwhere(cost)
        start_y, start_x = (int(value) for value in free[random.integers(len(free))])
        x, y = int(random.integers(-5, cost.shape[1] + 5)), int(random.integers(-5, cost.shape[0] + 5))
        there = np.argwhere(label == label[start_y, start_x])
        nearest = min(there.tolist(), key=lambda tile: ((tile[1] - x) ** 2 + (tile[0] - y) ** 2, tile[0], tile[1]))
        assert sectors.nearest_reachable((x, y), (start_x, start_y)) == (nearest[1], nearest[0])
        moved += nearest != [y, x]
    assert moved > 20
    walled = SectorMap(TileGrid([[0, 1]]), 8)
    assert walled.nearest_reachable((1, 0), (0, 0)) is None and walled.nearest_reachable((1, 0), (5, 0)) is None


def test_any_number_of_threads_gives_the_same_map() -> None:
    random = np.random.default_rng(3)
    cost = (random.random((200, 300)) > 0.2).astype(np.uint8)
    threads = get_threads()
    try:
        found = []
        for count in (1, 2, 3):
            set_threads(count)
            found.append(content(SectorMap(TileGrid(cost))))
    finally:
        set_threads(threads)
    assert found[0] == found[1] == found[2]


def test_a_size_out_of_range_is_refused() -> None:
    for size in (7, 33):
        with pytest.raises(GridError, match="8 to 32"):
            SectorMap(TileGrid([[1]]), size)


def test_straight_lines_are_never_longer_than_ways() -> None:
    random = np.random.default_rng(8)
    shorter = 0
    for _ in range(10):
        grid = TileGrid(random_map(random, 20, 50))
        true, straight = SectorMap(grid), SectorMap(grid, straight_lines=True)
        for sector in range(true.sector_count):
            assert (straight.matrix(sector) <= true.matrix(sector)).all()
            assert ((straight.matrix(sector) == FAR) == (true.matrix(sector) == FAR)).all()
            shorter += int((straight.matrix(sector) < true.matrix(sector)).sum())
    assert shorter > 100


def test_components_are_made_anew_only_where_an_edit_joins_or_cuts() -> None:
    cost = np.ones((64, 96), dtype=np.uint8)
    cost[:, 40] = 0
    grid = TileGrid(cost)
    sectors = SectorMap(grid)
    assert sectors.component_count == 2

    def edit(x: int, y: int, values: list[list[int]]) -> bool:
        """Whether components were made anew."""
        before = sectors.join_count
        grid.set_cost_rect(x, y, np.array(values, dtype=np.uint8))
        sectors.update(x, y, len(values[0]), len(values))
        made = SectorMap(TileGrid(grid.cost))
        assert sectors.component.tolist() == made.component.tolist()
        assert sectors.island_start.tolist() == made.island_start.tolist()
        return sectors.join_count != before

    assert not edit(10, 10, [[0, 0], [0, 0]])  # a wall in the open
    assert not edit(15, 20, [[0]])  # cuts a portal in two
    assert edit(40, 30, [[1]])  # a door
    assert edit(40, 30, [[0]])
    assert edit(60, 20, [[0, 0, 0], [0, 1, 0], [0, 0, 0]])  # a tile by itself
    assert edit(32, 0, [[0] * 8, [1] * 8] * 32)  # rows that are joined on one side alone
