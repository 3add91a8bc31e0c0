"""Kernels of rings: units that hand on their slots to neighbours in a circle, where that makes the sum of squares fall.

Swaps alone end where no two units gain, which can be far from the best where a whole file should shift by a slot. A slot's unit
may be handed on to the eight slots around it at a price; a circle of negative sum is a gain, and circles are what the passes of
Bellman and Ford find: the offers that were taken, followed back, close into a ring only if its sum is negative (Cherkassky and
Goldberg 1999, Negative-cycle detection algorithms). A slot has taken one offer, so rings share no slot and all turn at once.
"""

import numpy as np

from pynav.formations.formation_slots import BEGIN, COUNT, FILES, LAST_SHIFT
from pynav.kernels import inline

LEAST_GAIN = np.float32(1e-6)  # tiles squared; below, a change would be rounding


@inline
def relax_row(places, starts, length, parent, table, index, row):
    """Offer the slots around each slot of a row what it would cost to hand its unit on; whether anybody took an offer."""
    files = table[index, FILES]
    begin = table[index, BEGIN]
    last_row = (table[index, COUNT] - 1) // files
    shift = table[index, LAST_SHIFT] if row == last_row else np.int64(0)
    size = min(files, table[index, COUNT] - row * files)
    took = np.int64(0)
    for partner in range(max(row - 1, np.int64(0)), min(row + 1, last_row) + 1):
        other_shift = table[index, LAST_SHIFT] if partner == last_row else np.int64(0)
        other_size = min(files, table[index, COUNT] - partner * files)
        for place in range(size):
            one = begin + row * files + place
            middle = place + shift - other_shift
            for other in range(max(middle - 1, np.int64(0)), min(middle + 1, other_size - 1) + 1):
                two = begin + partner * files + other
                x = starts[one, 0]
                y = starts[one, 1]
                to_x = places[two, 0] - places[one, 0]
                to_y = places[two, 1] - places[one, 1]
                # |p - s_j|^2 - |p - s_i|^2
                price = to_x * (places[two, 0] + places[one, 0] - x - x) + to_y * (places[two, 1] + places[one, 1] - y - y)
                if length[one] + price < length[two] - LEAST_GAIN:
                    length[two] = length[one] + price
                    parent[two] = np.int32(one)
                    took = np.int64(1)
    return took


@inline
def turn_rings(starts, unit_of_slot, parent, mark):
    """Hand units on along every ring of offers; how many rings there were. Each makes the sum of squares fall."""
    count = np.int64(parent.shape[0])
    rings = np.int64(0)
    for slot in range(count):
        mark[slot] = np.int32(-1)
    for slot in range(count):
        at = np.int64(slot)
        while at >= 0 and mark[at] < 0:
            mark[at] = np.int32(slot)
            at = np.int64(parent[at])
        if at < 0 or mark[at] != slot:
            continue
        rings += 1
        end = at
        x = starts[end, 0]
        y = starts[end, 1]
        unit = unit_of_slot[end]
        giver = np.int64(parent[at])
        while giver != end:
            starts[at, 0] = starts[giver, 0]
            starts[at, 1] = starts[giver, 1]
            unit_of_slot[at] = unit_of_slot[giver]
            at = giver
            giver = np.int64(parent[at])
        starts[at, 0] = x
        starts[at, 1] = y
        unit_of_slot[at] = unit
    return rings


@inline
def forget_offers(length, parent):
    """Begin anew."""
    for slot in range(parent.shape[0]):
        length[slot] = np.float64(0.0)
        parent[slot] = np.int32(-1)
