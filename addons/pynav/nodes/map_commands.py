"""Commands of a map node to any of its units: move, patrol, hold, stop, release."""

from __future__ import annotations

from typing import Any

import numpy as np

from addons.pynav.bridge import GodotObject, PackedInt64Array, Vector2, method
from pynav.world import World

from .telling import told
from .tile_plane import TilePlane


class MapCommands2D(GodotObject, register=False):
    """Commands of a 2D map. Units are named by handles (FlowFieldCrowd2D.get_handles), places are in the map's local space."""

    @property
    def _plane(self) -> TilePlane:
        raise NotImplementedError

    def _need_world(self) -> World:
        raise NotImplementedError

    def _tile_place(self, position: Any) -> tuple[float, float]:
        self._need_world()
        x, y = self._plane.to_tile(*position)
        return float(np.float32(x)), float(np.float32(y))

    @method
    @told
    def command_move(self, units: PackedInt64Array, position: Vector2, queued: bool = False) -> int:
        """Have units go to a place, at once or after what they were told before. Returns the command; 0 if refused."""
        place = self._tile_place(position)
        return self._need_world().commands.move(units.view(), place, queued=queued)

    @method
    @told
    def command_patrol(self, units: PackedInt64Array, position: Vector2, queued: bool = False) -> int:
        """Have units go to and fro between a place and where they are, or, if queued, where they were sent last."""
        place = self._tile_place(position)
        return self._need_world().commands.patrol(units.view(), place, queued=queued)

    @method
    @told
    def command_hold(self, units: PackedInt64Array, yields: bool = False, queued: bool = False) -> int:
        """Have units stand where they are; unless they yield nobody pushes them aside."""
        return self._need_world().commands.hold(units.view(), yields=yields, queued=queued)

    @method
    @told
    def command_stop(self, units: PackedInt64Array) -> int:
        """Have units forget all commands and stand; who has to pass may push them aside."""
        return self._need_world().commands.stop(units.view())

    @method
    @told
    def release_units(self, units: PackedInt64Array) -> None:
        """Have units do what their crowd was told (its goal) instead of commands of their own."""
        self._need_world().commands.release(units.view())
