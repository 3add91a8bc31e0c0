"""What the regions around sectors are flooded from, listed by one kernel for many of them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pynav.kernels.kept_call import KeptCall
from pynav.portals._target_kernels import list_seeds
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import NEVER, SIDES
from pynav.portals.sector_map import SectorMap


@dataclass(frozen=True)
class Seeds:
    """What a sector's region is flooded from.

    Attributes:
        base: what remains at the value 0.
        tile: int32 (n,), y * width + x, rising by sector of the region.
        value: int32 (n,), what remains there, less ``base``.
        code: uint8 (n,): the step that leaves the region, NO_DIRECTION for goals.
    """

    base: int
    tile: npt.NDArray[np.int32]
    value: npt.NDArray[np.int32]
    code: npt.NDArray[np.uint8]


class SeedLists:
    """Seeds of some regions, one region's after another's.

    Args:
        sectors: the map's sectors.
        reach: sectors around the one in a region's middle.
        most: regions that are listed at once.

    Attributes:
        asked: int32 (most, 2), sector and island (numbered through all) of each region that was listed last.
    """

    def __init__(self, sectors: SectorMap, reach: int, most: int) -> None:
        self._sectors, self._reach = sectors, reach
        self.asked: npt.NDArray[np.int32] = np.zeros((most, 2), dtype=np.int32)
        self._base: npt.NDArray[np.int64] = np.zeros(most, dtype=np.int64)
        self._start: npt.NDArray[np.int32] = np.zeros(most + 1, dtype=np.int32)
        self._exits = SIDES * (2 * reach + 1) * -(-2 * sectors.size // 3)  # of a region, at most
        self._listing = KeptCall(list_seeds)
        self._make_room(0)

    def _make_room(self, goals: int) -> None:
        room = len(self.asked) * (self._exits + goals)
        self._tile: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self._value: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self._code: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)

    @property
    def packed(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """Where each region's seeds begin (int32), and tile, value and code of all."""
        return self._start, self._tile, self._value, self._code

    def fill(self, search: PortalSearch, wanted: list[tuple[int, int]]) -> tuple[list[int], list[bytes]]:
        """List the seeds of some regions (sector, island), at most as many as there is room for.

        Returns:
            Of each region what remains at the value 0 (NEVER: no way), and what tells its seeds from others: all of them, but
            not that number.
        """
        count, goals, sectors = len(wanted), len(search.goals), self._sectors
        if len(self._tile) < len(self.asked) * (self._exits + goals):
            self._make_room(goals)
        self.asked[:count] = wanted
        self._listing.bound(
            *search.known, self.asked, count, self._reach, sectors.column_count, sectors.row_count, self._base, *self.packed
        ).run()
        start = self._start[: count + 1].tolist()
        parts = [slice(begin, end) for begin, end in pairwise(start)]
        keys = [self._tile[part].tobytes() + self._value[part].tobytes() + self._code[part].tobytes() for part in parts]
        return self._base[:count].tolist(), keys

    def seeds(self, index: int) -> Seeds | None:
        """The seeds of one of the regions that were listed last; None without a way."""
        base, part = int(self._base[index]), slice(int(self._start[index]), int(self._start[index + 1]))
        if base == NEVER:
            return None
        return Seeds(base, self._tile[part].copy(), self._value[part].copy(), self._code[part].copy())
