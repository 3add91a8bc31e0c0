"""How the map is cut into blocks, and what the numbers of the exact solver mean.

Blocks are 17 x 17 tiles at a step of 16: neighbours share their border row or column. So every legal step lies wholly inside
some block, diagonal ones with both tiles beside them, and no case of edges or corners between blocks has to be told apart.
A block's 64 border tiles are numbered by row, then column; a tile on a border belongs to two blocks, on a crossing to four.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

STEP: Final = 16  # tiles from one block to the next
SIDE: Final = 17  # tiles a side of a block
RING: Final = 64  # border tiles of a block
OWNERS: Final = 4  # blocks that a border tile belongs to at most

FAR: Final = 1 << 28  # while a block is measured: no way; greater than any way through a block
UNREACHED: Final = 1 << 30  # in matrices and border values: no way; values stay below it (see BlockGraph.fits)

EDGE: Final = 34  # what a block notes of its right column (17) and its bottom row (17)
NOT_HERE: Final = 11  # in flows: a tile whose best step lies in a neighbouring block, or in one that is not written yet

# What is known of the directions of a flow's block (uint8).
MISSING: Final = 0  # nobody has needed them yet, or an edit has changed them
READY: Final = 1
WANTED: Final = 2  # in this tick's list

# The list of blocks to write in a tick: entries of ``item_counts`` (int64).
PARTS_USED: Final = 0  # parts that have items
ITEMS: Final = 1  # blocks in the list
PER_PART: Final = 2
ITEM_COUNT_COUNT: Final = 3


def ring_tiles() -> npt.NDArray[np.int32]:
    """(64,) int32: border tile k of a block as row * 17 + column within the block."""
    tiles = [
        row * SIDE + column for row in range(SIDE) for column in range(SIDE) if row in (0, SIDE - 1) or column in (0, SIDE - 1)
    ]
    return np.array(tiles, dtype=np.int32)


def block_counts(width: int, height: int) -> tuple[int, int]:
    """Blocks in x and y that cover a map."""
    return max(1, -(-(width - 1) // STEP)), max(1, -(-(height - 1) // STEP))
