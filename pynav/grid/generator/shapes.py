"""Changing whole maps of booleans: smoothing, and giving up what can't be reached."""

import numpy as np
import numpy.typing as npt

from pynav.grid.generator.terrain import Terrain, cost_of
from pynav.grid.tile_grid import TileGrid

Mask = npt.NDArray[np.bool_]


def neighbour_count(mask: Mask, outside: bool) -> npt.NDArray[np.uint8]:
    """How many of the eight neighbours of each tile are set."""
    padded = np.pad(mask.astype(np.uint8), 1, constant_values=int(outside))
    rows = padded[:-2] + padded[1:-1] + padded[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:] - mask)


def smoothed(mask: Mask, rounds: int, outside: bool) -> Mask:
    """Rounds of a majority vote among the nine tiles: specks vanish, edges become round."""
    for _ in range(rounds):
        count = neighbour_count(mask, outside) + mask
        mask = count >= 5
    return mask


def without_small_pieces(mask: Mask, least: int) -> Mask:
    """The mask without connected pieces of fewer than ``least`` tiles."""
    labels = TileGrid(mask.astype(np.uint8)).components()
    sizes = np.bincount(labels.reshape(-1))
    keep = sizes >= least
    keep[0] = False
    return np.asarray(keep[labels])


def close_unreachable(terrain: Terrain, inside: tuple[int, int] | None, filling: int) -> tuple[int, int]:
    """Fill every free tile that has no way to the main part of the map, in place.

    Args:
        terrain: changed in place.
        inside: a tile (x, y) of the main part; None takes the biggest part.
        filling: solid terrain to fill with.

    Returns:
        A tile (x, y) of the main part.
    """
    labels = TileGrid(cost_of(terrain)).components()
    if inside is None:
        sizes = np.bincount(labels.reshape(-1))
        sizes[0] = 0
        main = int(np.argmax(sizes))
    else:
        main = int(labels[inside[1], inside[0]])
    terrain[(labels != 0) & (labels != main)] = filling
    row, column = np.unravel_index(int(np.argmax(labels == main)), labels.shape)
    return int(column), int(row)


def rectangle(terrain: Terrain, x: int, y: int, width: int, height: int, value: int) -> None:
    """Fill a rectangle, clipped to the map, in place."""
    terrain[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = value
