"""Rooms: a building of rooms of many sizes, each with doors to its neighbours, all connected."""

import numpy as np

from pynav.grid.generator.noise import random_below
from pynav.grid.generator.terrain import FLOOR, GATE, PLAIN, WALL, Terrain

_LEAST_SIDE = 9  # tiles, walls not counted
_GREATEST_SIDE = 30
_DOOR = 3


def rooms(width: int, height: int, seed: int) -> Terrain:
    """Terrain of a map of rooms: the map is halved until the parts are of a room's size; each cut gets doors."""
    terrain = np.full((height, width), FLOOR, dtype=np.uint8)
    terrain[0] = terrain[-1] = WALL
    terrain[:, 0] = terrain[:, -1] = WALL
    # Each part is (x, y, width, height) inside its walls; a counter numbers the cuts for the random numbers.
    parts = [(1, 1, width - 2, height - 2)]
    cut = 0
    while parts:
        x, y, columns, rows = parts.pop()
        cut += 1
        vertical = columns > rows if columns != rows else random_below(2, seed, 1, cut) == 0
        side = columns if vertical else rows
        if side < 2 * _LEAST_SIDE + 1 or (side <= _GREATEST_SIDE and random_below(3, seed, 2, cut) == 0):
            if random_below(4, seed, 3, cut) == 0:
                terrain[y + 1 : y + rows - 1, x + 1 : x + columns - 1] = PLAIN
            elif random_below(3, seed, 4, cut) == 0 and min(columns, rows) >= 11:
                terrain[y + 3 : y + rows - 3 : 4, x + 3 : x + columns - 3 : 4] = WALL  # a hall of columns
            continue
        at = _LEAST_SIDE + random_below(side - 2 * _LEAST_SIDE, seed, 5, cut)
        if vertical:
            terrain[y : y + rows, x + at] = WALL
            parts += [(x, y, at, rows), (x + at + 1, y, columns - at - 1, rows)]
        else:
            terrain[y + at, x : x + columns] = WALL
            parts += [(x, y, columns, at), (x, y + at + 1, columns, rows - at - 1)]
    _doors(terrain, seed)
    return terrain


def _doors(terrain: Terrain, seed: int) -> None:
    """A door in every stretch of wall between two rooms, so that the rooms connect along every cut."""
    for turned, stream in ((False, 6), (True, 7)):
        view = terrain.T if turned else terrain
        lines = view.shape[0]
        for line in range(1, lines - 1):
            wall = (view[line] == WALL) & (view[line - 1] != WALL) & (view[line + 1] != WALL)
            edges = np.flatnonzero(np.diff(np.concatenate(([0], wall.astype(np.int8), [0]))))
            for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
                if end - start >= _LEAST_SIDE - 2:
                    door = start + 1 + random_below(end - start - _DOOR - 1, seed, stream, line, start)
                    view[line, door : door + _DOOR] = GATE
