"""Figures of a homing grid for the inspector; what an update takes is measured, by a thread of its own."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from addons.pynav.nodes.background import Background
from addons.pynav.nodes.telling import USER_ERRORS
from pynav.homing import FieldSettings, GridBox, HomingWorld

from .figure_grid import Rows
from .held_bytes import bytes_text, held_bytes

_ROUNDS = 3
_AT_ONCE = 1 << 40  # of work: everything

_measures = Background("pynav field measure")


class FieldMeasure(NamedTuple):
    """What the fields of a grid take: bytes, and milliseconds of an update of all types, the best of some."""

    bytes: int
    milliseconds: float


def measure_fields(box: GridBox, settings: FieldSettings, types: Sequence[int]) -> FieldMeasure:
    """Make a grid with a source of each type in its middle, and update it some times."""
    world = HomingWorld(box, replace(settings, updates_per_second=0.0, inline_work=_AT_ONCE))
    middle = (box.low[0] + box.size[0] / 2, box.low[1] + box.size[1] / 2)
    for type_number in types:
        world.add_sources([middle], type=type_number)
    best = float("inf")
    for _ in range(_ROUNDS + 1):  # the first one binds the kernels
        begin = time.perf_counter()
        world.step(1.0)
        best = min(best, time.perf_counter() - begin)
    return FieldMeasure(held_bytes(world), best * 1e3)


class HomingFigures:
    """Of a HomingGrid2D or 3D.

    Args:
        grid: the node.
    """

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    def close(self) -> None:
        """What was measured is kept for the next one who looks."""

    def rows(self) -> Rows:
        """Names and values; none where a warning says what is wrong."""
        try:
            box, settings = self._grid._box(), self._grid._field_settings()
        except USER_ERRORS:
            return []
        sources = Counter(int(source.type) for source in self._grid._sources_in_editor())
        types = tuple(sorted({*sources, *self._types_of_projectiles()})) or (0,)
        is_done, measure = _measures.ask((box, settings, types), lambda: measure_fields(box, settings, types))
        width, height = box.cell_size
        return [
            ("Cells", f"{box.columns:,} x {box.rows:,}"),
            ("Cell", f"{width:g} x {height:g} {'px' if self._grid._is_flat() else 'm'}"),
            ("Types", ", ".join(f"{number} ({sources[number]} sources)" for number in types)),
            ("Updates", _updates(settings)),
            ("Memory", bytes_text(measure.bytes) if is_done else "..."),
            ("Update time", f"{measure.milliseconds:.2f} ms" if is_done else "..."),
        ]

    def _types_of_projectiles(self) -> list[int]:
        """Types of the nodes of the scene that fly on this grid."""
        root = self._grid.get_tree().edited_scene_root
        plane = "2D" if self._grid._is_flat() else "3D"
        if root is None:
            return []
        kinds = [f"Homing{what}{plane}" for what in ("Projectiles", "Steering")]
        nodes = [node for kind in kinds for node in root.find_children("*", kind, True, False)]
        return [int(node.type) for node in nodes if node._find_grid() is self._grid]


def _updates(settings: FieldSettings) -> str:
    return "every tick" if settings.updates_per_second == 0.0 else f"{settings.updates_per_second:g} a second"
