"""Sectors: what makes paths on large maps cheap, and cheap to keep right when the map is edited.

The exact solver (``BlockGraph``, ``GoalValues``, ``block_flow``) cuts the map into blocks whose border tiles carry the exact
distance to a goal; directions are then worked out for the blocks alone in which somebody walks.
"""

from pynav.sectors.block_graph import BlockGraph
from pynav.sectors.common_route import CommonRoute, Groups
from pynav.sectors.goal_values import GoalValues

__all__ = ["BlockGraph", "CommonRoute", "GoalValues", "Groups"]
