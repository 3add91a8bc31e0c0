"""The slow reference of common routes."""

import numpy as np

from tests.naive.grid import STEPS, Cost, Tile, dijkstra, direction_array, step_allowed

BLOCK_STEP = 16


def tiles_within(cost: Cost, sources: list[Tile], steps: int) -> set[Tile]:
    """Tiles that so many legal steps or fewer lead to."""
    found = set(sources)
    rim = found
    for _ in range(steps):
        rim = {(x + dx, y + dy) for x, y in rim for step, (dx, dy) in enumerate(STEPS) if step_allowed(cost, x, y, step)} - found
        found = found | rim
    return found


def corridor_directions(
    cost: Cost, goals: list[Tile], groups: list[tuple[Tile, int, list[Tile]]], starts: list[Tile], reach: int, percent: int
) -> dict[Tile, int]:
    """Directions by tile inside the corridors of groups: leader, radius, leader's route; none unless worth it for all.

    The last column and row of a map of 16 n + 1 tiles count as solid: they are no block's own.
    """
    height, width = cost.shape
    own = cost.copy()
    own[-(-(height - 1) // BLOCK_STEP) * BLOCK_STEP :] = 0
    own[:, -(-(width - 1) // BLOCK_STEP) * BLOCK_STEP :] = 0
    inside: set[Tile] = set()
    for leader, radius, route in groups:
        for sources, steps in ((route, reach), ([leader], max(radius + 2, reach))):
            inside |= tiles_within(own, [(x, y) for x, y in sources if own[y, x]], steps)
    masked = np.zeros_like(cost)
    for x, y in inside:
        masked[y, x] = cost[y, x]
    free_goals = [(x, y) for x, y in goals if masked[y, x]]
    if not free_goals:
        return {}
    common, exact = dijkstra(masked, free_goals), dijkstra(cost, [(x, y) for x, y in goals if cost[y, x]])
    for start in starts:
        if start in inside and (start not in common or common[start] * 100 > exact[start] * percent):
            return {}
    codes = direction_array(masked, free_goals)
    return {(x, y): int(codes[y, x]) for x, y in inside if (x, y) in common}
