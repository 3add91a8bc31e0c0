"""Short paths against exact lengths inside the region."""

import numpy as np
import pytest

from pynav.grid import GridError, TileGrid
from pynav.grid.steps import DIRECTION_X, DIRECTION_Y
from pynav.kernels import get_threads, set_threads
from pynav.portals import SectorMap, ShortPaths
from pynav.portals.short_paths import NOTHING, SIGHT, STEPS
from tests.naive import grid as naive_grid
from tests.naive import portals as naive
from tests.unit.sectors.maps import random_map

SIZE = 8


def test_ways_are_the_shortest_inside_the_region() -> None:
    random = np.random.default_rng(1)
    seen = {NOTHING: 0, SIGHT: 0, STEPS: 0}
    for _ in range(25):
        cost = random_map(random, 5, 50)
        paths = ShortPaths(SectorMap(TileGrid(cost), SIZE), room=24 * 24)
        free = np.argwhere(cost)[:, ::-1]
        starts = free[random.integers(0, len(free), 20)]
        ends = starts + random.integers(-14, 15, starts.shape)
        found = paths.find(np.concatenate([starts, ends], axis=1))
        for index, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
            area = naive.region(cost, SIZE, naive.sector_of(cost, SIZE, (start[0], start[1])), 1)
            expected = naive_grid.dijkstra(naive.inside(cost, area), [(start[0], start[1])]).get((end[0], end[1]))
            seen[int(found.kind[index])] += 1
            if naive_grid.sees(cost, (start[0], start[1]), (end[0], end[1])):
                assert found.kind[index] == SIGHT
            elif expected is None:
                assert found.kind[index] == NOTHING
            else:
                assert found.kind[index] == STEPS and found.cost[index] == expected
                x, y = start
                walked = 0
                for step in found.steps[index, : found.step_count[index]].tolist():
                    assert naive_grid.step_allowed(cost, x, y, step)
                    walked += naive_grid.step_cost(cost, x, y, step)
                    x, y = x + DIRECTION_X[step], y + DIRECTION_Y[step]
                assert [x, y] == end and walked == expected
    assert min(seen.values()) > 20


def test_threads_and_little_room_change_nothing_else() -> None:
    cost = random_map(np.random.default_rng(8), 60, 70)
    sectors = SectorMap(TileGrid(cost))
    free = np.argwhere(cost)[:, ::-1]
    random = np.random.default_rng(2)
    starts = free[random.integers(0, len(free), 100)]
    lines = np.concatenate([starts, free[random.integers(0, len(free), 100)]], axis=1)
    threads = get_threads()
    found = []
    try:
        for count, room in ((1, 200), (2, 200), (3, 5)):
            set_threads(count)
            found.append(ShortPaths(sectors, room).find(lines))
    finally:
        set_threads(threads)
    for other in found[1:]:
        assert other.kind.tolist() == found[0].kind.tolist() and other.cost.tolist() == found[0].cost.tolist()
        assert other.step_count.tolist() == found[0].step_count.tolist()
        assert other.steps[:, :5].tolist() == found[0].steps[:, :5].tolist()


def test_faulty_lines_are_told() -> None:
    paths = ShortPaths(SectorMap(TileGrid([[1]])))
    for lines in ([[0, 0, 0]], [[0.5, 0, 0, 0]]):
        with pytest.raises(GridError, match="whole numbers"):
            paths.find(lines)
    assert len(paths.find(np.zeros((0, 4), dtype=np.int32)).kind) == 0
    assert paths.find([(0, 0, 9, 9), (-3, 0, 0, 0)]).kind.tolist() == [NOTHING, NOTHING]
