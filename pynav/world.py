"""The world: owns all state of a simulation; ``step`` lists the phases of a tick in order.

Threads. The world belongs to one thread, the one that calls it. Its kernels run in fixed blocks on the native pool; a block
writes only its own agents' slots and reads what the phase before has left, so results depend neither on the number of threads
nor on their order. No clock is read. Work that takes longer than a tick (fields) is published on a tick that is fixed when it
begins.

Units. Positions are in tiles, (0, 0) the top left corner of the map, y down; arrays of tiles are [y, x].
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pynav import world_state
from pynav.commands.commands import Commands
from pynav.crowd import _agent_table_kernels as table_kernels
from pynav.crowd import _body_kernels as body_kernels
from pynav.crowd.agent_layout import (
    ANCHOR_OFFSET,
    ARRIVE_RADIUS,
    GROUP,
    HALF_SIZE,
    HAS_GOAL,
    IDLE,
    LAYER,
    MEMBERS,
    ON_ARRIVAL,
    ON_ARRIVAL_REMOVE,
    ON_ARRIVAL_STOP,
    PATIENCE,
    POSITION_X,
    POSITION_Y,
    REACH,
    REMOVED,
    REST_STATUS,
    SPEED,
    STATUS,
    TARGET,
    VELOCITY_X,
    VELOCITY_Y,
    WALKING,
    WALL_RADIUS,
    WISH_X,
    WISH_Y,
)
from pynav.crowd.agent_queries import AgentQueries
from pynav.crowd.agent_table import AgentTable
from pynav.crowd.bodies import Bodies
from pynav.crowd.buildings import Buildings
from pynav.crowd.crowd import Crowd
from pynav.crowd.crowd_profile import LARGEST_RADIUS, LARGEST_SPEED, SMALLEST_RADIUS, CrowdProfile, checked_size, in_range
from pynav.crowd.crowd_table import CrowdTable
from pynav.crowd.errors import GoalError, PlacementError, SnapshotError, WorldError
from pynav.crowd.flow_table import no_groups
from pynav.crowd.foes import Foes
from pynav.crowd.group_table import GroupTable, LayerKey
from pynav.crowd.move_passes import MovePasses
from pynav.crowd.movement import Movement
from pynav.crowd.orders import Orders
from pynav.crowd.pace import Pace
from pynav.crowd.placement import checked_positions, spread_positions
from pynav.crowd.random_numbers import unit_array
from pynav.crowd.unit_handles import MOST_CROWDS, UnitIndex
from pynav.formations.formation_orders import FormationOrders
from pynav.grid import TileGrid
from pynav.grid.clearance import anchor_offset, foothold
from pynav.grid.connectivity import Connectivity
from pynav.grid.movement_class import class_index
from pynav.grid.terrain import Terrain
from pynav.jobs import CacheCounts
from pynav.kernels import set_threads
from pynav.sectors.block_layout import block_counts
from pynav.snapshot import pack, unpack
from pynav.world_formations import WorldLand
from pynav.world_map import WorldMap

SUBSTEP_TILES = 0.25  # no agent walks farther in one pass over the contacts
SUBSTEP_LIMIT = 8
_SPEED_STREAM = 0x59EED


class World(WorldMap):
    """One map, its flows, and the agents of all crowds on it.

    Parameters
    ----------
    threads
        Threads that run kernels (the pool is shared by the process); None leaves the pool as it is.
    seed
        Any integer; decides where agents are placed, how fast each is, and its random number for drawing.

    Notes
    -----
    Deterministic: the same calls in the same order give the same bits on any number of threads and any kernel backend.
    """

    def __init__(self, threads: int | None = None, seed: int = 0) -> None:
        super().__init__()
        if threads is not None:
            set_threads(threads)
        self._seed = int(seed) & 0x7FFFFFFF
        self._table = AgentTable()
        self._crowds = CrowdTable()
        self._units = UnitIndex(self._table, self._crowds)
        self._agent_queries = AgentQueries(self._table, self._crowds, self._units)
        self._groups = GroupTable()
        self._own_group: list[int] = []  # of each crowd: what its agents follow that no command has
        self._profiles: list[CrowdProfile] = []
        self._orders = Orders(self._table, self._crowds, self._groups, self._group_connectivity, self._group_points)
        self._handles: list[Crowd] = []
        self._commands = Commands(self)
        self._bodies = Bodies(self)
        self._movement = Movement()
        self._buildings = Buildings()
        self._foes = Foes(self._table, self._crowds, self._groups, self._units, self._buildings)
        self._formations = FormationOrders(self._table, self._crowds, WorldLand(self))
        self._move_passes = MovePasses(self._table, self._movement, (self._formations, self._foes))
        self._placed_revision = 0
        self._tested_revision = (-1, -1)
        self._largest_radius = 0.0
        self._largest_speed = 0.0
        self._pace = Pace()
        self._exported = False
        self.served_ticks = 0  # in which some of the work on flows that waited was done; no part of the state

    # --- the map

    @property
    def seed(self) -> int:
        """The seed, 0..2**31 - 1."""
        return self._seed

    @property
    def tick(self) -> int:
        """Ticks done."""
        return self._tick

    def set_grid(self, grid: TileGrid) -> None:
        """Give the world its map, or another one.

        On another map of the same size agents keep their places (those in solid tiles are moved out) and their goals; of another
        size all agents must have been removed first, and goals are cleared.

        Raises WorldError if agents are there and the size differs, or if the grid has closed exits (see ``add_one_way``).
        """
        old = self.grid
        if grid.has_one_way and grid is not old:
            raise WorldError("a world's map is given without closed exits: add_one_way closes them")
        if old is not None and old.cost.shape == grid.cost.shape:
            self._take_terrain(Terrain(grid.cost, self._classes), grid)
            return
        if self.agent_count:
            assert old is not None
            raise WorldError(
                f"a map of another size needs a world without agents: the map is {old.cost.shape[::-1]}, "
                f"the new one {grid.cost.shape[::-1]}, and {self.agent_count} agents are there"
            )
        self._table.count = 0
        self._commands.forget_all()
        self._new_map(grid)
        self._agent_queries.fit(grid.width, grid.height)
        self._buildings.fit(grid.width, grid.height)
        assert self._flows is not None
        self._orders.take_map(self._flows)
        for index in range(len(self._profiles)):
            self._give_layer(index)

    def _classes_in_use(self) -> int:
        crowds = max((profile.movement_class + 1 for profile in self._profiles), default=1)
        return max(crowds, self._obstacles.class_count)

    # --- crowds

    @property
    def crowds(self) -> tuple[Crowd, ...]:
        """All crowds, in the order in which they were added."""
        return tuple(self._handles)

    @property
    def agent_count(self) -> int:
        """Agents of all crowds."""
        return sum(self._crowds.agent_count(index) for index in range(self._crowds.crowd_count))

    @property
    def queue_length(self) -> int:
        """Flows that wait to be built or are being built."""
        return 0 if self._flows is None else self._flows.waiting_count

    def add_crowd(
        self,
        count: int = 0,
        speed: float = 3.0,
        radius: float = 0.3,
        *,
        arrive_radius: float = 0.5,
        on_arrival: str = "stop",
        speed_variation: float = 0.1,
        area: tuple[int, int, int, int] | None = None,
        movement_class: str = "",
        size: int = 0,
        cohesion: bool = True,
    ) -> Crowd:
        """Add a crowd, with ``count`` agents spread over the free tiles (of ``area``: x, y, width, height).

        Parameters
        ----------
        speed
            Top speed, tiles a second, 0..1000; a tick is divided where somebody would walk over a quarter of a tile.
        radius
            Of an agent, tiles, 0.05..4. The neighbour grid's cells grow with the largest radius of all: one crowd of giants slows
            down a dense crowd of small ones. Against walls 0.05 less than half the tiles of its size counts at most, so that
            nobody is wedged in a gap that it is sent through.
        arrive_radius
            Distance to the goal, tiles, that counts as arrived.
        on_arrival
            "stop" or "remove".
        speed_variation
            0..0.5: part of the speed by which agents differ at most.
        movement_class
            Name of the class that says what the map costs it; empty: the first one.
        size
            Tiles a side that an agent needs free, 1..5; 0: the least that its diameter fits in (five at most).
        cohesion
            Whether agents that stand together go together (``Crowd.cohesion``).

        Raises
        ------
        WorldError (ValueError) with the value that is out of range; GridError for a class that is not there;
        PlacementError if no tile is free.
        """
        speed = in_range("speed", speed, 0.0, LARGEST_SPEED)
        radius = in_range("radius", radius, SMALLEST_RADIUS, LARGEST_RADIUS)
        variation = in_range("speed_variation", speed_variation, 0.0, 0.5)
        arrive_radius = in_range("arrive_radius", arrive_radius, 0.0, 1000.0)
        if on_arrival not in ("stop", "remove"):
            raise WorldError(f"on_arrival is 'stop' or 'remove', got {on_arrival!r}")
        if self._crowds.crowd_count == MOST_CROWDS:
            raise WorldError(f"a world has at most {MOST_CROWDS} crowds")
        class_number = class_index(self._classes, movement_class)
        size = checked_size(size)
        index = self._crowds.add_crowd()
        self._profiles.append(CrowdProfile(speed, radius, variation, class_number, size))
        self._own_group.append(self._groups.add(self._profiles[index].layer_key, 0))
        self._orders.add_group(self._own_group[index], cohesion)
        self._give_layer(index)
        self._crowds.settings[ARRIVE_RADIUS, index] = arrive_radius
        self._groups.settings[REACH, self._own_group[index]] = arrive_radius
        self._crowds.numbers[ON_ARRIVAL, index] = ON_ARRIVAL_REMOVE if on_arrival == "remove" else ON_ARRIVAL_STOP
        self._largest_radius = max(self._largest_radius, radius)
        self._largest_speed = max(self._largest_speed, speed * (1.0 + variation))
        crowd = Crowd(self, index)
        self._handles.append(crowd)
        if count:
            crowd.spawn_in(count, area)
        return crowd

    def _give_layer(self, index: int) -> bool:
        """Note which layer a crowd walks on, and what kernels need to know of it; whether it is another one than before."""
        profile, crowds = self._profiles[index], self._crowds
        crowds.settings[ANCHOR_OFFSET, index] = profile.offset
        crowds.settings[WALL_RADIUS, index] = profile.wall_radius
        crowds.settings[HALF_SIZE, index] = (profile.size - 1) / 2
        before = int(crowds.numbers[LAYER, index])
        number = 0 if self._layers is None else self._crowd_layer(profile.layer_key)
        crowds.numbers[LAYER, index] = number
        own = self._own_group[index]
        self._groups.layer_key[own], self._groups.layer[own] = profile.layer_key, number
        return number != before

    def _change_layer(self, index: int) -> None:
        """The size or class of a crowd changed: where that makes another layer of it, its goal is sought there anew."""
        if not self._give_layer(index):
            return
        self._walls_changed = True  # who doesn't fit where it stands is moved
        self._placed_revision += 1
        self._push_out_of_walls()
        self._orders.seek_anew(self._own_group[index], self._tick)
        self._commands.layer_changed(index)

    def _grid_of(self, index: int) -> TileGrid:
        """The tiles as a crowd sees them."""
        return self._layer(self._profiles[index].layer_key).grid

    def _connectivity_of(self, index: int) -> Connectivity:
        """What is connected for a crowd."""
        return self._layer(self._profiles[index].layer_key).connectivity

    def _layer_points(self, index: int, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Places (n, 2) among the tiles of a crowd's layer."""
        return self._points_on(self._profiles[index].layer_key, points)

    def _group_connectivity(self, group: int) -> Connectivity:
        """What is connected for a group."""
        layer_key = self._groups.layer_key[group]
        assert layer_key is not None
        return self._layer(layer_key).connectivity

    def _group_points(self, group: int, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Places (n, 2) among the tiles of a group's layer."""
        layer_key = self._groups.layer_key[group]
        assert layer_key is not None
        return self._points_on(layer_key, points)

    def _points_on(self, layer_key: LayerKey, points: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Places (n, 2) among the tiles of a layer.

        Where an agent could stand but for its size, it is the nearest place where it fits: whoever is sent to a tile beside a
        wall gets as near as it can.
        """
        movement_class, size = layer_key
        if size == 1:
            return points
        found = np.asarray(np.maximum(points - np.float32(anchor_offset(size)), np.float32(0.0)), dtype=np.float32)
        grid, ground = self._layer(layer_key).grid, self._layer((movement_class, 1)).grid
        tiles = found.astype(np.int64)
        for place in np.flatnonzero(grid.cost[tiles[:, 1], tiles[:, 0]] == 0).tolist():
            fitting = foothold(grid, ground, size, (int(tiles[place, 0]), int(tiles[place, 1])))
            if grid.is_free(*fitting):
                found[place] = np.array(fitting, dtype=np.float32) + np.float32(0.5)
        return found

    # --- formations

    @property
    def formations(self) -> FormationOrders:
        """Orders to go to, and to stand in, the slots of a formation."""
        return self._formations

    # --- buildings and bodies of the game

    @property
    def buildings(self) -> Buildings:
        """Rectangles of tiles that attacking units go for like agents."""
        return self._buildings

    @property
    def bodies(self) -> Bodies:
        """Bodies that the game moves by itself, among the agents."""
        return self._bodies

    def drive_bodies(self, index: int, body: npt.NDArray[np.float32]) -> None:
        """See ``Bodies.drive``: rows of ``_body_kernels`` by id."""
        self._table.run_over(body_kernels.drive_bodies, body, index)
        self._exported = False
        self._agent_queries.note_change()

    def safe_velocities(self, index: int, want: npt.NDArray[np.float32], dt: float) -> npt.NDArray[np.float32]:
        """See ``Bodies.safe_velocities``: rows of ``_body_kernels`` by id."""
        self._bind()
        table, movement = self._table, self._movement
        safe = np.zeros((len(want), 2), dtype=np.float32)
        if table.row_count and self._tick:
            table.run_over(
                body_kernels.find_safe_velocities, movement.neighbours, movement.neighbour_count, table.cell_start, want, safe,
                index, table.rows_per_tile, table.columns_per_tile, table.row_count, table.column_count, 1.0 / dt,
            )  # fmt: skip
        return safe

    # --- the tick

    @property
    def large_world_agents(self) -> int:
        """Agents, 0 or more, beyond which a world is large: 20,000 by default.

        In a large world each agent looks round half as often, and two ticks share the work of a move (pace.py): a tick costs a
        good deal less, and in dense places discs overlap farther. Part of the state: other numbers give other results.
        WorldError for a negative number, or one that isn't whole.
        """
        return self._pace.large_world_agents

    @large_world_agents.setter
    def large_world_agents(self, count: int) -> None:
        if not isinstance(count, int) or count < 0:
            raise WorldError(f"large_world_agents must be a whole number of at least 0, got {count!r}")
        self._pace.large_world_agents = count

    def step(self, dt: float) -> None:
        """Advance by ``dt`` seconds, 0..1; 0 changes nothing.

        In order: push out of walls, flows, then as one sequence of kernels sort, wanted blocks, steering, contacts, the move and
        the arrivals. A tick is divided into equal parts where the fastest agent would walk over a quarter of a tile
        (at most eight). Last, questions that wait are worked on (``requests``).

        Raises WorldError for a negative, too large or not finite dt, or without a map.
        """
        # Each call into code that left the cache costs 2 or 3 us, so phases with nothing to do aren't called.
        if type(dt) is not float or not 0.0 < dt <= 1.0:
            dt = in_range("dt", dt, 0.0, 1.0)
        self._require_grid()
        if dt == 0.0:
            return
        if self._walls_changed:
            self._leave_walls()
        self._commands.advance()
        if self._orders.has_news:
            self._restart_agents()
        self._publish_flows()
        if self._formations.formations:
            self._formations.advance(dt)
        if self._foes.may_be_needed or self._groups.attackers:
            self._foes.advance()
        parts = min(max(1, math.ceil(self._largest_speed * dt / SUBSTEP_TILES - 1e-6)), SUBSTEP_LIMIT)
        part = dt / parts
        for _ in range(parts):
            self._move_agents(part)
        self._groups.end_setting_off()
        self._tick += 1
        self._exported = False
        self._agent_queries.note_change()
        if not self._requests.is_at_rest:
            self._requests.advance(self.job_budget.query_units)

    def kept_directions(self) -> npt.NDArray[np.int32]:
        """For how many goals of crowds the directions of each block of 16 x 16 tiles are there, int32 (rows, columns).

        Asking changes nothing. All zeros before a crowd has a goal; WorldError without a map.
        """
        grid = self._require_grid()
        columns, rows = block_counts(grid.width, grid.height)
        if self._flows is None:
            return np.zeros((rows, columns), dtype=np.int32)
        return self._flows.written_blocks().reshape(rows, columns)

    @property
    def cache_counts(self) -> dict[str, CacheCounts]:
        """How often a goal had a flow already (``flows``) and a block of 16 x 16 tiles its distances (``matrices``)."""
        if self._flows is None:
            return {"flows": CacheCounts(), "matrices": CacheCounts()}
        matrices = [layer.graph.matrix_counts for layer in self._flows.layers if layer.is_used]
        return {"flows": self._flows.flow_counts, "matrices": sum(matrices, CacheCounts())}

    def finish_builds(self) -> None:
        """Build and publish every flow that waits, now, and bind all kernels: for loading screens and tests."""
        if self._flows is None:
            return
        walls = self._walls
        assert walls is not None
        self._require_grid()
        self._test_refused()
        for flow in self._flows.finish_all(self._tick, walls.walls):
            self._orders.serve(flow, self._tick)
        self._bind()

    def _publish_flows(self) -> None:
        """Phase 2: look again at crowds that found no way, publication when due, builds that begin, repairs after edits."""
        walls, flows = self._walls, self._flows
        assert walls is not None and flows is not None
        self._test_refused()
        if flows.is_idle:
            self._scheduler.statistics.last_us = 0.0
            return
        waiting = flows.waiting_count
        for flow in flows.advance(self._tick, walls.walls):
            self._orders.serve(flow, self._tick)
        self.served_ticks += flows.waiting_count < waiting

    def _leave_walls(self) -> None:
        """Phase 1, after an edit: agents in tiles that turned solid are moved out. Lists made before count in this tick."""
        if self._pace.has_lists:
            self._bind()
            self._move_passes.list_again()
        self._move_out_of_walls()

    def _push_out_of_walls(self) -> None:
        """The same between two ticks."""
        self._pace.places_changed |= self._move_out_of_walls()

    def _move_out_of_walls(self) -> bool:
        """Whether anybody stood in a tile that turned solid."""
        if not self._walls_changed:
            return False
        assert self._walls is not None
        crowds, table = self._crowds, self._table
        self._movement.reserve(table.capacity)
        self._walls_changed = self._exported = False
        self._agent_queries.note_change()
        return self._walls.push_out(*table.now, self._movement.goals, crowds.numbers, crowds.settings, table.count)

    def _move_agents(self, dt: float) -> None:
        """Phases 3 to 7, one sequence of kernels without Python in between: the sort into cell order without those that left,
        then steering, contacts, the move and the arrivals (``Movement.sequences`` names them in order). In large worlds two ticks
        share them (pace.py).
        """
        self._bind()
        has_bodies = self._bodies.crowd is not None
        self._move_passes.run(self._pace.next_turn(self._tick, dt, self._table.count, self._largest_speed, has_bodies))

    def _bind(self) -> None:
        """Bind the passes again if any array they use was replaced."""
        assert self._walls is not None and self._flows is not None
        self._table.fit(self._walls.shape, self._largest_radius)
        self._move_passes.bind(self._walls, self._flows, self._crowds, self._groups)

    def _restart_agents(self) -> None:
        """Have the agents of groups with new orders set out (or stop)."""
        self._orders.restart_agents()
        self._pace.orders_came |= self._orders.take_departures()

    # --- what crowds ask for (called by Crowd, which documents it)

    def _export(self) -> None:
        """Bring the arrays in agent order up to date, once after each tick or change."""
        if not self._orders.restart_agents() and self._exported:
            return
        self._table.run_over(
            table_kernels.export_agents, self._crowds.numbers, self._crowds.position, self._crowds.velocity,
            self._crowds.heading, self._crowds.status,
        )  # fmt: skip
        self._exported = True

    def _spawn(self, index: int, positions: npt.ArrayLike, snap: bool = False) -> npt.NDArray[np.int32]:
        points = self._checked_positions(index, positions, snap)
        count = len(points)
        profile = self._profiles[index]
        self._table.reserve(self._table.count + count)
        ids = self._crowds.take_ids(index, count)
        part = unit_array(self._seed ^ _SPEED_STREAM, index, profile.spawned + np.arange(count, dtype=np.int64))
        profile.spawned += count
        speeds = np.float32(profile.speed) * (np.float32(1.0) + np.float32(profile.speed_variation) * (2 * part - 1))
        group = self._own_group[index]
        status = WALKING if self._groups.numbers[HAS_GOAL, group] else IDLE
        self._table.append(index, ids, points, speeds.astype(np.float32), profile.radius, status, group)
        self._groups.counters[MEMBERS, group] += count
        self._walls_changed = self._walls_changed or snap or profile.size > 1
        self._pace.rows_changed = True
        self._exported = False
        self._agent_queries.note_change()
        self._placed_revision += 1
        if self._flows is not None:
            self._bind()  # takes the memory that the passes work in, which the next tick shouldn't wait for
        return ids

    def _checked_positions(self, index: int, positions: npt.ArrayLike, allow_solid: bool = False) -> npt.NDArray[np.float32]:
        """Positions in tiles that are free for the crowd's class; who doesn't fit there is moved with the next tick."""
        cost = None if self._layers is None else self._layer((self._profiles[index].movement_class, 1)).grid.cost
        return checked_positions(positions, cost, allow_solid)

    def _spawn_in(
        self,
        index: int,
        count: int,
        area: tuple[int, int, int, int] | None,
        reaching: npt.ArrayLike | None,
    ) -> npt.NDArray[np.int32]:
        if count < 0:
            raise PlacementError(f"count must not be negative, got {count}")
        self._require_grid()
        grid = self._grid_of(index)
        allowed = grid.cost != 0
        goal = self._orders.goal[self._own_group[index]] if reaching is None else self._tile_centres(index, reaching)
        if goal is not None:
            labels = self._connectivity_of(index).all_roots()
            tiles = self._layer_points(index, goal).astype(np.int64)
            wanted = labels[tiles[:, 1], tiles[:, 0]]
            if count > 0 and not wanted.any():
                raise PlacementError(f"the goal lies in a solid tile ({tiles[0, 0]}, {tiles[0, 1]}): no place leads there")
            allowed &= np.isin(labels, sorted(self._connectivity_of(index).leading_to(wanted.tolist())))
        if area is not None:
            x, y, width, height = area
            inside = np.zeros_like(allowed)
            inside[max(y, 0) : max(y + height, 0), max(x, 0) : max(x + width, 0)] = True
            allowed &= inside
        profile = self._profiles[index]
        stream = (index << 20) + profile.spawned
        points = spread_positions(allowed, count, profile.wall_radius, self._seed, stream)
        return self._spawn(index, points + np.float32(profile.offset))

    def _remove(self, index: int, ids: npt.ArrayLike) -> int:
        wanted = np.unique(np.asarray(ids, dtype=np.int32).reshape(-1))
        slots = self._crowds.slot_count[index]
        wanted = wanted[(wanted >= 0) & (wanted < slots)]
        wanted = wanted[self._crowds.alive[self._crowds.slots(index)][wanted] != 0]
        if len(wanted):
            _, tags = self._table.now
            columns = self._table.columns_of(index, wanted)
            tags[STATUS, columns] = REMOVED
            np.subtract.at(self._groups.counters[MEMBERS], tags[GROUP, columns], 1)
            self._crowds.drop_ids(index, wanted)
            self._pace.rows_changed = True
            self._exported = False
            self._agent_queries.note_change()
        return len(wanted)

    def _set_positions(self, index: int, ids: npt.ArrayLike, positions: npt.ArrayLike) -> None:
        wanted = np.asarray(ids, dtype=np.int32).reshape(-1)
        points = self._checked_positions(index, positions)
        if len(points) != len(wanted):
            raise PlacementError(f"{len(wanted)} ids need as many positions, got {len(points)}")
        slots = self._crowds.slots(index)
        alive = self._crowds.alive[slots]
        bad = np.flatnonzero((wanted < 0) | (wanted >= len(alive)))
        if not len(bad):
            bad = np.flatnonzero(alive[wanted] == 0)
        if len(bad):
            raise PlacementError(f"id {wanted[bad[0]]} holds no agent")
        if not len(wanted):
            return
        columns = self._table.columns_of(index, wanted)
        values, _ = self._table.now
        values[POSITION_X, columns] = points[:, 0]
        values[POSITION_Y, columns] = points[:, 1]
        values[VELOCITY_X, columns] = values[VELOCITY_Y, columns] = 0.0
        self._restart(columns)
        self._crowds.fresh[slots][wanted] = 1
        self._pace.places_changed = True
        self._walls_changed = self._walls_changed or self._profiles[index].size > 1
        self._exported = False
        self._agent_queries.note_change()
        self._placed_revision += 1

    def _restart(self, columns: npt.NDArray[np.int64]) -> None:
        """Have agents, by their columns, set out for what their group is told, or stand."""
        values, tags = self._table.now
        for row in (WISH_X, WISH_Y, PATIENCE):
            values[row, columns] = 0.0
        numbers, groups = self._groups.numbers, tags[GROUP, columns]
        tags[STATUS, columns] = np.where(numbers[HAS_GOAL, groups] != 0, WALKING, numbers[REST_STATUS, groups])
        tags[TARGET, columns] = 0
        self._exported = False
        self._agent_queries.note_change()

    @property
    def unit_index(self) -> UnitIndex:
        """Who is behind handles and slots."""
        return self._units

    def slot_positions(self, slots: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """Where the agents of some slots are, float32 (n, 2), tiles."""
        self._export()
        return self._crowds.position[slots]

    @property
    def agents(self) -> AgentQueries:
        """Questions about who is where."""
        return self._agent_queries

    @property
    def commands(self) -> Commands:
        """Orders to any units."""
        return self._commands

    def _tile_centres(self, index: int, tiles: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Goal tiles as points where a crowd's agents stand on them, in rising order of row and column, each once."""
        cost = self._require_grid().cost
        height, width = cost.shape
        centre = np.float32(0.5 + self._profiles[index].offset)
        one = _single_tile(tiles)
        if one is not None and 0 <= one[0] < width and 0 <= one[1] < height:
            return np.array([one], dtype=np.float32) + centre
        given = np.asarray(tiles)
        if given.size == 0:
            raise GoalError("a goal needs at least one tile")
        if given.dtype.kind not in "iu":
            raise GoalError(f"goal tiles must be integers, got {given.dtype}; for a point use set_goal_point")
        if given.ndim == 1 and given.size == 2:
            given = given.reshape(1, 2)
        if given.ndim != 2 or given.shape[1] != 2:
            raise GoalError(f"goal tiles must have shape (n, 2), got {given.shape}")
        x, y = given[:, 0].astype(np.int64), given[:, 1].astype(np.int64)
        bad = np.flatnonzero((x < 0) | (y < 0) | (x >= width) | (y >= height))
        if len(bad):
            raise GoalError(f"goal tile ({x[bad[0]]}, {y[bad[0]]}) lies outside the map of {width} x {height} tiles")
        flat = np.unique(y * width + x)
        return np.stack([flat % width, flat // width], axis=1).astype(np.float32) + centre

    def _set_goal_tiles(self, index: int, tiles: npt.ArrayLike) -> bool:
        return self._order(index, self._tile_centres(index, tiles))

    def _set_goal_point(self, index: int, x: float, y: float) -> bool:
        height, width = self._require_grid().cost.shape
        if not (math.isfinite(x) and math.isfinite(y) and 0 <= x < width and 0 <= y < height):
            raise GoalError(f"goal point ({x}, {y}) lies outside the map of {width} x {height} tiles")
        point = np.array([[x, y]], dtype=np.float32)
        point[0, 0] = min(point[0, 0], np.nextafter(np.float32(width), np.float32(0)))
        point[0, 1] = min(point[0, 1], np.nextafter(np.float32(height), np.float32(0)))
        return self._order(index, point)

    def _order(self, index: int, points: npt.NDArray[np.float32]) -> bool:
        self._push_out_of_walls()
        return self._orders.order(self._own_group[index], points, self._tick)

    def _goal_of(self, index: int) -> npt.NDArray[np.float32] | None:
        goal = self._orders.goal[self._own_group[index]]
        return None if goal is None else goal.copy()

    def _test_refused(self) -> None:
        """After edits that open a way and placements only: see whether crowds without a way have one now."""
        revision = (self._opening_count, self._placed_revision)
        if revision != self._tested_revision:
            self._tested_revision = revision
            self._push_out_of_walls()
            self._orders.test_refused(self._tick)

    def _set_arrive_radius(self, index: int, tiles: float) -> None:
        tiles = in_range("arrive_radius", tiles, 0.0, 1000.0)
        self._crowds.settings[ARRIVE_RADIUS, index] = tiles
        own = self._own_group[index]
        self._groups.settings[REACH, own] = tiles
        flow = self._orders.flow[own]
        if flow is not None and self._flows is not None:
            self._flows.widen(flow, tiles)

    def _set_speed(self, index: int, speed: float) -> None:
        speed = in_range("speed", speed, 0.0, LARGEST_SPEED)
        profile = self._profiles[index]
        if profile.speed == speed:
            return
        if profile.speed > 0.0:
            factor = np.float32(speed / profile.speed)
            self._table.run_over(table_kernels.resize_crowd, index, factor, profile.radius)
        else:
            values, _ = self._table.now
            values[SPEED, self._table.columns_of(index)] = speed
        profile.speed = speed
        self._measure_profiles()

    def _set_radius(self, index: int, radius: float) -> None:
        radius = in_range("radius", radius, SMALLEST_RADIUS, LARGEST_RADIUS)
        self._profiles[index].radius = radius
        self._table.run_over(table_kernels.resize_crowd, index, 1.0, radius)
        self._pace.rows_changed = True
        self._measure_profiles()
        self._change_layer(index)

    def _set_size(self, index: int, size: int) -> None:
        self._profiles[index].fixed_size = checked_size(size)
        self._change_layer(index)

    def _set_movement_class(self, index: int, name: str) -> None:
        self._profiles[index].movement_class = class_index(self._classes, name)
        self._change_layer(index)

    def _measure_profiles(self) -> None:
        profiles = self._profiles
        self._largest_radius = max((profile.radius for profile in profiles), default=0.0)
        self._largest_speed = max((p.speed * (1.0 + p.speed_variation) for p in profiles), default=0.0)

    # --- state

    def state_hash(self) -> str:
        """Hash of the canonical state (32 hexadecimal digits): seed, tick, costs, goals, and all agents in agent order.

        Equal for equal states whatever the order of agents in memory; equal on every number of threads and kernel backend.
        """
        return world_state.state_hash(self)

    def save(self) -> bytes:
        """The whole state as bytes; a world restored from them goes on with the same bits, on any number of threads.

        Builds of flows in progress are included. Arrays in agent order keep nothing for ids without an agent.
        """
        return pack(*world_state.collect(self))

    def restore(self, data: bytes) -> None:
        """Become the world that was saved.

        Handles of crowds stay valid where the restored world has a crowd of that index. ``grid`` is another object than before.

        Raises SnapshotError, in words, for bytes that aren't a whole snapshot of this version, or whose contents don't fit one
        another; the world is then as it was. The checksum finds damage; it is no protection against bytes forged with care.
        """
        meta, arrays = unpack(data)
        try:
            loaded = World(seed=meta["seed"])
            world_state.fill(loaded, meta, arrays)
        except (KeyError, IndexError, ValueError, TypeError, AttributeError, AssertionError) as error:
            raise SnapshotError(f"a snapshot whose contents don't fit one another: {error!r}") from error
        handles = self._handles[: loaded._crowds.crowd_count]
        handles += [Crowd(self, index) for index in range(len(handles), loaded._crowds.crowd_count)]
        requests, commands, bodies = self._requests, self._commands, loaded._bodies.crowd
        if self._flows is not None:  # it and the orders name each other: a hundred megabytes that would wait for the collector
            self._flows.groups_of = no_groups
        self.__dict__.update(loaded.__dict__)
        self._requests = requests
        self._commands.belong_to(self, commands)
        self._orders.connectivity_of, self._orders.layer_points = self._group_connectivity, self._group_points  # not the other's
        self._formations.use_land(WorldLand(self))
        self._handles = handles
        self._bodies = Bodies(self, None if bodies is None else handles[bodies.index])


def _single_tile(tiles: npt.ArrayLike) -> tuple[int, int] | None:
    """The tile where one is given as a tuple or a list of plain integers, in a list or alone: by far the most frequent goal."""
    if isinstance(tiles, list | tuple) and len(tiles) == 1:
        tiles = tiles[0]
    if isinstance(tiles, list | tuple) and len(tiles) == 2 and type(tiles[0]) is int and type(tiles[1]) is int:
        return tiles[0], tiles[1]
    return None
