"""What units are told: the way in to commands. ``World.commands``."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.commands.command import ENDLESS, PATROLS, Command, CommandKind, Place
from pynav.commands.command_groups import CommandGroups, Slots, Stage
from pynav.commands.errors import CommandError
from pynav.commands.recording import CommandRecording, GivenOrder
from pynav.crowd.agent_layout import (
    AGENT_ID,
    ARRIVED,
    CROWD,
    FIRST_SLOT,
    GROUP,
    HAS_GOAL,
    MEMBERS,
    REMOVED,
    STATUS,
    UNREACHABLE,
)
from pynav.crowd.crowd import Crowd
from pynav.crowd.errors import WorldError
from pynav.crowd.group_table import LayerKey
from pynav.crowd.regrouping import groups_by_slot, walking_counts
from pynav.crowd.unit_handles import Handles

if TYPE_CHECKING:
    from pynav.world import World

FOLLOW_INTERVAL_TICKS = 8  # how often it is looked where the followed is
FOLLOW_TILES = 0.25  # how far it must have gone
FINISH_INTERVAL_TICKS = 4  # how often it is looked whether a command is carried out
LARGEST_DISTANCE = 1000.0

Units = npt.ArrayLike | Crowd


class Commands:
    """Orders to any units of a world. Made by the world.

    Units are handles (``Crowd.handles``), or a crowd: all of its agents that are there. A unit told something forgets what it
    was told before; with ``queued`` it does that first. What its crowd is told (``Crowd.set_goal``) concerns a unit again once
    it is released. Where a place can't be reached, units go to the nearest one that can.

    Notes:
        Each method returns a handle of the command, which is valid while some unit follows it. A command that is wrong is
        refused with a CommandError that says what was expected and what came; then nothing has changed. A command costs one
        pass over the agents and one flow a navigation layer, shared with all that go to the same place. Deterministic.

    Example:
        >>> from pynav.grid import TileGrid
        >>> from pynav.world import World
        >>> world = World()
        >>> world.set_grid(TileGrid(np.ones((20, 20), dtype=np.uint8)))
        >>> crowd = world.add_crowd(4, 3.0, 0.3)
        >>> squad = crowd.handles([0, 2])
        >>> first = world.commands.move(squad, (3.5, 4.5))
        >>> second = world.commands.hold(squad, queued=True)
        >>> world.commands.get(first).kind.name, len(world.commands.units_of(first)), len(world.commands.units_of(second))
        ('MOVE', 2, 0)
    """

    def __init__(self, world: World) -> None:
        self._groups = CommandGroups(world)
        self._recording: CommandRecording | None = None

    @property
    def _world(self) -> World:
        return self._groups.world

    # --- what can be told

    def move(self, units: Units, to: Place, *, queued: bool = False) -> int:
        """Go to a place, tiles. Units stop there, the later ones around the first."""
        return self._give(units, self._command(CommandKind.MOVE, queued, place=self._checked_place(to)))

    def attack_move(self, units: Units, to: Place, *, queued: bool = False) -> int:
        """Go to a place, tiles, and on the way and there for enemies in sight.

        A unit that notices an enemy (``Crowd.enemy_teams``) within its crowd's ``sight_radius`` leaves its way: straight to one
        that it can walk to in a line, else round what lies between if that takes at most 32 steps. Within its crowd's
        ``attack_range`` (walls don't count there) it stands, engaged, until that one is gone; then it takes the next, or its way
        again. Damage is the game's: ``engaged`` names who strikes whom. Units whose sight is 0 go as ``move`` has them.
        """
        return self._give(units, self._command(CommandKind.ATTACK_MOVE, queued, place=self._checked_place(to)))

    def patrol(self, units: Units, to: Place, *, queued: bool = False, attacks: bool = False) -> int:
        """Go to and fro between a place and where the middle of the units is now, or, if queued, where they were sent last.

        With ``attacks`` they go for enemies in sight on their way, as ``attack_move`` has them, and on with it after.
        """
        kind = CommandKind.ATTACK_PATROL if attacks else CommandKind.PATROL
        place = self._checked_place(to)
        slots = self._slots_of(units)
        start = self._end_of_queue(slots) if queued else None
        return self._give(units, self._command(kind, queued, place=place, start=start or self._middle_of(slots)))

    def hold(self, units: Units, *, yields: bool = False, queued: bool = False) -> int:
        """Stand where they are; unless ``yields``, nobody pushes them aside."""
        return self._give(units, self._command(CommandKind.HOLD, queued, yields=yields))

    def guard(self, units: Units, *, queued: bool = False) -> int:
        """Stand, and go for enemies in sight, as ``attack_move`` has it; who has none left stands where that leaves it."""
        return self._give(units, self._command(CommandKind.GUARD, queued))

    def stop(self, units: Units) -> int:
        """Forget all orders and stand; who has to pass may push them aside."""
        return self._give(units, self._command(CommandKind.STOP, False))

    def follow(self, units: Units, target: int | Crowd, *, distance: float = 1.5, queued: bool = False) -> int:
        """Go after a unit (its handle) or the middle of a crowd, and stay within a distance of it, tiles.

        Once the followed is gone, units go to where it was last, and on with their queue.
        """
        away = float(distance)
        if not (math.isfinite(away) and 0.0 <= away <= LARGEST_DISTANCE):
            raise CommandError(f"expected a distance of 0 to {LARGEST_DISTANCE:g} tiles, got {distance!r}")
        if isinstance(target, Crowd):
            if target._world is not self._world:
                raise CommandError("expected a crowd of this world, got one of another")
            if target.count == 0:
                raise CommandError(f"expected a crowd with agents to follow, got crowd {target.index}, which has none")
            return self._give(units, self._command(CommandKind.FOLLOW, queued, target_crowd=target.index, distance=away))
        handle = int(self._checked_handles([target])[0])
        return self._give(units, self._command(CommandKind.FOLLOW, queued, target=handle, distance=away))

    def release(self, units: Units) -> None:
        """Have units do what their crowd was told (``Crowd.set_goal``), or stand where that is nothing."""
        slots = self._slots_of(units)
        world = self._world
        self._note(slots, None)
        world._orders.restart_agents()
        crowds = self._world._units.crowds_of(slots)
        own = np.array(world._own_group, dtype=np.int64)[crowds]
        self._groups.put(slots, own)
        world._restart(world._units.columns_of(slots))

    # --- recording

    def start_recording(self) -> CommandRecording:
        """A recording that every command from now on is noted in, until ``stop_recording`` (a restored world goes on noting)."""
        self._recording = CommandRecording()
        return self._recording

    def stop_recording(self) -> None:
        """Note no more."""
        self._recording = None

    def give_again(self, order: GivenOrder) -> int:
        """Give an order of a recording; the handle of its command, 0 for a release. CommandError where it can't be given."""
        if order.command is None:
            self.release(order.units)
            return 0
        if order.command.tick != self._world.tick:
            raise CommandError(f"expected an order of tick {self._world.tick}, got one of tick {order.command.tick}")
        for place in (order.command.place, order.command.start):
            if place is not None:
                self._checked_place(place)
        if order.command.target:
            self._checked_handles([order.command.target])
        if not -1 <= order.command.target_crowd < self._world._crowds.crowd_count:
            raise CommandError(f"expected a crowd that is there, got {order.command.target_crowd}")
        return self._give(order.units, order.command)

    def _note(self, slots: Slots, command: Command | None) -> None:
        """Note an order that is about to be carried out."""
        if self._recording is not None:
            self._recording.note(GivenOrder(self._world.tick, self._world._units.handles_at(slots), command))

    # --- what was told

    def get(self, command: int) -> Command:
        """What a command says. CommandError for a handle of none that units follow."""
        return self._groups.commands.at(self._groups.commands.row_of(command))

    def is_alive(self, command: int) -> bool:
        """Whether a unit follows the command, or has it in its queue."""
        return self._groups.commands.is_alive(command)

    def units_of(self, command: int) -> Handles:
        """Handles of the units that are carrying a command out now, in rising order; those who have it queued aren't."""
        rows = self._rows_of(self._groups.commands.row_of(command))
        world = self._world
        _, tags = world._table.now
        own = tags[:, : world._table.count]
        columns = np.flatnonzero(np.isin(own[GROUP], rows) & (own[STATUS] != REMOVED))
        return np.sort(world._units.handles_of(own[CROWD, columns], own[AGENT_ID, columns]))

    def groups_of(self, command: int) -> list[int]:
        """The groups whose units carry a command out, in rising order. CommandError for a handle of none that units follow."""
        return self._rows_of(self._groups.commands.row_of(command))

    def commands_of(self, units: Units) -> npt.NDArray[np.int64]:
        """The command that each unit is carrying out now, (n,) int64 in the order of the handles given; 0: none."""
        slots = self._slots_of(units)
        group_of, _ = self._noted()
        found = np.zeros(len(slots), dtype=np.int64)
        for group in np.unique(group_of[slots]).tolist():
            if group in self._groups.stages:
                handle = self._groups.commands.handle(self._groups.stages[group].command)
                found[group_of[slots] == group] = handle
        return found

    def engaged(self) -> tuple[Handles, Handles]:
        """Units that stand before an enemy within their range, and these enemies: handles, int64 (n,) each, by crowd and id."""
        return self._world._foes.engaged()

    def foes_of(self, units: Units) -> Handles:
        """The enemy that each unit goes for or is engaged with, (n,) int64 in the order of the handles given; 0: none."""
        return self._world._foes.foes_of(self._slots_of(units))

    def queue_of(self, unit: int) -> list[int]:
        """What a unit was told: the command that it is carrying out and those after it, once each."""
        group_of, _ = self._noted()
        group = int(group_of[self._slots_of([unit])[0]])
        found: list[int] = []
        seen = set()
        while group in self._groups.stages and group not in seen:
            seen.add(group)
            handle = self._groups.commands.handle(self._groups.stages[group].command)
            found += [] if handle in found else [handle]
            group = self._groups.stages[group].after
        return found

    def take_finished(self) -> list[int]:
        """Commands that were carried out since the last call: nobody of theirs is under way any more.

        Looked at every few ticks. Those that never end by themselves (hold, guard, stop, patrol, follow) aren't told. A handle
        may be dead by then.
        """
        news, self._groups.news = self._groups.news, []
        return news

    # --- the tick

    def advance(self) -> None:
        """What is due before a tick; the world calls it."""
        stages = self._groups.stages
        if not stages:
            return
        self._groups.keep_up()
        tick = self._world.tick
        for group in sorted(stages):
            if (tick + group) % FOLLOW_INTERVAL_TICKS == 0:
                self._go_after(group)
        if tick % FINISH_INTERVAL_TICKS == 0:
            self._note_finished()

    def _go_after(self, group: int) -> None:
        """Send a group that follows somebody to where that is now."""
        stage = self._groups.stages[group]
        command = self._groups.commands.at(stage.command)
        world = self._world
        goal = world._orders.goal[group]
        if command.kind != CommandKind.FOLLOW or stage.is_ended or goal is None or world._groups.counters[MEMBERS, group] == 0:
            return
        place = self._groups.followed_place(command)
        if place is None:  # gone: where it was last is a place like any other
            self._groups.end_following(group)
        elif max(abs(place[0] - float(goal[0, 0])), abs(place[1] - float(goal[0, 1]))) > FOLLOW_TILES:
            world._orders.order(group, np.array([place], dtype=np.float32), world.tick)

    def _note_finished(self) -> None:
        """Note the commands that nobody is under way for, or still to come to."""
        groups, commands = self._groups, self._groups.commands
        waiting = {row for row in commands.rows() if commands.at(row).kind not in ENDLESS and not commands.is_finished(row)}
        if not waiting:
            return
        world = self._world
        world._orders.restart_agents()  # who was told something after the last tick is under way
        walking = walking_counts(world._table, world._groups)
        members = world._groups.counters[MEMBERS]
        for group in sorted(groups.stages):
            if members[group] == 0:
                continue
            if walking[group] > 0:
                waiting.discard(groups.stages[group].command)
            after, seen = groups.stages[group].after, {group}
            while after >= 0 and after not in seen:
                seen.add(after)
                waiting.discard(groups.stages[after].command)
                after = groups.stages[after].after
        for row in sorted(waiting):
            commands.set_finished(row)
            groups.news.append(commands.handle(row))

    # --- giving a command

    def _command(self, kind: CommandKind, queued: bool, **told: Any) -> Command:
        return Command(kind, self._world.tick, is_queued=bool(queued), **told)

    def _give(self, units: Units, command: Command) -> int:
        """Have units carry out a command, at once or behind what they were told before."""
        return self._give_to(self._slots_of(units), command)

    def _give_to(self, slots: Slots, command: Command) -> int:
        """The same for the units of some slots, each once."""
        world, groups = self._world, self._groups
        world._require_grid()
        world._push_out_of_walls()
        world._orders.restart_agents()
        self._note(slots, command)
        row = groups.commands.add(command)
        crowds = self._world._units.crowds_of(slots)
        layers, layer_of = self._by_layer(crowds)
        heads = [self._head(row, command, key, crowds[layer_of == index]) for index, key in enumerate(layers)]
        targets = np.array(heads, dtype=np.int64)[layer_of] if len(heads) > 1 else heads[0]
        begun = heads
        if command.is_queued:
            at_once = self._append(slots, crowds, layer_of, heads)
            targets = np.array(heads, dtype=np.int64)[layer_of[at_once]]
            slots = slots[at_once]
            begun = [head for head in heads if (targets == head).any()]
        groups.put(slots, targets)
        for head in begun:
            groups.send(head, head)
        groups.keep_up()
        return groups.commands.handle(row)

    def _head(self, row: int, command: Command, key: LayerKey, crowds: npt.NDArray[np.int64]) -> int:
        """The group of a new command that the units of a layer, of these crowds, begin with."""
        kinds = np.flatnonzero(np.bincount(crowds))
        head = self._groups.make(Stage(row), key, kinds, len(crowds))
        if command.kind in PATROLS:
            back = self._groups.make(Stage(row, head, leg=1), key, kinds, len(crowds))
            self._groups.set_after(head, back, kinds, len(crowds))
        return head

    def _append(
        self, slots: Slots, crowds: npt.NDArray[np.int64], layer_of: npt.NDArray[np.int64], heads: list[int]
    ) -> npt.NDArray[np.bool_]:
        """Put a command behind what units are doing; (n,) bool: who is doing nothing and begins at once."""
        groups = self._groups
        group_of, status_of = self._noted()
        own, status = group_of[slots], status_of[slots]
        at_once = np.zeros(len(slots), dtype=np.bool_)
        targets = own.astype(np.int64)
        made: dict[int, int] = {}
        for group in np.unique(own).tolist():
            is_own = own == group
            stage = groups.stages.get(group)
            if stage is None or self._world._groups.numbers[HAS_GOAL, group] == 0:
                at_once |= is_own
                continue
            if stage.after < 0 and groups.commands.at(stage.command).kind != CommandKind.FOLLOW:
                at_once |= is_own & ((status == ARRIVED) | (status == UNREACHABLE))
            going = is_own & ~at_once
            if going.any():
                head = heads[int(layer_of[going][0])]
                kinds = np.unique(crowds[going])
                targets[going] = groups.copy_chain(group, head, made, kinds, int(np.count_nonzero(going)))
        groups.put(slots[~at_once], targets[~at_once])
        return at_once

    # --- units

    def _noted(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Group and status of the agent of each slot."""
        return groups_by_slot(self._world._table, self._world._crowds)

    def _rows_of(self, command_row: int) -> list[int]:
        return [group for group, stage in sorted(self._groups.stages.items()) if stage.command == command_row]

    def _by_layer(self, crowds: npt.NDArray[np.int64]) -> tuple[list[LayerKey], npt.NDArray[np.int64]]:
        """The layers of units of some crowds, in their order, and which of them each unit walks on, int64 (n,)."""
        keys = [profile.layer_key for profile in self._world._profiles]
        layers = sorted({keys[crowd] for crowd in np.flatnonzero(np.bincount(crowds)).tolist()})
        number = np.array([layers.index(key) if key in layers else -1 for key in keys], dtype=np.int64)
        return layers, number[crowds]

    def _slots_of(self, units: Units) -> Slots:
        """Slots of units, each once, in the order given; CommandError for dead or unknown handles, or for none at all."""
        if isinstance(units, Crowd):
            if units._world is not self._world:
                raise CommandError("expected a crowd of this world, got one of another")
            handles = units.handles()
        else:
            handles = self._checked_handles(units)
        if not len(handles):
            raise CommandError("a command needs at least one unit, got none")
        slots = self._world._units.slots_of(handles)
        if np.all(slots[1:] > slots[:-1]):
            return slots
        _, first = np.unique(slots, return_index=True)
        return slots[np.sort(first)]

    def _checked_handles(self, units: npt.ArrayLike) -> Handles:
        given = np.asarray(units)
        if given.size == 0:
            return np.zeros(0, dtype=np.int64)
        if given.dtype.kind not in "iu" or given.ndim != 1:
            raise CommandError(f"units are handles, integers (n,), got {given.dtype} of shape {given.shape}")
        handles = given.astype(np.int64)
        try:
            self._world._units.slots_of(handles)
        except WorldError as error:
            raise CommandError(str(error)) from None
        return handles

    def _checked_place(self, to: Place) -> Place:
        width, height = self._world._require_grid().width, self._world._require_grid().height
        try:
            x, y = (float(np.float32(value)) for value in to)
        except (TypeError, ValueError):
            raise CommandError(f"a place is two numbers, got {to!r}") from None
        if not (0 <= x < width and 0 <= y < height):
            raise CommandError(f"expected a place on the map of {width} x {height} tiles, got ({x}, {y})")
        return x, y

    def _middle_of(self, slots: Slots) -> Place:
        """The middle of units, as float32 numbers; its sum has an order of its own."""
        world = self._world
        world._export()
        middle = world._crowds.position[np.sort(slots)].astype(np.float64).sum(axis=0) / len(slots)
        return float(np.float32(middle[0])), float(np.float32(middle[1]))

    def _end_of_queue(self, slots: Slots) -> Place | None:
        """The last place that the first of some units was sent to; None if it has none."""
        group_of, _ = self._noted()
        group = int(group_of[slots[0]])
        place = None
        seen = set()
        while group in self._groups.stages and group not in seen:
            seen.add(group)
            place = self._groups.place_of(group) or place
            group = self._groups.stages[group].after
        return place

    # --- what the world tells

    def layer_changed(self, crowd: int) -> None:
        """The agents of a crowd walk on another layer: those that follow commands do so in groups of that layer."""
        world, groups = self._world, self._groups
        key = world._profiles[crowd].layer_key
        world._orders.restart_agents()
        _, tags = world._table.now
        columns = world._table.columns_of(crowd)
        own = tags[GROUP, columns]
        made: dict[int, int] = {}
        for group in np.unique(own).tolist():
            if group not in groups.stages or world._groups.layer_key[group] == key:
                continue
            count = int(np.count_nonzero(own == group))
            groups.put(
                world._crowds.numbers[FIRST_SLOT, crowd] + tags[AGENT_ID, columns[own == group]].astype(np.int64),
                groups.copy_on_layer(group, key, made, np.array([crowd]), count),
            )
        groups.keep_up()

    def forget_all(self) -> None:
        """Another map: nobody is there, and no command stands."""
        self._groups.free_unneeded()

    def digest(self) -> bytes:
        """What a hash of the world covers of commands; nothing where there are none."""
        world = self._world
        if not self._groups.stages:
            return b""
        plain = json.dumps(self._groups.state(), sort_keys=True).encode()
        rows = sorted(self._groups.stages)
        goals = [world._orders.goal[group] for group in rows]
        found = [b"" if goal is None else goal.astype("<f4").tobytes() for goal in goals]
        return plain + b"".join(found) + world._groups.counters[:, rows].astype("<i8").tobytes()

    def state(self) -> dict[str, Any]:
        """What a snapshot needs, plain."""
        return self._groups.state()

    def load(self, state: dict[str, Any]) -> None:
        """Take up a state."""
        self._groups.load(state)

    def belong_to(self, world: World, before: Commands) -> None:
        """A world was restored: its commands are those of the world that was loaded, and what was being recorded goes on."""
        self._groups.world = world
        self._recording = before._recording
