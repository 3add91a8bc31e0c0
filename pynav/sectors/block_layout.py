"""How the map is cut into blocks, and what the numbers of the exact solver mean.

Blocks are 17 x 17 tiles at a step of 16: neighbours share their border row or column. So every legal step lies wholly inside
some block, diagonal ones with both tiles beside them, and no case of edges or corners between blocks has to be told apart.
A block's 64 border tiles are numbered by row, then column; a tile on a border belongs to two blocks, on a crossing to four.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import UNIT_STEP_COST

STEP: Final = 16  # tiles from one block to the next
SIDE: Final = 17  # tiles a side of a block
RING: Final = 64  # border tiles of a block
OWNERS: Final = 4  # blocks that a border tile belongs to at most
OTHERS: Final = 3  # of them, beside one of its own
SIDES: Final = 8  # neighbours of a block

FAR: Final = 1 << 28  # while a block is measured: no way; greater than any way through a block
UNREACHED: Final = 1 << 30  # in matrices and border values: no way; values stay below it (see BlockGraph.fits)

LATER: Final = 16 * UNIT_STEP_COST  # a search leaves values this much above a block's least for later

EDGE: Final = 34  # what a block notes of its right column (17) and its bottom row (17)
NOT_HERE: Final = 11  # in flows: a tile whose best step lies in a neighbouring block, or in one that is not written yet

# What is known of the directions of a flow's block (uint8).
MISSING: Final = 0  # nobody has needed them yet, or an edit has changed them
READY: Final = 1
WANTED: Final = 2  # in this tick's list
HELD: Final = 3  # as MISSING, and a common route says what some of its tiles will hold

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


_SIDE_STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # (rows, columns) to each neighbour


def neighbour_blocks(column_count: int, row_count: int) -> npt.NDArray[np.int32]:
    """(blocks, 8) int32: the neighbours of each block, by row; the number of blocks where there is none."""
    rows, columns = np.divmod(np.arange(row_count * column_count), column_count)
    found: npt.NDArray[np.int32] = np.full((row_count * column_count, SIDES), row_count * column_count, dtype=np.int32)
    for side, (down, right) in enumerate(_SIDE_STEPS):
        row, column = rows + down, columns + right
        is_there = (row >= 0) & (row < row_count) & (column >= 0) & (column < column_count)
        found[is_there, side] = (row * column_count + column)[is_there]
    return found


def shared_border_tiles() -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Which neighbours share a block's border tiles, and as which of theirs.

    Returns:
        (64,) how many neighbours share each tile; (64, 3) which sides they are on; (64, 3) the tile's number there. All int32.
    """
    number = {int(tile): index for index, tile in enumerate(ring_tiles())}
    count: npt.NDArray[np.int32] = np.zeros(RING, dtype=np.int32)
    side_of, there = (np.zeros((RING, OTHERS), dtype=np.int32) for _ in range(2))
    for tile, index in number.items():
        for side, (down, right) in enumerate(_SIDE_STEPS):
            row, column = tile // SIDE - down * STEP, tile % SIDE - right * STEP
            if 0 <= row < SIDE and 0 <= column < SIDE:
                side_of[index, count[index]], there[index, count[index]] = side, number[row * SIDE + column]
                count[index] += 1
    return count, side_of, there
