# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that build a flow field in slices: first the distances, then a byte a tile, with a border."""

import numpy as np

from pynav.grid._direction_kernels import direction_of
from pynav.grid._integration_field_kernels import PHASE, PHASE_DONE, flood_slice
from pynav.grid.steps import NO_DIRECTION, NO_WAY, SOLID_TILE, UNREACHABLE, UNREACHABLE_WIDE
from pynav.kernels import inline, kernel

_UNREACHABLE = np.int32(UNREACHABLE)
_UNREACHABLE_WIDE = np.int64(UNREACHABLE_WIDE)

# Entries of ``progress`` (int64).
NEXT_ROW = 0  # of the flow, its border included
DONE = 1  # 1 once the flow is complete
PROGRESS_COUNT = 2

TILES_PER_EXPANSION = 4  # writing the bytes of this many tiles counts as expanding one

_SIGNATURE = (
    "uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int64[::1] goal, {distance}[::1] distance, int32[::1] list_head,"
    " int32[::1] node_tile, int32[::1] node_next, int64[::1] state, int64 width, int64 shift, int64 uniform_cost,"
    " uint8[::1] leaving, uint8[:, ::1] flow, int64[::1] progress, int64 tile_budget"
)


@inline
def _build_slice(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, leaving, flow,
    progress, unreachable, tile_budget,
):  # fmt: skip
    left = tile_budget
    if state[PHASE] != PHASE_DONE:
        flood_slice(
            cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, unreachable, width, shift,
            uniform_cost, tile_budget,
        )  # fmt: skip
        if state[PHASE] != PHASE_DONE:
            return
        left = np.int64(0)  # the rows begin with the next slice, lest a slice take twice its budget
    row_count = np.int64(flow.shape[0])
    row = progress[NEXT_ROW]
    left *= TILES_PER_EXPANSION
    while left > 0 and row < row_count:
        for column in range(width + 2):
            flow[row, column] = np.uint8(SOLID_TILE)
        if row > 0 and row < row_count - 1:
            for column in range(width):
                tile = (row - 1) * width + column
                here = np.int64(distance[tile])
                code = np.int64(SOLID_TILE)
                if cost[tile] != 0:
                    if here == 0:
                        code = np.int64(NO_DIRECTION)
                    elif here == unreachable:
                        code = np.int64(NO_WAY)
                    else:
                        code = direction_of(cost, leaving, allowed, distance, width, row - 1, column)
                flow[row, column + 1] = np.uint8(code)
        left -= width + 2
        row += 1
    progress[NEXT_ROW] = row
    if row == row_count:
        progress[DONE] = 1


@kernel(_SIGNATURE.format(distance="int32"))
def build_flow(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, leaving, flow,
    progress, tile_budget,
):  # fmt: skip
    """Do ``tile_budget`` tiles of work on a flow field with int32 distances; ``progress[DONE]`` says when it is complete."""
    _build_slice(
        cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, leaving,
        flow, progress, _UNREACHABLE, tile_budget,
    )  # fmt: skip


@kernel(_SIGNATURE.format(distance="int64"))
def build_flow_wide(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, leaving, flow,
    progress, tile_budget,
):  # fmt: skip
    """The same with int64 distances."""
    _build_slice(
        cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, leaving,
        flow, progress, _UNREACHABLE_WIDE, tile_budget,
    )  # fmt: skip
