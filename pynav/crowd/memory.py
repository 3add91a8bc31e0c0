"""Large arrays: those whose starts are spread over a page, and those that cost no memory until they are used.

Large arrays from the system start at the same place of a page, and rows of a table with a stride of whole pages do too. A pass
that walks twenty of them side by side then has twenty streams in one set of an eight-way cache, which made the integration
pass four times slower (measured).
"""

import mmap
from typing import TypeVar

import numpy as np
import numpy.typing as npt

_Kind = TypeVar("_Kind", bound=np.generic)

PAGE = 4096
_STEP = 320  # bytes from one row's or array's place in its page to the next one's


def padded_capacity(count: int) -> int:
    """The least capacity for four-byte rows not below ``count`` whose rows start _STEP bytes further in a page, one by one."""
    pages = -(-count * 4 // PAGE)
    return (pages * PAGE + _STEP) // 4


def spread_zeros(shape: tuple[int, ...] | int, dtype: type[_Kind], turn: int) -> npt.NDArray[_Kind]:
    """Zeros that start ``turn`` steps into a page; contiguous.

    Written here, or the first tick waited for the system's memory: 28 ms for the contact lists of 65,535 agents (measured).
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.empty(size + 2 * PAGE, dtype=np.uint8)
    raw.fill(0)
    at = (-raw.ctypes.data) % PAGE + (turn * _STEP) % PAGE
    return raw[at : at + size].view(dtype).reshape(shape)


def untouched(shape: tuple[int, ...], dtype: type[_Kind]) -> npt.NDArray[_Kind]:
    """Zeros whose memory is taken a page at a time, when it is first written: for tables with far more rows than are in use.

    Never in pages of megabytes, which the system may have to move others for: that took 30 ms in the middle of a tick (measured).
    """
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    if size < PAGE:
        return np.zeros(shape, dtype=dtype)
    private = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return np.frombuffer(mmap.mmap(-1, size, **private), dtype=dtype).reshape(shape)
