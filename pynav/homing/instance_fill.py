"""Filling of multi-mesh buffers with projectiles: checked in words and bound once, then one pass on the pool each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.homing import _instance_kernels as kernels
from pynav.homing.errors import HomingError
from pynav.homing.projectiles import ProjectileBatch
from pynav.kernels import BlockKernel, BoundCall

FLAT_WIDTH = 8
SOLID_WIDTH = 12
CUSTOM_WIDTH = 4
_BLOCK = 4096

Floats = npt.NDArray[np.float32]


class ProjectileFill:
    """The filling of one batch's buffer, slot by slot; made by ``fill_of_2d`` and ``fill_of_3d``."""

    def __init__(
        self,
        batch: ProjectileBatch,
        kernel: BlockKernel,
        width: int,
        buffer: Floats,
        previous: Floats | None,
        arguments: tuple[Any, ...],
    ) -> None:
        self._batch, self._kernel, self._arguments = batch, kernel, arguments
        self._slots = batch.slot_count
        self._rows = _rows("buffer", buffer, self._slots, width)
        self._old_rows = self._rows[:0] if previous is None else _rows("previous", previous, self._slots, width)
        self._bound: tuple[Any, BoundCall] | None = None

    def run(self) -> None:
        """Write where the projectiles are now.

        Raises:
            HomingError: the batch has another number of slots than the buffer; nothing is written.
        """
        batch = self._batch
        if batch.slot_count != self._slots:
            raise HomingError(f"a buffer of {self._slots} instances for a batch of {batch.slot_count} slots: bind it anew")
        if self._bound is None or self._bound[0] is not batch.values:
            call = self._kernel.bind(batch.values, batch.tags, self._rows, self._old_rows, *self._arguments)
            self._bound = (batch.values, call)
        self._bound[1].run(self._slots, _BLOCK)


def _rows(name: str, buffer: Floats, slots: int, width: int) -> Floats:
    if buffer.size != slots * width:
        raise HomingError(f"{name} must hold {slots} instances of {width} floats = {slots * width}, got {buffer.size}")
    return buffer.reshape(slots, width)


def _affine(matrix: npt.ArrayLike) -> Floats:
    found = np.array(matrix, dtype=np.float32).reshape(-1)
    if found.size != 6:
        raise HomingError(f"affine must be 2 x 3 numbers, got {found.size}")
    return found


def fill_of_2d(
    batch: ProjectileBatch,
    buffer: Floats,
    affine: npt.ArrayLike,
    size: float,
    custom: bool = False,
    previous: Floats | None = None,
) -> ProjectileFill:
    """Bind a buffer of 2D transforms.

    Args:
        batch: whose projectiles.
        buffer: float32 (slots * 8,), or 12 a slot with custom data: seconds to live, speed, 0, state (1 flying, 2 held).
        affine: 2 x 3, from the box's plane to the drawing's.
        size: of a picture.
        custom: whether instances have custom data.
        previous: as ``buffer``; slots that were filled anew get the same transform there, so that they don't fly in.

    Raises:
        HomingError: a buffer of another size.
    """
    width = FLAT_WIDTH + (CUSTOM_WIDTH if custom else 0)
    return ProjectileFill(batch, kernels.fill_flat, width, buffer, previous, (_affine(affine), size, int(custom)))


def fill_of_3d(
    batch: ProjectileBatch,
    buffer: Floats,
    affine: npt.ArrayLike,
    size: float,
    elevation: float,
    custom: bool = False,
    previous: Floats | None = None,
) -> ProjectileFill:
    """The same with 3D transforms (12 floats a slot), y up, at one elevation; a projectile looks along its -z axis."""
    width = SOLID_WIDTH + (CUSTOM_WIDTH if custom else 0)
    return ProjectileFill(batch, kernels.fill_solid, width, buffer, previous, (_affine(affine), size, elevation, int(custom)))
