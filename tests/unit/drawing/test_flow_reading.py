"""Directions read for rectangles of sectors, against the router tile by tile; which sectors must be read again after edits."""

import numpy as np

from pynav.drawing.flow_reading import FlowReader, FlowWatch, Part, empty_flow, flow_of
from pynav.portals import PortalRouter, SectorMap
from pynav.portals.sector_layout import SIDES
from tests.unit.drawing.maps import random_grid


def test_what_is_read_is_what_the_router_says() -> None:
    sectors = SectorMap(random_grid(3, 150, 100, 0.35, 3))
    router = PortalRouter(sectors)
    router.set_goals([sectors.grid.nearest_free(70, 40), sectors.grid.nearest_free(5, 90)])
    code, remaining = flow_of(router)
    assert (remaining < 0).any() and (remaining > 0).any()
    for y in range(sectors.grid.height):
        for x in range(sectors.grid.width):
            assert remaining[y, x] == router.remaining(x, y)
            assert code[y, x] == (router.direction(x, y) if remaining[y, x] >= 0 else 255)
    rect = (2, 1, 5, 7)  # the last row of sectors is cut off by the map's edge
    part = empty_flow(sectors, rect)
    listed = [row * sectors.column_count + column for row in range(1, 7) for column in range(2, 5)]
    FlowReader(router).read([Part(rect, listed[::2], *part)])
    for sector in listed:
        y, x = sector // sectors.column_count * 16, sector % sectors.column_count * 16
        is_read = sector in listed[::2]
        whole, own = remaining[y : y + 16, x : x + 16], part[1][y - 16 : y, x - 32 : x - 16]
        assert np.array_equal(own, whole if is_read else np.full(whole.shape, -1))
        codes = part[0][y - 16 : y, x - 32 : x - 16]
        assert np.array_equal(codes, code[y : y + 16, x : x + 16] if is_read else np.full(whole.shape, 255))


def _known(router: PortalRouter, edits: np.ndarray, sector: int) -> tuple[int, list[int]]:
    """What directions around a sector follow from."""
    pool, search = router.sectors.pool, router.search
    base = int(pool.anchor_base[sector])
    anchors = range(base, base + int(pool.side_start[sector, SIDES]))
    return int(edits[sector]), [int(search.remaining[one]) if search.is_settled(one) else -1 for one in anchors]


def test_sectors_are_read_again_or_moved_where_one_beside_them_changed() -> None:
    random = np.random.default_rng(8)
    grid = random_grid(5, 150, 100, 0.3)
    grid.set_cost_rect(100, 0, np.zeros((100, 4), dtype=np.uint8))  # all beyond goes through one door
    grid.set_cost_rect(94, 50, np.ones((1, 14), dtype=np.uint8))
    sectors = SectorMap(grid)
    router = PortalRouter(sectors)
    router.set_goals([grid.nearest_free(120, 20)])
    router.search.settle(range(sectors.sector_count))
    edits = np.zeros(sectors.sector_count, dtype=np.int64)
    columns, rows = sectors.column_count, sectors.row_count
    rects = [(0, 0, 4, 4), (4, 4, columns, rows), (3, 2, 7, 5)]
    watches = [FlowWatch(router, edits) for _ in rects]
    read = [empty_flow(sectors, rect) for rect in rects]
    reader, listed, read_count = FlowReader(router), 0, 0
    before: dict[int, tuple[int, list[int]]] = {}
    for turn in range(25):
        now = {sector: _known(router, edits, sector) for sector in range(sectors.sector_count)}
        differs = {sector for sector in now if before.get(sector) != now[sector]}
        whole = flow_of(router)
        parts: list[Part] = []
        for rect, watch, part in zip(rects, watches, read, strict=True):
            left, top, right, bottom = rect
            expected = [
                row * columns + column
                for row in range(top, bottom)
                for column in range(left, right)
                if any(
                    y * columns + x in differs
                    for y in range(max(row - 1, 0), min(row + 2, rows))
                    for x in range(max(column - 1, 0), min(column + 2, columns))
                )
            ]
            assert watch.look(rect).tolist() == expected
            assert watch.look(rect).tolist() == []
            stale = watch.take(rect, part[1])
            assert set(stale) <= set(expected)
            parts.append(Part(rect, stale, *part))
            assert watch.take(rect, part[1]) == []
            listed += len(expected)
            read_count += len(stale)
        reader.read(parts)
        for (left, top, right, bottom), part in zip(rects, read, strict=True):
            for found, known in zip(part, whole, strict=True):
                assert np.array_equal(found, known[top * 16 : bottom * 16, left * 16 : right * 16])
        before = now
        x, y = int(random.integers(0, 148)), int(random.integers(0, 98))
        values = random.integers(0, 2, (2, 2), dtype=np.uint8)
        if turn % 3 == 0:
            x, y, values = 101, 50, random.integers(1, 9, (1, 2), dtype=np.uint8)
        grid.set_cost_rect(x, y, values)
        changed = sectors.update(x, y, 2, 2)
        router.take_over(changed)
        edits[changed] += 1
        router.search.settle(range(sectors.sector_count))
    assert 60 < listed < 25 * 50
    assert 60 < read_count < listed - 20  # of the others only how far it is was another
