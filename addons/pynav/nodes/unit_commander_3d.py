"""The unit commander of 3D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, PackedInt64Array, PackedVector3Array, Vector3, export, method

from .flow_field_map_3d import FlowFieldMap3D
from .map_commands import MapCommands3D
from .telling import NodeError, told
from .unit_commander import UnitCommander


class UnitCommander3D(
    UnitCommander, MapCommands3D, GodotObject, base="Node", icon="res://addons/pynav/icons/unit_commander_3d.svg"
):
    """Gives orders to any agents of a FlowFieldMap3D: a selection may hold agents of several crowds.

    Units are handles (PackedInt64Array), from get_units() or the get_units_in_...() selections. Each command_...() sends them and
    returns a number of the command; with queued it comes after what they were told before, as a click with shift does. A
    wrong command (dead unit, place off the map) is one error in words, returns 0 and changes nothing: have keep_living() take
    the fallen out of a selection that is kept. Places and distances are in the map's local space.
    """

    map: GodotObject | None = export(
        None,
        "Map whose agents are commanded. Empty: the nearest one among the ancestors, else beside this node.",
        node="FlowFieldMap3D",
        changed="_map_property_changed",
    )

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap3D)

    @method(const=True)
    @told
    def get_command_target(self, command: int) -> Vector3:
        """Where a command sends its units; the zero vector for one that sends them nowhere."""
        place = self._command(command).place
        return Vector3() if place is None else self._place(np.array([place], dtype=np.float32))

    def _place(self, tiles: Any) -> Vector3:
        x, y = self._map._plane.to_local(*tiles[0].tolist())
        return Vector3(x, self._map._plane.elevation, y)

    @method(const=True)
    @told
    def get_unit_position(self, unit: int) -> Vector3:
        """Where a unit is."""
        return self._place(self._places_of(PackedInt64Array(np.array([unit], dtype=np.int64))))

    @method(const=True)
    @told
    def get_unit_positions(self, units: PackedInt64Array) -> PackedVector3Array:
        """Where units are, in their order."""
        flat = self._map_points(self._places_of(units))
        height = np.full(len(flat), self._map._plane.elevation, np.float32)
        return PackedVector3Array(np.stack([flat[:, 0], height, flat[:, 1]], axis=1))

    def _map_points(self, tiles: Any) -> Any:
        return self._map._plane.points_to_local(tiles)

    @method(const=True)
    @told
    def get_units_in_circle(self, center: Vector3, radius: float, teams: int = -1) -> PackedInt64Array:
        """Units whose middle lies in a circle, in rising order. teams is a mask, a bit each; -1: those of team_mask.
        Heights don't count.
        """
        self._finite("a circle", center.x, center.z, radius)
        if radius < 0.0:
            raise NodeError(f"expected a radius from 0, got {radius}")
        return PackedInt64Array(self._selections.in_circle(center.x, center.z, radius, self._masks(teams)))

    @method(const=True)
    @told
    def get_units_in_polygon(self, corners: PackedVector3Array, teams: int = -1) -> PackedInt64Array:
        """Units whose middle lies in a polygon: a box of the screen, its corners put down on the ground. teams as in
        get_units_in_circle().
        """
        flat = corners.view()[:, [0, 2]]
        if not np.isfinite(flat).all():
            raise NodeError("expected corners that are finite")
        return PackedInt64Array(self._selections.in_polygon(flat, self._masks(teams)))

    @method(const=True)
    @told
    def get_nearest_units(self, to: Vector3, count: int = 1, max_distance: float = 0.0, teams: int = -1) -> PackedInt64Array:
        """The units nearest to a place, the nearest first, at most count, no farther than max_distance (0: any distance): targets
        of a tower, the unit under the pointer. Equally near ones come in the order of crowd and id. teams as in
        get_units_in_circle().
        """
        self._finite("a place", to.x, to.z, max_distance)
        return PackedInt64Array(self._selections.nearest(to.x, to.z, count, max_distance, self._masks(teams)))
