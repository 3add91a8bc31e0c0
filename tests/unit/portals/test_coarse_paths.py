"""Coarse paths: real crossings, fair lengths, answers that do not depend on the cache."""

import numpy as np

from pynav.grid import IntegrationField, TileGrid
from pynav.portals import CoarsePaths, SectorMap
from tests.unit.sectors.maps import random_map

SIZE = 8


def random_tiles(random: np.random.Generator, grid: TileGrid) -> tuple[tuple[int, int], tuple[int, int]]:
    free = np.argwhere(grid.cost)[:, ::-1]
    first, second = (tuple(int(value) for value in free[random.integers(len(free))]) for _ in range(2))
    return (first[0], first[1]), (second[0], second[1])


def test_crossings_lead_from_island_to_island_and_lengths_are_fair() -> None:
    random = np.random.default_rng(1)
    crossed = none = 0
    error = []
    for _ in range(12):
        grid = TileGrid((random_map(random, 20, 60) > 0).astype(np.uint8))
        sectors = SectorMap(grid, SIZE)
        paths = CoarsePaths(sectors)
        field = IntegrationField(grid)
        for _ in range(12):
            start, goal = random_tiles(random, grid)
            found = paths.find(start, goal)
            field.build([goal])
            if field.distance[start[1], start[0]] == field.unreachable:
                assert found is None and paths.distance(start, goal) == -1.0
                none += 1
                continue
            assert found is not None
            islands = [sectors.island_of(int(x), int(y)) for x, y in found.crossings]
            assert not islands or islands[0] == sectors.island_of(*start)
            for here, ahead in zip(found.crossings[:-1].tolist(), islands[1:], strict=True):
                beside = [(here[0] + dx, here[1] + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
                assert ahead in [
                    sectors.island_of(*tile) for tile in beside if sectors.sector_of(*tile) != sectors.sector_of(*here)
                ]
            crossed += len(islands)
            error.append(abs(paths.distance(start, goal) - field.distance_tiles(*start)))
    assert crossed > 200 and none > 10
    assert np.mean(error) < SIZE and max(error) < 6 * SIZE


def test_kept_answers_equal_fresh_ones_through_edits() -> None:
    random = np.random.default_rng(4)
    hits = 0
    for _ in range(6):
        grid = TileGrid((random.random((64, 72)) > 0.2).astype(np.uint8))
        sectors = SectorMap(grid, SIZE)
        paths = CoarsePaths(sectors)
        asked = [random_tiles(random, grid) for _ in range(12)]
        for _ in range(6):
            x, y = int(random.integers(0, 70)), int(random.integers(0, 62))
            grid.set_cost_rect(x, y, np.full((2, 2), random.integers(0, 3), dtype=np.uint8))
            paths.forget(sectors.update(x, y, 2, 2))
            fresh = CoarsePaths(SectorMap(grid, SIZE))
            for start, goal in asked:
                kept, new = paths.find(start, goal), fresh.find(start, goal)
                assert (kept is None) == (new is None)
                if kept is not None and new is not None:
                    assert kept.remaining == new.remaining and kept.crossings.tolist() == new.crossings.tolist()
        hits += paths.hits
    assert hits > 20


def test_tiles_of_one_quarter_share_a_path_and_the_least_used_goes_first() -> None:
    paths = CoarsePaths(SectorMap(TileGrid(np.ones((64, 64), dtype=np.uint8)), SIZE), most=2)
    first = paths.find((1, 1), (60, 60))
    assert paths.find((2, 3), (61, 62)) is first and (paths.hits, paths.misses) == (1, 1)
    assert paths.find((6, 1), (60, 60)) is not first
    paths.find((1, 1), (60, 60))
    paths.find((1, 6), (60, 60))
    assert len(paths) == 2
    paths.find((1, 1), (60, 60))
    assert (paths.hits, paths.misses) == (3, 3)
    same = paths.find((1, 1), (2, 2))
    assert same is not None and len(same.crossings) == 0 and paths.distance((1, 1), (4, 1)) == 3.0
