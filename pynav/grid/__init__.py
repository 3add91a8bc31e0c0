"""Tiles: costs, distances and directions to goals, line of sight, map files and generated maps."""

from pynav.grid.errors import GridError, MapFormatError
from pynav.grid.flow_field import FlowField
from pynav.grid.generator import GeneratedMap, MapKind, generate_map
from pynav.grid.integration_field import IntegrationField
from pynav.grid.line_of_sight import line_of_sight, lines_of_sight
from pynav.grid.octile_map import load_octile_map, octile_map_steps
from pynav.grid.path import path_to_goal
from pynav.grid.scenario import ScenarioLine, load_scenario
from pynav.grid.steps import (
    DIAGONAL_FACTOR,
    DIRECTION_X,
    DIRECTION_Y,
    NO_DIRECTION,
    NO_WAY,
    SOLID_TILE,
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
    "NO_WAY",
    "SOLID_TILE",
    "STRAIGHT_FACTOR",
    "UNIT_STEP_COST",
    "UNREACHABLE",
    "UNREACHABLE_WIDE",
    "FlowField",
    "GeneratedMap",
    "GridError",
    "IntegrationField",
    "MapFormatError",
    "MapKind",
    "ScenarioLine",
    "TileGrid",
    "generate_map",
    "line_of_sight",
    "lines_of_sight",
    "load_octile_map",
    "load_scenario",
    "octile_map_steps",
    "path_to_goal",
]
