"""The groups of commands: one a command and navigation layer, and behind it those of the queue.

The queue of a unit is a chain of groups: who arrives goes over to the next one in the tick of its arrival. A chain is never
changed while somebody follows it: appending to the queue of some of its units makes a copy of what is left of it, which shares
goals and flows, and moves these units there as they walk. So any selection may be told anything at any time, and units with
the same orders still share all of it. Groups that nobody is in nor can come to are freed before the next tick.

A group seeks its goal when somebody is in it, or in the one before it: the flow is there before the first one arrives, and
long queues cost nothing.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.commands.command import ATTACKING, ENDLESS, Command, CommandKind, Place
from pynav.commands.command_table import CommandTable
from pynav.crowd.agent_layout import (
    ARRIVALS,
    GROUP_SETTING_COUNT,
    HAS_GOAL,
    HOLDING,
    IDLE,
    IS_COMMAND,
    IS_QUIET,
    LEAST_ARRIVE,
    MEMBERS,
    NEXT_GROUP,
    POSITION_X,
    POSITION_Y,
    REACH,
    REST_STATUS,
)
from pynav.crowd.group_table import LayerKey
from pynav.crowd.regrouping import labels_of_group, regroup
from pynav.grid.clearance import anchor_offset
from pynav.grid.connectivity import Connectivity

if TYPE_CHECKING:
    from pynav.world import World

PACKING = 0.8  # of a disc, what units that stand in it cover
LARGEST_WAYPOINT_TILES = 8.0  # a waypoint is passed within this distance at most
_SEARCH_TILES = (8, 32, 128, 512)  # how far a place that can be reached is looked for, in turn, before the whole map

Slots = npt.NDArray[np.int64]


@dataclass
class Stage:
    """What is known of a command's group beside the group table.

    Attributes:
        command: row of its command.
        after: the group that its units go over to; -1: none.
        leg: of a patrol: 0 to its place, 1 back.
        is_ended: of a group that follows somebody: that one is gone.
    """

    command: int
    after: int = -1
    leg: int = 0
    is_ended: bool = False


class CommandGroups:
    """Groups of commands in a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.commands = CommandTable()
        self.news: list[int] = []  # handles of commands that were carried out
        self._arrived: set[int] = set()  # rows of commands of which a group is gone that units arrived in
        self.stages: dict[int, Stage] = {}
        self._had_members: bytes = b""

    # --- making

    def make(self, stage: Stage, layer_key: LayerKey, crowds: npt.NDArray[np.int64], unit_count: int) -> int:
        """A group of a command on a layer, without members yet.

        Args:
            stage: what it is of.
            layer_key: the layer.
            crowds: indices of the crowds whose agents it is for, int64 (n,).
            unit_count: how many agents it is for at most.
        """
        world, command = self.world, self.commands.at(stage.command)
        groups = world._groups
        self._had_members = b""
        group = groups.add(layer_key, world._crowd_layer(layer_key))
        world._orders.add_group(group, any(world._orders.cohesion[world._own_group[crowd]] for crowd in crowds.tolist()))
        self.stages[group] = stage
        numbers, settings = groups.numbers, groups.settings
        numbers[IS_COMMAND, group] = 1
        groups.set_attacks(group, command.kind in ATTACKING)
        numbers[IS_QUIET, group] = command.kind == CommandKind.FOLLOW
        numbers[REST_STATUS, group] = HOLDING if command.kind == CommandKind.HOLD and not command.yields else IDLE
        settings[REACH, group] = max(world.crowds[crowd].arrive_radius for crowd in crowds.tolist())
        if command.kind == CommandKind.FOLLOW:
            self._widen(group, command.distance)
        self.set_after(group, stage.after, crowds, unit_count)
        return group

    def set_after(self, group: int, after: int, crowds: npt.NDArray[np.int64], unit_count: int) -> None:
        """Have the units of a group go over to another one; where they do, a larger place counts as arrived."""
        stage = self.stages[group]
        stage.after = after
        is_followed = self.commands.at(stage.command).kind == CommandKind.FOLLOW
        self.world._groups.numbers[NEXT_GROUP, group] = -1 if is_followed else after
        if after >= 0 and not is_followed:
            radius = max(self.world._profiles[crowd].radius for crowd in crowds.tolist())
            self._widen(group, min(radius * math.sqrt(unit_count / PACKING), LARGEST_WAYPOINT_TILES))

    def _widen(self, group: int, tiles: float) -> None:
        settings = self.world._groups.settings
        settings[LEAST_ARRIVE, group] = max(settings[LEAST_ARRIVE, group], np.float32(tiles))
        settings[REACH, group] = max(settings[REACH, group], settings[LEAST_ARRIVE, group])
        flow = self.world._orders.flow[group]
        if flow is not None and self.world._flows is not None:
            self.world._flows.widen(flow, float(settings[REACH, group]))

    def copy_chain(self, group: int, tail: int, made: dict[int, int], crowds: npt.NDArray[np.int64], unit_count: int) -> int:
        """A copy of a group and of what comes after it, with ``tail`` at its end (-1: as it ends); who ends it is in ``made``.

        A patrol that something is appended to ends with the way that its units are on.
        """
        if group in made:
            return made[group]
        stage, groups, orders = self.stages[group], self.world._groups, self.world._orders
        layer_key = groups.layer_key[group]
        assert layer_key is not None
        copy = self.make(Stage(stage.command, -1, stage.leg), layer_key, crowds, unit_count)
        made[group] = copy
        groups.settings[:GROUP_SETTING_COUNT, copy] = groups.settings[:GROUP_SETTING_COUNT, group]
        if orders.goal[group] is not None:
            orders.share(copy, group)
        is_loop = stage.after >= 0 and self.stages[stage.after].command == stage.command  # a patrol that nothing ends yet
        if stage.after >= 0 and not (is_loop and tail >= 0):
            after = self.copy_chain(stage.after, tail, made, crowds, unit_count)
        else:
            after = tail
        self.set_after(copy, after, crowds, unit_count)
        return copy

    def copy_on_layer(
        self, group: int, layer_key: LayerKey, made: dict[int, int], crowds: npt.NDArray[np.int64], unit_count: int
    ) -> int:
        """A copy of a group and of what comes after it for another layer, where ways are sought anew."""
        if group in made:
            return made[group]
        stage = self.stages[group]
        made[group] = copy = self.make(Stage(stage.command, -1, stage.leg), layer_key, crowds, unit_count)
        if stage.after >= 0:
            self.set_after(copy, self.copy_on_layer(stage.after, layer_key, made, crowds, unit_count), crowds, unit_count)
        return copy

    # --- members

    def put(self, slots: Slots, groups: npt.NDArray[np.int64] | int) -> None:
        """Move agents, by their slots, to groups."""
        self._had_members = b""
        regroup(self.world._table, self.world._crowds, self.world._groups, slots, groups)

    # --- goals

    def send(self, group: int, seekers: int) -> None:
        """Give a group its goal, or have its agents stand.

        Args:
            group: the group.
            seekers: the group whose agents will go there: itself, or the one before it.
        """
        place = self.place_of(group)
        orders = self.world._orders
        if place is None:
            orders.rest(group)
        elif orders.goal[group] is None:
            asked = np.array([place], dtype=np.float32)
            orders.order(group, self._reached_place(group, asked, seekers), self.world.tick, asked)

    def place_of(self, group: int) -> Place | None:
        """Where a group is to go, tiles; None where it is to stand."""
        stage = self.stages[group]
        command = self.commands.at(stage.command)
        if command.kind == CommandKind.FOLLOW:
            return self.followed_place(command)
        return command.start if stage.leg else command.place

    def followed_place(self, command: Command) -> Place | None:
        """Where the unit or crowd is that a command follows; None if it is gone."""
        world = self.world
        values, _ = world._table.now
        if command.target_crowd >= 0:
            columns = world._table.columns_of(command.target_crowd)
            if not len(columns):
                return None
            at = values[POSITION_X : POSITION_Y + 1, columns].astype(np.float64)
            away = at - at.mean(axis=1, keepdims=True)
            # The order of columns depends on the past, but is part of the state.
            column = columns[int(np.argmin((away * away).sum(axis=0)))]
        else:
            crowd, unit = world._units.unit_at(command.target)
            if crowd < 0:
                return None
            column = world._table.columns_of(crowd, np.array([unit], dtype=np.int32))[0]
        return float(values[POSITION_X, column]), float(values[POSITION_Y, column])

    def _reached_place(self, group: int, point: npt.NDArray[np.float32], seekers: int) -> npt.NDArray[np.float32]:
        """A place, or the nearest one that one of some agents can get to, float32 (1, 2)."""
        world = self.world
        connectivity = world._group_connectivity(group)
        goal = world._group_points(group, point)[0]
        layer_key = world._groups.layer_key[group]
        assert layer_key is not None
        offset = np.float32(anchor_offset(layer_key[1]))
        labels = labels_of_group(world._table, seekers, float(offset), connectivity.label, len(connectivity.root))
        roots = connectivity.roots_of_labels(np.array(labels, dtype=np.int32))
        from_here = connectivity.reached_from(roots.tolist())
        tile = _nearest_tile(connectivity, goal, from_here)
        if tile is None or tile == (int(goal[0]), int(goal[1])):
            return point
        return np.array([tile], dtype=np.float32) + np.float32(0.5) + offset

    def end_following(self, group: int) -> None:
        """The followed is gone: a group's units walk to where it was last, and on from there."""
        numbers, orders = self.world._groups.numbers, self.world._orders
        goal = orders.goal[group]
        assert goal is not None
        numbers[NEXT_GROUP, group] = self.stages[group].after
        orders.clear(group)
        orders.order(group, goal, self.world.tick)
        self.stages[group].is_ended = True

    # --- upkeep, before each tick

    def free_unneeded(self) -> None:
        """Free the groups that nobody is in nor can come to, and the commands that no group has."""
        world = self.world
        counters = world._groups.counters
        needed = {group for group in self.stages if counters[MEMBERS, group] > 0}
        for group in sorted(needed):
            after = self.stages[group].after
            while after >= 0 and after not in needed:
                needed.add(after)
                after = self.stages[after].after
        for group in sorted(set(self.stages) - needed):
            if counters[ARRIVALS, group] > 0:
                self._arrived.add(self.stages[group].command)
            world._orders.forget(group)
            world._groups.free(group)
            del self.stages[group]
        followed = {stage.command for stage in self.stages.values()}
        for row in self.commands.rows():
            if row not in followed:
                if row in self._arrived and self.commands.at(row).kind not in ENDLESS and not self.commands.is_finished(row):
                    self.news.append(self.commands.handle(row))
                self.commands.free(row)
        self._arrived &= followed

    def keep_up(self) -> None:
        """Where groups have become empty or have got their first members: free what nobody needs, seek what is next."""
        had = (self.world._groups.counters[MEMBERS, : self.world._groups.row_count] > 0).tobytes()
        if had == self._had_members:
            return
        self.free_unneeded()
        counters = self.world._groups.counters
        for group in sorted(self.stages):
            after = self.stages[group].after
            if counters[MEMBERS, group] > 0:
                if not self._is_sent(group):
                    self.send(group, group)
                if after >= 0 and not self._is_sent(after):
                    self.send(after, group)
        self._had_members = (self.world._groups.counters[MEMBERS, : self.world._groups.row_count] > 0).tobytes()

    def _is_sent(self, group: int) -> bool:
        return self.world._groups.numbers[HAS_GOAL, group] != 0 or self.place_of(group) is None

    # --- state

    def state(self) -> dict[str, Any]:
        """What a snapshot needs, plain."""
        return {
            "commands": self.commands.state(),
            "stages": [[group, asdict(self.stages[group])] for group in sorted(self.stages)],
            "arrived": sorted(self._arrived),
            "news": list(self.news),
        }

    def load(self, state: dict[str, Any]) -> None:
        """Take up a state; the groups themselves are there already."""
        self.commands.load(state["commands"])
        self._arrived, self.news = set(state["arrived"]), list(state["news"])
        self.stages = {group: Stage(**entry) for group, entry in state["stages"]}
        self._had_members = b""


def _nearest_tile(connectivity: Connectivity, goal: npt.NDArray[np.float32], wanted: set[int]) -> tuple[int, int] | None:
    """The tile of some components whose centre is nearest to a point (ties: the upper, then the left one); None without any."""
    tile = (int(goal[0]), int(goal[1]))
    if int(connectivity.roots([tile])[0]) in wanted:
        return tile
    height, width = connectivity.label.shape
    allowed = np.array(sorted(wanted), dtype=np.int32)
    for reach in (*_SEARCH_TILES, width + height):
        left, top = max(tile[0] - reach, 0), max(tile[1] - reach, 0)
        right, low = min(tile[0] + reach + 1, width), min(tile[1] + reach + 1, height)
        rows, columns = np.mgrid[top:low, left:right].reshape(2, -1)
        is_wanted = np.isin(connectivity.roots(np.stack([columns, rows], axis=1)), allowed)
        squared = (columns + 0.5 - float(goal[0])) ** 2 + (rows + 0.5 - float(goal[1])) ** 2
        is_wanted &= (squared <= (reach - 1) ** 2) | (reach == width + height)
        if is_wanted.any():
            best = int(np.argmin(np.where(is_wanted, squared, np.inf)))
            return int(columns[best]), int(rows[best])
    return None
