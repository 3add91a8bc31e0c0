"""Notes of a tick: what projectiles need to know of each cell, made where that costs less than it saves."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _cell_kernels as kernels
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import CELL_NOTES
from pynav.kernels.kept_call import KeptCall

_CELLS_A_PROJECTILE = 1  # at most; a note costs about as much as a look at all that it sums up
_CELLS_A_BLOCK = 1_024  # small, for the other thread has to wake up first


class CellNotes:
    """The notes of one type of source, made anew each tick that has use for them. No state: they follow from the world's.

    Attributes:
        table: float32 (cells, CELL_NOTES); one row as long as there was no use for them.
    """

    def __init__(self, box: GridBox) -> None:
        self._box = box
        self.table: npt.NDArray[np.float32] = np.zeros((1, CELL_NOTES), np.float32)
        self._call = KeptCall(kernels.note_cells)
        size = box.bucket_size_in_cells
        # Only then a cell and the projectiles in it are sure to have the same bucket, to the last bit.
        self._shift = size.bit_length() - 1 if size & (size - 1) == 0 else -1

    def are_worth_it(self, projectiles: int) -> bool:
        """Whether to make them for so many projectiles."""
        return self._shift >= 0 and self._box.cell_count <= _CELLS_A_PROJECTILE * projectiles

    def make(self, lengths: tuple[float, float, float], *arrays: npt.NDArray[Any]) -> None:
        """Make them; ``arrays`` are those of the kernel, up to the numbers; ``lengths`` are the largest hit radius, snap distance
        and way of a tick of all batches.
        """
        if len(self.table) != self._box.cell_count:
            self.table = np.zeros((self._box.cell_count, CELL_NOTES), np.float32)
        block = max(1, _CELLS_A_BLOCK // self._box.columns)
        self._call.bound(self.table, *arrays, self._shift, *lengths).run(self._box.rows, block)
