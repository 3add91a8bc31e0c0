"""Kernels of the talk's sort, by radix: by row class, within it along the facing, foremost first; cut into rows; each row across.

A phase is new keys, or a pass over one digit of them; the units lie on one side of two buffers.
"""

import numpy as np

from pynav.formations.formation_slots import COUNT, FILES
from pynav.kernels import block_kernel, inline

SORT_CLASS, ACROSS, SORT_ROW, SORTED = 4, 6, 10, 13  # phases of new keys, and the end; between: passes
DIGIT_BITS = 11
DIGITS = 1 << DIGIT_BITS
_SIGN = np.uint32(0x80000000)
_ALL = np.uint32(0xFFFFFFFF)


@block_kernel("float32[:, ::1] points, float32 facing_x, float32 facing_y, float32[::1] along, float32[::1] across")
def project(points, facing_x, facing_y, along, across, begin, end):
    """How far points lie along the facing, and to the right across it; never -0."""
    for unit in range(begin, end):
        x = points[unit, 0]
        y = points[unit, 1]
        along[unit] = x * facing_x + y * facing_y + np.float32(0.0)
        across[unit] = y * facing_x - x * facing_y + np.float32(0.0)


@inline
def ordered_key(bits):
    """A whole number in the order of the floats whose bits are given."""
    return bits ^ _ALL if (bits & _SIGN) != np.uint32(0) else bits | _SIGN


@inline
def note_rows(units, side, class_table, unit_row):
    """Cut the sorted units into the rows of their slots, counted through all classes."""
    slot = np.int64(0)
    row = np.int64(0)
    for number in range(np.int64(class_table.shape[0])):
        left = class_table[number, COUNT]
        while left > 0:
            length = min(class_table[number, FILES], left)
            for place in range(slot, slot + length):
                unit_row[np.int64(units[side, place])] = np.int32(row)
            slot += length
            left -= length
            row += 1


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
def sort_phase(phase, keys, units, side, histogram, along_bits, across_bits, unit_class, unit_row, class_table):
    """One phase of the sort: new keys, or a pass over them. Returns the side that the sorted units are on."""
    count = np.int64(keys.shape[1])
    if phase == 0:
        for index in range(count):
            units[0, index] = np.int32(index)
            keys[0, index] = ordered_key(along_bits[index]) ^ _ALL
        return np.int64(0)
    if phase == SORT_CLASS:
        for index in range(count):
            keys[side, index] = np.uint32(unit_class[np.int64(units[side, index])])
        return side
    if phase == ACROSS:
        note_rows(units, side, class_table, unit_row)
        for index in range(count):
            keys[side, index] = ordered_key(across_bits[np.int64(units[side, index])])
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
