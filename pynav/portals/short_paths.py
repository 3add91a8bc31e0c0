"""Short paths: sight where there is one, else A* inside a region of sectors, for many units at once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError
from pynav.grid.steps import DIRECTION_X, DIRECTION_Y
from pynav.kernels import parallel_for
from pynav.portals import _short_path_kernels as kernels
from pynav.portals.sector_map import SectorMap
from pynav.portals.seed_lists import Seeds

NOTHING, SIGHT, STEPS = kernels.NOTHING, kernels.SIGHT, kernels.STEPS
_MOST_PARTS = 16  # pieces that a batch is cut into, each with scratch of its own


class _Scratch:
    """What searches of regions work in."""

    def __init__(self, tiles: int, parts: int) -> None:
        self.finish: npt.NDArray[np.int32] = np.zeros((parts, tiles), dtype=np.int32)
        self.status: npt.NDArray[np.uint8] = np.zeros((parts, tiles), dtype=np.uint8)
        self.length, self.origin, self.heap, self.place = (np.zeros((parts, tiles), dtype=np.int32) for _ in range(4))
        self.key: npt.NDArray[np.int64] = np.zeros((parts, tiles), dtype=np.int64)
        self.found: npt.NDArray[np.int64] = np.zeros((parts, kernels.FOUND_COUNT), dtype=np.int64)

    @property
    def work(self) -> list[npt.NDArray[np.int32] | npt.NDArray[np.uint8] | npt.NDArray[np.int64]]:
        """The arrays of an A* in the order that kernels take them."""
        return [self.finish, self.status, self.length, self.origin, self.key, self.heap, self.place]


class RegionSearch:
    """A* over the region around a sector, to the best of its exits."""

    def __init__(self, sectors: SectorMap) -> None:
        self.sectors = sectors
        tiles = (3 * sectors.size) ** 2
        self._scratch = _Scratch(tiles, 1)
        self._steps: npt.NDArray[np.uint8] = np.zeros(tiles, dtype=np.uint8)

    def to_seeds(self, sector: int, reach: int, start: tuple[int, int], seeds: Seeds) -> tuple[list[tuple[int, int]], int]:
        """The best way from a tile over a sector's region to one of its seeds: its tiles, and the code of the seed.

        Raises:
            ValueError: no way leads there, which seeds of a region that holds the tile never give.
        """
        sectors, size = self.sectors, self.sectors.size
        row, column = sector // sectors.column_count, sector % sectors.column_count
        top, left = max(row - reach, 0) * size, max(column - reach, 0) * size
        rows = min((row + reach + 1) * size, sectors.grid.height) - top
        columns = min((column + reach + 1) * size, sectors.grid.width) - left
        found = self._scratch.found[0]
        kernels.lead_to_seeds(
            sectors.grid.cost, top, left, rows, columns, *start, seeds.tile, seeds.value,
            *[array[0] for array in self._scratch.work], self._steps, found,
        )  # fmt: skip
        if found[kernels.END] < 0:
            raise ValueError(f"RegionSearch: expected a way from {start} to an exit of the region of sector {sector}, found none")
        tiles = [start]
        for code in self._steps[: found[kernels.HEAP_SIZE]].tolist():
            tiles.append((tiles[-1][0] + DIRECTION_X[code], tiles[-1][1] + DIRECTION_Y[code]))
        end = tiles[-1][1] * sectors.grid.width + tiles[-1][0]
        there = np.flatnonzero(seeds.tile == end)
        return tiles, int(seeds.code[there[np.argmin(seeds.value[there])]])


@dataclass(frozen=True)
class ShortPathAnswers:
    """Answers to a batch.

    Attributes:
        kind: uint8 (n,): NOTHING, SIGHT or STEPS.
        step_count: int32 (n,), steps of each way found by A*; those beyond the room of ``steps`` are not told.
        steps: uint8 (n, room), directions 0..7 (steps.py).
        cost: int64 (n,), what the ways found by A* cost.
    """

    kind: npt.NDArray[np.uint8]
    step_count: npt.NDArray[np.int32]
    steps: npt.NDArray[np.uint8]
    cost: npt.NDArray[np.int64]


class ShortPaths:
    """Ways that are too short for fields, which pay only where many share them.

    Args:
        sectors: the map's sectors; answers are those of the grid as it is.
        room: steps told of each way.

    Notes:
        Deterministic, in parallel by units. Sight costs some 2 ns a tile, A* at most the 3 x 3 sectors around the start. A way
        that must leave them is not found (NOTHING): that is a matter for the router. Source: the talk's short path solver.

    Example:
        >>> from pynav.grid import TileGrid
        >>> paths = ShortPaths(SectorMap(TileGrid([[1, 1, 1], [1, 0, 1], [1, 1, 1]])))
        >>> found = paths.find([(0, 0, 2, 0), (0, 1, 2, 1)])
        >>> found.kind.tolist(), found.steps[1, : found.step_count[1]].tolist()
        ([1, 2], [6, 0, 0, 2])
    """

    def __init__(self, sectors: SectorMap, room: int = 128) -> None:
        self.sectors, self.room = sectors, room
        self._scratch = _Scratch((3 * sectors.size) ** 2, _MOST_PARTS)

    def find(self, lines: npt.ArrayLike) -> ShortPathAnswers:
        """Answer for whole numbers (n, 4): x, y of each start and x, y of each end.

        Raises:
            GridError: lines of another shape or type, or a map with closed exits.
        """
        self.sectors.refuse_one_way()
        given = np.asarray(lines)
        if given.ndim != 2 or given.shape[1] != 4 or given.dtype.kind not in "iu":
            raise GridError(f"ShortPaths: expected whole numbers (n, 4), got shape {given.shape} of type {given.dtype}")
        array = np.ascontiguousarray(given, dtype=np.int32)
        count = len(array)
        found = ShortPathAnswers(
            np.zeros(count, dtype=np.uint8), np.zeros(count, dtype=np.int32), np.zeros((count, self.room), dtype=np.uint8),
            np.zeros(count, dtype=np.int64),
        )  # fmt: skip
        if count:
            parts = min(_MOST_PARTS, count)
            parallel_for(
                kernels.find_short_paths, parts, self.sectors.grid.cost, array, found.kind, found.step_count, found.steps,
                found.cost, *self._scratch.work, self._scratch.found, self.sectors.size,
                max(1, self.sectors.grid.cost_range[0]), -(-count // parts),
                block_size=1,
            )  # fmt: skip
        return found
