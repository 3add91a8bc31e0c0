"""Snapshots: whole or an error in words, never half."""

import numpy as np
import pytest

from pynav.crowd.errors import SnapshotError
from pynav.snapshot import pack, unpack
from pynav.world import World
from tests.unit.crowd.worlds import TICK, open_world, run


def test_contents_come_back() -> None:
    arrays = {
        "a": np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2],
        "b": np.zeros((0, 2), dtype=np.int32),
        "c": np.array([1, 255], dtype=np.uint8),
        "d": np.array([-(2**62)], dtype=np.int64),
    }
    meta = {"x": [1, None, "ä"], "y": 0.1}
    got_meta, got = unpack(pack(meta, arrays))
    assert got_meta == meta and list(got) == list(arrays)
    for name, array in arrays.items():
        assert got[name].dtype == array.dtype and got[name].shape == array.shape and (got[name] == array).all()


def _saved() -> tuple[World, bytes]:
    world = open_world(20, 20)
    crowd = world.add_crowd(15)
    crowd.set_goal((3, 3))
    run(world, 0.2)
    return world, world.save()


def test_damaged_bytes_are_refused_and_leave_the_world_alone() -> None:
    world, data = _saved()
    before = world.state_hash()
    cases = [(data[:length], "truncated|not a snapshot") for length in (0, 5, 8, 20, 35, 36, len(data) // 2, len(data) - 1)]
    cases += [(data + b"x", "1 bytes too many"), (b"PNG" + data[3:], "not a snapshot"), (b"", "not a snapshot")]
    cases += [(data[:8] + bytes([99]) + data[9:], "version 99, this program reads version 10")]
    for place in (40, len(data) // 2, len(data) - 1, 25):
        cases.append((data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :], "corrupt"))
    for damaged, words in cases:
        with pytest.raises(SnapshotError, match=words):
            world.restore(damaged)
        assert world.state_hash() == before
    with pytest.raises(SnapshotError, match="bytes, got str"):
        world.restore("text")  # type: ignore[arg-type]
    world.restore(data)
    assert world.state_hash() == before


def test_equal_states_give_equal_bytes_and_handles_live_on() -> None:
    world, data = _saved()
    crowd = world.crowds[0]
    run(world, 0.5)
    moved = world.state_hash()
    world.restore(data)
    assert world.save() == data
    assert world.crowds[0] is crowd and crowd.count == 15
    run(world, 0.5)
    assert world.state_hash() == moved


def test_a_world_without_a_map_or_agents_is_saved_too() -> None:
    empty = World(seed=9)
    other = open_world(5, 5)
    other.restore(empty.save())
    assert other.grid is None and other.seed == 9 and other.crowds == ()


def test_marks_not_yet_taken_are_saved() -> None:
    world = open_world(10, 10)
    crowd = world.add_crowd(5, on_arrival="remove")
    crowd.set_goal((5, 5))
    while crowd.arrived_count < 3:
        world.step(TICK)
    restored = World()
    restored.restore(world.save())
    assert restored.crowds[0].take_arrived().tolist() == crowd.take_arrived().tolist()
    assert restored.crowds[0].count == crowd.count and restored.crowds[0].on_arrival == "remove"
