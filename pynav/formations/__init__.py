"""Formations: a drag becomes rows of slots on reachable ground, units run or march to them, a death closes its gap."""

from pynav.formations.class_ground import ClassGround
from pynav.formations.drag_grid import DragGrid
from pynav.formations.errors import FormationError
from pynav.formations.formation_orders import FormationEvent, FormationOrders
from pynav.formations.formation_slots import FormationSlots
from pynav.formations.members import Rank
from pynav.formations.ordered_formation import OrderedFormation
from pynav.formations.row_class import Army, RowClass, army_of
from pynav.formations.slot_assignment import SlotAssignment
from pynav.formations.slot_ground import GroundMove, move_to_ground

__all__ = [
    "Army",
    "ClassGround",
    "DragGrid",
    "FormationError",
    "FormationEvent",
    "FormationOrders",
    "FormationSlots",
    "GroundMove",
    "OrderedFormation",
    "Rank",
    "RowClass",
    "SlotAssignment",
    "army_of",
    "move_to_ground",
]
