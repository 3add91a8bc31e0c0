"""Region fields: directions of one sector, flooded over the sectors around it from where the ways leave them."""

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.kernels.kept_call import KeptCall
from pynav.portals._region_kernels import write_fields
from pynav.portals.flood_scratch import FloodScratch
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import NEVER
from pynav.portals.sector_map import SectorMap
from pynav.portals.seed_lists import SeedLists, Seeds

_MOST_AT_ONCE = 64  # regions whose seeds are listed in one go
_MOST_PARTS = 16  # pieces that a batch is cut into, each with scratch of its own


@dataclass(frozen=True)
class Field:
    """Directions of a sector, good for the island that it was asked for.

    Attributes:
        base: what remains at the value 0.
        direction: uint8 (size * size,), codes of steps.py; exits of the region tell the step across.
        value: int32 (size * size,), what remains from each tile, less ``base``; FAR without a way.
    """

    base: int
    direction: npt.NDArray[np.uint8]
    value: npt.NDArray[np.int32]


class RegionFields:
    """Fields of sectors, kept by what they were flooded from: ways to different goals over the same exits share them.

    Args:
        sectors: the map's sectors; after an edit call ``forget``.
        reach: sectors around the one that is used: 1 for the talk's regions of 3 x 3, 0 for the sector alone.
        most: fields kept; the one that was used least lately goes first.

    Attributes:
        hits, misses: how often a field was there, and how often it was flooded.

    Notes:
        Deterministic: a field depends on the map, the goals and the sector alone, kept or not. A region of 48 x 48 tiles is
        flooded in 10 to 30 us on one thread.
    """

    def __init__(self, sectors: SectorMap, reach: int = 1, most: int = 4096) -> None:
        self.sectors, self.reach, self.most = sectors, reach, most
        self.hits = self.misses = 0
        self._kept: OrderedDict[tuple[int, bytes], tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]] = OrderedDict()
        self._count: npt.NDArray[np.int32] = np.zeros(sectors.sector_count, dtype=np.int32)
        self._seeds = SeedLists(sectors, reach, _MOST_AT_ONCE)
        self._scratch = FloodScratch(sectors.size, reach, _MOST_PARTS)
        self._picked: npt.NDArray[np.int32] = np.zeros(_MOST_AT_ONCE, dtype=np.int32)
        self._direction: npt.NDArray[np.uint8] = np.zeros((_MOST_AT_ONCE, sectors.size**2), dtype=np.uint8)
        self._distance: npt.NDArray[np.int32] = np.zeros((_MOST_AT_ONCE, sectors.size**2), dtype=np.int32)
        self._writing = KeptCall(write_fields)

    def __len__(self) -> int:
        return len(self._kept)

    def kept_by_sector(self) -> npt.NDArray[np.int32]:
        """int32 (sectors,): how many fields are kept for each sector."""
        return self._count.copy()

    def seeds(self, search: PortalSearch, sector: int, island: int) -> Seeds | None:
        """What the region of a sector is flooded from for one of its islands (numbered through all); None without a way."""
        self._seeds.fill(search, [(sector, island)])
        return self._seeds.seeds(0)

    def field(self, search: PortalSearch, sector: int, island: int) -> Field | None:
        """The field of a sector for one of its islands; None without a way. The sector must be settled in the search."""
        return self.fields(search, [(sector, island)])[0]

    def fields(self, search: PortalSearch, wanted: list[tuple[int, int]]) -> list[Field | None]:
        """Fields of several islands (sector, island), those that are missing flooded in parallel."""
        found: list[Field | None] = []
        for first in range(0, len(wanted), _MOST_AT_ONCE):
            found += self._some_fields(search, wanted[first : first + _MOST_AT_ONCE])
        return found

    def _some_fields(self, search: PortalSearch, wanted: list[tuple[int, int]]) -> list[Field | None]:
        """As ``fields``, for as many as seeds are listed of at once."""
        bases, seeds = self._seeds.fill(search, wanted)
        keys = [(sector, seed) for (sector, _), seed in zip(wanted, seeds, strict=True)]
        missing: dict[tuple[int, bytes], int] = {}
        for index, (key, base) in enumerate(zip(keys, bases, strict=True)):
            if base == NEVER:
                continue
            if key in self._kept:
                self._kept.move_to_end(key)
                self.hits += 1
            else:
                missing.setdefault(key, index)
        flooded = self._flood(missing)
        found = [
            None if base == NEVER else Field(base, *(flooded[key] if key in flooded else self._kept[key]))
            for key, base in zip(keys, bases, strict=True)
        ]
        self._kept.update(flooded)
        for sector, _ in flooded:
            self._count[sector] += 1
        while len(self._kept) > self.most:
            self._drop(next(iter(self._kept)))
        return found

    def _flood(
        self, missing: dict[tuple[int, bytes], int]
    ) -> dict[tuple[int, bytes], tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]]:
        """Fields from the seeds that are listed; ``missing`` tells their places in the list."""
        if not missing:
            return {}
        count = len(missing)
        self.misses += count
        self._picked[:count] = list(missing.values())
        direction, distance, parts = self._direction, self._distance, min(_MOST_PARTS, count)
        self._writing.bound(
            self.sectors.grid.cost, self._seeds.asked, self._picked, *self._seeds.packed, direction, distance,
            *self._scratch.all, self.sectors.size, self.sectors.column_count, self.reach, count, -(-count // parts),
        ).run(parts, 1)  # fmt: skip
        # Copies: the next ones are written into the same arrays.
        return {key: (direction[index].copy(), distance[index].copy()) for index, key in enumerate(missing)}

    def forget(self, changed: npt.NDArray[np.int32]) -> None:
        """Drop the fields whose regions hold a tile of the sectors that an edit changed."""
        if len(changed) == 0:
            return
        columns, reach = self.sectors.column_count, range(-self.reach, self.reach + 1)
        affected = {
            sector + down * columns + right
            for sector in changed.tolist()
            for down in reach
            for right in reach
            if 0 <= sector % columns + right < columns
        }
        for key in [key for key in self._kept if key[0] in affected]:
            self._drop(key)

    def _drop(self, key: tuple[int, bytes]) -> None:
        del self._kept[key]
        self._count[key[0]] -= 1
