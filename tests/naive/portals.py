"""Slow, obvious references for sectors: islands, portals, anchors, distances inside a sector, components of the portal graph."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tests.naive.grid import Cost, Tile, component_array, dijkstra, is_free

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


def anchors(cost: Cost, sector: Sector) -> list[Tile]:
    """A sector's anchors: of each portal the first tile, every fourth, and the last."""
    found = []
    for side in range(4):
        for run in portals(cost, sector, side):
            found += [tile for index, tile in enumerate(run) if index % 4 == 0 or index == len(run) - 1]
    return found


def distances(cost: Cost, sector: Sector, far: int) -> list[list[int]]:
    """True distances between a sector's anchors, over ways inside it."""
    alone, tiles = inside(cost, sector), anchors(cost, sector)
    return [[dijkstra(alone, [start]).get(end, far) for end in tiles] for start in tiles]
