"""Whether a crowd or its map was moved since it was last asked: asked each tick, so without making transforms of the answers."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import WatchedAnswers

_INTERPOLATED = 2


class PlaceWatch:
    """Watches the global transforms of two nodes, and whether the first is interpolated.

    It names the nodes: drop it when the crowd leaves the map.
    """

    def __init__(self, crowd: Any, home: Any) -> None:
        self._answers = WatchedAnswers(
            (crowd, "get_global_transform"), (home, "get_global_transform"), (crowd, "is_physics_interpolated_and_enabled")
        )
        self.moved = self._answers.changed  # whether any of this is otherwise than when last asked; True the first time

    def is_interpolated(self) -> bool:
        """Whether the engine drew the crowd between two ticks when ``moved`` was asked last."""
        return self._answers.is_true(_INTERPOLATED)
