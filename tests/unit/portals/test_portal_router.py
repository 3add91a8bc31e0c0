"""Region fields and routes: floods against slow references, arrival without exception, caches against fresh answers."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.grid import NO_DIRECTION, IntegrationField, TileGrid
from pynav.grid.steps import DIRECTION_X, DIRECTION_Y, NO_WAY, SOLID_TILE
from pynav.kernels import get_threads, set_threads
from pynav.portals import PortalRouter, RegionFields, SectorMap
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import FAR, NEVER
from pynav.portals.seed_lists import SeedLists
from tests.naive import grid as naive_grid
from tests.naive import portals as naive
from tests.unit.sectors.maps import random_goals, random_map

SIZE = 8
Map = npt.NDArray[np.uint8]


def route_cost(cost: Map, path: npt.NDArray[np.int32]) -> int:
    """Cost of a route; every step of it must be legal."""
    total = 0
    for (x, y), (to_x, to_y) in zip(path[:-1].tolist(), path[1:].tolist(), strict=True):
        direction = naive_grid.STEPS.index((to_x - x, to_y - y))
        assert naive_grid.step_allowed(cost, x, y, direction)
        total += naive_grid.step_cost(cost, x, y, direction)
    return total


@pytest.mark.parametrize("reach", [0, 1])
def test_a_field_is_the_flood_of_its_region(reach: int) -> None:
    random = np.random.default_rng(reach)
    checked = 0
    for _ in range(15):
        cost = random_map(random, 10, 50)
        sectors = SectorMap(TileGrid(cost), SIZE)
        router = PortalRouter(sectors, reach)
        goals = random_goals(random, cost)
        router.set_goals(goals)
        for number, sector in enumerate(naive.sectors(cost, SIZE)):
            router.search.settle([number])
            for island in range(int(sectors.island_start[number]), int(sectors.island_start[number + 1])):
                seeds = router.fields.seeds(router.search, number, island)
                field = router.fields.field(router.search, number, island)
                if seeds is None or field is None:
                    assert seeds is None and field is None
                    continue
                width = cost.shape[1]
                tiles = [(int(tile) % width, int(tile) // width) for tile in seeds.tile]
                values: dict[tuple[int, int], int] = {}
                for tile, value in zip(tiles, seeds.value.tolist(), strict=True):
                    values[tile] = min(value, values.get(tile, value))
                flooded = naive.flood(cost, naive.region(cost, SIZE, sector, reach), values)
                for y in range(sector.top, sector.bottom):
                    for x in range(sector.left, sector.right):
                        place = (y - sector.top) * SIZE + x - sector.left
                        assert field.value[place] == flooded.get((x, y), FAR)
                        _check_step(cost, field.direction[place], x, y, flooded, values)
                        checked += (x, y) in flooded
    assert checked > 1000


@pytest.mark.parametrize("reach", [0, 1])
def test_the_seeds_of_many_regions_are_those_of_each(reach: int) -> None:
    random = np.random.default_rng(reach)
    none = 0
    for _ in range(6):
        cost = random_map(random, 40, 90)
        sectors = SectorMap(TileGrid(cost), SIZE)
        search = PortalSearch(sectors)
        search.set_goals(random_goals(random, cost))
        search.settle(range(sectors.sector_count))
        start = sectors.island_start
        wanted = [
            (sector, island) for sector in range(sectors.sector_count) for island in range(start[sector], start[sector + 1])
        ]
        lists = SeedLists(sectors, reach, len(wanted) + 3)
        bases, keys = lists.fill(search, wanted)
        found = [lists.seeds(index) for index in range(len(wanted))]
        for (sector, island), base, key, seeds in zip(wanted, bases, keys, found, strict=True):
            expected = naive.seeds(search, sector, island, reach)
            if seeds is None or expected is None:
                assert seeds is None and expected is None and base == NEVER
                none += 1
                continue
            assert seeds.base == base == naive.island_bound(search, sector, island)[0]
            assert list(zip(seeds.tile.tolist(), seeds.value.tolist(), seeds.code.tolist(), strict=True)) == expected
            assert key == seeds.tile.tobytes() + seeds.value.tobytes() + seeds.code.tobytes()
    assert none > 0


def _check_step(
    cost: Map, code: int, x: int, y: int, value: dict[tuple[int, int], int], seeds: dict[tuple[int, int], int]
) -> None:
    """A code is a step of a shortest way, or, on a seed, what the seed says."""
    if cost[y, x] == 0:
        assert code == SOLID_TILE
    elif (x, y) not in value:
        assert code == NO_WAY
    elif seeds.get((x, y)) != value[x, y]:
        assert naive_grid.step_allowed(cost, x, y, int(code))
        ahead = (x + DIRECTION_X[code], y + DIRECTION_Y[code])
        assert value[ahead] + naive_grid.step_cost(cost, x, y, int(code)) == value[x, y]


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1]), st.sampled_from([8, 11, 16]), st.sampled_from([1, 85]))
def test_every_route_arrives_and_keeps_its_promise(seed: int, reach: int, size: int, dearness: int) -> None:
    """On any map: a route arrives exactly where a way exists, over legal steps, and costs no more than its first field said."""
    random = np.random.default_rng(seed)
    cost = random_map(random, 2, 60) * np.uint8(dearness)
    grid = TileGrid(cost)
    router = PortalRouter(SectorMap(grid, size), reach)
    goals = random_goals(random, cost)
    router.set_goals(goals)
    field = IntegrationField(grid)
    field.build(goals)
    for y, x in random.permutation(np.argwhere(cost))[:25].tolist():
        path = router.path((x, y))
        if field.distance[y, x] == field.unreachable:
            assert len(path) == 0 and router.direction(x, y) == NO_WAY and router.remaining(x, y) == -1
            continue
        assert tuple(path[0]) == (x, y) and tuple(path[-1].tolist()) in goals
        walked = route_cost(cost, path)
        assert field.distance[y, x] <= walked <= router.remaining(x, y)
    assert reach == 1 or router.conflicts == 0


def test_fields_that_do_not_agree_are_met_and_overcome() -> None:
    """Mazes bring the conflict of the two layers about; without the detection some of these routes never end."""
    random = np.random.default_rng(2)
    conflicts = 0
    for _ in range(12):
        cost = np.zeros((97, 97), dtype=np.uint8)
        cost[1::2, 1::2] = 1
        cells = [(1, 1)]
        seen = {(1, 1)}
        while cells:
            x, y = cells[-1]
            ways = [(dx, dy) for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2)) if 0 < x + dx < 97 and 0 < y + dy < 97]
            ways = [(dx, dy) for dx, dy in ways if (x + dx, y + dy) not in seen]
            if not ways:
                cells.pop()
                continue
            dx, dy = ways[int(random.integers(len(ways)))]
            cost[y + dy // 2, x + dx // 2] = 1
            seen.add((x + dx, y + dy))
            cells.append((x + dx, y + dy))
        cost |= (random.random(cost.shape) > 0.97).astype(np.uint8)
        router = PortalRouter(SectorMap(TileGrid(cost), SIZE))
        free = np.argwhere(cost)[:, ::-1]
        for _ in range(12):
            goal, start = (tuple(int(value) for value in free[random.integers(len(free))]) for _ in range(2))
            if router.sectors.component_of(*start) != router.sectors.component_of(*goal):
                continue
            router.set_goals([goal])
            path = router.path((start[0], start[1]))
            assert tuple(path[-1].tolist()) == goal
            assert route_cost(cost, path) <= router.remaining(start[0], start[1])
        conflicts += router.conflicts
    assert conflicts > 0


def test_without_reach_the_directions_alone_lead_to_the_goal() -> None:
    random = np.random.default_rng(7)
    followed = 0
    for _ in range(10):
        cost = random_map(random, 20, 60)
        router = PortalRouter(SectorMap(TileGrid(cost), SIZE), reach=0)
        goals = random_goals(random, cost)
        router.set_goals(goals)
        for y, x in random.permutation(np.argwhere(cost))[:20].tolist():
            code = router.direction(x, y)
            for _ in range(cost.size):
                if code in (NO_DIRECTION, NO_WAY):
                    break
                x, y = x + DIRECTION_X[code], y + DIRECTION_Y[code]
                code = router.direction(x, y)
                followed += 1
            assert code == NO_WAY or (x, y) in goals
    assert followed > 500


def test_after_edits_cached_answers_equal_fresh_ones() -> None:
    random = np.random.default_rng(6)
    compared = 0
    for _ in range(12):
        cost = random_map(random, 30, 70)
        grid = TileGrid(cost)
        router = PortalRouter(SectorMap(grid, SIZE))
        goals = random_goals(random, cost, 1)
        router.set_goals(goals)
        for _ in range(8):
            width, height = (int(side) for side in random.integers(1, 4, 2))
            x, y = int(random.integers(0, grid.width - width + 1)), int(random.integers(0, grid.height - height + 1))
            grid.set_cost_rect(x, y, np.full((height, width), random.choice([0, 0, 1, 2]), dtype=np.uint8))
            router.update(x, y, width, height)
            fresh = PortalRouter(SectorMap(grid, SIZE))
            fresh.set_goals(goals)
            for tile_y, tile_x in random.permutation(np.argwhere(grid.cost))[:6].tolist():
                assert router.path((tile_x, tile_y)).tolist() == fresh.path((tile_x, tile_y)).tolist()
                compared += 1
    assert compared > 300 and router.fields.hits > 0


def test_fields_are_shared_bounded_and_the_least_used_goes_first() -> None:
    sectors = SectorMap(TileGrid(np.ones((80, 80), dtype=np.uint8)), SIZE)
    router = PortalRouter(sectors)
    router.set_goals([(2, 2)])
    router.path((75, 75))
    first = router.fields.misses
    router.set_goals([(2, 2)])
    router.path((75, 75))
    assert router.fields.misses == first and router.fields.hits > 0
    small = RegionFields(sectors, 1, most=3)
    router.search.settle(range(sectors.sector_count))
    for sector in range(10):
        assert small.field(router.search, sector, int(sectors.island_start[sector])) is not None
    assert len(small) == 3 and small.misses == 10
    assert small.kept_by_sector().tolist() == [int(sector in (7, 8, 9)) for sector in range(sectors.sector_count)]
    small.field(router.search, 7, int(sectors.island_start[7]))  # used again: stays when another comes
    small.field(router.search, 20, int(sectors.island_start[20]))
    small.field(router.search, 7, int(sectors.island_start[7]))
    assert small.hits == 2
    assert np.flatnonzero(small.kept_by_sector()).tolist() == [7, 9, 20]
    small.forget(np.array([8], dtype=np.int32))  # with all that lie beside it
    assert np.flatnonzero(small.kept_by_sector()).tolist() == [20]


def test_batches_and_threads_give_the_same_fields() -> None:
    cost = random_map(np.random.default_rng(12), 60, 90)
    sectors = SectorMap(TileGrid(cost), SIZE)
    router = PortalRouter(sectors)
    router.set_goals(random_goals(np.random.default_rng(1), cost))
    router.search.settle(range(sectors.sector_count))
    wanted = [(sectors.sector_of(x, y), sectors.island_of(x, y)) for y, x in np.argwhere(cost)[::40].tolist()]
    single = [RegionFields(sectors).field(router.search, *one) for one in wanted]
    threads = get_threads()
    try:
        for count in (1, 3):
            set_threads(count)
            for alone, together in zip(single, RegionFields(sectors).fields(router.search, wanted), strict=True):
                if alone is None or together is None:
                    assert alone is None and together is None
                    continue
                assert alone.value.tolist() == together.value.tolist() and alone.base == together.base
                assert alone.direction.tolist() == together.direction.tolist()
    finally:
        set_threads(threads)


def test_solid_and_unreachable_tiles_are_told() -> None:
    cost = np.ones((20, 20), dtype=np.uint8)
    cost[:, 10] = 0
    router = PortalRouter(SectorMap(TileGrid(cost), SIZE))
    router.set_goals([(2, 2), (10, 3)])
    assert router.direction(10, 10) == SOLID_TILE and router.direction(15, 3) == NO_WAY
    assert router.path((15, 3)).shape == (0, 2) and router.path((10, 0)).shape == (0, 2)
    assert router.search.expanded == 0
    assert router.path((2, 2)).tolist() == [[2, 2]]
    router.set_goals([])
    assert router.direction(2, 2) == NO_WAY


def test_prepared_fields_are_those_asked_for_one_by_one() -> None:
    random = np.random.default_rng(12)
    for _ in range(10):
        cost = random_map(random, 20, 50)
        sectors = SectorMap(TileGrid(cost), SIZE)
        goals = random_goals(random, cost)
        tiles = np.stack([random.integers(cost.shape[1], size=40), random.integers(cost.shape[0], size=40)], axis=1)
        prepared, plain = PortalRouter(sectors), PortalRouter(sectors)
        prepared.set_goals(goals)
        plain.set_goals(goals)
        prepared.prepare(tiles.astype(np.int32))
        flooded = prepared.fields.misses
        for x, y in tiles.tolist():
            assert prepared.remaining(x, y) == plain.remaining(x, y)
            assert prepared.direction(x, y) == plain.direction(x, y)
        assert prepared.fields.misses == flooded == plain.fields.misses
