# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that tell units by row priority."""

import numpy as np

from pynav.kernels import block_kernel, kernel

FOUND, WRONG = range(2)  # entries of ``result``


@kernel(
    "int64[::1] priorities, float32[::1] radii, int64[::1] priority, int64[::1] count, float32[::1] radius,"
    " int32[::1] class_of_unit, int64[::1] result"
)
def tell_classes(priorities, radii, priority, count, radius, class_of_unit, result):
    """The different priorities of units, as they come, until there is no room for more of them.

    Args:
        priorities: int64 (n,).
        radii: float32 (n,).
        priority: int64 (most,), each that was found.
        count: int64 (most,), units of each, all zeros before.
        radius: float32 (most,), of the largest one, all zeros before.
        class_of_unit: int32 (n,), index of each one's priority.
        result: FOUND: how many different ones; WRONG: the first unit whose radius is none, -1 for no unit.
    """
    most = np.int64(priority.shape[0])
    found = np.int64(0)
    wrong = np.int64(-1)
    at = np.int64(0)
    for unit in range(np.int64(priorities.shape[0])):
        if not (radii[unit] > np.float32(0.0) and radii[unit] < np.float32(np.inf)) and wrong < 0:
            wrong = unit
        wanted = priorities[unit]
        if at >= found or priority[at] != wanted:
            at = np.int64(0)
            while at < found and priority[at] != wanted:
                at += 1
            if at == found:
                if found == most:
                    found += 1
                    break
                priority[at] = wanted
                found += 1
        count[at] += 1
        radius[at] = max(radius[at], radii[unit])
        class_of_unit[unit] = np.int32(at)
    result[FOUND] = found
    result[WRONG] = wrong


@block_kernel("int32[::1] class_of_unit, int32[::1] new_number")
def renumber_classes(class_of_unit, new_number, begin, end):
    """Have units be of classes by other numbers."""
    for unit in range(begin, end):
        class_of_unit[unit] = new_number[np.int64(class_of_unit[unit])]
