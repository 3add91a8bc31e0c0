# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""What the searches over blocks note of their progress, and how a block gets into their heap."""

import numpy as np

from pynav.grid._heap_kernels import HEAP_SIZE, rise
from pynav.kernels import inline

# Further entries of ``progress`` (int64).
DONE = 1
LOOKS = 2  # blocks looked at
ROWS = 3  # matrix rows applied
LOGGED = 4  # of a repair: values changed so far
PHASE = 5  # of a build: 0 before its goals have been taken up
TESTED = 6  # of a repair: border tiles tested
PROGRESS_COUNT = 7


@inline
def wake(block, value, heap, place, key, progress):
    """Have a block looked at, not later than under ``value``."""
    at = np.int64(place[block])
    if at < 0:
        at = progress[HEAP_SIZE]
        progress[HEAP_SIZE] = at + 1
        heap[at] = np.int32(block)
        key[block] = value
        rise(heap, place, key, at)
    elif value < key[block]:
        key[block] = value
        rise(heap, place, key, at)
