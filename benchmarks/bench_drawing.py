"""Benchmarks of the solver's drawing: main-thread work after an edit and in a pan; lines counted against the solver's arrays.

Times are those of the main thread alone, best of some rounds; the budgets are those of a fluid editor. Searches to the probes go
on in the background between frames: how long it takes until an edit is drawn is told beside it.
"""

import time
from collections.abc import Callable

import numpy as np

from benchmarks.table import Row, row
from pynav.drawing import Layer, MapDrawing, View
from pynav.drawing.portal_shapes import edges_of
from pynav.drawing.roles import Role
from pynav.drawing.view import LEVELS, MOST_LINES
from pynav.grid import TileGrid, generate_map
from pynav.portals import SectorMap
from pynav.portals.sector_layout import EAST, SOUTH

EVERYTHING = Layer(sum(Layer))
STATIC = EVERYTHING & ~(Layer.FLOW | Layer.PATH)  # what doesn't hang on a search over the map
SCALES = (16.0, 6.0, 1.5, 0.4)  # pixels a tile: one for each level of detail
SCREEN = (1600.0, 900.0)
FRAME_SECONDS = 1 / 60
EDIT_MS, PAN_MS, SLICE_MS = 8.0, 4.0, 100.0


def _view(side: int, scale: float, right: float = 0.0) -> View:
    """A view of the middle of a map, moved by some pixels."""
    width, height, middle = SCREEN[0] / scale, SCREEN[1] / scale, side / 2 + right / scale
    return View(middle - width / 2, side / 2 - height / 2, middle + width / 2, side / 2 + height / 2, scale)


def _finish(drawing: MapDrawing) -> tuple[float, float]:
    """Milliseconds of the main thread until all is drawn, a call a frame: the sum, and the longest call."""
    total = longest = 0.0
    while drawing.is_busy:
        begin = time.thread_time()
        drawing.advance(0.003)
        took = (time.thread_time() - begin) * 1e3
        total, longest = total + took, max(longest, took)
        if drawing.is_busy:
            time.sleep(FRAME_SECONDS)
    return total, longest


def _flip(drawing: MapDrawing, x: int, y: int) -> None:
    """Turn 4 x 4 tiles from wall to ground or back."""
    grid = drawing.grid
    grid.set_cost_rect(x, y, 1 - np.minimum(grid.cost[y : y + 4, x : x + 4], 1))
    drawing.note_edit(x, y, 4, 4)


def _best(work: Callable[[], float], rounds: int = 6) -> float:
    return min(work() for _ in range(rounds))


def _bars_are_right(drawing: MapDrawing) -> bool:
    """Whether the bars shown are as many as the solver has portals in the chunks, and none is missing of the graph's edges."""
    sectors = drawing.sectors
    assert sectors is not None
    if drawing.level > 1:
        return drawing.line_count <= MOST_LINES
    pieces = drawing.shown()
    chunks = {key.chunk for key in pieces if key.layer == Layer.PORTALS and key.chunk is not None}
    side = LEVELS[drawing.level].chunk
    bars = sum(int((pieces[key].quad_roles == Role.PORTAL).sum()) for key in pieces if key.layer == Layer.PORTALS)
    edges = sum(
        int(np.isin(roles, (Role.STRAIGHT_EDGE, Role.WINDING_EDGE)).sum())
        for key in pieces
        if key.layer == Layer.GRAPH
        for roles in (pieces[key].quad_roles, pieces[key].line_roles)
    )
    wanted_bars = wanted_edges = 0
    for chunk in chunks:
        per = side // sectors.size
        left, top = chunk.column * per, chunk.row * per
        right, bottom = min(left + per, sectors.column_count), min(top + per, sectors.row_count)
        wanted_edges += len(edges_of(sectors, (left, top, right, bottom)).cost)
        for line in range(top, bottom):
            for column in range(left, right):
                portals = sectors.portals(line * sectors.column_count + column)
                wanted_bars += sum(portal.side in (EAST, SOUTH) for portal in portals)
    return bars == wanted_bars and edges == wanted_edges and drawing.line_count <= MOST_LINES


def _rows_of(side: int, drawing: MapDrawing, scale: float) -> list[Row]:
    grid, middle = drawing.grid, side // 2
    name = f"{side}.{scale:g}_px"

    def edit() -> float:
        _flip(drawing, middle, middle)
        return _finish(drawing)[0]

    def longest_of_edit() -> float:
        _flip(drawing, middle, middle)
        return _finish(drawing)[1]

    def wait_for_edit() -> float:
        _flip(drawing, middle, middle)
        begin = time.perf_counter()
        _finish(drawing)
        return (time.perf_counter() - begin) * 1e3

    def pan() -> float:
        drawing.look_at(_view(side, scale))
        _finish(drawing)
        longest = 0.0
        for step in range(1, 41):
            begin = time.thread_time()
            drawing.look_at(_view(side, scale, 24.0 * step))
            drawing.advance(0.003)
            longest = max(longest, (time.thread_time() - begin) * 1e3)
        drawing.look_at(_view(side, scale))
        _finish(drawing)
        return longest

    drawing.look_at(_view(side, scale))
    drawing.layers = STATIC
    _finish(drawing)
    found = [row(f"drawing.edit.{name}", _best(edit), "ms", "budget", EDIT_MS, _bars_are_right(drawing))]
    drawing.layers = EVERYTHING
    drawing.set_probe(grid.nearest_free(middle + 20, middle + 10))
    drawing.set_path(grid.nearest_free(middle - 30, middle - 20), grid.nearest_free(middle + 40, middle + 30))
    _finish(drawing)
    ok = _bars_are_right(drawing)
    return [
        *found,
        row(f"drawing.edit_with_flow_and_path.{name}", _best(edit), "ms", "budget", EDIT_MS, ok),
        row(f"drawing.longest_frame_of_it.{name}", _best(longest_of_edit), "ms", "budget", EDIT_MS, ok),
        row(f"drawing.until_it_is_drawn.{name}", _best(wait_for_edit, 3), "ms", None, None, ok),
        row(f"drawing.longest_frame_of_a_pan.{name}", _best(pan, 3), "ms", "budget", PAN_MS, ok),
        row(f"drawing.lines.{name}", float(drawing.line_count), "lines", "most", float(MOST_LINES), ok),
    ]


def rows() -> list[Row]:
    """All rows."""
    found = []
    for side in (1024, 4096):
        grid = TileGrid(generate_map("caverns", side, side, 3).cost)
        drawing = MapDrawing(grid)
        drawing.layers = Layer.SECTORS
        drawing.look_at(_view(side, 16.0))
        total, longest = _finish(drawing)
        assert drawing.sectors is not None
        ok = bool(np.array_equal(drawing.sectors.component, SectorMap(grid).component))
        found.append(row(f"drawing.sectors_longest_slice.{side}", longest, "ms", "stall that is felt", SLICE_MS, ok))
        found.append(row(f"drawing.sectors_in_all.{side}", total, "ms", None, None, ok))
        for scale in SCALES:
            found += _rows_of(side, drawing, scale)
    return found
