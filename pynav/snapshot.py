"""Snapshots: a world's state as bytes, whole or not at all.

Layout: eight bytes of magic, version (4 bytes), length of the body (8), BLAKE2b hash of the body (16), body. The body is zlib
over
the length of a JSON header (4), the header, and the raw arrays that the header lists, one after another. All little-endian.
This file knows bytes, JSON and arrays; what a world puts there stands in world.py.
"""

import hashlib
import json
import struct
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.errors import SnapshotError

__all__ = ["SnapshotError", "pack", "unpack"]

MAGIC = b"PYNAVWLD"
VERSION = 10
_HEAD = struct.Struct("<8sIQ16s")
_LENGTH = struct.Struct("<I")
_KINDS = {"|u1", "<i4", "<i8", "<f4", "<f8", "|b1"}


def pack(meta: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> bytes:
    """Bytes that hold ``meta`` (anything JSON can say) and the arrays.

    Deterministic: equal contents give equal bytes.
    """
    listing = []
    parts = []
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array)
        plain = plain.astype(plain.dtype.newbyteorder("<"), copy=False)
        if plain.dtype.str not in _KINDS:
            raise SnapshotError(f"array {name} has a type that snapshots don't hold: {plain.dtype}")
        listing.append([name, plain.dtype.str, list(plain.shape)])
        parts.append(plain.tobytes())
    header = json.dumps({"meta": meta, "arrays": listing}, sort_keys=True, allow_nan=False).encode()
    body = zlib.compress(_LENGTH.pack(len(header)) + header + b"".join(parts), 1)
    digest = hashlib.blake2b(body, digest_size=16).digest()
    return _HEAD.pack(MAGIC, VERSION, len(body), digest) + body


def unpack(data: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """What ``pack`` was given.

    Raises
    ------
    SnapshotError
        Not a snapshot, of another version, truncated, with bytes behind its end, changed since it was made, or made by
        something else.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise SnapshotError(f"a snapshot is bytes, got {type(data).__name__}")
    data = bytes(data)
    if data[: len(MAGIC)] != MAGIC[: len(data)] or not data:
        raise SnapshotError(f"not a snapshot of a world: it begins with {data[:8]!r} instead of {MAGIC!r}")
    if len(data) < _HEAD.size:
        raise SnapshotError(f"truncated snapshot: {len(data)} bytes, its head alone has {_HEAD.size}")
    _, version, length, digest = _HEAD.unpack_from(data)
    if version != VERSION:
        raise SnapshotError(f"snapshot of version {version}, this program reads version {VERSION}")
    body = data[_HEAD.size :]
    if len(body) < length:
        raise SnapshotError(f"truncated snapshot: {len(body)} of {length} bytes of its body")
    if len(body) > length:
        raise SnapshotError(f"{len(body) - length} bytes too many behind the end of the snapshot")
    if hashlib.blake2b(body, digest_size=16).digest() != digest:
        raise SnapshotError("corrupt snapshot: its bytes have changed since it was made")
    try:
        return _contents(body)
    except (zlib.error, struct.error, ValueError, TypeError, KeyError, RecursionError) as error:
        raise SnapshotError(f"a snapshot whose checksum is right and whose contents are none: {error}") from error


def _contents(body: bytes) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Meta and arrays of a body as pack() wrote it; some error for any other."""
    raw = zlib.decompress(body)
    (header_length,) = _LENGTH.unpack_from(raw)
    at = _LENGTH.size + header_length
    header = json.loads(raw[_LENGTH.size : at])
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind, shape in header["arrays"]:
        if kind not in _KINDS:
            raise ValueError(f"array {name} of type {kind}")
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(raw, dtype=kind, count=count, offset=at)
        at += array.nbytes
        arrays[name] = array.astype(array.dtype.newbyteorder("="), copy=True).reshape(shape)
    return header["meta"], arrays
