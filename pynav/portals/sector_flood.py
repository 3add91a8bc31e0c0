"""Floods of many sectors in parallel: each floods its own tiles, borders are exchanged until nothing changes."""

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError
from pynav.grid.steps import DIAGONAL_FACTOR
from pynav.kernels import Sequence, Step
from pynav.portals import _exchange_kernels as kernels
from pynav.portals._flood_kernels import LINE_ROWS, STEP_ROWS
from pynav.portals.sector_layout import FAR
from pynav.portals.sector_map import SectorMap

_PARTS = 16  # pieces that a round is cut into, each with scratch of its own
_SECTORS_PER_BLOCK = 16

Area = tuple[int, int, int, int]


class SectorFlood:
    """Distances over an area of sectors from seeds, worked out by sectors side by side.

    In a round the active sectors flood their tiles and a rim of their neighbours'; then every sector takes over what its
    neighbours know of its rim, and is active next if anything there fell. Source: the talk's flow fields.

    Args:
        sectors: the map's sectors.
        area: first column, first row, columns and rows of sectors; None for the whole map.

    Attributes:
        rounds, floods: rounds and floods of single sectors in the last run.

    Raises:
        GridError: an area that does not lie in the map.

    Notes:
        Deterministic, the same bits as one flood of all tiles, for any number of threads: distances are exact minima. Memory: two
        numbers of 32 bits a tile. Each sector is flooded three or four times, so that on two threads this costs two to
        three times what IntegrationField takes for one flood of all tiles; it pays with more threads.
    """

    def __init__(self, sectors: SectorMap, area: Area | None = None) -> None:
        grid, size = sectors.grid, sectors.size
        column, row, columns, rows = area or (0, 0, sectors.column_count, sectors.row_count)
        inside = column >= 0 and row >= 0 and column + columns <= sectors.column_count and row + rows <= sectors.row_count
        if not inside or columns < 1 or rows < 1:
            raise GridError(
                f"SectorFlood: expected an area within {sectors.column_count} x {sectors.row_count} sectors,"
                f" got {columns} x {rows} at ({column}, {row})"
            )
        self.sectors, self.area = sectors, (column, row, columns, rows)
        self.count = columns * rows
        side = size + 4
        self._distance: npt.NDArray[np.int32] = np.zeros((self.count, side * side), dtype=np.int32)
        self._active: npt.NDArray[np.uint8] = np.zeros(self.count, dtype=np.uint8)
        self._next: npt.NDArray[np.uint8] = np.zeros(self.count, dtype=np.uint8)
        self._counts: npt.NDArray[np.int64] = np.zeros(3, dtype=np.int64)
        self._every: npt.NDArray[np.int64] = np.array([self.count], dtype=np.int64)
        self._parts: npt.NDArray[np.int64] = np.array([_PARTS], dtype=np.int64)
        listed: npt.NDArray[np.int32] = np.zeros(self.count, dtype=np.int32)
        right, bottom = min((column + columns) * size, grid.width), min((row + rows) * size, grid.height)
        self._area: npt.NDArray[np.int64] = np.array([column, row, columns, rows, right, bottom], dtype=np.int64)
        scratch = (
            np.zeros((_PARTS, side * side), dtype=np.int32), np.zeros((_PARTS, side * side), dtype=np.int32),
            np.zeros((_PARTS, STEP_ROWS, side * side), dtype=np.int32), np.zeros((_PARTS, LINE_ROWS, side), dtype=np.int32),
            np.zeros((_PARTS, 2, side), dtype=np.uint8),
        )  # fmt: skip
        self.result: npt.NDArray[np.int32] = np.zeros((bottom - row * size, right - column * size), dtype=np.int32)
        flood = kernels.flood_sectors.bind(grid.cost, listed, self._counts, self._distance, *scratch, size, self._area, _PARTS)
        self._clear = kernels.clear_distances.bind(self._distance)
        self._read = kernels.read_distances.bind(self._distance, self.result, size, self._area)
        self._rounds = []
        for now, then in ((self._active, self._next), (self._next, self._active)):
            listing = kernels.list_active.bind(now, listed, self._counts)
            exchange = kernels.exchange_rims.bind(self._distance, now, then, size, self._area)
            self._rounds.append(
                Sequence([Step(listing), Step(flood, self._parts, 1), Step(exchange, self._every, _SECTORS_PER_BLOCK)])
            )

    @property
    def rounds(self) -> int:
        """Rounds of the last run."""
        return int(self._counts[2])

    @property
    def floods(self) -> int:
        """Floods of single sectors in the last run."""
        return int(self._counts[1])

    @property
    def fits(self) -> bool:
        """Whether every distance of the area stays below FAR, whatever its walls."""
        column, row, columns, rows = self.area
        size = self.sectors.size
        cost = self.sectors.grid.cost[row * size : (row + rows) * size, column * size : (column + columns) * size]
        return 2 * DIAGONAL_FACTOR * (int(cost.sum(dtype=np.int64)) + 255) < FAR

    def run(self, tiles: npt.ArrayLike, values: npt.ArrayLike | None = None) -> npt.NDArray[np.int32]:
        """Flood from seed tiles (x, y), integers (n, 2), with the values that they begin with (0 if not given).

        Returns:
            int32 (rows of tiles, columns of tiles) of the area, FAR where no way leads; overwritten by the next run. Seeds
            outside the area or on solid tiles count for nothing.

        Raises:
            GridError: a map with closed exits, distances that could reach FAR (see ``fits``), or not one value below FAR / 2 for
                each seed.
        """
        self.sectors.refuse_one_way()
        grid, size = self.sectors.grid, self.sectors.size
        seeds = np.asarray(tiles, dtype=np.int64).reshape(-1, 2)
        given = np.zeros(len(seeds), dtype=np.int64) if values is None else np.asarray(values, dtype=np.int64).reshape(-1)
        if len(given) != len(seeds) or (np.abs(given) >= FAR // 2).any() or not self.fits:
            raise GridError(
                f"SectorFlood: expected costs whose distances stay below {FAR}, and a value below {FAR // 2} for each of"
                f" {len(seeds)} seeds, got {len(given)}"
            )
        free = np.array([grid.is_free(int(x), int(y)) for x, y in seeds], dtype=bool)
        seeds, given = seeds[free].astype(np.int32), given[free].astype(np.int32)
        x, y = np.ascontiguousarray(seeds[:, 0]), np.ascontiguousarray(seeds[:, 1])
        self._clear.run(self.count, _SECTORS_PER_BLOCK)
        self._active[:] = 0
        self._counts[:] = 0
        kernels.place_seeds(x, y, given, self._distance, self._active, size, self._area)
        turn = 0
        while True:
            self._rounds[turn].run()
            if self._counts[0] == 0:
                break
            turn = 1 - turn
        self._read.run(self.count, _SECTORS_PER_BLOCK)
        return self.result
