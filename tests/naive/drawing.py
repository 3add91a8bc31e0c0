"""Slow, obvious descriptions of what the portal solver sees, tile by tile and portal by portal."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.portals import SectorMap
from pynav.portals.sector_layout import EAST, FAR, SOUTH

Point = tuple[float, float]


def bars(sectors: SectorMap) -> set[tuple[Point, Point]]:
    """Begin and end of each portal on its border line."""
    found = set()
    for sector in range(sectors.sector_count):
        for portal in sectors.portals(sector):
            (x, y), (last_x, last_y) = portal.first, portal.last
            if portal.side == EAST:
                found.add(((x + 1.0, float(y)), (x + 1.0, last_y + 1.0)))
            elif portal.side == SOUTH:
                found.add(((float(x), y + 1.0), (last_x + 1.0, y + 1.0)))
    return found


def links(sectors: SectorMap) -> set[tuple[Point, Point]]:
    """Middles of an anchor's tile and of the one that it faces."""
    found = set()
    for sector in range(sectors.sector_count):
        tiles, start = sectors.pool.tiles(sector), sectors.pool.side_start[sector]
        for side, (dx, dy) in ((EAST, (1, 0)), (SOUTH, (0, 1))):
            for anchor in range(start[side], start[side + 1]):
                x, y = int(tiles[anchor]) % sectors.grid.width + 0.5, int(tiles[anchor]) // sectors.grid.width + 0.5
                found.add(((x, y), (x + dx, y + dy)))
    return found


def _middle(sectors: SectorMap, sector: int, index: int) -> Point:
    """The middle of a portal on its border line."""
    portal = sectors.portals(sector)[index]
    x, y = (portal.first[0] + portal.last[0] + 1) / 2, (portal.first[1] + portal.last[1] + 1) / 2
    return {0: (x, portal.first[1]), 1: (portal.first[0] + 1.0, y), 2: (x, portal.first[1] + 1.0), 3: (portal.first[0], y)}[
        portal.side
    ]


def edges(sectors: SectorMap) -> set[tuple[frozenset[Point], int, int]]:
    """(both middles, cost, sector) of each pair of portals of a sector that a way joins."""
    found = set()
    for sector in range(sectors.sector_count):
        portals, matrix = sectors.portals(sector), sectors.matrix(sector)
        for one in range(len(portals)):
            for other in range(one):
                cost = min(int(matrix[a, b]) for a in portals[one].anchors for b in portals[other].anchors)
                if cost < FAR:
                    ends = frozenset((_middle(sectors, sector, one), _middle(sectors, sector, other)))
                    found.add((ends, cost, sector))
    return found


def covered(cost: npt.NDArray[np.uint8], size: int) -> npt.NDArray[np.bool_]:
    """Tiles that a unit of a size covers somewhere where it fits."""
    found = np.zeros(cost.shape, dtype=np.bool_)
    for y in range(cost.shape[0] - size + 1):
        for x in range(cost.shape[1] - size + 1):
            if cost[y : y + size, x : x + size].all():
                found[y : y + size, x : x + size] = True
    return found
