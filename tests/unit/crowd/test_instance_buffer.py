"""Drawing buffers: layouts, headings under a mapping, empty slots, columns of the game, interpolation, refusals."""

import numpy as np
import pytest

from pynav.crowd._instance_buffer_kernels import direction_of
from pynav.crowd.errors import BufferSizeError, WorldError
from pynav.crowd.instance_buffer import DrawnColumns
from tests.naive import instances
from tests.unit.crowd.worlds import TICK, open_world

WHITE = (1.0, 0.5, 0.25, 1.0)
MAPPING = np.array([[16.0, -16.0, 5.0], [8.0, 8.0, -7.0]])  # isometric


def _world():  # type: ignore[no-untyped-def]
    world = open_world(30, 30)
    crowd = world.add_crowd(12, 3.0, 0.3)
    crowd.set_goal((15, 15))
    for _ in range(60):
        world.step(TICK)
    crowd.remove([2, 5])
    return world, crowd


def test_flat_rows_hold_the_transform_colour_and_custom_data() -> None:
    _, crowd = _world()
    buffer = np.full(12 * 16, 9.0, dtype=np.float32)
    crowd.fill_buffer_2d(buffer, MAPPING, size=2.0, color=WHITE, custom=True)
    rows = buffer.reshape(12, 16)
    assert (rows[[2, 5]] == 0).all()
    for agent in np.flatnonzero(crowd.alive):
        row = rows[agent]
        x, y = crowd.positions[agent]
        assert row[[3, 7]] == pytest.approx(MAPPING @ (x, y, 1), abs=1e-3)
        axis = MAPPING[:, :2] @ crowd.headings[agent]
        axis *= 2.0 / np.hypot(*axis)
        assert row[[0, 4]] == pytest.approx(axis, abs=1e-4)
        assert row[[1, 5]] == pytest.approx((-axis[1], axis[0]), abs=1e-4)
        assert row[[2, 6]].tolist() == [0, 0]
        assert row[8:12].tolist() == list(WHITE)
        assert row[13] == pytest.approx(np.hypot(*crowd.velocities[agent]) / 3.0, abs=0.15)
        assert 0 <= row[14] < 1 and row[15] == crowd.states[agent]
    assert len(set(rows[crowd.alive, 14].tolist())) == 10
    assert rows[crowd.alive, 12].max() > 0.5


def test_flat_rows_without_turning() -> None:
    _, crowd = _world()
    buffer = np.zeros(12 * 8, dtype=np.float32)
    crowd.fill_buffer_2d(buffer, MAPPING, rotates=False)
    assert buffer.reshape(12, 8)[0, [0, 1, 4, 5]].tolist() == [1, 0, 0, 1]


def test_solid_rows_look_along_minus_z_and_stand_on_the_ground() -> None:
    _, crowd = _world()
    heights = np.add.outer(np.arange(30) * 2.0, np.arange(30) * 3.0).astype(np.float32)
    buffer = np.zeros((12, 16), dtype=np.float32)
    crowd.fill_buffer_3d(buffer, [[2, 0, 1], [0, 2, 1]], heights=heights, elevation=0.5, size=1.5, custom=True)
    assert (buffer[[2, 5]] == 0).all()
    for agent in np.flatnonzero(crowd.alive):
        basis = buffer[agent, :12].reshape(3, 4)
        x, y = crowd.positions[agent]
        height = 0.5 + 2 * max(y - 0.5, 0) + 3 * max(x - 0.5, 0)
        assert basis[:, 3] == pytest.approx((2 * x + 1, height, 2 * y + 1), abs=1e-3)
        matrix = basis[:, :3]
        assert np.linalg.det(matrix) == pytest.approx(1.5**3, rel=1e-4)
        ahead = matrix @ (0, 0, -1)
        assert ahead[[0, 2]] == pytest.approx(crowd.headings[agent] * 1.5, abs=1e-4)
        assert matrix[:, 1].tolist() == [0, 1.5, 0]


def test_beyond_the_outermost_heights_the_ground_goes_on_level() -> None:
    world = open_world(8, 8)
    crowd = world.add_crowd(0)
    crowd.spawn([[0.1, 0.1], [7.9, 7.9]])
    heights = np.arange(64, dtype=np.float32).reshape(8, 8)
    buffer = np.zeros((2, 12), dtype=np.float32)
    crowd.fill_buffer_3d(buffer, [[1, 0, 0], [0, 1, 0]], heights=heights)
    assert buffer[:, 7].tolist() == [0, 63]


def _with_columns():  # type: ignore[no-untyped-def]
    world, crowd = _world()
    random = np.random.default_rng(3)
    for name in ("frame", "health", "fury", "luck"):
        crowd.add_column(name)
        crowd.set_column(name, random.uniform(-9, 9, 12))
    crowd.add_column("tint", "color")
    crowd.set_column("tint", random.uniform(0, 1, (12, 4)))
    crowd.add_column("look")
    crowd.set_column("look", np.append(random.uniform(-20, 20, 10), [np.inf, -np.inf]))
    return world, crowd


COLUMNS = DrawnColumns(color="tint", custom=("frame", "", "health"), facing="look")


@pytest.mark.parametrize("axes", [None, [[0.0, -2.0], [-2.0, 0.5]]])
@pytest.mark.parametrize("rotates", [True, False])
def test_flat_rows_show_columns_of_the_game(axes, rotates: bool) -> None:  # type: ignore[no-untyped-def]
    _, crowd = _with_columns()
    plain, buffer = np.zeros((12, 12), dtype=np.float32), np.full((12, 16), 9.0, dtype=np.float32)
    crowd.fill_buffer_2d(plain, MAPPING, size=2.0, custom=True)
    crowd.fill_buffer_2d(
        buffer, MAPPING, size=2.0, rotates=rotates, custom=True, columns=COLUMNS, facing_axes=axes, color=WHITE,
    )  # fmt: skip
    assert (buffer[[2, 5]] == 0).all()
    for agent in np.flatnonzero(crowd.alive):
        row, places = buffer[agent], plain[agent, [3, 7]]
        is_told = rotates or np.isfinite(crowd.get_column("look")[agent])
        ahead = instances.facing(crowd, agent, MAPPING, MAPPING[:, :2] if axes is None else axes, "look") if is_told else (1, 0)
        assert row[[0, 4]] == pytest.approx(np.multiply(ahead, 2.0), abs=2e-5)
        assert row[[1, 5]] == pytest.approx((-row[4], row[0]), abs=0)
        assert row[[3, 7]].tolist() == places.tolist()
        assert row[8:].tolist() == instances.look(crowd, agent, COLUMNS, plain[agent, 8:].tolist())


def test_solid_rows_show_columns_of_the_game() -> None:
    _, crowd = _with_columns()
    columns = DrawnColumns(color="tint", custom=("frame", "health", "fury", "luck"), facing="look")
    buffer = np.full((12, 20), 9.0, dtype=np.float32)
    affine = [[2, 0, 1], [0, 2, 1]]
    axes = [[0, -1], [-1, 0]]  # angles as a node's rotation about y
    crowd.fill_buffer_3d(buffer, affine, size=1.5, columns=columns, facing_axes=axes)
    assert (buffer[[2, 5]] == 0).all()
    for agent in np.flatnonzero(crowd.alive):
        ahead = buffer[agent, :12].reshape(3, 4)[:, :3] @ (0, 0, -1)
        assert ahead[[0, 2]] == pytest.approx(1.5 * instances.facing(crowd, agent, affine, axes, "look"), abs=2e-5)
        assert buffer[agent, 12:].tolist() == instances.look(crowd, agent, columns, [0.0] * 4)


def test_directions_of_angles() -> None:
    angles = np.concatenate([np.linspace(-7, 7, 2001), np.arange(-40, 41) * np.pi / 4, [1e-30, 1e4, -1e6]]).astype(np.float32)
    found = np.array([direction_of(angle) for angle in angles])
    exact = np.stack([np.cos(angles.astype(np.float64)), np.sin(angles.astype(np.float64))], axis=1)
    assert np.abs(found - exact).max() < 1.5e-7
    for angle in np.float32([1e20, -3.4e38]):
        assert np.isfinite(direction_of(angle)).all() and np.hypot(*direction_of(angle)) > 0.5


def test_a_bound_filling_follows_its_columns() -> None:
    world, crowd = _with_columns()
    buffer = np.zeros((12, 16), dtype=np.float32)
    filling = crowd.bind_buffer_2d(buffer, MAPPING, columns=COLUMNS)
    hash_before = world.state_hash()
    filling.run()
    assert world.state_hash() == hash_before
    crowd.set_column("frame", 4.0)
    filling.run()
    assert (buffer[crowd.alive, 12] == 4.0).all()
    crowd.remove_column("frame")
    with pytest.raises(WorldError, match=r"expected the name of a column that was added .* got 'frame'"):
        filling.run()
    crowd.add_column("frame", default=6.0)
    filling.run()
    assert (buffer[crowd.alive, 12] == 6.0).all()
    world.restore(world.save())
    crowd = world.crowds[0]
    crowd.set_column("frame", 8.0)
    filling.run()
    assert (buffer[crowd.alive, 12] == 8.0).all()


def test_bad_columns_are_refused() -> None:
    _, crowd = _with_columns()
    crowd.add_column("rank", "int")
    for columns, words in [
        (DrawnColumns(color="mana"), "expected the name of a column that was added .* got 'mana'"),
        (DrawnColumns(color="frame"), "expected a column of kind 'color', got 'frame', which is of kind 'float'"),
        (DrawnColumns(custom=("frame", "rank")), "expected a column of kind 'float', got 'rank', which is of kind 'int'"),
        (DrawnColumns(facing="tint"), "expected a column of kind 'float', got 'tint', which is of kind 'color'"),
    ]:
        floats = 8 + 4 * bool(columns.color) + 4 * bool(columns.custom)
        buffer = np.full((12, floats), 9.0, dtype=np.float32)
        with pytest.raises(WorldError, match=words):
            crowd.fill_buffer_2d(buffer, MAPPING, columns=columns)
        assert (buffer == 9.0).all()
    with pytest.raises(WorldError, match="at most 4 columns for the shader, got 5"):
        DrawnColumns(custom=("frame",) * 5)
    with pytest.raises(BufferSizeError, match="facing_axes must be 2 x 2 numbers, got 3"):
        crowd.fill_buffer_2d(np.zeros(96, dtype=np.float32), MAPPING, facing_axes=[1, 2, 3])


def test_new_and_teleported_agents_get_their_place_in_the_previous_buffer() -> None:
    world, crowd = _world()
    now, before = (np.zeros((12, 8), dtype=np.float32) for _ in range(2))
    identity = [[1, 0, 0], [0, 1, 0]]
    crowd.fill_buffer_2d(before, identity, previous=now)
    world.step(TICK)
    crowd.set_positions([1], [[25.5, 25.5]])
    crowd.spawn([[3.5, 3.5]])
    old = before.copy()
    crowd.fill_buffer_2d(now, identity, previous=before)
    assert (before[[1, 2]] == now[[1, 2]]).all() and now[1, 3] == 25.5 and now[2, 3] == 3.5
    rest = [0, 3, 4, 6, 7, 8, 9, 10, 11]
    assert (before[rest] == old[rest]).all() and (now[rest] != old[rest]).any()


def test_bad_buffers_are_refused() -> None:
    _, crowd = _world()
    with pytest.raises(BufferSizeError, match="12 instances of 8 floats = 96, got 95"):
        crowd.fill_buffer_2d(np.zeros(95, dtype=np.float32), MAPPING)
    with pytest.raises(BufferSizeError, match="contiguous float32"):
        crowd.fill_buffer_2d(np.zeros(96), MAPPING)  # type: ignore[arg-type]
    with pytest.raises(BufferSizeError, match="previous must hold"):
        crowd.fill_buffer_2d(np.zeros(96, dtype=np.float32), MAPPING, previous=np.zeros(8, dtype=np.float32))
    with pytest.raises(BufferSizeError, match="affine must be 2 x 3 numbers, got 4"):
        crowd.fill_buffer_2d(np.zeros(96, dtype=np.float32), [[1, 0], [0, 1]])
    with pytest.raises(BufferSizeError, match="heights must be"):
        crowd.fill_buffer_3d(np.zeros(144, dtype=np.float32), MAPPING, heights=np.zeros(4, dtype=np.float32))
