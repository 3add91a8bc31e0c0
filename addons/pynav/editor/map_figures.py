"""Figures of a map for the inspector, counted in slices so that the editor never waits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pynav.grid import TileGrid
from pynav.portals.sector_map import SectorMap

from .held_bytes import bytes_text

_SLICE_SECONDS = 0.004
_SECTORS_PER_STEP = 64


@dataclass(frozen=True)
class MapFigures:
    """What is counted.

    Attributes:
        columns, rows: of the map.
        free, costly: tiles that can be walked on; of them those that cost more than the cheapest.
        sectors, islands, portals: of the portal solver; islands are parts that nothing connects.
        bytes: what costs, sectors and portals take in memory.
        milliseconds: what building sectors and portals took.
    """

    columns: int
    rows: int
    free: int
    costly: int
    sectors: int
    islands: int
    portals: int
    bytes: int
    milliseconds: float

    def rows_of_text(self) -> list[tuple[str, str]]:
        """Name and value of each row of the panel."""
        tiles = self.columns * self.rows
        return [
            ("Tiles", f"{self.columns:,} x {self.rows:,}"),
            ("Free", f"{self.free:,}  ({100 * self.free / tiles:.0f} %)"),
            ("Costly", f"{self.costly:,}"),
            ("Sectors", f"{self.sectors:,}"),
            ("Islands", f"{self.islands:,}"),
            ("Portals", f"{self.portals:,}"),
            ("Memory", bytes_text(self.bytes)),
            ("Build time", f"{self.milliseconds:.1f} ms"),
        ]


class FigureCount:
    """Counts the figures of one map, a slice at a time.

    Args:
        cost: uint8 (rows, columns); it is not kept up to date.
    """

    def __init__(self, cost: Any) -> None:
        self.figures: MapFigures | None = None
        self._steps = self._count(cost)

    def advance(self) -> bool:
        """Count for some milliseconds; whether it is done."""
        end = time.perf_counter() + _SLICE_SECONDS
        return all(time.perf_counter() <= end for _ in self._steps)

    def _count(self, cost: Any) -> Iterator[None]:
        grid = TileGrid(cost)
        seconds, before = 0.0, time.perf_counter()
        found = SectorMap(grid, is_built=False)
        for _ in found.build_in_steps(_SECTORS_PER_STEP):
            seconds += time.perf_counter() - before
            yield
            before = time.perf_counter()
        yield
        islands = found.component_count
        yield
        free = np.count_nonzero(cost)
        cheapest = int(cost[cost > 0].min(initial=255))
        arrays = [*vars(found).values(), *vars(found.pool).values(), cost]
        self.figures = MapFigures(
            cost.shape[1], cost.shape[0], int(free), int(np.count_nonzero(cost > cheapest)), found.sector_count, islands,
            portal_count(cost, found.size), sum(a.nbytes for a in arrays if isinstance(a, np.ndarray)), seconds * 1000,
        )  # fmt: skip


def portal_count(cost: Any, size: int) -> int:
    """Portals of a map: along each border of sectors of `size` tiles a side, the runs of pairs of free tiles."""
    found, free = 0, cost > 0
    for across in (free, free.T):
        ends = np.arange(size, across.shape[1], size)
        pairs = across[:, ends - 1] & across[:, ends]
        goes_on = np.zeros_like(pairs)
        goes_on[1:] = pairs[:-1]
        goes_on[::size] = False  # the next sector's side
        found += int(np.count_nonzero(pairs & ~goes_on))
    return found
