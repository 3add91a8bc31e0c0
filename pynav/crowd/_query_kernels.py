# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of questions about who is where: an index of agents by square cells, then circles, rectangles and nearest agents.

The index is the questions' own: the agent table's order by cells is as old as the last sort, and asking must not change it.
"""

import numpy as np

from pynav.crowd.agent_layout import AGENT_ID, CROWD, FIRST_SLOT, POSITION_X, POSITION_Y, REMOVED, STATUS
from pynav.kernels import block_kernel, inline, kernel

_ZERO = np.float32(0.0)
NOBODY = -1


@inline
def cell_of(place, cells_per_tile, count):
    """The row or column of cells of a coordinate; those beyond the map belong to its edge."""
    return min(max(np.int64(place * cells_per_tile), np.int64(0)), count - 1)


@kernel(
    "float32[:, ::1] values, int32[:, ::1] tags, int32[:, ::1] crowd_numbers, int32[::1] start, float32[:, ::1] place,"
    " int32[:, ::1] owner, int64 agent_count, int64 columns, int64 rows, float32 cells_per_tile"
)
def index_agents(values, tags, crowd_numbers, start, place, owner, agent_count, columns, rows, cells_per_tile):
    """Agents by cells: ``place`` (x, y) and ``owner`` (slot, crowd) of each, those of cell c from ``start[c + 1]`` on."""
    for cell in range(columns * rows + 2):
        start[cell] = 0
    for agent in range(agent_count):
        if tags[STATUS, agent] != REMOVED:
            row = cell_of(values[POSITION_Y, agent], cells_per_tile, rows)
            start[row * columns + cell_of(values[POSITION_X, agent], cells_per_tile, columns) + 1] += 1
    for cell in range(columns * rows):
        start[cell + 1] += start[cell]
    start[columns * rows + 1] = start[columns * rows]
    # Filled from the end of each cell backwards: so the end of c, in start[c + 1], becomes its beginning.
    for back in range(agent_count):
        agent = agent_count - 1 - back
        if tags[STATUS, agent] != REMOVED:
            x = values[POSITION_X, agent]
            y = values[POSITION_Y, agent]
            cell = cell_of(y, cells_per_tile, rows) * columns + cell_of(x, cells_per_tile, columns)
            start[cell + 1] -= 1
            at = np.int64(start[cell + 1])
            crowd = tags[CROWD, agent]
            place[0, at] = x
            place[1, at] = y
            owner[0, at] = crowd_numbers[FIRST_SLOT, np.int64(crowd)] + tags[AGENT_ID, agent]
            owner[1, at] = crowd


@inline
def is_inside(place, at, box, reach):
    """Whether an agent stands in a rectangle (left, top, right, low; edges belong to it), or in the circle about its middle."""
    x = place[0, at]
    y = place[1, at]
    if x < box[0] or x > box[2] or y < box[1] or y > box[3]:
        return False
    away_x = x - box[4]
    away_y = y - box[5]
    return reach < _ZERO or away_x * away_x + away_y * away_y <= reach * reach


@block_kernel(
    "int32[::1] start, float32[:, ::1] place, int32[:, ::1] owner, uint8[::1] is_wanted, float32[:, ::1] box,"
    " float32[::1] reach, int64[::1] first, int32[::1] found, int64[::1] found_count, int64 columns, int64 rows,"
    " float32 cells_per_tile"
)
def find_inside(start, place, owner, is_wanted, box, reach, first, found, found_count, columns, rows, cells_per_tile, begin, end):
    """The slots of wanted crowds' agents in each area, from ``first`` on as many as there is room for; counts them all."""
    for query in range(begin, end):
        room = first[query + 1] - first[query]
        count = np.int64(0)
        left = cell_of(box[query, 0], cells_per_tile, columns)
        right = cell_of(box[query, 2], cells_per_tile, columns)
        for row in range(cell_of(box[query, 1], cells_per_tile, rows), cell_of(box[query, 3], cells_per_tile, rows) + 1):
            cell = row * columns + left
            for at in range(np.int64(start[cell + 1]), np.int64(start[row * columns + right + 2])):
                if is_wanted[np.int64(owner[1, at])] != 0 and is_inside(place, at, box[query], reach[query]):
                    if count < room:
                        found[first[query] + count] = owner[0, at]
                    count += 1
        found_count[query] = count


@inline
def put_in_order(found, distance, query, limit, slot, squared):
    """Insert an agent into a query's list, which is in the order of distances, then slots; the last one falls out."""
    last = limit - 1
    if found[query, last] != NOBODY and (
        distance[query, last] < squared or (distance[query, last] == squared and found[query, last] < slot)
    ):
        return
    while last > 0 and (
        found[query, last - 1] == NOBODY
        or squared < distance[query, last - 1]
        or (squared == distance[query, last - 1] and slot < found[query, last - 1])
    ):
        found[query, last] = found[query, last - 1]
        distance[query, last] = distance[query, last - 1]
        last -= 1
    found[query, last] = slot
    distance[query, last] = squared


@inline
def look_through(start, place, owner, is_wanted, found, distance, query, limit, row, left, right, columns, x, y, furthest):
    """Offer the wanted agents of the cells left..right of a row to a query's list."""
    for at in range(np.int64(start[row * columns + left + 1]), np.int64(start[row * columns + right + 2])):
        if is_wanted[np.int64(owner[1, at])] != 0:
            away_x = place[0, at] - x
            away_y = place[1, at] - y
            squared = away_x * away_x + away_y * away_y
            if squared <= furthest:
                put_in_order(found, distance, query, limit, owner[0, at], squared)


@block_kernel(
    "int32[::1] start, float32[:, ::1] place, int32[:, ::1] owner, uint8[::1] is_wanted, float32[:, ::1] point,"
    " int32[:, ::1] found, float32[:, ::1] distance, float32 furthest, int64 columns, int64 rows, float32 cells_per_tile"
)
def find_nearest(start, place, owner, is_wanted, point, found, distance, furthest, columns, rows, cells_per_tile, begin, end):
    """The wanted agents nearest to each point: slots and squared distances, NOBODY behind the last. Rings of cells, outwards."""
    limit = np.int64(found.shape[1])
    for query in range(begin, end):
        x = point[query, 0]
        y = point[query, 1]
        for index in range(limit):
            found[query, index] = NOBODY
        own_column = cell_of(x, cells_per_tile, columns)
        own_row = cell_of(y, cells_per_tile, rows)
        for ring in range(max(columns, rows)):
            # Whoever is in this ring or beyond is at least so far away; one cell less, as the point may stand beyond the map.
            least = np.float32(ring - 1) / cells_per_tile
            if least > _ZERO and least * least > furthest:
                break
            if least > _ZERO and found[query, limit - 1] != NOBODY and least * least > distance[query, limit - 1]:
                break
            left = max(own_column - ring, np.int64(0))
            right = min(own_column + ring, columns - 1)
            for row in range(max(own_row - ring, np.int64(0)), min(own_row + ring, rows - 1) + 1):
                if abs(row - own_row) == ring:
                    look_through(
                        start, place, owner, is_wanted, found, distance, query, limit, row, left, right, columns, x, y, furthest
                    )  # fmt: skip
                    continue
                for column in (own_column - ring, own_column + ring):
                    if 0 <= column < columns:
                        look_through(
                            start, place, owner, is_wanted, found, distance, query, limit, row, column, column, columns, x, y,
                            furthest,
                        )  # fmt: skip
