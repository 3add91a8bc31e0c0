"""One scene of 2,000 units over threads, save and restore, and backends: the same bits. And the hash is no constant."""

import numpy as np
import pytest

from pynav.grid import TileGrid, generate_map
from pynav.kernels import get_threads, reset_stats, set_threads, stats
from pynav.world import World

TICKS = 240
UNITS = 2000


def scene(threads: int, seed: int = 7, map_seed: int = 1, second_goal: int = 40, restore_at: tuple[int, ...] = ()) -> World:
    """Two crowds on generated caverns, one that stays and one that leaves; edits, a new order, spawning and removing on the
    way.
    """
    made = generate_map("caverns", 96, 96, map_seed)
    free = np.argwhere(made.cost != 0)[:, ::-1]
    world = World(threads=threads, seed=seed)
    world.set_grid(TileGrid(made.cost))
    stay = world.add_crowd(0, 3.0, 0.3)
    leave = world.add_crowd(0, 2.0, 0.4, on_arrival="remove", arrive_radius=3.0)
    stay.set_goal(free[len(free) // 2])
    leave.set_goal([free[second_goal], free[-40]])
    stay.spawn_in(UNITS * 3 // 4)
    leave.spawn_in(UNITS // 4)
    for tick in range(TICKS):
        if tick in restore_at:
            restored = World(threads=threads)
            restored.restore(world.save())
            world = restored
            stay, leave = world.crowds
        if tick == 60:
            world.edit_cost(40, 40, np.zeros((6, 9), dtype=np.uint8))
        if tick == 90:
            stay.set_goal_point(float(free[300][0]) + 0.25, float(free[300][1]) + 0.75)
        if tick == 120:
            stay.remove(np.arange(0, 200, 3))
            leave.spawn_in(50)
        world.step((1 / 60, 1 / 30, 1 / 144)[tick % 3])
    return world


@pytest.fixture(scope="module")
def reference() -> World:
    return scene(1)


@pytest.fixture(autouse=True)
def _threads_as_before():  # type: ignore[no-untyped-def]
    before = get_threads()
    yield
    set_threads(before)


@pytest.mark.parametrize("threads", [2, 3, 7, 16])
def test_any_number_of_threads_gives_the_same_bits(threads: int, reference: World) -> None:
    reset_stats()
    world = scene(threads)
    assert world.state_hash() == reference.state_hash()
    assert world.save() == reference.save()
    used = stats().threads_used
    print(f"{threads} threads, {used} of them ran blocks")
    assert 1 <= used <= threads


def test_two_threads_are_seen_at_work() -> None:
    set_threads(2)
    reset_stats()
    scene(2)
    assert stats().threads_used == 2


def test_saving_and_restoring_in_the_middle_changes_nothing(reference: World) -> None:
    world = scene(2, restore_at=(0, 1, 60, 61, 62, 91, 121, 200))
    assert world.state_hash() == reference.state_hash()


def test_seed_map_and_goal_change_the_hash_and_units_moved(reference: World) -> None:
    hashes = {
        reference.state_hash(),
        *(scene(2, **change).state_hash() for change in ({"seed": 8}, {"map_seed": 2}, {"second_goal": 41})),
    }
    assert len(hashes) == 4
    crowd = reference.crowds[0]
    assert np.hypot(*crowd.velocities[crowd.alive].T).max() > 1
    assert reference.crowds[1].arrived_count > 0
