"""Random numbers without a state: a hash of integers, equal in Python, numpy and compiled kernels.

hash(seed, entity, ...) needs no order of calls, so results depend neither on threads nor on how many agents came before.
"""

import numpy as np
import numpy.typing as npt

from pynav.kernels import inline

_MASK = 0xFFFFFFFF
_FACTOR = 0x45D9F3B  # below 2**31: a product with 32 bits never leaves int64


@inline
def mixed(value):
    """Thirty-two well mixed bits of the low thirty-two bits of ``value`` (two rounds of multiply and shift)."""
    bits = value & 0xFFFFFFFF
    bits = (((bits >> 16) ^ bits) * 0x45D9F3B) & 0xFFFFFFFF
    bits = (((bits >> 16) ^ bits) * 0x45D9F3B) & 0xFFFFFFFF
    return (bits >> 16) ^ bits


@inline
def hash_integers(first, second, third):
    """A hash of three integers, 0..2**32 - 1."""
    return mixed(mixed(mixed(first) + second) + third)


def hash_array(first: int, second: int, third: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The same hash over an array of third values: int64, 0..2**32 - 1."""

    def mix(bits: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        bits = bits & _MASK
        bits = (((bits >> 16) ^ bits) * _FACTOR) & _MASK
        bits = (((bits >> 16) ^ bits) * _FACTOR) & _MASK
        return (bits >> 16) ^ bits

    start = mix(mix(np.array([first], dtype=np.int64)) + second)
    return mix(start + np.asarray(third, dtype=np.int64))


def unit_array(first: int, second: int, third: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    """Random float32 in 0 <= u < 1, one for each third value (24 bits of the hash)."""
    return (hash_array(first, second, third) & 0xFFFFFF).astype(np.float32) * np.float32(1.0 / 16777216.0)
