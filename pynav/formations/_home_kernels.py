# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels that tell where units of a march with clusters have their places, and give them back those in the whole one."""

import numpy as np

from pynav.formations._giving_kernels import owner_slot, take_along
from pynav.formations.place_layout import (
    AT_X,
    AT_Y,
    FORMATION,
    OWNER_ID,
    SETTLED,
    SLOT_X,
    SLOT_Y,
    STANDING,
    WHOLE,
)
from pynav.kernels import block_kernel, kernel


@kernel("int32[:, ::1] place_tags, int64 first, int64 count, int32[:, ::1] crowd_numbers, int32[::1] home")
def note_homes(place_tags, first, count, crowd_numbers, home):
    """Write the place plus 1 of each owner of a formation's places to its slot in ``home``, others stay as they are."""
    for place in range(first, first + count):
        if place_tags[OWNER_ID, place] >= 0:
            home[owner_slot(place_tags, crowd_numbers, place)] = np.int32(place + 1)


@kernel(
    "int32[:, ::1] place_tags, int64 first, int64 count, int32[:, ::1] crowd_numbers, int32[::1] member_place,"
    " int64[::1] found, int64[::1] found_count"
)
def list_units_in_places(place_tags, first, count, crowd_numbers, member_place, found, found_count):
    """The slots of the units that have their places among some, in the order of the places."""
    at = np.int64(0)
    for place in range(first, first + count):
        if place_tags[OWNER_ID, place] >= 0:
            slot = owner_slot(place_tags, crowd_numbers, place)
            if member_place[slot] == place + 1:
                found[at] = slot
                at += 1
    found_count[0] = at


@kernel("float32[:, ::1] place_values, int32[:, ::1] place_tags, int64[::1] slots, int32[::1] home, int32[::1] member_place")
def send_units_home(place_values, place_tags, slots, home, member_place):
    """Give the units of some slots the places in ``home``; what is known of them goes along, who has none there gets none."""
    for index in range(np.int64(slots.shape[0])):
        slot = slots[index]
        origin = np.int64(member_place[slot]) - 1
        to = np.int64(home[slot]) - 1
        member_place[slot] = home[slot]
        if to < 0 or origin < 0:
            continue
        take_along(place_values, origin, to)
        place_tags[STANDING, to] = np.int32(0)


@block_kernel(
    "int64[::1] slots, uint8[::1] alive, int32[::1] member_place, int32[:, ::1] place_tags, int32[:, ::1] formation_tags,"
    " int64 whole, int32[::1] number_of_column, int64[::1] places, int32[::1] labels"
)
def find_members(
    slots, alive, member_place, place_tags, formation_tags, whole, number_of_column, places, labels, begin, end
):  # fmt: skip
    """Where the members of a formation are.

    Args:
        slots: int64 (n,), of each member, in arrays in agent order.
        alive: by slot.
        member_place: place plus 1 of each unit.
        place_tags: of all places.
        formation_tags: of all formations.
        whole: column of the formation.
        number_of_column: int32 (formations,), of the clusters; -1 for other columns.
        places: int64 (n,), the place plus 1 in the formation or a cluster of it; 0 for who is in it no more.
        labels: int32 (n,), the number of the cluster that each is in, -1 for none.
        begin: first member.
        end: behind the last one.
    """
    for index in range(begin, end):
        places[index] = 0
        labels[index] = np.int32(-1)
        slot = slots[index]
        place = np.int64(member_place[slot]) - 1
        if alive[slot] == 0 or place < 0:
            continue
        column = np.int64(place_tags[FORMATION, place])
        if column >= 0 and (column == whole or np.int64(formation_tags[WHOLE, column]) == whole + 1):
            places[index] = place + 1
            labels[index] = number_of_column[column]


@kernel(
    "int64[::1] places, int32[::1] labels, float64[::1] rest_until, float64 clock, float32[:, ::1] place_values,"
    " int32[:, ::1] place_tags, int64[::1] found, float32[:, ::1] positions, int32[::1] found_labels, int64[::1] found_count"
)
def list_surveyed(
    places, labels, rest_until, clock, place_values, place_tags, found, positions, found_labels, found_count
):  # fmt: skip
    """Whom a survey looks at: who is in a cluster, and who is on its way by itself and does not rest.

    Args:
        places: by ``find_members``.
        labels: by the same.
        rest_until: float64 (n,), until when each member is in no cluster.
        clock: now.
        place_values: of all places.
        place_tags: the same.
        found: int64 (n,), indices of the members.
        positions: float32 (n, 2), where they are.
        found_labels: int32 (n,), their labels.
        found_count: int64 (1,), how many.
    """
    at = np.int64(0)
    for index in range(np.int64(places.shape[0])):
        place = places[index] - 1
        if place < 0 or (labels[index] < 0 and (place_tags[STANDING, place] == SETTLED or rest_until[index] > clock)):
            continue
        found[at] = index
        positions[at, 0] = place_values[AT_X, place]
        positions[at, 1] = place_values[AT_Y, place]
        found_labels[at] = labels[index]
        at += 1
    found_count[0] = at


@kernel(
    "int64[::1] surveyed, int32[::1] roots, int32[::1] was, int32[::1] main_group, int64[::1] places, int32[::1] labels,"
    " float64[::1] rest_until, float64 clock, int64[::1] group, int64[::1] lost, int64[::1] lost_count"
)
def group_members(
    surveyed, roots, was, main_group, places, labels, rest_until, clock, group, lost, lost_count
):  # fmt: skip
    """What a survey says of the members of a formation, as they are by now.

    Args:
        surveyed: int64 (m,), whom it looked at.
        roots: int32 (m,), the first of those that each stands with.
        was: int32 (m,), which of the surveyed clusters each was in, below 0 for none.
        main_group: int32 (clusters,), the first of those whom the largest piece of each cluster stands with.
        places: by ``find_members``.
        labels: by the same.
        rest_until: float64 (n,), until when each member is in no cluster.
        clock: now.
        group: int64 (n,), -1 before; the group of who is in a cluster or may come into one.
        lost: int64 (m,), members that have fallen off their clusters: they are in no group.
        lost_count: int64 (1,), how many.
    """
    found = np.int64(0)
    for index in range(np.int64(surveyed.shape[0])):
        member = surveyed[index]
        if labels[member] >= 0 and was[index] >= 0 and roots[index] != main_group[np.int64(was[index])]:
            lost[found] = member
            found += 1
        elif places[member] > 0 and (labels[member] >= 0 or rest_until[member] <= clock):
            group[member] = np.int64(roots[index])
    lost_count[0] = found


@kernel("float32[:, ::1] place_values, int32[::1] home, int64[::1] slots, float64[::1] middle")
def middle_of_homes(place_values, home, slots, middle):
    """The middle of where the units of some slots are to stand in the end, of those that have a place in ``home``."""
    count = np.int64(0)
    x = np.float64(0.0)
    y = np.float64(0.0)
    for index in range(np.int64(slots.shape[0])):
        place = np.int64(home[slots[index]]) - 1
        if place >= 0:
            x += np.float64(place_values[SLOT_X, place])
            y += np.float64(place_values[SLOT_Y, place])
            count += 1
    middle[0] = x / np.float64(max(count, np.int64(1)))
    middle[1] = y / np.float64(max(count, np.int64(1)))
