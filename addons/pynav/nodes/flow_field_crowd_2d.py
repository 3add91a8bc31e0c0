"""The crowd node of 2D games."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import (
    GodotObject,
    PackedInt32Array,
    PackedVector2Array,
    Rect2,
    Vector2,
    export,
    is_editor,
    is_valid,
    method,
)
from pynav.crowd.instance_buffer import InstanceFill

from .default_unit import unit_picture, unit_square
from .editor_preview import draw_goal, draw_tiles
from .flow_field_crowd import FlowFieldCrowd
from .flow_field_map_2d import FlowFieldMap2D
from .instance_drawing import Floats, InstanceDrawing
from .telling import NodeError, told
from .tick_record import TickCost
from .tile_plane import TilePlane

_FLOATS = 8


class CrowdProperties2D(GodotObject, register=False):
    """Properties in pixels; they come first in the inspector."""

    map: GodotObject | None = export(
        None,
        "Map on which the crowd walks. Empty: the nearest one among the ancestors, else beside them.",
        node="FlowFieldMap2D",
        changed="_map_property_changed",
    )
    goal_mode: FlowFieldCrowd.GoalMode = export(
        FlowFieldCrowd.GoalMode.NO_GOAL,
        "What the crowd walks to.",
        group="Goal",
        changed="_goal_mode_changed",
    )
    goal_position: Vector2 = export(
        Vector2(),
        "Place to walk to, in the map's local space.",
        group="Goal",
        hint=0,
        hint_string="suffix:px",
        changed="_goal_changed",
    )
    goal_node: GodotObject | None = export(
        None,
        "Node to walk to; when it moves to another tile the crowd follows, a few times a second at most.",
        node="Node2D",
        group="Goal",
        changed="_goal_changed",
    )
    arrive_radius: float = export(
        16.0,
        "Distance to the goal within which an agent has arrived.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px",
        group="Goal",
        changed="_measures_changed",
    )
    sight_radius: float = export(
        128.0,
        "How far away agents notice enemies on an attack-move, 40 tiles at most; 0: not at all.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px",
        group="Attack",
        changed="_measures_changed",
    )
    attack_range: float = export(
        4.0,
        "What may lie between an agent's edge and an enemy's for it to stand and strike, 40 tiles at most.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px",
        group="Attack",
        changed="_measures_changed",
    )
    speed: float = export(
        64.0,
        "Top speed of an agent.",
        range=(0.0, 1000.0, 0.1, "or_greater"),
        unit="px/s",
        group="Agents",
        changed="_measures_changed",
    )
    radius: float = export(
        5.0,
        "Radius of an agent: how far it keeps from others. From 0.05 to 4 tiles.",
        range=(0.1, 100.0, 0.01, "or_greater"),
        unit="px",
        group="Agents",
        changed="_measures_changed",
    )
    mesh: GodotObject | None = export(
        None,
        "What an agent looks like; empty is a square for the texture, or without one a disc that the modulate tints.",
        resource="Mesh",
        group="Look",
        changed="_look_changed",
    )
    texture: GodotObject | None = export(
        None,
        "Picture of an agent, seen from above, looking to the right.",
        resource="Texture2D",
        group="Look",
        changed="_look_changed",
    )
    unit_scale: float = export(
        1.0,
        "Size of the picture by the agent's diameter; with a mesh of your own, its scale.",
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
    y_sort_agents: bool = export(
        False,
        "Draw agents in the order of their y in this node, so that those who stand lower cover those behind them. Instances of "
        "the multi-mesh then go by y and no longer by id.",
        group="Look",
        changed="_look_changed",
    )


class FlowFieldCrowd2D(
    FlowFieldCrowd,
    CrowdProperties2D,
    GodotObject,
    base="Node2D",
    icon="res://addons/pynav/icons/flow_field_crowd_2d.svg",
):
    """Up to a million agents that walk to a goal over a FlowFieldMap2D.

    The agents share a goal, a speed and a radius; they steer along the map's flow field, keep apart, and slide along walls.
    They are drawn in one call by a multi-mesh, with this node's material, modulate, light mask and z index. No script runs for
    them: ask for their positions as packed arrays, and listen to the signals.

    All places, rectangles and velocities are in the map's local space (map.to_global() makes them global), wherever this node
    stands. An agent's id stays while it lives; ids of agents that left are given out again, the lowest first.
    """

    def _is_own_map(self, node: Any) -> bool:
        return isinstance(node, FlowFieldMap2D)

    def _goal_place(self) -> tuple[float, float] | None:
        mode = int(self.goal_mode)
        if mode == self.GoalMode.POSITION:
            return self._map._plane.to_tile(*self.goal_position)  # type: ignore[no-any-return]
        node = self.goal_node if mode == self.GoalMode.NODE else None
        if node is None or not is_valid(node) or not node.is_inside_tree():
            return None
        return self._map._plane.to_tile(*self._map.to_local(node.global_position))  # type: ignore[no-any-return]

    # --- drawing

    def _make_drawing(self) -> InstanceDrawing:
        drawing = InstanceDrawing(_FLOATS)
        self._apply_look(drawing)
        return drawing

    def _apply_look(self, drawing: InstanceDrawing) -> None:
        self._lay_out(drawing)
        drawing.multimesh.mesh = self.mesh if self.mesh is not None else unit_square()
        self.queue_redraw()

    def _is_y_sorted(self) -> bool:
        return bool(self.y_sort_agents)

    def _show_in_editor(self) -> None:
        self.queue_redraw()

    def _draw(self) -> None:
        if is_editor():
            self._draw_in_editor()
        elif self._drawing is not None:
            picture = self.texture
            if picture is None and self.mesh is None:
                picture = unit_picture()
            self.draw_multimesh(self._drawing.multimesh, picture)

    def _draw_in_editor(self) -> None:
        """The goal and the area in which agents start, where the map is known."""
        home = self._find_map()
        if home is None:
            return
        try:
            to_own = self.global_transform.inverse()
        except ZeroDivisionError:  # scaled to nothing
            return
        maps = home.global_transform
        if int(self.goal_mode) == self.GoalMode.POSITION:
            draw_goal(self, to_own.apply(maps.apply(self.goal_position)), self.arrive_radius)
        if int(self.spawn_mode) == self.SpawnMode.AREA and min(self.spawn_area.size) > 0:
            plane = home._editor_plane()
            if plane is not None:
                area = (*self.spawn_area.position, *self.spawn_area.size)
                draw_tiles(self, plane.moved(*maps).moved(*to_own), area)

    def _fill(self, cost: TickCost) -> None:
        drawing, agents = self._drawing, self._agents
        if drawing is None or agents is None:
            return
        watch = self._place_watch()
        if watch.moved() or not self._seen:
            self._take_transforms(self.global_transform, self._map.global_transform, drawing)
        if self._seen[0] is not None:
            drawing.draw(agents.slot_count, watch.is_interpolated(), agents, self._seen, self._bind_filling, cost)

    def _bind_filling(self, buffer: Floats, previous: Floats | None) -> InstanceFill:
        assert self._agents is not None
        matrix, size, axes = self._seen
        return self._agents.bind_buffer_2d(
            buffer, matrix, size=size, facing_axes=axes, previous=previous, **self._look(self._agents)
        )

    def _take_transforms(self, own: Any, maps: Any, drawing: InstanceDrawing) -> None:
        """From tiles to this node's space, and how large a unit is there."""
        x, y, _ = own
        if abs(x[0] * y[1] - x[1] * y[0]) < 1e-12:  # scaled to nothing: nothing to draw
            self._seen = (None, 0.0, None)
            return
        map_plane = self._map._plane
        plane = map_plane.moved(*maps).moved(*own.inverse())
        scale = plane.tile_length / map_plane.tile_length
        size = (self.unit_scale if self.mesh is not None else 2.0 * self.radius * self.unit_scale) * scale
        grid = self._map._need_grid()
        low, high = plane.bounds(grid.width, grid.height)
        margin = plane.tile_length + 2.0 * size
        drawing.set_bounds((low[0] - margin, low[1] - margin, -1.0), (high[0] + margin, high[1] + margin, 1.0))
        self.queue_redraw()  # the engine took the bounds down when this node was drawn
        turn = TilePlane((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)).moved(*maps).moved(*own.inverse())
        self._seen = (plane.matrix(), size, turn.matrix()[:, :2])

    # --- for GDScript

    @method
    @told
    def set_goal(self, position: Vector2) -> bool:
        """Send the crowd to a place on the map (map space). False if no agent can get there; they then set off once an edit
        opens a way.
        """
        agents = self._need_agents()
        self._map._need_grid()
        place = self._plane.to_tile(*position)
        answer = agents.set_goal_point(*place)
        self._goal_is_points = False
        self._is_applying = True
        self.goal_position, self.goal_mode = position, self.GoalMode.POSITION
        self._is_applying = False
        return bool(answer)

    @method
    @told
    def set_goals(self, positions: PackedVector2Array) -> bool:
        """Send the crowd to whichever of several places is nearest for each agent. False if no agent can reach any."""
        if len(positions) == 0:
            raise NodeError("set_goals() needs at least one place")
        return self._go_to(self._plane.points_to_tiles(positions.view()))

    @method
    @told
    def spawn(self, positions: PackedVector2Array) -> PackedInt32Array:
        """Add an agent at each place (map space); in solid tiles they are moved to the nearest free place at the next tick.
        Returns their ids, the lowest free ones in rising order.
        """
        agents = self._need_agents()
        self._is_started = True
        return PackedInt32Array(agents.spawn(self._plane.points_to_tiles(positions.view()), snap=True))

    @method
    @told
    def set_positions(self, ids: PackedInt32Array, positions: PackedVector2Array) -> None:
        """Put agents elsewhere at once; those that had arrived walk again."""
        self._need_agents().set_positions(ids.view(), self._plane.points_to_tiles(positions.view()))

    @method(const=True)
    @told
    def get_positions(self) -> PackedVector2Array:
        """Place of each agent (map space), row = id; rows of ids without an agent keep their last one's place."""
        return PackedVector2Array(self._plane.points_to_local(self._need_agents().positions))

    @method(const=True)
    @told
    def get_velocities(self) -> PackedVector2Array:
        """Velocity of each agent, px a second in map space, row = id."""
        return PackedVector2Array(self._plane.vectors_to_local(self._need_agents().velocities))

    @method(const=True)
    @told
    def get_agents_in_rect(self, rect: Rect2) -> PackedInt32Array:
        """Ids of the agents in a rectangle (map space)."""
        places = self._plane.points_to_local(self._need_agents().positions)
        (left, top), (width, height) = rect
        x, y = places[:, 0], places[:, 1]
        return self._ids_where((x >= left) & (y >= top) & (x < left + width) & (y < top + height))

    @method(const=True)
    @told
    def get_agents_in_radius(self, center: Vector2, radius: float) -> PackedInt32Array:
        """Ids of the agents within a circle (map space)."""
        return self._ids_where(self._squared_distances(*center) <= np.float32(radius * radius))

    @method(const=True)
    @told
    def get_nearest_agent(self, position: Vector2) -> int:
        """Id of the agent nearest to a place (map space); -1 without agents."""
        return self._nearest(*position)
