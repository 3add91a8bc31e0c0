"""Read-only figures of nodes in the running game: seen in the inspector of the remote scene tree, and read by scripts.

In the editor's own inspector they would all be 0, so they are hidden there; its panels show what is known before the game runs.
"""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import GodotObject, exported_property, is_editor

_NAMES = {
    "agents_alive", "agents_at_goal", "agents_without_way", "formations_ordered", "units_in_formation", "sources_alive",
    "projectiles_alive",
}  # fmt: skip


def hide_in_editor(info: Any) -> None:
    """For `validate_property`: these figures are for running games."""
    if info.name in _NAMES and is_editor():
        info.usage &= ~4  # PROPERTY_USAGE_EDITOR


class CrowdLiveFigures(GodotObject, register=False):
    """Of a crowd."""

    _agents: Any

    @exported_property(group="Figures")
    def agents_alive(self) -> int:
        """Agents that are there now; 0 without a map."""
        return 0 if self._agents is None else int(self._agents.count)

    @exported_property(group="Figures")
    def agents_at_goal(self) -> int:
        """Agents that have arrived since the goal was set, those removed on arrival included."""
        return 0 if self._agents is None else int(self._agents.arrived_count)

    @exported_property(group="Figures")
    def agents_without_way(self) -> int:
        """Agents that stand without a way to the goal now."""
        return 0 if self._agents is None else int(self._agents.unreachable_count)


class FormationLiveFigures(GodotObject, register=False):
    """Of a formation controller."""

    _world: Any
    _numbers: list[int]

    def _ordered_here(self) -> list[Any]:
        every = [] if self._world is None else self._world.formations.formations
        return [found for found in every if found.number in self._numbers]

    @exported_property(group="Figures")
    def formations_ordered(self) -> int:
        """Formations that were ordered here and still are."""
        return len(self._ordered_here())

    @exported_property(group="Figures")
    def units_in_formation(self) -> int:
        """Units of these formations that are alive."""
        return sum(int(found.unit_count) for found in self._ordered_here())


class HomingLiveFigures(GodotObject, register=False):
    """Of a homing grid."""

    _world: Any

    @exported_property(group="Figures")
    def sources_alive(self) -> int:
        """Sources on the grid now, of all types."""
        return 0 if self._world is None else len(self._world.sources.slots)

    @exported_property(group="Figures")
    def projectiles_alive(self) -> int:
        """Projectiles in flight now, of all nodes."""
        return 0 if self._world is None else sum(int(batch.count) for batch in self._world.batches)
