"""Where new agents stand: free tiles spread by a hash, one agent a tile before any tile takes two."""

import numpy as np
import numpy.typing as npt

from pynav.crowd.errors import PlacementError
from pynav.crowd.random_numbers import hash_array, unit_array

_ORDER_STREAM = 0x5EED
_JITTER_STREAM = 0x717


def checked_positions(
    positions: npt.ArrayLike, cost: npt.NDArray[np.uint8] | None, allow_solid: bool = False
) -> npt.NDArray[np.float32]:
    """Positions as (n, 2) float32, all finite and in free tiles; the first offender is named."""
    points = np.array(positions, dtype=np.float32)
    if points.ndim == 1 and points.size == 2:
        points = points.reshape(1, 2)
    if points.size == 0:
        return points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise PlacementError(f"positions must have shape (n, 2), got {points.shape}")
    if cost is None:
        raise PlacementError("positions need a map: call set_grid first")
    height, width = cost.shape
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise PlacementError(f"position {bad[0]} is not finite: {points[bad[0]].tolist()}")
    outside = (points < 0).any(axis=1) | (points[:, 0] >= width) | (points[:, 1] >= height)
    bad = np.flatnonzero(outside)
    if len(bad):
        raise PlacementError(f"position {bad[0]} = {points[bad[0]].tolist()} lies outside the map of {width} x {height} tiles")
    tiles = points.astype(np.int64)
    bad = np.flatnonzero(cost[tiles[:, 1], tiles[:, 0]] == 0)
    if len(bad) and not allow_solid:
        raise PlacementError(f"position {bad[0]} = {points[bad[0]].tolist()} lies in the solid tile {tiles[bad[0]].tolist()}")
    return points


def spread_positions(
    allowed: npt.NDArray[np.bool_], count: int, radius: float, seed: int, stream: int
) -> npt.NDArray[np.float32]:
    """``count`` positions on the allowed tiles (height, width), spread by a hash of seed, stream and tile.

    With more agents than tiles the tiles are used in rounds. The jitter leaves a disc of the radius inside its tile where it
    fits.
    """
    tiles = np.flatnonzero(allowed)
    if count > 0 and len(tiles) == 0:
        raise PlacementError("no tile is free there (or none from which the goal can be reached)")
    width = allowed.shape[1]
    order = tiles[np.argsort(hash_array(seed ^ _ORDER_STREAM, stream, tiles), kind="stable")]
    rounds = -(-count // max(len(tiles), 1))
    chosen = np.concatenate([order] * rounds)[:count] if rounds else order[:0]
    room = np.float32(max(0.5 - min(radius, 0.5), 0.02 if rounds <= 1 else 0.2))
    serial = np.arange(count, dtype=np.int64)
    jitter_x = (unit_array(seed ^ _JITTER_STREAM, 2 * stream, serial) * 2 - 1) * room
    jitter_y = (unit_array(seed ^ _JITTER_STREAM, 2 * stream + 1, serial) * 2 - 1) * room
    points = np.empty((count, 2), dtype=np.float32)
    points[:, 0] = (chosen % width).astype(np.float32) + np.float32(0.5) + jitter_x
    points[:, 1] = (chosen // width).astype(np.float32) + np.float32(0.5) + jitter_y
    return points
