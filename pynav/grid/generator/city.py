"""A city: avenues, streets and alleys between blocks of houses with yards, squares, a park with a pond."""

import numpy as np

from pynav.grid.generator.noise import FULL, fractal_noise, random_below
from pynav.grid.generator.shapes import close_unreachable, smoothed
from pynav.grid.generator.terrain import BUILDING, FLOOR, FOREST, PLAIN, ROAD, WATER, Terrain

_AVENUE = 6  # tiles wide
_STREET = 4
_ALLEY = 2
_BLOCK = 22  # least side of a block, tiles
_BLOCK_SPREAD = 18


def city(width: int, height: int, seed: int) -> Terrain:
    """Terrain of a city map."""
    terrain = np.full((height, width), ROAD, dtype=np.uint8)
    for row, (y, rows) in enumerate(_strips(height, seed, 1)):
        # Every row of blocks has streets of its own between the avenues, as old towns do.
        for column, (x, columns) in enumerate(_strips(width, seed, 2 + row)):
            _block(terrain, x, y, columns, rows, seed, row * 4096 + column)
    park = smoothed(fractal_noise(width, height, max(min(width, height) // 5, 8), 2, seed, 5) > FULL * 64 // 100, 2, False)
    trees = fractal_noise(width, height, 8, 2, seed, 6) > FULL * 52 // 100
    pond = smoothed(park & (fractal_noise(width, height, 20, 2, seed, 7) > FULL * 60 // 100), 2, False)
    ground = park & (terrain != ROAD)
    terrain[ground] = PLAIN
    terrain[ground & trees] = FOREST
    terrain[ground & pond] = WATER
    close_unreachable(terrain, None, BUILDING)
    return terrain


def _strips(length: int, seed: int, stream: int) -> list[tuple[int, int]]:
    """Where blocks begin and how long they are, with a street or avenue between each two."""
    strips: list[tuple[int, int]] = []
    at = _STREET
    while True:
        side = _BLOCK + random_below(_BLOCK_SPREAD, seed, 100 + stream, len(strips))
        if at + side > length - _STREET:
            side = length - _STREET - at
            if side >= 6:
                strips.append((at, side))
            return strips
        strips.append((at, side))
        at += side + (_AVENUE if len(strips) % 3 == 0 else _STREET)


def _block(terrain: Terrain, x: int, y: int, columns: int, rows: int, seed: int, number: int) -> None:
    use = random_below(10, seed, 10, number)
    if use == 0:
        terrain[y : y + rows, x : x + columns] = FLOOR  # a square with a monument
        terrain[y + rows // 2 - 1 : y + rows // 2 + 2, x + columns // 2 - 1 : x + columns // 2 + 2] = BUILDING
        return
    terrain[y : y + rows, x : x + columns] = BUILDING
    if use >= 3:
        # An alley across the block, sometimes two.
        at = columns // 3 + random_below(max(columns // 3, 1), seed, 11, number)
        terrain[y : y + rows, x + at : x + at + _ALLEY] = FLOOR
    if use >= 6:
        at = rows // 3 + random_below(max(rows // 3, 1), seed, 12, number)
        terrain[y + at : y + at + _ALLEY, x : x + columns] = FLOOR
    if use in (4, 7, 8) and min(columns, rows) >= 16:
        # A yard in the middle, open to the alleys.
        terrain[y + rows // 3 : y + rows - rows // 3, x + columns // 3 : x + columns - columns // 3] = PLAIN
