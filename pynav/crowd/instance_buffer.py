"""Filling of multi-mesh buffers: checked in words and bound once, then two passes on the pool each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pynav.crowd import _instance_buffer_kernels as kernels
from pynav.crowd.errors import BufferSizeError, WorldError
from pynav.crowd.game_columns import GameColumns
from pynav.kernels import BlockKernel, Sequence, Step

if TYPE_CHECKING:
    from pynav.world import World

FLAT_WIDTH = 8
SOLID_WIDTH = 12
_BLOCK = 4096
MOST_CUSTOM_COLUMNS = 4
_NO_COLORS: npt.NDArray[np.float32] = np.zeros((0, 4), dtype=np.float32)
_NO_COLUMN: npt.NDArray[np.float32] = np.zeros(0, dtype=np.float32)
_NO_HEIGHTS: npt.NDArray[np.float32] = np.zeros((0, 0), dtype=np.float32)


@dataclass(frozen=True)
class DrawnColumns:
    """Names of the columns of the game that show in a buffer; empty ones don't.

    Attributes:
        color: a column of colours, each instance's own.
        custom: up to four columns of floats, the numbers for the shader in order; they take the place of what ``custom`` gives.
        facing: a column of floats, the angle that an agent faces instead of its heading, where that is finite.
    """

    color: str = ""
    custom: tuple[str, ...] = ()
    facing: str = ""

    def __post_init__(self) -> None:
        if len(self.custom) > MOST_CUSTOM_COLUMNS:
            raise WorldError(f"expected at most {MOST_CUSTOM_COLUMNS} columns for the shader, got {len(self.custom)}")


NO_COLUMNS = DrawnColumns()


@dataclass(frozen=True)
class _Look:
    """What instances have beside their transforms."""

    width: int  # floats of a transform
    color: tuple[float, float, float, float] | None
    custom: bool
    columns: DrawnColumns

    @property
    def color_width(self) -> int:
        return 0 if self.color is None and not self.columns.color else 4

    @property
    def custom_at(self) -> int:
        """Where the numbers for the shader stand; 0 without."""
        return self.width + self.color_width if self.custom or self.columns.custom else 0

    @property
    def floats(self) -> int:
        """Of an instance."""
        return self.width + self.color_width + (4 if self.custom_at else 0)

    def arguments(self, columns: GameColumns) -> list[Any]:
        """Those of the kernels from ``colors`` to ``has_motion``. WorldError for a column that isn't there or of another kind."""
        names = self.columns
        colors = _NO_COLORS if self.color is None else np.array([self.color], dtype=np.float32)
        if names.color:
            colors = columns.of_kind(names.color, "color")
        customs = [columns.of_kind(name, "float") if name else _NO_COLUMN for name in names.custom]
        customs += [_NO_COLUMN] * (MOST_CUSTOM_COLUMNS - len(customs))
        facing = columns.of_kind(names.facing, "float") if names.facing else _NO_COLUMN
        return [colors, facing, *customs, self.custom_at, int(self.custom)]


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
        look: _Look,
        buffer: npt.NDArray[np.float32],
        previous: npt.NDArray[np.float32] | None,
        arguments: tuple[Any, ...],
    ) -> None:
        self._world = world
        self._crowd = crowd
        self._kernel = kernel
        self._look = look
        self._buffer = buffer
        self._previous = previous
        self._arguments = arguments
        self._count = np.zeros(1, dtype=np.int64)
        self._bound_to: tuple[Any, ...] = ()
        self._sequences: list[Sequence] = []
        self._bind()

    def run(self) -> None:
        """Fill the buffer with where the agents are now.

        Raises BufferSizeError if the crowd has another number of slots than the buffer, WorldError if a column that it shows was
        taken out; nothing is written.
        """
        world = self._world
        table, crowds = world._table, world._crowds
        values, alive, numbers, slots, columns, version = self._bound_to
        if (
            table.values[0] is not values
            or crowds.alive is not alive
            or crowds.numbers is not numbers
            or crowds.slot_count[self._crowd] != slots
            or crowds.columns[self._crowd] is not columns
            or columns.version != version
        ):
            self._bind()
        self._count.data[0] = table.count
        self._sequences[table.side].run()

    def _bind(self) -> None:
        world, crowd = self._world, self._crowd
        table, crowds = world._table, world._crowds
        slots, columns = crowds.slot_count[crowd], crowds.columns[crowd]
        rows = _rows("buffer", self._buffer, slots, self._look.floats)
        old_rows = rows[:0] if self._previous is None else _rows("previous", self._previous, slots, self._look.floats)
        arguments = [*self._arguments, *self._look.arguments(columns), world.seed]
        clear = kernels.clear_dead_slots.bind(crowds.alive, rows, crowds.slots(crowd).start)
        clear_count = np.array([slots], dtype=np.int64)
        self._sequences = []
        for values, tags in zip(table.values, table.tags, strict=True):
            fill = self._kernel.bind(values, tags, crowds.numbers, crowds.fresh, rows, old_rows, *arguments)
            self._sequences.append(Sequence([Step(clear, clear_count, _BLOCK), Step(fill, self._count, _BLOCK)]))
        self._bound_to = (table.values[0], crowds.alive, crowds.numbers, slots, columns, columns.version)


def _checked(
    affine: npt.ArrayLike, color: tuple[float, float, float, float] | None, facing_axes: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The mapping as six numbers and the axes of facings as four; BufferSizeError for these or a colour of another size."""
    matrix = np.array(affine, dtype=np.float32).reshape(-1)
    if matrix.size != 6:
        raise BufferSizeError(f"affine must be 2 x 3 numbers, got {matrix.size}")
    if color is not None and np.shape(color) != (4,):
        raise BufferSizeError(f"color must be 4 numbers, got {np.shape(color)}")
    axes = matrix[[0, 1, 3, 4]] if facing_axes is None else np.array(facing_axes, dtype=np.float32).reshape(-1)
    if axes.size != 4:
        raise BufferSizeError(f"facing_axes must be 2 x 2 numbers, got {axes.size}")
    return matrix, axes


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
    columns: DrawnColumns,
    facing_axes: npt.ArrayLike | None,
) -> InstanceFill:
    """See ``Crowd.bind_buffer_2d``."""
    matrix, axes = _checked(affine, color, facing_axes)
    look = _Look(FLAT_WIDTH, color, custom, columns)
    return InstanceFill(world, crowd, kernels.fill_flat, look, buffer, previous, (matrix, crowd, size, int(rotates), axes))


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
    columns: DrawnColumns,
    facing_axes: npt.ArrayLike | None,
) -> InstanceFill:
    """See ``Crowd.bind_buffer_3d``."""
    matrix, axes = _checked(affine, color, facing_axes)
    ground = _NO_HEIGHTS if heights is None else np.ascontiguousarray(heights, dtype=np.float32)
    if ground.ndim != 2:
        raise BufferSizeError(f"heights must be (rows, columns), got shape {ground.shape}")
    look = _Look(SOLID_WIDTH, color, custom, columns)
    arguments = (matrix, ground, crowd, size, elevation, int(rotates), axes)
    return InstanceFill(world, crowd, kernels.fill_solid, look, buffer, previous, arguments)
