"""Kernels of slot assignment: the talk's sort (_unit_sort_kernels.py), then swaps and rings within a class, in slices.

Swaps: two units of a class
change slots where (p_i - p_j).(s_i - s_j) < 0, which is where the sum of squared distances falls by it; then nobody comes nearer
to anybody than 0.71 of the smaller of the start's and the slots' spacing when all walk in step (two vectors at less than a right
angle). Comparing all pairs would be quadratic: partners are slots 2^k rows and files away, along, across and on both diagonals,
far ones first (own; like the passes of a shell sort). Where nobody swaps any more, rings (_ring_kernels.py); then both again.
"""

import numpy as np

from pynav.formations._ring_kernels import LEAST_GAIN, forget_offers, relax_row, turn_rings
from pynav.formations._unit_sort_kernels import SORTED, sort_phase
from pynav.formations.formation_slots import BEGIN, COUNT, FILES, LAST_SHIFT
from pynav.kernels import inline, kernel

DONE, PHASE, SIDE, STRIDE, DIRECTION, CLASS, ROW, SWAPS, BUDGET, CHECKS, MOVES, RELAXED = range(12)
PROGRESS_COUNT = 12
GATHER, SWAP, CYCLE, TURN = SORTED, SORTED + 1, SORTED + 2, SORTED + 3  # phases after the sort
DIRECTIONS = 4  # along the file, across, both diagonals
MOST_CHECKS = 3_000_000  # pairs compared; the assignment stays as it is then


@inline
def swap_line(places, starts, unit_of_slot, upper, lower, first, last, step):
    """Compare the slots ``upper + f`` and ``lower + f + step`` for files first..last; how many pairs swapped."""
    swaps = np.int64(0)
    for file in range(first, last):
        one = upper + file
        two = lower + file + step
        gain = (starts[one, 0] - starts[two, 0]) * (places[one, 0] - places[two, 0]) + (starts[one, 1] - starts[two, 1]) * (
            places[one, 1] - places[two, 1]
        )
        if gain < -LEAST_GAIN:
            x = starts[one, 0]
            y = starts[one, 1]
            unit = unit_of_slot[one]
            starts[one, 0] = starts[two, 0]
            starts[one, 1] = starts[two, 1]
            unit_of_slot[one] = unit_of_slot[two]
            starts[two, 0] = x
            starts[two, 1] = y
            unit_of_slot[two] = unit
            swaps += 1
    return swaps


@inline
def first_stride(class_table):
    """The largest power of two below the rows or files of any class."""
    longest = np.int64(1)
    for index in range(class_table.shape[0]):
        files = class_table[index, FILES]
        longest = max(longest, max(files, (class_table[index, COUNT] + files - 1) // files))
    stride = np.int64(1)
    while stride * 2 < longest:
        stride *= 2
    return stride


@inline
def row_swaps(places, starts, unit_of_slot, table, index, row, stride, direction, progress):
    """Compare a row of a class with its partner row."""
    files = table[index, FILES]
    begin = table[index, BEGIN]
    last_row = (table[index, COUNT] - 1) // files
    partner = row if direction == 1 else row + stride
    step = stride
    if direction == 0:
        step = np.int64(0)
    elif direction == 3:
        step = -stride
    shift = table[index, LAST_SHIFT] if row == last_row else np.int64(0)
    other_shift = table[index, LAST_SHIFT] if partner == last_row else np.int64(0)
    length = min(files, table[index, COUNT] - row * files)
    other_length = min(files, table[index, COUNT] - partner * files)
    low = max(shift, other_shift - step)
    high = min(shift + length, other_shift + other_length - step)
    if high > low:
        upper = begin + row * files - shift
        lower = begin + partner * files - other_shift
        progress[SWAPS] += swap_line(places, starts, unit_of_slot, upper, lower, low, high, step)
        progress[CHECKS] += high - low


@inline
def end_of_sweep(progress, class_table):
    """The next direction, stride or round; rings come when a round swapped nobody."""
    progress[CLASS] = 0
    progress[ROW] = 0
    progress[DIRECTION] += 1
    if progress[DIRECTION] < DIRECTIONS:
        return
    progress[DIRECTION] = 0
    progress[STRIDE] //= 2
    if progress[STRIDE] > 0:
        return
    progress[STRIDE] = first_stride(class_table)
    progress[MOVES] += progress[SWAPS]
    if progress[SWAPS] == 0:
        # Rings found nothing after the last swap, or swaps nothing after the last ring: neither will.
        progress[DONE] = 1 if progress[RELAXED] == 1 and progress[MOVES] == 0 else 0
        progress[PHASE] = CYCLE
        progress[MOVES] = 0
        progress[RELAXED] = 0
    progress[SWAPS] = 0


@inline
def compare_rows(progress, places, starts, unit_of_slot, class_table, length, parent):
    """Rows of a sweep until about BUDGET pairs are compared or the sweep ends in another phase."""
    phase = progress[PHASE]
    limit = progress[CHECKS] + progress[BUDGET]
    lines = np.int64(0)
    while progress[DONE] == 0 and progress[PHASE] == phase and progress[CHECKS] < limit and lines < progress[BUDGET]:
        lines += 1
        if progress[CHECKS] >= MOST_CHECKS:
            progress[DONE] = 1
            break
        index = progress[CLASS]
        files = class_table[index, FILES]
        rows = (class_table[index, COUNT] + files - 1) // files
        direction = progress[DIRECTION]
        if phase == CYCLE:
            if progress[ROW] < rows:
                row = progress[ROW]
                progress[SWAPS] |= relax_row(places, starts, length, parent, class_table, index, row)
                progress[CHECKS] += 8 * min(files, class_table[index, COUNT] - row * files)
                progress[ROW] = row + 1
                continue
        else:
            height = rows if direction == 1 else rows - progress[STRIDE]
            if progress[ROW] < height and (direction == 0 or progress[STRIDE] < files):
                row_swaps(places, starts, unit_of_slot, class_table, index, progress[ROW], progress[STRIDE], direction, progress)
                progress[ROW] += 1
                continue
        progress[ROW] = 0
        progress[CLASS] = index + 1
        if progress[CLASS] == class_table.shape[0]:
            if phase == CYCLE:
                progress[CLASS] = 0
                progress[PHASE] = TURN
            else:
                end_of_sweep(progress, class_table)


@kernel(
    "int64[::1] progress, uint32[:, ::1] keys, int32[:, ::1] units, int32[::1] histogram, uint32[::1] along_bits,"
    " uint32[::1] across_bits, int32[::1] unit_class, int32[::1] unit_row, float32[:, ::1] positions,"
    " float32[:, ::1] slot_positions, float64[:, ::1] places, float64[:, ::1] starts, int32[::1] unit_of_slot,"
    " int64[:, ::1] class_table, float64[::1] length, int32[::1] parent, int32[::1] mark"
)
def assign_slice(
    progress, keys, units, histogram, along_bits, across_bits, unit_class, unit_row, positions, slot_positions, places, starts,
    unit_of_slot, class_table, length, parent, mark,
):  # fmt: skip
    """A slice: a phase of the sort, rings turned, or rows of about BUDGET pairs compared. Same bits for any budget."""
    phase = progress[PHASE]
    if phase < GATHER:
        progress[SIDE] = sort_phase(
            phase, keys, units, progress[SIDE], histogram, along_bits, across_bits, unit_class, unit_row, class_table
        )
        progress[PHASE] = phase + 1
    elif phase == GATHER:
        side = progress[SIDE]
        for slot in range(unit_of_slot.shape[0]):
            unit = np.int64(units[side, slot])
            unit_of_slot[slot] = np.int32(unit)
            starts[slot, 0] = np.float64(positions[unit, 0])
            starts[slot, 1] = np.float64(positions[unit, 1])
            places[slot, 0] = np.float64(slot_positions[slot, 0])
            places[slot, 1] = np.float64(slot_positions[slot, 1])
        forget_offers(length, parent)
        progress[STRIDE] = first_stride(class_table)
        progress[PHASE] = SWAP
    elif phase == TURN:
        rings = turn_rings(starts, unit_of_slot, parent, mark)
        progress[MOVES] += rings
        if rings > 0 or progress[SWAPS] == 0:
            forget_offers(length, parent)
        progress[PHASE] = CYCLE if progress[SWAPS] == 1 else SWAP
        progress[RELAXED] = 1 if progress[SWAPS] == 0 else 0
        progress[SWAPS] = 0
    else:
        compare_rows(progress, places, starts, unit_of_slot, class_table, length, parent)
