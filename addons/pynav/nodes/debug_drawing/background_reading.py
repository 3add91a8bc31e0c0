"""Large generated maps for the editor, made by a thread of its own: its main thread goes on meanwhile."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pynav.grid import TileGrid, generate_map
from pynav.grid.generator import GeneratedMap

from ..background import Background

LARGE_MAP_TILES = 400_000  # from here on generating may take a tenth of a second and more

Wanted = tuple[str, int, int, int]  # kind, columns, rows, seed


class _Made(NamedTuple):
    map: GeneratedMap
    grids: list[TileGrid]  # for whoever draws it first


_maps = Background("pynav map generator")  # the last one alone is kept: several nodes rarely show large maps at once


def generated(wanted: Wanted) -> GeneratedMap | None:
    """The map, or None as long as it is being made: ask again in a later frame."""
    is_done, made = _maps.ask(wanted, lambda: _make(wanted))
    return made.map if is_done else None


def grid_of(cost: npt.NDArray[np.uint8]) -> TileGrid:
    """A grid of some costs, the caller's own: ready where they are those of the map that was made last."""
    made = _maps.last
    if made is not None and made.map.cost is cost and made.grids:
        return made.grids.pop()  # type: ignore[no-any-return]
    return TileGrid(cost)


def _make(wanted: Wanted) -> _Made:
    kind: Any = wanted[0]
    made = generate_map(kind, *wanted[1:])
    return _Made(made, [TileGrid(made.cost)])
