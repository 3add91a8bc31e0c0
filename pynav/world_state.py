"""The state of a world: its hash, and what a snapshot keeps of it. Part of World, which hands itself over."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.agent_layout import (
    AGENT_ID,
    AGENTS,
    ARRIVALS,
    ARRIVE_RADIUS,
    ATTACK_RANGE,
    ENEMY_TEAMS,
    FIRST_SLOT,
    GROUP,
    HAS_GOAL,
    MASK_LAYERS,
    ON_ARRIVAL,
    SIGHT_RADIUS,
    STATUS,
    TARGET,
    TEAM,
)
from pynav.crowd.pace import Stage

if TYPE_CHECKING:
    from pynav.world import World

_SAVED_MARKS = ("alive", "fresh", "arrived", "unreachable", "generation", "place", "foe", "chase")


def state_hash(world: World) -> str:
    """See ``World.state_hash``."""
    digest = hashlib.blake2b(digest_size=16)
    digest.update(np.array([world._seed, world._tick, world._crowds.crowd_count], dtype="<i8").tobytes())
    for part in world._map_bytes() if world._layers is not None else ():
        digest.update(part)
    world._export()
    halfway = world._movement.halfway() if world._pace.stage == Stage.HALFWAY else None
    digest.update(b"" if world._pace.stage == Stage.DONE else bytes([world._pace.stage]))
    crowds, groups = world._crowds, world._groups
    values, tags = world._table.now
    for index, profile in enumerate(world._profiles):
        own = world._own_group[index]
        points = world._orders.goal[own]
        goal = b"" if points is None else points.astype("<f4").tobytes()
        digest.update(len(goal).to_bytes(8, "little") + goal)
        digest.update(np.array([groups.numbers[HAS_GOAL, own], crowds.numbers[ON_ARRIVAL, index]], dtype="<i4").tobytes())
        digest.update(crowds.settings[ARRIVE_RADIUS, index : index + 1].astype("<f4").tobytes())
        if crowds.numbers[TEAM, index] != 0 or crowds.numbers[MASK_LAYERS, index] != 1:
            digest.update(crowds.numbers[[TEAM, MASK_LAYERS], index].astype("<i4").tobytes())
        attack = crowds.settings[[SIGHT_RADIUS, ATTACK_RANGE], index]
        if attack.any() or crowds.numbers[ENEMY_TEAMS, index] != -1:
            digest.update(attack.astype("<f4").tobytes() + crowds.numbers[ENEMY_TEAMS, index : index + 1].astype("<i4").tobytes())
        if not world._orders.cohesion[own]:
            digest.update(b"apart")
        if (profile.movement_class, profile.size) != (0, 1):
            digest.update(bytes([profile.movement_class, profile.size]))
        digest.update(np.array([crowds.counters[AGENTS, index], groups.counters[ARRIVALS, own]], dtype="<i8").tobytes())
        columns = world._table.columns_of(index)
        columns = columns[np.argsort(tags[AGENT_ID, columns], kind="stable")]
        digest.update(tags[AGENT_ID, columns].astype("<i4").tobytes())
        digest.update(tags[STATUS, columns].astype("<i4").tobytes())
        digest.update(tags[TARGET, columns].astype("<i4").tobytes())
        digest.update(values[:, columns].astype("<f4").tobytes())
        if world._pace.stage == Stage.LISTED:
            digest.update(world._movement.next_status[columns].astype("<i4").tobytes())
        if halfway is not None:
            digest.update(halfway[:, columns[columns < halfway.shape[1]]].astype("<f4").tobytes())
        slots = crowds.numbers[FIRST_SLOT, index] + tags[AGENT_ID, columns].astype(np.int64)
        if crowds.foe[slots].any():
            digest.update(crowds.foe[slots].astype("<i8").tobytes() + crowds.chase[slots].astype("<f4").tobytes())
        if crowds.columns[index]:
            digest.update(crowds.columns[index].hashed(tags[AGENT_ID, columns].astype(np.int64)))
        if (tags[GROUP, columns] != own).any():
            digest.update(tags[GROUP, columns].astype("<i4").tobytes())
    digest.update(world._buildings.digest())
    digest.update(world._commands.digest())
    for part in world._formations.hashed():
        digest.update(part)
    return digest.hexdigest()


def collect(world: World) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What a snapshot keeps: numbers and names, and arrays."""
    world._restart_agents()
    crowds, table, orders = world._crowds, world._table, world._orders
    values, tags = table.now
    count = crowds.crowd_count
    arrays: dict[str, npt.NDArray[Any]] = {
        "values": values[:, : table.count],
        "tags": tags[:, : table.count],
        "numbers": crowds.numbers[:, :count],
        "settings": crowds.settings[:, :count],
        "counters": crowds.counters[:, :count],
        "buildings": world._buildings.table,
    }
    for name in _SAVED_MARKS:
        arrays[name] = getattr(crowds, name)
    is_dead = crowds.alive == 0
    arrays["foe"], arrays["chase"] = crowds.foe.copy(), crowds.chase.copy()
    arrays["foe"][is_dead], arrays["chase"][is_dead] = 0, 0.0
    meta: dict[str, Any] = {
        "seed": world._seed,
        "tick": world._tick,
        "slot_count": list(crowds.slot_count),
        "walls_changed": world._walls_changed,
        "tested": world._tested_revision == (world._opening_count, world._placed_revision),
        "profiles": [],
    }
    for profile in world._profiles:
        meta["profiles"].append(
            {
                "speed": profile.speed,
                "radius": profile.radius,
                "speed_variation": profile.speed_variation,
                "movement_class": profile.movement_class,
                "size": profile.fixed_size,
                "spawned": profile.spawned,
            }
        )
    meta["columns"] = []
    for index in range(count):
        listing, columns = crowds.columns[index].state()
        meta["columns"].append(listing)
        arrays.update({f"column_{index}_{number}": values for number, values in enumerate(columns)})
    meta["orders"] = orders.state()
    meta["cohesion"] = list(orders.cohesion)
    meta["own_group"] = list(world._own_group)
    bodies = world._bodies.crowd
    meta["bodies"] = -1 if bodies is None else bodies.index
    meta["commands"] = world._commands.state()
    meta["groups"], group_arrays = world._groups.state()
    arrays.update(group_arrays)
    goals = {index: goal for index, goal in enumerate(orders.goal) if goal is not None}
    meta["goals"] = list(goals)
    arrays.update({f"goal_{index}": goal for index, goal in goals.items()})
    meta["map"], map_arrays = world._map_state()
    arrays.update(map_arrays)
    if world._flows is not None:
        meta["flow_table"], flow_arrays = world._flows.state()
        arrays.update(flow_arrays)
    meta["formations"], formation_arrays = world._formations.state()
    arrays.update(formation_arrays)
    meta["pace"] = world._pace.state()
    if world._pace.stage == Stage.HALFWAY:
        arrays["halfway"] = world._movement.halfway()
    elif world._pace.stage == Stage.LISTED:
        arrays["next_status"] = world._movement.next_status[: table.count]
    return meta, arrays


def fill(world: World, meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Give a new world, made with the seed in ``meta``, the state of an unpacked snapshot."""
    world._load_map(meta["map"], arrays)
    if world.grid is not None:
        world._agent_queries.fit(world.grid.width, world.grid.height)
        world._buildings.fit(world.grid.width, world.grid.height)
    world._buildings.load(arrays["buildings"])
    crowds, table = world._crowds, world._table
    for index, entry in enumerate(meta["profiles"]):
        world.add_crowd(
            0, entry["speed"], entry["radius"], speed_variation=entry["speed_variation"], size=entry["size"],
            movement_class=world.movement_classes[entry["movement_class"]].name,
        )  # fmt: skip
        crowds.grow(index, meta["slot_count"][index])
        listing = meta["columns"][index]
        crowds.columns[index].load(listing, [arrays[f"column_{index}_{number}"] for number in range(len(listing))])
        profile = world._profiles[index]
        profile.spawned = entry["spawned"]
    world._own_group = list(meta["own_group"])
    world._groups.load(meta["groups"], arrays)
    for group in range(world._groups.row_count):
        world._orders.add_group(group, meta["cohesion"][group])
        world._orders.goal[group] = arrays[f"goal_{group}"] if group in meta["goals"] else None
    world._commands.load(meta["commands"])
    if meta["bodies"] >= 0:
        world._bodies.crowd = world.crowds[meta["bodies"]]
    count = crowds.crowd_count
    crowds.numbers[:, :count] = arrays["numbers"]
    crowds.settings[:, :count] = arrays["settings"]
    crowds.counters[:, :count] = arrays["counters"]
    for name in _SAVED_MARKS:
        getattr(crowds, name)[:] = arrays[name]
    crowds.has_news[:] = 1
    agents = arrays["values"].shape[1]
    table.reserve(agents)
    table.count = agents
    values, tags = table.now
    values[:, :agents] = arrays["values"]
    tags[:, :agents] = arrays["tags"]
    if world._flows is not None:
        flows = world._flows
        flows.load(meta["flow_table"], arrays)
        world._orders.load(meta["orders"], flows)
    world._formations.load(meta["formations"], arrays)
    world._pace.load(meta["pace"])
    world._movement.reserve(table.capacity)
    if world._pace.stage == Stage.HALFWAY:
        world._movement.load_halfway(arrays["halfway"])
    elif world._pace.stage == Stage.LISTED:
        world._movement.next_status[:agents] = arrays["next_status"]
    world._tick = meta["tick"]
    world._walls_changed = meta["walls_changed"]
    if meta["tested"]:
        world._tested_revision = (world._opening_count, world._placed_revision)
