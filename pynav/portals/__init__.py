"""Portals: the talk's design, light in memory, with its failures cured.

``SectorMap`` cuts the map into sectors, islands and portals with true distances between them. ``PortalSearch`` finds, from a
goal, what remains from each portal on; ``RegionFields`` turn that into directions of single sectors. ``PortalRouter`` walks them.
"""

from pynav.portals.coarse_directions import CoarseDirections
from pynav.portals.coarse_paths import CoarsePath, CoarsePaths
from pynav.portals.portal_router import PortalRouter
from pynav.portals.portal_search import PortalSearch
from pynav.portals.region_fields import RegionFields
from pynav.portals.sector_flood import SectorFlood
from pynav.portals.sector_map import Portal, SectorMap
from pynav.portals.short_paths import ShortPaths

__all__ = [
    "CoarseDirections",
    "CoarsePath",
    "CoarsePaths",
    "Portal",
    "PortalRouter",
    "PortalSearch",
    "RegionFields",
    "SectorFlood",
    "SectorMap",
    "ShortPaths",
]
