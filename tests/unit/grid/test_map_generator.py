"""Generated maps: the same for a seed, whole, with goals and places to come from."""

import numpy as np
import pytest

from pynav.grid import GridError, MapKind, TileGrid, generate_map
from pynav.grid.generator import TERRAIN_COST, TERRAIN_NAME
from pynav.grid.generator.noise import position_hash, random_below

KINDS: list[MapKind] = ["caverns", "rooms", "city", "keep"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("width", "height", "seed"), [(48, 48, 0), (160, 96, 3), (97, 201, -5), (256, 256, 2**70)])
def test_every_free_tile_has_a_way_to_every_goal(kind: MapKind, width: int, height: int, seed: int) -> None:
    made = generate_map(kind, width, height, seed)
    assert made.cost.shape == made.terrain.shape == (height, width)
    assert (made.cost == np.array(TERRAIN_COST)[made.terrain]).all()
    assert made.terrain.max() < len(TERRAIN_NAME)
    grid = TileGrid(made.cost)
    assert grid.component_count == 1
    assert grid.free_count > width * height // 5
    assert len(made.goals) >= 1
    assert all(grid.is_free(int(x), int(y)) for x, y in made.goals)
    for x, y, columns, rows in made.spawn_areas.tolist():
        assert x >= 0
        assert y >= 0
        assert x + columns <= width
        assert y + rows <= height
        assert made.cost[y : y + rows, x : x + columns].any()


@pytest.mark.parametrize("kind", KINDS)
def test_the_seed_decides(kind: MapKind) -> None:
    first, again, other = (generate_map(kind, 128, 112, seed) for seed in (5, 5, 6))
    assert (first.terrain == again.terrain).all()
    assert (first.goals == again.goals).all()
    assert (first.terrain != other.terrain).mean() > 0.02


def test_the_keep_has_walls_gates_and_room_for_a_horde() -> None:
    made = generate_map("keep", 512, 512, 1)
    for name in ("plain", "road", "forest", "gate", "water", "rock", "wall", "building"):
        assert (made.terrain == TERRAIN_NAME.index(name)).any(), name
    assert len(made.spawn_areas) == 12
    free = sum(int((made.cost[y : y + h, x : x + w] != 0).sum()) for x, y, w, h in made.spawn_areas.tolist())
    assert free > 0.8 * sum(w * h for _, _, w, h in made.spawn_areas.tolist())
    middle = made.goals.mean(axis=0)
    assert np.abs(middle - 256).max() < 3


@pytest.mark.parametrize(
    ("kind", "width", "height", "words"),
    [
        ("maze", 64, 64, "caverns, rooms, city, keep"),
        ("city", 10, 64, "width of 48"),
        ("city", 64, 100_000, "height of 48 to 8192"),
    ],
)
def test_bad_requests_are_refused_in_words(kind: str, width: int, height: int, words: str) -> None:
    with pytest.raises(GridError, match=words):
        generate_map(kind, width, height, 0)  # type: ignore[arg-type]


def test_one_random_number_is_that_of_the_position_s_hash() -> None:
    for seed, stream, x, y in [(0, 0, 0, 0), (-3, 7, -5, 9), (2**80, 12, 4096, -1), (5, 1, 2**40, 2**41)]:
        bits = int(position_hash(seed, stream, x, y)[0])
        assert random_below(1000, seed, stream, x, y) == (bits >> 33) % 1000
