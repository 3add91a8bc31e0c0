# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that give a formation its places: what the places begin with, and which units get theirs."""

import numpy as np

from pynav.crowd.agent_layout import FIRST_SLOT, POSITION_X, POSITION_Y, RADIUS
from pynav.formations.formation_slots import BEGIN, COUNT, FILES
from pynav.formations.place_layout import (
    AT_X,
    AT_Y,
    FACE_X,
    FACE_Y,
    FORMATION,
    OWNER_CROWD,
    OWNER_ID,
    PLACE_CLASS,
    PLACE_FILES,
    PLACE_FRONT,
    PLACE_TAG_COUNT,
    PLACE_VALUE_COUNT,
    SLOT_X,
    SLOT_Y,
    TARGET_X,
    TARGET_Y,
    UNIT_SPEED,
)
from pynav.kernels import block_kernel, inline, kernel


@block_kernel(
    "float32[:, ::1] values, int32[::1] column_of, int32[:, ::1] crowd_numbers, int32[::1] crowd, int32[::1] ids,"
    " float32[::1] radius, float32[:, ::1] position"
)
def note_members(values, column_of, crowd_numbers, crowd, ids, radius, position, begin, end):
    """How large agents are, and where.

    Args:
        values: of all agents.
        column_of: int32, by slot in arrays in agent order.
        crowd_numbers: of all crowds.
        crowd: int32 (n,), of each agent.
        ids: int32 (n,), the same.
        radius: float32 (n,), tiles.
        position: float32 (n, 2), tiles.
        begin: first agent.
        end: behind the last one.
    """
    for member in range(begin, end):
        slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(crowd[member])]) + np.int64(ids[member])
        column = np.int64(column_of[slot])
        radius[member] = values[RADIUS, column]
        position[member, 0] = values[POSITION_X, column]
        position[member, 1] = values[POSITION_Y, column]


@block_kernel(
    "float32[:, ::1] place_values, int32[:, ::1] place_tags, int64 first, int64 formation, float32[:, ::1] slots,"
    " int64[:, ::1] class_table, int32[::1] unit_of_slot, int32[::1] crowd, int32[::1] ids, float32[:, ::1] position"
)
def fill_places(place_values, place_tags, first, formation, slots, class_table, unit_of_slot, crowd, ids, position, begin, end):
    """Write the places of slots, whatever was in their columns before.

    Args:
        place_values: of all places.
        place_tags: the same.
        first: place of the formation.
        formation: its column.
        slots: float32 (n, 2), where its units are to stand.
        class_table: of its slots.
        unit_of_slot: int32 (n,), index of the member that goes there.
        crowd: int32 (n,), of each member.
        ids: int32 (n,), the same.
        position: float32 (n, 2), where each member was when it was ordered.
        begin: first slot.
        end: behind the last one.
    """
    for row in range(PLACE_VALUE_COUNT):
        for place in range(first + begin, first + end):
            place_values[row, place] = np.float32(0.0)
    for row in range(PLACE_TAG_COUNT):
        for place in range(first + begin, first + end):
            place_tags[row, place] = np.int32(0)
    number = np.int64(0)
    for slot in range(begin, end):
        while slot >= class_table[number, BEGIN] + class_table[number, COUNT]:
            number += 1
        place = first + slot
        unit = np.int64(unit_of_slot[slot])
        place_values[SLOT_X, place] = slots[slot, 0]
        place_values[SLOT_Y, place] = slots[slot, 1]
        place_values[TARGET_X, place] = slots[slot, 0]
        place_values[TARGET_Y, place] = slots[slot, 1]
        place_values[AT_X, place] = position[unit, 0]
        place_values[AT_Y, place] = position[unit, 1]
        place_tags[OWNER_CROWD, place] = crowd[unit]
        place_tags[OWNER_ID, place] = ids[unit]
        place_tags[FORMATION, place] = np.int32(formation)
        place_tags[PLACE_CLASS, place] = np.int32(number)
        place_tags[PLACE_FILES, place] = np.int32(class_table[number, FILES])


@block_kernel("float32[:, ::1] place_values, int64 first, float32[:, ::1] targets, float32 front")
def set_targets(place_values, first, targets, front, begin, end):
    """Where the places of a march begin.

    Args:
        place_values: of all places.
        first: place of the formation.
        targets: float32 (n, 2), by slot.
        front: where the march's front is then.
        begin: first slot.
        end: behind the last one.
    """
    for slot in range(begin, end):
        place_values[TARGET_X, first + slot] = targets[slot, 0]
        place_values[TARGET_Y, first + slot] = targets[slot, 1]
        place_values[PLACE_FRONT, first + slot] = front


@inline
def owner_slot(place_tags, crowd_numbers, place):
    """Where the owner of a place lies in arrays in agent order."""
    return np.int64(crowd_numbers[FIRST_SLOT, np.int64(place_tags[OWNER_CROWD, place])]) + np.int64(place_tags[OWNER_ID, place])


@inline
def take_along(place_values, origin, to):
    """What is known of the unit of a place goes along to another one."""
    place_values[AT_X, to] = place_values[AT_X, origin]
    place_values[AT_Y, to] = place_values[AT_Y, origin]
    place_values[FACE_X, to] = place_values[FACE_X, origin]
    place_values[FACE_Y, to] = place_values[FACE_Y, origin]
    place_values[UNIT_SPEED, to] = place_values[UNIT_SPEED, origin]


@kernel(
    "int32[:, ::1] place_tags, int64 first, int64 count, int32[:, ::1] crowd_numbers, int32[::1] group_of,"
    " uint8[::1] is_own_group, int32[::1] member_place"
)
def claim_places(place_tags, first, count, crowd_numbers, group_of, is_own_group, member_place):
    """Give the owners of places theirs, as far as they are there and in some groups.

    Args:
        place_tags: of all places.
        first: of the places.
        count: of the places.
        crowd_numbers: of all crowds.
        group_of: int32, the group of each unit, -1 for who is dead.
        is_own_group: uint8 (groups,), 1 for the groups of who carries the order out.
        member_place: place plus 1 of each unit.
    """
    for place in range(first, first + count):
        slot = owner_slot(place_tags, crowd_numbers, place)
        group = np.int64(group_of[slot])
        if group >= 0 and is_own_group[group] != 0:
            member_place[slot] = np.int32(place + 1)


@kernel(
    "float32[:, ::1] place_values, int32[:, ::1] place_tags, int64 first, int64 count, int64 whole_first, int64 whole_count,"
    " int32[:, ::1] crowd_numbers, int32[::1] member_place"
)
def claim_from_whole(place_values, place_tags, first, count, whole_first, whole_count, crowd_numbers, member_place):
    """Give the owners of a cluster's places theirs, as far as they have one in the whole formation; what is known goes along.

    Args:
        place_values: of all places.
        place_tags: the same.
        first: of the cluster's places.
        count: of these.
        whole_first: of the whole formation's places.
        whole_count: of these.
        crowd_numbers: of all crowds.
        member_place: place plus 1 of each unit.
    """
    for place in range(first, first + count):
        slot = owner_slot(place_tags, crowd_numbers, place)
        before = np.int64(member_place[slot]) - 1
        if before < whole_first or before >= whole_first + whole_count:
            continue
        take_along(place_values, before, place)
        member_place[slot] = np.int32(place + 1)
