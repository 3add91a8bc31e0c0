"""Slots of a formation: where its units are to stand, row by row from the front."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pynav.formations.row_class import RowClass

CLASS_COLUMNS = 4
BEGIN, COUNT, FILES, LAST_SHIFT = range(CLASS_COLUMNS)  # of a row of class_table


class FormationSlots:
    """Made by ``DragGrid.slots``; ``move_to_ground`` gives another one with places on the ground.

    Slots are numbered class by class, row by row, each row from left to right, so a number tells class, row and file.

    Attributes:
        positions: float32 (n, 2), tiles.
        facing: unit vector that the formation looks in.
        spacing: free ground between rims, tiles.
        classes: row classes from the front.
        files: units side by side in full rows, by class.
        is_moved: bool (n,), slots that lie elsewhere than in the grid that was dragged.
        is_cut_off: bool (n,), slots for which there was no ground.
        class_table: int64 (classes, 4): first slot, slots, files, and how many files the last row is shifted in to be centred.
    """

    def __init__(
        self,
        positions: npt.NDArray[np.float32],
        facing: tuple[float, float],
        spacing: float,
        classes: tuple[RowClass, ...],
        files: tuple[int, ...],
    ) -> None:
        self.positions = positions
        self.facing = facing
        self.spacing = spacing
        self.classes = classes
        self.files = files
        self.is_moved: npt.NDArray[np.bool_] = np.zeros(len(positions), np.bool_)
        self.is_cut_off: npt.NDArray[np.bool_] = np.zeros(len(positions), np.bool_)
        self.class_table: npt.NDArray[np.int64] = np.zeros((len(classes), CLASS_COLUMNS), np.int64)
        begin = 0
        for index, (found, file_count) in enumerate(zip(classes, files, strict=True)):
            in_last = found.count - (found.count - 1) // file_count * file_count
            self.class_table[index] = begin, found.count, file_count, (file_count - in_last) // 2
            begin += found.count

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def class_of_slot(self) -> npt.NDArray[np.int32]:
        """int32 (n,), index of the row class of each slot."""
        counts = self.class_table[:, COUNT]
        return np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    @property
    def rows(self) -> npt.NDArray[np.int32]:
        """int32 (n,), row of each slot, 0 in front; rows are counted through all classes."""
        parts, first = [], 0
        for _, count, files, _ in self.class_table.tolist():
            parts.append(first + np.arange(count, dtype=np.int64) // files)
            first += -(-count // files)
        return np.concatenate(parts).astype(np.int32)

    def projected(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """(along the facing, across to the right), float64 (n,) each, tiles."""
        x, y = self.positions.astype(np.float64).T
        facing_x, facing_y = self.facing
        return x * facing_x + y * facing_y, y * facing_x - x * facing_y

    def __repr__(self) -> str:
        return f"FormationSlots({len(self)} slots, files {self.files}, {int(self.is_moved.sum())} moved)"
