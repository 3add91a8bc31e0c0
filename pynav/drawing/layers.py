"""The layers that ``python -m pynav draw`` knows."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from pynav.drawing.canvas import Canvas, Colour
from pynav.drawing.flow_reading import flow_of
from pynav.drawing.portal_shapes import edges_of, links_of, portals_of
from pynav.grid import TileGrid
from pynav.portals import PortalRouter, SectorMap

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


def _everywhere(sectors: SectorMap) -> tuple[int, int, int, int]:
    return 0, 0, sectors.column_count, sectors.row_count


def _portals(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    """Portals over both rows of tiles that they join, and a disc where routes may cross."""
    canvas = Canvas(_ground(sectors.grid), scale)
    canvas.lattice(sectors.size, _LINE, 0.45)
    portals = portals_of(sectors, _everywhere(sectors))
    begins, ends = portals.ends
    across = np.where(portals.is_east[:, None], [[1.0, 0.0]], [[0.0, 1.0]])
    for (left, top), (right, bottom) in zip((begins - across).tolist(), (ends + across).tolist(), strict=True):
        canvas.rectangle(left, top, right, bottom, _BLUE, 0.45)
    for x, y in links_of(sectors, _everywhere(sectors)).mean(axis=1).tolist():
        canvas.disc((x, y), max(1.0, scale * 0.42), _VERMILION)
    return canvas


def _graph(sectors: SectorMap, scale: int, goal: Tile | None) -> Canvas:
    """Each way between two portals of an island as a line from middle to middle: blue where straight, orange where it winds."""
    tiles = _ground(sectors.grid)
    canvas = Canvas(tiles * 0.75 + 60, scale)
    canvas.lattice(sectors.size, _LINE, 0.3)
    thickness = max(1.2, scale * 0.16)
    edges = edges_of(sectors, _everywhere(sectors))
    for (begin, end), is_winding in zip(edges.line.tolist(), edges.is_winding.tolist(), strict=True):
        colour, alpha = (_ORANGE, 0.95) if is_winding else (_BLUE, 0.6)
        canvas.line(tuple(begin), tuple(end), thickness, colour, alpha)
    for x, y in portals_of(sectors, _everywhere(sectors)).middle.tolist():
        canvas.disc((x, y), max(2.6, scale * 0.5), _PAPER)
        canvas.disc((x, y), max(1.8, scale * 0.38), _INK)
    return canvas


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
