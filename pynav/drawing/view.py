"""What is in view, in how much detail, and the parts (chunks) that it is made of."""

from enum import IntFlag
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt


class Layer(IntFlag):
    """What can be drawn; flags, so that several are one number."""

    TILES = 1
    SECTORS = 2
    ISLANDS = 4
    PORTALS = 8
    GRAPH = 16
    CLEARANCE = 32
    FLOW = 64
    PATH = 128
    CACHE = 256
    REBUILT = 512

    __hash__ = int.__hash__  # that of enumerations is written in Python, and keys are hashed often


# From the ground up: fills below lines, and what the user asked for by hand on top.
DRAWING_ORDER: Final = (
    Layer.TILES,
    Layer.ISLANDS,
    Layer.CLEARANCE,
    Layer.FLOW,
    Layer.CACHE,
    Layer.REBUILT,
    Layer.SECTORS,
    Layer.GRAPH,
    Layer.PORTALS,
    Layer.PATH,
)


class Level(NamedTuple):
    """A level of detail.

    Attributes:
        least_scale: pixels a tile from which it is used.
        chunk: tiles a side of a chunk, a multiple of every usual sector size.
        stride: tiles a side of a square of filled tiles.
        arrow_step: tiles from one arrow to the next.
        thickness: how much thicker bars are, so that they stay visible.
    """

    least_scale: float
    chunk: int
    stride: int
    arrow_step: int
    thickness: float


LEVELS: Final = (
    Level(11.0, 64, 1, 1, 1.0),
    Level(4.5, 64, 1, 2, 1.7),
    Level(1.2, 128, 1, 16, 4.0),
    Level(0.0, 512, 4, 64, 14.0),
)
MOST_LINES: Final = 60_000  # drawn at once
_LINES_PER_SECTOR: Final = (90, 60, 9, 1)  # about, with all layers on open ground


class View(NamedTuple):
    """A rectangle of tiles (right and bottom not included) and how large a tile is drawn."""

    left: float
    top: float
    right: float
    bottom: float
    pixels_per_tile: float


class Chunk(NamedTuple):
    """A part of the map that is described, drawn and thrown away as one; column and row count chunks of its level."""

    level: int
    column: int
    row: int


class Key(NamedTuple):
    """Names a piece: a layer's part in a chunk, or (chunk None) what it has beside the chunks."""

    layer: Layer
    chunk: Chunk | None


def order_of(key: Key) -> int:
    """Place of a piece from the ground up; the probe's mark lies above all that leads to it."""
    return DRAWING_ORDER.index(Layer.PATH if key == Key(Layer.FLOW, None) else key.layer)


def level_of(view: View, width: int, height: int, sector_size: int) -> int:
    """The level of detail for a view of a map: by the size of a tile, and so that the lines stay below their most."""
    across = max(min(view.right, width) - max(view.left, 0), 1) / sector_size
    down = max(min(view.bottom, height) - max(view.top, 0), 1) / sector_size
    for number, level in enumerate(LEVELS[:-1]):
        if view.pixels_per_tile >= level.least_scale and across * down * _LINES_PER_SECTOR[number] <= MOST_LINES:
            return number
    return len(LEVELS) - 1


def chunks_in(view: View, level: int, width: int, height: int) -> list[Chunk]:
    """The chunks of a level that a view shows of a map, the ones in its middle first."""
    side = LEVELS[level].chunk
    columns = range(max(int(view.left // side), 0), min(int(-(-view.right // side)), -(-width // side)))
    rows = range(max(int(view.top // side), 0), min(int(-(-view.bottom // side)), -(-height // side)))
    middle_x, middle_y = (view.left + view.right) / 2 / side - 0.5, (view.top + view.bottom) / 2 / side - 0.5
    found = [Chunk(level, column, row) for row in rows for column in columns]
    return sorted(found, key=lambda chunk: (chunk.column - middle_x) ** 2 + (chunk.row - middle_y) ** 2)


def chunks_with(level: int, column: npt.NDArray[np.integer], row: npt.NDArray[np.integer], size: int) -> set[Chunk]:
    """The chunks of a level that hold one of some sectors of ``size`` tiles a side."""
    per = LEVELS[level].chunk // size
    places = np.unique(row.astype(np.int64) // per << 32 | column.astype(np.int64) // per).tolist()
    return {Chunk(level, place & 0xFFFFFFFF, place >> 32) for place in places}


def tiles_of(chunk: Chunk, width: int, height: int) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of a chunk's tiles within a map; right and bottom not included."""
    side = LEVELS[chunk.level].chunk
    left, top = chunk.column * side, chunk.row * side
    return left, top, min(left + side, width), min(top + side, height)
