"""Masks of teams and layers: 32 bits, as the engine's collision layers have."""

import numpy as np

from pynav.crowd.errors import WorldError

TEAM_COUNT = 32
ALL_BITS = 0xFFFFFFFF


def checked_mask(name: str, bits: int) -> int:
    """A mask of 32 bits; WorldError for any other number. -1 is all of them."""
    if not (isinstance(bits, int | np.integer) and -1 <= bits <= ALL_BITS):
        raise WorldError(f"{name} are a mask of 32 bits, 0 to {ALL_BITS:#x} (or -1: all), got {bits!r}")
    return int(bits) & ALL_BITS


def signed_mask(name: str, bits: int) -> int:
    """The same as an int32 holds it."""
    mask = checked_mask(name, bits)
    return mask - (1 << 32) if mask >> 31 else mask
