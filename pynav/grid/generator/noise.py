"""Random numbers and smooth noise by position, in whole numbers only: the same on every machine.

A number is a hash of (seed, stream, x, y), not the next one of a sequence, so a map does not depend on the order in which
its parts are made.
"""

import numpy as np
import numpy.typing as npt

FULL = 65_536  # noise values are 0 .. FULL - 1

_FIRST = np.uint64(0x9E3779B97F4A7C15)
_SECOND = np.uint64(0xBF58476D1CE4E5B9)
_THIRD = np.uint64(0x94D049BB133111EB)
_SEED_FACTOR = 0x2545F4914F6CDD1D

Grid = npt.NDArray[np.int32]  # all sums and products below stay under 2**31


def position_hash(seed: int, stream: int, x: npt.ArrayLike, y: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """64 random bits for each position.

    Args:
        seed: any whole number.
        stream: tells uses of the same position apart.
        x: whole numbers.
        y: whole numbers; broadcast with ``x``.

    Returns:
        uint64, the shape of x and y broadcast. Source: the finaliser of splitmix64 (Steele, Lea, Flood, 2014).
    """
    state = np.atleast_1d(np.asarray(x, dtype=np.int64)).astype(np.uint64) * _FIRST
    state = _mixed(state ^ np.array([(seed * _SEED_FACTOR + stream) % 2**64], dtype=np.uint64))
    return _mixed(state + np.atleast_1d(np.asarray(y, dtype=np.int64)).astype(np.uint64) * _SECOND)


def random_below(limit: int, seed: int, stream: int, x: int, y: int = 0) -> int:
    """One random whole number 0 .. limit - 1, from ``position_hash`` of one position (in plain Python: 20 times as fast)."""
    state = _mixed_one((x * int(_FIRST)) % 2**64 ^ (seed * _SEED_FACTOR + stream) % 2**64)
    return (_mixed_one((state + y * int(_SECOND)) % 2**64) >> 33) % limit


def value_noise(width: int, height: int, cell: int, seed: int, stream: int) -> Grid:
    """Smooth noise: a random value at every ``cell``-th tile, blended between.

    Returns:
        int32 (height, width), 0 .. FULL - 1, about FULL / 2 in the mean.
    """
    columns, rows = np.arange(width, dtype=np.int32), np.arange(height, dtype=np.int32)
    left, top = columns // cell, rows // cell
    corner_x, corner_y = np.arange(width // cell + 2), np.arange(height // cell + 2)
    lattice = (position_hash(seed, stream, corner_x[None, :], corner_y[:, None]) >> np.uint64(48)).astype(np.int32)
    right_part = _eased((columns % cell) * 256 // cell)
    low_part = _eased((rows % cell) * 256 // cell)[:, None]
    # Blend the few lattice rows along x first, then whole rows along y.
    along = (lattice[:, left] * (256 - right_part) + lattice[:, left + 1] * right_part) >> 8
    return np.asarray((along[top] * (256 - low_part) + along[top + 1] * low_part) >> 8)


def fractal_noise(width: int, height: int, cell: int, octaves: int, seed: int, stream: int) -> Grid:
    """Sum of value noises, each of half the cell and half the weight of the one before; 0 .. FULL - 1."""
    total = np.zeros((height, width), dtype=np.int32)
    weight_sum = 0
    for octave in range(octaves):
        weight = 1 << (octaves - 1 - octave)
        total += weight * value_noise(width, height, max(cell >> octave, 1), seed, stream * 16 + octave)
        weight_sum += weight
    return np.asarray(total // weight_sum)


def wobble(count: int, cell: int, reach: int, seed: int, stream: int) -> npt.NDArray[np.int64]:
    """A smooth wandering line: int64 (count,), about -reach .. reach."""
    line = value_noise(count, 1, cell, seed, stream)[0].astype(np.int64)
    return np.asarray((line - FULL // 2) * 2 * reach // FULL)


def _eased(part: Grid) -> Grid:
    """3 t^2 - 2 t^3 in 256ths."""
    return np.asarray(part * part * (768 - 2 * part) >> 16)


def _mixed(state: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    state = (state ^ (state >> np.uint64(30))) * _SECOND
    state = (state ^ (state >> np.uint64(27))) * _THIRD
    return state ^ (state >> np.uint64(31))


def _mixed_one(state: int) -> int:
    """``_mixed`` of one number."""
    state = (state ^ (state >> 30)) * int(_SECOND) % 2**64
    state = (state ^ (state >> 27)) * int(_THIRD) % 2**64
    return state ^ (state >> 31)
