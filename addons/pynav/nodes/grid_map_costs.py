"""Costs from a GridMap: one of its floors, read in one piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .telling import NodeError

_CELL = np.dtype([("x", "<i2"), ("y", "<i2"), ("z", "<i2"), ("unused", "<i2"), ("value", "<u4")])
_ITEM_MASK = 0xFFFF


@dataclass(frozen=True)
class GridMapCosts:
    """Costs (rows are z, columns x) and the cell of tile (0, 0)."""

    cost: npt.NDArray[np.uint8]
    first: tuple[int, int]


def read_grid_map(
    grid_map: Any,
    floor: int,
    item_costs: dict[Any, Any],
    region: tuple[int, int, int, int] | None,
    empty_cost: int,
) -> GridMapCosts:
    """Read the costs of a GridMap's cells.

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
    cells = _cells(grid_map)
    cells = cells[cells["y"] == floor]
    x, z = cells["x"].astype(np.int64), cells["z"].astype(np.int64)
    if region is not None:
        left, top, columns, rows = region
        inside = (x >= left) & (z >= top) & (x < left + columns) & (z < top + rows)
        cells, x, z = cells[inside], x[inside], z[inside]
    elif len(cells) == 0:
        raise NodeError(f"the GridMap '{grid_map.name}' has no cells on floor {floor}: place some, or set a region")
    else:
        left, top = int(x.min()), int(z.min())
        columns, rows = int(x.max()) - left + 1, int(z.max()) - top + 1
    cost = np.full((rows, columns), empty_cost, dtype=np.uint8)
    table = np.zeros(_ITEM_MASK + 1, dtype=np.uint8)
    for item, value in item_costs.items():
        if not isinstance(item, int) or not isinstance(value, int) or not (0 <= item <= _ITEM_MASK and 0 <= value <= 255):
            raise NodeError(f"item_costs takes item numbers with costs 0..255, got {item!r}: {value!r}")
        table[item] = value
    cost[z - top, x - left] = table[cells["value"] & _ITEM_MASK]
    return GridMapCosts(cost, (left, top))


def _cells(grid_map: Any) -> npt.NDArray[Any]:
    data = grid_map.get("data")
    values = data["cells"] if data is not None and "cells" in data else None
    if values is None or len(values) == 0:
        return np.zeros(0, dtype=_CELL)
    return np.frombuffer(np.ascontiguousarray(values.view()).tobytes(), dtype=_CELL)
