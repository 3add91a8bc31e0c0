"""A drawing that follows edits, pans, zooms and probes is the one that is made anew."""

from __future__ import annotations

import numpy as np
import pytest

from pynav.drawing import Layer, MapDrawing, View
from pynav.drawing.view import LEVELS, MOST_LINES, chunks_in, level_of
from pynav.grid import GridError, TileGrid
from pynav.portals import SectorMap
from tests.unit.drawing.maps import EVERYTHING, assert_same, finish, random_grid, whole

WITHOUT_HISTORY = EVERYTHING & ~(Layer.CACHE | Layer.REBUILT)  # what was asked before decides those two


def fresh(grid: TileGrid, like: MapDrawing, view: View, probe: object = None, ends: object = (None, None)) -> MapDrawing:
    drawing = MapDrawing(grid)
    drawing.layers, drawing.unit_size = like.layers, like.unit_size
    drawing.look_at(view)
    drawing.set_probe(probe)  # type: ignore[arg-type]
    drawing.set_path(*ends)  # type: ignore[misc]
    finish(drawing)
    return drawing


@pytest.mark.parametrize("scale", [16.0, 6.0, 2.0, 0.5])
@pytest.mark.parametrize("seconds", [1.0, 0.0])
def test_edits_lead_to_what_a_new_drawing_shows(scale: float, seconds: float) -> None:
    random = np.random.default_rng(int(scale))
    grid = random_grid(7, 300, 220, dearest=4)
    drawing = MapDrawing(grid)
    drawing.layers = WITHOUT_HISTORY
    view = whole(grid, scale)
    drawing.look_at(view)
    probe, ends = grid.nearest_free(150, 110), (grid.nearest_free(120, 20), grid.nearest_free(280, 200))
    drawing.set_probe(probe)
    drawing.set_path(*ends)
    finish(drawing, seconds)
    for _ in range(6):
        for _ in range(int(random.integers(1, 4))):
            x, y = int(random.integers(0, 290)), int(random.integers(0, 210))
            values = random.integers(0, 5, (int(random.integers(1, 9)), int(random.integers(1, 9)))).astype(np.uint8)
            grid.set_cost_rect(x, y, values)
            drawing.note_edit(x, y, values.shape[1], values.shape[0])
        held = finish(drawing, seconds)
        other = fresh(TileGrid(grid.cost), drawing, view, probe, ends)
        expected = other.shown()
        assert set(drawing.shown()) == set(expected)
        for key, piece in expected.items():
            assert_same(drawing.shown()[key], piece, key)
            if key in held:
                assert_same(held[key], piece, key)
            else:
                assert piece.is_empty, key


def test_an_edit_describes_only_what_it_touched() -> None:
    grid = random_grid(3, 512, 512)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.TILES | Layer.SECTORS | Layer.PORTALS | Layer.GRAPH | Layer.CLEARANCE
    drawing.look_at(whole(grid))
    finish(drawing)
    shown = len(drawing.shown())
    value = [[0 if grid.cost[100, 100] else 1]]
    grid.set_cost_rect(100, 100, value)
    drawing.note_edit(100, 100, 1, 1)
    changes = drawing.advance(10.0)
    assert shown == 5 * len(chunks_in(whole(grid), drawing.level, 512, 512))
    assert {(key.chunk.column, key.chunk.row) for key, _ in changes if key.chunk} == {(0, 0)}


def test_panning_describes_only_what_comes_into_view() -> None:
    grid = random_grid(3, 512, 512)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.TILES | Layer.PORTALS
    drawing.look_at(View(0, 0, 120, 120, 16))
    assert {key.chunk[1:] for key in finish(drawing) if key.chunk} == {(0, 0), (1, 0), (0, 1), (1, 1)}
    drawing.look_at(View(10, 0, 128, 120, 16))
    assert drawing.advance(1.0) == []
    drawing.look_at(View(70, 0, 190, 120, 16))
    changes = drawing.advance(1.0)
    assert {key.chunk[1:] for key, piece in changes if key.chunk and piece} == {(2, 0), (2, 1)}
    assert {key.chunk[1:] for key, piece in changes if key.chunk and piece is None} == {(0, 0), (0, 1)}


def test_layers_that_are_switched_off_go() -> None:
    grid = random_grid(4)
    drawing = MapDrawing(grid)
    drawing.look_at(whole(grid))
    drawing.layers = EVERYTHING
    assert {key.layer for key in finish(drawing)} >= {Layer.TILES, Layer.SECTORS, Layer.GRAPH}
    drawing.layers = Layer.SECTORS
    assert {key.layer for key in finish(drawing)} == {Layer.SECTORS}
    drawing.layers = Layer(0)
    assert finish(drawing) == {}
    assert drawing.line_count == 0


@pytest.mark.parametrize("scale", [64.0, 12.0, 5.0, 1.5, 0.2])
def test_never_more_lines_than_the_most(scale: float) -> None:
    grid = TileGrid(np.ones((700, 900), dtype=np.uint8))
    drawing = MapDrawing(grid)
    drawing.layers = EVERYTHING
    drawing.look_at(whole(grid, scale))
    drawing.set_probe((450, 350))
    drawing.set_path((3, 3), (890, 690))
    held = finish(drawing)
    assert drawing.line_count == sum(piece.line_count for piece in held.values())
    assert 0 < drawing.line_count <= MOST_LINES


def test_levels_go_by_the_size_of_tiles_and_by_what_is_in_view() -> None:
    view = View(0, 0, 100, 60, 16)
    assert level_of(view, 1024, 1024, 16) == 0
    assert [level_of(view._replace(pixels_per_tile=size), 1024, 1024, 16) for size in (11.0, 10.9, 4.4, 1.1)] == [0, 1, 2, 3]
    assert level_of(View(0, 0, 4096, 4096, 16), 4096, 4096, 16) > 0
    assert all(level.chunk % 32 == 0 for level in LEVELS)


def test_the_sectors_come_in_slices_and_are_those_of_one_go() -> None:
    grid = random_grid(9, 700, 500)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.SECTORS
    drawing.look_at(whole(grid))
    seen = []
    while drawing.sectors is None:
        assert drawing.advance(0.0) == []
        seen.append(drawing.progress)
    assert len(seen) > 4
    assert seen == sorted(seen)
    made = SectorMap(grid)
    assert np.array_equal(drawing.sectors.island, made.island)
    for sector in range(made.sector_count):
        assert np.array_equal(drawing.sectors.matrix(sector), made.matrix(sector))
        assert np.array_equal(drawing.sectors.pool.tiles(sector), made.pool.tiles(sector))


def test_an_edit_while_the_sectors_are_built_is_in_them() -> None:
    grid = random_grid(9, 700, 500)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.PORTALS
    drawing.look_at(whole(grid))
    for _ in range(3):
        drawing.advance(0.0)
    grid.set_cost_rect(0, 0, np.zeros((40, 40), dtype=np.uint8))
    drawing.note_edit(0, 0, 40, 40)
    finish(drawing)
    other = fresh(TileGrid(grid.cost), drawing, whole(grid))
    for key, piece in other.shown().items():
        assert_same(drawing.shown()[key], piece, key)


def test_the_last_edit_is_told() -> None:
    grid = TileGrid(np.ones((64, 64), dtype=np.uint8))
    drawing = MapDrawing(grid)
    drawing.layers = Layer.REBUILT
    drawing.look_at(whole(grid))
    assert finish(drawing) == {}
    grid.set_cost_rect(20, 20, [[0]])
    drawing.note_edit(20, 20, 1, 1)
    (piece,) = finish(drawing).values()
    assert piece.fill is not None
    assert piece.fill[:3] == (16, 16, 16)
    assert piece.labels[0].text == "1 sector rebuilt"


def test_the_cache_shows_sectors_with_fields() -> None:
    grid = random_grid(4, 128, 128)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.CACHE
    drawing.look_at(whole(grid, 2.0))
    extra = np.zeros(64, dtype=np.int32)
    extra[[3, 9]] = (1, 7)
    drawing.cache_counts = lambda: extra
    (piece,) = finish(drawing).values()
    assert piece.fill is not None
    row, column = np.nonzero(piece.fill.roles)
    assert sorted((row * 8 + column).tolist()) == [3, 9]
    assert piece.fill.roles[0, 3] < piece.fill.roles[1, 1]


def test_a_unit_size_out_of_range_is_refused() -> None:
    drawing = MapDrawing(random_grid(1, 40, 40))
    with pytest.raises(GridError, match="1 to 5 tiles, got 6"):
        drawing.unit_size = 6
    assert drawing.unit_size == 2


def test_what_is_due_and_leaves_the_view_is_still_due_when_it_comes_back() -> None:
    grid = random_grid(3, 512, 256)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.TILES | Layer.PORTALS
    here, elsewhere = View(0, 0, 120, 120, 16), View(300, 0, 420, 120, 16)
    drawing.look_at(here)
    held = finish(drawing)
    grid.set_cost_rect(10, 10, np.full((8, 8), 0 if grid.cost[10, 10] else 1, dtype=np.uint8))
    drawing.note_edit(10, 10, 8, 8)
    held.update((key, piece) for key, piece in drawing.advance(0.0) if piece)  # takes the edit over, describes one piece
    drawing.look_at(elsewhere)
    drawing.look_at(here)
    held = finish(drawing)
    for key, piece in fresh(TileGrid(grid.cost), drawing, here).shown().items():
        assert_same(held[key], piece, key)
    assert drawing.line_count == sum(piece.line_count for piece in held.values())


def test_a_piece_that_is_due_and_out_of_view_is_taken_away() -> None:
    grid = random_grid(3, 512, 256)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.TILES | Layer.PORTALS
    drawing.look_at(View(0, 0, 120, 120, 16))
    held = finish(drawing)
    grid.set_cost_rect(10, 10, np.full((8, 8), 0 if grid.cost[10, 10] else 1, dtype=np.uint8))
    drawing.note_edit(10, 10, 8, 8)
    held.update((key, piece) for key, piece in drawing.advance(0.0) if piece)
    for left in (300, 310):  # a second pan may not forget what the first one let go
        drawing.look_at(View(left, 0, left + 120, 120, 16))
    held = finish(drawing)
    assert set(held) == {key for key, piece in drawing.shown().items() if not piece.is_empty}
    assert drawing.line_count == sum(piece.line_count for piece in held.values())


def test_another_usual_cost_shows_in_all_tiles() -> None:
    cost = np.full((128, 192), 3, dtype=np.uint8)
    cost[:, :90] = 5
    grid = TileGrid(cost)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.TILES
    drawing.look_at(whole(grid))
    finish(drawing)
    before = grid.usual_cost
    grid.set_cost_rect(100, 0, np.full((40, 40), 5, dtype=np.uint8))
    drawing.note_edit(100, 0, 40, 40)
    finish(drawing)
    assert grid.usual_cost != before
    for key, piece in fresh(TileGrid(grid.cost), drawing, whole(grid)).shown().items():
        assert_same(drawing.shown()[key], piece, key)


def test_the_cache_is_described_again_only_where_something_else_is_kept() -> None:
    grid = random_grid(4, 256, 128)
    drawing = MapDrawing(grid)
    drawing.layers = Layer.CACHE
    drawing.look_at(whole(grid))
    kept = np.zeros(16 * 8, dtype=np.int32)
    drawing.cache_counts = kept.copy
    finish(drawing)
    drawing.refresh_cache()
    assert drawing.advance(1.0) == []
    kept[3 * 16 + 9] = 2
    drawing.refresh_cache()
    assert [key.chunk[1:] for key, _ in drawing.advance(1.0) if key.chunk] == [(2, 0)]
