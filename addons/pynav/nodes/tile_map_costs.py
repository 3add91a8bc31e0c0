"""Costs from a TileMapLayer: the cell data read in steps, square and isometric cells laid out as one grid of tiles.

Isometric cells, in whichever of the engine's layouts, form one lattice with the steps (width / 2, height / 2) and (-width / 2,
height / 2): these two are the tile axes. The engine's numbering of cells differs from layout to layout, but within each class
of (x mod 2, y mod 2) it is affine; so three probes of `map_to_local` a class give the place of every cell.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import engine

from .telling import NodeError
from .tile_plane import Point, TilePlane

_CELL = np.dtype([("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("atlas_x", "<u2"), ("atlas_y", "<u2"), ("alternative", "<u2")])
_FORMAT_BYTES = 2
_CELLS_PER_STEP = 1 << 15  # read at once
_ALTERNATIVE_MASK = 0x0FFF  # above it: flips and transposition
_MOST_TILES = 16_384 * 16_384


class CellLattice:
    """Cells of a layer as lattice coordinates (u, v); the lattice's (0, 0) is cell (0, 0)."""

    def __init__(self, layer: Any, x_axis: Point, y_axis: Point) -> None:
        self.plane = TilePlane(_centre(layer, 0, 0), x_axis, y_axis)
        self._start: npt.NDArray[np.float64] = np.zeros((2, 2, 2))
        self._step_x: npt.NDArray[np.float64] = np.zeros((2, 2, 2))
        self._step_y: npt.NDArray[np.float64] = np.zeros((2, 2, 2))
        for x in (0, 1):
            for y in (0, 1):
                start = np.array(_centre(layer, x, y))
                self._start[x, y] = start
                self._step_x[x, y] = np.array(_centre(layer, x + 2, y)) - start
                self._step_y[x, y] = np.array(_centre(layer, x, y + 2)) - start

    def of_cells(self, x: npt.NDArray[np.int64], y: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """(n, 2) lattice coordinates of cells."""
        odd_x, odd_y = x & 1, y & 1
        centre = (
            self._start[odd_x, odd_y]
            + self._step_x[odd_x, odd_y] * ((x - odd_x) // 2)[:, None]
            + self._step_y[odd_x, odd_y] * ((y - odd_y) // 2)[:, None]
        )
        factor = 1.0 / self.plane.determinant
        offset = centre - np.array(self.plane.origin)
        u = (offset[:, 0] * self.plane.y_axis[1] - offset[:, 1] * self.plane.y_axis[0]) * factor
        v = (offset[:, 1] * self.plane.x_axis[0] - offset[:, 0] * self.plane.x_axis[1]) * factor
        return np.asarray(np.rint(np.stack([u, v], axis=1)), dtype=np.int64)


@dataclass(frozen=True)
class TileMapCosts:
    """What a layer gives: costs, where its tiles lie in the layer's own space, and how cells and tiles correspond."""

    cost: npt.NDArray[np.uint8]  # (rows, columns)
    plane: TilePlane
    lattice: CellLattice
    first: tuple[int, int]  # lattice coordinates of tile (0, 0)

    def tile_of(self, x: int, y: int) -> tuple[int, int]:
        """Tile of a cell; it may lie outside the map."""
        u, v = self.lattice.of_cells(np.array([x]), np.array([y]))[0]
        return int(u) - self.first[0], int(v) - self.first[1]


def shape_problem(layer: Any) -> str:
    """Why a layer cannot be read; empty if it can."""
    tile_set = layer.tile_set
    if tile_set is None:
        return f"the TileMapLayer '{layer.name}' has no tile set: give it one"
    shapes = engine.TileSet
    if tile_set.tile_shape == shapes.TILE_SHAPE_HEXAGON:
        return (
            f"the TileMapLayer '{layer.name}' is hexagonal: its cells have six neighbours, a flow field's tiles have eight;"
            " use a square or isometric tile set"
        )
    if tile_set.tile_shape == shapes.TILE_SHAPE_HALF_OFFSET_SQUARE:
        return (
            f"the TileMapLayer '{layer.name}' has half-offset squares: its cells have six neighbours, a flow field's tiles have"
            " eight; use a square or isometric tile set"
        )
    return ""


def has_custom_data(layer: Any, name: str) -> bool:
    """Whether the layer's tile set has a custom data layer of that name."""
    return int(layer.tile_set.get_custom_data_layer_by_name(name)) >= 0


def tile_map_steps(
    layer: Any, name: str, region: tuple[int, int, int, int] | None, empty_cost: int
) -> Generator[float, None, TileMapCosts]:
    """Read the costs of a layer's cells, in steps that give the part that is read.

    Parameters
    ----------
    layer
        A TileMapLayer with square or isometric cells.
    name
        Custom data layer with the cost: 0 solid, 1..255; true is 1, false solid. Where the tile set has no such layer, every
        tile costs 1.
    region
        Cells to read (x, y, width, height); None: all that are used.
    empty_cost
        Cost of places without a cell, 0..255.

    Raises
    ------
    NodeError
        Hexagonal cells, no cell, a cost out of range, or data of a version that is not known.
    """
    problem = shape_problem(layer)
    if problem:
        raise NodeError(problem)
    width, height = layer.tile_set.tile_size
    is_square = layer.tile_set.tile_shape == engine.TileSet.TILE_SHAPE_SQUARE
    axes = ((width, 0.0), (0.0, height)) if is_square else ((width / 2, height / 2), (-width / 2, height / 2))
    lattice = CellLattice(layer, *axes)
    cells, kinds = _cells(layer), _KindCosts(layer, name)
    parts: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]] = []  # places on the lattice, and costs
    for begin in range(0, len(cells), _CELLS_PER_STEP):
        yield 0.9 * begin / len(cells)
        part = cells[begin : begin + _CELLS_PER_STEP]
        x, y = part["x"].astype(np.int64), part["y"].astype(np.int64)
        if region is not None:
            inside = (x >= region[0]) & (y >= region[1]) & (x < region[0] + region[2]) & (y < region[1] + region[3])
            part, x, y = part[inside], x[inside], y[inside]
        if len(part):
            parts.append((lattice.of_cells(x, y), kinds.of_cells(part)))
    if region is not None:
        frame_x = np.array([region[0], region[0] + region[2] - 1] * 2, dtype=np.int64)
        frame_y = np.repeat(np.array([region[1], region[1] + region[3] - 1], dtype=np.int64), 2)
        if not is_square:  # the outline of the region: the corner cells alone needn't be the outermost ones
            frame_x, frame_y = _outline(region)
        frame = lattice.of_cells(frame_x, frame_y)
    elif not parts:
        raise NodeError(f"the TileMapLayer '{layer.name}' has no cells: paint some, or set a region")
    else:
        frame = np.array([end for places, _ in parts for end in (places.min(axis=0), places.max(axis=0))])
    first, last = frame.min(axis=0), frame.max(axis=0)
    columns, rows = (int(side) for side in last - first + 1)
    if columns * rows > _MOST_TILES:
        raise NodeError(f"the TileMapLayer '{layer.name}' spans {columns} x {rows} tiles: at most 16,384 a side fit")
    cost = np.full((rows, columns), empty_cost, dtype=np.uint8)
    for number, (places, costs) in enumerate(parts):
        yield 0.9 + 0.1 * number / len(parts)
        cost[places[:, 1] - first[1], places[:, 0] - first[0]] = costs
    plane = lattice.plane
    corner = plane.to_local(float(first[0]) - 0.5, float(first[1]) - 0.5)
    return TileMapCosts(cost, TilePlane(corner, plane.x_axis, plane.y_axis), lattice, (int(first[0]), int(first[1])))


def _outline(region: tuple[int, int, int, int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    x = np.arange(region[0], region[0] + region[2], dtype=np.int64)
    y = np.arange(region[1], region[1] + region[3], dtype=np.int64)
    xs = np.concatenate([x, x, np.full_like(y, x[0]), np.full_like(y, x[-1])])
    ys = np.concatenate([np.full_like(x, y[0]), np.full_like(x, y[-1]), y, y])
    return xs, ys


def _centre(layer: Any, x: int, y: int) -> Point:
    place = layer.map_to_local((x, y))
    return float(place[0]), float(place[1])


def _cells(layer: Any) -> npt.NDArray[Any]:
    """The layer's cells as one structured array."""
    data = layer.tile_map_data.view()
    if len(data) == 0:
        return np.zeros(0, dtype=_CELL)
    version = int(data[0]) | int(data[1]) << 8
    if version != 0 or (len(data) - _FORMAT_BYTES) % _CELL.itemsize:
        raise NodeError(f"the TileMapLayer '{layer.name}' holds cell data of format {version}, expected format 0")
    return np.frombuffer(data[_FORMAT_BYTES:].tobytes(), dtype=_CELL)


class _KindCosts:
    """Costs of cells: each kind of tile is looked up once."""

    def __init__(self, layer: Any, name: str) -> None:
        self._layer, self._name = layer, name
        self._has_data = has_custom_data(layer, name)
        self._known: dict[int, int] = {}

    def of_cells(self, cells: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        if not self._has_data:
            return np.ones(len(cells), dtype=np.uint8)
        key = (
            cells["source"].astype(np.int64) << 48
            | cells["atlas_x"].astype(np.int64) << 32
            | cells["atlas_y"].astype(np.int64) << 16
            | (cells["alternative"] & _ALTERNATIVE_MASK)
        )
        kinds, kind_of_cell = np.unique(key, return_inverse=True)
        for kind in kinds.tolist():
            if kind not in self._known:
                atlas = (kind >> 32 & 0xFFFF, kind >> 16 & 0xFFFF)
                self._known[kind] = _cost_of_kind(self._layer, self._name, kind >> 48, atlas, kind & 0xFFFF)
        return np.array([self._known[kind] for kind in kinds.tolist()], dtype=np.uint8)[kind_of_cell]


def _cost_of_kind(layer: Any, name: str, source_id: int, atlas: tuple[int, int], alternative: int) -> int:
    tile_set = layer.tile_set
    source = tile_set.get_source(source_id) if tile_set.has_source(source_id) else None
    if source is None or not source.is_class("TileSetAtlasSource") or not source.has_tile(atlas):
        return 1  # a scene tile, or a tile that was taken out of the set
    data = source.get_tile_data(atlas, alternative)
    value = None if data is None else data.get_custom_data(name)
    if value is None:
        return 1
    if not isinstance(value, bool | int | float) or not 0 <= value <= 255:
        raise NodeError(
            f"the custom data '{name}' of tile {atlas} in source {source_id} of the TileMapLayer '{layer.name}' must be a cost"
            f" 0..255, got {value!r}"
        )
    return int(value)
