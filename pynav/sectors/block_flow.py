"""Directions of single blocks: the steps that write the blocks on a list, from the values of their border tiles."""

import numpy as np
import numpy.typing as npt

from pynav.kernels import Step
from pynav.sectors._block_flow_kernels import join_edges, write_blocks
from pynav.sectors._block_matrix_kernels import LOADED, TILES
from pynav.sectors.block_graph import BlockGraph

PARTS = 16  # pieces that a list is cut into, each with scratch of its own


def write_steps(
    graphs: list[tuple[int, BlockGraph]],
    layer_of: npt.NDArray[np.int32],
    item_slot: npt.NDArray[np.int32],
    item_block: npt.NDArray[np.int32],
    item_counts: npt.NDArray[np.int64],
    value: npt.NDArray[np.int32],
    goals: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]],
    flow: npt.NDArray[np.uint8],
    edge: npt.NDArray[np.uint8],
    ready: npt.NDArray[np.uint8],
    common: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]],
) -> list[Step]:
    """Steps that write the listed blocks of the listed flows and mark them READY.

    Args:
        graphs: number of a layer and its blocks, with the costs as they are now; one or more of one size.
        layer_of: int32 (flows,), the layer of each flow.
        item_slot: int32 (n,), flow of each item.
        item_block: int32 (n,), its block.
        item_counts: int64 (3,), how much of the list is used (block_layout.py).
        value: int32 (flows, border tiles), exact distances.
        goals: first goal of each flow, int32 (flows + 1,); columns and rows of all goals, int32.
        flow: uint8 (flows, height + 2, width + 2), written: codes of steps.py, NOT_HERE where the step lies in a missing block.
        edge: uint8 (flows, blocks, 34), written: what blocks know of borders that their neighbours write.
        ready: uint8 (flows, blocks), how far each is (block_layout.py).
        common: uint8 (flows, blocks, 256), what common routes (common_route.py) put in the place of exact directions, NOT_HERE
            for nothing; and uint8 (flows, blocks), 1 for the blocks where they do.

    Notes:
        About 10 us a block on one thread. A block's directions are those of the exact potential whatever the order of writing;
        where several steps are as good the total order of _direction_kernels.py decides within a block.
    """
    local: npt.NDArray[np.uint8] = np.zeros((PARTS, LOADED), dtype=np.uint8)
    distance: npt.NDArray[np.int32] = np.zeros((PARTS, TILES), dtype=np.int32)
    steps = []
    for layer, graph in graphs:
        write = write_blocks.bind(
            graph.cost, graph.closed, graph.one_way, layer_of, item_slot, item_block, value, graph.border_of, graph.ring,
            *goals, flow, edge, *common, local, distance, item_counts, graph.column_count, layer,
        )  # fmt: skip
        steps.append(Step(write, item_counts, 1))
    _, first = graphs[0]
    join = join_edges.bind(item_slot, item_block, flow, edge, ready, item_counts, first.column_count, first.row_count)
    return [*steps, Step(join)]
