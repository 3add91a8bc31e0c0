"""Packed costs come back as they were, are small, and say what is wrong with them."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from pynav.grid import GridError
from pynav.grid.packed_costs import pack_costs, unpack_costs


def costs(rows: int, columns: int, kinds: int) -> np.ndarray:
    return np.random.default_rng(rows * 31 + kinds).integers(0, kinds, (rows, columns)).astype(np.uint8)


@pytest.mark.parametrize("kinds", [1, 2, 3, 17, 256])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (7, 9), (64, 33)])
def test_costs_come_back(rows: int, columns: int, kinds: int) -> None:
    made = costs(rows, columns, kinds)
    data = pack_costs(made)
    assert np.array_equal(unpack_costs(data), made)
    assert pack_costs(made.copy()) == data


def test_a_large_map_of_random_walls_is_small() -> None:
    walls = np.random.default_rng(7).random((1024, 1024)) < 0.2
    data = pack_costs(np.where(walls, 0, 1).astype(np.uint8))
    assert len(data) < 150_000  # as text in a scene four thirds of it: under 200 kB


def damaged() -> list[tuple[bytes, str]]:
    good = pack_costs(costs(20, 30, 3))
    flipped = bytearray(good)
    flipped[-3] ^= 0x10
    newer = bytearray(good)
    newer[8] = 9
    body = zlib.compress(b"\0\1" + b"\0" * 4)
    short = struct.pack("<8sHIIHI", b"PYNAVMAP", 1, 20, 30, 2, zlib.crc32(body)) + body
    bomb_body = zlib.compress(b"\0" * 10_000_000)
    bomb = struct.pack("<8sHIIHI", b"PYNAVMAP", 1, 4, 4, 2, zlib.crc32(bomb_body)) + bomb_body
    endless = struct.pack("<8sHIIHI", b"PYNAVMAP", 1, 2**31, 2**31, 2, zlib.crc32(body)) + body
    junk = struct.pack("<8sHIIHI", b"PYNAVMAP", 1, 20, 30, 2, zlib.crc32(b"junk")) + b"junk"
    return [
        (b"", "no baked map"), (b"PNG and so on, long enough to be read as a head", "no baked map"), (good[:40], "damaged"),
        (bytes(flipped), "checksum"), (bytes(newer), "version 9"), (short, "take"), (bomb, "damaged"), (endless, "tiles and"),
        (junk, "decompressed"),
    ]  # fmt: skip


@pytest.mark.parametrize(("data", "said"), damaged())
def test_what_is_damaged_is_told(data: bytes, said: str) -> None:
    with pytest.raises(GridError, match=said):
        unpack_costs(data)


@pytest.mark.parametrize("wrong", [np.zeros((0, 3), np.uint8), np.zeros((3, 3), np.int32), np.zeros(9, np.uint8)])
def test_what_cannot_be_packed_is_told(wrong: np.ndarray) -> None:
    with pytest.raises(GridError, match="expected costs"):
        pack_costs(wrong)
