"""Ways along a direction map, for whoever wants one as a list of tiles."""

import numpy as np
import numpy.typing as npt

from pynav.grid._path_kernels import trace_path
from pynav.grid.errors import GridError
from pynav.grid.integration_field import IntegrationField

_FIRST_ROOM = 4096  # tiles; longer ways take a second walk


def path_to_goal(field: IntegrationField, start: tuple[int, int]) -> npt.NDArray[np.int32]:
    """The best way from a tile to the nearest goal of a finished field.

    Args:
        field: its ``directions`` are walked.
        start: tile (x, y).

    Returns:
        int32 (n, 2): the tiles (x, y) from the start to the goal, both included; (0, 2) where no way exists.

    Raises:
        GridError: a start outside the grid, or a build in progress.

    Notes:
        Deterministic. Cost in proportion to the length, some 2 ns a tile, and one allocation of the result.

    Example:
        >>> from pynav.grid import TileGrid
        >>> field = IntegrationField(TileGrid([[1, 1, 1], [1, 0, 1]]))
        >>> field.build([(0, 1)])
        >>> path_to_goal(field, (2, 1)).tolist()
        [[2, 1], [2, 0], [1, 0], [0, 0], [0, 1]]
    """
    x, y = start
    if not field.grid.contains(x, y):
        raise GridError(f"path_to_goal: expected a start within {field.grid.width} x {field.grid.height} tiles, got ({x}, {y})")
    directions = field.directions
    if field.distance[y, x] == field.unreachable:
        return np.zeros((0, 2), dtype=np.int32)
    result = np.zeros(2, dtype=np.int64)
    path = np.zeros((_FIRST_ROOM, 2), dtype=np.int32)
    trace_path(directions, x, y, path, result)
    if result[0] > _FIRST_ROOM:
        path = np.zeros((int(result[0]), 2), dtype=np.int32)
        trace_path(directions, x, y, path, result)
    return path[: int(result[0])].copy()
