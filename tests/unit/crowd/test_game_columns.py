"""Columns of the game: by id, through sorts and deaths, in snapshots and in the hash, refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pynav.crowd.errors import WorldError
from pynav.world import World

from .worlds import TICK, open_world


def hurt_world() -> World:
    """Two crowds that walk, each agent of the first with a value of its own."""
    world = open_world(40, 30)
    for _ in range(2):
        world.add_crowd(40, 4.0, 0.3)
    first = world.crowds[0]
    first.add_column("health", "int", 100)
    first.set_column("health", np.arange(40))
    first.set_goal((35, 25))
    return world


def test_values_stay_with_their_agents_through_moves_deaths_and_new_ones() -> None:
    world = hurt_world()
    crowd = world.crowds[0]
    expected = {int(id): int(id) for id in range(40)}
    random = np.random.default_rng(5)
    for tick in range(200):
        if tick % 20 == 0:
            gone = random.choice(sorted(expected), 5, replace=False)
            crowd.remove(gone)
            for id in gone:
                del expected[int(id)]
            new = crowd.spawn(np.full((7, 2), 3.5))
            expected.update({int(id): 100 for id in new})
            some = random.choice(sorted(expected), 9, replace=False)
            crowd.set_column("health", some * 3 + tick, some)
            expected.update({int(id): int(id) * 3 + tick for id in some})
        world.step(TICK)
    ids = np.array(sorted(expected))
    assert np.flatnonzero(crowd.alive).tolist() == ids.tolist()
    assert crowd.get_column("health", ids).tolist() == [expected[id] for id in ids]
    assert crowd.get_column("health")[ids].tolist() == [expected[id] for id in ids]
    assert len(crowd.get_column("health")) == crowd.slot_count > 40


def test_kinds_and_their_types() -> None:
    crowd = open_world(8, 8).add_crowd(3, 1.0, 0.3)
    for kind, dtype, value in (("int", np.int32, -7), ("float", np.float32, 0.5), ("byte", np.uint8, 255)):
        crowd.add_column(kind, kind, value)
        assert crowd.get_column(kind).dtype == dtype
        assert crowd.get_column(kind).tolist() == [value] * 3
    crowd.set_column("float", np.inf)
    assert crowd.get_column("float", [2, 2]).tolist() == [np.inf, np.inf]
    crowd.set_column("byte", [True, False, True])
    assert crowd.get_column("byte").tolist() == [1, 0, 1]
    crowd.remove_column("int")
    assert crowd.column_names == ["float", "byte"]


def test_colours_are_four_numbers_a_row() -> None:
    crowd = open_world(8, 8).add_crowd(4, 1.0, 0.3)
    crowd.add_column("tint", "color")
    crowd.add_column("flag", "color", (0.5, 0.25, 0.0, 1.0))
    assert crowd.get_column("tint").dtype == np.float32
    assert crowd.get_column("tint").tolist() == [[1.0] * 4] * 4
    crowd.set_column("tint", [0.0, 0.5, 1.0, 0.25])  # one colour for all, though there are four agents
    assert crowd.get_column("tint", [3]).tolist() == [[0.0, 0.5, 1.0, 0.25]]
    crowd.set_column("tint", [[0, 0, 0, 1], [2, 1, 0, 1]], [2, 0])
    assert crowd.get_column("tint").tolist() == [[2, 1, 0, 1], [0, 0.5, 1, 0.25], [0, 0, 0, 1], [0, 0.5, 1, 0.25]]
    crowd.spawn([[3.5, 3.5]])
    assert crowd.get_column("flag").tolist() == [[0.5, 0.25, 0.0, 1.0]] * 5


def test_hash_and_snapshot_hold_colours() -> None:
    world, other = hurt_world(), hurt_world()
    for one in (world, other):
        one.crowds[0].add_column("tint", "color", (0.1, 0.2, 0.3, 1.0))
    assert world.state_hash() == other.state_hash()
    other.crowds[0].set_column("tint", [0.1, 0.2, 0.3, 0.5], [7])
    assert world.state_hash() != other.state_hash()
    restored = World()
    restored.restore(other.save())
    assert restored.state_hash() == other.state_hash() and restored.save() == other.save()
    assert restored.crowds[0].get_column("tint", [7]).tolist() == other.crowds[0].get_column("tint", [7]).tolist()


def test_hash_and_snapshot_hold_them() -> None:
    world, other = hurt_world(), hurt_world()
    world.crowds[0].add_column("fury", "float", np.inf)
    other.crowds[0].add_column("fury", "float", np.inf)
    assert world.state_hash() == other.state_hash()
    other.crowds[0].set_column("fury", [2.5], [7])
    assert world.state_hash() != other.state_hash()
    restored = World()
    restored.restore(other.save())
    assert restored.state_hash() == other.state_hash()
    assert restored.crowds[0].column_names == ["health", "fury"]
    assert restored.save() == other.save()
    for one in (other, restored):
        one.crowds[0].spawn([[3.5, 3.5]])
        one.step(TICK)
    assert restored.crowds[0].get_column("fury", [40]).tolist() == [np.inf]
    assert restored.state_hash() == other.state_hash()


def test_what_a_dead_agent_left_is_no_part_of_the_hash() -> None:
    world, other = hurt_world(), hurt_world()
    other.crowds[0].set_column("health", [5000], [3])
    for one in (world, other):
        one.crowds[0].remove([3])
        one.step(TICK)
    assert world.state_hash() == other.state_hash()


@pytest.mark.parametrize(
    ("name", "kind", "default", "words"),
    [
        ("health", "float", 0, "there is a column 'health' already"),
        ("", "float", 0, "expected a name"),
        ("a", "double", 0, "expected one of int, float, byte, color as the kind of column 'a', got 'double'"),
        ("a", "byte", 256, "expected whole numbers from 0 to 255 for column 'a', got 256"),
        ("a", "int", 0.5, "expected whole numbers"),
        ("a", "float", np.nan, "expected numbers for column 'a', got nan"),
        ("a", "float", "x", "expected numbers for column 'a'"),
        ("a", "int", [1, 2], "expected one number as the default"),
        ("a", "color", 1, r"expected colours \(red, green, blue, alpha\) for column 'a', got 1"),
        ("a", "color", [1, 1, 1], r"expected colours .* got \(3,\)"),
        ("a", "color", [[1, 1, 1, 1]], r"expected one colour as the default of column 'a', got \(1, 4\)"),
        ("a", "color", [1, 1, np.nan, 1], "expected colours .* got nan"),
    ],
)
def test_bad_columns_are_refused_in_words(name: str, kind: str, default: Any, words: str) -> None:
    crowd = hurt_world().crowds[0]
    with pytest.raises(WorldError, match=words):
        crowd.add_column(name, kind, default)
    assert crowd.column_names == ["health"]


@pytest.mark.parametrize(
    ("name", "values", "ids", "words"),
    [
        ("mana", 1, None, r"expected the name of a column that was added \(health\), got 'mana'"),
        ("health", [1, 2], None, "expected 40 values for column 'health', or one for all"),
        ("health", [1, 2], [0, 1, 2], "expected 3 values"),
        ("health", [1], [40], "expected ids from 0 to 39, got 40"),
        ("health", [1], [-1], "expected ids from 0 to 39, got -1"),
        ("health", [1], [0.5], r"expected ids \(integers\)"),
        ("health", [1.5, 2], [0, 1], "expected whole numbers from -2147483648 to 2147483647 for column 'health', got 1.5"),
        ("health", [2**31], [0], "got 2147483648"),
        ("health", [np.nan], [0], "got nan"),
        ("health", [[1, 2], [3]], [0, 1], "expected numbers"),
    ],
)
def test_bad_values_are_refused_in_words_and_nothing_is_set(name: str, values: Any, ids: Any, words: str) -> None:
    crowd = hurt_world().crowds[0]
    with pytest.raises(WorldError, match=words):
        crowd.set_column(name, values, ids)
    assert crowd.get_column("health").tolist() == list(range(40))
