"""The rows of the building table, int32 (BUILDING_ROWS, capacity): a building is a column, its index is its id."""

from typing import Final

LEFT: Final = 0  # tiles: the first column and row that it covers ...
TOP: Final = 1
RIGHT: Final = 2  # ... and those behind the last ones
LOW: Final = 3
OWNER: Final = 4  # its team, 0..31
FOUND_ON: Final = 5  # bits of the layers that it is found on
IS_THERE: Final = 6
GONE_BEFORE: Final = 7  # buildings of the id that are gone: its generation
BUILDING_ROWS: Final = 8

CELL_TILES: Final = 16  # side of the cells that buildings are listed by
