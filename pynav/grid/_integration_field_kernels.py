# mypy: disable-error-code="no-untyped-def, no-untyped-call, assignment"
"""Kernels of the integration field: the exact distance of every tile to the nearest goal, in slices.

Dial's buckets in the form of Dinitz: with buckets no wider than the cheapest step, a step from a tile of the lowest bucket
never ends in the same bucket, so the tiles of the lowest bucket are final and may be expanded in any order, without a heap.
The width is a power of two, so that a distance becomes a bucket by a shift. Between tiles of equal cost there are only two
more buckets in use at a time.

(E. A. Dinic, Economical algorithms for finding shortest paths in a network, 1978; R. B. Dial, CACM 12(11), 1969.)

A bucket is a linked list of nodes in a pool with a free list: the nodes that were let go last are used first, which keeps
the part of the pool in use as small as the wave front and thereby in the cache. A tile whose distance falls into a lower
bucket gets a second node; the first one is dropped when it comes up. Should the pool ever run out (it holds a quarter more
nodes than there are tiles), ``_collect`` rebuilds the lists without the outdated nodes.

The state lives in arrays, so that a slice can stop after any tile; what was done in which slice never shows in the result.
"""

import numpy as np

from pynav.grid.steps import DIAGONAL_FACTOR, STRAIGHT_FACTOR, UNREACHABLE, UNREACHABLE_WIDE
from pynav.kernels import inline, kernel

_UNREACHABLE = np.int32(UNREACHABLE)
_UNREACHABLE_WIDE = np.int64(UNREACHABLE_WIDE)

# Entries of ``state`` (int64).
PHASE = 0  # one of the phases below
CURSOR = 1  # next tile to clear, next goal to seed
BUCKET = 2  # number of the bucket in work; its list is bucket % number of lists
FREE_NODE = 3  # first node of the free list, -1 for none
FRESH_NODE = 4  # first node that was never used
WAITING = 5  # nodes in buckets, outdated ones included
EXPANDED = 6  # tiles expanded so far
COLLECTIONS = 7  # times that the pool ran out
STATE_COUNT = 8

PHASE_CLEAR = 0
PHASE_SEED = 1
PHASE_FLOOD = 2
PHASE_DONE = 3

CLEARED_PER_TILE = 64  # clearing this many tiles counts as expanding one


@inline
def _step(cost, own, other, uniform_step, factor):
    """What a step to ``other`` costs; ``uniform_step`` is that, or 0 where costs differ."""
    if uniform_step > 0:
        return uniform_step
    return (own + np.int64(cost[other])) * factor


@inline
def _offer(other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting):
    """Lower a tile's distance to ``value`` if that is less, and queue the tile if its bucket changes."""
    before = np.int64(distance[other])
    if value < before:
        distance[other] = value
        bucket = value >> shift
        if (before >> shift) != bucket:
            if free_node >= 0:
                node = free_node
                free_node = np.int64(node_next[node])
            else:
                node = fresh_node
                fresh_node += 1
            slot = bucket & (np.int64(list_head.shape[0]) - 1)
            node_tile[node] = np.int32(other)
            node_next[node] = list_head[slot]
            list_head[slot] = np.int32(node)
            waiting += 1
    return free_node, fresh_node, waiting


@inline
def _collect(distance, shift, list_head, node_tile, node_next, state, unreachable):
    """Rebuild the lists from the distances: one node a tile that may still have to be expanded."""
    for slot in range(list_head.shape[0]):
        list_head[slot] = np.int32(-1)
    bucket_mask = np.int64(list_head.shape[0]) - 1
    lowest = state[BUCKET]
    node = np.int64(0)
    for tile in range(distance.shape[0]):
        value = np.int64(distance[tile])
        if value != unreachable and (value >> shift) >= lowest:
            slot = (value >> shift) & bucket_mask
            node_tile[node] = np.int32(tile)
            node_next[node] = list_head[slot]
            list_head[slot] = np.int32(node)
            node += 1
    state[FREE_NODE] = -1
    state[FRESH_NODE] = node
    state[WAITING] = node
    state[COLLECTIONS] += 1


@inline
def flood_slice(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, unreachable, width, shift, uniform_cost,
    tile_budget,
):  # fmt: skip
    """The slice of ``flood`` for either width of distance."""
    tile_count = np.int64(distance.shape[0])
    # The eight steps are written out: a loop over directions takes 12 to 25 % longer (measured).
    bucket_mask = np.int64(list_head.shape[0]) - 1
    left = tile_budget
    if state[PHASE] == PHASE_CLEAR:
        first = state[CURSOR]
        last = min(tile_count, first + left * CLEARED_PER_TILE)
        for tile in range(first, last):
            distance[tile] = unreachable
        left -= (last - first) // CLEARED_PER_TILE
        state[CURSOR] = last
        if last < tile_count:
            return
        for slot in range(list_head.shape[0]):
            list_head[slot] = np.int32(-1)
        state[PHASE] = PHASE_SEED
        state[CURSOR] = 0
        state[BUCKET] = 0
        state[FREE_NODE] = -1
        state[FRESH_NODE] = 0
        state[WAITING] = 0
    if state[PHASE] == PHASE_SEED:
        first = state[CURSOR]
        last = min(np.int64(goal.shape[0]), first + left)
        node = state[FRESH_NODE]
        for index in range(first, last):
            tile = np.int64(goal[index])
            if distance[tile] != 0:
                distance[tile] = 0
                node_tile[node] = np.int32(tile)
                node_next[node] = list_head[0]
                list_head[0] = np.int32(node)
                node += 1
        state[WAITING] += node - state[FRESH_NODE]
        state[FRESH_NODE] = node
        left -= last - first
        state[CURSOR] = last
        if last < goal.shape[0]:
            return
        state[PHASE] = PHASE_FLOOD
    if state[PHASE] != PHASE_FLOOD:
        return

    bucket = state[BUCKET]
    free_node = state[FREE_NODE]
    fresh_node = state[FRESH_NODE]
    waiting = state[WAITING]
    expanded = state[EXPANDED]
    node_limit = np.int64(node_tile.shape[0]) - 8
    straight = 2 * uniform_cost * STRAIGHT_FACTOR
    diagonal = 2 * uniform_cost * DIAGONAL_FACTOR
    while left > 0 and waiting > 0:
        node = np.int64(list_head[bucket & bucket_mask])
        if node < 0:
            bucket += 1
            continue
        list_head[bucket & bucket_mask] = node_next[node]
        tile = np.int64(node_tile[node])
        node_next[node] = np.int32(free_node)
        free_node = node
        waiting -= 1
        here = np.int64(distance[tile])
        if (here >> shift) != bucket:
            continue
        left -= 1
        expanded += 1
        steps = np.int64(allowed[solid[tile]])
        own = np.int64(cost[tile])
        if steps & 1:  # east
            other = tile + 1
            value = here + _step(cost, own, other, straight, STRAIGHT_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 4:  # south
            other = tile + width
            value = here + _step(cost, own, other, straight, STRAIGHT_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 16:  # west
            other = tile - 1
            value = here + _step(cost, own, other, straight, STRAIGHT_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 64:  # north
            other = tile - width
            value = here + _step(cost, own, other, straight, STRAIGHT_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 2:  # south-east
            other = tile + width + 1
            value = here + _step(cost, own, other, diagonal, DIAGONAL_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 8:  # south-west
            other = tile + width - 1
            value = here + _step(cost, own, other, diagonal, DIAGONAL_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 32:  # north-west
            other = tile - width - 1
            value = here + _step(cost, own, other, diagonal, DIAGONAL_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if steps & 128:  # north-east
            other = tile - width + 1
            value = here + _step(cost, own, other, diagonal, DIAGONAL_FACTOR)
            free_node, fresh_node, waiting = _offer(
                other, value, distance, shift, list_head, node_tile, node_next, free_node, fresh_node, waiting
            )
        if fresh_node > node_limit:
            state[BUCKET] = bucket
            _collect(distance, shift, list_head, node_tile, node_next, state, unreachable)
            free_node = state[FREE_NODE]
            fresh_node = state[FRESH_NODE]
            waiting = state[WAITING]
    state[BUCKET] = bucket
    state[FREE_NODE] = free_node
    state[FRESH_NODE] = fresh_node
    state[WAITING] = waiting
    state[EXPANDED] = expanded
    if waiting == 0:
        state[PHASE] = PHASE_DONE


_SIGNATURE = (
    "uint8[::1] cost, uint8[::1] solid, uint8[::1] allowed, int64[::1] goal, {distance}[::1] distance, int32[::1] list_head,"
    " int32[::1] node_tile, int32[::1] node_next, int64[::1] state, int64 width, int64 shift, int64 uniform_cost,"
    " int64 tile_budget"
)


@kernel(_SIGNATURE.format(distance="int32"))
def flood(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, tile_budget
):  # fmt: skip
    """Do ``tile_budget`` tiles of work on int32 distances; ``state[PHASE]`` says when all is done.

    ``uniform_cost`` is the cost that all free tiles have, or 0 if they differ.
    """
    flood_slice(
        cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, _UNREACHABLE, width, shift, uniform_cost,
        tile_budget,
    )  # fmt: skip


@kernel(_SIGNATURE.format(distance="int64"))
def flood_wide(
    cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, width, shift, uniform_cost, tile_budget
):  # fmt: skip
    """The same on int64 distances, for maps whose distances could overflow 32 bits."""
    flood_slice(
        cost, solid, allowed, goal, distance, list_head, node_tile, node_next, state, _UNREACHABLE_WIDE, width, shift,
        uniform_cost, tile_budget,
    )  # fmt: skip
