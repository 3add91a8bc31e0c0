"""Line of sight between tiles."""

import numpy as np
import numpy.typing as npt

from pynav.grid._line_of_sight_kernels import see_many, see_many_over_exits
from pynav.grid.errors import GridError
from pynav.grid.tile_grid import TileGrid


def line_of_sight(grid: TileGrid, start: tuple[int, int], end: tuple[int, int]) -> bool:
    """Whether the straight line between two tile centres touches no solid tile.

    Args:
        grid: the tiles.
        start: tile (x, y).
        end: tile (x, y).

    Returns:
        False if the line touches a solid tile anywhere, be it at a corner, or if an end is solid or outside the grid; a
        free tile sees itself. The answer is the same in both directions, but over closed exits (exits.py): a line sees no
        farther than it could be walked.

    Notes:
        Deterministic, exact (whole numbers). Cost in proportion to the tiles on the line. Source: own; the traversal is
        that of Amanatides and Woo, 1987, with rational times compared by cross-multiplication.

    Example:
        >>> grid = TileGrid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
        >>> line_of_sight(grid, (0, 0), (2, 0)), line_of_sight(grid, (0, 0), (2, 1)), line_of_sight(grid, (1, 0), (2, 1))
        (True, False, False)
    """
    return bool(lines_of_sight(grid, np.array([[*start, *end]], dtype=np.int64))[0])


def lines_of_sight(grid: TileGrid, lines: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """``line_of_sight`` for many pairs in one call.

    Args:
        grid: the tiles.
        lines: whole numbers (n, 4): x, y of the start and x, y of the end, each.

    Returns:
        bool (n,).

    Raises:
        GridError: lines of another shape or type.
    """
    array = np.asarray(lines)
    if array.ndim != 2 or array.shape[1] != 4 or array.dtype.kind not in "iu":
        raise GridError(f"lines_of_sight: expected whole numbers (n, 4), got shape {array.shape} of type {array.dtype}")
    result = np.zeros(array.shape[0], dtype=np.uint8)
    line = np.ascontiguousarray(array, dtype=np.int64)
    if grid.has_one_way:
        see_many_over_exits(grid.open_steps, grid.cost, line, result)
    else:
        see_many(grid.cost, line, result)
    return np.asarray(result != 0)
