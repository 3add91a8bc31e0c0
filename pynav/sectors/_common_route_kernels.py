# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that widens the leader's route of a group to a corridor and finds the directions inside it, in slices.

Maps of tiles are flat with a border of one tile: tile (x, y) is number (y + 1) * stride + x + 1, stride = columns + 2.
"""

import numpy as np

from pynav.grid._heap_kernels import HEAP_SIZE, take_first
from pynav.kernels import inline, kernel
from pynav.sectors._block_flow_kernels import code_of, complete_block
from pynav.sectors._block_heap_kernels import DONE, wake
from pynav.sectors._block_matrix_kernels import PADDED, load_costs, step_cost
from pynav.sectors.block_layout import FAR, NOT_HERE, SIDE, STEP, UNREACHED

# Further entries of ``progress`` (int64).
PHASE = 2
MEMBERS = 3  # tiles of the corridor so far
HEAD = 4  # of the queue
TAIL = 5
GROUP = 6  # which group's turn it is
ROUTE = 7  # tiles of its leader's route so far
LOADED = 8  # block in ``block_local`` and ``block_distance``, -1 for none
AT = 9  # how far a phase has come that goes over a list
BLOCKS = 10  # result: blocks with directions
PROGRESS_COUNT = 11

# Phases in their order; those of a group once a group.
CLEARING = 0
LEADING = 1
SPREADING_START = 2
SPREADING_ROUTE = 3
FLOODING = 4
CHECKING = 5
WRITING = 6

# Columns of ``groups`` (int32).
LEADER_X = 0
LEADER_Y = 1
RADIUS = 2  # steps from the leader that the corridor reaches, if that is farther than beside its route
GROUP_COLUMNS = 3

FILL_UNITS = 24  # filling a block takes as long as so many tiles of the corridor
OWN_TILES = STEP * STEP
_FAR = np.int32(FAR)
_UNREACHED = np.int32(UNREACHED)


@inline
def is_free_inside(cost, row, column):
    """Whether a tile is free and some block's own: those of a last column or row that two blocks would share are nobody's."""
    if row < 0 or column < 0 or row >= cost.shape[0] - 1 or column >= cost.shape[1] - 1:
        return False
    return cost[row, column] != 0


@inline
def load(cost, column_count, block, value, border_of, ring, goal_x, goal_y, block_local, block_distance, progress):
    """Have the exact distances of a block at hand; units that took."""
    if progress[LOADED] == block:
        return np.int64(0)
    load_costs(cost, column_count, block, block_local)
    complete_block(column_count, block, value, border_of, ring, goal_x, goal_y, 0, goal_x.shape[0], block_local, block_distance)
    progress[LOADED] = block
    return np.int64(FILL_UNITS)


@inline
def exact_code(
    cost, column_count, row_count, row, column, value, border_of, ring, goal_x, goal_y, block_local, block_distance, progress
):
    """The direction of a tile by the exact distances, as units would read it, and units that finding it took."""
    own_row = min(row // STEP, row_count - 1)
    own_column = min(column // STEP, column_count - 1)
    units = np.int64(1)
    for back in range(4):  # the tile's own block, the one to the left, above, above to the left
        block_row = own_row - (back >> 1)
        block_column = own_column - (back & 1)
        top = block_row * STEP
        left = block_column * STEP
        if block_row < 0 or block_column < 0 or row - top >= SIDE or column - left >= SIDE:
            continue
        block = block_row * column_count + block_column
        units += load(cost, column_count, block, value, border_of, ring, goal_x, goal_y, block_local, block_distance, progress)
        code = code_of(block_local, block_distance, PADDED, (row - top + 1) * PADDED + column - left + 1, row, column)
        if code != NOT_HERE:
            return code, units
    return np.int64(NOT_HERE), units


@inline
def add_member(cost, stride, tile, local, distance, place, member, progress):
    """Take a tile into the corridor."""
    local[tile] = cost[tile // stride - 1, tile % stride - 1]
    distance[tile] = _UNREACHED
    place[tile] = np.int32(-1)
    member[progress[MEMBERS]] = np.int32(tile)
    progress[MEMBERS] += 1


@inline
def offer_reach(cost, stride, tile, reach, local, distance, place, member, queue, steps_left, progress):
    """Have the corridor reach so many steps less one beyond a tile, if it doesn't reach farther already."""
    if np.int64(steps_left[tile]) >= reach:
        return
    if steps_left[tile] == 0:
        add_member(cost, stride, tile, local, distance, place, member, progress)
    steps_left[tile] = np.uint8(reach)
    queue[progress[TAIL]] = np.int32(tile)
    progress[TAIL] += 1


@inline
def spread(cost, stride, local, distance, place, member, queue, steps_left, progress, budget):
    """Take tiles from the queue and reach out from them; what is left of the budget."""
    while budget > 0 and progress[HEAD] < progress[TAIL]:
        tile = np.int64(queue[progress[HEAD]])
        progress[HEAD] += 1
        budget -= 1
        reach = np.int64(steps_left[tile]) - 1
        if reach <= 0:
            continue
        row = tile // stride - 1
        column = tile % stride - 1
        for down in range(-1, 2):
            for right in range(-1, 2):
                if not is_free_inside(cost, row + down, column + right):
                    continue
                if not is_free_inside(cost, row + down, column) or not is_free_inside(cost, row, column + right):
                    continue
                offer_reach(
                    cost, stride, tile + down * stride + right, reach, local, distance, place, member, queue, steps_left, progress
                )
    return budget


@inline
def offer_way(local, stride, tile, other, beside, below, distance, heap, place, progress):
    """Offer a neighbour the way over a tile."""
    cost = step_cost(local, stride, tile, other, beside, below)
    if cost < _FAR and distance[tile] + cost < distance[other]:
        wake(other, np.int32(distance[tile] + cost), heap, place, distance, progress)


@inline
def flood(local, stride, distance, heap, place, progress, budget):
    """Exact distances inside the corridor, nearest tiles first; what is left of the budget."""
    while budget > 0 and progress[HEAP_SIZE] > 0:
        tile = take_first(heap, place, distance, progress)
        budget -= 1
        for down in range(-1, 2):
            for right in range(-1, 2):
                if down != 0 or right != 0:
                    beside = tile + right if down != 0 else tile
                    below = tile + down * stride if right != 0 else tile
                    other = tile + down * stride + right
                    offer_way(local, stride, tile, other, beside, below, distance, heap, place, progress)
    return budget


@inline
def is_worth_it(
    cost, stride, column_count, row_count, start_x, start_y, percent, value, border_of, ring, goal_x, goal_y, block_local,
    block_distance, local, distance, progress, budget,
):  # fmt: skip
    """Whether nobody's way inside the corridor is more than ``percent`` of its shortest; looks at up to ``budget`` starts."""
    while budget > 0 and progress[AT] < start_x.shape[0]:
        column = np.int64(start_x[progress[AT]])
        row = np.int64(start_y[progress[AT]])
        progress[AT] += 1
        budget -= 1
        tile = (row + 1) * stride + column + 1
        if local[tile] == 0:
            continue
        block_row = min(row // STEP, row_count - 1)
        block_column = min(column // STEP, column_count - 1)
        block = block_row * column_count + block_column
        load(cost, column_count, block, value, border_of, ring, goal_x, goal_y, block_local, block_distance, progress)
        exact = np.int64(block_distance[(row - block_row * STEP + 1) * PADDED + column - block_column * STEP + 1])
        if np.int64(distance[tile]) * 100 > exact * percent:
            return False
    return True


@inline
def write_codes(
    stride, column_count, local, distance, member, block_at, out_block, out_code, progress, budget,
):  # fmt: skip
    """Directions of the corridor's tiles, by block; what is left of the budget."""
    while budget > 0 and progress[AT] < progress[MEMBERS]:
        tile = np.int64(member[progress[AT]])
        progress[AT] += 1
        budget -= 1
        row = tile // stride - 1
        column = tile % stride - 1
        if distance[tile] >= _UNREACHED:
            continue
        block = (row // STEP) * column_count + column // STEP
        at = np.int64(block_at[block])
        if at < 0:
            at = progress[BLOCKS]
            progress[BLOCKS] = at + 1
            block_at[block] = np.int32(at)
            out_block[at] = np.int32(block)
            for index in range(OWN_TILES):
                out_code[at, index] = np.uint8(NOT_HERE)
        code = code_of(local, distance, stride, tile, row, column)
        out_code[at, (row % STEP) * STEP + column % STEP] = np.uint8(code)
    return budget


@inline
def clear(local, steps_left, member, block_at, out_block, progress):
    """Forget the corridor before."""
    for index in range(progress[MEMBERS]):
        tile = np.int64(member[index])
        local[tile] = np.uint8(0)
        steps_left[tile] = np.uint8(0)
    for index in range(progress[BLOCKS]):
        block_at[np.int64(out_block[index])] = np.int32(-1)
    for index in range(PROGRESS_COUNT):
        progress[index] = 0
    progress[LOADED] = -1


@inline
def lead(
    cost, stride, column_count, row_count, groups, value, border_of, ring, goal_x, goal_y, block_local, block_distance, route,
    progress, budget,
):  # fmt: skip
    """Follow the leader's route; what is left of the budget, -1 where no way leads on. Done where ``progress[AT]`` is 1."""
    if progress[ROUTE] == 0:
        group = progress[GROUP]
        route[0] = np.int32((np.int64(groups[group, LEADER_Y]) + 1) * stride + np.int64(groups[group, LEADER_X]) + 1)
        progress[ROUTE] = 1
    while budget > 0:
        tile = np.int64(route[progress[ROUTE] - 1])
        row = tile // stride - 1
        column = tile % stride - 1
        code, units = exact_code(
            cost, column_count, row_count, row, column, value, border_of, ring, goal_x, goal_y, block_local, block_distance,
            progress,
        )  # fmt: skip
        budget -= units
        if code == 8:
            progress[AT] = 1
            return max(budget, np.int64(0))
        if code > 8:
            return np.int64(-1)
        down = np.int64(code >= 1 and code <= 3) - np.int64(code >= 5)
        right = np.int64(code <= 1 or code == 7) - np.int64(code >= 3 and code <= 5)
        route[progress[ROUTE]] = np.int32(tile + down * stride + right)
        progress[ROUTE] += 1
    return np.int64(0)


@kernel(
    "uint8[:, ::1] cost, int32[::1] value, int32[:, ::1] border_of, int32[::1] ring, int32[::1] goal_x, int32[::1] goal_y,"
    " int32[:, ::1] groups, int32[::1] start_x, int32[::1] start_y, uint8[::1] block_local,"
    " int32[::1] block_distance, uint8[::1] local, uint8[::1] steps_left,"
    " int32[::1] distance, int32[::1] place, int32[::1] member, int32[::1] queue, int32[::1] block_at, int32[::1] out_block,"
    " uint8[:, ::1] out_code, int64[::1] progress, int64 column_count, int64 row_count, int64 reach, int64 percent, int64 budget"
)
def find_common_route(
    cost, value, border_of, ring, goal_x, goal_y, groups, start_x, start_y, block_local, block_distance, local, steps_left,
    distance, place, member, queue, block_at, out_block, out_code, progress, column_count, row_count, reach, percent, budget,
):  # fmt: skip
    """One slice of the work. At the end ``progress[BLOCKS]`` blocks have directions, none where it isn't worth it.

    ``queue`` holds the leader's route while that is followed, then the tiles to reach out from, then the heap of the flood.
    """
    stride = np.int64(cost.shape[1]) + 2
    left = budget
    while left > 0:
        phase = progress[PHASE]
        if phase == CLEARING:
            clear(local, steps_left, member, block_at, out_block, progress)
            left -= 1
            progress[PHASE] = LEADING
        elif phase == LEADING:
            left = lead(
                cost, stride, column_count, row_count, groups, value, border_of, ring, goal_x, goal_y, block_local,
                block_distance, queue, progress, left,
            )  # fmt: skip
            if left < 0:
                progress[DONE] = 1
                return
            if progress[AT] == 1:
                progress[PHASE] = SPREADING_ROUTE
                progress[AT] = 0
                progress[HEAD] = 0
                # The queue holds the route already: its tiles need only be taken in.
                progress[TAIL] = 0
                for index in range(progress[ROUTE]):
                    tile = np.int64(queue[index])
                    if is_free_inside(cost, tile // stride - 1, tile % stride - 1):
                        offer_reach(cost, stride, tile, reach + 1, local, distance, place, member, queue, steps_left, progress)
        elif phase == SPREADING_ROUTE or phase == SPREADING_START:
            left = spread(cost, stride, local, distance, place, member, queue, steps_left, progress, left)
            if progress[HEAD] == progress[TAIL]:
                progress[HEAD] = 0
                progress[TAIL] = 0
                if phase == SPREADING_ROUTE:
                    progress[PHASE] = SPREADING_START
                    column = np.int64(groups[progress[GROUP], LEADER_X])
                    row = np.int64(groups[progress[GROUP], LEADER_Y])
                    if is_free_inside(cost, row, column):
                        around = max(np.int64(groups[progress[GROUP], RADIUS]), reach) + 1
                        tile = (row + 1) * stride + column + 1
                        offer_reach(cost, stride, tile, around, local, distance, place, member, queue, steps_left, progress)
                else:
                    progress[GROUP] += 1
                    progress[ROUTE] = 0
                    progress[PHASE] = LEADING
                    if progress[GROUP] == groups.shape[0]:
                        progress[PHASE] = FLOODING
                        for goal in range(goal_x.shape[0]):
                            tile = (np.int64(goal_y[goal]) + 1) * stride + np.int64(goal_x[goal]) + 1
                            if local[tile] != 0:
                                wake(tile, np.int32(0), queue, place, distance, progress)
        elif phase == FLOODING:
            left = flood(local, stride, distance, queue, place, progress, left)
            if progress[HEAP_SIZE] == 0:
                progress[PHASE] = CHECKING
        elif phase == CHECKING:
            if not is_worth_it(
                cost, stride, column_count, row_count, start_x, start_y, percent, value, border_of, ring, goal_x, goal_y,
                block_local, block_distance, local, distance, progress, left,
            ):  # fmt: skip
                progress[DONE] = 1
                return
            left = np.int64(0)
            if progress[AT] == start_x.shape[0]:
                progress[AT] = 0
                progress[PHASE] = WRITING
        else:
            left = write_codes(stride, column_count, local, distance, member, block_at, out_block, out_code, progress, left)
            if progress[AT] == progress[MEMBERS]:
                progress[DONE] = 1
                return
