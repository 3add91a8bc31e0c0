"""The crowd node of 3D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import (
    AABB,
    GodotObject,
    PackedInt32Array,
    PackedVector3Array,
    Vector3,
    engine,
    export,
    is_valid,
    method,
)
from pynav.crowd.instance_buffer import InstanceFill

from .flow_field_crowd import FlowFieldCrowd, Points
from .flow_field_map_3d import FlowFieldMap3D
from .instance_drawing import Floats, InstanceDrawing
from .telling import NodeError, told
from .tick_record import TickCost

_FLOATS = 12
_TILT = 1e-5
_TALLEST_TILES = 4.0


class CrowdProperties3D(GodotObject, register=False):
    """Properties in metres; they come first in the inspector."""

    map: GodotObject | None = export(
        None,
        "Map on which the crowd walks. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap3D",
        changed="_map_property_changed",
    )
    goal_mode: FlowFieldCrowd.GoalMode = export(
        FlowFieldCrowd.GoalMode.NO_GOAL,
        "What the crowd walks to.",
        group="Goal",
        changed="_goal_mode_changed",
    )
    goal_position: Vector3 = export(
        Vector3(),
        "Place to walk to, in the map's local space; its y doesn't count.",
        group="Goal",
        hint=0,
        hint_string="suffix:m",
        changed="_goal_changed",
    )
    goal_node: GodotObject | None = export(
        None,
        "Node to walk to; when it moves to another tile the crowd follows, a few times a second at most.",
        node="Node3D",
        group="Goal",
        changed="_goal_changed",
    )
    arrive_radius: float = export(
        1.0,
        "Distance to the goal within which an agent has arrived.",
        range=(0.0, 100.0, 0.01, "or_greater"),
        unit="m",
        group="Goal",
        changed="_measures_changed",
    )
    sight_radius: float = export(
        8.0,
        "How far away agents notice enemies on an attack-move, 40 tiles at most; 0: not at all.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="m",
        group="Attack",
        changed="_measures_changed",
    )
    attack_range: float = export(
        0.25,
        "What may lie between an agent's edge and an enemy's for it to stand and strike, 40 tiles at most.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="m",
        group="Attack",
        changed="_measures_changed",
    )
    speed: float = export(
        3.0,
        "Top speed of an agent.",
        range=(0.0, 100.0, 0.01, "or_greater"),
        unit="m/s",
        group="Agents",
        changed="_measures_changed",
    )
    radius: float = export(
        0.3,
        "Radius of an agent: how far it keeps from others. From 0.05 to 4 tiles.",
        range=(0.01, 10.0, 0.01, "or_greater"),
        unit="m",
        group="Agents",
        changed="_measures_changed",
    )
    mesh: GodotObject | None = export(
        None,
        "What an agent looks like: its foot at the origin, looking along -z. Empty is a small capsule.",
        resource="Mesh",
        group="Look",
        changed="_look_changed",
    )
    unit_scale: float = export(
        1.0,
        "Size of the capsule by the agent's diameter; with a mesh of your own, its scale.",
        range=(0.01, 100.0, 0.01, "or_greater", "or_less"),
        group="Look",
        changed="_look_changed",
    )
    rotates: bool = export(True, "Turn each agent to where it is heading.", group="Look", changed="_look_changed")
    use_custom_data: bool = export(
        False,
        "Give the material INSTANCE_CUSTOM: tiles walked (modulo 1024), speed by top speed, a random number 0 to 1 of "
        "the agent's own, its state.",
        group="Look",
        changed="_look_changed",
    )


class FlowFieldCrowd3D(
    FlowFieldCrowd,
    CrowdProperties3D,
    GodotObject,
    base="GeometryInstance3D",
    icon="res://addons/pynav/icons/flow_field_crowd_3d.svg",
):
    """Up to a million agents that walk to a goal over a FlowFieldMap3D.

    The agents share a goal, a speed and a radius; they steer along the map's flow field, keep apart, and slide along walls.
    They are drawn in one call by a multi-mesh, with this node's material override, shadows, layers and visibility range. No
    script runs for them: ask for their positions as packed arrays, and listen to the signals.

    All places and velocities are in the map's local space (map.to_global() makes them global), wherever this node stands. An
    agent's id stays while it lives; ids of agents that left are given out again, the lowest first.
    """

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap3D)

    def _goal_place(self) -> tuple[float, float] | None:
        mode = int(self.goal_mode)
        if mode == self.GoalMode.POSITION:
            place = self.goal_position
        else:
            node = self.goal_node if mode == self.GoalMode.NODE else None
            if node is None or not is_valid(node) or not node.is_inside_tree():
                return None
            place = self._map.to_local(node.global_position)
        return self._map._plane.to_tile(place.x, place.z)  # type: ignore[no-any-return]

    # --- drawing

    def _make_drawing(self) -> InstanceDrawing:
        drawing = InstanceDrawing(_FLOATS)
        self._apply_look(drawing)
        self.set_base(drawing.multimesh.get_rid())
        return drawing

    def _apply_look(self, drawing: InstanceDrawing) -> None:
        self._lay_out(drawing)
        drawing.multimesh.mesh = self.mesh if self.mesh is not None else _capsule(bool(self.color_column))

    def _get_aabb(self) -> AABB:
        drawing = self._drawing
        return AABB() if drawing is None else AABB(*drawing.multimesh.custom_aabb)

    def _fill(self, cost: TickCost) -> None:
        drawing, agents = self._drawing, self._agents
        if drawing is None or agents is None:
            return
        watch = self._place_watch()
        if watch.moved() or not self._seen:
            self._take_transforms(self.global_transform, self._map.global_transform, drawing)
        if self._seen[0] is not None:
            drawing.draw(agents.slot_count, watch.is_interpolated(), agents, self._seen, self._bind_filling, cost)

    def _bind_filling(self, buffer: Floats, previous: Floats | None) -> InstanceFill | TurnedFill:
        assert self._agents is not None and self._drawing is not None
        matrix, size, elevation, ground, axes, tilt = self._seen
        filling = self._agents.bind_buffer_3d(
            buffer, matrix, size=size, elevation=elevation, heights=ground, facing_axes=axes, previous=previous,
            **self._look(self._agents),
        )  # fmt: skip
        return filling if tilt is None else TurnedFill(filling, buffer, previous, self._drawing.floats, tilt)

    def _take_transforms(self, own: Any, maps: Any, drawing: InstanceDrawing) -> None:
        """From tiles to this node's space, and how large a unit is there.

        The kernel writes units that stand upright. As long as both nodes' floors are parallel it can write them in this node's
        space; where this node is tilted against the map, they are written in the map's space and turned afterwards.
        """
        try:
            to_own = own.inverse()
        except ZeroDivisionError:  # scaled to nothing: nothing to draw
            self._seen = (None, 0.0, 0.0, None, None, None)
            return
        map_plane, ground = self._map._plane, self._map._read_ground()
        x, y, z = (_difference(to_own, maps, axis) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
        origin = to_own.apply(maps.origin)
        limit = _TILT * max(*(abs(number) for number in (*x, *y, *z)), 1e-12)
        unit = self.unit_scale if self.mesh is not None else 2.0 * self.radius * self.unit_scale
        grid = self._map._need_grid()
        lowest = highest = 0.0
        if ground is not None:
            lowest, highest = float(ground.min()), float(ground.max())
        if max(abs(x.y), abs(z.y), abs(y.x), abs(y.z)) <= limit and y.y > 0.0:
            plane = map_plane.moved((x.x, x.z), (z.x, z.z), (origin.x, origin.z))
            size = unit * plane.tile_length / map_plane.tile_length
            elevation = map_plane.elevation * y.y + origin.y
            own_ground = None if ground is None else np.ascontiguousarray(ground * np.float32(y.y))
            axes = [[-z.x, -x.x], [-z.z, -x.z]]  # a rotation.y of 0 looks along -z, of a quarter turn along -x
            self._seen = (plane.matrix(), size, elevation, own_ground, axes, None)
        else:
            turn = np.array([x, y, z], dtype=np.float32).T
            tilt = (np.ascontiguousarray(turn), np.array(origin, dtype=np.float32))
            self._seen = (map_plane.matrix(), unit, map_plane.elevation, ground, [[0.0, -1.0], [-1.0, 0.0]], tilt)
        low, high = map_plane.bounds(grid.width, grid.height)
        margin = map_plane.tile_length + 2.0 * unit
        tall = margin + unit * _TALLEST_TILES
        corners = [
            to_own.apply(maps.apply((place_x, map_plane.elevation + height, place_z)))
            for place_x in (low[0] - margin, high[0] + margin)
            for height in (lowest - margin, highest + tall)
            for place_z in (low[1] - margin, high[1] + margin)
        ]
        drawing.set_bounds(
            tuple(min(corner[i] for corner in corners) for i in range(3)),
            tuple(max(corner[i] for corner in corners) for i in range(3)),
        )

    # --- places

    def _places(self) -> Points:
        """(n, 3) float32, row = id, in the map's space."""
        tiles = self._need_agents().positions
        flat = self._plane.points_to_local(tiles)
        return np.stack([flat[:, 0], self._map._heights_at(tiles), flat[:, 1]], axis=1)

    def _tiles_at(self, positions: PackedVector3Array) -> Points:
        return self._plane.points_to_tiles(np.ascontiguousarray(positions.view()[:, ::2]))

    @method
    @told
    def set_goal(self, position: Vector3) -> bool:
        """Send the crowd to a place on the map (map space; y doesn't count). False if no agent can get there; they then set
        off once an edit opens a way.
        """
        self._need_agents()
        place = self._plane.to_tile(position.x, position.z)
        assert self._agents is not None
        answer = self._agents.set_goal_point(*place)
        self._goal_is_points = False
        self._is_applying = True
        self.goal_position, self.goal_mode = position, self.GoalMode.POSITION
        self._is_applying = False
        return bool(answer)

    @method
    @told
    def set_goals(self, positions: PackedVector3Array) -> bool:
        """Send the crowd to whichever of several places is nearest for each agent. False if no agent can reach any."""
        if len(positions) == 0:
            raise NodeError("set_goals() needs at least one place")
        return self._go_to(self._tiles_at(positions))

    @method
    @told
    def spawn(self, positions: PackedVector3Array) -> PackedInt32Array:
        """Add an agent at each place (map space, y doesn't count); in solid tiles they are moved to the nearest free place at
        the next tick. Returns their ids, the lowest free ones in rising order.
        """
        agents = self._need_agents()
        self._is_started = True
        return PackedInt32Array(agents.spawn(self._tiles_at(positions), snap=True))

    @method
    @told
    def set_positions(self, ids: PackedInt32Array, positions: PackedVector3Array) -> None:
        """Put agents elsewhere at once; those that had arrived walk again."""
        self._need_agents().set_positions(ids.view(), self._tiles_at(positions))

    @method(const=True)
    @told
    def get_positions(self) -> PackedVector3Array:
        """Place of each agent's foot (map space), row = id; rows of ids without an agent keep their last one's place."""
        return PackedVector3Array(self._places())

    @method(const=True)
    @told
    def get_velocities(self) -> PackedVector3Array:
        """Velocity of each agent along the plane, metres a second in map space, row = id."""
        flat = self._plane.vectors_to_local(self._need_agents().velocities)
        return PackedVector3Array(np.stack([flat[:, 0], np.zeros(len(flat), dtype=np.float32), flat[:, 1]], axis=1))

    @method(const=True)
    @told
    def get_agents_in_rect(self, box: AABB) -> PackedInt32Array:
        """Ids of the agents whose foot lies in a box (map space)."""
        places = self._places()
        low = np.array(box.position, dtype=np.float32)
        high = low + np.array(box.size, dtype=np.float32)
        return self._ids_where(np.all((places >= low) & (places < high), axis=1))

    @method(const=True)
    @told
    def get_agents_in_radius(self, center: Vector3, radius: float) -> PackedInt32Array:
        """Ids of the agents within a circle on the plane (map space, y doesn't count)."""
        return self._ids_where(self._squared_distances(center.x, center.z) <= np.float32(radius * radius))

    @method(const=True)
    @told
    def get_nearest_agent(self, position: Vector3) -> int:
        """Id of the agent nearest to a place on the plane (map space, y doesn't count); -1 without agents."""
        return self._nearest(position.x, position.z)


def _difference(to_own: Any, maps: Any, axis: tuple[float, float, float]) -> Vector3:
    """An axis of the map's space, in this node's space."""
    return Vector3(*(to_own.apply(maps.apply(axis)) - to_own.apply(maps.origin)))


class TurnedFill:
    """A filling whose instances are turned afterwards: for crowds that are tilted against their map. Rare, and slower."""

    def __init__(self, filling: InstanceFill, buffer: Floats, previous: Floats | None, floats: int, tilt: Any) -> None:
        self._filling = filling
        self._buffer = buffer
        self._previous = previous
        self._floats = floats
        self._tilt = tilt

    def run(self) -> None:
        """Fill and turn; who was put elsewhere gets the turned transform in the previous buffer too."""
        previous = self._previous
        old = None if previous is None else previous.copy()
        self._filling.run()
        _turn_rows(self._buffer, self._floats, *self._tilt)
        if previous is not None and old is not None:
            rows = previous.reshape(-1, self._floats)
            moved = np.any(rows != old.reshape(-1, self._floats), axis=1)
            rows[moved] = self._buffer.reshape(-1, self._floats)[moved]


def _turn_rows(buffer: Floats, floats: int, turn: Floats, origin: Floats) -> None:
    """Apply a transform to every instance of a buffer (rows of x, y, z, each with the origin's number last)."""
    rows = buffer.reshape(-1, floats)[:, :_FLOATS].reshape(-1, 3, 4)
    turned = np.matmul(turn, rows)
    turned[:, :, 3] += np.where(np.any(rows[:, :, :3] != 0.0, axis=(1, 2))[:, None], origin, 0.0)
    buffer.reshape(-1, floats)[:, :_FLOATS] = turned.reshape(-1, _FLOATS)


_meshes: dict[bool, Any] = {}


def _capsule(has_colors: bool) -> Any:
    """A capsule of diameter 1 that stands on the origin: one for all crowds, cheap enough for tens of thousands. One for all
    that have colours shows them.
    """
    if has_colors not in _meshes:
        mesh = engine.ArrayMesh()
        source = engine.CapsuleMesh()
        source.radius, source.height = 0.5, 2.0
        source.radial_segments, source.rings = 8, 2
        arrays = source.get_mesh_arrays().to_list()
        vertices = np.array(arrays[engine.Mesh.ARRAY_VERTEX].view())
        vertices[:, 1] += 1.0
        arrays[engine.Mesh.ARRAY_VERTEX] = PackedVector3Array(vertices)
        mesh.add_surface_from_arrays(engine.Mesh.PRIMITIVE_TRIANGLES, arrays)
        if has_colors:
            material = engine.StandardMaterial3D()
            material.vertex_color_use_as_albedo = True
            material.vertex_color_is_srgb = True
            mesh.surface_set_material(0, material)
        _meshes[has_colors] = mesh
    return _meshes[has_colors]


def forget_shared() -> None:
    """Let go of the shared meshes when the engine ends."""
    _meshes.clear()
