"""What FlowFieldMap2D and FlowFieldMap3D share: the world, its costs, queries, the tick and what it cost.

The map owns a World. It steps it in its own `_physics_process`, with the delta that the engine gives: so pause, time_scale,
process modes and any physics rate work as for every node. After the step each crowd of the map is told, in the order in which
they joined.

A property that decides how the world is made marks it stale; the next tick, or the next call that needs the world, makes it
anew, so that setting five properties costs one rebuild.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import pynav
from addons.pynav.bridge import (
    GodotObject,
    PackedByteArray,
    Rect2i,
    Vector2i,
    export,
    is_editor,
    method,
    signal,
    singleton,
)
from pynav.grid import TileGrid, generate_map
from pynav.grid.generator import GeneratedMap
from pynav.jobs.step_by_step import run_through
from pynav.kernels import backend_in_use, get_threads, kernel_nanoseconds, reset_stats, stats
from pynav.world import World

from . import game_reports, job_sharing, map_monitors, picture_reading, project_settings
from .map_baking import MapBaking
from .map_bodies import MapBodies
from .map_debug_draw import MapDebugDraw
from .map_file_reading import map_file_exists, map_file_steps
from .map_queries import MapQueries
from .map_requests import MapRequests
from .map_source import MapSource
from .map_terrain import MapTerrain
from .source_listening import SourceListening
from .telling import USER_ERRORS, NodeError, tell, told
from .tick_record import TickCost, TickRecord
from .tile_plane import TilePlane, is_usable

LONGEST_STEP_SECONDS = 0.1  # a longer delta (a high time_scale, a low physics rate) is walked in equal parts
LARGEST_SIDE = 16_384


@dataclass(frozen=True)
class MapContent:
    """What a source gives."""

    cost: npt.NDArray[np.uint8]  # (rows, columns)
    plane: TilePlane
    first_cell: tuple[int, int] = (0, 0)  # cell of tile (0, 0), where cells are numbered like tiles
    goal: tuple[int, int] | None = None  # where the source thinks that crowds go


class FlowFieldMap(
    MapQueries, MapRequests, MapDebugDraw, MapTerrain, MapBaking, SourceListening, MapSource, GodotObject, register=False
):
    """Base of both map nodes."""

    CODE: ClassVar[int] = 0
    LAYER: ClassVar[int] = 1
    IMAGE: ClassVar[int] = 2
    MAP_FILE: ClassVar[int] = 3
    GENERATOR: ClassVar[int] = 4
    BAKED: ClassVar[int] = 5

    map_changed = signal("Costs of the tiles in rect changed; after the map was made anew it is the whole map.", rect=Rect2i)
    field_published = signal("A newly built field began to serve its crowds; so many builds still wait.", waiting=int)

    seed: int = export(
        0,
        "Decides where agents are placed and how fast each is. The same seed, map and calls give the same run, bit by bit.",
        group="Simulation",
        changed="_source_changed",
    )
    threads: int = export(
        0,
        "Threads that run kernels; 0 takes the project setting pynav/threads. All maps of a game share one pool: the "
        "last one set counts. The result never depends on it.",
        range=(0, project_settings.MOST_THREADS),
        group="Simulation",
        changed="_threads_changed",
    )

    def __init__(self) -> None:
        self._formation_controllers: list[Any] = []
        self._commanders: list[Any] = []
        self._bodies = MapBodies()
        super().__init__()
        self._world: World | None = None
        self._content: MapContent | None = None
        self._generated: GeneratedMap | None = None
        self._problem = ""
        self._source_serial = 0  # in the editor: goes up with each change of what the source may give
        self._is_stale = True
        self._source_is_due = False  # the layer was edited: read it again at the next tick
        self._is_told = False
        self._building = False
        self._crowds: list[Any] = []
        self._spare: list[Any] = []  # crowds of the world whose node left
        self._cost = TickCost()
        self._record: TickRecord | None = None
        self._report: game_reports.MapReport | None = None
        self._units_at_start = 0
        self._recording_start: list[tuple[Any, Any, npt.NDArray[np.float32], npt.NDArray[np.bool_]]] = []

    def _commanded_map(self) -> Any:
        return self

    # --- what the subclasses say

    def _reading_steps(self) -> Generator[float, None, MapContent]:
        """Read the costs in steps that give the part that is read; NodeError and the core's errors say what is wrong."""
        raise NotImplementedError

    def _read_source(self) -> MapContent:
        """The same at once."""
        return run_through(self._reading_steps())

    def _make_plane(self, content: MapContent) -> TilePlane:
        """The plane after `tile_size` or `origin` changed."""
        raise NotImplementedError

    def _layer(self) -> Any:
        """The TileMapLayer or GridMap; None if there is none."""
        raise NotImplementedError

    def _cell_problem(self) -> str:
        """What is wrong with the layer or grid map; empty if nothing."""
        raise NotImplementedError

    # --- life

    def _enter_tree(self) -> None:
        super()._enter_tree()
        job_sharing.enter_map(self)
        map_monitors.enter_map(self)

    def _exit_tree(self) -> None:
        super()._exit_tree()
        job_sharing.leave_map(self)
        map_monitors.leave_map(self)

    def _ready(self) -> None:
        self.set_physics_process(not is_editor())
        if is_editor():
            return
        if not self._crowds:
            self._world_or_none()
        for waiting in list(_waiting_crowds):
            waiting._look_for_map()

    def _physics_process(self, delta: float) -> None:
        self._tick(delta)

    def _get_configuration_warnings(self) -> list[str]:
        problem = self._source_problem() or self._read_problem
        return [problem] if problem else []

    def validate_property(self, info: Any) -> None:
        """Show what the chosen source uses."""
        wanted = _PROPERTY_SOURCES.get(info.name)
        if wanted is not None and int(self.cost_source) not in wanted:
            info.usage &= ~4  # PROPERTY_USAGE_EDITOR: hidden, still stored
        if info.name in ("tile_size", "origin") and int(self.cost_source) == self.LAYER:
            info.usage &= ~4

    def _source_changed(self) -> None:
        self._is_stale = True
        self._is_told = False
        if is_editor():
            self._show_in_editor()

    def _show_in_editor(self) -> None:
        """A property changed: warn, and draw anew where there is something to draw."""
        self._source_serial += 1
        self.update_configuration_warnings()
        if self._drawn is not None:
            self._drawn.note_source()

    def _source_kind_changed(self) -> None:
        self._listen_to_source()
        self._source_changed()
        self.notify_property_list_changed()

    def _threads_changed(self) -> None:
        if self._world is not None:
            project_settings.use_threads(self.threads)

    def _plane_changed(self) -> None:
        """Tiles moved or grew: agents keep their tiles."""
        if is_editor():
            self._show_in_editor()
        content = self._content
        if content is None or self._is_stale:
            return
        plane = self._make_plane(content)
        if not is_usable(plane):
            tell(self, NodeError(self._source_problem() or "tiles have no area"))
            return
        self._content = MapContent(content.cost, plane, content.first_cell, content.goal)
        for crowd in list(self._crowds):
            crowd._plane_changed()

    # --- the world

    def _source_problem(self) -> str:
        """What is wrong with the properties, and what to do; empty if nothing."""
        source = int(self.cost_source)
        columns, rows = self.size
        if source in (self.CODE, self.GENERATOR) and not (1 <= columns <= LARGEST_SIDE and 1 <= rows <= LARGEST_SIDE):
            return f"The size must be 1 to {LARGEST_SIDE} tiles a side, it is {columns} x {rows}: set `size`."
        if source == self.GENERATOR and not (48 <= columns <= 8192 and 48 <= rows <= 8192):
            return f"Generated maps have 48 to 8192 tiles a side, the size is {columns} x {rows}: set `size`."
        if source == self.IMAGE and self.cost_image is None:
            return "The costs come from an image, but there is none: assign `cost_image`."
        if source == self.MAP_FILE and not self.map_file:
            return "The costs come from a .map file, but there is none: choose `map_file`."
        if source == self.MAP_FILE and not map_file_exists(self.map_file):
            return f"There is no file {self.map_file}: choose another `map_file`."
        if source == self.BAKED and self.baked_map is None:
            return (
                "The costs come from a baked map, but there is none: paint with the brush above the view, or assign `baked_map`."
            )
        if source == self.BAKED and self.baked_map.problem():
            return f"`baked_map`: {self.baked_map.problem()}. Bake or paint it anew, or assign another one."
        if source == self.LAYER:
            return self._cell_problem()
        return self._class_problem()

    def _common_source_steps(self) -> Generator[float, None, tuple[npt.NDArray[np.uint8], tuple[int, int] | None]]:
        """Costs of the sources that both planes have, and a suggested goal; in steps."""
        source = int(self.cost_source)
        columns, rows = self.size
        made: GeneratedMap | None = None
        goal: tuple[int, int] | None = None
        if source == self.BAKED:
            cost = self.baked_map.costs().copy()
        elif source == self.IMAGE:
            cost = yield from picture_reading.cost_steps(self.cost_image)
        elif source == self.MAP_FILE:
            cost = yield from map_file_steps(self.map_file)
        elif source == self.GENERATOR:
            made = generate_map(self.GeneratorKind(self.generator_kind).name.lower(), columns, rows, self.generator_seed)
            cost = made.cost
            goal = (int(made.goals[0][0]), int(made.goals[0][1])) if len(made.goals) else None
        else:
            cost = np.full((rows, columns), max(0, min(self.fill_cost, 255)), dtype=np.uint8)
        self._generated = made
        return cost, goal

    def _generated_content(self, made: GeneratedMap) -> MapContent:
        """A generated map as the source would give it."""
        content = MapContent(made.cost, TilePlane((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
        return MapContent(made.cost, self._make_plane(content))

    def _build(self) -> None:
        """Make the world anew; where that fails the old one stays, and the reason is kept."""
        self._is_stale = self._source_is_due = False
        problem = self._source_problem()
        if problem:
            raise NodeError(problem)
        project_settings.use_library()
        content = self._read_source()
        if not is_usable(content.plane):
            raise NodeError("tiles must have an area: set `tile_size` to more than zero")
        project_settings.use_threads(self.threads)
        world = self._new_world(self.seed)
        if self.is_inside_tree():
            world.job_budget = job_sharing.budget()
        world.set_grid(TileGrid(content.cost))
        self._world, self._content = world, content
        self._spare.clear()
        for crowd in list(self._crowds):
            crowd._join(restart=True)
        for node in list(self._obstacle_nodes):
            node._lay_again()
        self._changed(0, 0, content.cost.shape[1], content.cost.shape[0])

    def _world_or_none(self) -> World | None:
        """The world, made anew if a property changed; None where that is not possible (told once)."""
        if self._is_stale and not self._building:
            self._building = True
            try:
                self._build()
                self._problem = ""
            except USER_ERRORS as error:
                self._problem = str(error)
                tell(self, error)
            finally:
                self._building = False
        return self._world

    def _need_world(self) -> World:
        world = self._world_or_none()
        if world is None:
            raise NodeError(f"there is no map: {self._problem}")
        return world

    def _need_grid(self) -> TileGrid:
        grid = self._need_world().grid
        assert grid is not None
        return grid

    @property
    def _plane(self) -> TilePlane:
        self._need_world()
        assert self._content is not None
        return self._content.plane

    def _changed(self, x: int, y: int, columns: int, rows: int) -> None:
        if self._drawn is not None:
            self._drawn.note_edit(x, y, columns, rows)
        self.map_changed.emit(Rect2i(Vector2i(x, y), Vector2i(columns, rows)))

    def _note_source_edit(self) -> None:
        """The layer or grid map says that it changed; it may say so often in a frame."""
        self._source_is_due = True
        if self._world is None:  # what was wrong with it may be right now
            self._is_stale = True
        if is_editor():
            self._show_in_editor()

    def _read_source_again(self) -> None:
        """Take over what changed in the layer: as an edit where it still covers the same tiles, else as a new map."""
        self._source_is_due = False
        world, old = self._world, self._content
        if world is None or old is None or world.grid is None:
            self._is_stale = True
            return
        if self._source_object() is None:  # it was freed: what it gave stays
            return
        problem = self._source_problem()
        if problem:
            raise NodeError(problem)
        content = self._read_source()
        if content.cost.shape != world.grid.cost.shape or content.plane != old.plane:
            self._is_stale = True
            return
        self._content = content
        rows, columns = np.nonzero(content.cost != old.cost)
        if len(rows):
            top, left = int(rows.min()), int(columns.min())
            bottom, right = int(rows.max()) + 1, int(columns.max()) + 1
            self._edit(left, top, content.cost[top:bottom, left:right])

    def _edit(self, x: int, y: int, values: npt.NDArray[np.uint8]) -> bool:
        """Change costs; says so if anything changed."""
        if not self._need_world().edit_cost(x, y, values):
            return False
        self._changed(x, y, values.shape[1], values.shape[0])
        return True

    # --- crowds

    def _add_crowd(self, crowd: Any) -> None:
        if crowd not in self._crowds:
            self._crowds.append(crowd)

    def _drop_crowd(self, crowd: Any) -> None:
        self._crowds = [other for other in self._crowds if other is not crowd]

    # --- the tick

    def _tick(self, delta: float) -> None:
        begin = time.perf_counter_ns()
        kernels = kernel_nanoseconds()
        cost = self._cost
        cost.engine = 0
        if self._source_is_due:
            try:
                self._read_source_again()
            except USER_ERRORS as error:
                tell(self, error)
        world = self._world_or_none()
        if world is None:
            return
        served = world.served_ticks
        if self._bodies.all:
            self._bodies.before_tick(world, delta)
        if delta > 0.0:
            parts = max(1, math.ceil(delta / LONGEST_STEP_SECONDS - 1e-9))
            for _ in range(parts):
                for commander in tuple(self._commanders):
                    commander._before_tick()
                world.step(delta / parts)
        for crowd in tuple(self._crowds):
            crowd._after_tick(delta, cost)
        if self._bodies.all:
            self._bodies.after_tick(world, delta)
        if self._formation_controllers:
            events = world.formations.take_events()
            for controller in tuple(self._formation_controllers):
                controller._after_formations(events)
        if self._commanders:
            finished = world.commands.take_finished()
            for commander in tuple(self._commanders):
                commander._after_tick(finished)
        if world.requests.answers:
            self._hand_out_answers(world)
        if world.served_ticks > served:
            before = time.perf_counter_ns()
            self.field_published.emit(world.queue_length)
            cost.engine += time.perf_counter_ns() - before
        for crowd in tuple(self._crowds):  # last, for the engine's copy of what they fill drives our code out of the cache
            crowd._show_agents(cost)
        cost.kernels = kernel_nanoseconds() - kernels
        cost.total = time.perf_counter_ns() - begin
        if self._record is not None:
            self._record.add(cost)
        game_reports.note_tick(self, world, cost)

    # --- costs

    @method(const=True)
    @told
    def get_map_size(self) -> Vector2i:
        """Tiles in x and y, whatever the source."""
        grid = self._need_grid()
        return Vector2i(grid.width, grid.height)

    @method
    @told
    def set_cost(self, tile: Vector2i, cost: int) -> bool:
        """Set the cost of a tile, 0 (solid) to 255. True if it changed."""
        return self._fill(Rect2i(tile, Vector2i(1, 1)), cost)

    @method
    @told
    def set_cost_rect(self, rect: Rect2i, cost: int) -> bool:
        """Set the cost of all tiles of a rectangle, 0 (solid) to 255; what lies outside the map is left out. True if anything
        changed. (Where movement classes say what each kind of terrain costs, the number is a kind: see set_terrain_rect().)

        Fields are right again in the next tick; one that changes too much is built anew in the background, and the old one
        serves until then. Agents in tiles that turned solid are moved out.
        """
        return self._fill(rect, cost)

    def _fill(self, rect: Rect2i, cost: int) -> bool:
        if not 0 <= cost <= 255:
            raise NodeError(f"a cost is 0 (solid) to 255, got {cost}")
        grid = self._need_grid()
        left, top = max(rect.position.x, 0), max(rect.position.y, 0)
        right = min(rect.position.x + rect.size.x, grid.width)
        bottom = min(rect.position.y + rect.size.y, grid.height)
        if right <= left or bottom <= top:
            return False
        return self._edit(left, top, np.full((bottom - top, right - left), cost, dtype=np.uint8))

    @method
    @told
    def set_costs(self, costs: PackedByteArray, rect: Rect2i = Rect2i()) -> bool:
        """Set the costs of a rectangle (an empty one is the whole map), row by row. True if anything changed."""
        left, top, columns, rows = self._checked_rect(rect)
        if len(costs) != columns * rows:
            raise NodeError(f"{columns} x {rows} tiles need {columns * rows} costs, got {len(costs)}")
        return self._edit(left, top, np.asarray(costs.view()).reshape(rows, columns))

    @method(const=True)
    @told
    def get_costs(self, rect: Rect2i = Rect2i()) -> PackedByteArray:
        """Costs of a rectangle (an empty one is the whole map), row by row, as they were painted or set: obstacles and closed
        doors are not in it. With movement classes the kinds of terrain.
        """
        left, top, columns, rows = self._checked_rect(rect)
        part = self._need_world().kinds[top : top + rows, left : left + columns]
        return PackedByteArray(np.ascontiguousarray(part).reshape(-1))

    def _checked_rect(self, rect: Rect2i) -> tuple[int, int, int, int]:
        grid = self._need_grid()
        (left, top), (columns, rows) = rect
        if columns == 0 and rows == 0:
            return 0, 0, grid.width, grid.height
        if left < 0 or top < 0 or columns < 0 or rows < 0 or left + columns > grid.width or top + rows > grid.height:
            raise NodeError(
                f"the rectangle {columns} x {rows} at ({left}, {top}) does not lie in the map of {grid.width} x "
                f"{grid.height} tiles"
            )
        return left, top, columns, rows

    @method
    @told
    def update_from_source(self) -> None:
        """Read the costs anew from the TileMapLayer, GridMap, image or file. If the size is the same only what differs is
        edited, and crowds walk on; else the map is made anew.

        A TileMapLayer says itself when it was edited; a GridMap, an image or a file does not: call this after changing it.
        """
        self._need_world()
        self._read_source_again()
        self._world_or_none()

    # --- goals

    @method(const=True)
    @told
    def get_suggested_goal(self) -> Vector2i:
        """A goal that much of the map can reach: what the generator suggests (the keep), else the tile nearest to the middle
        of the largest connected part. (-1, -1) if all is solid.
        """
        grid = self._need_grid()
        assert self._content is not None
        if self._content.goal is not None:
            return Vector2i(*self._content.goal)
        counts = np.bincount(grid.components().reshape(-1))
        if len(counts) < 2:
            return Vector2i(-1, -1)
        largest = int(np.argmax(counts[1:])) + 1
        found = grid.nearest_free(grid.width // 2, grid.height // 2, largest)
        return Vector2i(-1, -1) if found is None else Vector2i(*found)

    # --- what a generator knows of its map besides the costs

    @method(const=True)
    @told
    def get_terrain(self) -> PackedByteArray:
        """GENERATOR: what each tile is, row by row, for those who draw the map (0 plain, 1 road, 2 forest, 3 floor, 4 gate, 5
        water, 6 rock, 7 wall, 8 building, 9 thicket); as generated, edits are not in it. Empty for other sources.
        """
        self._need_world()
        return PackedByteArray() if self._generated is None else PackedByteArray(self._generated.terrain.reshape(-1))

    @method(const=True)
    @told
    def get_goal_tiles(self) -> list[Any]:
        """GENERATOR: the tiles that a horde would go for; other sources: get_suggested_goal() alone."""
        self._need_world()
        if self._generated is None:
            return [self.get_suggested_goal()]
        return [Vector2i(int(x), int(y)) for x, y in self._generated.goals]

    @method(const=True)
    @told
    def get_spawn_areas(self) -> list[Any]:
        """GENERATOR: rectangles of tiles where a horde would come from. Empty for other sources."""
        self._need_world()
        if self._generated is None:
            return []
        return [
            Rect2i(Vector2i(int(x), int(y)), Vector2i(int(columns), int(rows)))
            for x, y, columns, rows in self._generated.spawn_areas
        ]

    # --- places

    @method(const=True)
    @told
    def tile_to_cell(self, tile: Vector2i) -> Vector2i:
        """Coordinates that the TileMapLayer or GridMap has for a tile; other sources have none, the tile is given back."""
        self._need_world()
        return self._cell_of(tile)

    @method(const=True)
    @told
    def cell_to_tile(self, cell: Vector2i) -> Vector2i:
        """Tile of a cell of the TileMapLayer or GridMap; it may lie outside the map. Other sources: the cell is given back."""
        self._need_world()
        return self._tile_of_cell(cell)

    def _cell_of(self, tile: Vector2i) -> Vector2i:
        assert self._content is not None
        first = self._content.first_cell
        return Vector2i(tile.x + first[0], tile.y + first[1])

    def _tile_of_cell(self, cell: Vector2i) -> Vector2i:
        assert self._content is not None
        first = self._content.first_cell
        return Vector2i(cell.x - first[0], cell.y - first[1])

    # --- the run

    @method(const=True)
    def get_problems(self) -> list[Any]:
        """What the configuration warnings say, as strings; empty if all is well."""
        return list(self._get_configuration_warnings())

    @method(const=True)
    def get_crowds(self) -> list[Any]:
        """Crowds on this map, in the order in which they joined."""
        return list(self._crowds)

    @method
    @told
    def finish_builds(self) -> None:
        """Build all fields that wait, now. For loading screens and tests: in play they are built in the background, a share
        each tick.
        """
        self._need_world().finish_builds()

    @method(const=True)
    @told
    def get_tick(self) -> int:
        """Ticks done since the map was made."""
        return self._need_world().tick

    @method(const=True)
    @told
    def get_state_hash(self) -> str:
        """Hash of the whole state: equal for equal runs, on any number of threads."""
        return self._need_world().state_hash()

    @method(const=True)
    def get_stats(self) -> dict[str, Any]:
        """Figures of the last tick: tick_ms (all of it), kernels_ms, engine_ms (calls into the engine, signal handlers
        included), python_ms (the rest), and tick, agents, arrived, jobs_queued, threads, threads_used, backend.
        """
        world, cost = self._world, self._cost
        return {
            "tick_ms": cost.total * 1e-6,
            "kernels_ms": cost.kernels * 1e-6,
            "engine_ms": cost.engine * 1e-6,
            "python_ms": cost.python * 1e-6,
            "tick": 0 if world is None else world.tick,
            "agents": 0 if world is None else world.agent_count,
            "arrived": 0 if world is None else sum(crowd.arrived_count for crowd in world.crowds),
            "jobs_queued": 0 if world is None else world.queue_length,
            "threads": get_threads(),
            "threads_used": stats().threads_used,
            "backend": backend_in_use(),
        }

    @method
    @told
    def start_recording(self, ticks: int) -> None:
        """Record what the next ticks cost, the last `ticks` of them, for get_report(). Memory is set aside now."""
        if not 1 <= ticks <= 100_000_000:
            raise NodeError(f"a recording takes 1 to 100,000,000 ticks, got {ticks}")
        world = self._need_world()
        self._record = TickRecord(ticks)
        self._units_at_start = world.agent_count
        self._recording_start = [(world, crowd, crowd.positions.copy(), crowd.alive.copy()) for crowd in world.crowds]
        reset_stats()

    @method(const=True)
    @told
    def get_report(self) -> dict[str, Any]:
        """Figures of the recording: units, arrived, ticks, tick_ms_p50, tick_ms_p99, tick_ms_max, python_ms_p99, hash (of the
        state now), threads, threads_used, backend, moved (agents that left their place or arrived), versions.
        """
        record = self._record
        if record is None:
            raise NodeError("get_report() needs a recording: call start_recording(ticks) first")
        world = self._need_world()
        return {
            "units": self._units_at_start,
            "arrived": sum(crowd.arrived_count for crowd in world.crowds),
            "ticks": record.ticks,
            **record.milliseconds(),
            "hash": world.state_hash(),
            "threads": get_threads(),
            "threads_used": stats().threads_used,
            "backend": backend_in_use(),
            "moved": self._moved(),
            "versions": {
                "pynav": pynav.__version__,
                "godot": str(singleton("Engine").get_version_info()["string"]),
                "python": platform.python_version(),
                "numpy": np.__version__,
            },
        }

    def _moved(self) -> int:
        """Agents of the recording's start that are gone or stand elsewhere by more than a tenth of a tile."""
        moved = 0
        for world, crowd, start, alive in self._recording_start:
            if world is not self._world:
                continue
            count = len(start)
            now, there = crowd.positions[:count], crowd.alive[:count]
            far = np.square(now - start).sum(axis=1) > 0.01
            moved += int(np.count_nonzero(alive & (far | ~there)))
        return moved

    @method(const=True)
    @told
    def save_state(self) -> PackedByteArray:
        """The whole state of the simulation (map, crowds, fields being built) for restore_state(); properties and nodes are
        not part of it.
        """
        save = getattr(self._need_world(), "save", None)
        if save is None:
            raise NodeError("this version of pynav cannot save its state")
        return PackedByteArray(np.frombuffer(save(), dtype=np.uint8))

    @method
    @told
    def restore_state(self, state: PackedByteArray) -> bool:
        """Go back to a saved state; the run then goes on bit by bit as it did. False, with the reason told and nothing
        changed, for bytes that don't fit.
        """
        world = self._need_world()
        restore = getattr(world, "restore", None)
        if restore is None:
            raise NodeError("this version of pynav cannot restore a state")
        restore(np.asarray(state.view()).tobytes())
        for crowd in list(self._crowds):
            crowd._restored()
        self._restore_obstacles()
        grid = self._need_grid()
        self._changed(0, 0, grid.width, grid.height)
        return True


_waiting_crowds: list[Any] = []  # crowds in the tree that have found no map yet
_PROPERTY_SOURCES = {
    "size": (FlowFieldMap.CODE, FlowFieldMap.GENERATOR),
    "fill_cost": (FlowFieldMap.CODE,),
    "cost_image": (FlowFieldMap.IMAGE,),
    "map_file": (FlowFieldMap.MAP_FILE,),
    "generator_kind": (FlowFieldMap.GENERATOR,),
    "generator_seed": (FlowFieldMap.GENERATOR,),
    "baked_map": (FlowFieldMap.BAKED,),
    "tile_map_layer": (FlowFieldMap.LAYER,),
    "cost_layer_name": (FlowFieldMap.LAYER,),
    "terrain_layer_name": (FlowFieldMap.LAYER,),
    "grid_map": (FlowFieldMap.LAYER,),
    "grid_map_floor": (FlowFieldMap.LAYER,),
    "item_costs": (FlowFieldMap.LAYER,),
    "region": (FlowFieldMap.LAYER,),
    "empty_cost": (FlowFieldMap.LAYER,),
}
