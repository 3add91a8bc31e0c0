"""Filling of multi-mesh buffers: checks in words, then two passes on the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pynav.crowd import _instance_buffer_kernels as kernels
from pynav.crowd.errors import BufferSizeError
from pynav.kernels import parallel_for

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


def _prepared(
    world: World,
    crowd: int,
    buffer: npt.NDArray[np.float32],
    previous: npt.NDArray[np.float32] | None,
    affine: npt.ArrayLike,
    color: tuple[float, float, float, float] | None,
    custom: bool,
    base_width: int,
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32], int]:
    slots = world._crowds.slot_count[crowd]
    width = base_width + (4 if color is not None else 0) + (4 if custom else 0)
    rows = _rows("buffer", buffer, slots, width)
    old_rows = _rows("previous", previous, slots, width) if previous is not None else rows[:0]
    matrix = np.ascontiguousarray(affine, dtype=np.float32).reshape(-1)
    if matrix.size != 6:
        raise BufferSizeError(f"affine must be 2 x 3 numbers, got {matrix.size}")
    tint = _NO_COLOR if color is None else np.array(color, dtype=np.float32)
    if color is not None and tint.shape != (4,):
        raise BufferSizeError(f"color must be 4 numbers, got {tint.shape}")
    if slots:
        first_slot = world._crowds.slots(crowd).start
        alive = world._crowds.alive
        parallel_for(kernels.clear_dead_slots, slots, alive, rows, first_slot, block_size=_BLOCK)
    return rows, old_rows, matrix, tint, width - 4 if custom else 0


def fill_buffer_2d(
    world: World,
    crowd: int,
    buffer: npt.NDArray[np.float32],
    affine: npt.ArrayLike,
    size: float,
    rotates: bool,
    color: tuple[float, float, float, float] | None,
    custom: bool,
    previous: npt.NDArray[np.float32] | None,
) -> None:
    """See ``Crowd.fill_buffer_2d``."""
    rows, old_rows, matrix, tint, custom_at = _prepared(world, crowd, buffer, previous, affine, color, custom, FLAT_WIDTH)
    values, tags = world._table.now
    parallel_for(
        kernels.fill_flat, world._table.count, values, tags, world._crowds.numbers, world._crowds.fresh, rows,
        old_rows, matrix, tint, crowd, size, int(rotates), custom_at, world.seed, block_size=_BLOCK,
    )  # fmt: skip


def fill_buffer_3d(
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
) -> None:
    """See ``Crowd.fill_buffer_3d``."""
    ground = _NO_HEIGHTS if heights is None else np.ascontiguousarray(heights, dtype=np.float32)
    if ground.ndim != 2:
        raise BufferSizeError(f"heights must be (rows, columns), got shape {ground.shape}")
    rows, old_rows, matrix, tint, custom_at = _prepared(world, crowd, buffer, previous, affine, color, custom, SOLID_WIDTH)
    values, tags = world._table.now
    parallel_for(
        kernels.fill_solid, world._table.count, values, tags, world._crowds.numbers, world._crowds.fresh, rows,
        old_rows, matrix, ground, tint, crowd, size, elevation, int(rotates), custom_at, world.seed,
        block_size=_BLOCK,
    )  # fmt: skip
