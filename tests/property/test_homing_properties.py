"""No missile circles for ever, whatever it is like and however its target moves, as long as that is slower than the missile."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pynav.homing import FieldSettings, GridBox, HomingWorld, ProjectileBatch, ProjectileSettings
from pynav.homing.homing_layout import ASTRAY
from tests.naive.homing import Grid, flight

SIDE = 200.0
HIT = 0.5


def path(seed: int, kind: str, speed: float, ticks: int, hz: int) -> Grid:
    """(ticks + 1, 2) places of a target that stands, goes straight, circles or turns at random, within the middle of the grid."""
    generator = np.random.default_rng(seed)
    period = generator.uniform(0.3, 3.0)
    time = np.arange(ticks + 1) / hz
    if kind == "straight":
        away = np.abs((speed * time + 30.0) % 60.0 - 30.0)  # to and fro
        heading = generator.uniform(0, 2 * np.pi)
        return SIDE / 2 + away[:, None] * np.array([np.cos(heading), np.sin(heading)])
    if kind == "still":
        return np.full((ticks + 1, 2), SIDE / 2)
    if kind == "circling":
        radius = speed * period / (2 * np.pi)
        return SIDE / 2 + radius * np.stack([np.cos(2 * np.pi * time / period), np.sin(2 * np.pi * time / period)], axis=1)
    heading = np.repeat(generator.uniform(0, 2 * np.pi, ticks), max(1, round(period * hz)))[:ticks]
    steps = speed / hz * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    return SIDE / 2 + np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


def missile(
    mode: str, flight_settings: ProjectileSettings, start: Grid, place: Grid, velocity: Grid
) -> tuple[HomingWorld, ProjectileBatch]:
    """A world with one target and one missile."""
    world = HomingWorld(GridBox((0, 0), (SIDE, SIDE), 40, 40), FieldSettings(mode=mode, updates_per_second=30))
    world.add_sources([start], radius=HIT / 2)
    batch = world.add_projectiles(flight_settings)
    batch.spawn([place], velocity)
    return world, batch


kinds = st.sampled_from(["still", "straight", "circling", "turning"])
cases = {
    "seed": st.integers(0, 10_000),
    "kind": kinds,
    "pace": st.floats(0.0, 0.6),
    "damping": st.sampled_from([0.0, 0.05, 0.25, 1.0]),
    "top_speed": st.floats(4.0, 30.0),
    "radius": st.floats(0.5, 12.0),
    "hz": st.sampled_from([20, 60, 240]),
    "distance": st.floats(0.5, 40.0),
    "angle": st.floats(0.0, 6.28),
}


@given(mode=st.sampled_from(["relaxed", "exact"]), **cases)
@settings(max_examples=60, deadline=None, derandomize=True)
@example(mode="exact", seed=0, kind="still", pace=0.0, damping=0.0, top_speed=12.0, radius=4.0, hz=60, distance=4.0, angle=1.57)
def test_a_slower_target_is_hit_within_some_turns(
    mode: str, seed: int, kind: str, pace: float, damping: float, top_speed: float, radius: float, hz: int, distance: float,
    angle: float,
) -> None:  # fmt: skip
    """``radius``: of the turning circle. The slowest of 1,200 that were drawn took half of the time allowed."""
    acceleration = top_speed**2 / radius
    seconds = 6.0 * 2.0 * np.pi * radius / top_speed + 2.5 * (distance + 60.0) / top_speed
    ticks = int(seconds * hz)
    places = path(seed, kind, pace * top_speed, ticks, hz)
    chosen = ProjectileSettings(
        top_speed=top_speed, acceleration=acceleration, damping=damping, snap_distance=0, hit_radius=HIT / 2, lifetime=0
    )
    start = places[0] + [distance, 0.0]
    world, batch = missile(mode, chosen, places[0], start, top_speed * np.array([np.cos(angle), np.sin(angle)]))
    source = world.sources.handles(np.array([0]))
    for tick in range(ticks):
        world.move_sources(source, [places[tick + 1]])
        world.step(1 / hz)
        if batch.count == 0:
            break
    assert batch.count == 0 and len(batch.take_hits().projectiles) == 1


@given(patience=st.sampled_from([0.0, 0.3, 1.0, 1e9]), **cases)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_it_flies_as_the_slow_reference(
    patience: float, seed: int, kind: str, pace: float, damping: float, top_speed: float, radius: float, hz: int,
    distance: float, angle: float,
) -> None:  # fmt: skip
    """For some turns; then what is lost to 32 bits adds up."""
    acceleration = top_speed**2 / radius
    ticks = int(3.0 * 2.0 * np.pi * radius / top_speed * hz)
    places = path(seed, kind, pace * top_speed, ticks, hz)
    chosen = ProjectileSettings(
        top_speed=top_speed, acceleration=acceleration, damping=damping, patience=patience, snap_distance=0,
        hit_radius=HIT / 2, lifetime=0,
    )  # fmt: skip
    start, velocity = places[0] + [distance, 0.0], top_speed * np.array([np.cos(angle), np.sin(angle)])
    slow = flight(start, velocity, places, hz, top_speed, acceleration, damping, patience, HIT)
    world, batch = missile("exact", chosen, places[0], start, velocity)
    source = world.sources.handles(np.array([0]))
    for tick, place in enumerate(slow.places):
        world.move_sources(source, [places[tick + 1]])
        world.step(1 / hz)
        if np.hypot(*(place - places[tick + 1])) < 2.0 * HIT + top_speed / hz:
            return  # a graze may be a hit for one of them
        assert batch.count == 1
        np.testing.assert_allclose(batch.positions[0], place, atol=0.02 * radius)
    if not slow.has_hit:
        turn = acceleration / top_speed / hz / (2 * np.pi)
        assert abs(batch.values[ASTRAY, 0] - slow.astray) < 3 * turn + 1e-3


def test_without_that_patience_some_circle_for_ever() -> None:
    """The same circle round a target that stands still: the post's own missile stays on it, ours is off it within three turns."""
    left = []
    for patience in (1e9, 1.0):
        chosen = ProjectileSettings(damping=0.0, patience=patience, snap_distance=0, hit_radius=HIT / 2, lifetime=0)
        middle = np.full(2, SIDE / 2)
        world, batch = missile("exact", chosen, middle, middle + np.array([4.0, 0.0]), np.array([0.0, 12.0]))
        ticks = 0
        while batch.count and ticks < 20 * 126:  # 126 ticks a turn
            world.step(1 / 60)
            ticks += 1
        left.append(batch.count)
        assert batch.count or ticks < 3 * 126
    assert left == [1, 0]


def test_whoever_does_not_fly_astray_keeps_its_feel() -> None:
    """Up to its first turn astray a jukeable missile flies as ever, to the bit; only then it parts from one without an end."""
    flown = []
    for patience in (1e9, 1.0):
        chosen = ProjectileSettings.jukeable(patience=patience, hit_radius=0.1, lifetime=0)
        middle = np.full(2, SIDE / 2)
        world, batch = missile("exact", chosen, middle, middle + np.array([9.0, 0.0]), np.array([0.0, 12.0]))
        source, rows = world.sources.handles(np.array([0])), []
        for _ in range(400):
            aside = (batch.positions[0] - world.sources.values[:2, 0])[::-1] * [1, -1]  # it always steps aside
            world.move_sources(source, world.sources.values[:2, 0] + aside / max(1e-6, np.hypot(*aside)) * 6.0 / 60)
            world.step(1 / 60)
            rows.append((*batch.positions[0], batch.values[ASTRAY, 0]))
        flown.append(np.array(rows))
    first = int(np.argmax(flown[0][:, 2] > 1.0))
    assert first > 60
    np.testing.assert_array_equal(flown[0][:first], flown[1][:first])
    assert (flown[0][first + 60] != flown[1][first + 60]).any()
