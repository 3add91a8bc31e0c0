"""The same bits for the homing grid: on any number of threads, in every backend, after save and restore, and in jobs."""

import numpy as np
import pytest

from pynav.homing import FieldSettings, GridBox, HomingWorld, ProjectileBatch, ProjectileSettings
from pynav.kernels import get_backend, get_threads, set_backend, set_threads
from pynav.snapshot import SnapshotError
from pynav.world import World


def scene(
    mode: str, inline_work: int = 131_072, missiles: int = 200, side: int = 24, seed: int = 4
) -> tuple[HomingWorld, ProjectileBatch]:
    generator = np.random.default_rng(seed)
    box = GridBox((-3, 2), (side - 3, side + 2), side, side)
    world = HomingWorld(box, FieldSettings(mode=mode, inline_work=inline_work, updates_per_second=15, reading="engine"))
    world.add_sources(generator.uniform(0, side, (12, 2)), radius=0.2)
    world.add_sources([(5, 9)], power=-0.5, reach=3.0)
    world.add_sources([(12, 15)], power=0.4, reach=5.0, capture_radius=1.0, pull=30.0)
    world.add_sources([(18, 6)], power=0.4, reach=3.0, capture_radius=0.5, pull=30.0, dense=True)
    batch = world.add_projectiles(ProjectileSettings.jukeable(bilinear=True, lifetime=1.5, lead=0.2, patience=0.05))
    batch.spawn(generator.uniform(0, side, (missiles, 2)), generator.uniform(-9, 9, (missiles, 2)))
    return world, batch


def play(world: HomingWorld, batch: ProjectileBatch, first: int, ticks: int) -> list[str]:
    """Hashes of each tick; sources move, some projectiles are shot and taken out."""
    hashes = []
    for tick in range(first, first + ticks):
        handles = world.sources.handles(np.arange(12))
        angle = np.arange(12) + tick / 30
        world.move_sources(handles, 12 + 8 * np.stack([np.cos(angle), np.sin(2 * angle)], axis=1))
        batch.spawn([(tick % 20, 5)], (3.0, 4.0))
        if tick % 7 == 0:
            batch.despawn(batch.handles[:2])
            world.propagate([(3, 3)], 2.0)
        world.step(1 / 60)
        hashes.append(world.state_hash())
    return hashes


@pytest.mark.parametrize("mode", ["relaxed", "exact"])
@pytest.mark.parametrize("inline_work", [0, 131_072])
def test_equal_on_any_number_of_threads(mode: str, inline_work: int) -> None:
    before = get_threads()
    try:
        found = []
        for threads in (1, 2, 3, 7, 16):
            set_threads(threads)
            world, batch = scene(mode, inline_work, missiles=9000, side=150)
            found.append(play(world, batch, 0, 20))
            assert len(batch.take_hits().projectiles) > 10
    finally:
        set_threads(before)
    assert all(one == found[0] for one in found)
    assert len(set(found[0])) == 20


@pytest.mark.parametrize("mode", ["relaxed", "exact"])
def test_equal_in_every_backend(mode: str) -> None:
    before = get_backend()
    found = []
    try:
        for backend in dict.fromkeys(["python", "jit", before]):
            set_backend(backend)
            world, batch = scene(mode, missiles=40, side=12)
            found.append(play(world, batch, 0, 12))
    finally:
        set_backend(before)
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("mode", ["relaxed", "exact"])
@pytest.mark.parametrize("inline_work", [0, 131_072])
@pytest.mark.parametrize("at", [1, 17, 30])
def test_equal_after_save_and_restore(mode: str, inline_work: int, at: int) -> None:
    world, batch = scene(mode, inline_work)
    play(world, batch, 0, at)
    data = world.save()
    straight = play(world, batch, at, 30)
    other, other_batch = scene(mode, inline_work, seed=99)
    play(other, other_batch, 0, 5)
    other.restore(data)
    assert other.batches == (other_batch,)
    assert play(other, other_batch, at, 30) == straight
    empty = HomingWorld(GridBox((0, 0), (1, 1), 1, 1))
    empty.restore(data)
    assert play(empty, empty.batches[0], at, 30) == straight


def test_the_hash_tells_worlds_apart() -> None:
    world, batch = scene("relaxed")
    hashes = {world.state_hash(), scene("relaxed", seed=5)[0].state_hash(), scene("exact")[0].state_hash()}
    world.change_sources(world.sources.handles(np.arange(1)), power=2.0)
    hashes.add(world.state_hash())
    batch.despawn(batch.handles[:1])
    hashes.add(world.state_hash())
    assert len(hashes) == 5


def test_foreign_and_damaged_snapshots_are_refused_and_change_nothing() -> None:
    world, batch = scene("relaxed")
    play(world, batch, 0, 3)
    before = world.state_hash()
    good = world.save()
    for bad in (b"", good[:-5], good[:60] + bytes([good[60] ^ 1]) + good[61:], World(seed=1).save()):
        with pytest.raises(SnapshotError):
            world.restore(bad)
    with pytest.raises(SnapshotError):
        World(seed=1).restore(good)
    assert world.state_hash() == before


def test_a_batch_that_is_made_after_a_restore_is_the_same() -> None:
    """Whatever other batches were made between the save and the restore."""
    found = []
    for others in (0, 3):
        world, batch = scene("relaxed", missiles=20)
        kept = world.save()
        for _ in range(others):
            world.remove_projectiles(world.add_projectiles())
        world.restore(kept)
        world.remove_projectiles(batch)
        made = world.add_projectiles(batch.settings)
        found.append(play(world, made, 0, 5))
    assert found[0] == found[1]
