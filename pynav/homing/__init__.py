"""The homing grid: thousands of projectiles that find their targets without a search (after the article on Erredpath Tidings 1).

Sources (enemies, decoys, wells) give their strength to the cell of a coarse grid that they are in; it flows from cell to cell,
and every cell ends up with an arrow to what is near. A projectile is pushed along the arrow of its cell: its momentum gives it a
turning circle. Where arrows must be right at any distance, each cell knows its nearest target instead.
"""

from pynav.homing.errors import HomingError
from pynav.homing.field_settings import FieldSettings
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_world import HomingWorld
from pynav.homing.instance_fill import ProjectileFill, fill_of_2d, fill_of_3d
from pynav.homing.projectile_settings import ProjectileSettings
from pynav.homing.projectiles import Hits, ProjectileBatch
from pynav.homing.source_table import SourceTable

__all__ = [
    "FieldSettings",
    "GridBox",
    "Hits",
    "HomingError",
    "HomingWorld",
    "ProjectileBatch",
    "ProjectileFill",
    "ProjectileSettings",
    "SourceTable",
    "fill_of_2d",
    "fill_of_3d",
]
