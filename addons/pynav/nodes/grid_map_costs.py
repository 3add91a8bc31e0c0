"""Costs from a GridMap: one of its floors, its data taken in one piece and read in steps."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .telling import NodeError

_CELL = np.dtype([("x", "<i2"), ("y", "<i2"), ("z", "<i2"), ("unused", "<i2"), ("value", "<u4")])
_ITEM_MASK = 0xFFFF
_CELLS_PER_STEP = 1 << 16  # read at once


@dataclass(frozen=True)
class GridMapCosts:
    """Costs (rows are z, columns x) and the cell of tile (0, 0)."""

    cost: npt.NDArray[np.uint8]
    first: tuple[int, int]


def grid_map_steps(
    grid_map: Any,
    floor: int,
    item_costs: dict[Any, Any],
    region: tuple[int, int, int, int] | None,
    empty_cost: int,
) -> Generator[float, None, GridMapCosts]:
    """Read the costs of a GridMap's cells, in steps that give the part that is read.

    Parameters
    ----------
    floor
        The y of the cells to read.
    item_costs
        Mesh library item -> cost 0..255, items that are not in it are solid. Empty: every occupied cell is solid.
    region
        Cells (x, z, width, depth); None: all that are used on this floor.
    empty_cost
        Cost of places without a cell.

    Raises
    ------
    NodeError
        No cell and no region, or a faulty entry in `item_costs`.
    """
    every = _cells(grid_map)
    parts = []
    for first in range(0, len(every), _CELLS_PER_STEP):
        yield 0.5 * first / len(every)
        part = every[first : first + _CELLS_PER_STEP]
        part = part[part["y"] == floor]
        if region is not None:
            left, top, columns, rows = region
            x, z = part["x"].astype(np.int64), part["z"].astype(np.int64)
            part = part[(x >= left) & (z >= top) & (x < left + columns) & (z < top + rows)]
        if len(part):
            parts.append(part)
    if region is not None:
        left, top, columns, rows = region
    elif not parts:
        raise NodeError(f"the GridMap '{grid_map.name}' has no cells on floor {floor}: place some, or set a region")
    else:
        left, top = (min(int(part[axis].min()) for part in parts) for axis in ("x", "z"))
        columns, rows = (max(int(part[axis].max()) for part in parts) - least + 1 for axis, least in (("x", left), ("z", top)))
    cost = np.full((rows, columns), empty_cost, dtype=np.uint8)
    table = np.zeros(_ITEM_MASK + 1, dtype=np.uint8)
    for item, value in item_costs.items():
        if not isinstance(item, int) or not isinstance(value, int) or not (0 <= item <= _ITEM_MASK and 0 <= value <= 255):
            raise NodeError(f"item_costs takes item numbers with costs 0..255, got {item!r}: {value!r}")
        table[item] = value
    for number, part in enumerate(parts):
        yield 0.5 + 0.5 * number / len(parts)
        cost[part["z"].astype(np.int64) - top, part["x"].astype(np.int64) - left] = table[part["value"] & _ITEM_MASK]
    return GridMapCosts(cost, (left, top))


def _cells(grid_map: Any) -> npt.NDArray[Any]:
    data = grid_map.get("data")
    values = data["cells"] if data is not None and "cells" in data else None
    if values is None or len(values) == 0:
        return np.zeros(0, dtype=_CELL)
    return np.frombuffer(np.ascontiguousarray(values.view()).tobytes(), dtype=_CELL)
