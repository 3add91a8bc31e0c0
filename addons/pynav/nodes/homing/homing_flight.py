"""How projectiles fly, as properties: those of batches and those of bodies."""

from __future__ import annotations

from addons.pynav.bridge import GodotObject, export
from pynav.homing import ProjectileSettings

from ..telling import USER_ERRORS


class HomingFlight(GodotObject, register=False):
    """Properties that need no unit of length."""

    type: int = export(
        0, "Type of the sources that it makes for, hits, goes round and is caught by.", range=(0, 7), changed="_flight_changed"
    )
    damping: float = export(
        2.0,
        "How fast it turns towards its target: 2 hits surely, 0.25 flies wide turns and can be juked, 0 damps nothing.",
        range=(0.0, 8.0, 0.01, "or_greater"),
        group="Flight",
        changed="_flight_changed",
    )
    patience: float = export(
        1.0,
        "Turns of its turning circle that it may fly elsewhere than at what it makes for; then its turns tighten, so that it can "
        "be juked but never circles for ever.",
        range=(0.0, 16.0, 0.01, "or_greater"),
        group="Flight",
        changed="_flight_changed",
    )
    lifetime: float = export(
        8.0,
        "Seconds until it expires; 0: never.",
        range=(0.0, 60.0, 0.01, "or_greater"),
        unit="s",
        group="Flight",
        changed="_flight_changed",
    )
    lead: float = export(
        0.0,
        "Seconds that it aims ahead of a moving target at most, to meet it; 0, and where the target is too fast to be met: at "
        "where the target is. It pays where a target is seen from farther away than a turn takes: with wide turns on a relaxed "
        "field raise the grid's `sight_cells`.",
        range=(0.0, 2.0, 0.01, "or_greater"),
        unit="s",
        group="Flight",
        changed="_flight_changed",
    )
    smooth_directions: bool = export(
        False, "Pass smoothly from the arrow of one cell to the next.", group="Flight", changed="_flight_changed"
    )

    def _flight(self) -> ProjectileSettings:
        return ProjectileSettings(
            type=int(self.type), top_speed=self.top_speed, acceleration=self.acceleration, damping=self.damping,
            patience=self.patience, snap_distance=self.snap_distance, hit_radius=self.hit_radius, lifetime=self.lifetime,
            lead=self.lead, bilinear=self.smooth_directions,
        )  # fmt: skip

    def _flight_problems(self) -> list[str]:
        """What is wrong with the numbers, as configuration warnings."""
        try:
            self._flight()
        except USER_ERRORS as error:
            return [f"{error}: set it."]
        return []

    def _flight_changed(self) -> None:
        """A property changed."""
