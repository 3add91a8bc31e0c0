"""Slow, obvious references for maps with closed exits: who may step where, how far it is, and who gets where."""

import heapq

import numpy as np
import numpy.typing as npt

from tests.naive.grid import STEPS, Tile, is_free, sees, step_cost

Map = npt.NDArray[np.uint8]
EXIT_OF_STEP = {(1, 0): 1, (0, 1): 2, (-1, 0): 4, (0, -1): 8}


def may_step_straight(cost: Map, closed: Map, tile: Tile, step: Tile) -> bool:
    """Whether a unit on a free tile may go to the next one."""
    x, y = tile
    return is_free(cost, x, y) and is_free(cost, x + step[0], y + step[1]) and not closed[y, x] & EXIT_OF_STEP[step]


def may_step(cost: Map, closed: Map, tile: Tile, direction: int) -> bool:
    """The same for all eight steps: a diagonal one needs both ways round its corner."""
    dx, dy = STEPS[direction]
    if not (dx and dy):
        return may_step_straight(cost, closed, tile, (dx, dy))
    x, y = tile
    return all(
        may_step_straight(cost, closed, tile, first) and may_step_straight(cost, closed, (x + first[0], y + first[1]), second)
        for first, second in (((dx, 0), (0, dy)), ((0, dy), (dx, 0)))
    )


def open_step_array(cost: Map, closed: Map) -> Map:
    """Bits of the steps that may be taken from each tile."""
    result = np.zeros_like(cost)
    for y, x in np.argwhere(cost).tolist():
        for direction in range(8):
            result[y, x] |= int(may_step(cost, closed, (x, y), direction)) << direction
    return result


def dijkstra_to(cost: Map, closed: Map, goals: list[Tile]) -> dict[Tile, int]:
    """Distance of every tile (x, y) from which a way leads to a goal, searched backwards."""
    distance: dict[Tile, int] = {}
    heap = [(0, goal) for goal in goals]
    while heap:
        here, (x, y) = heapq.heappop(heap)
        if (x, y) in distance:
            continue
        distance[x, y] = here
        for direction, (dx, dy) in enumerate(STEPS):
            before = (x - dx, y - dy)
            if is_free(cost, *before) and before not in distance and may_step(cost, closed, before, direction):
                heapq.heappush(heap, (here + step_cost(cost, *before, direction), before))
    return distance


def distance_array(cost: Map, closed: Map, goals: list[Tile], unreachable: int) -> npt.NDArray[np.int64]:
    """``dijkstra_to`` as an array (height, width)."""
    result = np.full(cost.shape, unreachable, dtype=np.int64)
    for (x, y), value in dijkstra_to(cost, closed, goals).items():
        result[y, x] = value
    return result


def reached_from(cost: Map, closed: Map, start: Tile) -> set[Tile]:
    """All tiles to which a way leads from a tile."""
    found = {start} if is_free(cost, *start) else set()
    stack = list(found)
    while stack:
        x, y = stack.pop()
        for direction, (dx, dy) in enumerate(STEPS):
            after = (x + dx, y + dy)
            if after not in found and may_step(cost, closed, (x, y), direction):
                found.add(after)
                stack.append(after)
    return found


def sees_ahead(cost: Map, closed: Map, start: Tile, end: Tile) -> bool:
    """Whether the segment between two centres touches no solid tile and crosses borders by allowed steps alone, walked in many
    small parts.
    """
    if not sees(cost, start, end):
        return False
    parts = 8 * (abs(end[0] - start[0]) + abs(end[1] - start[1])) + 1
    # Twice the denominator keeps all in whole numbers; a point exactly on a border belongs to neither side.
    tile = start
    for part in range(1, 2 * parts * 64 + 1):
        across = (2 * start[0] + 1) * parts * 128 + 2 * (end[0] - start[0]) * part
        down = (2 * start[1] + 1) * parts * 128 + 2 * (end[1] - start[1]) * part
        if across % (2 * parts * 128) == 0 or down % (2 * parts * 128) == 0:
            continue
        after = (across // (2 * parts * 128), down // (2 * parts * 128))
        if after != tile:
            step = (after[0] - tile[0], after[1] - tile[1])
            if not may_step(cost, closed, tile, STEPS.index(step)):
                return False
            tile = after
    return tile == end
