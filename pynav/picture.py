"""Pictures of a world, and PNG files, with nothing but the standard library and numpy."""

import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import ARRIVED, UNREACHABLE
from pynav.world import World

GREATEST_SIDE = 2048  # pixels
_GROUND = np.array([58, 74, 52])
_MUD = np.array([74, 62, 44])
_WALL = np.array([24, 24, 30])
_GOAL = np.array([255, 214, 90])
_UNIT_COLOURS = ((222, 92, 70), (86, 156, 232), (190, 120, 220), (240, 170, 80))
_ARRIVED_COLOUR = (120, 220, 140)
_UNREACHABLE_COLOUR = (140, 140, 140)


def write_png(path: Path, pixels: npt.NDArray[np.uint8]) -> None:
    """Write a picture, uint8 (height, width, 3), as a PNG file."""
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or 0 in pixels.shape:
        raise ValueError(f"expected pixels as uint8 (height, width, 3), got {pixels.dtype} {pixels.shape}")
    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each line begins with its filter: 0, none
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    with path.open("wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for kind, content in chunks:
            file.write(struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content)))


def world_picture(world: World, pixels_per_tile: int | None = None) -> npt.NDArray[np.uint8]:
    """The map from above with its goals and units, uint8 (height, width, 3).

    Units are dots in the colour of their crowd; green ones have arrived, grey ones found no way.
    """
    grid = world.grid
    if grid is None:
        raise ValueError("expected a world with a map, got one without")
    cost = grid.cost
    scale = pixels_per_tile or max(1, min(16, GREATEST_SIDE // max(cost.shape)))
    weight = ((cost.astype(np.float32) - 1) / 8).clip(0, 1)[..., None]
    tiles = np.where(cost[..., None] == 0, _WALL, _GROUND * (1 - weight) + _MUD * weight).astype(np.uint8)
    for crowd in world.crowds:
        goal = crowd.goal
        if goal is not None:
            tiles[goal[:, 1].astype(int), goal[:, 0].astype(int)] = _GOAL
    picture = tiles.repeat(scale, axis=0).repeat(scale, axis=1)
    for crowd in world.crowds:
        there = crowd.alive
        points = (crowd.positions[there] * scale).astype(np.int64)
        states = crowd.states[there]
        colours = np.tile(np.array(_UNIT_COLOURS[crowd.index % len(_UNIT_COLOURS)], dtype=np.uint8), (len(points), 1))
        colours[states == ARRIVED] = _ARRIVED_COLOUR
        colours[states == UNREACHABLE] = _UNREACHABLE_COLOUR
        reach = int(crowd.radius * scale * 0.7)
        for down in range(-reach, reach + 1):
            for right in range(-reach, reach + 1):
                if right * right + down * down <= reach * reach:
                    row = (points[:, 1] + down).clip(0, picture.shape[0] - 1)
                    column = (points[:, 0] + right).clip(0, picture.shape[1] - 1)
                    picture[row, column] = colours
    return picture
