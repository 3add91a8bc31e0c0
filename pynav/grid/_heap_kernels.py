# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""A heap of numbers (blocks, border tiles, anchors) under keys, with the place of each, that the kernels of searches take in.

``heap`` and ``place`` are int32, ``place`` -1 for who was taken from it; ``key`` are integers of any type, by number.
"""

import numpy as np

from pynav.kernels import inline

HEAP_SIZE = 0  # entry of ``progress`` (int64) of every search that uses the heap


@inline
def comes_first(key, a, b):
    """Order of the numbers in the heap: by key, then by number, so that the order of work is the same everywhere."""
    return key[a] < key[b] or (key[a] == key[b] and a < b)


@inline
def rise(heap, place, key, at):
    """Move a number towards the top of the heap."""
    node = np.int64(heap[at])
    while at > 0:
        parent = (at - 1) >> 1
        other = np.int64(heap[parent])
        if not comes_first(key, node, other):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = parent
    heap[at] = np.int32(node)
    place[node] = np.int32(at)


@inline
def sink(heap, place, key, size, at):
    """Move a number towards the bottom of the heap."""
    node = np.int64(heap[at])
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and comes_first(key, np.int64(heap[child + 1]), np.int64(heap[child])):
            child += 1
        other = np.int64(heap[child])
        if not comes_first(key, other, node):
            break
        heap[at] = np.int32(other)
        place[other] = np.int32(at)
        at = child
    heap[at] = np.int32(node)
    place[node] = np.int32(at)


@inline
def take_first(heap, place, key, progress):
    """Take the number with the least key from the heap."""
    node = np.int64(heap[0])
    size = progress[HEAP_SIZE] - 1
    progress[HEAP_SIZE] = size
    place[node] = np.int32(-1)
    if size > 0:
        heap[0] = heap[size]
        place[np.int64(heap[0])] = np.int32(0)
        sink(heap, place, key, size, np.int64(0))
    return node
