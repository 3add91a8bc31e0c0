"""Notes of cells change nothing but the time: the same bits as where each projectile looks up all by itself."""

import numpy as np
import pytest

from pynav.homing import FieldSettings, GridBox, HomingWorld, ProjectileBatch, ProjectileSettings
from pynav.homing.cell_notes import CellNotes
from pynav.kernels import get_threads, set_threads

CASES = [(mode, felt, side) for mode in ("relaxed", "exact") for felt in (False, True) for side in (12, 132)]


def scene(mode: str, felt: bool, side: int, missiles: int) -> tuple[HomingWorld, list[ProjectileBatch]]:
    """Two batches of one type with their own flight; targets in clusters, so that some cells see several."""
    generator = np.random.default_rng(11)
    settings = FieldSettings(mode=mode, updates_per_second=20, sight_cells=2)
    world = HomingWorld(GridBox((-2, 1), (side * 1.5 - 2, side + 1), side, side), settings)
    world.add_sources(generator.uniform(0, side, (10, 2)), radius=0.3)
    world.add_sources(generator.uniform(3, 6, (6, 2)), radius=0.2)
    world.add_sources([(9.0, 9.0)], type=1, radius=0.5)
    if felt:
        world.add_sources([(5, 9)], power=-0.5, reach=3.0)
        world.add_sources([(10, 6)], power=0.4, reach=3.0, capture_radius=0.6, pull=30.0)
        world.add_sources([(3, 10)], power=0.0, reach=2.0, capture_radius=0.6, pull=30.0, dense=True)
    batches = [
        world.add_projectiles(ProjectileSettings(lifetime=0.6, snap_distance=snap, damping=2 - 3 * snap, patience=0.01))
        for snap in (0.0, 0.6)
    ]
    for batch in batches:
        batch.spawn(generator.uniform(-1, side + 1, (missiles, 2)), generator.uniform(-9, 9, (missiles, 2)))
    return world, batches


def play(world: HomingWorld, batches: list[ProjectileBatch]) -> tuple[list[str], int]:
    """Hashes of 45 ticks in which targets move, one is removed and its slot taken by a repeller; how much was hit."""
    hashes = []
    for tick in range(45):
        handles = world.sources.handles(np.arange(8))
        angle = np.arange(8) + tick / 20
        world.move_sources(handles, 6 + 4 * np.stack([np.cos(angle), np.sin(2 * angle)], axis=1))
        if tick == 20:
            world.remove_sources(world.sources.handles(np.array([12])))
            world.add_sources([(4, 4)], power=-1.0)
        batches[0].spawn(np.full((3, 2), 2.0), (3.0, 4.0))
        world.step(1 / 60)
        hashes.append(world.state_hash())
    return hashes, sum(len(batch.take_hits().projectiles) for batch in batches)


@pytest.mark.parametrize(("mode", "felt", "side"), CASES)
def test_the_same_bits_with_and_without(monkeypatch: pytest.MonkeyPatch, mode: str, felt: bool, side: int) -> None:
    missiles = 300 if side < 100 else 18_000
    world, batches = scene(mode, felt, side, missiles)
    noted = play(world, batches)
    assert len(world._field(0).notes.table) == side * side
    monkeypatch.setattr(CellNotes, "are_worth_it", lambda self, projectiles: False)
    world, batches = scene(mode, felt, side, missiles)
    assert play(world, batches) == noted
    assert len(world._field(0).notes.table) == 1
    assert noted[1] > 40 and len(set(noted[0])) == 45


def test_the_same_bits_on_any_number_of_threads() -> None:
    before, found = get_threads(), []
    try:
        for threads in (1, 2, 5):
            set_threads(threads)
            found.append(play(*scene("exact", True, 40, 9_000)))
    finally:
        set_threads(before)
    assert found[0] == found[1] == found[2]


def test_few_projectiles_and_buckets_that_do_not_fit_cells_have_none() -> None:
    assert not CellNotes(GridBox((0, 0), (8, 8), 8, 8)).are_worth_it(63)
    assert CellNotes(GridBox((0, 0), (8, 8), 8, 8)).are_worth_it(64)
    assert CellNotes(GridBox((0, 0), (8, 8), 256, 8)).are_worth_it(1 << 20)  # buckets of two cells
    assert not CellNotes(GridBox((0, 0), (8, 8), 300, 8)).are_worth_it(1 << 20)  # of three
