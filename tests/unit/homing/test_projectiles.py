"""Projectiles of the homing grid: hits, turning, orbits, repellers, wells, handles, drawing."""

from typing import Any

import numpy as np
import pytest

from pynav.homing import (
    FieldSettings,
    GridBox,
    HomingError,
    HomingWorld,
    ProjectileBatch,
    ProjectileSettings,
    fill_of_2d,
    fill_of_3d,
)
from tests.naive.homing import swept_hit

MODES = ("relaxed", "exact")


def world_of(side: int, mode: str = "relaxed", **settings: Any) -> HomingWorld:
    return HomingWorld(GridBox((0, 0), (side, side), side, side), FieldSettings(mode=mode, **settings))


def fly(world: HomingWorld, seconds: float, hz: int = 60) -> None:
    for _ in range(round(seconds * hz)):
        world.step(1 / hz)


def ring(count: int, middle: tuple[float, float], radius: float) -> np.ndarray:
    angle = np.arange(count) * (2 * np.pi / count)
    return np.asarray(middle) + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("hz", [20, 60, 240])
def test_sure_hits_hit(mode: str, hz: int) -> None:
    world = world_of(32, mode)
    world.add_sources([(8.3, 9.1), (22.7, 24.2)], radius=0.25)
    missiles = world.add_projectiles(ProjectileSettings.sure_hit(lifetime=0))
    missiles.spawn(np.random.default_rng(1).uniform(1, 31, (300, 2)), (0.0, 12.0))
    fly(world, 8, hz)
    hits = missiles.take_hits()
    assert missiles.count == 0 and len(hits.projectiles) == 300
    assert set(hits.targets) == {0, 1}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("damping", [2.0, 0.25])
@pytest.mark.parametrize("velocity", [(0.0, 0.0), (30.0, 0.0)])
def test_a_close_target_inside_the_turning_circle_is_hit_without_an_orbit(
    mode: str, damping: float, velocity: tuple[float, float]
) -> None:
    """Starwards 2189: at short range the missile chases the present position and circles it. Speed 60, radius of turning 80."""
    world = HomingWorld(GridBox((-400, -400), (1600, 400), 100, 40), FieldSettings(mode=mode, updates_per_second=30))
    place = np.array([40.0, 60.0])
    enemy = world.add_sources([place], radius=4.0)
    settings = ProjectileSettings(top_speed=60, acceleration=45, damping=damping, snap_distance=0, hit_radius=1, lifetime=0)
    missile = world.add_projectiles(settings)
    missile.spawn([(0, 0)], (60.0, 0.0))
    before, turned = np.array([60.0, 0.0]), 0.0
    for _ in range(60 * 60):
        place = place + np.array(velocity) / 60
        world.move_sources(enemy, [place])
        world.step(1 / 60)
        if missile.count == 0:
            break
        now = missile.velocities[0].astype(float)
        turned += np.arctan2(before[0] * now[1] - before[1] * now[0], before @ now)
        before = now
    assert len(missile.take_hits().projectiles) == 1
    assert abs(turned) < (2 if damping == 2.0 else 4) * 2 * np.pi


def test_momentum_gives_a_turning_circle() -> None:
    """A missile that flies east under a northward pull keeps going east for a while; a stronger damping turns it sooner."""
    east = []
    for damping in (0.0, 2.0):
        world = world_of(64, "exact")
        world.add_sources([(10, 60)], radius=0.2)
        missile = world.add_projectiles(ProjectileSettings(damping=damping))
        missile.spawn([(10, 10)], (12.0, 0.0))
        world.step(1 / 60)
        assert missile.velocities[0, 0] > 10
        fly(world, 1)
        east.append(missile.positions[0, 0] - 10)
    assert east[0] > east[1] > 1


@pytest.mark.parametrize("seed", range(6))
def test_swept_hits_are_those_of_a_slow_look_at_many_moments(seed: int) -> None:
    generator = np.random.default_rng(seed)
    old, place = generator.uniform(2, 6, (2, 200, 2)).astype(np.float32)
    velocity, drift = generator.uniform(-30, 30, (2, 200, 2)).astype(np.float32)
    radius, delta, agree, hits = 0.3, 0.1, 0, 0
    for index in range(200):
        world = world_of(8, "exact")
        target = world.add_sources(old[index], radius=0.2)
        settings = ProjectileSettings(top_speed=100, acceleration=0, snap_distance=0, hit_radius=0.1, damping=0)
        missile = world.add_projectiles(settings)
        missile.spawn(place[index], velocity[index])
        new = old[index] + drift[index] * np.float32(delta)
        world.move_sources(target, new)
        world.step(delta)
        was_hit = len(missile.take_hits().projectiles) == 1
        expected = swept_hit(
            place[index].astype(float), velocity[index] * delta, old[index].astype(float), new.astype(float), radius
        )
        agree += was_hit == expected
        hits += was_hit
    assert agree >= 199 and 5 < hits < 190  # a graze may fall between two of its moments


def test_snapping_hits_at_once_and_not_from_afar() -> None:
    world = world_of(8)
    world.add_sources([(4.2, 4.5)], radius=0.01)
    missiles = world.add_projectiles(ProjectileSettings(snap_distance=0.5, hit_radius=0.0, acceleration=0.0))
    near, far = missiles.spawn([(4.6, 4.5), (4.9, 4.5)], (0.0, 0.0))
    world.step(1 / 60)
    hits = missiles.take_hits()
    assert list(hits.projectiles) == [near] and missiles.slots_of([near, far]).tolist() == [-1, 1]
    np.testing.assert_allclose(hits.positions, [(4.2, 4.5)], rtol=1e-6)


def test_bilinear_directions_bend_smoothly() -> None:
    turns = []
    for bilinear in (False, True):
        world = world_of(16, sight_cells=0)
        world.add_sources([(13.5, 12.5)])
        fly(world, 3)
        missile = world.add_projectiles(ProjectileSettings(bilinear=bilinear, damping=4, lifetime=0))
        missile.spawn([(2, 2)], (1.0, 0.0))
        headings = []
        for _ in range(50):
            world.step(1 / 60)
            headings.append(np.arctan2(*missile.velocities[0, ::-1]))
        turns.append(np.abs(np.diff(np.diff(headings)))[10:].max())
    assert turns[1] < turns[0]


@pytest.mark.parametrize("mode", MODES)
def test_missiles_go_round_a_repeller_and_arrive(mode: str) -> None:
    world = world_of(48, mode)
    world.add_sources([(40, 24)], radius=0.3)
    world.add_sources([(24, 24)], power=-1.0, reach=6.0)
    missiles = world.add_projectiles(ProjectileSettings(lifetime=0))
    start = np.stack([np.full(41, 8.0), np.linspace(20, 28, 41)], axis=1)
    missiles.spawn(start, (12.0, 0.0))
    nearest = np.full(41, np.inf)
    for _ in range(900):
        world.step(1 / 60)
        away = np.hypot(*(missiles.positions - (24, 24)).T)
        nearest = np.minimum(nearest, np.where(missiles.alive, away, np.inf))
    assert missiles.count == 0 and len(missiles.take_hits().projectiles) == 41
    assert nearest.min() > 1.5  # without the repeller 0: they fly through its middle


def well_run(strength: float, hz: int, dense: bool, others: bool = False) -> tuple[np.ndarray, ProjectileBatch, float]:
    """(share of the last second inside, batch, movement a tick at the end) of projectiles about wells."""
    world = world_of(64)
    wells = np.array([(32.0, 32.0), (20.0, 40.0), (45.0, 20.0)]) if others else np.array([(32.0, 32.0)])
    world.add_sources(wells, power=0.0, reach=60.0, capture_radius=1.0, pull=10.0 * strength, dense=dense)
    if others:
        world.add_sources([(27, 36), (38, 30)], power=-1.0, reach=2.0)
    generator = np.random.default_rng(7)
    count = 120
    place = (32, 32) + generator.uniform(0.5, 8, (count, 1)) * ring(count, (0, 0), 1.0)
    angle = generator.uniform(0, 2 * np.pi, count)
    speed = generator.uniform(0, 12, count)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    batch = world.add_projectiles(ProjectileSettings(lifetime=0, top_speed=12))
    batch.spawn(place, speed)
    inside = np.ones(count, bool)
    moved = 0.0
    for tick in range(20 * hz):
        before = batch.positions
        world.step(1 / hz)
        if tick >= 19 * hz:
            away = np.hypot(*(batch.positions[:, None] - wells).transpose(2, 0, 1)).min(axis=1)
            inside &= away < 1.0
            moved = max(moved, float(np.abs(batch.positions - before).max()))
    return inside, batch, moved


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("strength", [1.0, 10.0, 100.0, 1000.0])
@pytest.mark.parametrize("hz", [10, 60, 240])
def test_wells_hold_what_they_catch(dense: bool, strength: float, hz: int) -> None:
    inside, batch, moved = well_run(strength, hz, dense)
    assert inside.all()
    assert moved < 1e-4
    assert batch.held.all() != dense  # the denser space needs no latch


@pytest.mark.parametrize("hz", [10, 60])
@pytest.mark.parametrize("dense", [False, True])
def test_several_wells_share_what_comes_and_repellers_do_not_free_it(dense: bool, hz: int) -> None:
    inside, _, _ = well_run(10.0, hz, dense, others=True)
    assert inside.all()


def test_a_well_that_moves_takes_what_it_holds_along_and_lets_go_when_removed() -> None:
    world = world_of(64)
    well = world.add_sources([(10, 10)], power=0.0, reach=4.0, capture_radius=1.0, pull=20.0)
    batch = world.add_projectiles(ProjectileSettings(lifetime=0))
    batch.spawn(ring(20, (10, 10), 0.8), (0.0, 0.0))
    for tick in range(120):
        world.move_sources(well, [(10 + tick / 4, 10)])
        world.step(1 / 60)
    assert len(batch.take_caught().projectiles) == 20
    np.testing.assert_allclose(batch.positions, np.tile([10 + 119 / 4, 10], (20, 1)), atol=1e-3)
    world.remove_sources(well)
    assert not batch.held.any()
    world.step(1 / 60)
    assert batch.count == 20


def test_a_held_missile_does_not_fly_on_to_an_enemy() -> None:
    world = world_of(32)
    world.add_sources([(16, 16)], power=0.0, reach=6.0, capture_radius=1.5, pull=60.0)
    world.add_sources([(28, 16)], radius=0.3)
    missiles = world.add_projectiles(ProjectileSettings(lifetime=0))
    missiles.spawn([(4, 16), (4, 4)], [(12, 0), (12, 0)])
    fly(world, 6)
    assert missiles.held[0]


def test_lifetimes_and_handles() -> None:
    world = world_of(8)
    batch = world.add_projectiles(ProjectileSettings(lifetime=0.5))
    one, two, three = batch.spawn([(1, 1), (2, 2), (3, 3)], (1.0, 0.0))
    batch.spawn([(4, 4)], (0.0, 0.0), lifetime=0)
    assert batch.despawn([two, two, 99]) == 1
    (again,) = batch.spawn([(5, 5)], (0.0, 0.0), lifetime=2.0)
    assert again & 0xFFFFFFFF == two & 0xFFFFFFFF and again != two
    fly(world, 1)
    assert batch.take_expired().tolist() == [one, three]
    assert len(batch.take_expired()) == 0
    fly(world, 30)
    assert batch.take_expired().tolist() == [again] and batch.count == 1
    assert batch.despawn([two]) == 0
    with pytest.raises(HomingError, match="velocities must be finite"):
        batch.spawn([(1, 1)], (float("nan"), 0.0))
    with pytest.raises(HomingError, match="lifetime"):
        ProjectileSettings(lifetime=-1)


def test_projectiles_far_outside_come_back() -> None:
    world = world_of(16, "exact")
    world.add_sources([(8, 8)], radius=0.5)
    missile = world.add_projectiles(ProjectileSettings(lifetime=0))
    missile.spawn([(-100, 300)], (0.0, 0.0))
    fly(world, 60)
    assert len(missile.take_hits().projectiles) == 1


def test_instances_follow_the_projectiles() -> None:
    world = world_of(16)
    batch = world.add_projectiles(ProjectileSettings(lifetime=0))
    handles = batch.spawn([(2, 3), (5, 6), (7, 7)], [(3, 4), (0, -2), (0, 0)])
    batch.despawn(handles[1:2])
    affine = np.array([[10, 0, 100], [0, 10, 200]])
    flat, before = np.full((2, 3 * 12), 9, np.float32)
    fill_of_2d(batch, flat, affine, 2.0, custom=True, previous=before).run()
    rows = flat.reshape(3, 12)
    np.testing.assert_allclose(rows[0, :8], [1.2, -1.6, 0, 120, 1.6, 1.2, 0, 230], rtol=1e-6)
    np.testing.assert_allclose(rows[0, 9:], [5, 0, 1])
    np.testing.assert_allclose(rows[2, :8], [2, 0, 0, 170, 0, 2, 0, 270])
    assert not rows[1].any()
    np.testing.assert_array_equal(before.reshape(3, 12)[[0, 2]], rows[[0, 2]])
    assert (before.reshape(3, 12)[1] == 9).all()
    solid = np.zeros(3 * 12, np.float32)
    fill_of_3d(batch, solid, affine, 2.0, 0.5).run()
    basis = solid.reshape(3, 3, 4)[0]
    np.testing.assert_allclose(basis[:, 3], [120, 0.5, 230])
    np.testing.assert_allclose(-basis[:, 2], [1.2, 0, 1.6], rtol=1e-6)  # it looks along -z
    np.testing.assert_allclose(np.linalg.det(basis[:, :3]), 8, rtol=1e-6)
    with pytest.raises(HomingError, match="must hold 3 instances of 12 floats = 36, got 35"):
        fill_of_3d(batch, solid[:35], affine, 2.0, 0.5)


def test_jukeable_missiles_do_not_circle_round_several_targets_for_ever() -> None:
    """Seven did that flew at the first of the targets in sight: they gained as much where it changed as the damping took."""
    generator = np.random.default_rng(5)
    world = world_of(40, sight_cells=2)
    world.add_sources(generator.uniform(0, 40, (100, 2)), radius=0.25)
    fly(world, 2)
    missiles = world.add_projectiles(ProjectileSettings.jukeable(lifetime=0))
    angle = generator.uniform(0, 6.283, 8_000)
    missiles.spawn(generator.uniform(0, 40, (8_000, 2)), 12 * np.stack([np.cos(angle), np.sin(angle)], 1))
    fly(world, 15)
    assert missiles.count == 0 and len(missiles.take_hits().projectiles) == 8_000
