"""Waypoints: the corners of a single way, for bodies that the game moves by itself."""

import numpy as np
import numpy.typing as npt

from pynav.crowd._string_pulling_kernels import SLACK_TILES
from pynav.crowd._waypoint_kernels import keep_corners
from pynav.crowd.wall_geometry import GROUND_SHIFT, LARGEST_GROUND, ONE_WAY_GROUND, SOLID, WALL_RADIUS_LIMIT
from pynav.grid import TileGrid

Floats = npt.NDArray[np.float32]


def waypoints(grid: TileGrid, path: npt.NDArray[np.int32], start: Floats, end: Floats, radius: float) -> Floats:
    """Where a way of tiles turns, once it is pulled straight.

    Args:
        grid: the tiles (anchors of the unit's size, clearance.py) that the way leads over.
        path: int32 (n, 2), tiles (x, y) of the way, each beside the one before, n >= 1; ``RouteQueries.path`` gives such.
        start: float32 (2,), where in the first tile the way begins.
        end: float32 (2,), where in the last tile it ends.
        radius: tiles, 0 or more: so far from the straight pieces nothing but tiles of the same cost is touched; held to what a
            tile's width allows.

    Returns:
        float32 (m, 2), m >= 2 (or 1 where both ends are the same place): from the start to the end.

    Notes:
        Deterministic. No shorter through dearer ground than the way itself; beside closed exits the way stays as it is. Costs
        in proportion to the rectangle around the way. Source: own; the strip is that by which crowds pull their ways straight.
    """
    height, width = grid.cost.shape
    left, top = np.maximum(path.min(axis=0) - 1, 0).tolist()
    right, low = np.minimum(path.max(axis=0) + 2, (width, height)).tolist()
    closed = grid.closed_exits[top:low, left:right] if grid.has_one_way else None
    points = path.astype(np.float32) + np.float32(0.5)
    points[-1], points[0] = end, start
    if len(points) == 1:
        points = np.array([start, end], dtype=np.float32)
    corner = np.array([left, top], dtype=np.float32)
    reach = max(min(np.float32(radius), WALL_RADIUS_LIMIT) - SLACK_TILES, np.float32(0.0))
    keep: npt.NDArray[np.uint8] = np.zeros(len(points), dtype=np.uint8)
    keep_corners(_ground(grid.cost[top:low, left:right], closed), points - corner, float(reach), keep)
    kept = points[keep != 0]
    return np.asarray(kept[:1] if len(kept) == 2 and (kept[0] == kept[1]).all() else kept, dtype=np.float32)


def _ground(cost: npt.NDArray[np.uint8], closed: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint16]:
    """What wall maps (wall_geometry.py) say of the tiles' own ground, with a solid border."""
    ground: npt.NDArray[np.uint16] = np.full((cost.shape[0] + 2, cost.shape[1] + 2), SOLID, dtype=np.uint16)
    table = np.minimum(np.arange(-1, 255), LARGEST_GROUND).astype(np.uint16) << np.uint16(GROUND_SHIFT)
    table[0] = SOLID
    inner = ground[1:-1, 1:-1]
    inner[:] = table[cost]
    if closed is not None:
        inner[(closed != 0) & (cost != 0)] = ONE_WAY_GROUND
    return ground
