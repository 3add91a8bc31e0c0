# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the search over portals, from a goal.

The value of an anchor is what remains for whoever stands on it and crosses to its partner there. Settling anchor m of a
sector lowers the values of the partners n' of the sector's other anchors n: value(n') = step(n', n) + distance(n, m) + value(m).
Anchors wait in a heap by value plus an estimate of the way to the sectors that somebody waits for (A*), then by number.
"""

import numpy as np

from pynav.grid._heap_kernels import HEAP_SIZE, rise, sink, take_first
from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR
from pynav.kernels import inline, kernel
from pynav.portals._flood_kernels import flood_rows, weigh_steps
from pynav.portals._sector_kernels import facing_sector
from pynav.portals.sector_layout import FAR, OPEN, SETTLED, SIDES, UNSEEN

_FAR = np.int32(FAR)
_ZERO = np.int32(0)

# Entries of ``progress`` (int64), HEAP_SIZE is the first.
SEEN = 1  # anchors that have a value: their number in ``seen``
EXPANDED = 2  # anchors settled, over all calls
WAITED_FOR = 3  # islands that somebody waits for and that no settled anchor belongs to
STOP_AT = 4  # the search may stop when the least key is above this and nobody waits
DONE = 5
GOALS = 6  # rows of ``goal`` in use
LISTED = 7  # entries of ``listed`` in use: sectors that are asked for
BOX = 8  # left, top, right, bottom of the sectors waited for, tiles, included: entries 8 to 11
LEAST_COST = 12  # of a free tile of the map; this and the next stay when a search is forgotten
GREED = 13  # estimates count for so many percent; above 100 for rough searches: over the middles of portals alone, and they end
# at the first anchor of each island
PROGRESS_COUNT = 14

# Columns of ``goal`` (int32): goals lie by sector.
GOAL_X = 0
GOAL_Y = 1
GOAL_SECTOR = 2
GOAL_ISLAND = 3
GOAL_COLUMNS = 4


@inline
def octile(across, down, least_cost):
    """The least that a way over so many tiles can cost."""
    diagonal = min(across, down)
    return ((max(across, down) - diagonal) * STRAIGHT_FACTOR + diagonal * DIAGONAL_FACTOR) * 2 * least_cost


@inline
def estimate(tile, width, progress):
    """The least that a way from a tile to the box can cost."""
    x = tile % width
    y = tile // width
    across = max(np.int64(0), max(progress[BOX] - x, x - progress[BOX + 2]))
    down = max(np.int64(0), max(progress[BOX + 1] - y, y - progress[BOX + 3]))
    return octile(across, down, progress[LEAST_COST]) * progress[GREED] // 100


@inline
def offer(node, value, parent, anchor_tile, width, remaining, status, origin, key, heap, place, seen, progress):
    """Lower an anchor's value and have it wait accordingly."""
    if status[node] == SETTLED or (status[node] == OPEN and value >= remaining[node]):
        return
    at = np.int64(0)
    if status[node] == UNSEEN:
        status[node] = np.uint8(OPEN)
        seen[progress[SEEN]] = np.int32(node)
        progress[SEEN] += 1
        at = progress[HEAP_SIZE]
        progress[HEAP_SIZE] = at + 1
        heap[at] = np.int32(node)
    else:
        at = np.int64(place[node])
    remaining[node] = value
    origin[node] = np.int32(parent)
    key[node] = value + estimate(np.int64(anchor_tile[node]), width, progress)
    rise(heap, place, key, at)


@inline
def crossing_cost(cost, tile, other):
    """What the step between the two tiles of a pair across a border costs."""
    width = np.int64(cost.shape[1])
    return (np.int64(cost[tile // width, tile % width]) + np.int64(cost[other // width, other % width])) * STRAIGHT_FACTOR


@inline
def island_number(island, island_start, sector, tile):
    """Number of a tile's island when those of all sectors are counted through."""
    width = np.int64(island.shape[1])
    return np.int64(island_start[sector]) + np.int64(island[tile // width, tile % width]) - 1


@kernel(
    "uint8[:, ::1] cost, uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] side_start, int32[::1] anchor_base,"
    " int32[::1] anchor_tile, uint8[::1] anchor_middle, int32[:, ::1] goal, int64[::1] goal_span, int64[::1] remaining,"
    " uint8[::1] status, int32[::1] origin, int64[::1] key, int32[::1] heap, int32[::1] place, int32[::1] seen,"
    " int32[::1] weight, int32[::1] wall, int32[:, ::1] steps, int32[:, ::1] lines, uint8[:, ::1] waiting, int32[::1] distance,"
    " int64 size, int64 column_count, int64[::1] progress"
)
def seed_from_goals(
    cost, island, island_start, side_start, anchor_base, anchor_tile, anchor_middle, goal, goal_span, remaining, status,
    origin, key, heap, place, seen, weight, wall, steps, lines, waiting, distance, size, column_count, progress,
):  # fmt: skip
    """Give their values to the anchors that face the goals' sectors. Goals are listed by sector, solid ones left out.

    Notes the island of each goal, and in ``goal_span`` the greatest distance from a tile of that to a goal inside it.
    """
    width = np.int64(cost.shape[1])
    padded = size + 2
    count = progress[GOALS]
    at = np.int64(0)
    while at < count:
        sector = np.int64(goal[at, GOAL_SECTOR])
        top = (sector // column_count) * size
        left = (sector % column_count) * size
        rows = min(top + size, np.int64(cost.shape[0])) - top
        columns = min(left + size, width) - left
        weigh_steps(cost, top, left, rows, columns, padded, weight, wall, steps)
        for tile in range((rows + 2) * padded):
            distance[tile] = _FAR
        first = at
        while at < count and goal[at, GOAL_SECTOR] == sector:
            distance[(np.int64(goal[at, GOAL_Y]) - top + 1) * padded + np.int64(goal[at, GOAL_X]) - left + 1] = _ZERO
            at += 1
        flood_rows(distance, padded, rows, columns, steps, lines, waiting)
        for index in range(first, at):
            own = island[np.int64(goal[index, GOAL_Y]), np.int64(goal[index, GOAL_X])]
            goal[index, GOAL_ISLAND] = np.int32(np.int64(island_start[sector]) + np.int64(own) - 1)
            span = np.int64(0)
            for row in range(rows):
                for column in range(columns):
                    if island[top + row, left + column] == own:
                        span = max(span, np.int64(distance[(row + 1) * padded + column + 1]))
            goal_span[index] = span
        base = np.int64(anchor_base[sector])
        for side in range(SIDES):
            if side_start[sector, side] == side_start[sector, side + 1]:
                continue
            other = facing_sector(sector, side, column_count)
            facing = np.int64(anchor_base[other]) + np.int64(side_start[other, (side + 2) % SIDES])
            for local in range(side_start[sector, side], side_start[sector, side + 1]):
                tile = np.int64(anchor_tile[base + local])
                found = distance[(tile // width - top + 1) * padded + tile % width - left + 1]
                partner = facing + local - np.int64(side_start[sector, side])
                if found < _FAR and (progress[GREED] == 100 or anchor_middle[partner] != 0):
                    value = np.int64(found) + crossing_cost(cost, tile, np.int64(anchor_tile[partner]))
                    offer(
                        partner, value, np.int64(-1), anchor_tile, width, remaining, status, origin, key, heap, place, seen,
                        progress,
                    )  # fmt: skip


@inline
def row_span(matrix, row, count):
    """The greatest distance in a row of a matrix."""
    span = np.int64(0)
    for other in range(count):
        found = np.int64(matrix[row + other])
        if found < FAR:
            span = max(span, found)
    return span


@kernel(
    "uint8[:, ::1] cost, uint16[:, ::1] island, int32[::1] island_start, int32[:, ::1] side_start, int32[::1] anchor_base,"
    " int32[::1] anchor_tile, uint8[::1] anchor_middle, int32[::1] anchor_sector, int64[::1] matrix_base,"
    " int32[::1] matrix, int64[::1] remaining, uint8[::1] status, int32[::1] origin, int64[::1] key, int32[::1] heap,"
    " int32[::1] place, int32[::1] seen, uint8[::1] wanted, int64 size, int64 column_count, int64 budget,"
    " int64[::1] progress"
)
def search_portals(
    cost, island, island_start, side_start, anchor_base, anchor_tile, anchor_middle, anchor_sector, matrix_base, matrix,
    remaining, status, origin, key, heap, place, seen, wanted, size, column_count, budget, progress,
):  # fmt: skip
    """Settle ``budget`` anchors at most; ``progress[DONE]`` is 1 once all that is waited for is final."""
    width = np.int64(cost.shape[1])
    left = budget
    is_rough = progress[GREED] > 100
    slack = octile(size, size, progress[LEAST_COST])  # keys of anchors in the sectors around one that is waited for
    while True:
        if progress[HEAP_SIZE] == 0:
            progress[DONE] = 1
            break
        if progress[WAITED_FOR] == 0 and (is_rough or key[np.int64(heap[0])] > progress[STOP_AT]):
            progress[DONE] = 1
            break
        if left <= 0:
            break
        left -= 1
        node = take_first(heap, place, key, progress)
        status[node] = np.uint8(SETTLED)
        progress[EXPANDED] += 1
        value = remaining[node]
        sector = np.int64(anchor_sector[node])
        base = np.int64(anchor_base[sector])
        count = np.int64(side_start[sector, SIDES])
        row = matrix_base[sector] + (node - base) * count
        number = island_number(island, island_start, sector, np.int64(anchor_tile[node]))
        if wanted[number] == 1:
            wanted[number] = np.uint8(2)
            progress[WAITED_FOR] -= 1
            progress[STOP_AT] = max(progress[STOP_AT], value + row_span(matrix, row, count) + slack)
        for side in range(SIDES):
            if side_start[sector, side] == side_start[sector, side + 1]:
                continue
            other = facing_sector(sector, side, column_count)
            facing = np.int64(anchor_base[other]) + np.int64(side_start[other, (side + 2) % SIDES])
            for local in range(side_start[sector, side], side_start[sector, side + 1]):
                way = np.int64(matrix[row + local])
                if way >= FAR or base + local == node:
                    continue
                partner = facing + local - np.int64(side_start[sector, side])
                if status[partner] == SETTLED or (is_rough and anchor_middle[partner] == 0):
                    continue
                step = crossing_cost(cost, np.int64(anchor_tile[base + local]), np.int64(anchor_tile[partner]))
                offer(
                    partner, value + way + step, node, anchor_tile, width, remaining, status, origin, key, heap, place, seen,
                    progress,
                )  # fmt: skip


@kernel("int32[::1] anchor_tile, int64[::1] key, int64[::1] remaining, int32[::1] heap, int32[::1] place, int64 width,"
        " int64[::1] progress")  # fmt: skip
def order_anew(anchor_tile, key, remaining, heap, place, width, progress):
    """Bring the heap in order after the box of what is waited for has changed."""
    size = progress[HEAP_SIZE]
    for at in range(size):
        node = np.int64(heap[at])
        key[node] = remaining[node] + estimate(np.int64(anchor_tile[node]), width, progress)
    for step in range(size // 2):
        sink(heap, place, key, size, size // 2 - 1 - step)


@kernel("uint8[::1] status, int32[::1] seen, uint8[::1] wanted, int64[::1] progress")
def forget_search(status, seen, wanted, progress):
    """Make a search's arrays clean again; the box becomes empty."""
    if progress[SEEN] * 16 > np.int64(status.shape[0]):  # one after the other costs less then
        for node in range(status.shape[0]):
            status[node] = np.uint8(UNSEEN)
    else:
        for index in range(progress[SEEN]):
            status[np.int64(seen[index])] = np.uint8(UNSEEN)
    for index in range(wanted.shape[0]):
        wanted[index] = np.uint8(0)
    for entry in range(LEAST_COST):
        if entry != LISTED:  # who asks next may have filled the list
            progress[entry] = np.int64(0)
    progress[BOX + 2] = np.int64(-1)
