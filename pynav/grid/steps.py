"""The eight steps of the grid: their order, their offsets, their integer costs, and which of them walls allow.

A direction is a number 0..7 that turns clockwise on a screen (y points down): E, SE, S, SW, W, NW, N, NE. Even numbers are
straight, odd ones diagonal, ``(k + 4) % 8`` is the way back. A diagonal step needs both tiles beside it free (no corner
cutting), because a body with width cannot pass between them.

A step costs ``(cost of one tile + cost of the other) * factor``, so that going and coming back cost the same. The factors
70 and 99 stand to each other as 1 to 1.41429, 5e-5 above the square root of 2: over the longest route of a 1024-tile map
that is far too little to make another route the best one. The pairs 5/7 and 12/17 are smaller and worse.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

STRAIGHT_FACTOR: Final = 70  # cost units a step and a unit of tile cost, twice: the step takes the mean of two tiles
DIAGONAL_FACTOR: Final = 99
UNIT_STEP_COST: Final = 2 * STRAIGHT_FACTOR  # a straight step between tiles of cost 1

DIRECTION_X: Final = (1, 1, 0, -1, -1, -1, 0, 1)
DIRECTION_Y: Final = (0, 1, 1, 1, 0, -1, -1, -1)
NO_DIRECTION: Final = 8  # a goal tile, or, in plain direction maps, one without a way to a goal
NO_WAY: Final = 9  # in bordered flow maps: a free tile without a way to a goal
SOLID_TILE: Final = 10  # in bordered flow maps: a solid tile, or one of the border

UNREACHABLE: Final = 2**31 - 1  # in an int32 distance array
UNREACHABLE_WIDE: Final = 2**63 - 1  # in an int64 distance array


def allowed_steps_table() -> npt.NDArray[np.uint8]:
    """The steps that walls allow, by the bits of the solid neighbours.

    Returns:
        uint8 (256,): entry ``mask`` has bit k set if the step k is allowed where bit j of ``mask`` says that neighbour j is
        solid. A straight step needs its tile free, a diagonal one also both tiles beside it.
    """
    table = np.zeros(256, dtype=np.uint8)
    for mask in range(256):
        for direction in range(8):
            needed = [direction] if direction % 2 == 0 else [direction - 1, direction, (direction + 1) % 8]
            if not any(mask >> tile & 1 for tile in needed):
                table[mask] |= np.uint8(1 << direction)
    table.flags.writeable = False
    return table
