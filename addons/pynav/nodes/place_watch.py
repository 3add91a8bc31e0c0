"""Whether a crowd or its map was moved since it was last asked: asked each tick, so without making transforms of the answers."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import prepare


class PlaceWatch:
    """Watches the global transforms of two nodes, and whether the first is interpolated.

    It names the nodes: drop it when the crowd leaves the map.
    """

    def __init__(self, crowd: Any, home: Any) -> None:
        self._own = prepare(crowd, "get_global_transform").raw
        self._home = prepare(home, "get_global_transform").raw
        self._interpolated = prepare(crowd, "is_physics_interpolated_and_enabled").raw
        self._seen = (b"", b"")

    def moved(self) -> bool:
        """Whether one of them stands elsewhere than when this was last asked; True the first time."""
        now = (self._own(), self._home())
        if now == self._seen:
            return False
        self._seen = now
        return True

    def is_interpolated(self) -> bool:
        """Whether the engine draws the crowd between two ticks."""
        return self._interpolated()[0] != 0
