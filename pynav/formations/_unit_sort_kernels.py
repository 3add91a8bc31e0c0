"""Kernels of the talk's sort, by radix: by row class, within it along the facing, foremost first; cut into rows; each row across.

A phase is new keys, or a pass over one digit of them; the units lie on one side of two buffers.
"""

import numpy as np

from pynav.kernels import inline

SORT_CLASS, ACROSS, SORT_ROW, SORTED = 4, 6, 10, 13  # phases of new keys, and the end; between: passes
DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS


@inline
def radix_pass(keys, units, side, histogram, digit):
    """Sort by one digit from one side of the two buffers to the other, stably."""
    other = 1 - side
    shift = np.uint32(digit * DIGIT_BITS)
    mask = np.uint32(DIGITS - 1)
    count = np.int64(keys.shape[1])
    for index in range(DIGITS):
        histogram[index] = np.int32(0)
    for index in range(count):
        histogram[np.int64((keys[side, index] >> shift) & mask)] += np.int32(1)
    total = np.int32(0)
    for index in range(DIGITS):
        here = histogram[index]
        histogram[index] = total
        total += here
    for index in range(count):
        key = keys[side, index]
        place = np.int64((key >> shift) & mask)
        target = np.int64(histogram[place])
        histogram[place] = np.int32(target + 1)
        keys[other, target] = key
        units[other, target] = units[side, index]


@inline
def sort_phase(phase, keys, units, side, histogram, forward_key, across_key, unit_class, unit_row, slot_row):
    """One phase of the sort: new keys, or a pass over them. Returns the side that the sorted units are on."""
    count = np.int64(keys.shape[1])
    if phase == 0:
        for index in range(count):
            units[0, index] = np.int32(index)
            keys[0, index] = forward_key[index]
        return np.int64(0)
    if phase == SORT_CLASS:
        for index in range(count):
            keys[side, index] = np.uint32(unit_class[np.int64(units[side, index])])
        return side
    if phase == ACROSS:
        for index in range(count):
            unit = np.int64(units[side, index])
            unit_row[unit] = slot_row[index]
            keys[side, index] = across_key[unit]
        return side
    if phase == SORT_ROW:
        for index in range(count):
            keys[side, index] = np.uint32(unit_row[np.int64(units[side, index])])
        return side
    first = np.int64(1)
    if phase > SORT_ROW:
        first = np.int64(SORT_ROW + 1)
    elif phase > ACROSS:
        first = np.int64(ACROSS + 1)
    elif phase > SORT_CLASS:
        first = np.int64(SORT_CLASS + 1)
    radix_pass(keys, units, side, histogram, phase - first)
    return 1 - side
