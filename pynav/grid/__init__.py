"""Tiles: costs, distances and directions to goals, line of sight, map files and generated maps."""

from pynav.grid.errors import GridError, MapFormatError
from pynav.grid.integration_field import IntegrationField
from pynav.grid.steps import (
    DIAGONAL_FACTOR,
    DIRECTION_X,
    DIRECTION_Y,
    NO_DIRECTION,
    STRAIGHT_FACTOR,
    UNIT_STEP_COST,
    UNREACHABLE,
    UNREACHABLE_WIDE,
)
from pynav.grid.tile_grid import TileGrid

__all__ = [
    "DIAGONAL_FACTOR",
    "DIRECTION_X",
    "DIRECTION_Y",
    "NO_DIRECTION",
    "STRAIGHT_FACTOR",
    "UNIT_STEP_COST",
    "UNREACHABLE",
    "UNREACHABLE_WIDE",
    "GridError",
    "IntegrationField",
    "MapFormatError",
    "TileGrid",
]
