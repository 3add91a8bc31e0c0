"""Slow, obvious references for the grid: a heap, a flood, fractions. They share no code with what they check."""

import heapq
from fractions import Fraction

import numpy as np
import numpy.typing as npt

# E, SE, S, SW, W, NW, N, NE
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]

Cost = npt.NDArray[np.uint8]
Tile = tuple[int, int]


def is_free(cost: Cost, x: int, y: int) -> bool:
    """Whether the tile is in the grid and not solid."""
    return 0 <= y < cost.shape[0] and 0 <= x < cost.shape[1] and bool(cost[y, x] != 0)


def step_allowed(cost: Cost, x: int, y: int, direction: int) -> bool:
    """Whether the step is allowed from a free tile: no corner cutting."""
    dx, dy = STEPS[direction]
    return is_free(cost, x + dx, y + dy) and is_free(cost, x + dx, y) and is_free(cost, x, y + dy)


def step_cost(cost: Cost, x: int, y: int, direction: int) -> int:
    """Whole-number cost of a step."""
    dx, dy = STEPS[direction]
    return (int(cost[y, x]) + int(cost[y + dy, x + dx])) * (99 if dx and dy else 70)


def dijkstra(cost: Cost, goals: list[Tile]) -> dict[Tile, int]:
    """Distance of every tile (x, y) that has a way to a goal."""
    distance: dict[Tile, int] = {}
    heap = [(0, goal) for goal in goals]
    while heap:
        here, (x, y) = heapq.heappop(heap)
        if (x, y) in distance:
            continue
        distance[x, y] = here
        for direction, (dx, dy) in enumerate(STEPS):
            if step_allowed(cost, x, y, direction) and (x + dx, y + dy) not in distance:
                heapq.heappush(heap, (here + step_cost(cost, x, y, direction), (x + dx, y + dy)))
    return distance


def distance_array(cost: Cost, goals: list[Tile], unreachable: int) -> npt.NDArray[np.int64]:
    """``dijkstra`` as an array (height, width)."""
    result = np.full(cost.shape, unreachable, dtype=np.int64)
    for (x, y), value in dijkstra(cost, goals).items():
        result[y, x] = value
    return result


def direction_array(cost: Cost, goals: list[Tile]) -> npt.NDArray[np.uint8]:
    """The direction of every tile, by the stated total order."""
    distance = dijkstra(cost, goals)
    result = np.full(cost.shape, 8, dtype=np.uint8)
    for (x, y), here in distance.items():
        if here == 0:
            continue
        favoured = [d for d in (0, 4) if x % 2 == 0] + [d for d in (2, 6) if y % 2 == 0]
        diagonal = [1, 3, 5, 7]
        others = [d for d in (0, 2, 4, 6) if d not in favoured]
        for direction in [*sorted(favoured), *diagonal, *others]:
            dx, dy = STEPS[direction]
            if not step_allowed(cost, x, y, direction):
                continue
            if distance[x + dx, y + dy] + step_cost(cost, x, y, direction) == here:
                result[y, x] = direction
                break
    return result


def component_array(cost: Cost) -> npt.NDArray[np.int32]:
    """Labels of connected free tiles in the order of their first tile, by flood over all allowed steps."""
    label = np.zeros(cost.shape, dtype=np.int32)
    count = 0
    for start_y, start_x in zip(*np.nonzero(cost), strict=True):
        if label[start_y, start_x]:
            continue
        count += 1
        stack = [(int(start_x), int(start_y))]
        label[start_y, start_x] = count
        while stack:
            x, y = stack.pop()
            for direction, (dx, dy) in enumerate(STEPS):
                if step_allowed(cost, x, y, direction) and not label[y + dy, x + dx]:
                    label[y + dy, x + dx] = count
                    stack.append((x + dx, y + dy))
    return label


def sees(cost: Cost, start: Tile, end: Tile) -> bool:
    """Whether no solid tile has a point, corners included, on the segment between the centres: every tile is tried."""
    if not (is_free(cost, *start) and is_free(cost, *end)):
        return False
    for y in range(min(start[1], end[1]), max(start[1], end[1]) + 1):
        for x in range(min(start[0], end[0]), max(start[0], end[0]) + 1):
            if not is_free(cost, x, y) and _touches(start, end, x, y):
                return False
    return True


def _touches(start: Tile, end: Tile, x: int, y: int) -> bool:
    """Whether the segment between the centres meets the closed square of a tile (clipping, in fractions)."""
    first, last = Fraction(0), Fraction(1)
    for at, to, low in ((start[0], end[0], x), (start[1], end[1], y)):
        begin, delta = Fraction(2 * at + 1, 2), to - at
        if delta == 0:
            if not low <= begin <= low + 1:
                return False
            continue
        times = sorted(((low - begin) / delta, (low + 1 - begin) / delta))
        first, last = max(first, times[0]), min(last, times[1])
    return first <= last


def nearest_free(cost: Cost, x: int, y: int) -> Tile | None:
    """The free tile nearest to (x, y); ties by row, then column."""
    free = [(int(cx), int(cy)) for cy, cx in zip(*np.nonzero(cost), strict=True)]
    return min(free, key=lambda tile: ((tile[0] - x) ** 2 + (tile[1] - y) ** 2, tile[1], tile[0]), default=None)


def footprint_cost_array(cost: Cost, size: int) -> Cost:
    """What a unit of some tiles a side pays on each tile: the greatest cost under it, 0 where it doesn't fit."""
    result = np.zeros_like(cost)
    for y in range(cost.shape[0]):
        for x in range(cost.shape[1]):
            left, top = x - (size - 1) // 2, y - (size - 1) // 2
            under = [(column, row) for row in range(top, top + size) for column in range(left, left + size)]
            if all(is_free(cost, *tile) for tile in under):
                result[y, x] = max(int(cost[row, column]) for column, row in under)
    return result


def solid_mask_array(cost: Cost) -> npt.NDArray[np.uint8]:
    """Bits of the solid neighbours of every tile."""
    result = np.zeros(cost.shape, dtype=np.uint8)
    for y in range(cost.shape[0]):
        for x in range(cost.shape[1]):
            for direction, (dx, dy) in enumerate(STEPS):
                if not is_free(cost, x + dx, y + dy):
                    result[y, x] |= 1 << direction
    return result
