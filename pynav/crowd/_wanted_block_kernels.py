# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that find the blocks whose directions somebody needs now and nobody has written yet.

An agent needs the blocks of the four tiles that its heading is blended from, and, where one of these lies on a block's left or
upper border, the block beyond. It asks in the ticks in which it makes its wish anew, so the answer is there before it reads.
Whoever lacks none of these asks for the blocks of its target, so that its route can be made out beyond it
(_string_pulling_kernels.py). Those come after all others, and not more than FAR_BLOCKS a tick: nobody stands still for them.
"""

import numpy as np

from pynav.crowd._string_pulling_kernels import target_tile
from pynav.crowd.agent_layout import (
    ANCHOR_OFFSET,
    ARRIVED,
    CROWD,
    FLOW_SLOT,
    GROUP,
    POSITION_X,
    POSITION_Y,
    REMOVED,
    STATUS,
    TARGET,
)
from pynav.kernels import block_kernel, inline, kernel
from pynav.sectors.block_layout import HELD, ITEMS, MISSING, PARTS_USED, PER_PART, STEP, WANTED

_HALF = np.float32(0.5)
FAR_BLOCKS = 64  # written in one tick because somebody looks at them from afar
WANTS = 512  # blocks that a range of agents can ask for at once; who finds no room asks again at the next wish


@inline
def is_unwritten(state):
    """Whether nobody has written a block yet, nor will in this tick."""
    return state == MISSING or state == HELD


@inline
def list_missing(ready, row_count, column_count, slot, left, right, top, low, is_far, want, part, count, latest):
    """List the missing blocks that own one of the tiles of a rectangle; returns the length of the list and its latest entry.

    A block is listed as slot * blocks + block, or, if it is only looked at from afar, as -1 less that.
    """
    for row in range(max(top, np.int64(0)) // STEP, min(low // STEP, row_count - 1) + 1):
        for column in range(max(left, np.int64(0)) // STEP, min(right // STEP, column_count - 1) + 1):
            block = row * column_count + column
            key = slot * (row_count * column_count) + block
            if is_far:
                key = -1 - key
            if is_unwritten(ready[slot, block]) and key != latest and count < WANTS:
                want[part, count] = np.int32(key)
                latest = key
                count += 1
    return count, latest


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, float32[:, ::1] crowd_settings, int32[:, ::1] group_numbers,"
    " uint8[:, ::1] ready, int32[::1] route_serial, int32[:, ::1] want, int32[::1] want_count, float32 rows_per_tile,"
    " int64 column_count, int64 row_count, int64 tick, int64 wish_mask, int64 agents_per_block"
)
def want_blocks(
    values, tags, crowd_settings, group_numbers, ready, route_serial, want, want_count, rows_per_tile, column_count, row_count,
    tick, wish_mask, agents_per_block, begin, end,
):  # fmt: skip
    """List the missing blocks that the agents of a range need, in the order of the agents."""
    part = begin // agents_per_block
    count = np.int64(0)
    latest = np.int64(-1)
    far_latest = np.int64(0)
    for agent in range(begin, end):
        y = values[POSITION_Y, agent]
        cell_row = np.int64(y * rows_per_tile + _HALF)
        if ((cell_row + tick) & wish_mask) != 0:
            continue
        crowd = np.int64(tags[CROWD, agent])
        slot = np.int64(group_numbers[FLOW_SLOT, np.int64(tags[GROUP, agent])])
        status = tags[STATUS, agent]
        if slot < 0 or status == ARRIVED or status == REMOVED:
            continue
        x = values[POSITION_X, agent] - crowd_settings[ANCHOR_OFFSET, crowd]
        y -= crowd_settings[ANCHOR_OFFSET, crowd]
        # Tiles from half a tile to the left to half a tile to the right; one more because a border belongs to two blocks.
        right = np.int64(x + _HALF)
        low = np.int64(y + _HALF)
        before = count
        count, latest = list_missing(
            ready, row_count, column_count, slot, right - 2, right, low - 2, low, False, want, part, count, latest
        )
        target = np.int64(tags[TARGET, agent])
        if count == before and target > 0 and (target >> 16) == route_serial[slot]:
            right, low = target_tile(target, x, y)
            count, far_latest = list_missing(
                ready, row_count, column_count, slot, right - 1, right, low - 1, low, True, want, part, count, far_latest
            )
    want_count[part] = np.int32(count)


@kernel(
    "int32[:, ::1] want, int32[::1] want_count, int64[::1] agent_count, uint8[:, ::1] ready, int32[::1] item_slot,"
    " int32[::1] item_block, int64[::1] item_counts, int64 part_limit, int64 agents_per_block"
)
def gather_wanted(want, want_count, agent_count, ready, item_slot, item_block, item_counts, part_limit, agents_per_block):
    """List the wanted blocks, each once, in the order of the agents, as many as there is room for; share them out to parts."""
    block_count = np.int64(ready.shape[1])
    room = np.int64(item_slot.shape[0])
    count = np.int64(0)
    for is_far in range(2):
        if is_far == 1:
            room = min(room, count + FAR_BLOCKS)
        for part in range((agent_count[0] + agents_per_block - 1) // agents_per_block):
            for index in range(np.int64(want_count[part])):
                key = np.int64(want[part, index])
                if (key < 0) != (is_far == 1):
                    continue
                if key < 0:
                    key = -1 - key
                slot = key // block_count
                block = key % block_count
                if is_unwritten(ready[slot, block]) and count < room:
                    ready[slot, block] = np.uint8(WANTED)
                    item_slot[count] = np.int32(slot)
                    item_block[count] = np.int32(block)
                    count += 1
    per_part = (count + part_limit - 1) // part_limit
    item_counts[ITEMS] = count
    item_counts[PER_PART] = per_part
    item_counts[PARTS_USED] = np.int64(0)
    if per_part > 0:
        item_counts[PARTS_USED] = (count + per_part - 1) // per_part
