"""The state of a homing world: its hash, and what a snapshot keeps of it. Part of HomingWorld, which hands itself over."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.homing.field_settings import FieldSettings
from pynav.homing.grid_box import GridBox
from pynav.homing.homing_layout import FRESH, PROJECTILE_TAGS, PROJECTILE_VALUES
from pynav.homing.projectile_settings import ProjectileSettings
from pynav.snapshot import SnapshotError, pack, unpack

if TYPE_CHECKING:
    from pynav.homing.homing_world import HomingWorld

_KIND = "homing"


def collect(world: HomingWorld) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What a snapshot keeps: numbers and arrays. Updates in progress are done first, and published when they are due."""
    sources = world._sources
    arrays: dict[str, npt.NDArray[Any]] = {
        "sources": sources.values[:, : sources.count],
        "source_tags": sources.tags[:, : sources.count],
    }
    meta: dict[str, Any] = {
        "kind": _KIND,
        "tick": world._tick,
        "box": asdict(world._box),
        "settings": asdict(world._settings),
        "fields": {},
        "batches": [],
    }
    for type_number, field in sorted(world._fields.items()):
        field.finish_job()
        meta["fields"][str(type_number)] = field.state()
        arrays.update({f"field_{type_number}_{name}": array for name, array in field.arrays().items()})
    for index, batch in enumerate(world._batches):
        numbers = {"lowest_free": batch._lowest_free, "number": batch.number, "of_bodies": batch.of_bodies}
        meta["batches"].append({"settings": asdict(batch.settings), **numbers})
        tags = batch.tags[:, : batch.slot_count].copy()
        tags[FRESH] = 0  # a mark for drawing
        arrays[f"values_{index}"] = batch.values[:, : batch.slot_count]
        arrays[f"tags_{index}"] = tags
    return meta, arrays


def state_hash(world: HomingWorld) -> str:
    """See ``HomingWorld.state_hash``."""
    meta, arrays = collect(world)
    for batch in meta["batches"]:
        del batch["number"]  # what it is called by; another one where a batch was made after the state was saved, too
    digest = hashlib.blake2b(json.dumps(meta, sort_keys=True).encode(), digest_size=16)
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes())
    return digest.hexdigest()


def save(world: HomingWorld) -> bytes:
    """See ``HomingWorld.save``."""
    return pack(*collect(world))


def restore(world: HomingWorld, data: bytes) -> None:
    """See ``HomingWorld.restore``."""
    meta, arrays = unpack(data)
    if meta.get("kind") != _KIND:
        raise SnapshotError("a snapshot of another kind of world, not of a homing grid")
    try:
        loaded = _loaded(type(world), meta, arrays)
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        raise SnapshotError(f"a snapshot whose contents don't fit one another: {error!r}") from error
    for field in world._fields.values():
        field.finish_job()
    kept = {batch.number: batch for batch in world._batches}
    for batch in loaded._batches:
        kept.setdefault(batch.number, batch).__dict__.update(batch.__dict__)
    loaded._next_batch = max(world._next_batch, loaded._next_batch)
    loaded._batches = [kept[batch.number] for batch in loaded._batches]
    world.__dict__.update(loaded.__dict__)


def _loaded(kind: type[HomingWorld], meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> HomingWorld:
    box = meta["box"]
    made = GridBox(tuple(box["low"]), tuple(box["high"]), box["columns"], box["rows"])
    world = kind(made, FieldSettings(**meta["settings"]))
    world._tick = meta["tick"]
    sources = world._sources
    sources.load(arrays["sources"], arrays["source_tags"])
    for name, state in meta["fields"].items():
        field = world._field(int(name))
        prefix = f"field_{name}_"
        field.load(state, {key.removeprefix(prefix): array for key, array in arrays.items() if key.startswith(prefix)})
    for index, entry in enumerate(meta["batches"]):
        batch = world.add_projectiles(ProjectileSettings(**entry["settings"]), bool(entry["of_bodies"]))
        batch.values, batch.tags = arrays[f"values_{index}"], arrays[f"tags_{index}"]
        rows, slots = (len(batch.values), len(batch.tags)), (batch.values.shape[1], batch.tags.shape[1])
        if rows != (PROJECTILE_VALUES, PROJECTILE_TAGS) or slots[0] != slots[1]:
            raise ValueError(f"projectiles have {PROJECTILE_VALUES} and {PROJECTILE_TAGS} numbers, got {rows}")
        batch.slot_count = batch.values.shape[1]
        batch.event = np.zeros(batch.slot_count, np.uint8)
        batch._lowest_free, batch.number = entry["lowest_free"], entry["number"]
        world._next_batch = max(world._next_batch, batch.number + 1)
    return world
