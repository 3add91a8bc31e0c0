"""Maps of our own making, so that demos and tests need no foreign file."""

from pynav.grid.generator.map_generator import MapKind, generate_map
from pynav.grid.generator.terrain import TERRAIN_COST, TERRAIN_NAME, GeneratedMap

__all__ = ["TERRAIN_COST", "TERRAIN_NAME", "GeneratedMap", "MapKind", "generate_map"]
