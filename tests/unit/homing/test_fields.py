"""Fields of the homing grid against slow references: the article's case, borders, symmetry, decay, exactness, jobs."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pynav.homing import FieldSettings, GridBox, HomingError, HomingWorld
from pynav.snapshot import SnapshotError, pack, unpack
from tests.naive.homing import Push, first_targets, nearest_distances, relaxed

EVERY_TICK = {"updates_per_second": 0.0, "sweeps": 1}


def world_of(columns: int, rows: int, **settings: Any) -> HomingWorld:
    return HomingWorld(GridBox((0, 0), (columns, rows), columns, rows), FieldSettings(**settings))


def run(world: HomingWorld, ticks: int) -> None:
    for _ in range(ticks):
        world.step(1 / 60)


def unit(vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    length = np.hypot(vectors[..., 0], vectors[..., 1])[..., None]
    return np.where(length > 0, vectors / np.where(length > 0, length, 1), 0)


@pytest.mark.parametrize("reading", ["page", "engine"])
@pytest.mark.parametrize("padding", [0, 4])
@pytest.mark.parametrize("sweeps", [1, 2, 7, 60])
def test_the_articles_grid_cell_by_cell(reading: str, padding: int, sweeps: int) -> None:
    """Seven by seven cells, an enemy that attracts and one that repels, neither in the middle of its cell."""
    world = world_of(7, 7, reading=reading, padding=padding, **EVERY_TICK)
    pushes = [Push(2.25, 2.75, 1.0), Push(4.5, 4.125, -1.0), Push(2.5, 2.5, 0.5)]
    for push in pushes:
        world.add_sources([(push.x, push.y)], push.power)
    run(world, sweeps)
    strength, direction = relaxed((7, 7), pushes, sweeps, reading, padding)
    np.testing.assert_allclose(world.strength(), strength, rtol=2e-5, atol=1e-6)
    clear = np.hypot(direction[..., 0], direction[..., 1]) > 1e-4
    assert clear.sum() > (3 if sweeps > 1 else -1)
    np.testing.assert_allclose(world.directions()[clear], unit(direction)[clear], atol=2e-3)


@pytest.mark.parametrize("reading", ["page", "engine"])
def test_a_cell_points_at_what_attracts_and_away_from_what_repels(reading: str) -> None:
    for power in (1.0, -1.0):
        world = world_of(19, 19, reading=reading, **EVERY_TICK)
        world.add_sources([(9.5, 9.5)], power)
        run(world, 60)
        rows, columns = np.mgrid[:19, :19] + 0.5
        towards = unit(np.stack([9.5 - columns, 9.5 - rows], axis=-1)) * power
        agreement = (world.directions() * towards).sum(axis=-1)
        outside = np.hypot(columns - 9.5, rows - 9.5) > 0.1
        assert agreement[outside].min() > np.cos(np.radians(20))


def test_two_equal_enemies_part_the_grid_fairly() -> None:
    """The border lies half way: each half mirrors the other, and points at its own enemy."""
    world = world_of(19, 19, **EVERY_TICK)
    world.add_sources([(4.5, 9.5), (14.5, 9.5)])
    run(world, 300)
    strength, direction = world.strength(), world.directions()
    np.testing.assert_allclose(strength, strength[:, ::-1], rtol=1e-5)
    np.testing.assert_allclose(direction[:, :9, 0], -direction[:, :9:-1, 0], atol=1e-3)
    assert (direction[9, 5:9, 0] < 0).all() and (direction[9, 10:14, 0] > 0).all()
    assert abs(direction[9, 9, 0]) < 1e-2 or abs(direction[9, 9, 1]) < 1e-6


def test_without_sources_the_field_dies_and_leaves_no_denormals() -> None:
    world = world_of(64, 64, **EVERY_TICK)
    enemy = world.add_sources([(20.5, 31.5)])
    run(world, 200)
    assert world.strength().max() > 1.0
    world.remove_sources(enemy)
    seen = []
    for _ in range(40):
        run(world, 100)
        seen.append(world.strength().max())
        small = np.abs(world.strength())
        assert not ((small > 0) & (small < 1.2e-38)).any()
    assert seen[-1] == 0.0 and (np.diff(seen) <= 0).all()
    assert not world.directions().any()


@pytest.mark.parametrize("power", [1e-6, 1.0, 1e6, -1e6, 1e30])
def test_no_power_blows_the_field_up(power: float) -> None:
    world = world_of(9, 9, **EVERY_TICK)
    world.add_sources([(4.5, 4.5), (0.5, 8.5)], power)
    run(world, 400)
    steady = world.strength().copy()
    run(world, 50)
    np.testing.assert_allclose(world.strength(), steady, rtol=1e-4)
    assert np.isfinite(steady).all() and abs(steady).max() <= abs(power) * 8 * 60


@pytest.mark.parametrize("reading", ["page", "engine"])
def test_powers_and_gains_at_the_end_of_what_numbers_hold_leave_the_field_finite(reading: str) -> None:
    """They count as the strongest there are; arrows point at them, and the field is as it was once they are gone."""
    world = world_of(9, 9, reading=reading, gain=1e6, **EVERY_TICK)
    strong = world.add_sources([(4.25, 4.5), (1e30, -1e30)], 3e38)
    strong = [*strong, *world.add_sources([(0.5, 8.5)], -3e38)]
    world.propagate([(2.5, 2.5)], 3e38)
    with np.errstate(all="raise"):
        run(world, 400)
    assert np.isfinite(world.strength()).all() and np.isfinite(world.directions()).all()
    assert world.strength()[4, 4] > 1e29 and world.strength()[8, 0] < -1e29 and world.directions()[4, 2, 0] > 0.5
    world.remove_sources(strong)
    world.add_sources([(6.5, 4.5)], 1.0)
    run(world, 4000)
    np.testing.assert_allclose(world.strength()[4, 6], world.strength().max())
    assert 1.0 < world.strength()[4, 6] < 1e9


def test_the_order_of_sources_does_not_matter() -> None:
    points = np.random.default_rng(3).uniform(0, 19, (40, 2))
    found = []
    for order in (points, points[::-1]):
        world = world_of(19, 19, **EVERY_TICK)
        world.add_sources(order)
        run(world, 30)
        found.append(world.strength())
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_places_outside_count_to_the_border() -> None:
    inside, outside = world_of(5, 5, **EVERY_TICK), world_of(5, 5, **EVERY_TICK)
    inside.add_sources([(4.5, 0.5)])
    outside.add_sources([(400.0, -1e9)])
    run(inside, 5)
    run(outside, 5)
    assert (inside.strength() == outside.strength()).all() and inside.strength()[0, 4] > 0


def test_what_is_propagated_acts_once() -> None:
    world = world_of(7, 7, **EVERY_TICK)
    world.propagate([(3.5, 3.5)], 2.0)
    run(world, 1)
    assert world.strength()[3, 3] == np.float32(2 * 8) * np.float32(0.49)
    run(world, 1)
    assert world.strength()[3, 3] < 8.0


def test_types_are_fields_of_their_own() -> None:
    world = world_of(7, 7, **EVERY_TICK)
    world.add_sources([(1.5, 1.5)], type=0)
    world.add_sources([(5.5, 5.5)], type=3)
    run(world, 20)
    assert world.strength(0)[1, 1] > 1 > world.strength(0)[5, 5]
    np.testing.assert_array_equal(world.strength(0), world.strength(3)[::-1, ::-1])


def test_long_cells_still_point_at_the_enemy() -> None:
    world = HomingWorld(GridBox((0, 0), (40, 10), 20, 20), FieldSettings(**EVERY_TICK))  # type: ignore[arg-type]
    world.add_sources([(21, 5.25)])
    run(world, 200)
    assert world.directions()[10, 2, 0] > 0.99
    to = np.array([21 - 15.0, 5.25 - 3.25])
    assert float(world.directions()[6, 7] @ to) / np.hypot(*to) > 0.95


@pytest.mark.parametrize(("columns", "rows", "count"), [(30, 17, 1), (33, 65, 40), (64, 16, 300), (7, 100, 12)])
def test_exact_targets_are_the_nearest(columns: int, rows: int, count: int) -> None:
    generator = np.random.default_rng(columns + count)
    points = generator.uniform(-3, [columns * 2 + 3, rows + 3], (count, 2)).astype(np.float32).astype(np.float64)
    if count > 20:
        points[:10] = points[10:20]  # several in one place
        points[20:25, 0] = points[25, 0]  # one above the other
    box = GridBox((0, 0), (columns * 2, rows), columns, rows)
    world = HomingWorld(box, FieldSettings(mode="exact"))
    world.add_sources(points)
    world.add_sources([(columns, rows / 2)], power=-1.0)
    world.add_sources([(columns, rows / 2)], type=1)
    run(world, 1)
    found = world.nearest_targets()
    assert found.min() >= 0 and found.max() < count
    y, x = np.mgrid[:rows, :columns] + 0.5
    distance = np.hypot(x * 2 - points[found, 0], y - points[found, 1])
    np.testing.assert_allclose(distance, nearest_distances(columns, rows, (2, 1), points), atol=1e-9)


def test_clustered_targets_far_away_are_exact_too() -> None:
    points = np.random.default_rng(1).normal([100, 100], 2.0, (500, 2)).astype(np.float32).astype(np.float64)
    world = world_of(128, 128, mode="exact")
    world.add_sources(points)
    run(world, 1)
    y, x = np.mgrid[:128, :128] + 0.5
    found = world.nearest_targets()
    distance = np.hypot(x - points[found, 0], y - points[found, 1])
    np.testing.assert_allclose(distance, nearest_distances(128, 128, (1, 1), points), atol=1e-9)


def test_without_targets_there_is_no_nearest() -> None:
    world = world_of(20, 20, mode="exact")
    enemy = world.add_sources([(3, 3)])
    run(world, 1)
    assert (world.nearest_targets() == enemy[0]).all()
    world.remove_sources(enemy)
    run(world, 1)
    assert (world.nearest_targets() == -1).all() and not world.directions().any()


def test_the_first_target_of_a_cell_is_the_lowest() -> None:
    points = np.random.default_rng(5).uniform(-1, 9, (60, 2))
    world = world_of(8, 8, sight_cells=0)
    handles = world.add_sources(points, radius=0.1)
    for removed in (handles[::3], handles[1::3]):
        run(world, 1)
        expected = np.full((8, 8), -1)
        alive = np.flatnonzero([world.sources.is_alive(int(handle)) for handle in handles])
        for (column, row), index in first_targets(8, 8, points[alive]).items():
            expected[row, column] = alive[index]
        np.testing.assert_array_equal(world._fields[0].first.reshape(8, 8), expected)
        world.remove_sources(removed)


@pytest.mark.parametrize("mode", ["relaxed", "exact"])
def test_a_job_gives_the_bits_of_an_update_in_place(mode: str) -> None:
    """Some ticks later, and the same whether the thread was quick or not."""
    found = []
    for inline_work in (0, 1 << 30):
        world = world_of(90, 70, mode=mode, inline_work=inline_work, sweeps=3, updates_per_second=6.0)
        world.add_sources(np.random.default_rng(2).uniform(0, 70, (30, 2)))
        seen = []
        for _ in range(41):
            run(world, 1)
            field = world._fields[0]._field
            shown = field.nearest[0] if mode == "exact" else field.shown[0]  # type: ignore[union-attr]
            if not seen or (shown != seen[-1]).any():
                seen.append(shown.copy())
        found.append(seen)
    late = [frame for frame in found[0] if (frame > 0).any()]
    for one, other in zip(late, found[1], strict=False):
        np.testing.assert_array_equal(one, other)
    assert len(late) >= (3 if mode == "relaxed" else 1)


def test_interpolated_directions_pass_over_in_steps() -> None:
    world = world_of(9, 9, sweeps=6)
    world.add_sources([(7.5, 4.5)])
    blends = []
    for _ in range(30):
        run(world, 1)
        blends.append(world._fields[0].blend)
    steady = np.array(blends[12:24])
    assert steady.min() < 0.2 and steady.max() > 0.9 and len(set(np.round(steady, 4))) >= 6


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: GridBox((0, 0), (0, 5), 4, 4), "width and a height above 0"),
        (lambda: GridBox((0, 0), (float("nan"), 5), 4, 4), "two finite numbers"),
        (lambda: GridBox((0, 0), (5, 5), 0, 4), "columns must be a whole number of at least 1, got 0"),
        (lambda: FieldSettings(decay=0.51), "decay must be from 0 to 0.5, got 0.51"),
        (lambda: FieldSettings(mode="magic"), "relaxed, exact"),
        (lambda: world_of(4, 4).add_sources([(1, 1)], power=float("nan")), "power must be a finite number, got nan"),
        (lambda: world_of(4, 4).add_sources([(1, float("inf"))]), "positions must be finite"),
        (lambda: world_of(4, 4).add_sources([(1, 1)], type=8), "type must be a whole number from 0 to 7, got 8"),
        (lambda: world_of(4, 4).add_sources([(1, 1, 1)]), r"shape \(n, 2\)"),
        (lambda: world_of(4, 4).remove_sources([5]), "no source has the handle 5"),
        (lambda: world_of(4, 4).step(0.0), "delta must be"),
    ],
)
def test_bad_input_is_told_in_words(call: Any, words: str) -> None:
    with pytest.raises(HomingError, match=words):
        call()


def test_a_failed_call_leaves_nothing_behind() -> None:
    world = world_of(4, 4)
    before = world.state_hash()
    with pytest.raises(HomingError):
        world.add_sources([(1, 1)], power=1.0, reach=float("nan"))
    assert world.state_hash() == before


@pytest.mark.parametrize("inline_work", [0, 1 << 30])
def test_exact_mode_has_strengths_for_the_eye_that_change_nothing(inline_work: int) -> None:
    """From the first question on they are those of the relaxed field, or come to be; the state knows nothing of them."""
    worlds = [
        world_of(40, 30, mode=mode, inline_work=inline_work, updates_per_second=10.0) for mode in ("exact", "exact", "relaxed")
    ]
    for world in worlds:
        world.add_sources([(8, 9), (30, 20)], radius=0.5)
        world.add_sources([(20, 15)], power=-1.0)
    asked, silent, relaxed = worlds
    assert not asked.strength().any()
    for _ in range(300):
        for world in worlds:
            world.step(1 / 60)
        assert asked.state_hash() == silent.state_hash()
        data = asked.save()
    strength = asked.strength()
    np.testing.assert_allclose(strength, relaxed.strength(), rtol=0.05, atol=1e-3)
    assert strength[9, 8] > 1 and strength[15, 20] < -1
    shown = asked.strength(blended=True)
    assert shown.shape == (30, 40) and np.abs(shown - strength).max() < 1.0
    asked.restore(data)
    assert asked.state_hash() == silent.state_hash() and not asked.strength().any()


def test_projectiles_of_another_layout_are_refused() -> None:
    world = world_of(10, 10)
    world.add_projectiles().spawn([(1, 1), (2, 2)], (0, 0))
    meta, arrays = unpack(world.save())
    before = world.state_hash()
    for name, rows in (("values_0", slice(0, -1)), ("tags_0", slice(0, 3))):
        with pytest.raises(SnapshotError, match="projectiles have 7 and 4 numbers, got"):
            world.restore(pack(meta, arrays | {name: arrays[name][rows]}))
    assert world.state_hash() == before


def test_batches_are_told_apart_when_a_state_is_restored() -> None:
    world = world_of(10, 10)
    first, second = world.add_projectiles(), world.add_projectiles()
    first.spawn([(1, 1)], (0, 0))
    second.spawn([(2, 2), (3, 3)], (0, 0))
    data = world.save()
    world.remove_projectiles(first)
    late = world.add_projectiles()
    second.clear()
    world.restore(data)
    back, kept = world.batches
    assert kept is second and second.count == 2
    assert back is not first and back is not late and back.count == 1
    assert world.add_projectiles().number == 3


def test_exact_targets_of_sources_in_one_place_are_the_lowest_slot_on_either_side_of_zero() -> None:
    points = [(-0.0, 1.0), (0.0, 1.0), (-3.5, 1.0), (-3.5, 1.0), (2.5, 1.0), (-1e-20, 4.0), (1e-20, 4.0)]
    world = HomingWorld(GridBox((-8, 0), (8, 6), 32, 12), FieldSettings(mode="exact"))
    world.add_sources(points)
    run(world, 1)
    found = world.nearest_targets()
    assert set(np.unique(found)) == {0, 2, 4, 5, 6}
    y, x = np.mgrid[:12, :32] * 0.5 + 0.25
    expected = np.hypot(x[..., None] - 8 - np.array(points)[:, 0], y[..., None] - np.array(points)[:, 1]).min(axis=-1)
    np.testing.assert_allclose(np.hypot(x - 8 - np.array(points)[found, 0], y - np.array(points)[found, 1]), expected, atol=1e-9)


def test_an_exact_field_that_is_never_old_needs_no_sight() -> None:
    """Beyond its own cell a projectile then knows the nearest target alone; one whose field is old sees those around it too."""
    for inline_work, around in ((1 << 30, 1), (0, 9)):
        world = world_of(12, 12, mode="exact", inline_work=inline_work, sight_cells=1)
        world.add_sources([(5.5, 5.5)], radius=0.2)
        run(world, 1)
        assert np.count_nonzero(world._fields[0].seen >= 0) == around
        assert np.count_nonzero(world._fields[0].first >= 0) == 1


def test_where_updates_are_done_at_once_follows_the_mode() -> None:
    for mode, small, large in (("relaxed", 130, 145), ("exact", 135, 145)):
        for side, is_inline in ((small, True), (large, False)):
            world = world_of(side, side, mode=mode)
            world.add_sources([(3, 3)])
            assert world._fields[0].is_inline is is_inline
    assert FieldSettings(inline_work=5).most_inline_work == 5
    with pytest.raises(HomingError, match="inline_work must be a whole number"):
        FieldSettings(inline_work=-1)


@pytest.mark.parametrize("inline_work", [0, 1 << 30])
def test_where_no_source_is_left_nothing_leads_to_where_one_was(inline_work: int) -> None:
    """Strengths fade as in the post; arrows, which would point to the dead for a minute, are gone with the last source."""
    world = world_of(40, 30, inline_work=inline_work)
    enemies = world.add_sources([(30, 15), (9, 9)], radius=0.5)
    run(world, 60)
    assert world.directions()[15, 25, 0] > 0.9
    strong = world.strength()[15, 30]
    world.remove_sources(enemies[:1])
    run(world, 20)
    assert world.directions()[15, 25].any()  # somebody is left, and so are arrows
    world.remove_sources(enemies[1:])
    run(world, 24)
    assert not world.directions().any() and not world._fields[0].relaxed.directions[1].any()  # type: ignore[union-attr]
    assert 0.01 * strong < world.strength()[15, 30] < strong


def test_a_lure_that_was_pushed_once_leads_until_it_has_faded() -> None:
    world = world_of(15, 15, **EVERY_TICK)
    world.propagate([(10.5, 7.5)], 4.0)
    run(world, 20)
    assert world.directions()[7, 5, 0] > 0.9
    copy = world_of(3, 3)
    copy.restore(world.save())
    for one in (world, copy):
        run(one, 5)
        assert one.directions()[7, 5, 0] > 0.9
    enemy = world.add_sources([(2.5, 2.5)])
    run(world, 1)
    world.remove_sources(enemy)
    run(world, 1)
    assert not world.directions().any()


def test_arrows_that_are_too_weak_point_nowhere() -> None:
    all_of_them, strong = (world_of(31, 31, weakest=weakest, **EVERY_TICK) for weakest in (0.0, 0.01))
    for world in (all_of_them, strong):
        world.add_sources([(15.5, 15.5)])
        run(world, 400)
    shown = strong.directions()
    calls = shown.any(axis=-1)
    np.testing.assert_array_equal(shown[calls], all_of_them.directions()[calls])
    assert all_of_them.directions().any(axis=-1).sum() == 31 * 31 - 1
    push = relaxed((31, 31), [Push(15.5, 15.5, 1.0)], 400, padding=4)[1]
    np.testing.assert_array_equal(calls, np.abs(push).max(axis=-1) > 0.01)
    assert 100 < calls.sum() < 800
