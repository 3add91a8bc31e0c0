"""Filling of multi-mesh buffers: checked in words and bound once, then two passes on the pool each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.crowd import _instance_buffer_kernels as kernels
from pynav.crowd.errors import BufferSizeError
from pynav.kernels import BlockKernel, Sequence, Step

if TYPE_CHECKING:
    from pynav.world import World

FLAT_WIDTH = 8
SOLID_WIDTH = 12
_BLOCK = 4096
_NO_COLOR: npt.NDArray[np.float32] = np.zeros(0, dtype=np.float32)
_NO_HEIGHTS: npt.NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)


def _rows(name: str, buffer: npt.NDArray[np.float32], slots: int, width: int) -> npt.NDArray[np.float32]:
    """The buffer as (slots, width), without a copy."""
    if not isinstance(buffer, np.ndarray) or buffer.dtype != np.float32 or not buffer.flags.c_contiguous:
        raise BufferSizeError(f"{name} must be a contiguous float32 array")
    if not buffer.flags.writeable:
        raise BufferSizeError(f"{name} must be writeable")
    if buffer.size != slots * width:
        raise BufferSizeError(f"{name} must hold {slots} instances of {width} floats = {slots * width}, got {buffer.size}")
    return buffer.reshape(slots, width)


class InstanceFill:
    """The filling of one crowd's buffer: checked and bound once, run after each tick. Made by ``Crowd.bind_buffer_2d`` and
    ``bind_buffer_3d``.
    """

    def __init__(
        self,
        world: World,
        crowd: int,
        kernel: BlockKernel,
        width: int,
        buffer: npt.NDArray[np.float32],
        previous: npt.NDArray[np.float32] | None,
        arguments: tuple[Any, ...],
    ) -> None:
        self._world = world
        self._crowd = crowd
        self._kernel = kernel
        self._width = width
        self._buffer = buffer
        self._previous = previous
        self._arguments = arguments
        self._count = np.zeros(1, dtype=np.int64)
        self._bound_to: tuple[Any, ...] = ()
        self._sequences: list[Sequence] = []
        self._bind()

    def run(self) -> None:
        """Fill the buffer with where the agents are now.

        Raises BufferSizeError if the crowd has another number of slots than the buffer; nothing is written.
        """
        world = self._world
        table, crowds = world._table, world._crowds
        values, alive, numbers, slots = self._bound_to
        if (
            table.values[0] is not values
            or crowds.alive is not alive
            or crowds.numbers is not numbers
            or crowds.slot_count[self._crowd] != slots
        ):
            self._bind()
        self._count[0] = table.count
        self._sequences[table.side].run()

    def _bind(self) -> None:
        world, crowd = self._world, self._crowd
        table, crowds = world._table, world._crowds
        slots = crowds.slot_count[crowd]
        rows = _rows("buffer", self._buffer, slots, self._width)
        old_rows = rows[:0] if self._previous is None else _rows("previous", self._previous, slots, self._width)
        clear = kernels.clear_dead_slots.bind(crowds.alive, rows, crowds.slots(crowd).start)
        clear_count = np.array([slots], dtype=np.int64)
        self._sequences = []
        for values, tags in zip(table.values, table.tags, strict=True):
            fill = self._kernel.bind(values, tags, crowds.numbers, crowds.fresh, rows, old_rows, *self._arguments, world.seed)
            self._sequences.append(Sequence([Step(clear, clear_count, _BLOCK), Step(fill, self._count, _BLOCK)]))
        self._bound_to = (table.values[0], crowds.alive, crowds.numbers, slots)


def _checked(
    affine: npt.ArrayLike, color: tuple[float, float, float, float] | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The mapping as six numbers and the colour as four, or none."""
    matrix = np.array(affine, dtype=np.float32).reshape(-1)
    if matrix.size != 6:
        raise BufferSizeError(f"affine must be 2 x 3 numbers, got {matrix.size}")
    tint = _NO_COLOR if color is None else np.array(color, dtype=np.float32)
    if color is not None and tint.shape != (4,):
        raise BufferSizeError(f"color must be 4 numbers, got {tint.shape}")
    return matrix, tint


def bind_buffer_2d(
    world: World,
    crowd: int,
    buffer: npt.NDArray[np.float32],
    affine: npt.ArrayLike,
    size: float,
    rotates: bool,
    color: tuple[float, float, float, float] | None,
    custom: bool,
    previous: npt.NDArray[np.float32] | None,
) -> InstanceFill:
    """See ``Crowd.bind_buffer_2d``."""
    matrix, tint = _checked(affine, color)
    custom_at = FLAT_WIDTH + len(tint) if custom else 0
    width = FLAT_WIDTH + len(tint) + (4 if custom else 0)
    arguments = (matrix, tint, crowd, size, int(rotates), custom_at)
    return InstanceFill(world, crowd, kernels.fill_flat, width, buffer, previous, arguments)


def bind_buffer_3d(
    world: World,
    crowd: int,
    buffer: npt.NDArray[np.float32],
    affine: npt.ArrayLike,
    size: float,
    elevation: float,
    heights: npt.NDArray[np.float32] | None,
    rotates: bool,
    color: tuple[float, float, float, float] | None,
    custom: bool,
    previous: npt.NDArray[np.float32] | None,
) -> InstanceFill:
    """See ``Crowd.bind_buffer_3d``."""
    matrix, tint = _checked(affine, color)
    ground = _NO_HEIGHTS if heights is None else np.ascontiguousarray(heights, dtype=np.float32)
    if ground.ndim != 2:
        raise BufferSizeError(f"heights must be (rows, columns), got shape {ground.shape}")
    custom_at = SOLID_WIDTH + len(tint) if custom else 0
    width = SOLID_WIDTH + len(tint) + (4 if custom else 0)
    arguments = (matrix, ground, tint, crowd, size, elevation, int(rotates), custom_at)
    return InstanceFill(world, crowd, kernels.fill_solid, width, buffer, previous, arguments)
