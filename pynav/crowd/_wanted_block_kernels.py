# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that find the blocks whose directions somebody needs now and nobody has written yet.

An agent needs the blocks of the four tiles that its heading is blended from, and, where one of these lies on a block's left or
upper border, the block beyond. It asks in the ticks in which it makes its wish anew, so the answer is there before it reads.
"""

import numpy as np

from pynav.crowd.agent_layout import ARRIVED, CROWD, FLOW_SLOT, POSITION_X, POSITION_Y, REMOVED, STATUS
from pynav.kernels import block_kernel, kernel
from pynav.sectors.block_layout import ITEMS, MISSING, PARTS_USED, PER_PART, STEP, WANTED

_HALF = np.float32(0.5)
WANTS = 4  # blocks that an agent can need at once


@block_kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, uint8[:, ::1] ready, int32[:, ::1] want,"
    " uint8[::1] any_wanted, float32 rows_per_tile, int64 column_count, int64 row_count, int64 tick, int64 wish_mask,"
    " int64 agents_per_block"
)
def want_blocks(
    values, tags, crowd_numbers, ready, want, any_wanted, rows_per_tile, column_count, row_count, tick, wish_mask,
    agents_per_block, begin, end,
):  # fmt: skip
    """Note for each agent up to four missing blocks as slot * blocks + block, -1 for none; and whether anybody misses any."""
    found = np.uint8(0)
    for agent in range(begin, end):
        for index in range(WANTS):
            want[agent, index] = np.int32(-1)
        x = values[POSITION_X, agent]
        y = values[POSITION_Y, agent]
        cell_row = np.int64(y * rows_per_tile + _HALF)
        if ((cell_row + tick) & wish_mask) != 0:
            continue
        slot = np.int64(crowd_numbers[FLOW_SLOT, np.int64(tags[CROWD, agent])])
        status = tags[STATUS, agent]
        if slot < 0 or status == ARRIVED or status == REMOVED:
            continue
        # Tiles from half a tile to the left to half a tile to the right; column - 1 because a border belongs to two blocks.
        left = max(np.int64(x + _HALF) - 2, np.int64(0)) // STEP
        right = min(np.int64(x + _HALF) // STEP, column_count - 1)
        top = max(np.int64(y + _HALF) - 2, np.int64(0)) // STEP
        low = min(np.int64(y + _HALF) // STEP, row_count - 1)
        count = np.int64(0)
        for row in range(top, low + 1):
            for column in range(left, right + 1):
                block = row * column_count + column
                if ready[slot, block] == MISSING and count < WANTS:
                    want[agent, count] = np.int32(slot * (column_count * row_count) + block)
                    count += 1
                    found = np.uint8(1)
    any_wanted[begin // agents_per_block] = found


@kernel(
    "int32[:, ::1] want, uint8[::1] any_wanted, int64[::1] agent_count, uint8[:, ::1] ready, int32[::1] item_slot,"
    " int32[::1] item_block, int64[::1] item_counts, int64 part_limit, int64 agents_per_block"
)
def gather_wanted(want, any_wanted, agent_count, ready, item_slot, item_block, item_counts, part_limit, agents_per_block):
    """List the wanted blocks, each once, in the order of the agents, as many as there is room for; share them out to parts."""
    block_count = np.int64(ready.shape[1])
    room = np.int64(item_slot.shape[0])
    count = np.int64(0)
    parts = (agent_count[0] + agents_per_block - 1) // agents_per_block
    for part in range(parts):
        if any_wanted[part] == 0:
            continue
        for agent in range(part * agents_per_block, min((part + 1) * agents_per_block, agent_count[0])):
            for index in range(WANTS):
                key = np.int64(want[agent, index])
                if key < 0:
                    break
                slot = key // block_count
                block = key % block_count
                if ready[slot, block] == MISSING and count < room:
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
