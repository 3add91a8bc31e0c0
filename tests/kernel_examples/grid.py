"""Arguments for every kernel of the grid, to compare its bits between backends."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.grid import UNREACHABLE, UNREACHABLE_WIDE, FlowField, IntegrationField, TileGrid
from pynav.grid._connectivity_kernels import update_labels
from pynav.grid._direction_kernels import write_directions, write_directions_wide
from pynav.grid._flow_field_kernels import PROGRESS_COUNT, build_flow, build_flow_wide
from pynav.grid._integration_field_kernels import flood, flood_wide
from pynav.grid._line_of_sight_kernels import see_many, see_many_over_exits
from pynav.grid._path_kernels import trace_path
from pynav.grid._sampling_kernels import heading_table, sample_many
from pynav.grid._tile_grid_kernels import label_components, label_two_way, mark_solid_neighbours
from pynav.grid.connectivity import Connectivity
from pynav.grid.exits import open_steps
from pynav.kernels import Kernel


class KernelExample(NamedTuple):
    """A kernel, its arguments (for a block kernel without begin and end), and for a block kernel the count of items."""

    kernel: Kernel
    arguments: tuple[Any, ...]
    item_count: int | None = None


HEIGHT, WIDTH = 23, 31


def _begun(cost: npt.NDArray[np.uint8], is_wide: bool, finished: bool = False) -> tuple[Any, ...]:
    """The arguments of a begun or finished build, all but the budget; wide ones with 64-bit distances."""
    field = IntegrationField(TileGrid(cost))
    field.begin([(6, 5)])
    if finished:
        field.update(HEIGHT * WIDTH * 2)
    arguments = list(field.kernel_arguments())
    # The pool is not cleared by a build, and need not be; but all bits are to be compared.
    arguments[6], arguments[7] = np.zeros_like(arguments[6]), np.zeros_like(arguments[7])
    if is_wide:
        distance = arguments[4].astype(np.int64)
        distance[distance == UNREACHABLE] = UNREACHABLE_WIDE
        arguments[4] = distance
    return tuple(arguments)


def _empty_flow() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    return np.zeros((HEIGHT + 2, WIDTH + 2), dtype=np.uint8), np.zeros(PROGRESS_COUNT, dtype=np.int64)


def examples() -> list[KernelExample]:
    """One or more examples a kernel; the arrays are fresh at every call."""
    random = np.random.default_rng(11)
    mixed = random.integers(0, 7, (HEIGHT, WIDTH)).astype(np.uint8)
    mixed[5, 6] = 2
    plain = (mixed != 0).astype(np.uint8)
    found: list[KernelExample] = []
    for cost, is_wide, budgets in ((mixed, False, (50, 10_000)), (plain, False, (10_000,)), (mixed, True, (300, 10_000))):
        flood_kernel, build_kernel = (flood_wide, build_flow_wide) if is_wide else (flood, build_flow)
        for budget in budgets:
            found.append(KernelExample(flood_kernel, (*_begun(cost, is_wide), budget)))
            begun = _begun(cost, is_wide)
            found.append(KernelExample(build_kernel, (*begun, begun[1], *_empty_flow(), budget)))
        # A build whose distances are finished goes on with the rows.
        for budget in (40, 10_000):
            done = _begun(cost, is_wide, finished=True)
            found.append(KernelExample(build_kernel, (*done, done[1], *_empty_flow(), budget)))
        arguments = _begun(cost, is_wide, finished=True)
        direction = np.zeros(HEIGHT * WIDTH, dtype=np.uint8)
        write = write_directions_wide if is_wide else write_directions
        found.append(KernelExample(write, (*arguments[:3], arguments[4], direction, WIDTH), HEIGHT))

    solid = np.zeros((HEIGHT, WIDTH), dtype=np.uint8)
    found.append(KernelExample(mark_solid_neighbours, (mixed.copy(), solid, 2, WIDTH - 1), HEIGHT))
    label = np.zeros((HEIGHT, WIDTH), dtype=np.int32)
    parent = np.zeros(HEIGHT * ((WIDTH + 1) // 2) + 1, dtype=np.int32)
    found.append(KernelExample(label_components, (mixed.copy(), label, parent, np.zeros(1, dtype=np.int64))))

    connectivity = Connectivity(TileGrid(mixed))
    edited = mixed.copy()
    edited[5:9, 4:10] = random.integers(0, 2, (4, 6))
    mark, stack = np.zeros((4 + 6, 6 + 6), dtype=np.int32), np.zeros((4 + 6) * (6 + 6), dtype=np.int32)
    tables = (connectivity.label.copy(), connectivity.root.copy(), mark, stack, np.zeros_like(connectivity.root))
    result = np.array([0, 0, len(connectivity.root) // 2], dtype=np.int64)
    found.append(KernelExample(update_labels, (edited, *tables, result, 4, 5, 10, 9, 3)))

    lines = random.integers(-2, HEIGHT + 2, (300, 4))
    found.append(KernelExample(see_many, (mixed.copy(), lines, np.zeros(300, dtype=np.uint8))))
    closed = (random.integers(0, 16, (HEIGHT, WIDTH)) * (random.random((HEIGHT, WIDTH)) < 0.3)).astype(np.uint8)
    seen = np.zeros(300, dtype=np.uint8)
    found.append(KernelExample(see_many_over_exits, (open_steps(mixed, closed), mixed.copy(), lines, seen)))
    parent = np.zeros(HEIGHT * WIDTH + 1, dtype=np.int32)
    found.append(KernelExample(label_two_way, (mixed.copy(), closed, np.zeros_like(label), parent, np.zeros(1, np.int64))))

    field = IntegrationField(TileGrid(mixed))
    field.build([(6, 5)])
    start_y, start_x = (int(value) for value in np.argwhere((field.distance < field.unreachable) & (field.distance > 500))[-1])
    for room in (4, 400):
        path = np.zeros((room, 2), dtype=np.int32)
        result = np.zeros(2, dtype=np.int64)
        found.append(KernelExample(trace_path, (field.directions.copy(), start_x, start_y, path, result)))

    served = FlowField(TileGrid(mixed), [(6, 5)])
    served.build()
    point = (random.random((500, 2)) * [WIDTH, HEIGHT]).astype(np.float32)
    found.append(KernelExample(sample_many, (served.flow.copy(), heading_table(), point, np.zeros_like(point))))
    return found
