"""A crowd: agents that share a goal, a radius and a way to arrive. A handle on state that the world owns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import (
    ARRIVE_RADIUS,
    ARRIVED,
    ATTACK_RANGE,
    ENEMY_TEAMS,
    ENGAGED,
    FLOW_NONE,
    FLOW_SLOT,
    GROUP,
    HAS_GOAL,
    HOLDING,
    IDLE,
    MASK_LAYERS,
    ON_ARRIVAL,
    ON_ARRIVAL_REMOVE,
    ON_ARRIVAL_STOP,
    REMOVED,
    SIGHT_RADIUS,
    STATUS,
    TEAM,
    UNREACHABLE,
    WALKING,
)
from pynav.crowd.crowd_profile import in_range
from pynav.crowd.errors import WorldError
from pynav.crowd.game_columns import GameColumns
from pynav.crowd.instance_buffer import NO_COLUMNS, DrawnColumns, InstanceFill, bind_buffer_2d, bind_buffer_3d
from pynav.crowd.masks import ALL_BITS, TEAM_COUNT, signed_mask

if TYPE_CHECKING:
    from pynav.world import World

STATUS_IDLE = IDLE
STATUS_WALKING = WALKING
STATUS_ARRIVED = ARRIVED
STATUS_UNREACHABLE = UNREACHABLE
STATUS_HOLDING = HOLDING
STATUS_ENGAGED = ENGAGED
LARGEST_SIGHT_TILES = 40.0

_ARRIVAL_NAMES = {"stop": ON_ARRIVAL_STOP, "remove": ON_ARRIVAL_REMOVE}


class Crowd:
    """Agents of one kind. Made by ``World.add_crowd``.

    Agents have ids 0, 1, 2, ...; an id stays with its agent while it lives, and the lowest free ids are given out again. Arrays
    "in agent order" have one row an id, ``slot_count`` rows in all; ``alive`` tells which rows hold an agent (the others keep
    what their last agent left). All arrays handed out are views that are rewritten when asked for after a tick: copy what must
    last.
    """

    def __init__(self, world: World, index: int) -> None:
        self._world = world
        self._index = index

    # --- who is there

    @property
    def index(self) -> int:
        """Number of the crowd in its world."""
        return self._index

    @property
    def _group(self) -> int:
        """The row of the crowd's own group: of its agents that follow no command."""
        return self._world._own_group[self._index]

    @property
    def count(self) -> int:
        """Agents that are there."""
        return self._world._crowds.agent_count(self._index)

    @property
    def slot_count(self) -> int:
        """Rows of arrays in agent order, and instances a multi-mesh needs: one more than the highest id ever given out."""
        return self._world._crowds.slot_count[self._index]

    @property
    def alive(self) -> npt.NDArray[np.bool_]:
        """(slot_count,) bool: which ids hold an agent."""
        crowds = self._world._crowds
        return crowds.alive[crowds.slots(self._index)].view(np.bool_)

    @property
    def positions(self) -> npt.NDArray[np.float32]:
        """(slot_count, 2) float32, tiles, in agent order."""
        self._world._export()
        crowds = self._world._crowds
        return crowds.position[crowds.slots(self._index)]

    @property
    def velocities(self) -> npt.NDArray[np.float32]:
        """(slot_count, 2) float32, tiles a second, in agent order."""
        self._world._export()
        crowds = self._world._crowds
        return crowds.velocity[crowds.slots(self._index)]

    @property
    def headings(self) -> npt.NDArray[np.float32]:
        """(slot_count, 2) float32 unit vectors in agent order; kept while an agent stands."""
        self._world._export()
        crowds = self._world._crowds
        return crowds.heading[crowds.slots(self._index)]

    @property
    def states(self) -> npt.NDArray[np.int32]:
        """(slot_count,) int32 in agent order: STATUS_IDLE 0, _WALKING 1, _ARRIVED 2, _UNREACHABLE 3, _HOLDING 5,
        _ENGAGED 6."""
        self._world._export()
        crowds = self._world._crowds
        return crowds.status[crowds.slots(self._index)]

    def handles(self, ids: npt.ArrayLike | None = None) -> npt.NDArray[np.int64]:
        """Handles of agents, (n,) int64 in the order of the ids; of all that are there, in rising order of ids, without.

        A handle names one agent for ever: once that is gone no other one has it, although its id is given out again. Commands
        take them (``World.commands``).

        Raises WorldError for an id without an agent.
        """
        alive = self.alive
        wanted = np.flatnonzero(alive) if ids is None else np.asarray(ids, dtype=np.int64).reshape(-1)
        bad = np.flatnonzero((wanted < 0) | (wanted >= len(alive)))
        if not len(bad):
            bad = np.flatnonzero(~alive[wanted])
        if len(bad):
            raise WorldError(f"expected ids of agents that are there, got {int(wanted[bad[0]])}")
        return self._world._units.handles_of(np.full(len(wanted), self._index, dtype=np.int32), wanted.astype(np.int32))

    # --- columns of the game

    @property
    def column_names(self) -> list[str]:
        """Columns that the game added, in that order."""
        return self._columns.names

    @property
    def _columns(self) -> GameColumns:
        return self._world._crowds.columns[self._index]

    def add_column(self, name: str, kind: str = "float", default: npt.ArrayLike | None = None) -> None:
        """Keep a number more for each agent: its health, its target, its colour. Nothing that the simulation does reads it.

        Parameters
        ----------
        kind
            "int" (int32), "float" (float32), "byte" (uint8) or "color" (four float32: red, green, blue, alpha).
        default
            What new agents have, and those that are there; None is 0, or white.

        Raises
        ------
        WorldError
            A name that is taken or empty, an unknown kind, a default that the kind can't hold; nothing is added.

        Notes
        -----
        By id: no sort and no agent that is taken out moves a value. Part of snapshots and of the state's hash.

        Example
        -------
        >>> from pynav.grid import TileGrid
        >>> from pynav.world import World
        >>> world = World()
        >>> world.set_grid(TileGrid(np.ones((8, 8), dtype=np.uint8)))
        >>> crowd = world.add_crowd(3, 2.0, 0.3)
        >>> crowd.add_column("health", "int", 100)
        >>> crowd.set_column("health", [60], ids=[1])
        >>> crowd.get_column("health").tolist()
        [100, 60, 100]
        """
        self._columns.add(name, kind, default, self.slot_count)

    def remove_column(self, name: str) -> None:
        """Take a column out. WorldError for an unknown name."""
        self._columns.drop(name)

    def get_column(self, name: str, ids: npt.ArrayLike | None = None) -> npt.NDArray[Any]:
        """Values of a column: of ids in their order, (n,), a copy; without ids in agent order, (slot_count,), a view (rows
        without an agent keep what their last one left). Of colours (n, 4).

        Raises WorldError for an unknown name, and for an id that was never given out.
        """
        return self._columns.get(name, ids, self.slot_count)

    def set_column(self, name: str, values: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> None:
        """Set a column: of ids (of one named twice the last value stays), or without ids all in agent order.

        Parameters
        ----------
        values
            (n,) numbers, (n, 4) for colours, or one for all of them. Float columns and colours hold no nan, the others whole
            numbers within their type.

        Raises
        ------
        WorldError
            Unknown name, id that was never given out, wrong count, values that the column can't hold; nothing is set.
        """
        self._columns.set(name, values, ids, self.slot_count)

    # --- adding and taking out

    def spawn(self, positions: npt.ArrayLike, *, snap: bool = False) -> npt.NDArray[np.int32]:
        """Add an agent at each position.

        Parameters
        ----------
        positions
            (n, 2), tiles; each in a free tile of the map. Several may share a point: they are pushed apart.
        snap
            Accept solid tiles; the next tick moves those agents to the nearest free place.

        Returns
        -------
        ids, (n,) int32: the lowest free ones, in rising order.

        Raises
        ------
        PlacementError
            Wrong shape, not finite, outside the map or in a solid tile (the first offender is named); nothing is added.
        """
        return self._world._spawn(self._index, positions, snap)

    def spawn_in(
        self, count: int, area: tuple[int, int, int, int] | None = None, *, reaching: npt.ArrayLike | None = None
    ) -> npt.NDArray[np.int32]:
        """Add ``count`` agents on free tiles, spread evenly at random by the world's seed.

        Parameters
        ----------
        area
            Rectangle (x, y, width, height) in tiles; None is the whole map. Tiles of agents that are there already are not
            avoided.
        reaching
            Goal tiles (n, 2): only tiles from which one of them can be reached. By default, where the crowd has a goal, its
            goal; else any free tile.

        Notes
        -----
        Each free tile is used once before any is used twice. Deterministic: seed, crowd, ids and map decide.

        Raises
        ------
        PlacementError
            No tile in the area is free (and reaches the goal).
        """
        return self._world._spawn_in(self._index, count, area, reaching)

    def remove(self, ids: npt.ArrayLike) -> int:
        """Take agents out; ids without an agent are ignored. Returns how many there were. They aren't reported as arrived."""
        return self._world._remove(self._index, ids)

    def clear(self) -> None:
        """Take all agents out."""
        self._world._remove(self._index, np.flatnonzero(self.alive))

    def set_positions(self, ids: npt.ArrayLike, positions: npt.ArrayLike) -> None:
        """Put agents elsewhere at once (teleport): velocity zero, no interpolation from the old place; who had arrived walks
        again.

        Raises PlacementError as ``spawn`` does, and for an id without an agent; then nothing has moved.
        """
        self._world._set_positions(self._index, ids, positions)

    # --- orders

    def set_goal(self, tiles: npt.ArrayLike) -> bool:
        """Send the crowd to a set of tiles.

        Parameters
        ----------
        tiles
            (n, 2) integers, or one pair: column, row. An agent arrives within ``arrive_radius`` of the centre of one of them,
            or, if
            they are several, on any of them.

        Returns
        -------
        False if no agent can get there (refused by the components of the map, no tile is expanded). The agents then count as
        unreachable and set off by themselves once an edit opens a way.

        Raises
        ------
        GoalError
            Not integers, wrong shape, empty, or a tile outside the map.

        Notes
        -----
        Until the flow to the new goal is built the agents brake (bug class: a unit running on with its old heading). The goal
        the crowd
        already has is no new order. Crowds with the same goal share one flow.
        """
        return self._world._set_goal_tiles(self._index, tiles)

    def set_goal_point(self, x: float, y: float) -> bool:
        """Send the crowd to a point (tiles); as ``set_goal``, with the exact point as the place of arrival."""
        return self._world._set_goal_point(self._index, x, y)

    def clear_goal(self) -> None:
        """Let the agents stand where they are."""
        self._world._orders.clear(self._group)

    @property
    def goal(self) -> npt.NDArray[np.float32] | None:
        """(n, 2) float32 points of the goal, tiles; None without one."""
        return self._world._goal_of(self._index)

    @property
    def has_goal(self) -> bool:
        """Whether the crowd has an order."""
        return bool(self._world._groups.numbers[HAS_GOAL, self._group])

    @property
    def is_waiting(self) -> bool:
        """Whether the first flow to the goal is still being built (agents go straight for the goal until then, up to a wall)."""
        return self.has_goal and int(self._world._groups.numbers[FLOW_SLOT, self._group]) == FLOW_NONE

    @property
    def is_refused(self) -> bool:
        """Whether no agent could reach the goal when last looked at."""
        return self._world._orders.is_refused(self._group)

    @property
    def arrive_radius(self) -> float:
        """Distance to the goal, tiles, within which an agent has arrived (the exact distance included)."""
        return float(self._world._crowds.settings[ARRIVE_RADIUS, self._index])

    @arrive_radius.setter
    def arrive_radius(self, tiles: float) -> None:
        self._world._set_arrive_radius(self._index, tiles)

    @property
    def on_arrival(self) -> str:
        """ "stop": agents stand at the goal, and the crowd grows around it; "remove": they leave the world."""
        return "remove" if self._world._crowds.numbers[ON_ARRIVAL, self._index] == ON_ARRIVAL_REMOVE else "stop"

    @on_arrival.setter
    def on_arrival(self, what: str) -> None:
        if what not in _ARRIVAL_NAMES:
            raise ValueError(f"on_arrival is 'stop' or 'remove', got {what!r}")
        self._world._crowds.numbers[ON_ARRIVAL, self._index] = _ARRIVAL_NAMES[what]

    @property
    def speed(self) -> float:
        """Top speed, tiles a second; each agent's own differs from it by up to the crowd's ``speed_variation``."""
        return self._world._profiles[self._index].speed

    @speed.setter
    def speed(self, tiles_per_second: float) -> None:
        self._world._set_speed(self._index, tiles_per_second)

    @property
    def radius(self) -> float:
        """Radius of an agent, tiles."""
        return self._world._profiles[self._index].radius

    @radius.setter
    def radius(self, tiles: float) -> None:
        self._world._set_radius(self._index, tiles)

    @property
    def size(self) -> int:
        """Tiles a side that an agent needs free, 1..5. Set it to 0 to have it follow from the radius (as by default)."""
        return self._world._profiles[self._index].size

    @size.setter
    def size(self, tiles: int) -> None:
        self._world._set_size(self._index, tiles)

    @property
    def movement_class(self) -> str:
        """Name of the class that says what the map costs it."""
        return self._world.movement_classes[self._world._profiles[self._index].movement_class].name

    @movement_class.setter
    def movement_class(self, name: str) -> None:
        self._world._set_movement_class(self._index, name)

    @property
    def cohesion(self) -> bool:
        """Whether agents that stand together when a way is sought go together.

        A crowd that is spread over at most 48 tiles in x and y prefers the way of the agent in its middle: it isn't parted by an
        obstacle, or by doors side by side. It does so where from nobody's place the way gets more than a tenth longer.
        Changed in play, it counts from the next order on.
        """
        return self._world._orders.cohesion[self._group]

    @cohesion.setter
    def cohesion(self, stays_together: bool) -> None:
        self._world._orders.cohesion[self._group] = bool(stays_together)

    @property
    def team(self) -> int:
        """Whose agents they are, 0..31; questions and commands name teams by masks, bit t for team t."""
        return int(self._world._crowds.numbers[TEAM, self._index])

    @team.setter
    def team(self, number: int) -> None:
        if not (isinstance(number, int | np.integer) and 0 <= number < TEAM_COUNT):
            raise WorldError(f"a team is 0 to {TEAM_COUNT - 1}, got {number!r}")
        self._world._crowds.numbers[TEAM, self._index] = number

    @property
    def layers(self) -> int:
        """On which of 32 layers questions find its agents, a bit each (1 by default): ground, air, what the game likes."""
        return int(self._world._crowds.numbers[MASK_LAYERS, self._index]) & ALL_BITS

    @layers.setter
    def layers(self, bits: int) -> None:
        self._world._crowds.numbers[MASK_LAYERS, self._index] = signed_mask("layers", bits)

    @property
    def enemy_teams(self) -> int:
        """Mask of the teams that its agents attack when told to (attack-move); all by default. Their own never counts,
        nor do crowds that are on no layer (``layers`` 0)."""
        return int(self._world._crowds.numbers[ENEMY_TEAMS, self._index]) & ALL_BITS

    @enemy_teams.setter
    def enemy_teams(self, bits: int) -> None:
        self._world._crowds.numbers[ENEMY_TEAMS, self._index] = signed_mask("enemy_teams", bits)

    @property
    def sight_radius(self) -> float:
        """How far away (of the middles) its agents notice enemies on an attack-move, tiles, 0 (not at all; the default) to 40."""
        return float(self._world._crowds.settings[SIGHT_RADIUS, self._index])

    @sight_radius.setter
    def sight_radius(self, tiles: float) -> None:
        self._world._crowds.settings[SIGHT_RADIUS, self._index] = in_range("sight_radius", tiles, 0.0, LARGEST_SIGHT_TILES)

    @property
    def attack_range(self) -> float:
        """What may lie between an agent's edge and an enemy's for it to stand and strike, tiles, 0 (touching) to 40."""
        return float(self._world._crowds.settings[ATTACK_RANGE, self._index])

    @attack_range.setter
    def attack_range(self, tiles: float) -> None:
        self._world._crowds.settings[ATTACK_RANGE, self._index] = in_range("attack_range", tiles, 0.0, LARGEST_SIGHT_TILES)

    @property
    def anchor_offset(self) -> float:
        """How far an agent's place lies right and below of its place among the tiles of its size: 0, or 0.5 for even sizes."""
        return self._world._profiles[self._index].offset

    # --- what happened

    @property
    def own_count(self) -> int:
        """Agents that follow no command, so that the crowd's goal is theirs."""
        return self._world._groups.member_count(self._group)

    def has_all_arrived(self) -> bool:
        """Whether all agents that follow no command stand arrived now (also if there are none)."""
        _, tags = self._world._table.now
        own = tags[:, : self._world._table.count]
        return not np.any((own[GROUP] == self._group) & (own[STATUS] != ARRIVED) & (own[STATUS] != REMOVED))

    @property
    def arrived_count(self) -> int:
        """Agents that have arrived since the goal was set, those removed on arrival included; without those of commands."""
        return self._world._groups.arrivals(self._group)

    @property
    def has_news(self) -> bool:
        """Whether ``take_arrived`` or ``take_unreachable`` may have something to tell: the cheapest way to ask each tick."""
        has_news = self._world._crowds.has_news.data
        return bool(has_news[0, self._index] or has_news[1, self._index])

    def take_arrived(self) -> npt.NDArray[np.int32]:
        """Ids that arrived since the last call, in rising order. Cheap where nobody did: ask each tick.

        With "remove" an id may have been given out again by then.
        """
        return self._world._crowds.take_arrived(self._index)

    @property
    def unreachable_count(self) -> int:
        """Agents that stand without a way to the goal now."""
        return int(np.count_nonzero((self.states == UNREACHABLE) & self.alive))

    def take_unreachable(self) -> npt.NDArray[np.int32]:
        """Ids that found no way since the last call, in rising order; each is reported once for each time that it loses its
        way.
        """
        return self._world._crowds.take_unreachable(self._index)

    # --- drawing

    def fill_buffer_2d(
        self,
        buffer: npt.NDArray[np.float32],
        affine: npt.ArrayLike,
        *,
        size: float = 1.0,
        rotates: bool = True,
        color: tuple[float, float, float, float] | None = None,
        custom: bool = False,
        previous: npt.NDArray[np.float32] | None = None,
        columns: DrawnColumns = NO_COLUMNS,
        facing_axes: npt.ArrayLike | None = None,
    ) -> None:
        """Write the transforms of a 2D multi-mesh (Godot's layout), instance = agent id; empty slots get a zero basis.

        Parameters
        ----------
        buffer
            float32, contiguous, writeable, slot_count * (8 + 4 with a colour + 4 with custom data) numbers.
        affine
            (2, 3) from tiles to the node's own space: local = affine @ (x, y, 1). Headings turn with it.
        size
            Scale of each instance in local units.
        color
            RGBA written for each instance where the multi-mesh uses colours.
        custom
            Whether it uses custom data: tiles walked (modulo 1024), speed by top speed, a random number 0..1 of the agent's own,
            state.
        previous
            The buffer filled last time, for interpolation: agents that were spawned or teleported since get their new
            transform in
            it as well, so that they don't fly in from where the slot was.
        columns
            Columns of the game that show: each agent's colour, its numbers for the shader (both make instances wider as ``color``
            and ``custom`` do), where it faces.
        facing_axes
            (2, 2) from (cosine, sine) of an angle in that column to local directions; None: angles are in tiles, from x to y.

        Raises
        ------
        BufferSizeError
            Wrong size, type or layout; nothing is written.
        WorldError
            A column that isn't there or of another kind.
        """
        self.bind_buffer_2d(
            buffer, affine, size=size, rotates=rotates, color=color, custom=custom, previous=previous, columns=columns,
            facing_axes=facing_axes,
        ).run()  # fmt: skip

    def fill_buffer_3d(
        self,
        buffer: npt.NDArray[np.float32],
        affine: npt.ArrayLike,
        *,
        size: float = 1.0,
        elevation: float = 0.0,
        heights: npt.NDArray[np.float32] | None = None,
        rotates: bool = True,
        color: tuple[float, float, float, float] | None = None,
        custom: bool = False,
        previous: npt.NDArray[np.float32] | None = None,
        columns: DrawnColumns = NO_COLUMNS,
        facing_axes: npt.ArrayLike | None = None,
    ) -> None:
        """Write the transforms of a 3D multi-mesh, y up, the map on the XZ plane; agents look along -z. Others as in 2D.

        Parameters
        ----------
        buffer
            float32, slot_count * (12 + 4 with a colour + 4 with custom data) numbers.
        affine
            (2, 3) from tiles to local x and z.
        elevation
            Added to every y.
        heights
            (rows, columns) float32 heights of tile centres in local units, blended bilinearly; None is flat.
        """
        self.bind_buffer_3d(
            buffer, affine, size=size, elevation=elevation, heights=heights, rotates=rotates, color=color, custom=custom,
            previous=previous, columns=columns, facing_axes=facing_axes,
        ).run()  # fmt: skip

    def bind_buffer_2d(
        self,
        buffer: npt.NDArray[np.float32],
        affine: npt.ArrayLike,
        *,
        size: float = 1.0,
        rotates: bool = True,
        color: tuple[float, float, float, float] | None = None,
        custom: bool = False,
        previous: npt.NDArray[np.float32] | None = None,
        columns: DrawnColumns = NO_COLUMNS,
        facing_axes: npt.ArrayLike | None = None,
    ) -> InstanceFill:
        """``fill_buffer_2d`` checked and bound once, to ``run`` after each tick; it writes to the same buffer each time."""
        return bind_buffer_2d(
            self._world, self._index, buffer, affine, size, rotates, color, custom, previous, columns, facing_axes
        )

    def bind_buffer_3d(
        self,
        buffer: npt.NDArray[np.float32],
        affine: npt.ArrayLike,
        *,
        size: float = 1.0,
        elevation: float = 0.0,
        heights: npt.NDArray[np.float32] | None = None,
        rotates: bool = True,
        color: tuple[float, float, float, float] | None = None,
        custom: bool = False,
        previous: npt.NDArray[np.float32] | None = None,
        columns: DrawnColumns = NO_COLUMNS,
        facing_axes: npt.ArrayLike | None = None,
    ) -> InstanceFill:
        """``fill_buffer_3d`` checked and bound once, to ``run`` after each tick; it writes to the same buffer each time."""
        return bind_buffer_3d(
            self._world,
            self._index,
            buffer,
            affine,
            size,
            elevation,
            heights,
            rotates,
            color,
            custom,
            previous,
            columns,
            facing_axes,
        )
