"""What is described against slow readings of the solver's own arrays."""

from __future__ import annotations

import numpy as np
import pytest

from pynav.drawing.chunk_shapes import cost_roles, draw_clearance, draw_islands, draw_sectors, draw_tiles, island_roles
from pynav.drawing.portal_shapes import PortalLists, edges_of, island_links, links_of, portals_of
from pynav.drawing.probe_shapes import FlowProbe, PathProbe, corners_of
from pynav.drawing.roles import Role
from pynav.drawing.view import Chunk, tiles_of
from pynav.grid import TileGrid
from pynav.portals import PortalRouter, SectorMap
from tests.naive import drawing as naive
from tests.unit.drawing.maps import random_grid

MAPS = [(1, 150, 100, 1), (2, 70, 41, 9), (3, 33, 160, 3)]


@pytest.fixture(params=MAPS, ids=lambda case: f"{case[1]}x{case[2]}")
def sectors(request: pytest.FixtureRequest) -> SectorMap:
    seed, width, height, dearest = request.param
    return SectorMap(random_grid(seed, width, height, dearest=dearest))


def parts(sectors: SectorMap) -> list[tuple[int, int, int, int]]:
    """The map cut into uneven rectangles of sectors."""
    middle_x, middle_y = sectors.column_count // 2, sectors.row_count // 3
    columns, rows = [(0, middle_x), (middle_x, sectors.column_count)], [(0, middle_y), (middle_y, sectors.row_count)]
    return [(left, top, right, bottom) for left, right in columns for top, bottom in rows if left < right and top < bottom]


def pair(line: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    (a, b), (c, d) = line.tolist()
    return (a, b), (c, d)


def test_bars_are_the_portals(sectors: SectorMap) -> None:
    found = [
        (tuple(begin), tuple(end))
        for rect in parts(sectors)
        for begin, end in zip(*(points.tolist() for points in portals_of(sectors, rect).ends), strict=True)
    ]
    assert len(found) == len(set(found))
    assert set(found) == naive.bars(sectors)


def test_links_are_the_anchors_with_their_partners(sectors: SectorMap) -> None:
    found = [pair(line) for rect in parts(sectors) for line in links_of(sectors, rect)]
    assert len(found) == len(set(found))
    assert set(found) == naive.links(sectors)


def test_edges_are_those_of_the_portal_graph(sectors: SectorMap) -> None:
    found = []
    for rect in parts(sectors):
        edges = edges_of(sectors, rect)
        for line, cost, sector in zip(edges.line, edges.cost.tolist(), edges.sector.tolist(), strict=True):
            found.append((frozenset(pair(line)), cost, sector))
    assert len(found) > 20
    assert set(found) == naive.edges(sectors)


def test_an_edge_winds_where_a_wall_is_in_the_way() -> None:
    cost = np.ones((16, 48), dtype=np.uint8)
    cost[:14, 24] = 0  # the middle sector's ends are joined below the wall alone
    cost[:, [15, 16, 31, 32]] = 0
    cost[2, [15, 16, 31, 32]] = 1
    edges = edges_of(SectorMap(TileGrid(cost)), (1, 0, 2, 1))
    assert edges.is_winding.tolist() == [True]
    cost[:, 24] = 1
    edges = edges_of(SectorMap(TileGrid(cost)), (1, 0, 2, 1))
    assert edges.is_winding.tolist() == [False]


def test_from_afar_islands_are_joined_where_portals_join_them(sectors: SectorMap) -> None:
    """As many lines as there are different pairs of islands with a portal between them."""
    pairs = set()
    for begin, end in naive.links(sectors):
        pairs.add(tuple(sectors.island_of(int(x), int(y)) for x, y in (begin, end)))
    lines = [line for rect in parts(sectors) for line in island_links(sectors, PortalLists(sectors), rect)]
    assert len(lines) == len(pairs)


def test_tiles_show_walls_and_what_is_dearer_than_most(sectors: SectorMap) -> None:
    cost = sectors.grid.cost
    fill = draw_tiles(sectors.grid, Chunk(0, 0, 0)).fill
    assert fill is not None
    part = cost[:64, :64]
    assert np.array_equal(fill.roles == Role.BLOCKED, part == 0)
    usual = int(np.bincount(cost[cost > 0]).argmax())
    assert np.array_equal((fill.roles >= Role.COST) & (fill.roles < Role.ISLAND), part > usual)
    assert np.array_equal(fill.roles >= Role.EASY, (part < usual) & (part > 0))
    steps = cost_roles(1)[1:].astype(int)
    assert (np.diff(steps[1:]) >= 0).all()


def test_walls_stay_visible_from_afar() -> None:
    grid = random_grid(5, 701, 543, dearest=9)
    for chunk in (Chunk(3, 0, 0), Chunk(3, 1, 1)):
        left, top, right, bottom = tiles_of(chunk, grid.width, grid.height)
        fill = draw_tiles(grid, chunk).fill
        assert fill is not None and fill.stride == 4
        assert fill.roles.shape == (-(-(bottom - top) // 4), -(-(right - left) // 4))
        for row, column in np.ndindex(*fill.roles.shape):
            square = grid.cost[top + row * 4 : top + row * 4 + 4, left + column * 4 : left + column * 4 + 4]
            assert fill.roles[row, column] == cost_roles(grid.usual_cost)[square.min()]


def test_the_hue_of_islands_tells_what_is_connected(sectors: SectorMap) -> None:
    roles = island_roles(sectors)
    hue = (roles.astype(int) - Role.ISLAND) // 2
    label = sectors.grid.components()
    largest = int(np.bincount(label.reshape(-1))[1:].argmax()) + 1
    width, height = sectors.grid.width, sectors.grid.height
    for chunk in (Chunk(0, 0, 0), Chunk(0, 0, 1), Chunk(0, 1, 0)):
        left, top, right, bottom = tiles_of(chunk, width, height)
        fill = draw_islands(sectors, chunk, roles).fill if left < width and top < height else None
        if fill is None:
            continue
        part = label[top:bottom, left:right]
        assert np.array_equal(fill.roles > 0, part > 0)
        assert (((fill.roles[part == largest].astype(int) - Role.ISLAND) // 2) == 0).all()
        other = (part > 0) & (part != largest)
        assert (((fill.roles[other].astype(int) - Role.ISLAND) // 2) > 0).all()
    for component in range(1, int(label.max()) + 1):
        y, x = np.nonzero(label == component)
        assert len({int(hue[sectors.island_of(int(a), int(b))]) for a, b in zip(x, y, strict=True)}) == 1


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_clearance_shows_what_a_unit_of_the_size_covers(sectors: SectorMap, size: int) -> None:
    cost = sectors.grid.cost
    expected = naive.covered(cost, size)
    for chunk in (Chunk(0, 0, 0), Chunk(0, 0, 1), Chunk(0, 1, 0), Chunk(0, 1, 1)):
        left, top, right, bottom = tiles_of(chunk, sectors.grid.width, sectors.grid.height)
        if left >= right or top >= bottom:
            continue
        fill = draw_clearance(sectors.grid, chunk, size).fill
        assert fill is not None
        assert np.array_equal(fill.roles == Role.FITS, expected[top:bottom, left:right])
        is_free = cost[top:bottom, left:right] > 0
        assert np.array_equal(fill.roles == Role.TOO_NARROW, is_free & ~expected[top:bottom, left:right])


def test_each_border_is_drawn_once_in_each_chunk(sectors: SectorMap) -> None:
    grid = sectors.grid
    piece = draw_sectors(sectors, Chunk(0, 0, 0))
    right, bottom = min(64, grid.width), min(64, grid.height)
    x = sorted(line[0, 0] for line in piece.lines if line[0, 0] == line[1, 0])
    expected = [float(place) for place in range(0, right, 16)] + ([float(right)] if right == grid.width else [])
    assert x == expected
    assert all({float(line[0, 1]), float(line[1, 1])} == {0.0, float(bottom)} for line in piece.lines if line[0, 0] == line[1, 0])


def test_arrows_are_the_routers_directions(sectors: SectorMap) -> None:
    probe = FlowProbe(sectors)
    goal = sectors.grid.nearest_free(20, 20)
    probe.set_goal(goal)
    while not probe.search([Chunk(0, 0, 0)]):
        pass
    piece = probe.draw(Chunk(0, 0, 0))
    router = PortalRouter(sectors)
    router.set_goals([goal])
    shown = {(int(x), int(y)): int(code) for (x, y), code in zip(piece.arrow_places, piece.arrow_codes, strict=True)}
    assert len(shown) > 100
    assert piece.fill is not None
    for y in range(piece.fill.roles.shape[0]):
        for x in range(piece.fill.roles.shape[1]):
            code = router.direction(x, y)
            assert shown.get((x, y), -1) == (code if code < 8 else -1)
            assert (piece.fill.roles[y, x] > 0) == (router.remaining(x, y) >= 0)


def test_far_colours_follow_what_remains(sectors: SectorMap) -> None:
    """Of a sector seen from afar, what remains is that of its best anchor; it falls along the arrow."""
    probe = FlowProbe(sectors)
    probe.set_goal(sectors.grid.nearest_free(2, 2))
    while not probe.search([Chunk(2, 0, 0)]):
        pass
    piece = probe.draw(Chunk(2, 0, 0))
    assert piece.fill is not None
    assert piece.fill.stride == sectors.size
    reached = {
        sectors.sector_of(x, y)
        for y in range(min(sectors.grid.height, 256))
        for x in range(min(sectors.grid.width, 256))
        if probe.router.remaining(x, y) >= 0
    }
    row, column = np.nonzero(piece.fill.roles)
    assert {int(r) * sectors.column_count + int(c) for r, c in zip(row, column, strict=True)} <= reached
    assert len(piece.arrow_codes) > 0


def test_the_test_units_way_is_the_routers(sectors: SectorMap) -> None:
    label = sectors.grid.components()
    largest = int(np.bincount(label.reshape(-1))[1:].argmax()) + 1
    y, x = np.nonzero(label == largest)
    start, goal = (int(x[0]), int(y[0])), (int(x[-1]), int(y[-1]))
    probe = PathProbe(sectors)
    probe.set_ends(start, goal)
    while not probe.search():
        pass
    router = PortalRouter(sectors)
    router.set_goals([goal])
    assert np.array_equal(probe.walk, router.path(start))
    anchors = {begin for begin, _ in naive.links(sectors)} | {end for _, end in naive.links(sectors)}
    assert {tuple(place) for place in probe.crossings.tolist()} <= anchors
    corners = corners_of(probe.walk).tolist()
    walked = [corners[0]]
    for corner in corners[1:]:
        while walked[-1] != corner:
            step = np.sign(np.subtract(corner, walked[-1]))
            walked.append((np.array(walked[-1]) + step).tolist())
    assert walked == probe.walk.tolist()


def test_a_long_way_is_walked_in_parts_and_begun_anew_after_an_edit() -> None:
    grid = random_grid(3, 2400, 40, 0.1)
    sectors = SectorMap(grid)
    label = grid.components()
    free = [(int(x), int(y)) for y, x in np.argwhere(label == np.argmax(np.bincount(label[label > 0])))]
    start, goal = min(free), max(free)
    probe = PathProbe(sectors)
    probe.set_ends(start, goal)
    parts = 0
    while not probe.search():
        parts += probe._walking is not None
    assert parts > 2
    router = PortalRouter(sectors)
    router.set_goals([goal])
    assert probe.walk.tolist() == router.path(start).tolist()
    x, y = probe.walk[400].tolist()
    probe.set_ends(start, goal)
    while probe._walking is None:
        assert not probe.search()
    while not probe.let_go():
        pass
    grid.set_cost_rect(x, y, np.zeros((1, 1), dtype=np.uint8))
    probe.take_over(sectors.update(x, y, 1, 1))
    while not probe.search():
        pass
    fresh = PortalRouter(SectorMap(grid))
    fresh.set_goals([goal])
    assert probe.walk.tolist() == fresh.path(start).tolist()


def test_no_way_is_no_line() -> None:
    cost = np.ones((20, 40), dtype=np.uint8)
    cost[:, 20] = 0
    probe = PathProbe(SectorMap(TileGrid(cost)))
    probe.set_ends((2, 2), (30, 2))
    while not probe.search():
        pass
    assert len(probe.walk) == 0
    assert set(probe.draw(0).quad_roles.tolist()) == {Role.START, Role.GOAL, Role.LABEL_GROUND}


def test_a_way_that_an_edit_cuts_is_not_searched_for() -> None:
    grid = TileGrid(np.ones((40, 200), dtype=np.uint8))
    sectors = SectorMap(grid)
    probe = PathProbe(sectors)
    probe.set_ends((2, 20), (190, 20))
    while not probe.search():
        pass
    assert len(probe.walk) == 189
    while not probe.let_go():
        pass
    grid.set_cost_rect(100, 0, np.zeros((40, 1), dtype=np.uint8))
    probe.take_over(sectors.update(100, 0, 1, 40))
    assert probe.search()
    assert len(probe.walk) == 0 and probe.router.search.expanded == 0
