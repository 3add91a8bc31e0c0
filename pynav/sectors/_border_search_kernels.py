# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Label correcting over blocks on values by border tile, with a log of what changes: the search inside a repair.

The same search as that of ``_goal_value_kernels.py``, which keeps the values by block: faster where all of the map is
looked at, but to lay the values out that way would cost more than a repair does.
"""

import numpy as np

from pynav.kernels import inline
from pynav.sectors._block_heap_kernels import LOGGED, wake
from pynav.sectors._goal_value_kernels import offers_of_block
from pynav.sectors.block_layout import OWNERS, RING, UNREACHED

_UNREACHED = np.int32(UNREACHED)


@inline
def note(border, value, log_border, log_value, progress):
    """Keep what a value was, where there is a log; it may be full, which ends a repair."""
    if log_border.shape[0] > 0:
        at = progress[LOGGED]
        progress[LOGGED] = at + 1
        if at < log_border.shape[0]:
            log_border[at] = np.int32(border)
            log_value[at] = value[border]


@inline
def lower(
    border, value_now, asking, value, dirty, owner_block, owner_ring, heap, place, key, log_border, log_value, progress
):  # fmt: skip
    """Set a border tile's lower value and wake the blocks that it belongs to, but for the one that found it."""
    note(border, value, log_border, log_value, progress)
    value[border] = value_now
    for owner in range(OWNERS):
        block = np.int64(owner_block[border, owner])
        if block >= 0 and block != asking:
            dirty[block, np.int64(owner_ring[border, owner])] = np.uint8(1)
            wake(block, value_now, heap, place, key, progress)


@inline
def look_at_block(
    block, matrix, matrix_of, border_of, owner_block, owner_ring, value, dirty, key, heap, place, seen, offered, order,
    log_border, log_value, progress,
):  # fmt: skip
    """Offer a block's dirty values to its other border tiles."""
    own_matrix = matrix[np.int64(matrix_of[block])]
    for index in range(RING):
        seen[index] = value[np.int64(border_of[block, index])]
    later = offers_of_block(own_matrix, seen, dirty[block], offered, order, progress)
    for index in range(RING):
        if offered[index] < seen[index]:
            border = np.int64(border_of[block, index])
            lower(
                border, offered[index], block, value, dirty, owner_block, owner_ring, heap, place, key, log_border, log_value,
                progress,
            )  # fmt: skip
    if later < _UNREACHED:
        wake(block, later, heap, place, key, progress)
