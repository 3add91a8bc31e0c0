"""What UnitCommander2D and UnitCommander3D share: selections, commands, recording, signals."""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import (
    GodotObject,
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    export,
    method,
    signal,
)
from pynav.commands import CommandRecording
from pynav.commands.command import Command
from pynav.crowd.unit_handles import Handles, unpacked

from .map_search import MapMember
from .selections import Selections
from .telling import USER_ERRORS, NodeError, tell, told

Place = tuple[float, float]


class UnitCommander(MapMember, GodotObject, register=False):
    """Base of both commanders."""

    WHAT: ClassVar[str] = "commander"

    class CommandKind(IntEnum):
        """What units are told to do.

        NONE: There is no such command.
        MOVE: Go to a place.
        ATTACK_MOVE: Go to a place, and for enemies on the way.
        HOLD: Stand.
        STOP: Forget all orders.
        PATROL: Go to and fro.
        FOLLOW: Go after a unit or a crowd.
        ATTACK_PATROL: Go to and fro, and for enemies on the way.
        GUARD: Stand, and go for enemies in sight.
        """

        NONE = -1
        MOVE = 0
        ATTACK_MOVE = 1
        HOLD = 2
        STOP = 3
        PATROL = 4
        FOLLOW = 5
        ATTACK_PATROL = 6
        GUARD = 7

    command_finished = signal(
        "A command was carried out: nobody of its units is under way any more. Not told of those that never end by themselves "
        "(hold, guard, stop, patrol, follow), nor of those whose units were all told something else.",
        command=int,
    )
    recording_played = signal("The last command of play_recording() was given.")

    team_mask: int = export(
        -1,
        "Teams that selections and questions count unless they name others, a bit each (see the crowds' team); -1 is all.",
        group="Units",
    )
    layer_mask: int = export(
        -1,
        "Layers that selections and questions count, a bit each (see the crowds' query_layers); -1 is all.",
        group="Units",
    )

    def __init__(self) -> None:
        super().__init__()
        self._replay: CommandRecording | None = None
        self._recording: CommandRecording | None = None

    # --- the map

    def _join(self, home: Any) -> None:
        home._commanders.append(self)

    def _part(self, home: Any) -> None:
        if home is not None:
            home._commanders = [node for node in home._commanders if node is not self]

    def _commanded_map(self) -> Any:
        return self._joined_map()

    def _need_world(self) -> Any:
        """The world of the map; NodeError where there is no map."""
        return self._joined_map()._need_world()

    # --- before and after the ticks of the map

    def _before_tick(self) -> None:
        """Give what a recording says for the next tick."""
        replay = self._replay
        if replay is None:
            return
        world = self._map._world
        try:
            replay.give_due(world)
        except USER_ERRORS as error:
            self._replay = None
            tell(self, error)
            return
        if not replay.orders or replay.orders[-1].tick <= world.tick:
            self._replay = None
            self.recording_played.emit()

    def _after_tick(self, finished: list[int]) -> None:
        for command in finished:
            self.command_finished.emit(command)

    # --- units

    @property
    def _selections(self) -> Selections:
        world = self._need_world()
        return Selections(world, self._map._plane)

    def _masks(self, teams: int) -> dict[str, int]:
        return {"teams": self.team_mask if teams == -1 else teams, "layers": self.layer_mask}

    def _places_of(self, units: PackedInt64Array) -> npt.NDArray[np.float32]:
        """Where units are, tiles (n, 2); NodeError or the core's errors for dead ones."""
        world = self._need_world()
        handles = units.view()
        slots = world.unit_index.slots_of(handles)
        return np.asarray(world.slot_positions(slots), dtype=np.float32)

    @method(const=True)
    @told
    def get_units(self, crowd: GodotObject | None) -> PackedInt64Array:
        """Handles of all agents of a crowd, in rising order of ids. A handle names one agent for ever: when that is gone no other
        one has it, although its id is given out again. Commands, selections and questions of this node take and give handles.
        """
        return PackedInt64Array(self._own_crowd(crowd, "get_units").handles())

    @method(const=True)
    @told
    def get_units_by_ids(self, crowd: GodotObject | None, ids: PackedInt32Array) -> PackedInt64Array:
        """Handles of agents of a crowd, in the order of their ids: of those that spawn() returned, for one."""
        return PackedInt64Array(self._own_crowd(crowd, "get_units_by_ids").handles(ids.view()))

    @method(const=True)
    @told
    def get_ids(self, crowd: GodotObject | None, units: PackedInt64Array) -> PackedInt32Array:
        """Ids of those of some units that are agents of a crowd and alive, in their order: for the crowd's own methods."""
        index = self._own_crowd(crowd, "get_ids").index
        living = self._living(units)
        crowds, ids, _ = unpacked(living)
        return PackedInt32Array(ids[crowds == index].astype(np.int32))

    def _living(self, units: PackedInt64Array) -> Handles:
        world = self._need_world()
        handles = units.view().copy()
        return np.asarray(handles[world.unit_index.are_alive(handles)], dtype=np.int64)

    @method(const=True)
    @told
    def keep_living(self, units: PackedInt64Array) -> PackedInt64Array:
        """Those of some units that are alive: for a selection that is kept while units fall."""
        return PackedInt64Array(self._living(units))

    @method(const=True)
    @told
    def is_unit_alive(self, unit: int) -> bool:
        """Whether a unit is there."""
        return bool(self._need_world().unit_index.are_alive(np.array([unit], dtype=np.int64))[0])

    @method(const=True)
    @told
    def get_unit_crowd(self, unit: int) -> GodotObject | None:
        """The crowd of a unit; null if it is dead."""
        world = self._need_world()
        crowd, _ = world.unit_index.unit_at(unit)
        for node in self._map._crowds:
            if node._agents is not None and node._agents.index == crowd:
                found: GodotObject = node
                return found
        return None

    @method(const=True)
    @told
    def get_unit_id(self, unit: int) -> int:
        """The id of a unit in its crowd; -1 if it is dead."""
        return int(self._need_world().unit_index.unit_at(unit)[1])

    # --- what was told

    def _command(self, command: int) -> Command:
        found: Command = self._need_world().commands.get(command)
        return found

    @method(const=True)
    @told
    def is_command_alive(self, command: int) -> bool:
        """Whether a unit follows a command, or has it in its queue."""
        return bool(self._need_world().commands.is_alive(command))

    @method(const=True)
    @told
    def get_command_kind(self, command: int) -> CommandKind:
        """What a command tells; NONE if no unit follows it."""
        world = self._need_world()
        if not world.commands.is_alive(command):
            return self.CommandKind.NONE
        return self.CommandKind(int(self._command(command).kind))

    @method(const=True)
    @told
    def get_command_units(self, command: int) -> PackedInt64Array:
        """The units that are carrying a command out now, in rising order; those that have it queued aren't among them."""
        return PackedInt64Array(self._need_world().commands.units_of(command))

    @method(const=True)
    @told
    def get_unit_commands(self, units: PackedInt64Array) -> PackedInt64Array:
        """The command that each of some units is carrying out now, 0 for none."""
        return PackedInt64Array(self._need_world().commands.commands_of(units.view()))

    @method(const=True)
    @told
    def get_queue(self, unit: int) -> PackedInt64Array:
        """What a unit was told: the command that it is carrying out, then those of its queue."""
        return PackedInt64Array(np.array(self._need_world().commands.queue_of(unit), dtype=np.int64))

    # --- recording

    @method
    @told
    def start_recording(self) -> bool:
        """Note every command that units of the map are given from now on, with its tick, whoever gives it."""
        self._recording = self._need_world().commands.start_recording()
        return True

    @method
    @told
    def stop_recording(self) -> PackedByteArray:
        """End the recording; its bytes, for a file or a network, and for play_recording(). Empty if none was made."""
        world = self._need_world()
        if self._recording is None:
            return PackedByteArray()
        world.commands.stop_recording()
        recording, self._recording = self._recording, None
        return PackedByteArray(np.frombuffer(recording.to_bytes(), dtype=np.uint8))

    @method
    @told
    def play_recording(self, recording: PackedByteArray) -> bool:
        """Give the commands of a recording again, each at its tick. From the same start (a saved state, or the same seed and
        calls) the same game comes of it, bit for bit. False, and nothing is given, if the bytes are no recording.
        """
        self._need_world()
        self._replay = CommandRecording.from_bytes(recording.view().tobytes())
        return True

    @method(const=True)
    def is_playing_recording(self) -> bool:
        """Whether commands of a recording are still to come."""
        return self._replay is not None

    # --- shared work

    def _finite(self, what: str, *numbers: float) -> None:
        if not all(math.isfinite(number) for number in numbers):
            raise NodeError(f"expected {what} that is finite, got {numbers}")
