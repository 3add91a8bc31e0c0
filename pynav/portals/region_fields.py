"""Region fields: directions of one sector, flooded over the sectors around it from where the ways leave them."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.grid.steps import NO_DIRECTION
from pynav.kernels import BoundCall, parallel_for
from pynav.portals import _target_kernels as target_kernels
from pynav.portals._region_kernels import write_fields
from pynav.portals._search_kernels import GOAL_SECTOR, GOAL_X, GOAL_Y
from pynav.portals.flood_scratch import FloodScratch
from pynav.portals.portal_search import PortalSearch
from pynav.portals.sector_layout import FAR, NEVER, SIDES
from pynav.portals.sector_map import SectorMap

_MOST_PARTS = 16  # pieces that a batch is cut into, each with scratch of its own


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
        room = SIDES * (2 * reach + 1) * -(-2 * sectors.size // 3)
        self._exit_tile: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self._exit_value: npt.NDArray[np.int32] = np.zeros(room, dtype=np.int32)
        self._exit_code: npt.NDArray[np.uint8] = np.zeros(room, dtype=np.uint8)
        self._result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        self._exits: tuple[tuple[npt.NDArray[Any], ...], BoundCall] | None = None
        self._scratch = FloodScratch(sectors.size, reach, _MOST_PARTS)

    def __len__(self) -> int:
        return len(self._kept)

    def kept_by_sector(self) -> npt.NDArray[np.int32]:
        """int32 (sectors,): how many fields are kept for each sector."""
        kept = np.fromiter((sector for sector, _ in self._kept), dtype=np.int64, count=len(self._kept))
        return np.bincount(kept, minlength=self.sectors.sector_count).astype(np.int32)

    def seeds(self, search: PortalSearch, sector: int, island: int) -> Seeds | None:
        """What the region of a sector is flooded from for one of its islands (numbered through all); None without a way."""
        _, base, bound = search.bound(sector, island)
        if base == NEVER:
            return None
        exits = self._exits_of(search)
        for name, number in (("sector", sector), ("base_value", base), ("bound", bound)):
            exits.set(name, number)
        exits.run()
        count = int(self._result[0])
        goals = self._goals_within(search, sector)
        value = np.full(len(goals), max(-base, -(FAR // 2)), dtype=np.int32)
        return Seeds(
            base,
            np.concatenate([self._exit_tile[:count], goals]),
            np.concatenate([self._exit_value[:count], value]),
            np.concatenate([self._exit_code[:count], np.full(len(goals), NO_DIRECTION, dtype=np.uint8)]),
        )

    def _exits_of(self, search: PortalSearch) -> BoundCall:
        """The call that lists exits, bound to the arrays of a search as they are."""
        sectors, pool = self.sectors, self.sectors.pool
        arrays = (pool.side_start, pool.anchor_base, pool.anchor_tile, search.remaining, search.status)
        if self._exits is None or any(now is not then for now, then in zip(arrays, self._exits[0], strict=True)):
            call = target_kernels.list_exits.bind(
                *arrays, 0, self.reach, sectors.column_count, sectors.row_count, 0, 0, self._exit_tile, self._exit_value,
                self._exit_code, self._result,
            )  # fmt: skip
            self._exits = (arrays, call)
        return self._exits[1]

    def _goals_within(self, search: PortalSearch, sector: int) -> npt.NDArray[np.int32]:
        """Tiles of the goals that lie in a sector's region."""
        columns = self.sectors.column_count
        goals = search.goals
        down = np.abs(goals[:, GOAL_SECTOR] // columns - sector // columns)
        right = np.abs(goals[:, GOAL_SECTOR] % columns - sector % columns)
        near = goals[np.maximum(down, right) <= self.reach]
        return (near[:, GOAL_Y] * self.sectors.grid.width + near[:, GOAL_X]).astype(np.int32)

    def field(self, search: PortalSearch, sector: int, island: int) -> Field | None:
        """The field of a sector for one of its islands; None without a way. The sector must be settled in the search."""
        return self.fields(search, [(sector, island)])[0]

    def fields(self, search: PortalSearch, wanted: list[tuple[int, int]]) -> list[Field | None]:
        """Fields of several islands (sector, island), those that are missing flooded in parallel."""
        seeds = [self.seeds(search, sector, island) for sector, island in wanted]
        keys = [None if seed is None else (sector, _key(seed)) for (sector, _), seed in zip(wanted, seeds, strict=True)]
        missing: dict[tuple[int, bytes], Seeds] = {}
        for key, seed in zip(keys, seeds, strict=True):
            if key is None or seed is None:
                continue
            if key in self._kept:
                self._kept.move_to_end(key)
                self.hits += 1
            else:
                missing.setdefault(key, seed)
        flooded = self._flood(missing)
        found = [
            None if key is None or seed is None else Field(seed.base, *(flooded[key] if key in flooded else self._kept[key]))
            for key, seed in zip(keys, seeds, strict=True)
        ]
        self._kept.update(flooded)
        while len(self._kept) > self.most:
            self._kept.popitem(last=False)
        return found

    def _flood(
        self, missing: dict[tuple[int, bytes], Seeds]
    ) -> dict[tuple[int, bytes], tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]]:
        if not missing:
            return {}
        self.misses += len(missing)
        count, size = len(missing), self.sectors.size
        listed = np.array([sector for sector, _ in missing], dtype=np.int32)
        starts = np.zeros(count + 1, dtype=np.int32)
        np.cumsum([len(seed.tile) for seed in missing.values()], out=starts[1:])
        tile, value, code = (
            np.concatenate([getattr(seed, name) for seed in missing.values()]) for name in ("tile", "value", "code")
        )
        direction: npt.NDArray[np.uint8] = np.zeros((count, size * size), dtype=np.uint8)
        distance: npt.NDArray[np.int32] = np.zeros((count, size * size), dtype=np.int32)
        parts = min(_MOST_PARTS, count)
        parallel_for(
            write_fields, parts, self.sectors.grid.cost, listed, starts, tile, value, code, direction, distance,
            *self._scratch.all, size, self.sectors.column_count, self.reach, -(-count // parts),
            block_size=1,
        )  # fmt: skip
        # Copies: a kept field must not hold on to the arrays of its whole batch.
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
            del self._kept[key]


def _key(seeds: Seeds) -> bytes:
    """What tells fields of one sector apart: all seeds, but not ``base``."""
    return seeds.tile.tobytes() + seeds.value.tobytes() + seeds.code.tobytes()
