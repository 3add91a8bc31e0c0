"""What FlowFieldCrowd2D and FlowFieldCrowd3D share: belonging to a map, agents, goals, signals, the tick.

The agents belong to the map's World; this node is the handle that a scene has on them. It joins the map when it is ready (or
enters the tree again) and leaves it with its agents when it leaves the tree. No Python runs per agent: whatever is done for all
is one numpy or kernel call.
"""

from __future__ import annotations

import math
import time
from enum import IntEnum
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    GodotObject,
    PackedInt32Array,
    PackedInt64Array,
    Rect2i,
    engine,
    export,
    is_editor,
    is_valid,
    method,
    signal,
)
from pynav.crowd.crowd import LARGEST_SIGHT_TILES, Crowd
from pynav.crowd.masks import ALL_BITS

from . import flow_field_map, live_warnings
from .crowd_columns import KeptColumns
from .crowd_look import CrowdLook
from .instance_drawing import InstanceDrawing
from .live_figures import CrowdLiveFigures, hide_in_editor
from .map_search import find_map
from .place_watch import PlaceWatch
from .telling import USER_ERRORS, NodeError, label, tell, told
from .tick_record import TickCost
from .tile_plane import TilePlane

FOLLOW_SECONDS = 0.25  # a goal node that moves gets a new field at most this often
SMALLEST_RADIUS_TILES = 0.05
LARGEST_RADIUS_TILES = 4.0
LARGEST_SPEED_TILES = 1000.0
MOST_AGENTS = 1_000_000
_ARRIVALS = ("stop", "remove")
_WALKING = 1

Points = npt.NDArray[np.float32]


class FlowFieldCrowd(CrowdLiveFigures, CrowdLook, GodotObject, register=False):
    """Base of both crowd nodes."""

    class OnArrival(IntEnum):
        """What an agent does once it is within the arrive radius of the goal.

        STOP: It stays; the crowd grows around the goal.
        REMOVE: It is taken out, and its id is free again.
        """

        STOP = 0
        REMOVE = 1

    class SpawnMode(IntEnum):
        """Where the agents of a starting crowd are placed.

        WHOLE_MAP: Anywhere on the map.
        AREA: On the tiles of `spawn_area`.
        NOWHERE: Nowhere: place them by code.
        """

        WHOLE_MAP = 0
        AREA = 1
        NOWHERE = 2

    class GoalMode(IntEnum):
        """What the crowd walks to.

        NO_GOAL: Nothing: the agents stand.
        POSITION: The place `goal_position`.
        NODE: The node `goal_node`, followed where it moves.
        """

        NO_GOAL = 0
        POSITION = 1
        NODE = 2

    class AgentState(IntEnum):
        """What an agent is doing.

        MISSING: There is no agent of that id.
        IDLE: It has no goal.
        WALKING: It is on its way.
        ARRIVED: It is at its goal.
        UNREACHABLE: No way leads to its goal.
        HOLDING: It stands by a command, and nobody pushes it aside.
        ENGAGED: It stands before an enemy within its range, on an attack-move.
        """

        MISSING = -1
        IDLE = 0
        WALKING = 1
        ARRIVED = 2
        UNREACHABLE = 3
        HOLDING = 5
        ENGAGED = 6

    agents_arrived = signal(
        "These agents arrived in the last tick. With On Arrival = Remove they are gone already.", ids=PackedInt32Array
    )
    goal_unreachable = signal(
        "These agents found that no way leads to the goal; each is told once. They set off by themselves when an edit "
        "of the map opens a way.",
        ids=PackedInt32Array,
    )
    all_arrived = signal("The last agent that was on its way has arrived, and none is left without a way.")

    autostart: bool = export(True, "Place the agents and send them off when the scene starts; otherwise call restart().")
    count: int = export(
        100,
        "Agents to start with. Changed in play, agents are added or removed to match.",
        range=(0, MOST_AGENTS, 1),
        changed="_count_changed",
    )
    speed_variation: float = export(
        0.1,
        "Part of the speed by which agents differ at most; used when the crowd joins its map.",
        range=(0.0, 0.5, 0.01),
        group="Agents",
    )
    movement_class: str = export(
        "",
        "Name of one of the map's movement classes; empty is the first one. It decides where the agents can walk, and what "
        "that costs them.",
        group="Agents",
        changed="_layer_changed",
    )
    unit_size: int = export(
        0,
        "Tiles a side that an agent needs free, 1 to 5; 0: as many as its diameter takes.",
        range=(0, 5),
        group="Agents",
        changed="_layer_changed",
    )
    cohesion: bool = export(
        True,
        "Agents that stand together go together: a crowd that is spread over at most 48 tiles in x and y isn't parted by an "
        "obstacle, or by doors side by side, where its common way is nowhere more than a tenth longer than the shortest. "
        "Changed in play, it counts from the next goal on.",
        group="Agents",
        changed="_cohesion_changed",
    )
    team: int = export(
        0,
        "Whose agents they are, 0 to 31: selections and questions choose teams by masks, bit t for team t.",
        range=(0, 31),
        group="Agents",
        changed="_team_changed",
    )
    query_layers: int = export(
        1,
        "Layers on which selections and questions find the agents, a bit each: ground, air, what the game likes.",
        group="Agents",
        changed="_team_changed",
    )
    enemy_teams: int = export(
        -1,
        "Teams that the agents attack when told to (command_attack_move), a bit each; -1 is all. Their own never counts.",
        group="Attack",
        changed="_team_changed",
    )
    on_arrival: OnArrival = export(
        OnArrival.STOP,
        "What an agent does at the goal: stop (the crowd grows around it) or be removed.",
        group="Agents",
        changed="_on_arrival_changed",
    )
    spawn_mode: SpawnMode = export(
        SpawnMode.WHOLE_MAP,
        "Where the agents start: anywhere on the map, in an area, or nowhere (spawn them by code). With a goal only "
        "places from which it can be reached are used.",
        group="Start",
        changed="_spawn_mode_changed",
    )
    spawn_area: Rect2i = export(Rect2i(), "Tiles of the area in which agents start.", group="Start", changed="_warn_again")

    def __init__(self) -> None:
        self._map: Any = None
        self._agents: Crowd | None = None
        self._drawing: InstanceDrawing | None = None
        self._told_looks: set[str] = set()  # what was told of columns that can't be drawn
        self._is_started = False
        self._is_applying = False
        self._goal_points: Points | None = None  # several goals: tile coordinates (n, 2)
        self._goal_is_points = False
        self._followed: tuple[int, int] | None = None
        self._follow_wait = 0.0
        self._stash: Points | None = None  # map places of the agents while the node is out of the tree
        self._kept_columns: KeptColumns | None = None  # those of the agents that left their world
        self._seen: tuple[Any, ...] = ()  # how tiles are drawn as seen from this node; empty where that must be found anew
        self._watch: PlaceWatch | None = None
        self._was_ready = False
        self._is_shown = False

    # --- what the subclasses say

    def _is_own_map(self, node: Any) -> bool:
        raise NotImplementedError

    def _goal_place(self) -> tuple[float, float] | None:
        """Tile coordinates of the goal by the properties; None without a goal."""
        raise NotImplementedError

    def _make_drawing(self) -> InstanceDrawing:
        raise NotImplementedError

    def _fill(self, cost: TickCost) -> None:
        raise NotImplementedError

    # --- life

    def _ready(self) -> None:
        self.set_physics_process(False)
        if is_editor():
            return
        self._was_ready = True
        self._drawing = self._make_drawing()
        self.connect("visibility_changed", self._visibility_changed)
        self._is_shown = bool(self.is_visible_in_tree())
        self._look_for_map()

    def _enter_tree(self) -> None:
        if is_editor():
            live_warnings.watch(self)
        elif self._was_ready:
            self._is_shown = bool(self.is_visible_in_tree())
            self._look_for_map()

    def _exit_tree(self) -> None:
        if is_editor():
            live_warnings.forget(self)
        else:
            self._leave()

    def _physics_process(self, delta: float) -> None:
        """Runs only while there is no map: one tick after entering the tree it is missed."""
        self.set_physics_process(False)
        if self._map is None:
            engine.push_warning(f"{label(self)}: {self._map_problem()}")

    def _get_configuration_warnings(self) -> list[str]:
        problem = self._map_problem()
        found = [problem] if problem else []
        if int(self.goal_mode) == self.GoalMode.NODE and self.goal_node is None:
            found.append("The goal is a node, but there is none: assign `goal_node`.")
        if int(self.spawn_mode) == self.SpawnMode.AREA and min(self.spawn_area.size) < 1:
            found.append("Agents start in an area, but it is empty: set `spawn_area` (tiles).")
        home = self._find_map()
        if home is not None and self.movement_class and self.movement_class not in home._class_names():
            found.append(f"The map has no movement class '{self.movement_class}': add it there, or name another one.")
        return found

    def validate_property(self, info: Any) -> None:
        """Show what the chosen modes use."""
        hidden = {
            "goal_position": int(self.goal_mode) != self.GoalMode.POSITION,
            "goal_node": int(self.goal_mode) != self.GoalMode.NODE,
            "spawn_area": int(self.spawn_mode) != self.SpawnMode.AREA,
        }
        if hidden.get(info.name):
            info.usage &= ~4  # PROPERTY_USAGE_EDITOR: hidden, still stored
        hide_in_editor(info)

    def _warn_again(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
            self._show_in_editor()

    def _show_in_editor(self) -> None:
        """A property changed: draw anew where there is something to draw."""

    # --- the map

    def _map_problem(self) -> str:
        if self._find_map() is not None:
            return ""
        kind = type(self).__name__.replace("Crowd", "Map")
        return f"This crowd has no map: put it below or beside a {kind}, or assign `map`."

    def _find_map(self) -> Any:
        return find_map(self, self.map, self._is_own_map)

    def _look_for_map(self) -> None:
        """Join the map that is there now, if it isn't the one joined already."""
        found = self._find_map()
        waiting = flow_field_map._waiting_crowds
        if found is None:
            if self not in waiting:
                waiting.append(self)
            self.set_physics_process(True)
            return
        if self in waiting:
            waiting.remove(self)
        if found is self._map and self._agents is not None:
            return
        self._leave()
        self._map = found
        found._add_crowd(self)
        if found._world_or_none() is not None and self._agents is None:
            self._join(restart=True)

    def _map_property_changed(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
        elif self.is_inside_tree() and self._was_ready:
            self._leave()
            self._look_for_map()

    def _join(self, restart: bool) -> None:
        """Get a place in the map's world; called again when the map was made anew."""
        world = self._map._world
        assert world is not None
        spare = self._map._spare
        variation = min(max(self.speed_variation, 0.0), 0.5)
        speed, radius, arrive_radius = self._measures()
        if spare and spare[-1][1] == variation:
            agents = spare.pop()[0]
            agents.speed, agents.radius = speed, radius
        else:
            agents = world.add_crowd(0, speed, radius, speed_variation=variation)
        kept, self._kept_columns = self._kept_columns, None
        if kept is None and self._agents is not None:
            kept = KeptColumns(self._agents)  # the map was made anew
        if kept is not None:
            kept.give(agents)
        self._give_layer(agents)
        agents.arrive_radius = arrive_radius
        agents.sight_radius, agents.attack_range = self._attack_measures()
        agents.on_arrival = _ARRIVALS[int(self.on_arrival)]
        agents.cohesion = self.cohesion
        self._agents = agents
        self._team_changed()
        self._seen = ()
        self._followed = None
        if self._drawing is not None:
            self._drawing.restart()
        try:
            if self._stash is not None:
                points, self._stash = self._stash, None
                self._apply_goal()
                ids = agents.spawn(self._map._plane.points_to_tiles(points), snap=True)
                if kept is not None:
                    kept.give_values(agents, ids)
            elif restart and (self._is_started or self.autostart):
                self._start()
            else:
                self._apply_goal()
        except USER_ERRORS as error:
            tell(self, error)

    def _give_layer(self, agents: Crowd) -> None:
        """Class and size by the properties; an unknown class is told, and the first one serves."""
        agents.size = max(0, min(self.unit_size, 5))
        try:
            agents.movement_class = self.movement_class
        except USER_ERRORS as error:
            agents.movement_class = ""
            tell(self, error)

    def _cohesion_changed(self) -> None:
        if self._agents is not None:
            self._agents.cohesion = self.cohesion

    def _layer_changed(self) -> None:
        if is_editor():
            self.update_configuration_warnings()
        if self._agents is not None and is_valid(self._map) and not self._map._is_stale:
            self._give_layer(self._agents)

    def _place_watch(self) -> PlaceWatch:
        if self._watch is None:
            self._watch = PlaceWatch(self, self._map)
        return self._watch

    def _leave(self) -> None:
        """Take the agents along and give the place in the world back."""
        self._watch = None
        if self in flow_field_map._waiting_crowds:
            flow_field_map._waiting_crowds.remove(self)
        home, agents = self._map, self._agents
        self._map = self._agents = None
        if home is None:
            return
        home._drop_crowd(self)
        if agents is None or home._world is None or agents._world is not home._world:
            return
        if home._content is not None:
            self._stash = home._content.plane.points_to_local(agents.positions[agents.alive])
            self._kept_columns = KeptColumns(agents)
        agents.clear()
        agents.clear_goal()
        agents.take_arrived()
        agents.take_unreachable()
        agents._columns.clear()
        home._spare.append((agents, min(max(self.speed_variation, 0.0), 0.5)))

    def _need_agents(self) -> Crowd:
        """The agents, after a rebuild of the map that is due; NodeError where there is no map."""
        if self._map is not None and not is_valid(self._map):
            self._map = self._agents = self._watch = None
        if self._map is None and self.is_inside_tree() and not is_editor():
            self._look_for_map()
        if self._map is None:
            reason = "it idles in the editor" if is_editor() else self._map_problem() or "it is not in the tree"
            raise NodeError(f"the crowd has no agents: {reason}")
        self._map._need_world()
        if self._agents is None:
            self._join(restart=True)
        assert self._agents is not None
        return self._agents

    @property
    def _plane(self) -> TilePlane:
        self._need_agents()
        plane: TilePlane = self._map._plane
        return plane

    def _restored(self) -> None:
        """The world was put back to a saved state."""
        if self._agents is not None:
            index = self._agents.index
            crowds = self._map._world.crowds
            self._agents = crowds[index] if index < len(crowds) else None
            self._columns_changed()
        if self._drawing is not None:
            self._drawing.restart()

    # --- properties that act at once

    def _measures(self) -> tuple[float, float, float]:
        """Speed, radius and arrive radius in tiles, held within what the core takes."""
        length = self._map._plane.tile_length
        speed = min(max(self.speed / length, 0.0), LARGEST_SPEED_TILES)
        radius = min(max(self.radius / length, SMALLEST_RADIUS_TILES), LARGEST_RADIUS_TILES)
        return speed, radius, min(max(self.arrive_radius / length, 0.0), 1000.0)

    def _measures_changed(self) -> None:
        if is_editor():
            self._show_in_editor()
        if self._agents is not None and is_valid(self._map) and not self._map._is_stale:
            self._agents.speed, self._agents.radius, self._agents.arrive_radius = self._measures()
            self._agents.sight_radius, self._agents.attack_range = self._attack_measures()
            self._seen = ()

    def _attack_measures(self) -> tuple[float, float]:
        """Sight radius and attack range in tiles, within bounds."""
        length = self._map._plane.tile_length
        sight, reach = (min(max(value / length, 0.0), LARGEST_SIGHT_TILES) for value in (self.sight_radius, self.attack_range))
        return sight, reach

    def _plane_changed(self) -> None:
        """Tiles moved or grew: the same units in other tiles."""
        self._measures_changed()
        if self._drawing is not None:
            self._drawing.restart()

    def _team_changed(self) -> None:
        if self._agents is not None:
            self._agents.team = min(max(self.team, 0), 31)
            self._agents.layers = min(max(self.query_layers, 0), ALL_BITS)
            self._agents.enemy_teams = min(max(self.enemy_teams, -1), ALL_BITS)

    def _on_arrival_changed(self) -> None:
        if self._agents is not None:
            self._agents.on_arrival = _ARRIVALS[int(self.on_arrival)]

    def _spawn_mode_changed(self) -> None:
        self.notify_property_list_changed()
        self._warn_again()

    def _goal_mode_changed(self) -> None:
        self.notify_property_list_changed()
        self._goal_changed()

    def _goal_changed(self) -> None:
        self._warn_again()
        if not self._is_applying:
            self._goal_is_points = False
            if self._agents is not None:
                try:
                    self._apply_goal()
                except USER_ERRORS as error:
                    tell(self, error)

    def _look_changed(self) -> None:
        """Mesh, texture, scale or custom data changed."""
        if self._drawing is not None:
            self._apply_look(self._drawing)
            self._seen = ()

    def _apply_look(self, drawing: InstanceDrawing) -> None:
        raise NotImplementedError

    def _count_changed(self) -> None:
        agents = self._agents
        if agents is None or not self._is_started or self._map._is_stale:
            return
        try:
            missing = min(max(self.count, 0), MOST_AGENTS) - agents.count
            if missing > 0:
                self._spawn_by_mode(missing)
            elif missing < 0:
                agents.remove(np.flatnonzero(agents.alive)[missing:])
        except USER_ERRORS as error:
            tell(self, error)

    # --- starting, goals

    def _start(self) -> None:
        agents = self._agents
        assert agents is not None
        agents.clear()
        self._is_started = True
        self._apply_goal()
        self._spawn_by_mode(min(max(self.count, 0), MOST_AGENTS))
        if self._drawing is not None:
            self._drawing.restart()

    def _spawn_by_mode(self, count: int) -> None:
        assert self._agents is not None
        mode = int(self.spawn_mode)
        if mode == self.SpawnMode.NOWHERE or count == 0:
            return
        area = (*self.spawn_area.position, *self.spawn_area.size) if mode == self.SpawnMode.AREA else None
        self._agents.spawn_in(count, area)

    def _apply_goal(self) -> bool:
        """Give the agents the goal that the properties (or set_goals) name."""
        agents = self._agents
        if agents is None:
            return False
        self._follow_wait = FOLLOW_SECONDS
        if self._goal_is_points and self._goal_points is not None:
            return agents.set_goal(self._tiles_of(self._goal_points))
        place = self._goal_place()
        if place is None:
            agents.clear_goal()
            self._followed = None
            return False
        self._followed = (int(place[0] // 1), int(place[1] // 1))
        return agents.set_goal_point(*place)

    def _tiles_of(self, points: Points) -> npt.NDArray[np.int64]:
        offset = 0.0 if self._agents is None else self._agents.anchor_offset  # even sizes have no middle tile
        tiles = np.floor(points).astype(np.int64)
        inner = np.floor(points - np.float32(offset)).astype(np.int64)
        return np.asarray(np.maximum(inner, np.minimum(tiles, 0)), dtype=np.int64)

    def _go_to(self, points: Points) -> bool:
        """Send the crowd to one of several points (tile coordinates)."""
        agents = self._need_agents()
        answer = agents.set_goal(self._tiles_of(points))  # first: nothing is changed if it refuses
        self._goal_points, self._goal_is_points = points, True
        self._followed = None
        return answer

    def _follow(self, delta: float) -> None:
        """The goal node moved to another tile: go there."""
        self._follow_wait -= delta
        if self._follow_wait > 0.0 or self._agents is None or self._agents.is_waiting:
            return
        place = self._goal_place()
        if place is not None and (int(place[0] // 1), int(place[1] // 1)) != self._followed:
            try:
                self._apply_goal()
            except USER_ERRORS as error:
                self._followed = (int(place[0] // 1), int(place[1] // 1))
                tell(self, error)

    # --- the tick

    def _after_tick(self, delta: float, cost: TickCost) -> None:
        """Called by the map when its world has stepped."""
        agents = self._agents
        if agents is None:
            return
        if not self._goal_is_points and int(self.goal_mode) == self.GoalMode.NODE:
            self._follow(delta)
        if agents.has_news:
            self._tell_news(agents, cost)

    def _show_agents(self, cost: TickCost) -> None:
        """The last of a map's tick: show the agents where they are now."""
        if self._is_shown and self._agents is not None:
            self._fill(cost)

    def _tell_news(self, agents: Crowd, cost: TickCost) -> None:
        arrived, lost = agents.take_arrived(), agents.take_unreachable()
        before = time.perf_counter_ns()
        if len(lost):
            self.goal_unreachable.emit(PackedInt32Array(lost))
        if len(arrived):
            self.agents_arrived.emit(PackedInt32Array(arrived))
            left = agents.own_count if agents.on_arrival == "remove" else agents.own_count - agents.arrived_count
            # The counts settle it but for agents that were spawned or moved after the goal was set: then look at each.
            if left <= 0 and agents.has_all_arrived():
                self.all_arrived.emit()
        cost.engine += time.perf_counter_ns() - before

    def _visibility_changed(self) -> None:
        shown = bool(self.is_visible_in_tree())
        if shown and not self._is_shown and self._drawing is not None:
            self._drawing.restart()
        self._is_shown = shown

    # --- for both planes

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())

    @method
    @told
    def restart(self) -> None:
        """Remove all agents, place `count` new ones as the spawn properties say, and send them to the goal."""
        self._need_agents()
        self._start()

    @method
    @told
    def clear_goal(self) -> None:
        """Let the agents stand where they are."""
        self._is_applying = True
        self.goal_mode = self.GoalMode.NO_GOAL
        self._is_applying = False
        self._goal_is_points = False
        if self._agents is not None:
            self._apply_goal()

    @method
    @told
    def set_goal_tiles(self, tiles: list[Any]) -> bool:
        """Send the crowd to whichever of several tiles (Vector2i) is nearest for each agent. False if no agent can reach any."""
        if not tiles:
            raise NodeError("set_goal_tiles() needs at least one tile")
        return self._go_to(np.array([[tile[0], tile[1]] for tile in tiles], dtype=np.float32) + np.float32(0.5))

    @method
    @told
    def spawn_in(self, count: int, area: Rect2i = Rect2i()) -> PackedInt32Array:
        """Add agents, spread over the free tiles of an area (tiles; an empty one is the whole map) from which the goal can be
        reached. Returns their ids.
        """
        agents = self._need_agents()
        rect = None if area.size == (0, 0) else (*area.position, *area.size)
        ids = agents.spawn_in(count, rect)
        self._is_started = True
        return PackedInt32Array(ids)

    @method
    @told
    def remove(self, ids: PackedInt32Array) -> int:
        """Take agents out; ids without an agent are ignored. Returns how many there were."""
        return self._need_agents().remove(ids.view())

    @method
    @told
    def clear(self) -> None:
        """Take all agents out."""
        self._need_agents().clear()

    @method(const=True)
    @told
    def get_agent_count(self) -> int:
        """Agents that are there."""
        return self._need_agents().count

    @method(const=True)
    @told
    def get_slot_count(self) -> int:
        """Rows of get_positions() and its kin: one more than the highest id ever given out."""
        return self._need_agents().slot_count

    @method(const=True)
    @told
    def get_arrived_count(self) -> int:
        """Agents that have arrived since the goal was set, those removed on arrival included."""
        return self._need_agents().arrived_count

    @method(const=True)
    @told
    def get_unreachable_count(self) -> int:
        """Agents that stand without a way to the goal now."""
        return self._need_agents().unreachable_count

    @method(const=True)
    @told
    def is_waiting(self) -> bool:
        """Whether the first field to the goal is still being built; agents brake until then."""
        return self._need_agents().is_waiting

    @method(const=True)
    @told
    def get_states(self) -> PackedInt32Array:
        """AgentState of each id; MISSING where there is no agent."""
        agents = self._need_agents()
        return PackedInt32Array(np.where(agents.alive, agents.states, int(self.AgentState.MISSING)).astype(np.int32))

    @method(const=True)
    @told
    def get_agent_ids(self) -> PackedInt32Array:
        """Ids of the agents that are there, in rising order."""
        return PackedInt32Array(np.flatnonzero(self._need_agents().alive).astype(np.int32))

    @method(const=True)
    @told
    def get_handles(self, ids: PackedInt32Array) -> PackedInt64Array:
        """Handles of agents, in the order of the ids: what a map's commands take. A handle names one agent for ever: once that is
        gone no other one has it, although its id is given out again. All ids must have an agent.
        """
        return PackedInt64Array(self._need_agents().handles(ids.view()))

    @method(const=True)
    @told
    def get_agent_state(self, id: int) -> AgentState:
        """What one agent is doing; MISSING where the id has no agent."""
        agents = self._need_agents()
        if not 0 <= id < agents.slot_count or not agents.alive[id]:
            return self.AgentState.MISSING
        return self.AgentState(int(agents.states[id]))

    @method(const=True)
    def get_map_node(self) -> GodotObject | None:
        """The map on which the crowd walks; null if it has none."""
        found: GodotObject | None = self._map if self._map is not None else self._find_map()
        return found

    @method(const=True)
    def get_multimesh(self) -> Annotated[GodotObject, "MultiMesh"] | None:
        """The multi-mesh that draws the agents, instance = id, in this node's local space; null before the node is ready. Its
        buffer is rewritten each tick.
        """
        return None if self._drawing is None else self._drawing.multimesh

    # --- shared work on positions

    def _ids_where(self, test: npt.NDArray[np.bool_]) -> PackedInt32Array:
        agents = self._need_agents()
        return PackedInt32Array(np.flatnonzero(test & agents.alive).astype(np.int32))

    def _squared_distances(self, x: float, y: float) -> npt.NDArray[np.float32]:
        """From a place in the map's plane to each agent's place."""
        places = self._plane.points_to_local(self._need_agents().positions)
        return np.asarray(np.square(places - np.array([x, y], dtype=np.float32)).sum(axis=1), dtype=np.float32)

    def _nearest(self, x: float, y: float) -> int:
        agents = self._need_agents()
        if agents.count == 0:
            return -1
        squared = self._squared_distances(x, y)
        squared[~agents.alive] = math.inf
        return int(np.argmin(squared))
