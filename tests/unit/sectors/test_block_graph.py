"""Blocks: the matrices against a plain Dijkstra inside each block, sharing, and edits against a graph made anew."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav.grid import TileGrid
from pynav.sectors import BlockGraph
from pynav.sectors.block_layout import RING, SIDE, STEP, UNREACHED
from tests.naive.grid import dijkstra
from tests.unit.sectors.maps import random_map


def test_matrices_are_the_distances_inside_each_block() -> None:
    random = np.random.default_rng(1)
    for _ in range(4):
        cost = random_map(random, 10, 40)
        graph = BlockGraph(TileGrid(cost))
        for block in range(graph.block_count):
            top, left = block // graph.column_count * STEP, block % graph.column_count * STEP
            inside = graph.cost[top : top + SIDE, left : left + SIDE]
            for source in range(0, RING, 5):
                y, x = divmod(int(graph.ring[source]), SIDE)
                row = graph.matrix[graph.matrix_of[block], source]
                if inside[y, x] == 0:
                    assert (row == UNREACHED).all()
                    continue
                expected = dijkstra(inside, [(x, y)])
                found = {place: int(row[index]) for index, place in enumerate(graph.ring) if row[index] < UNREACHED}
                assert found == {y * SIDE + x: d for (x, y), d in expected.items() if y * SIDE + x in set(graph.ring.tolist())}


def test_blocks_of_equal_costs_share_a_matrix() -> None:
    graph = BlockGraph(TileGrid(np.ones((65, 65), dtype=np.uint8)))
    assert graph.block_count == 16
    assert len(set(graph.matrix_of.tolist())) == 1


def test_borders_are_numbered_alike_by_all_blocks_that_share_them() -> None:
    graph = BlockGraph(TileGrid(np.ones((40, 50), dtype=np.uint8)))
    for border in range(graph.border_count):
        owners = [block for block in graph.owner_block[border].tolist() if block >= 0]
        assert len(owners) == len(set(owners)) > 0
        for block, ring in zip(owners, graph.owner_ring[border].tolist(), strict=False):
            assert graph.border_of[block, ring] == border
    crossing = int(np.flatnonzero((graph.border_x == STEP) & (graph.border_y == STEP))[0])
    assert sorted(graph.owner_block[crossing].tolist()) == [0, 1, graph.column_count, graph.column_count + 1]


def test_edits_equal_a_graph_made_anew() -> None:
    random = np.random.default_rng(3)
    grid = TileGrid(random_map(random, 30, 60))
    graph = BlockGraph(grid)
    for turn in range(60):
        height, width = (int(side) for side in random.integers(1, 5, 2))
        x, y = int(random.integers(0, grid.width - width + 1)), int(random.integers(0, grid.height - height + 1))
        before = graph.matrix[graph.matrix_of].copy()
        grid.set_cost_rect(x, y, random.integers(0, 4, (height, width)))
        changed = graph.update(x, y, width, height)
        fresh = BlockGraph(grid)
        now = graph.matrix[graph.matrix_of]
        assert (now == fresh.matrix[fresh.matrix_of]).all()
        untouched = np.ones(graph.block_count, dtype=bool)
        untouched[changed] = False
        assert (now[untouched] == before[untouched]).all()
        if turn % 10 == 9:
            graph.release_retired()
    assert len(graph._user_count) < 200  # what nobody uses is used again


def test_a_running_search_keeps_its_matrices() -> None:
    grid = TileGrid(np.ones((33, 33), dtype=np.uint8))
    graph = BlockGraph(grid)
    old = graph.matrix_of
    content = graph.matrix[old].copy()
    for column in range(33):
        grid.set_cost_rect(column, 20, [[0]])
        graph.update(column, 20, 1, 1)
    assert (graph.matrix[old] == content).all()


def test_matrices_are_used_again_but_for_those_of_searches_that_run() -> None:
    """Under searches without a pause, each begun a few edits ago, memory stays bounded and no search loses a matrix."""
    random = np.random.default_rng(1)
    grid = TileGrid(np.ones((49, 49), dtype=np.uint8))
    graph = BlockGraph(grid)
    running: list[tuple[int, npt.NDArray[np.int32], npt.NDArray[np.int32]]] = []
    for _ in range(300):
        running.append((graph.revision, graph.matrix_of, graph.matrix[graph.matrix_of].copy()))
        grid.set_cost_rect(*(int(at) for at in random.integers(0, 46, 2)), random.integers(0, 4, (3, 3)))
        graph.update(0, 0, 49, 49)
        for _, matrix_of, content in running:
            assert (graph.matrix[matrix_of] == content).all()
        running = running[-5:]
        graph.release_retired(running[0][0])
    assert len(graph._user_count) < 100


@pytest.mark.parametrize(("width", "height", "blocks"), [(1, 1, 1), (17, 17, 1), (18, 17, 2), (33, 34, 6)])
def test_blocks_cover_the_map(width: int, height: int, blocks: int) -> None:
    graph = BlockGraph(TileGrid(np.ones((height, width), dtype=np.uint8)))
    assert graph.block_count == blocks
    assert (graph.cost[:height, :width] == 1).all() and graph.cost.sum() == width * height


def test_huge_costs_do_not_fit() -> None:
    assert BlockGraph(TileGrid(np.ones((300, 300), dtype=np.uint8))).fits
    assert not BlockGraph(TileGrid(np.full((300, 300), 255, dtype=np.uint8))).fits
