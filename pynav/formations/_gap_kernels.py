"""Kernel of gaps: where a unit fell, its file steps up."""

import numpy as np

from pynav.formations.formation_slots import BEGIN, COUNT, FILES, LAST_SHIFT
from pynav.kernels import inline, kernel


@inline
def behind(unit_of_slot, places, table, slot, reach):
    """The slot whose unit steps up into a slot: straight behind, else diagonally, within reach and occupied; -1 for none."""
    files = table[FILES]
    last_row = (table[COUNT] - 1) // files
    local = slot - table[BEGIN]
    row = local // files
    if row == last_row:
        return np.int64(-1)
    size = files
    shift = np.int64(0)
    if row + 1 == last_row:
        size = table[COUNT] - last_row * files
        shift = table[LAST_SHIFT]
    middle = local - row * files - shift
    for step in range(3):
        file = middle - (step * (5 - 3 * step)) // 2  # 0, 1 left, 1 right
        if file < 0 or file >= size:
            continue
        other = table[BEGIN] + (row + 1) * files + file
        x = places[other, 0] - places[slot, 0]
        y = places[other, 1] - places[slot, 1]
        if unit_of_slot[other] >= 0 and x * x + y * y <= reach * reach:
            return other
    return np.int64(-1)


@kernel(
    "int32[::1] dead_slots, int32[::1] unit_of_slot, int32[::1] class_of_slot, float32[:, ::1] places, int64[:, ::1] class_table,"
    " float32[::1] reach"
)
def close_gaps(dead_slots, unit_of_slot, class_of_slot, places, class_table, reach):
    """Empty the slots of the dead, then close one gap after the other, the rearmost first."""
    for index in range(dead_slots.shape[0]):
        unit_of_slot[np.int64(dead_slots[index])] = np.int32(-1)
    count = np.int64(dead_slots.shape[0])
    for index in range(count):
        slot = np.int64(dead_slots[count - 1 - index])
        number = np.int64(class_of_slot[slot])
        other = behind(unit_of_slot, places, class_table[number], slot, reach[number])
        while other >= 0:
            unit_of_slot[slot] = unit_of_slot[other]
            unit_of_slot[other] = np.int32(-1)
            slot = other
            other = behind(unit_of_slot, places, class_table[number], slot, reach[number])
