"""What a generated tile is, and what it costs: shared by all kinds of map and by whoever draws them."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

PLAIN: Final = 0
ROAD: Final = 1
FOREST: Final = 2
FLOOR: Final = 3  # paved: courtyards, rooms
GATE: Final = 4
WATER: Final = 5
ROCK: Final = 6
WALL: Final = 7
BUILDING: Final = 8
THICKET: Final = 9  # trees too dense to pass

TERRAIN_COST: Final = (3, 2, 5, 2, 2, 0, 0, 0, 0, 0)
TERRAIN_NAME: Final = ("plain", "road", "forest", "floor", "gate", "water", "rock", "wall", "building", "thicket")

Terrain = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class GeneratedMap:
    """A map that ``generate_map`` made.

    Attributes:
        kind: what was asked for.
        seed: the seed it was made from.
        cost: uint8 (height, width), 0 solid, else the cost; fit for ``TileGrid``.
        terrain: uint8 (height, width), index into ``TERRAIN_NAME`` and ``TERRAIN_COST``.
        goals: int32 (n, 2), free tiles (x, y) that a horde would go for.
        spawn_areas: int32 (m, 4), rectangles (x, y, width, height) where a horde would come from, largely free.
    """

    kind: str
    seed: int
    cost: npt.NDArray[np.uint8]
    terrain: Terrain
    goals: npt.NDArray[np.int32]
    spawn_areas: npt.NDArray[np.int32]


def cost_of(terrain: Terrain) -> npt.NDArray[np.uint8]:
    """The costs of a terrain."""
    return np.asarray(np.array(TERRAIN_COST, dtype=np.uint8)[terrain])
