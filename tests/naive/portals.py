"""Slow, obvious references for sectors: islands, portals, anchors, distances inside a sector, components of the portal graph."""

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import NO_DIRECTION
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import FAR, NEVER
from tests.naive.grid import STEPS, Cost, Tile, component_array, dijkstra, is_free, step_allowed, step_cost

OUTWARD = [(0, -1), (1, 0), (0, 1), (-1, 0)]  # north, east, south, west


@dataclass(frozen=True)
class Sector:
    """A sector as a rectangle of tiles."""

    left: int
    top: int
    right: int
    bottom: int

    def side(self, side: int) -> list[Tile]:
        """Tiles along a side, by growing x or y."""
        if side % 2 == 0:
            y = self.top if side == 0 else self.bottom - 1
            return [(x, y) for x in range(self.left, self.right)]
        x = self.right - 1 if side == 1 else self.left
        return [(x, y) for y in range(self.top, self.bottom)]


def sectors(cost: Cost, size: int) -> list[Sector]:
    """All sectors, by row, then column."""
    height, width = cost.shape
    return [
        Sector(left, top, min(left + size, width), min(top + size, height))
        for top in range(0, height, size)
        for left in range(0, width, size)
    ]


def inside(cost: Cost, sector: Sector) -> Cost:
    """The map with all but one sector solid."""
    alone = np.zeros_like(cost)
    part = (slice(sector.top, sector.bottom), slice(sector.left, sector.right))
    alone[part] = cost[part]
    return alone


def island_array(cost: Cost, size: int) -> npt.NDArray[np.int32]:
    """Islands of all tiles, numbered within their sectors."""
    island = np.zeros(cost.shape, dtype=np.int32)
    for sector in sectors(cost, size):
        island += component_array(inside(cost, sector))
    return island


def portals(cost: Cost, sector: Sector, side: int) -> list[list[Tile]]:
    """Portals of a side as lists of their tiles in the sector."""
    dx, dy = OUTWARD[side]
    found: list[list[Tile]] = [[]]
    for x, y in sector.side(side):
        if is_free(cost, x, y) and is_free(cost, x + dx, y + dy):
            found[-1].append((x, y))
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def side_anchors(cost: Cost, sector: Sector, side: int) -> list[Tile]:
    """Anchors of a side: of each portal the first tile, every fourth, and the last."""
    return [
        tile for run in portals(cost, sector, side) for index, tile in enumerate(run) if index % 4 == 0 or index == len(run) - 1
    ]


def anchors(cost: Cost, sector: Sector) -> list[Tile]:
    """A sector's anchors, by side."""
    return [tile for side in range(4) for tile in side_anchors(cost, sector, side)]


def distances(cost: Cost, sector: Sector, far: int) -> list[list[int]]:
    """True distances between a sector's anchors, over ways inside it."""
    alone, tiles = inside(cost, sector), anchors(cost, sector)
    ways = [dijkstra(alone, [start]) for start in tiles]
    return [[way.get(end, far) for end in tiles] for way in ways]


def sector_of(cost: Cost, size: int, tile: Tile) -> Sector:
    """The sector that holds a tile."""
    return next(
        sector
        for sector in sectors(cost, size)
        if sector.left <= tile[0] < sector.right and sector.top <= tile[1] < sector.bottom
    )


Crossing = tuple[Tile, Tile]


def crossing_values(cost: Cost, size: int, goals: list[Tile]) -> dict[Crossing, int]:
    """What remains for whoever stands on an anchor and crosses to its partner, by Bellman's equation over all anchors."""
    crossings: list[Crossing] = []
    for sector in sectors(cost, size):
        for side in range(4):
            dx, dy = OUTWARD[side]
            crossings += [((x, y), (x + dx, y + dy)) for x, y in side_anchors(cost, sector, side)]
    ways = {tile: dijkstra(inside(cost, sector_of(cost, size, tile)), [tile]) for pair in crossings for tile in pair}
    value: dict[Crossing, int] = {}
    changed = True
    while changed:
        changed = False
        for start, end in crossings:
            step = (int(cost[start[1], start[0]]) + int(cost[end[1], end[0]])) * 70
            offers = [ways[end][goal] for goal in goals if goal in ways[end]]
            onward = [other for other in value if other[0] in ways[end] and other != (end, start)]
            offers += [ways[end][other[0]] + value[other] for other in onward]
            if offers and step + min(offers) < value.get((start, end), 1 << 62):
                value[start, end] = step + min(offers)
                changed = True
    return value


def region(cost: Cost, size: int, sector: Sector, reach: int) -> Sector:
    """The rectangle of the sectors around one."""
    return Sector(
        max(sector.left - reach * size, 0), max(sector.top - reach * size, 0),
        min(sector.left + (reach + 1) * size, cost.shape[1]), min(sector.top + (reach + 1) * size, cost.shape[0]),
    )  # fmt: skip


def flood(cost: Cost, area: Sector, seeds: dict[Tile, int]) -> dict[Tile, int]:
    """Distances inside a rectangle from seeds of any value."""
    alone = inside(cost, area)
    found: dict[Tile, int] = {}
    heap = [(value, tile) for tile, value in seeds.items()]
    heapq.heapify(heap)
    while heap:
        here, (x, y) = heapq.heappop(heap)
        if (x, y) in found:
            continue
        found[x, y] = here
        for direction, (dx, dy) in enumerate(STEPS):
            if step_allowed(alone, x, y, direction):
                heapq.heappush(heap, (here + step_cost(alone, x, y, direction), (x + dx, y + dy)))
    return found


def island_bound(search: PortalSearch, sector: int, island: int) -> tuple[int, int]:
    """Least and most that remains from an island's anchors; 0 and the greatest distance to the goals where one lies in it."""
    map_, pool = search.sectors, search.sectors.pool
    goals = [(x, y) for x, y, goal_sector, _ in search.goals.tolist() if goal_sector == sector]
    if any(map_.island_of(*goal) == island for goal in goals):
        ways = flood(map_.grid.cost, sectors(map_.grid.cost, map_.size)[sector], dict.fromkeys(goals, 0))
        return 0, max(way for tile, way in ways.items() if map_.island_of(*tile) == island)
    base = int(pool.anchor_base[sector])
    own = [
        (int(search.remaining[base + local]), local)
        for local, tile in enumerate(pool.tiles(sector).tolist())
        if search.is_settled(base + local) and map_.island_of(tile % map_.grid.width, tile // map_.grid.width) == island
    ]
    if not own:
        return NEVER, NEVER
    least, local = min(own)
    return least, least + max(int(way) for way in map_.matrix(sector)[local] if way < FAR)


def seeds(search: PortalSearch, sector: int, island: int, reach: int) -> list[tuple[int, int, int]] | None:
    """(tile, value, code) of each exit of a sector's region that can matter and of each goal in it, values less the base's."""
    map_, pool = search.sectors, search.sectors.pool
    width, columns = map_.grid.width, map_.column_count
    base, bound = island_bound(search, sector, island)
    if base == NEVER:
        return None

    def is_inside(other: int) -> bool:
        beside = abs(other % columns - sector % columns)
        return max(beside, abs(other // columns - sector // columns)) <= reach

    found = []
    for other in filter(is_inside, range(map_.sector_count)):
        for side, (step, move) in enumerate(((6, -columns), (0, 1), (2, columns), (4, -1))):
            for local in range(int(pool.side_start[other, side]), int(pool.side_start[other, side + 1])):
                anchor = int(pool.anchor_base[other]) + local
                if not is_inside(other + move) and search.is_settled(anchor) and search.remaining[anchor] <= bound:
                    value = max(int(search.remaining[anchor]) - base, -FAR // 2)
                    found.append((int(pool.anchor_tile[anchor]), value, step))
    for x, y, goal_sector, _ in search.goals.tolist():
        if is_inside(goal_sector):
            found.append((y * width + x, max(-base, -FAR // 2), NO_DIRECTION))
    return found
