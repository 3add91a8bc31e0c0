"""Tile costs as few bytes: what a baked map is stored as.

Layout, little-endian: the magic ``PYNAVMAP``, version (2 bytes), rows (4), columns (4), number of distinct costs (2), CRC-32 of
all that follows (4); then a zlib stream that holds the distinct costs in rising order (a byte each) and the bits of each tile's
place among them, one plane of bits after the other, the tiles row by row, eight to a byte, the first in the highest bit. A map of
walls and ground is one plane: an eighth of its bytes before it is compressed.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

from pynav.grid.errors import GridError

MAGIC = b"PYNAVMAP"
VERSION = 1
LARGEST_SIDE = 16_384
_HEAD = struct.Struct("<8sHIIHI")


def pack_costs(cost: npt.NDArray[np.uint8]) -> bytes:
    """Costs as bytes for ``unpack_costs``.

    Args:
        cost: (rows, columns) uint8, 1 to 16,384 a side.

    Returns:
        The bytes: equal for equal costs. 1024 x 1024 tiles with a fifth of walls, each placed at random, take about 100 kB, real
        maps far less.

    Raises:
        GridError: another type or shape.
    """
    if cost.dtype != np.uint8 or cost.ndim != 2 or not all(1 <= side <= LARGEST_SIDE for side in cost.shape):
        raise GridError(f"expected costs as uint8 (rows, columns), 1 to {LARGEST_SIDE} a side, got {cost.dtype} {cost.shape}")
    present = np.flatnonzero(np.bincount(cost.reshape(-1), minlength=256)).astype(np.uint8)
    table = np.zeros(256, dtype=np.uint8)
    table[present] = np.arange(len(present), dtype=np.uint8)
    places = table[cost.reshape(-1)]
    planes = [np.packbits((places >> bit) & 1).tobytes() for bit in range(_plane_count(len(present)))]
    body = zlib.compress(present.tobytes() + b"".join(planes), 6)
    rows, columns = cost.shape
    return _HEAD.pack(MAGIC, VERSION, rows, columns, len(present), zlib.crc32(body)) + body


def unpack_costs(data: bytes) -> npt.NDArray[np.uint8]:
    """The costs that ``pack_costs`` packed, (rows, columns) uint8.

    Raises:
        GridError: the bytes are no packed costs, of a newer version, cut off or damaged; the message says which.
    """
    if len(data) < _HEAD.size or not data.startswith(MAGIC):
        raise GridError(
            f"the data is no baked map: expected it to begin with {MAGIC.decode()}, got {len(data)} bytes of something else"
        )
    _, version, rows, columns, count, checksum = _HEAD.unpack_from(data)
    if version != VERSION:
        raise GridError(
            f"the baked map is of version {version}, this is pynav for version {VERSION}: bake it anew, or update pynav"
        )
    body = data[_HEAD.size :]
    if zlib.crc32(body) != checksum:
        raise GridError("the baked map is damaged: its checksum is wrong, so bytes are missing or were changed")
    if not (1 <= rows <= LARGEST_SIDE and 1 <= columns <= LARGEST_SIDE and 1 <= count <= 256):
        raise GridError(f"the baked map is damaged: it says that it has {columns} x {rows} tiles and {count} costs")
    plane_bytes = -(-rows * columns // 8)
    wanted = count + _plane_count(count) * plane_bytes
    try:
        reader = zlib.decompressobj()
        raw = reader.decompress(body, wanted + 1)
    except zlib.error as error:
        raise GridError(f"the baked map is damaged: it can't be decompressed ({error})") from None
    if len(raw) != wanted:
        raise GridError(f"the baked map is damaged: {columns} x {rows} tiles take {wanted} bytes, it holds {len(raw)}")
    present = np.frombuffer(raw, dtype=np.uint8, count=count)
    places: npt.NDArray[np.uint8] = np.zeros(rows * columns, dtype=np.uint8)
    for bit in range(_plane_count(count)):
        plane = np.frombuffer(raw, dtype=np.uint8, count=plane_bytes, offset=count + bit * plane_bytes)
        places |= np.unpackbits(plane, count=rows * columns) << np.uint8(bit)
    table: npt.NDArray[np.uint8] = np.zeros(256, dtype=np.uint8)
    table[:count] = present
    return table[places].reshape(rows, columns)


def _plane_count(count: int) -> int:
    """Bits that tell so many costs apart."""
    return max(count - 1, 0).bit_length()
