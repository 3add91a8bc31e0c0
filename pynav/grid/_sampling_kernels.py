# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Reading a direction map at a point between tiles; inlined into the kernels that move agents.

``flow`` is uint8 (height + 2, width + 2) with a border of one tile, index [y + 1, x + 1], so that no bound needs a check:
0..7 a direction, NO_DIRECTION at goals, NO_WAY where there is none, SOLID_TILE in solid tiles and the border
(``FlowField.flow``). ``heading`` is float32 (16, 2): the unit vector of each code, zero from 8 on (``heading_table``).

Four directions are blended bilinearly, then the blend is held against the walls: a component that points at a solid tile
of the four, or at a corner between them, is dropped as soon as the point is past the middle of its own tile on that side.
What is left never leads into a wall, and still runs along it.
"""

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import DIRECTION_X, DIRECTION_Y, SOLID_TILE
from pynav.kernels import inline, kernel

_ZERO = np.float32(0.0)
_HALF = np.float32(0.5)
_ONE = np.float32(1.0)
_SHORTEST_SQUARED = np.float32(0.04)


def heading_table() -> npt.NDArray[np.float32]:
    """float32 (16, 2): the unit vector (x, y) of each code of a direction map, zero for the codes that are none."""
    table = np.zeros((16, 2), dtype=np.float32)
    for code in range(8):
        length = np.float32(np.sqrt(0.5)) if code % 2 else np.float32(1.0)
        table[code] = (DIRECTION_X[code] * length, DIRECTION_Y[code] * length)
    return table


@inline
def sample_flow(flow, heading, x, y):
    """The heading at the point (x, y), float32, in tiles.

    Args:
        flow: direction map with its border, see above.
        heading: ``heading_table()``.
        x: 0 <= x < width.
        y: 0 <= y < height.

    Returns:
        (x, y) float32: a unit vector, or (0, 0) in goal tiles, in tiles without a way, and in solid tiles.
    """
    own_column = np.int64(x) + 1
    own_row = np.int64(y) + 1
    own = np.int64(flow[own_row, own_column])
    if own > 7:
        return _ZERO, _ZERO
    shifted_x = x + _HALF
    shifted_y = y + _HALF
    column = np.int64(shifted_x)
    row = np.int64(shifted_y)
    top_left = np.int64(flow[row, column])
    top_right = np.int64(flow[row, column + 1])
    low_left = np.int64(flow[row + 1, column])
    low_right = np.int64(flow[row + 1, column + 1])
    if top_left == own and top_right == own and low_left == own and low_right == own:
        return heading[own, 0], heading[own, 1]
    right = shifted_x - np.float32(column)
    low = shifted_y - np.float32(row)
    left = _ONE - right
    high = _ONE - low
    blend_x = (heading[top_left, 0] * left + heading[top_right, 0] * right) * high + (
        heading[low_left, 0] * left + heading[low_right, 0] * right
    ) * low
    blend_y = (heading[top_left, 1] * left + heading[top_right, 1] * right) * high + (
        heading[low_left, 1] * left + heading[low_right, 1] * right
    ) * low
    # The neighbours that the point leans to: beside, above or below, and across the corner.
    side_column = column + column + 1 - own_column
    side_row = row + row + 1 - own_row
    side_solid = flow[own_row, side_column] == SOLID_TILE
    level_solid = flow[side_row, own_column] == SOLID_TILE
    to_side = blend_x * np.float32(side_column - own_column)
    to_level = blend_y * np.float32(side_row - own_row)
    if side_solid and to_side > _ZERO:
        blend_x = _ZERO
    if level_solid and to_level > _ZERO:
        blend_y = _ZERO
    to_corner = to_side > _ZERO and to_level > _ZERO
    if to_corner and not side_solid and not level_solid and flow[side_row, side_column] == SOLID_TILE:
        # Straight at a free-standing corner: go round it on the side to which the own tile's direction turns.
        if np.abs(heading[own, 0]) >= np.abs(heading[own, 1]):
            blend_y = _ZERO
        else:
            blend_x = _ZERO
    squared = blend_x * blend_x + blend_y * blend_y
    if squared < _SHORTEST_SQUARED:
        return heading[own, 0], heading[own, 1]
    scale = _ONE / np.sqrt(squared)
    return blend_x * scale, blend_y * scale


@kernel("uint8[:, ::1] flow, float32[:, ::1] heading, float32[:, ::1] point, float32[:, ::1] out")
def sample_many(flow, heading, point, out):
    """``sample_flow`` at every point (x, y); for tests and tools, crowds call the small one."""
    for index in range(point.shape[0]):
        heading_x, heading_y = sample_flow(flow, heading, point[index, 0], point[index, 1])
        out[index, 0] = heading_x
        out[index, 1] = heading_y
