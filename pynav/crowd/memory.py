"""Arrays whose starts are spread over a page.

Large arrays from the system start at the same place of a page, and rows of a table with a stride of whole pages do too. A pass
that walks twenty of them side by side then has twenty streams in one set of an eight-way cache, which made the integration
pass four times slower (measured).
"""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

_Kind = TypeVar("_Kind", bound=np.generic)

_PAGE = 4096
_STEP = 320  # bytes from one row's or array's place in its page to the next one's


def padded_capacity(count: int) -> int:
    """The least capacity for four-byte rows not below ``count`` whose rows start _STEP bytes further in a page, one by one."""
    pages = -(-count * 4 // _PAGE)
    return (pages * _PAGE + _STEP) // 4


def spread_zeros(shape: tuple[int, ...] | int, dtype: type[_Kind], turn: int) -> npt.NDArray[_Kind]:
    """Zeros that start ``turn`` steps into a page; contiguous."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + 2 * _PAGE, dtype=np.uint8)
    at = (-raw.ctypes.data) % _PAGE + (turn * _STEP) % _PAGE
    return raw[at : at + size].view(dtype).reshape(shape)
