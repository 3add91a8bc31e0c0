# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernel that counts who of each formation is there, has settled, was dropped, or has died."""

import numpy as np

from pynav.crowd.agent_layout import FIRST_SLOT
from pynav.formations.place_layout import (
    DEAD_COUNT,
    DROPPED,
    DROPPED_COUNT,
    FIRST_PLACE,
    FORMATION,
    OWNER_CROWD,
    OWNER_ID,
    PLACE_COUNT,
    PRESENT,
    SETTLED,
    SETTLED_COUNT,
    STAGE,
    STANDING,
    UNUSED,
    WHOLE,
)
from pynav.kernels import block_kernel, inline

WATCH_TICKS = 4  # a formation is counted every so many ticks, a power of two


@inline
def is_in_cluster(formation_tags, place_tags, place, formation):
    """Whether a place, -1 for none, belongs to a cluster of a formation."""
    if place < 0 or place_tags[FORMATION, place] < 0:
        return False
    return np.int64(formation_tags[WHOLE, np.int64(place_tags[FORMATION, place])]) == formation + 1


@block_kernel(
    "int32[:, ::1] formation_tags, int32[:, ::1] place_tags, int32[:, ::1] crowd_numbers, uint8[::1] alive,"
    " int32[::1] member_place, int64 tick"
)
def watch_formations(formation_tags, place_tags, crowd_numbers, alive, member_place, tick, begin, end):
    """Count the units of formations; the owners of places who have died are taken out of them."""
    for formation in range(begin, end):
        if formation_tags[STAGE, formation] == UNUSED or ((formation + tick) & (WATCH_TICKS - 1)) != 0:
            continue
        present = np.int64(0)
        settled = np.int64(0)
        dropped = np.int64(0)
        dead = np.int64(0)
        first = np.int64(formation_tags[FIRST_PLACE, formation])
        for place in range(first, first + np.int64(formation_tags[PLACE_COUNT, formation])):
            if place_tags[OWNER_ID, place] < 0:
                continue
            slot = np.int64(crowd_numbers[FIRST_SLOT, np.int64(place_tags[OWNER_CROWD, place])])
            slot += np.int64(place_tags[OWNER_ID, place])
            at = np.int64(member_place[slot]) - 1
            if alive[slot] == 0 or (at != place and not is_in_cluster(formation_tags, place_tags, at, formation)):
                place_tags[OWNER_ID, place] = np.int32(-1)
                dead += 1
                continue
            present += 1
            if at != place:
                continue
            settled += 1 if place_tags[STANDING, place] == SETTLED else 0
            dropped += 1 if place_tags[STANDING, place] == DROPPED else 0
        formation_tags[PRESENT, formation] = np.int32(present)
        formation_tags[SETTLED_COUNT, formation] = np.int32(settled)
        formation_tags[DROPPED_COUNT, formation] = np.int32(dropped)
        formation_tags[DEAD_COUNT, formation] += np.int32(dead)
