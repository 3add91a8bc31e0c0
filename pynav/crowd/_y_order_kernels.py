# mypy: disable-error-code="no-untyped-def, assignment"
"""Kernels that write the instances of a 2D multi-mesh in the order of their y: who stands lower covers who stands behind."""

import numpy as np

from pynav.kernels import block_kernel, kernel

ORIGIN_Y = 7  # which float of an instance
DIGIT_BITS = 11
DIGITS = 3
DIGIT_VALUES = 1 << DIGIT_BITS
_LOWEST = 1 << 31


@block_kernel("int32[:, ::1] bits, int64[::1] key")
def note_keys(bits, key, begin, end):
    """A whole number for each row that rises with the float whose bits stand in its y; both zeros have the same."""
    for row in range(begin, end):
        value = np.int64(bits[row, ORIGIN_Y])
        key[row] = (value if value >= 0 else -(value & 0x7FFFFFFF)) + _LOWEST


@kernel("int64[::1] key, int32[::1] order, int32[::1] spare, int64[:, ::1] start")
def order_by_key(key, order, spare, start):
    """The rows by rising key, equal ones by row: a stable counting sort by each digit, the lowest first."""
    row_count = np.int64(key.shape[0])
    for digit in range(DIGITS):
        for value in range(DIGIT_VALUES):
            start[digit, value] = 0
    for row in range(row_count):
        order[row] = np.int32(row)
        for digit in range(DIGITS):
            start[digit, (key[row] >> (DIGIT_BITS * digit)) & (DIGIT_VALUES - 1)] += 1
    for digit in range(DIGITS):
        before = np.int64(0)
        for value in range(DIGIT_VALUES):
            count = start[digit, value]
            start[digit, value] = before
            before += count
    for digit in range(DIGITS):
        for place in range(row_count):
            row = np.int64(order[place])
            value = (key[row] >> (DIGIT_BITS * digit)) & (DIGIT_VALUES - 1)
            spare[start[digit, value]] = np.int32(row)
            start[digit, value] += 1
        for place in range(row_count):
            order[place] = spare[place]


@block_kernel("float32[:, ::1] rows, int32[::1] order, float32[:, ::1] ordered")
def take_rows(rows, order, ordered, begin, end):
    """The rows in an order."""
    for place in range(begin, end):
        row = np.int64(order[place])
        for index in range(np.int64(rows.shape[1])):
            ordered[place, index] = rows[row, index]
