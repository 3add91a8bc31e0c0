"""Directions of blocks, written in any order: each is a step of a shortest way, on every tile."""

import numpy as np
import numpy.typing as npt

from pynav.grid import DIRECTION_X, DIRECTION_Y, NO_DIRECTION, NO_WAY, SOLID_TILE, IntegrationField, TileGrid
from pynav.kernels import Sequence
from pynav.sectors import BlockGraph, GoalValues
from pynav.sectors.block_flow import PARTS, write_steps
from pynav.sectors.block_layout import EDGE, MISSING, NOT_HERE, READY, STEP
from tests.unit.sectors.maps import random_goals, random_map


def written_flow(
    cost: npt.NDArray[np.uint8], goals: list[tuple[int, int]], random: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """All blocks written in a random order, a few at a time: codes without the border, and what is marked as ready."""
    graph = BlockGraph(TileGrid(cost))
    values = GoalValues(graph)
    values.build(goals)
    height, width = cost.shape
    flow = np.full((1, height + 2, width + 2), SOLID_TILE, dtype=np.uint8)
    edge = np.full((1, graph.block_count, EDGE), NOT_HERE, dtype=np.uint8)
    ready = np.full((1, graph.block_count), MISSING, dtype=np.uint8)
    goal_numbers = (np.array([0, len(goals)], dtype=np.int32), values.goal_x, values.goal_y)
    order = random.permutation(graph.block_count).astype(np.int32)
    for blocks in np.array_split(order, min(5, len(order))):
        slots = np.zeros(len(blocks), dtype=np.int32)
        counts = np.array([PARTS, len(blocks), -(-len(blocks) // PARTS)], dtype=np.int64)
        steps = write_steps(
            [(0, graph)],
            slots[:1],
            slots,
            np.ascontiguousarray(blocks),
            counts,
            values.value[None, :],
            goal_numbers,
            flow,
            edge,
            ready,
            (np.zeros((1, 1, STEP * STEP), dtype=np.uint8), np.zeros_like(ready)),
        )
        Sequence(steps).run()
    return flow[0, 1:-1, 1:-1].astype(np.int64), ready


def test_every_tile_has_a_step_of_a_shortest_way() -> None:
    random = np.random.default_rng(8)
    steps = 0
    for _ in range(60):
        cost = random_map(random)
        goals = random_goals(random, cost)
        code, ready = written_flow(cost, goals, random)
        assert (ready == READY).all()
        field = IntegrationField(TileGrid(cost))
        field.build(goals)
        distance = field.distance.astype(np.int64)
        assert ((code == SOLID_TILE) == (cost == 0)).all()
        assert ((code == NO_WAY) == ((cost != 0) & (field.distance == field.unreachable))).all()
        assert ((code == NO_DIRECTION) == ((cost != 0) & (distance == 0))).all()
        assert not (code == NOT_HERE).any()
        y, x = np.nonzero(code < 8)
        turn = code[y, x]
        to_y, to_x = y + np.array(DIRECTION_Y)[turn], x + np.array(DIRECTION_X)[turn]
        step = (cost[y, x].astype(np.int64) + cost[to_y, to_x]) * np.where(turn % 2, 99, 70)
        assert (distance[to_y, to_x] + step == distance[y, x]).all()
        corner = turn % 2 == 1
        assert (cost[y[corner], to_x[corner]] != 0).all() and (cost[to_y[corner], x[corner]] != 0).all()
        steps += len(y)
    assert steps > 20_000
