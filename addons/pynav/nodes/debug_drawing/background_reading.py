"""Large generated maps for the editor, made by a thread of its own: its main thread goes on meanwhile."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import RUNNING, on_shutdown
from pynav.grid import TileGrid, generate_map
from pynav.grid.generator import GeneratedMap

LARGE_MAP_TILES = 400_000  # from here on generating may take a tenth of a second and more

Wanted = tuple[str, int, int, int]  # kind, columns, rows, seed
_worker: threading.Thread | None = None
_made: dict[Wanted, GeneratedMap] = {}  # the last one alone: several nodes rarely show large maps at once
_grids: list[TileGrid] = []  # of that map, for whoever draws it first


def generated(wanted: Wanted) -> GeneratedMap | None:
    """The map, or None as long as it is being made: ask again in a later frame."""
    global _worker
    found = _made.get(wanted)
    if found is not None:
        return found
    if _worker is None or not _worker.is_alive():
        _worker = threading.Thread(target=_make, args=(wanted,), name="pynav map generator")
        _worker.start()
    return None


def grid_of(cost: npt.NDArray[np.uint8]) -> TileGrid:
    """A grid of some costs, the caller's own: ready where they are those of the map that was made last."""
    if _grids and any(made.cost is cost for made in _made.values()):
        return _grids.pop()
    return TileGrid(cost)


def _make(wanted: Wanted) -> None:
    kind: Any = wanted[0]
    made = generate_map(kind, *wanted[1:])
    _made.clear()
    _grids[:] = [TileGrid(made.cost)]
    _made[wanted] = made


def _end() -> None:
    """No thread may outlive the engine."""
    if _worker is not None:
        _worker.join()
    _made.clear()
    _grids.clear()


if RUNNING:
    on_shutdown(_end)
