"""Arrows and glow of a grid in the editor: the field as it would settle with the sources of the scene. No world stays or ticks.

Once a tenth of a second the sources are looked at; the field is made anew only when one of them or the grid has changed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import RUNNING, is_valid, on_frame, remove_on_frame, report
from pynav.homing import HomingWorld

from ..project_settings import use_threads
from ..telling import USER_ERRORS
from .field_shapes import field_arrows

MOST_CELLS = 16_384
_FRAMES_A_LOOK = 6
_SWEEPS = 400  # eight time constants of the default decay: what is left to come can't be seen


class FieldPreview:
    """What the editor shows of one grid.

    Args:
        grid: the node, in the tree.

    Attributes:
        mesh: its arrows; None where there is nothing to show.
        strength: what glows, (rows, columns); None likewise.
    """

    def __init__(self, grid: Any) -> None:
        self.grid = grid
        self.mesh: Any = None
        self.strength: npt.NDArray[np.float32] | None = None
        self._shown_for: Any = None
        _previews.append(self)
        if RUNNING and len(_previews) == 1:
            on_frame(_frame)

    def close(self) -> None:
        """Show nothing more."""
        self.mesh = self.strength = None
        if self in _previews:
            _previews.remove(self)
            if RUNNING and not _previews:
                remove_on_frame(_frame)

    def look(self) -> None:
        """Make arrows and glow anew if something has changed."""
        grid = self.grid
        try:
            box, settings = grid._box(), grid._field_settings()
            sources = [source._in_editor() for source in grid._sources_in_editor()]
        except USER_ERRORS:
            box, settings, sources = None, None, []
        arrows_type, glow_type = int(grid.debug_type), int(grid.glow_type)
        key = (box, settings, sources, arrows_type, tuple(grid.debug_range), glow_type, grid.debug_draw, grid.show_glow)
        if key == self._shown_for:
            return
        self._shown_for = key
        self.mesh = self.strength = None
        if box is not None and settings is not None and box.cell_count <= MOST_CELLS:
            use_threads(0)
            world = HomingWorld(box, replace(settings, updates_per_second=0.0, inline_work=1 << 40))
            for place, numbers in sources:
                try:
                    world.add_sources([place], **numbers)
                except USER_ERRORS:  # told of by the source itself
                    continue
            for kind in (arrows_type, glow_type):
                world.strength(kind)  # in exact mode they are kept once somebody asked
            for _ in range(-(-_SWEEPS // settings.sweeps)):
                world.step(1.0)
            if grid.debug_draw:
                self.mesh = field_arrows(world, arrows_type, tuple(grid.debug_range), grid._is_flat())
            if grid.show_glow:
                self.strength = world.strength(glow_type).copy()
        grid._preview_made()


_previews: list[FieldPreview] = []
_wait = [0]


def _frame() -> None:
    _wait[0] -= 1
    if _wait[0] > 0:
        return
    _wait[0] = _FRAMES_A_LOOK
    for preview in list(_previews):
        if not is_valid(preview.grid):
            preview.close()
            continue
        try:
            preview.look()
        except Exception as error:  # told once: what fails must not be tried each frame
            report(error, FieldPreview.look)
            preview.close()
