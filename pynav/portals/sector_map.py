"""The sector map: islands, portals and the portal graph, kept right through edits."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pynav.grid import GridError, TileGrid
from pynav.kernels import parallel_for
from pynav.kernels.kept_call import KeptCall
from pynav.portals._distance_kernels import measure_sectors, measure_straight
from pynav.portals._sector_kernels import count_anchors, join_islands, label_islands, write_anchors
from pynav.portals.anchor_pool import AnchorPool, lane_room
from pynav.portals.sector_layout import DEFAULT_SIZE, GREATEST_SIZE, LEAST_SIZE, SIDES

_MOST_PARTS = 64  # pieces that a build is cut into, each with scratch of its own
_KEPT_PARTS = 8  # whose scratch is kept: half a megabyte
_SECTORS_PER_BLOCK = 32
_NO_TILE: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
_NO_MARK: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)

Tile = tuple[int, int]


@dataclass(frozen=True)
class Portal:
    """A longest run of pairs of free tiles across a border, as one of its two sectors sees it.

    Attributes:
        side: NORTH, EAST, SOUTH or WEST of its sector (sector_layout.py).
        first: tile (x, y) of the sector where it begins, along growing x or y.
        last: tile where it ends, included.
        island: number of the island on this side, from 1, within the sector.
        anchors: numbers of its anchors in the sector's list, first and last included.
    """

    side: int
    first: Tile
    last: Tile
    island: int
    anchors: tuple[int, ...]


class SectorMap:
    """Sectors, islands, portals and true distances between the portals of an island.

    The portal graph lies flat: anchor k of sector s is node ``anchor_base[s] + k``; its distances to the sector's other anchors
    are a row of the sector's matrix; its partner across the border follows from its place on the side. A sector's part is
    replaced in place.

    Args:
        grid: the costs; its size never changes. Call ``update`` after each edit.
        size: tiles a side of a sector, 8 to 32.
        straight_lines: measure the talk's straight lines instead of ways: shorter than true, for comparison only.
        is_built: build it now; else ``build_in_steps`` must be gone through first.

    Raises:
        GridError: a size out of range.

    Attributes:
        island: uint16 (height, width), the island of each tile within its sector, from 1 by first tile in row order; 0 solid.
        island_count: int32 (sectors,).
        pool: the anchors and matrices (``AnchorPool``).
        revision: that of the grid as taken over.
        join_count: how often components were made anew; as long as it stays, they and ``island_start`` do.

    Notes:
        Deterministic: the same bits for any number of threads; after any edits equal to a build from nothing. Some 10 us a sector
        of 16 x 16 tiles on one thread, in parallel by sectors, linear in the map. An edit rebuilds the sectors that it touches,
        and those beside them whose anchors it changed.
    """

    def __init__(self, grid: TileGrid, size: int = DEFAULT_SIZE, straight_lines: bool = False, is_built: bool = True) -> None:
        if not LEAST_SIZE <= size <= GREATEST_SIZE:
            raise GridError(f"SectorMap: expected a size of {LEAST_SIZE} to {GREATEST_SIZE} tiles, got {size}")
        self.grid, self.size, self._straight_lines = grid, size, straight_lines
        self.column_count, self.row_count = -(-grid.width // size), -(-grid.height // size)
        self.sector_count = self.column_count * self.row_count
        self.island: npt.NDArray[np.uint16] = np.zeros((grid.height, grid.width), dtype=np.uint16)
        self.island_count: npt.NDArray[np.int32] = np.zeros(self.sector_count, dtype=np.int32)
        self.revision = -1
        self.join_count = 0
        self._island_start: npt.NDArray[np.int32] = np.zeros(self.sector_count + 1, dtype=np.int32)
        self._component: npt.NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._is_joined = False
        self._component_count = 0
        self._kept_scratch = _Scratch(size, _KEPT_PARTS)
        self._labelling, self._counting = KeptCall(label_islands), KeptCall(count_anchors)
        self._writing, self._measuring = KeptCall(write_anchors), KeptCall(measure_sectors)
        if is_built:
            self._build()

    def _build(self) -> None:
        for _ in self.build_in_steps(self.sector_count):
            pass

    def build_in_steps(self, per_step: int) -> Iterator[float]:
        """Build from nothing, some sectors a step: for those who must not stall. The grid may not change meanwhile.

        Yields:
            The part that is done, up to 1. Nothing may be asked of the map before the end; the result is that of one go.
        """
        everything = np.arange(self.sector_count, dtype=np.int32)
        parts = [everything[first : first + per_step] for first in range(0, self.sector_count, per_step)]
        starts = []
        for number, part in enumerate(parts):
            self._label(part)
            starts.append(self._count(part))
            yield 0.2 * (number + 1) / len(parts)
        self.pool = AnchorPool(np.concatenate(starts))
        for number, part in enumerate(parts):
            self._write(part)
            self._measure(part)
            yield min(0.2 + 0.8 * (number + 1) / len(parts), 1.0)
        self._is_joined = False
        self.revision = self.grid.revision

    def refuse_one_way(self) -> None:
        """GridError for a map with closed exits: what this solver measures holds in both directions."""
        if self.grid.has_one_way:
            raise GridError("the portal solver knows no one-way tiles, and the map has some: take the exact solver")

    def update(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Take over an edit of the grid in a rectangle of tiles.

        Returns:
            int32, rising: the sectors that it touches, and those beside them whose anchors changed.
        """
        touched = self.sectors_of(x, y, width, height)
        if len(touched) == 0:
            self.revision = self.grid.revision
            return touched
        were_joined = self._joints(touched) if self._is_joined else None
        self._label(touched)
        around = np.setdiff1d(self.beside(touched), touched).astype(np.int32)
        listed = np.concatenate([touched, around])
        before = [self.pool.tiles(int(sector)).copy() for sector in around]
        if self.pool.place(listed, self._count(listed)):
            self._write(listed)
            others = [sector for sector, tiles in zip(around, before, strict=True) if self._differs(int(sector), tiles)]
            changed = np.sort(np.concatenate([touched, np.array(others, dtype=np.int32)]))
            self._measure(changed)
            if were_joined is None or were_joined != self._joints(touched):
                self._is_joined = False
        else:  # more than half of the pool was waste
            self._build()
            changed = np.sort(listed)
        self.revision = self.grid.revision
        return changed

    def _joints(self, sectors: npt.NDArray[np.int32]) -> tuple[bytes, bytes]:
        """What components follow from in some sectors: their numbers of islands, and which islands portals join to which."""
        pool, width, islands = self.pool, self.grid.width, self.island.reshape(-1)
        count = np.diff(pool.side_start[sectors], axis=1).reshape(-1)
        ends = np.cumsum(count)
        first = pool.anchor_base[sectors][:, None] + pool.side_start[sectors, :SIDES]
        anchors = np.arange(int(ends[-1])) + np.repeat(first.reshape(-1) - (ends - count), count)
        tile = pool.anchor_tile[anchors]
        across = tile + np.repeat(np.tile([-width, 1, width, -1], len(sectors)), count)
        side = np.repeat(np.arange(len(count)), count)  # of which sector, towards which other
        joints = np.unique((side.astype(np.int64) << 32) | (islands[tile].astype(np.int64) << 16) | islands[across])
        return self.island_count[sectors].tobytes(), joints.tobytes()

    def _differs(self, sector: int, tiles: npt.NDArray[np.int32]) -> bool:
        return not np.array_equal(self.pool.tiles(sector), tiles)

    def _label(self, sectors: npt.NDArray[np.int32]) -> None:
        parts, per_part = _parts(len(sectors))
        self._labelling.bound(
            self.grid.cost, sectors, self.island, self.island_count, self._scratch(parts).stack, self.size, self.column_count,
            per_part,
        ).run(parts, 1)  # fmt: skip

    def _scratch(self, parts: int) -> "_Scratch":
        """What is worked in by so many parts; that for a few, as edits need it, is kept."""
        return self._kept_scratch if parts <= _KEPT_PARTS else _Scratch(self.size, parts)

    def _count(self, sectors: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        side_start: npt.NDArray[np.int32] = np.zeros((len(sectors), SIDES + 1), dtype=np.int32)
        self._counting.bound(
            self.grid.cost, sectors, side_start, _NO_TILE, _NO_MARK, self.size, self.column_count
        ).run(len(sectors), _SECTORS_PER_BLOCK)  # fmt: skip
        return side_start

    def _write(self, sectors: npt.NDArray[np.int32]) -> None:
        pool = self.pool
        self._writing.bound(
            self.grid.cost, sectors, pool.side_start, pool.anchor_base, pool.anchor_tile, pool.anchor_sector, pool.anchor_middle,
            self.size, self.column_count,
        ).run(len(sectors), _SECTORS_PER_BLOCK)  # fmt: skip

    def _measure(self, sectors: npt.NDArray[np.int32]) -> None:
        pool = self.pool
        numbers = (sectors, pool.side_start, pool.anchor_base, pool.anchor_tile, pool.matrix_base, pool.matrix)
        if self._straight_lines:
            least = max(1, self.grid.cost_range[0])
            parallel_for(measure_straight, len(sectors), self.island, *numbers, least, block_size=_SECTORS_PER_BLOCK)
            return
        parts, per_part = _parts(len(sectors))
        scratch = self._scratch(parts)
        self._measuring.bound(
            self.grid.cost, *numbers, scratch.local, scratch.lanes, scratch.relaxed, self.size, self.column_count, per_part
        ).run(parts, 1)

    def sector_of(self, x: int, y: int) -> int:
        """The sector that holds tile (x, y)."""
        return y // self.size * self.column_count + x // self.size

    def places(self, sectors: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """int64 each: columns and rows of some sectors."""
        row, column = np.divmod(np.asarray(sectors, dtype=np.int64), self.column_count)
        return column, row

    def sectors_of(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Sectors, in rising order, that hold a tile of the rectangle."""
        left, top = max(x, 0), max(y, 0)
        right, bottom = min(x + width, self.grid.width), min(y + height, self.grid.height)
        if right <= left or bottom <= top:
            return np.zeros(0, dtype=np.int32)
        rows = np.arange(top // self.size, (bottom - 1) // self.size + 1)
        columns = np.arange(left // self.size, (right - 1) // self.size + 1)
        return (rows[:, None] * self.column_count + columns[None, :]).reshape(-1).astype(np.int32)

    def beside(self, sectors: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Sectors, in rising order, that share a border with one of some sectors."""
        column, row = sectors % self.column_count, sectors // self.column_count
        found = [
            sectors[row > 0] - self.column_count, sectors[row < self.row_count - 1] + self.column_count,
            sectors[column > 0] - 1, sectors[column < self.column_count - 1] + 1,
        ]  # fmt: skip
        return np.unique(np.concatenate(found)).astype(np.int32)

    def portals(self, sector: int) -> list[Portal]:
        """The portals of a sector, by side, then along it."""
        tiles, side_start = self.pool.tiles(sector), self.pool.side_start[sector]
        found: list[Portal] = []
        for side in range(SIDES):
            run: list[int] = []
            for anchor in range(side_start[side], side_start[side + 1]):
                run.append(anchor)
                if anchor + 1 == side_start[side + 1] or not self._is_same_portal(
                    side, int(tiles[anchor]), int(tiles[anchor + 1])
                ):
                    found.append(self._portal(side, tiles, run))
                    run = []
        return found

    def island_portals(self, sector: int, island: int) -> list[Portal]:
        """The portals of an island of a sector."""
        return [portal for portal in self.portals(sector) if portal.island == island]

    def _is_same_portal(self, side: int, first: int, last: int) -> bool:
        """Whether no wall lies between two anchors, on either side of the border."""
        width = self.grid.width
        step = 1 if side % 2 == 0 else width
        between = np.arange(first, last + 1, step)
        facing = between + (-width, 1, width, -1)[side]
        cost = self.grid.cost.reshape(-1)
        return bool(cost[between].all() and cost[facing].all())

    def _portal(self, side: int, tiles: npt.NDArray[np.int32], anchors: list[int]) -> Portal:
        width = self.grid.width
        ends = [(int(tiles[anchor]) % width, int(tiles[anchor]) // width) for anchor in (anchors[0], anchors[-1])]
        return Portal(side, ends[0], ends[1], int(self.island[ends[0][1], ends[0][0]]), tuple(anchors))

    def matrix(self, sector: int) -> npt.NDArray[np.int32]:
        """int32 (n, n): distances between a sector's anchors in its list's order, FAR where no way inside it leads."""
        return self.pool.matrix_of(sector)

    @property
    def island_start(self) -> npt.NDArray[np.int32]:
        """int32 (sectors + 1,): number of each sector's first island when all are counted through."""
        self._join()
        return self._island_start

    @property
    def component(self) -> npt.NDArray[np.int32]:
        """int32 (islands,): the component of the portal graph that each island belongs to, from 1 by first island."""
        self._join()
        return self._component[: int(self._island_start[-1])]

    @property
    def component_room(self) -> npt.NDArray[np.int32]:
        """The array that ``component`` is the first part of, for bound calls: it is replaced when it gets too small."""
        self._join()
        return self._component

    @property
    def component_count(self) -> int:
        """Number of components."""
        self._join()
        return self._component_count

    def _join(self) -> None:
        """Components are made anew by the first question after an edit; some 0.1 us an island."""
        if self._is_joined:
            return
        np.cumsum(self.island_count, out=self._island_start[1:])
        if int(self._island_start[-1]) > len(self._component):
            self._component = np.zeros(int(self._island_start[-1]) * 5 // 4 + 64, dtype=np.int32)
        result: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        pool = self.pool
        join_islands(
            self.island, pool.side_start, pool.anchor_base, pool.anchor_tile, self._island_start, self._component,
            self.column_count, result,
        )  # fmt: skip
        self._component_count = int(result[0])
        self.join_count += 1
        self._is_joined = True

    def island_of(self, x: int, y: int) -> int:
        """Number of a tile's island when those of all sectors are counted through; -1 for solid tiles and outside."""
        if not self.grid.is_free(x, y):
            return -1
        return int(self.island_start[self.sector_of(x, y)]) + int(self.island[y, x]) - 1

    def component_of(self, x: int, y: int) -> int:
        """Component of a tile, 0 for solid tiles and outside: a way leads between two tiles of the same one, and no others."""
        island = self.island_of(x, y)
        return 0 if island < 0 else int(self.component[island])

    def nearest_reachable(self, wanted: Tile, start: Tile) -> Tile | None:
        """The tile nearest to a wanted one that a way leads to from ``start``; the wanted one itself if it has a way.

        Returns:
            (x, y), the nearest by the distance of centres, then by row, then by column; None if ``start`` is solid or outside.
        """
        component = self.component_of(*start)
        if component == 0:
            return None
        if self.component_of(*wanted) == component:
            return wanted
        reach = self.size // 2
        while True:
            top, left = max(wanted[1] - reach, 0), max(wanted[0] - reach, 0)
            bottom, right = min(wanted[1] + reach + 1, self.grid.height), min(wanted[0] + reach + 1, self.grid.width)
            rows, columns = np.nonzero(self._components_in(left, top, max(right, left), max(bottom, top)) == component)
            squared = (rows + top - wanted[1]) ** 2 + (columns + left - wanted[0]) ** 2
            best = int(np.argmin(squared)) if len(rows) else -1  # the first of equal ones, and they come by row, then column
            is_all = top == 0 and left == 0 and bottom == self.grid.height and right == self.grid.width
            if best >= 0 and (is_all or squared[best] <= reach * reach):
                return int(columns[best]) + left, int(rows[best]) + top
            reach *= 2

    def _components_in(self, left: int, top: int, right: int, bottom: int) -> npt.NDArray[np.int32]:
        """Components of a rectangle of tiles, 0 for solid ones."""
        rows, columns = np.arange(top, bottom) // self.size, np.arange(left, right) // self.size
        island = self.island[top:bottom, left:right].astype(np.int64)
        first = self.island_start[rows[:, None] * self.column_count + columns[None, :]]
        if len(self.component) == 0:
            return np.zeros(island.shape, dtype=np.int32)
        return np.where(island > 0, self.component[np.maximum(first + island - 1, 0)], 0).astype(np.int32)


class _Scratch:
    """What labelling and measuring work in, a row for each part of a parallel run."""

    def __init__(self, size: int, parts: int) -> None:
        room, around = lane_room(size), (size + 2) ** 2
        self.stack: npt.NDArray[np.int32] = np.zeros((parts, size * size), dtype=np.int32)
        self.local: npt.NDArray[np.uint8] = np.zeros((parts, around), dtype=np.uint8)
        self.lanes: npt.NDArray[np.int32] = np.zeros((parts, around, room), dtype=np.int32)
        self.relaxed: npt.NDArray[np.int32] = np.zeros((parts, room), dtype=np.int32)


def _parts(count: int) -> tuple[int, int]:
    """Pieces of a list, and items a piece."""
    parts = max(1, min(_MOST_PARTS, count))
    return parts, -(-count // parts)
