"""The source node of 2D games."""

from __future__ import annotations

import math
from typing import Any

from addons.pynav.bridge import GodotObject, Vector2, export, is_editor

from .homing_grid_2d import HomingGrid2D
from .homing_source import HomingSource

_CIRCLE_POINTS = 48


class HomingSource2D(HomingSource, GodotObject, base="Node2D", icon="res://addons/pynav/icons/homing_source_2d.svg"):
    """Something that missiles make for, shy away from, or are caught by: put it on an enemy, a decoy, a gravity well.

    It follows its node. With a power above 0 and a hit radius it is a target; with a power below 0 and a reach missiles go round
    it; with a well radius it holds what comes so near.
    """

    grid: GodotObject | None = export(
        None,
        "Grid that it acts on. Empty: the nearest one among the ancestors, else beside them.",
        node="HomingGrid2D",
        changed="_grid_property_changed",
    )
    hit_radius: float = export(
        16.0,
        "Within it a projectile hits; 0: it can't be hit.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="px",
        changed="_numbers_changed",
    )
    reach: float = export(
        0.0,
        "Of a well: within it projectiles are pulled. With a power below 0: within it they are led round; it then acts there "
        "alone, not in the field.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="px",
        changed="_numbers_changed",
    )
    well_radius: float = export(
        0.0,
        "Above 0 it is a gravity well, which holds what comes so near.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="px",
        group="Well",
        changed="_numbers_changed",
    )
    well_pull: float = export(
        600.0,
        "How strongly the well pulls within its reach.",
        range=(0.0, 1000.0, 0.01, "or_greater"),
        unit="px/s²",
        group="Well",
        changed="_numbers_changed",
    )

    def _is_own_grid(self, node: Any) -> bool:
        return isinstance(node, HomingGrid2D)

    def _show_in_editor(self) -> None:
        self.queue_redraw()

    def _draw(self) -> None:
        """In the editor only: how near counts as a hit, how far it reaches, what a well holds."""
        if not is_editor():
            return
        for radius, color in self._circles():
            self.draw_arc(Vector2(), radius, 0.0, math.tau, _CIRCLE_POINTS, color, -1.0)
