"""Which tiles a convex outline covers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_TOUCH = 0.01  # an outline that reaches less than this into a tile, in tiles, doesn't cover it
LARGEST_COVER = 4096  # tiles a side


def covered_tiles(corners: npt.NDArray[np.float64]) -> tuple[int, int, npt.NDArray[np.bool_]]:
    """The tiles that a convex outline reaches into.

    Args:
        corners: (n, 2) in tile coordinates, in order round the outline, either way round.

    Returns:
        Column and row of the pattern's top left tile, and the pattern, bool (rows, columns); no rows for an outline without area
        or with numbers that aren't finite, or one over 4,096 tiles a side.

    Notes:
        Separating axes: a tile is free of the outline if the tile's sides or one of the outline's part them.
    """
    nothing: npt.NDArray[np.bool_] = np.zeros((0, 0), dtype=np.bool_)
    if not np.isfinite(corners).all():
        return 0, 0, nothing
    low, high = corners.min(axis=0) + _TOUCH, corners.max(axis=0) - _TOUCH
    first, last = np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64)
    columns, rows = (int(side) for side in last - first)
    if not (0 < columns <= LARGEST_COVER and 0 < rows <= LARGEST_COVER):
        return 0, 0, nothing
    x = np.arange(columns, dtype=np.float64)[None, :] + first[0] + 0.5
    y = np.arange(rows, dtype=np.float64)[:, None] + first[1] + 0.5
    covered: npt.NDArray[np.bool_] = np.ones((rows, columns), dtype=np.bool_)
    sides = np.roll(corners, -1, axis=0) - corners
    for side_x, side_y in sides:
        length = float(np.hypot(side_x, side_y))
        if length < 1e-9:
            continue
        normal_x, normal_y = side_y / length, -side_x / length
        along = corners[:, 0] * normal_x + corners[:, 1] * normal_y
        middle = x * normal_x + y * normal_y
        half = (abs(normal_x) + abs(normal_y)) / 2
        covered &= (middle + half > along.min() + _TOUCH) & (middle - half < along.max() - _TOUCH)
    return int(first[0]), int(first[1]), covered
