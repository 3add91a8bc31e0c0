"""The block graph: border tiles of all blocks, and the true distances between those of each block."""

import numpy as np
import numpy.typing as npt

from pynav.grid import TileGrid
from pynav.grid.steps import DIAGONAL_FACTOR
from pynav.jobs import CacheCounts
from pynav.kernels import parallel_for
from pynav.sectors._block_matrix_kernels import LOADED, TILES, build_matrices
from pynav.sectors.block_layout import (
    OWNERS,
    RING,
    SIDE,
    STEP,
    UNREACHED,
    block_counts,
    neighbour_blocks,
    ring_tiles,
    shared_border_tiles,
)

_SPARE_MATRICES = 1_024
_PARTS = 16  # pieces that a build is cut into, each with scratch of its own


class BlockGraph:
    """Blocks of 17 x 17 tiles at a step of 16, with a matrix of distances between their border tiles.

    Row i of a matrix holds the distances to border tile i; it is symmetric where no tile has a closed exit (grid/exits.py).
    Blocks of equal costs (and exits) share a matrix, and a matrix never changes: an edit gives blocks other ones. So a search may
    go on with the matrices that it began with while the map is edited (``matrix_of`` is replaced, see ``release_retired``).

    Args:
        grid: the costs; its size never changes. Call ``update`` after each edit.

    Notes:
        Deterministic: matrices hold exact minima. About 30 us a matrix on one thread, in parallel by parts; memory 16 KiB for
        each kind of block, 256 bytes a block. Distances are those of IntegrationField: (cost + cost) * 70 straight, * 99
        diagonal.
    """

    def __init__(self, grid: TileGrid) -> None:
        self.grid = grid
        self.revision = grid.revision  # of the costs that the matrices are of
        self.column_count, self.row_count = block_counts(grid.width, grid.height)
        self.block_count = self.column_count * self.row_count
        self.ring = ring_tiles()
        self.neighbour = neighbour_blocks(self.column_count, self.row_count)
        self.shared_tiles = shared_border_tiles()
        self.cost: npt.NDArray[np.uint8] = np.zeros((self.row_count * STEP + 1, self.column_count * STEP + 1), dtype=np.uint8)
        self.matrix: npt.NDArray[np.int32] = np.zeros((0, RING, RING), dtype=np.int32)
        self.matrix_of: npt.NDArray[np.int32] = np.full(self.block_count, -1, dtype=np.int32)
        self._slot_of_kind: dict[bytes, int] = {}
        self._kind_of_slot: dict[int, bytes] = {}
        self._user_count: list[int] = []  # blocks that use each slot
        self.matrix_counts = CacheCounts()  # blocks whose matrix was there, those that were measured
        self._free: list[int] = []
        self._retired: list[tuple[int, int]] = []  # slots without a user, since which revision; a search may still read them
        self._lay_out_borders()
        self.cost[: grid.height, : grid.width] = grid.cost
        # Closed exits, where there are any, and the blocks that hold one: their matrices are not symmetric.
        self.closed: npt.NDArray[np.uint8] = np.zeros(self.cost.shape, dtype=np.uint8)
        self.one_way: npt.NDArray[np.uint8] = np.zeros(self.block_count, dtype=np.uint8)
        self._was_one_way = False
        self._take_exits(0, 0, grid.width, grid.height)
        self._fits, self._fits_at = False, -1
        self._frozen_cost: npt.NDArray[np.uint8] | None = None
        self._give_matrices(np.arange(self.block_count, dtype=np.int32))

    def _lay_out_borders(self) -> None:
        """Number the border tiles: by row, then column; and note which blocks each belongs to, and as which of their tiles."""
        rows, columns = self.cost.shape
        y, x = np.nonzero((np.arange(rows)[:, None] % STEP == 0) | (np.arange(columns)[None, :] % STEP == 0))
        self.border_count = len(y)
        number: npt.NDArray[np.int32] = np.full((rows, columns), -1, dtype=np.int32)
        number[y, x] = np.arange(len(y), dtype=np.int32)
        self.border_x, self.border_y = x.astype(np.int32), y.astype(np.int32)
        block = np.arange(self.block_count)
        top, left = block // self.column_count * STEP, block % self.column_count * STEP
        self.border_of: npt.NDArray[np.int32] = np.ascontiguousarray(
            number[top[:, None] + self.ring[None, :] // SIDE, left[:, None] + self.ring[None, :] % SIDE]
        )
        self.owner_block: npt.NDArray[np.int32] = np.full((self.border_count, OWNERS), -1, dtype=np.int32)
        self.owner_ring: npt.NDArray[np.int32] = np.full((self.border_count, OWNERS), -1, dtype=np.int32)
        flat = self.border_of.reshape(-1)
        order = np.argsort(flat, kind="stable")
        sorted_border = flat[order]
        place = np.arange(len(flat)) - np.searchsorted(sorted_border, sorted_border)
        self.owner_block[sorted_border, place] = order // RING
        self.owner_ring[sorted_border, place] = order % RING

    @property
    def fits(self) -> bool:
        """Whether every distance of the map stays below what a border value can hold, whatever its walls."""
        if self._fits_at != self.grid.revision:
            _, high = self.grid.cost_range
            self._fits = 2 * DIAGONAL_FACTOR * (self.grid.cost_sum + high) < UNREACHED
            self._fits_at = self.grid.revision
        return self._fits

    def frozen_cost(self) -> npt.NDArray[np.uint8]:
        """The costs as they are now, uint8 (height, width), read only: one copy for all who ask between two edits."""
        return self.frozen_block_cost()[: self.grid.height, : self.grid.width]

    def frozen_block_cost(self) -> npt.NDArray[np.uint8]:
        """The same with the solid tiles beyond the map that its last blocks cover: a copy of ``cost``."""
        if self._frozen_cost is None:
            self._frozen_cost = self.cost.copy()
            self._frozen_cost.flags.writeable = False
        return self._frozen_cost

    def corridor_cost(self) -> npt.NDArray[np.uint8]:
        """The same with tiles that have closed exits solid: what common routes go over."""
        if not self.grid.has_one_way:
            return self.frozen_block_cost()
        return np.where(self.closed != 0, np.uint8(0), self.cost)

    def frozen_exits(self) -> npt.NDArray[np.uint8] | None:
        """The closed exits as they are now, uint8 (height, width), a copy; None where there are none."""
        return self.grid.closed_exits.copy() if self.grid.has_one_way else None

    def _take_exits(self, x: int, y: int, width: int, height: int) -> None:
        """Take over the closed exits of a rectangle of the grid."""
        if not (self.grid.has_one_way or self._was_one_way):
            return
        self._was_one_way = True
        self.closed[y : y + height, x : x + width] = self.grid.closed_exits[y : y + height, x : x + width]
        for block in self.blocks_of(x, y, width, height).tolist():
            top, left = block // self.column_count * STEP, block % self.column_count * STEP
            self.one_way[block] = self.closed[top : top + SIDE, left : left + SIDE].any()

    def blocks_of(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Blocks, in rising order, that hold a tile of the rectangle."""
        first_column, last_column = _block_span(x, x + width - 1, self.column_count)
        first_row, last_row = _block_span(y, y + height - 1, self.row_count)
        blocks = [
            row * self.column_count + column
            for row in range(first_row, last_row + 1)
            for column in range(first_column, last_column + 1)
        ]
        return np.array(blocks, dtype=np.int32)

    def blocks_of_points(self, points: npt.NDArray[np.float32]) -> npt.NDArray[np.int32]:
        """Blocks, in rising order, that hold the tile of one of some points (x, y) inside the map, float32 (n, 2)."""
        return self.blocks_of_tiles(points.astype(np.int32))

    def blocks_of_tiles(self, tiles: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Blocks, in rising order, that hold one of some tiles (x, y), int32 (n, 2)."""
        if len(tiles) == 1:  # by far the most frequent question
            ((column, row),) = tiles.tolist()
            return self.blocks_of(column, row, 1, 1)
        x, y = tiles[:, 0].astype(np.int64), tiles[:, 1].astype(np.int64)
        columns = np.stack([np.maximum(x - 1, 0) // STEP, np.minimum(x // STEP, self.column_count - 1)])
        rows = np.stack([np.maximum(y - 1, 0) // STEP, np.minimum(y // STEP, self.row_count - 1)])
        return np.unique(rows[:, None] * self.column_count + columns[None, :]).astype(np.int32)

    def update(self, x: int, y: int, width: int, height: int) -> npt.NDArray[np.int32]:
        """Take over an edit of the grid: give the blocks that hold a tile of the rectangle the matrices of their costs.

        Returns:
            int32: those of them whose costs changed, in rising order.
        """
        self.revision = self.grid.revision
        self._frozen_cost = None
        self.cost[y : y + height, x : x + width] = self.grid.cost[y : y + height, x : x + width]
        self._take_exits(x, y, width, height)
        touched = self.blocks_of(x, y, width, height)
        old = self.matrix_of
        self.matrix_of = old.copy()
        self._give_matrices(touched)
        return np.asarray(touched[self.matrix_of[touched] != old[touched]], dtype=np.int32)

    def release_retired(self, oldest_revision: int | None = None) -> None:
        """Let matrices that no block uses be overwritten.

        Args:
            oldest_revision: ``revision`` when the oldest search that still runs began; None where none runs.
        """
        kept = []
        for slot, retired_at in self._retired:
            if oldest_revision is not None and retired_at > oldest_revision:
                kept.append((slot, retired_at))
            elif self._user_count[slot] == 0 and slot in self._kind_of_slot:
                del self._slot_of_kind[self._kind_of_slot.pop(slot)]
                self._free.append(slot)
        self._retired = kept

    def _give_matrices(self, blocks: npt.NDArray[np.int32]) -> None:
        """Find each block the matrix of its costs; measure those that nobody had yet, each kind once."""
        top, left = blocks // self.column_count * STEP, blocks % self.column_count * STEP
        inside = np.arange(SIDE)
        content = self.cost[(top[:, None] + inside)[:, :, None], (left[:, None] + inside)[:, None, :]].reshape(len(blocks), -1)
        new_blocks, new_slots = [], []
        for block, costs in zip(blocks.tolist(), content, strict=True):
            kind = costs.tobytes()
            if self.one_way[block]:
                first, start = block // self.column_count * STEP, block % self.column_count * STEP
                kind += self.closed[first : first + SIDE, start : start + SIDE].tobytes()
            slot = self._slot_of_kind.get(kind)
            self.matrix_counts.note(slot is not None)
            if slot is None:
                slot = self._new_slot()
                self._slot_of_kind[kind] = slot
                self._kind_of_slot[slot] = kind
                new_blocks.append(block)
                new_slots.append(slot)
            self._user_count[slot] += 1
            before = int(self.matrix_of[block])
            if before >= 0:
                self._user_count[before] -= 1
                if self._user_count[before] == 0:
                    self._retired.append((before, self.revision))
            self.matrix_of[block] = slot
        if new_blocks:
            self._reserve(len(self._user_count))
            self._measure(np.array(new_blocks, dtype=np.int32), np.array(new_slots, dtype=np.int32))

    def _new_slot(self) -> int:
        if self._free:
            return self._free.pop()
        self._user_count.append(0)
        return len(self._user_count) - 1

    def _reserve(self, count: int) -> None:
        """Room for that many matrices, and for edits to come: a copy costs a frame, memory that nobody has written nothing."""
        old = self.matrix
        if count > len(old):
            self.matrix = np.empty((count + max(count // 2, _SPARE_MATRICES), RING, RING), dtype=np.int32)
            self.matrix[: len(old)] = old

    def _measure(self, blocks: npt.NDArray[np.int32], slots: npt.NDArray[np.int32]) -> None:
        parts = min(_PARTS, len(blocks))
        per_part = -(-len(blocks) // parts)
        local: npt.NDArray[np.uint8] = np.zeros((parts, LOADED), dtype=np.uint8)
        lanes: npt.NDArray[np.int32] = np.zeros((parts, TILES, RING), dtype=np.int32)
        relaxed: npt.NDArray[np.int32] = np.zeros((parts, RING), dtype=np.int32)
        parallel_for(
            build_matrices, parts, self.cost, self.closed, self.one_way, blocks, slots, self.matrix, self.ring, local, lanes,
            relaxed, self.column_count, per_part,
            block_size=1,
        )  # fmt: skip


def _block_span(first: int, last: int, count: int) -> tuple[int, int]:
    """First and last block that hold one of the tiles first..last along an axis."""
    return max(0, (first - 1) // STEP), min(count - 1, last // STEP)
