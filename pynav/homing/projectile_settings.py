"""What the projectiles of a batch are like."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pynav.homing.errors import HomingError
from pynav.homing.source_table import checked_type


@dataclass(frozen=True)
class ProjectileSettings:
    """How a batch of projectiles flies. Lengths in the game's units.

    Attributes:
        type: of the sources that it makes for, hits, and is repelled and caught by.
        top_speed: units a second.
        acceleration: units a second, a second; top_speed**2 / acceleration is the radius of the turning circle.
        damping: of the velocity across the direction to the target, in turns of acceleration / top_speed. 2 hits surely; 0.25
            can be juked; 0 is the post's own.
        patience: turns (of the turning circle) that it may fly elsewhere than at what it makes for, before its turns tighten:
            for each turn more, by as much as a damping of 2. So none circles for ever, whatever its damping; 1e9: as in the
            post, where some do.
        snap_distance: a target recorded in the projectile's cell and nearer than this is hit at once.
        hit_radius: of the projectile; it hits where its way touches a target's radius.
        lifetime: seconds; 0: no end.
        lead: seconds that it aims ahead of a target at most, to meet it if it keeps its velocity; at one too fast to be met it
            flies as with 0: at where it is.
        bilinear: whether directions of the relaxed field pass smoothly from cell to cell.

    Raises:
        HomingError: a value out of its range.
    """

    type: int = 0
    top_speed: float = 12.0
    acceleration: float = 36.0
    damping: float = 2.0
    patience: float = 1.0
    snap_distance: float = 0.5
    hit_radius: float = 0.1
    lifetime: float = 10.0
    lead: float = 0.0
    bilinear: bool = False

    def __post_init__(self) -> None:
        checked_type(self.type)
        for name in ("top_speed", "acceleration", "damping", "patience", "snap_distance", "hit_radius", "lifetime", "lead"):
            value = float(getattr(self, name))
            least = 1e-6 if name == "top_speed" else 0.0
            if not math.isfinite(value) or not least <= value <= 1e9:
                raise HomingError(f"{name} must be a number from {least:g} to 1e9, got {getattr(self, name)}")

    @classmethod
    def sure_hit(cls, **changes: object) -> ProjectileSettings:
        """Projectiles that a target cannot shake off."""
        return cls(**{"damping": 2.0, "snap_distance": 0.5, **changes})  # type: ignore[arg-type]

    @classmethod
    def jukeable(cls, **changes: object) -> ProjectileSettings:
        """Projectiles with wide turns, that a target can feint."""
        return cls(**{"damping": 0.25, "snap_distance": 0.25, **changes})  # type: ignore[arg-type]
