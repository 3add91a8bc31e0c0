"""How the map is cut into sectors, and what the numbers of the portal solver mean.

Sectors are squares of ``size`` tiles side by side (the last column and row may be cut off by the map's edge). The free tiles of a
sector that ways inside it connect are an island. A portal is a longest run of pairs of free tiles on both sides of a border.
Its anchors are where routes may cross: both ends and every fourth tile between. An anchor of a sector faces one of the
neighbouring sector, its partner.
"""

from typing import Final

DEFAULT_SIZE: Final = 16  # tiles a side of a sector
LEAST_SIZE: Final = 8
GREATEST_SIZE: Final = 32
ANCHOR_STEP: Final = 4  # tiles from one anchor of a portal to the next

NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
SIDES: Final = 4  # a sector's anchors are listed by side in this order, along a side by x or y

FAR: Final = 1 << 28  # in distances of 32 bits: no way; greater than any way through a region of 3 x 3 sectors
NEVER: Final = 1 << 62  # in distances of 64 bits: no way

# States of an anchor in a search (uint8).
UNSEEN: Final = 0
OPEN: Final = 1
SETTLED: Final = 2
