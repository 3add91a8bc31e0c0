"""Kernels of gaps: where a unit fell, its file steps up."""

import numpy as np

from pynav.crowd.agent_layout import FIRST_SLOT
from pynav.formations.formation_slots import BEGIN, COUNT, FILES, LAST_SHIFT
from pynav.formations.place_layout import COMING, OWNER_CROWD, OWNER_ID, PLACE_CLASS, STANDING
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


@inline
def close_gap(unit_of_slot, places, table, slot, reach):
    """Let the file behind an empty slot step up, a step each, to its end."""
    other = behind(unit_of_slot, places, table, slot, reach)
    while other >= 0:
        unit_of_slot[slot] = unit_of_slot[other]
        unit_of_slot[other] = np.int32(-1)
        slot = other
        other = behind(unit_of_slot, places, table, slot, reach)


@kernel(
    "int32[:, ::1] place_tags, int64 first, float32[:, ::1] places, int64[:, ::1] class_table, float32[::1] reach,"
    " int32[:, ::1] crowd_numbers, int32[::1] member_place, int32[::1] moved_from"
)
def close_place_gaps(place_tags, first, places, class_table, reach, crowd_numbers, member_place, moved_from):
    """Let units step up into every place of a formation that is nobody's, the rearmost first; a unit goes along in the tables.

    Args:
        place_tags: of all places.
        first: place of the formation.
        places: float32 (n, 2), its slots.
        class_table: of its slots.
        reach: float32 (classes,), how far a unit steps, tiles.
        crowd_numbers: of all crowds.
        member_place: place plus 1 of each unit; who has one elsewhere, in a cluster, keeps it.
        moved_from: int32 (at least n,), scratch: the slot that each slot's unit comes from, -1 for nobody.
    """
    count = np.int64(places.shape[0])
    for slot in range(count):
        moved_from[slot] = np.int32(slot if place_tags[OWNER_ID, first + slot] >= 0 else -1)
    for slot in range(count - 1, -1, -1):
        if place_tags[OWNER_ID, first + slot] < 0:
            number = np.int64(place_tags[PLACE_CLASS, first + slot])
            close_gap(moved_from, places, class_table[number], slot, reach[number])
    for slot in range(count):  # units come from behind, so whoever was there has not been written over
        origin = np.int64(moved_from[slot])
        place = first + slot
        if origin == slot:
            continue
        place_tags[STANDING, place] = np.int32(COMING)
        if origin < 0:
            place_tags[OWNER_CROWD, place] = np.int32(0)
            place_tags[OWNER_ID, place] = np.int32(-1)
            continue
        crowd = np.int64(place_tags[OWNER_CROWD, first + origin])
        place_tags[OWNER_CROWD, place] = np.int32(crowd)
        place_tags[OWNER_ID, place] = place_tags[OWNER_ID, first + origin]
        unit = np.int64(crowd_numbers[FIRST_SLOT, crowd]) + np.int64(place_tags[OWNER_ID, place])
        if member_place[unit] > first and member_place[unit] <= first + count:
            member_place[unit] = np.int32(place + 1)
