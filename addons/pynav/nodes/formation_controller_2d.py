"""The formation controller of 2D games."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Array, GodotObject, PackedVector2Array, Vector2, export, method

from .flow_field_crowd_2d import FlowFieldCrowd2D
from .flow_field_map_2d import FlowFieldMap2D
from .formation_controller import FormationController, Points
from .telling import told


class FormationController2D(
    FormationController, GodotObject, base="Node", icon="res://addons/pynav/icons/formation_controller_2d.svg"
):
    """Orders formations to the crowds of a FlowFieldMap2D: a drag of the mouse becomes rows of slots, soldiers before archers.

    While the player drags call preview() with where the button went down and where the pointer is; when it is let go, order()
    with the same places. Units go to their slots on their own or march in formation, and stand there looking ahead; who falls is
    replaced from the row behind. Formations keep to the ground: slots in walls or out of reach move to the nearest free place.
    """

    map: GodotObject | None = export(
        None,
        "Map whose crowds are ordered. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap2D",
        changed="_map_property_changed",
    )
    crowds: Array = export(
        [],
        "Crowds whose agents are ordered; empty: all crowds of the map, in the order in which they joined it.",
        hint=23,
        hint_string="24/34:FlowFieldCrowd2D",
        group="Formation",
    )
    spacing: float = export(
        6.0,
        "Free ground between the rims of two neighbours; see change_spacing() for a mouse wheel.",
        range=(0.1, 200.0, 0.1, "or_greater"),
        unit="px",
        group="Formation",
    )
    least_speed: float = export(
        0.0,
        "A march goes as fast as the slowest unit, but slower ones than this are not waited for.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px/s",
        group="Formation",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap2D)

    def _is_own_crowd(self, node: Any) -> bool:
        return isinstance(node, FlowFieldCrowd2D)

    def _is_flat(self) -> bool:
        return True

    def _tile_of(self, place: Any) -> tuple[float, float]:
        found: tuple[float, float] = self._map._plane.to_tile(place.x, place.y)
        return found

    def _places(self, tiles: Points) -> PackedVector2Array:
        return PackedVector2Array(self._map._plane.points_to_local(tiles))

    @method
    @told
    def preview(self, start: Vector2, end: Vector2) -> PackedVector2Array:
        """The slots of the chosen units for a drag from start to end (both in the map's local space), row by row from the front:
        the front row lies along the drag and looks to its left; without a drag it is a block. Draws them with show_preview on.
        Cheap for a few thousand units; with more than that slots are shown where they were dragged, and moved to the ground when
        they are ordered.
        """
        return self._places(self._previewed(start, end).positions)

    @method
    @told
    def order(self, start: Vector2, end: Vector2, mode: int = -1) -> int:
        """Send the chosen units to the slots of a drag (see preview()). With a mode of -1 the property decides. Returns the
        number of the formation, 0 if it was refused; its units set off with the next tick.
        """
        self._need_map()
        return self._ordered(self._grid(start, end), mode)

    @method(const=True)
    @told
    def get_slots(self, formation: int) -> PackedVector2Array:
        """Where the units of a formation are to stand in the end, in the map's local space, slot by slot from the front. Empty
        before the slots are assigned.
        """
        slots = self._formation(formation).slots
        return PackedVector2Array() if slots is None else self._places(slots.positions)

    @method(const=True)
    @told
    def get_targets(self, formation: int) -> PackedVector2Array:
        """Where the places of a formation are now: on a march they move, else they are its slots."""
        return self._places(self._formation(formation).targets)
