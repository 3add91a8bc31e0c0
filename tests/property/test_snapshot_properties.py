"""Damaged snapshots: whatever happened to the bytes, they are refused in words and the world is as it was."""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.crowd.errors import SnapshotError
from pynav.snapshot import MAGIC, VERSION
from pynav.world import World
from tests.determinism.scenes import GAME, play

HEAD = struct.Struct("<8sIQ16s")
# What stands in the first bytes, and what a person reads when it is damaged.
PARTS = {
    "magic": (range(8), "not a snapshot"),
    "version": (range(8, 12), "version"),
    "length": (range(12, 20), "truncated|too many"),
    "checksum": (range(20, 36), "corrupt"),
}
Header = dict[str, Any]


@cache
def scene() -> tuple[World, bytes]:
    """A world in the middle of a game: builds that wait and that began, flows to be repaired, doors, obstacles, layers."""
    world = play(GAME, None, None, units=60, ticks=47).world
    assert world.queue_length > 1
    return world, world.save()


def refused(data: bytes, words: str = "contents") -> None:
    """Restoring raises in words, and nothing has changed."""
    world, before = scene()
    crowds, grid = world.crowds, world.grid
    with pytest.raises(SnapshotError, match=words) as told:
        world.restore(data)
    assert len(str(told.value).split()) >= 4
    assert world.save() == before
    assert world.crowds == crowds and world.grid is grid


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_changed_byte_of_the_head(data: st.DataObject) -> None:
    _, whole = scene()
    name = data.draw(st.sampled_from(sorted(PARTS)))
    places, words = PARTS[name]
    place, change = data.draw(st.sampled_from(places)), data.draw(st.integers(1, 255))
    refused(whole[:place] + bytes([whole[place] ^ change]) + whole[place + 1 :], words)


@given(place=st.integers(0, 10**9), change=st.integers(1, 255), length=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_changed_bytes_of_the_body(place: int, change: int, length: int) -> None:
    _, whole = scene()
    place = HEAD.size + place % (len(whole) - HEAD.size)
    changed = bytes(byte ^ change for byte in whole[place : place + length])
    refused(whole[:place] + changed + whole[place + length :], "corrupt")


@given(cut=st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_truncated(cut: int) -> None:
    _, whole = scene()
    refused(whole[: cut % len(whole)], "truncated|not a snapshot")


@given(more=st.binary(min_size=1, max_size=100))
@settings(max_examples=20, deadline=None)
def test_extended(more: bytes) -> None:
    refused(scene()[1] + more, "too many behind the end")


@given(data=st.binary(max_size=200))
@settings(max_examples=40, deadline=None)
def test_other_bytes(data: bytes) -> None:
    refused(data, "not a snapshot|truncated")


# --- a right checksum over wrong contents: another program's file, or one edited by hand


def sealed(body: bytes) -> bytes:
    return HEAD.pack(MAGIC, VERSION, len(body), hashlib.blake2b(body, digest_size=16).digest()) + body


@given(data=st.binary(max_size=200), is_packed=st.booleans())
@settings(max_examples=40, deadline=None)
def test_sealed_nonsense(data: bytes, is_packed: bool) -> None:
    refused(sealed(zlib.compress(data) if is_packed else data), "contents are none")


def edited(edit: Callable[[Header], None]) -> bytes:
    """The snapshot with its header edited, sealed anew."""
    raw = zlib.decompress(scene()[1][HEAD.size :])
    (length,) = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    edit(header)
    text = json.dumps(header).encode()
    return sealed(zlib.compress(struct.pack("<I", len(text)) + text + raw[4 + length :], 1))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_meta_that_lacks_something(data: st.DataObject) -> None:
    def edit(header: Header) -> None:
        at = header["meta"]
        while True:
            key = data.draw(st.sampled_from(sorted(at)))
            if not isinstance(at[key], dict) or not at[key] or data.draw(st.booleans()):
                break
            at = at[key]
        del at[key]

    refused(edited(edit))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_arrays_that_are_not_there_or_of_other_kinds(data: st.DataObject) -> None:
    def edit(header: Header) -> None:
        entry = data.draw(st.sampled_from(header["arrays"]))
        what = data.draw(st.sampled_from(["name", "kind", "count"]))
        if what == "name":
            entry[0] = "x" + entry[0]
        elif what == "kind":
            entry[1] = data.draw(st.sampled_from(["|O", "<c8", "<M8[s]", "nonsense", ""]))
        else:
            entry[2] = [2**40, *entry[2][1:]]

    refused(edited(edit))


def test_the_world_goes_on_as_if_nothing_had_been() -> None:
    _, data = scene()
    one, other = World(), World()
    for world in (one, other):
        world.restore(data)
    for place in (3, 9, 14, 30, 60, len(data) - 1):
        with pytest.raises(SnapshotError):
            other.restore(data[:place] + bytes([data[place] ^ 9]) + data[place + 1 :])
    for tick in range(47, 90):
        for world in (one, other):
            GAME.act(world, tick)
            world.step(1 / 60)
    assert one.save() == other.save()
