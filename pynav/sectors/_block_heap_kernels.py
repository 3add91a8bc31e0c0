# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""A heap of numbers (blocks, border tiles) under int32 keys, with its places, that the kernels of searches take in."""

import numpy as np

from pynav.kernels import inline

# Entries of ``progress`` (int64) of every search that uses the heap.
HEAP_SIZE = 0
DONE = 1
LOOKS = 2  # blocks looked at
ROWS = 3  # matrix rows applied
LOGGED = 4  # of a repair: values changed so far
PHASE = 5  # of a build: 0 before its goals have been taken up
TESTED = 6  # of a repair: border tiles tested
PROGRESS_COUNT = 7


@inline
def comes_first(key, a, b):
    """Order of blocks in the heap: by key, then by number, so that the order of work is the same everywhere."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


@inline
def rise(heap, place, key, at):
    """Move a block towards the top of the heap."""
    block = np.int64(heap[at])
    while at > 0:
        parent = (at - 1) >> 1
        other = np.int64(heap[parent])
        if not comes_first(key, block, other):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = parent
    heap[at] = np.int32(block)
    place[block] = np.int32(at)


@inline
def sink(heap, place, key, size, at):
    """Move a block towards the bottom of the heap."""
    block = np.int64(heap[at])
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and comes_first(key, np.int64(heap[child + 1]), np.int64(heap[child])):
            child += 1
        other = np.int64(heap[child])
        if not comes_first(key, other, block):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = child
    heap[at] = np.int32(block)
    place[block] = np.int32(at)


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


@inline
def next_block(heap, place, key, progress):
    """Take the block with the least key from the heap."""
    block = np.int64(heap[0])
    size = progress[HEAP_SIZE] - 1
    progress[HEAP_SIZE] = size
    place[block] = np.int32(-1)
    if size > 0:
        heap[0] = heap[size]
        place[np.int64(heap[0])] = np.int32(0)
        sink(heap, place, key, size, np.int64(0))
    return block
