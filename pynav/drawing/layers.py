"""The layers that ``python -m pynav draw`` knows."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from pynav.drawing.canvas import Canvas, Colour
from pynav.grid import TileGrid
from pynav.grid.steps import UNIT_STEP_COST
from pynav.portals import Portal, PortalRouter, SectorMap
from pynav.portals.sector_layout import EAST, FAR, SOUTH

Tile = tuple[int, int]

GREATEST_SIDE: Final = 2048  # pixels, unless a scale is given
_GREATEST_SCALE: Final = 24

_GROUND: Final = np.array([246, 244, 238], dtype=np.float32)
_MUD: Final = np.array([196, 174, 140], dtype=np.float32)
_WALL: Final = np.array([52, 56, 64], dtype=np.float32)
_LINE: Colour = (120, 132, 150)
_BLUE: Colour = (0, 114, 178)
_ORANGE: Colour = (230, 159, 0)
_VERMILION: Colour = (213, 94, 0)
_GREEN: Colour = (0, 158, 115)
_INK: Colour = (24, 28, 36)
_PAPER: Colour = (255, 255, 255)
# Light tints of the colours of Okabe and Ito, for the islands.
_TINTS: Final = np.array(
    [[160, 206, 238], [248, 216, 150], [150, 216, 196], [244, 238, 160], [232, 190, 214], [238, 180, 150], [190, 196, 226]],
    dtype=np.float32,
)
# A cividis in five steps: even in lightness, the same to all eyes.
_SCALE: Final = np.array([[255, 234, 105], [196, 178, 110], [140, 137, 121], [86, 92, 108], [20, 48, 104]], dtype=np.float32)
_BANDS: Final = 24  # rings of equal distance that the flow's ground shows
_ARROW_PIXELS: Final = 13  # from one arrow to the next, at least


def scale_of(grid: TileGrid) -> int:
    """Pixels a tile that suit a map."""
    return max(1, min(_GREATEST_SCALE, GREATEST_SIDE // max(grid.width, grid.height)))


def _ground(grid: TileGrid) -> npt.NDArray[np.float32]:
    """Colours of the tiles: dear ones are darker, walls dark."""
    weight = ((grid.cost.astype(np.float32) - 1) / 8).clip(0, 1)[..., None]
    return np.where(grid.cost[..., None] == 0, _WALL, _GROUND * (1 - weight) + _MUD * weight).astype(np.float32)


def _sectors(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    tiles = _ground(sectors.grid)
    rows, columns = np.indices(sectors.island.shape) // sectors.size
    dark = ((rows + columns) % 2 == 1) & (sectors.grid.cost != 0)
    tiles[dark] = tiles[dark] * 0.8 + np.array(_TINTS[0]) * 0.2
    canvas = Canvas(tiles, scale)
    canvas.lattice(sectors.size, _BLUE, 0.55, max(1, scale // 6))
    return canvas


def _islands(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    tiles = _ground(sectors.grid)
    rows, columns = np.indices(sectors.island.shape) // sectors.size
    tint = _TINTS[(columns + 2 * rows + 3 * (sectors.island.astype(np.int64) - 1)) % len(_TINTS)]
    is_free = sectors.island > 0
    tiles[is_free] = tiles[is_free] * tint[is_free] / _GROUND
    canvas = Canvas(tiles, scale)
    canvas.lattice(sectors.size, _LINE, 0.5)
    return canvas


def _middle(portal: Portal) -> tuple[float, float]:
    return (portal.first[0] + portal.last[0] + 1) / 2, (portal.first[1] + portal.last[1] + 1) / 2


def _portals(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    canvas = Canvas(_ground(sectors.grid), scale)
    canvas.lattice(sectors.size, _LINE, 0.45)
    width = sectors.grid.width
    for sector in range(sectors.sector_count):
        for portal in sectors.portals(sector):
            if portal.side not in (EAST, SOUTH):  # the neighbour's are the others
                continue
            (left, top), (right, bottom) = portal.first, portal.last
            is_east = portal.side == EAST
            canvas.rectangle(left, top, right + (2 if is_east else 1), bottom + (1 if is_east else 2), _BLUE, 0.45)
            for anchor in portal.anchors:
                tile = int(sectors.pool.tiles(sector)[anchor])
                x, y = tile % width + (1.0 if is_east else 0.5), tile // width + (0.5 if is_east else 1.0)
                canvas.disc((x, y), max(1.0, scale * 0.42), _VERMILION)
    return canvas


def _graph(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    """Each way between two portals of an island as a line from middle to middle: blue where straight, orange where it winds."""
    tiles = _ground(sectors.grid)
    canvas = Canvas(tiles * 0.75 + 60, scale)
    canvas.lattice(sectors.size, _LINE, 0.3)
    thickness = max(1.2, scale * 0.16)
    for sector in range(sectors.sector_count):
        portals, matrix = sectors.portals(sector), sectors.matrix(sector)
        for index, one in enumerate(portals):
            for other in portals[:index]:
                way = int(matrix[np.ix_(one.anchors, other.anchors)].min())
                if way < FAR:
                    canvas.line(_middle(one), _middle(other), thickness, *_way_colour(one, other, way, sectors))
    for sector in range(sectors.sector_count):
        for portal in sectors.portals(sector):
            if portal.side in (EAST, SOUTH):
                x, y = _middle(portal)
                at = (x + 0.5, y) if portal.side == EAST else (x, y + 0.5)
                canvas.disc(at, max(2.6, scale * 0.5), _PAPER)
                canvas.disc(at, max(1.8, scale * 0.38), _INK)
    return canvas


def _way_colour(one: Portal, other: Portal, way: int, sectors: SectorMap) -> tuple[Colour, float]:
    """Colour and strength of a way, by its length beside the shortest that walls would allow."""
    across = max(max(one.first[0] - other.last[0], other.first[0] - one.last[0]), 0)
    down = max(max(one.first[1] - other.last[1], other.first[1] - one.last[1]), 0)
    least = (max(across, down) + 0.4142 * min(across, down)) * UNIT_STEP_COST * max(1, sectors.grid.cost_range[0])
    return (_ORANGE, 0.95) if way > 1.15 * least + UNIT_STEP_COST else (_BLUE, 0.6)


def _flow(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    """Rings of equal distance to the goal, and arrows that show where units would go."""
    router = PortalRouter(sectors)
    target = goal if goal is not None else default_goal(sectors)
    router.set_goals([target])
    code, remaining = flow_of(router)
    tiles = _ground(sectors.grid)
    known = remaining >= 0
    if known.any():
        place = remaining[known] / max(float(remaining.max()), 1.0)
        banded = (np.floor(place * _BANDS) + 0.5) / _BANDS * (len(_SCALE) - 1)
        low = banded.astype(np.int64).clip(0, len(_SCALE) - 2)
        tiles[known] = _SCALE[low] + (_SCALE[low + 1] - _SCALE[low]) * (banded - low)[:, None].astype(np.float32)
    canvas = Canvas(tiles, scale)
    every = max(1, -(-_ARROW_PIXELS // scale))
    y, x = np.nonzero(code < 8)
    shown = (x % every == every // 2) & (y % every == every // 2)
    x, y = x[shown], y[shown]
    is_near = remaining[y, x] < 0.55 * remaining.max()
    places = np.stack([x + 0.5, y + 0.5], axis=1)
    size = min(0.92 * every * scale, 22.0)
    for near, colour in ((True, _INK), (False, _PAPER)):
        picked = is_near == near
        canvas.arrows(places[picked], code[y[picked], x[picked]], size, colour)
    at = (target[0] + 0.5, target[1] + 0.5)
    for radius, colour in ((1.0, _PAPER), (0.8, _VERMILION), (0.4, _PAPER)):
        canvas.disc(at, max(9.0, scale * 0.8) * radius, colour)
    return canvas


def flow_of(router: PortalRouter) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Codes and remaining costs of all tiles, uint8 and int64 (height, width); -1 where no way leads."""
    sectors = router.sectors
    size, grid = sectors.size, sectors.grid
    code: npt.NDArray[np.uint8] = np.full((grid.height, grid.width), 255, dtype=np.uint8)
    remaining: npt.NDArray[np.int64] = np.full((grid.height, grid.width), -1, dtype=np.int64)
    router.search.settle(range(sectors.sector_count))
    start = sectors.island_start
    wanted = [(sector, island) for sector in range(sectors.sector_count) for island in range(start[sector], start[sector + 1])]
    for (sector, island), field in zip(wanted, router.fields.fields(router.search, wanted), strict=True):
        if field is None:
            continue
        top, left = sector // sectors.column_count * size, sector % sectors.column_count * size
        part = np.s_[top : top + size, left : left + size]
        own = sectors.island[part] == island - start[sector] + 1
        shape = own.shape
        value = field.value.reshape(size, size)[: shape[0], : shape[1]]
        own &= value < FAR
        code[part][own] = field.direction.reshape(size, size)[: shape[0], : shape[1]][own]
        remaining[part][own] = field.base + value[own].astype(np.int64)
    return code, remaining


def default_goal(sectors: SectorMap) -> Tile:
    """The tile of the largest part of the map that is nearest to the map's middle."""
    label = sectors.grid.components()
    largest = int(np.argmax(np.bincount(label.reshape(-1))[1:])) + 1
    found = sectors.grid.nearest_free(sectors.grid.width // 2, sectors.grid.height // 2, largest)
    assert found is not None
    return found


LAYERS: Final[dict[str, Callable[[SectorMap, int, Tile | None], Canvas]]] = {
    "sectors": _sectors,
    "islands": _islands,
    "portals": _portals,
    "graph": _graph,
    "flow": _flow,
}


def draw_layer(grid: TileGrid, layer: str, goal: Tile | None = None, scale: int | None = None) -> npt.NDArray[np.uint8]:
    """Draw a layer of a map.

    Args:
        grid: the map, not all solid.
        layer: a name in ``LAYERS``.
        goal: tile (x, y) that the flow leads to, for that layer; without one, the free tile nearest to the middle.
        scale: pixels a tile; without one, as large as 2048 pixels allow.

    Returns:
        uint8 (height, width, 3).
    """
    return LAYERS[layer](SectorMap(grid), scale or scale_of(grid), goal).pixels
