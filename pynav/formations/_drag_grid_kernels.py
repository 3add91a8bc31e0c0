# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that lays out the slots of a drag."""

import numpy as np

from pynav.formations.formation_slots import BEGIN, COUNT, FILES
from pynav.kernels import block_kernel


@block_kernel(
    "float32[:, ::1] positions, int64[:, ::1] class_table, float64[::1] depth, float64[::1] pitch, float64 x, float64 y,"
    " float64 facing_x, float64 facing_y"
)
def lay_slots(positions, class_table, depth, pitch, x, y, facing_x, facing_y, begin, end):
    """Where slots lie, row by row, each row in the middle.

    Args:
        positions: float32 (n, 2), tiles.
        class_table: of the slots.
        depth: float64 (classes,), tiles from the front row to each class's first one.
        pitch: float64 (classes,), tiles from file to file and from row to row.
        x: middle of the front row, tiles.
        y: the same.
        facing_x: unit vector.
        facing_y: the same.
        begin: first slot.
        end: behind the last one.
    """
    number = np.int64(0)
    for slot in range(begin, end):
        while slot >= class_table[number, BEGIN] + class_table[number, COUNT]:
            number += 1
        files = class_table[number, FILES]
        index = slot - class_table[number, BEGIN]
        row = index // files
        in_row = min(class_table[number, COUNT] - row * files, files)
        ahead = -(depth[number] + np.float64(row) * pitch[number])
        aside = (np.float64(index - row * files) - np.float64(in_row - 1) * np.float64(0.5)) * pitch[number]
        positions[slot, 0] = np.float32(x + ahead * facing_x - aside * facing_y)
        positions[slot, 1] = np.float32(y + ahead * facing_y + aside * facing_x)
