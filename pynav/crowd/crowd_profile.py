"""What a crowd's new agents are like, and the ranges of what can be said of them."""

import math

import numpy as np

from pynav.crowd.errors import WorldError
from pynav.grid.clearance import LARGEST_SIZE, anchor_offset, size_of_radius

SMALLEST_RADIUS = 0.05
LARGEST_RADIUS = 4.0
LARGEST_SPEED = 1000.0


class CrowdProfile:
    """What a crowd's new agents are like."""

    def __init__(self, speed: float, radius: float, speed_variation: float, movement_class: int = 0, size: int = 0) -> None:
        self.speed = speed
        self.radius = radius
        self.speed_variation = speed_variation
        self.movement_class = movement_class
        self.fixed_size = size  # tiles; 0: by the radius
        self.spawned = 0  # positions drawn so far: the number of the next one's random stream

    @property
    def size(self) -> int:
        """Tiles a side that an agent covers."""
        return self.fixed_size or size_of_radius(self.radius)

    @property
    def layer_key(self) -> tuple[int, int]:
        """Movement class and size: the navigation layer that its agents walk on."""
        return self.movement_class, self.size

    @property
    def offset(self) -> float:
        """How far an agent's place lies right and below of its place among the tiles of its layer."""
        return anchor_offset(self.size)

    @property
    def wall_radius(self) -> float:
        """What of the radius reaches beyond the tiles of its size."""
        return max(self.radius - (self.size - 1) / 2, 0.0)


def checked_size(size: int) -> int:
    """A size in tiles, or 0 for one that follows from the radius."""
    if not (isinstance(size, int | np.integer) and 0 <= size <= LARGEST_SIZE):
        raise WorldError(f"a size is 1 to {LARGEST_SIZE} tiles, or 0 where the radius decides, got {size!r}")
    return int(size)


def in_range(name: str, value: float, low: float, high: float) -> float:
    """The value as a float within the range, or an error in words."""
    number = float(value)
    if not (math.isfinite(number) and low <= number <= high):
        raise WorldError(f"{name} must be {low:g} to {high:g}, got {value!r}")
    return number
