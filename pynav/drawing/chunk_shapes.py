"""What each layer shows of a chunk, but for what leads to the probe (probe_shapes.py)."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.drawing import _fill_kernels as kernels
from pynav.drawing.piece import Fill, Label, Piece, diamonds, frames, thick_lines
from pynav.drawing.portal_shapes import PortalLists, island_links, links_of
from pynav.drawing.roles import CACHE_STEPS, COST_STEPS, EASY_STEPS, ISLAND_HUES, Role
from pynav.drawing.view import LEVELS, Chunk, tiles_of
from pynav.grid import TileGrid
from pynav.grid.steps import UNIT_STEP_COST
from pynav.portals import SectorMap

_BAR = 0.34  # thickness of a portal's bar, tiles
_LINK = 0.14
_EDGE = 0.12
_NODE = 0.7
_LEAST_LABEL = 3 * UNIT_STEP_COST  # shorter ways have no room for a number
_FRAME = 0.7  # distance and thickness of a cached sector's frame
_MOST_FRAMED = 200  # sectors of an edit that are framed
_CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
_MAJOR = 8  # sectors from one major border to the next

Roles = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Rect = tuple[int, int, int, int]


def sector_rect(sectors: SectorMap, tiles: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The sectors that begin in a rectangle of tiles."""
    size = sectors.size
    left, top, right, bottom = tiles
    return -(-left // size), -(-top // size), -(-right // size), -(-bottom // size)


def sectors_in(sectors: SectorMap, rect: Rect) -> npt.NDArray[np.int64]:
    """int64 (n,): the sectors of a rectangle (left, top, right, bottom; the last two not included), row by row."""
    left, top, right, bottom = rect
    return (np.arange(top, bottom)[:, None] * sectors.column_count + np.arange(left, right)).reshape(-1)


def _roles(role: Role, count: int) -> Roles:
    return np.full(count, role, dtype=np.uint8)


@cache
def cost_roles(usual: int) -> Roles:
    """uint8 (256,): the role of a tile by its cost; those that cost as much as most of the map have none."""
    times = np.log2(np.arange(1, 256) / max(usual, 1))  # by doublings: from 1 to 2 is as much for a unit as from 8 to 16
    dear = Role.COST + np.clip(2 * times, 0, COST_STEPS - 1)
    easy = Role.EASY + np.clip(-2 * times - 0.01, 0, EASY_STEPS - 1)
    table = np.full(256, Role.BLOCKED, dtype=np.uint8)
    table[1:] = np.where(times > 0, dear, np.where(times < 0, easy, Role.NOTHING))
    return table


def _patched(grid: TileGrid, chunk: Chunk, before: Piece | None, patch: Rect | None, kernel: Any, known: Any) -> Piece:
    """A chunk's filled tiles; of a piece that is known those alone that a rectangle (x, y, width, height) holds, if there is one.

    Args:
        kernel: writes roles of squares of tiles (_fill_kernels.py), ``known`` its argument beside the costs.
    """
    left, top, right, bottom = tiles_of(chunk, grid.width, grid.height)
    stride = LEVELS[chunk.level].stride
    if before is None or before.fill is None or patch is None:
        roles = np.zeros((-(-(bottom - top) // stride), -(-(right - left) // stride)), dtype=np.uint8)
        x, y, x_end, y_end = 0, 0, roles.shape[1], roles.shape[0]
    else:
        roles = before.fill.roles.copy()
        x, y = max(patch[0] - left, 0) // stride, max(patch[1] - top, 0) // stride
        x_end = -(-(min(patch[0] + patch[2], right) - left) // stride)
        y_end = -(-(min(patch[1] + patch[3], bottom) - top) // stride)
    kernel(grid.cost, known, left, top, stride, x, y, x_end, y_end, roles)
    return Piece(Fill(left, top, stride, roles))


def draw_tiles(grid: TileGrid, chunk: Chunk, before: Piece | None = None, patch: Rect | None = None) -> Piece:
    """Blocked tiles, and those that are dearer or cheaper than most.

    Args:
        before, patch: what was shown, and the tiles (x, y, width, height) outside which it still holds.
    """
    return _patched(grid, chunk, before, patch, kernels.write_cost_roles, cost_roles(grid.usual_cost))


def draw_sectors(sectors: SectorMap, chunk: Chunk) -> Piece:
    """Borders of sectors; from afar every eighth."""
    grid, size = sectors.grid, sectors.size
    left, top, right, bottom = tiles_of(chunk, grid.width, grid.height)
    step = size if chunk.level < len(LEVELS) - 1 else size * _MAJOR
    x = np.arange(-(-left // step), -(-right // step) + (right == grid.width)) * step
    y = np.arange(-(-top // step), -(-bottom // step) + (bottom == grid.height)) * step
    x, y = np.minimum(x, grid.width), np.minimum(y, grid.height)
    lines = np.zeros((len(x) + len(y), 2, 2), dtype=np.float32)
    lines[: len(x), :, 0] = x[:, None]
    lines[: len(x), :, 1] = top, bottom
    lines[len(x) :, :, 1] = y[:, None]
    lines[len(x) :, :, 0] = left, right
    places = np.concatenate([x, y])
    roles = np.where(places % (size * _MAJOR) == 0, Role.MAJOR_BORDER, Role.SECTOR_BORDER).astype(np.uint8)
    return Piece(lines=lines, line_roles=roles)


def island_roles(sectors: SectorMap) -> Roles:
    """uint8 (islands,): the role of each island, counted through all sectors.

    The hue tells what is connected: the largest part of the map has the first, others go by where they begin, so that an edit
    elsewhere leaves their colour as it is. Islands of a sector, and sectors side by side, differ in shade.
    """
    start, component = sectors.island_start, sectors.component
    count = np.diff(start)
    sector = np.repeat(np.arange(sectors.sector_count), count)
    if len(component) == 0:
        return np.zeros(0, dtype=np.uint8)
    local = np.arange(len(component)) - np.repeat(start[:-1], count)
    highest = np.maximum.accumulate(component)  # they are numbered by their first islands
    first = np.flatnonzero(np.diff(highest, prepend=0))
    hue = 1 + (sector[first] * 7 + local[first] * 3) % (ISLAND_HUES - 1)
    hue[np.argmax(np.bincount(component)[1:])] = 0
    shade = (sector % sectors.column_count + sector // sectors.column_count + local) % 2
    return (Role.ISLAND + 2 * hue[component - 1] + shade).astype(np.uint8)


def draw_islands(sectors: SectorMap, chunk: Chunk, role_of_island: Roles) -> Piece:
    """Islands: the hue tells what is connected, the shade tells them apart."""
    left, top, right, bottom = tiles_of(chunk, sectors.grid.width, sectors.grid.height)
    stride = LEVELS[chunk.level].stride
    roles = np.zeros((-(-(bottom - top) // stride), -(-(right - left) // stride)), dtype=np.uint8)
    kernels.write_island_roles(
        sectors.island, sectors.island_start, role_of_island, sectors.size, sectors.column_count, left, top, stride, roles
    )
    return Piece(Fill(left, top, stride, roles))


def draw_portals(sectors: SectorMap, chunk: Chunk, lists: PortalLists) -> Piece:
    """Portals as bars along the borders, and links across where routes may cross; from afar nothing."""
    if chunk.level == len(LEVELS) - 1:
        return Piece()
    rect = sector_rect(sectors, tiles_of(chunk, sectors.grid.width, sectors.grid.height))
    thick = LEVELS[chunk.level].thickness
    begin, end = lists.portals(rect).ends
    along = np.sign(end - begin) * np.float32(min(0.1 + 0.5 * _BAR * thick, 0.45))  # ends of bars stay apart
    quads, roles = thick_lines(begin + along, end - along, _BAR * thick), _roles(Role.PORTAL, len(begin))
    if chunk.level == 0:
        links = links_of(sectors, rect)
        ticks = thick_lines(links[:, 0], links[:, 1], _LINK)
        quads, roles = np.concatenate([quads, ticks]), np.concatenate([roles, _roles(Role.LINK, len(links))])
    return Piece(quads=quads, quad_roles=roles)


def draw_graph(sectors: SectorMap, chunk: Chunk, lists: PortalLists) -> Piece:
    """Ways inside sectors from portal to portal, with what they cost; from farther away which islands are joined."""
    rect = sector_rect(sectors, tiles_of(chunk, sectors.grid.width, sectors.grid.height))
    if chunk.level == len(LEVELS) - 1:
        return Piece()
    if chunk.level > 1:
        lines = island_links(sectors, lists, rect)
        return Piece(lines=lines, line_roles=_roles(Role.STRAIGHT_EDGE, len(lines)))
    edges = lists.edges(rect)
    roles = np.where(edges.is_winding, Role.WINDING_EDGE, Role.STRAIGHT_EDGE).astype(np.uint8)
    if chunk.level > 0:
        return Piece(lines=edges.line, line_roles=roles)
    quads = thick_lines(edges.line[:, 0], edges.line[:, 1], _EDGE)
    nodes = diamonds(_different(edges.line.reshape(-1, 2)), _NODE)
    # Not all in the middle, where ways cross; by turns nearer to one end.
    share = np.array([0.5, 0.3, 0.7], dtype=np.float32)[np.arange(len(roles)) % 3][:, None]
    places = edges.line[:, 0] + (edges.line[:, 1] - edges.line[:, 0]) * share
    labels = [
        Label(x, y, f"{cost / UNIT_STEP_COST:.0f}")
        for (x, y), cost in zip(places.tolist(), edges.cost.tolist(), strict=True)
        if cost >= _LEAST_LABEL
    ]
    roles = np.concatenate([roles, _roles(Role.NODE, len(nodes))])
    return Piece(quads=np.concatenate([quads, nodes]), quad_roles=roles, labels=tuple(labels))


def _different(places: Floats) -> Floats:
    """Each of some places on the half tiles once, by x and y."""
    doubled = (places * 2).astype(np.int64)
    return places[np.unique(doubled[:, 0] << 32 | doubled[:, 1], return_index=True)[1]]


def draw_clearance(grid: TileGrid, chunk: Chunk, unit_size: int, before: Piece | None = None, patch: Rect | None = None) -> Piece:
    """Where units of a size can stand, and free tiles that are too narrow for them; the last two as in ``draw_tiles``."""
    return _patched(grid, chunk, before, patch, kernels.write_clearance, unit_size)


def draw_cache(sectors: SectorMap, chunk: Chunk, kept: npt.NDArray[np.int32]) -> Piece:
    """Sectors for which fields are kept, the stronger the more; ``kept`` int32 (sectors,) counts them."""
    left, top, right, bottom = sector_rect(sectors, tiles_of(chunk, sectors.grid.width, sectors.grid.height))
    count = kept.reshape(sectors.row_count, sectors.column_count)[top:bottom, left:right]
    roles = np.where(count > 0, Role.CACHE - 1 + np.minimum(count, CACHE_STEPS), 0).astype(np.uint8)
    if chunk.level < 2:  # frames, so that what lies below is seen
        row, column = np.nonzero(roles)
        begin = np.stack([column + left, row + top], axis=1) * np.float32(sectors.size) + np.float32(_FRAME)
        corners = begin[:, None] + _CORNERS * np.float32(sectors.size - 2 * _FRAME)
        return Piece(quads=frames(corners, _FRAME * 0.8), quad_roles=np.repeat(roles[row, column], 4))
    return Piece(Fill(left * sectors.size, top * sectors.size, sectors.size, roles))


def draw_rebuilt(
    sectors: SectorMap,
    edit: tuple[int, int, int, int],
    touched: npt.NDArray[np.int32],
    changed: npt.NDArray[np.int32],
    level: int,
) -> Piece:
    """What an edit rebuilt: the sectors that it touched, those beside them whose anchors changed, and its outline."""
    if len(changed) == 0:
        return Piece()
    row, column = changed // sectors.column_count, changed % sectors.column_count
    top, left = int(row.min()), int(column.min())
    roles = np.zeros((int(row.max()) - top + 1, int(column.max()) - left + 1), dtype=np.uint8)
    is_touched = np.isin(changed, touched)
    roles[row - top, column - left] = np.where(is_touched, Role.TOUCHED, Role.BESIDE)
    x, y, columns, rows = edit
    thick = LEVELS[level].thickness
    quads = [_frame(np.array([[x, y]]), np.array([[columns, rows]]), 0.25 * thick)]
    own = changed[is_touched][:_MOST_FRAMED]
    if len(own):
        place = np.stack([own % sectors.column_count, own // sectors.column_count], axis=1) * sectors.size
        quads.append(_frame(place, np.full((len(own), 2), sectors.size), 0.18 * thick))
    outline = np.concatenate(quads)
    fill = Fill(left * sectors.size, top * sectors.size, sectors.size, roles)
    text = f"{len(changed)} sector{'s' if len(changed) != 1 else ''} rebuilt"
    label = Label(x + columns / 2, y - 1.2 * thick, text, 1.3 * thick)
    return Piece(fill, quads=outline, quad_roles=_roles(Role.EDIT_OUTLINE, len(outline)), labels=(label,))


def _frame(begin: npt.NDArray[np.integer], size: npt.NDArray[np.integer], thickness: float) -> Floats:
    """The outlines of rectangles, four quads each."""
    return frames((begin[:, None] + size[:, None] * _CORNERS).astype(np.float32), thickness)
