# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that lets neighbours of a row class change places where they would otherwise get into each other's way.

The rule is that of the assignment (_assignment_kernels.py), on the places and the targets of the moment: two units change where
(p_i - p_j).(t_i - t_j) < 0. Without it two that a wall has brought out of order wait for each other all through a passage.
"""

import numpy as np

from pynav.crowd.agent_layout import FIRST_SLOT
from pynav.formations.place_layout import (
    AT_X,
    AT_Y,
    COMING,
    FACE_X,
    FACE_Y,
    FIRST_PLACE,
    IN_TIME,
    LAG,
    LATE,
    OWNER_CROWD,
    OWNER_ID,
    PACE,
    PLACE_CLASS,
    PLACE_COUNT,
    PLACE_FILES,
    PLACE_PATIENCE,
    SEES_TARGET,
    SETTLED,
    STAGE,
    STANDING,
    STATION,
    TARGET_STATION,
    TARGET_X,
    TARGET_Y,
    UNIT_SPEED,
    UNUSED,
)
from pynav.kernels import block_kernel, inline

SWAP_TICKS = 4  # a place is looked at every so many ticks, a power of two
RUN_OF_PLACES = 64  # that are looked at in the same tick
LEAST_GAIN = np.float32(0.02)  # square tiles


@inline
def change_values(place_values, row, one, two):
    """Exchange an entry of two places."""
    value = place_values[row, one]
    place_values[row, one] = place_values[row, two]
    place_values[row, two] = value


@inline
def change_tags(place_tags, row, one, two):
    """Exchange a tag of two places."""
    value = place_tags[row, one]
    place_tags[row, one] = place_tags[row, two]
    place_tags[row, two] = value


@inline
def note_owner(place_tags, crowd_numbers, member_place, place):
    """Tell the owner of a place that it is his."""
    slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(place_tags[OWNER_CROWD, place])]) + np.int64(place_tags[OWNER_ID, place])
    member_place[slot] = np.int32(place + 1)
    place_tags[SEES_TARGET, place] = np.int32(1)
    if place_tags[STANDING, place] == SETTLED:
        place_tags[STANDING, place] = np.int32(COMING)


@inline
def has_unit(place_tags, crowd_numbers, alive, member_place, place):
    """Whether the owner of a place lives, and knows of it."""
    if place_tags[OWNER_ID, place] < 0:
        return False
    slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(place_tags[OWNER_CROWD, place])]) + np.int64(place_tags[OWNER_ID, place])
    return alive[slot] != 0 and member_place[slot] == place + 1


@inline
def change_if_better(place_values, place_tags, crowd_numbers, alive, member_place, one, two):
    """Let the units of two places change if both are there, of one class, and would cross."""
    if place_tags[OWNER_ID, two] < 0 or place_tags[PLACE_CLASS, two] != place_tags[PLACE_CLASS, one]:
        return
    apart_x = place_values[AT_X, one] - place_values[AT_X, two]
    apart_y = place_values[AT_Y, one] - place_values[AT_Y, two]
    gain = apart_x * (place_values[TARGET_X, one] - place_values[TARGET_X, two])
    gain += apart_y * (place_values[TARGET_Y, one] - place_values[TARGET_Y, two])
    if gain >= -LEAST_GAIN or not has_unit(place_tags, crowd_numbers, alive, member_place, two):
        return
    further = place_values[TARGET_STATION, two] - place_values[TARGET_STATION, one]
    place_values[LAG, one] += further
    place_values[LAG, two] -= further
    for row in (LAG, AT_X, AT_Y, FACE_X, FACE_Y, PLACE_PATIENCE, LATE, IN_TIME, PACE, UNIT_SPEED):
        change_values(place_values, row, one, two)
    for row in (OWNER_CROWD, OWNER_ID, STANDING, STATION):
        change_tags(place_tags, row, one, two)
    note_owner(place_tags, crowd_numbers, member_place, one)
    note_owner(place_tags, crowd_numbers, member_place, two)


@block_kernel(
    "int32[:, ::1] formation_tags, float32[:, ::1] place_values, int32[:, ::1] place_tags, int32[:, ::1] crowd_numbers,"
    " uint8[::1] alive, int32[::1] member_place, int64 tick"
)
def change_places(formation_tags, place_values, place_tags, crowd_numbers, alive, member_place, tick, begin, end):
    """Compare each place with the next two files of its row, and with the three nearest of the row behind it."""
    for formation in range(begin, end):
        if formation_tags[STAGE, formation] == UNUSED:
            continue
        first = np.int64(formation_tags[FIRST_PLACE, formation])
        last = first + np.int64(formation_tags[PLACE_COUNT, formation])
        for run in range((0 - tick) & (SWAP_TICKS - 1), (last - first + RUN_OF_PLACES - 1) // RUN_OF_PLACES, SWAP_TICKS):
            begin_of_run = first + run * RUN_OF_PLACES
            for place in range(begin_of_run, min(begin_of_run + RUN_OF_PLACES, last)):
                if not has_unit(place_tags, crowd_numbers, alive, member_place, place):
                    continue
                files = np.int64(place_tags[PLACE_FILES, place])
                for step in range(5):
                    other = place + step + 1
                    if step >= 2:
                        other = place + files + step - 3
                    if other > place and other < last:
                        change_if_better(place_values, place_tags, crowd_numbers, alive, member_place, place, other)
