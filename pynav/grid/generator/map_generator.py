"""Generated maps: one call for all kinds."""

from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from pynav.grid.errors import GridError
from pynav.grid.generator.caverns import caverns
from pynav.grid.generator.city import city
from pynav.grid.generator.keep import keep
from pynav.grid.generator.rooms import rooms
from pynav.grid.generator.terrain import GeneratedMap, Terrain, cost_of
from pynav.grid.tile_grid import TileGrid

MapKind = Literal["caverns", "rooms", "city", "keep"]
LEAST_SIDE: Final = 48  # tiles; smaller maps have no room for gates and streets
GREATEST_SIDE: Final = 8192

_MAKERS: Final = {"caverns": caverns, "rooms": rooms, "city": city}


def generate_map(kind: MapKind, width: int, height: int, seed: int) -> GeneratedMap:
    """Make a map.

    Args:
        kind: "caverns", "rooms", "city" or "keep" (a walled town in open land: the demo's map).
        width: tiles in x, 48 to 8,192.
        height: tiles in y, 48 to 8,192.
        seed: any whole number.

    Returns:
        The map; every free tile has a way to every goal, and each spawn area holds free tiles.

    Raises:
        GridError: an unknown kind or a size out of range.

    Notes:
        Deterministic in (kind, width, height, seed), on every machine: whole numbers only. Up to a second for 1024 x
        1024 tiles. Source: own.

    Example:
        >>> made = generate_map("rooms", 64, 64, seed=1)
        >>> made.cost.shape, bool((made.cost == generate_map("rooms", 64, 64, seed=1).cost).all())
        ((64, 64), True)
    """
    if kind not in get_args(MapKind):
        raise GridError(f"generate_map: expected one of {', '.join(get_args(MapKind))} as kind, got {kind!r}")
    for name, side in (("width", width), ("height", height)):
        if not LEAST_SIDE <= side <= GREATEST_SIDE:
            raise GridError(f"generate_map: expected a {name} of {LEAST_SIDE} to {GREATEST_SIDE} tiles, got {side}")
    if kind == "keep":
        terrain, goals, spawn_areas = keep(width, height, seed)
    else:
        terrain = _MAKERS[kind](width, height, seed)
        goals, spawn_areas = _middle_goal(terrain), _corner_areas(terrain)
    return GeneratedMap(kind, seed, cost_of(terrain), terrain, goals, spawn_areas)


def _middle_goal(terrain: Terrain) -> npt.NDArray[np.int32]:
    grid = TileGrid(cost_of(terrain))
    middle = grid.nearest_free(grid.width // 2, grid.height // 2)
    assert middle is not None, "a generated map has free tiles"
    return np.array([middle], dtype=np.int32)


def _corner_areas(terrain: Terrain) -> npt.NDArray[np.int32]:
    """Squares at the four corners, each moved along to where a free tile is nearest."""
    grid = TileGrid(cost_of(terrain))
    side = max(min(grid.width, grid.height) // 8, 8)
    areas = []
    for x in (0, grid.width - 1):
        for y in (0, grid.height - 1):
            near = grid.nearest_free(x, y)
            assert near is not None, "a generated map has free tiles"
            left = min(max(near[0] - side // 2, 0), grid.width - side)
            top = min(max(near[1] - side // 2, 0), grid.height - side)
            areas.append((left, top, side, side))
    return np.array(areas, dtype=np.int32)
