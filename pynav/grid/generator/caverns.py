"""Caverns: halls and tunnels in rock, with pools; cellular smoothing of a noise."""

import numpy as np

from pynav.grid.generator.noise import FULL, fractal_noise, position_hash
from pynav.grid.generator.shapes import close_unreachable, smoothed, without_small_pieces
from pynav.grid.generator.terrain import FLOOR, PLAIN, ROCK, WATER, Terrain

_OPEN_PART = 56  # per cent of tiles that begin open
_BORDER = 2


def caverns(width: int, height: int, seed: int) -> Terrain:
    """Terrain of a cave map: one connected system."""
    # Large-scale noise shifts the odds, so that there are wide halls and dense rock, not one even sponge.
    shift = fractal_noise(width, height, max(min(width, height) // 12, 8), 2, seed, 1) - FULL // 2
    chance = _OPEN_PART * FULL // 100 + shift // 2
    columns, rows = np.arange(width), np.arange(height)
    draw = (position_hash(seed, 2, columns[None, :], rows[:, None]) >> np.uint64(48)).astype(np.int64)
    opened = draw < chance
    opened[:_BORDER] = opened[-_BORDER:] = False
    opened[:, :_BORDER] = opened[:, -_BORDER:] = False
    opened = smoothed(opened, 5, outside=False)
    opened = ~without_small_pieces(~opened, 12)  # pillars of a few tiles only get in the way
    terrain = np.where(opened, np.uint8(PLAIN), np.uint8(ROCK)).astype(np.uint8)
    paved = fractal_noise(width, height, 24, 2, seed, 3) > FULL * 60 // 100
    terrain[opened & paved] = FLOOR
    pools = smoothed(opened & (fractal_noise(width, height, 32, 3, seed, 4) > FULL * 66 // 100), 2, outside=False)
    terrain[pools & opened] = WATER
    close_unreachable(terrain, None, ROCK)
    return terrain
