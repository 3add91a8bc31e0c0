"""Searches over portals against Bellman's equation over all anchors; what is asked for later; coarse directions."""

import numpy as np
import pytest

from pynav.grid import IntegrationField, TileGrid
from pynav.portals import CoarseDirections, PortalSearch, SectorMap
from pynav.portals._search_kernels import GOAL_ISLAND
from pynav.portals.best_anchors import BestAnchors
from pynav.portals.sector_layout import NEVER, SETTLED
from pynav.portals.seed_lists import SeedLists
from tests.naive import portals as naive
from tests.unit.sectors.maps import random_goals, random_map

SIZE = 8


def settled_values(search: PortalSearch) -> dict[tuple[int, int], int]:
    """Values of settled anchors by (sector, number in its list)."""
    pool = search.sectors.pool
    found = {}
    for sector in range(search.sectors.sector_count):
        base = int(pool.anchor_base[sector])
        for local in range(len(pool.tiles(sector))):
            if search.status[base + local] == SETTLED:
                found[sector, local] = int(search.remaining[base + local])
    return found


def reference(cost: np.ndarray, goals: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The same for all anchors that a way leads from, by the slow reference."""
    values = naive.crossing_values(cost, SIZE, goals)
    found = {}
    for number, sector in enumerate(naive.sectors(cost, SIZE)):
        local = 0
        for side in range(4):
            dx, dy = naive.OUTWARD[side]
            for x, y in naive.side_anchors(cost, sector, side):
                if ((x, y), (x + dx, y + dy)) in values:
                    found[number, local] = values[(x, y), (x + dx, y + dy)]
                local += 1
    return found


@pytest.mark.parametrize("seed", range(6))
def test_settled_values_are_exact_whatever_is_asked_for(seed: int) -> None:
    random = np.random.default_rng(seed)
    settled = 0
    for _ in range(6):
        cost = random_map(random, 5, 36)
        sectors = SectorMap(TileGrid(cost), SIZE)
        goals = random_goals(random, cost)
        expected = reference(cost, goals)
        search = PortalSearch(sectors)
        search.set_goals(goals)
        for _ in range(3):
            asked = random.integers(0, sectors.sector_count, 2).tolist()
            search.settle(asked)
            found = settled_values(search)
            assert found == {key: expected[key] for key in found}
            for sector in asked:
                least = {}
                for (other, local), value in expected.items():
                    tile = int(sectors.pool.tiles(other)[local])
                    island = sectors.island_of(tile % cost.shape[1], tile // cost.shape[1])
                    if other == sector:
                        least[island] = min(value, least.get(island, NEVER))
                for island in range(int(sectors.island_start[sector]), int(sectors.island_start[sector + 1])):
                    is_there = island in search.goals[:, GOAL_ISLAND]
                    assert SeedLists(sectors, 0, 1).fill(search, [(sector, island)])[0] == [
                        0 if is_there else least.get(island, NEVER)
                    ]
        search.settle(range(sectors.sector_count))
        found = settled_values(search)
        assert found == {key: value for key, value in expected.items() if value < NEVER}
        settled += len(found)
    assert settled > 100


def test_unreachable_sectors_cost_nothing() -> None:
    cost = np.ones((64, 64), dtype=np.uint8)
    cost[:, 30] = 0
    sectors = SectorMap(TileGrid(cost), SIZE)
    search = PortalSearch(sectors)
    search.set_goals([(60, 60)])
    search.settle([sectors.sector_of(3, 3)])
    assert search.expanded == 0
    assert SeedLists(sectors, 1, 1).fill(search, [(sectors.sector_of(3, 3), sectors.island_of(3, 3))]) == ([NEVER], [b""])


@pytest.mark.parametrize("budget", [1, 7])
def test_slices_give_the_same_values(budget: int) -> None:
    cost = (np.random.default_rng(4).random((80, 90)) > 0.15).astype(np.uint8)
    sectors = SectorMap(TileGrid(cost), SIZE)
    goals = random_goals(np.random.default_rng(5), cost)
    whole, sliced = PortalSearch(sectors), PortalSearch(sectors)
    for search in (whole, sliced):
        search.set_goals(goals)
    whole.settle([0, 40])
    sliced.begin([0, 40])
    slices = 0
    while not sliced.is_done:
        sliced.search(budget)
        slices += 1
    assert settled_values(whole) == settled_values(sliced) and slices > 3


def test_the_best_anchor_of_a_sector_is_the_first_of_least_value() -> None:
    cost = (np.random.default_rng(4).random((80, 90)) > 0.15).astype(np.uint8)
    sectors = SectorMap(TileGrid(cost), SIZE)
    search = PortalSearch(sectors)
    search.set_goals([(1, 1), (70, 60)])
    search.settle([0, 40])
    best, rect = BestAnchors(search), (1, 0, sectors.column_count, sectors.row_count - 1)
    listed = [row * sectors.column_count + column for row in range(rect[3]) for column in range(1, rect[2])]
    assert best.refresh(rect).tolist() == listed
    assert best.refresh(rect).tolist() == []
    assert (best.value == -2).sum() == sectors.sector_count - len(listed)
    values = settled_values(search)
    none = 0
    for sector, place, least in zip(listed, best.tile[listed].tolist(), best.value[listed].tolist(), strict=True):
        own = [(found, local) for (other, local), found in values.items() if other == sector]
        expected = min(own, default=(-1, -1))
        none += expected == (-1, -1)
        assert least == expected[0]
        assert place == (-1 if expected[1] < 0 else int(sectors.pool.tiles(sector)[expected[1]]))
    assert 0 < none < sectors.sector_count


def test_a_search_in_the_background_gives_the_same_values() -> None:
    cost = (np.random.default_rng(4).random((320, 280)) > 0.15).astype(np.uint8)
    sectors = SectorMap(TileGrid(cost), SIZE)
    goals = random_goals(np.random.default_rng(5), cost)
    whole, background = PortalSearch(sectors), PortalSearch(sectors)
    for search in (whole, background):
        search.set_goals(goals)
    asked = list(range(0, sectors.sector_count, 9))
    whole.settle(asked)
    background.begin(asked)
    stopped = 0
    while not background.pursue():
        if stopped < 3:  # what is done then stays
            stopped += 1
            while not background.stop():
                pass
    assert background.is_released and background.is_done and stopped > 0
    assert settled_values(whole) == settled_values(background)


def test_a_kept_search_equals_a_fresh_one() -> None:
    random = np.random.default_rng(11)
    kept = dropped = 0
    for _ in range(30):
        cost = random_map(random, 40, 80)
        grid = TileGrid(cost)
        sectors = SectorMap(grid, SIZE)
        goals = random_goals(random, cost)
        search = PortalSearch(sectors)
        search.set_goals(goals)
        search.settle([int(random.integers(0, sectors.sector_count))])
        for _ in range(6):
            x, y = int(random.integers(0, grid.width - 2)), int(random.integers(0, grid.height - 2))
            grid.set_cost_rect(x, y, np.full((2, 2), random.choice([0, 1, 3]), dtype=np.uint8))
            if search.keep(sectors.update(x, y, 2, 2)):
                kept += 1
            else:
                search.set_goals(goals)
                dropped += 1
            fresh = PortalSearch(sectors)
            fresh.set_goals(goals)
            asked = int(random.integers(0, sectors.sector_count))
            for one in (search, fresh):
                one.settle([asked])
            wanted = [(asked, island) for island in range(sectors.island_start[asked], sectors.island_start[asked + 1])]
            lists = SeedLists(sectors, 1, 64)
            assert lists.fill(search, wanted) == lists.fill(fresh, wanted)
    assert kept > 10 and dropped > 10


def test_coarse_directions_name_the_portal_that_a_way_goes_over() -> None:
    random = np.random.default_rng(3)
    named = 0
    for _ in range(10):
        cost = random_map(random, 40, 70)
        grid = TileGrid(cost)
        sectors = SectorMap(grid, SIZE)
        coarse = CoarseDirections(sectors, 8, 2)
        field = IntegrationField(grid)
        goal = random_goals(random, cost, 1)[0]
        field.build([goal])
        starts = np.unique(random.integers(0, sectors.sector_count, 5)).astype(np.int32)
        assert coarse.run(goal, starts) >= 0
        for row, sector in enumerate(starts.tolist()):
            for island in range(min(2, int(sectors.island_count[sector]))):
                target = int(coarse.target[row, island])
                number = int(sectors.island_start[sector]) + island
                is_reachable = sectors.component[number] == sectors.component_of(*goal)
                assert (target >= 0) == is_reachable
                if target >= 0:
                    x, y = target % grid.width, target // grid.width
                    assert sectors.island_of(x, y) == number
                    assert coarse.target_value[row, island] >= field.distance[y, x]
                    named += 1
    assert named > 20
    with pytest.raises(ValueError, match="at most 8"):
        coarse.run((0, 0), np.arange(9, dtype=np.int32))
    poor = CoarseDirections(sectors, 8, 2, budget=0)
    assert poor.run(goal, starts) == 0
