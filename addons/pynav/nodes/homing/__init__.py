"""The nodes of the homing grid: grid, sources, projectiles, steering of a game's own bodies; in 2D and in 3D."""

from .homing_grid_2d import HomingGrid2D
from .homing_grid_3d import HomingGrid3D
from .homing_projectiles_2d import HomingProjectiles2D
from .homing_projectiles_3d import HomingProjectiles3D
from .homing_source_2d import HomingSource2D
from .homing_source_3d import HomingSource3D
from .homing_steering_2d import HomingSteering2D
from .homing_steering_3d import HomingSteering3D

__all__ = [
    "HomingGrid2D",
    "HomingGrid3D",
    "HomingProjectiles2D",
    "HomingProjectiles3D",
    "HomingSource2D",
    "HomingSource3D",
    "HomingSteering2D",
    "HomingSteering3D",
]
