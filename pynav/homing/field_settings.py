"""The constants of the post's update, and how often it runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pynav.homing.errors import HomingError

READINGS = ("page", "engine")
MODES = ("relaxed", "exact")
# Up to so much work an update is done at once. Relaxed: to hand it over and take it back takes the tick's thread as long as the
# sweeps themselves would, a tenth of a second after the last ones, when nothing of them is in a cache any more (about 135 x 135
# cells at six sweeps). Exact: an update takes longer than that even on small grids, but old targets lead astray, so it is made
# anew each tick as long as that takes less than about half a millisecond (about 140 x 140 cells). `python3 dev.py bench homing`
# measures both.
INLINE_WORK = {"relaxed": 130_000, "exact": 60_000}


@dataclass(frozen=True)
class FieldSettings:
    """How the fields of a grid are made.

    Attributes:
        mode: ``relaxed``: strengths flow from cell to cell, coarse, with a fair border and room for feints, out to some seventy
            cells a source. ``exact``: each cell knows its nearest target, at any distance.
        reading: of the post. ``page``: a source adds power times ``gain``, nothing to its own cell's direction (the default:
            it fits the post's words best). ``engine``: it adds power times (distance to the middle of its cell + 1), in cells,
            and directs its own cell, towards itself if it attracts.
        gain: strength of a source of power 1 (page).
        share: what a cell takes of each neighbour's strength.
        decay: what is left of strength and direction after a sweep; above 0.5 the field would grow without bound.
        sweeps: a update; the post's one a frame at 60 frames is six at ten updates.
        padding: cells beyond each border, so that the border doesn't bend arrows.
        updates_per_second: of the field; 0: every tick. Exact fields of small grids are made anew every tick anyway.
        interpolated: whether directions pass smoothly from one update to the next.
        sight_cells: how many cells away a projectile sees a target itself, however old the field is; 0: in its own cell alone,
            as always where an exact field is made anew each tick.
        floor: strengths below it are 0.
        weakest: arrows neither of whose components is larger before they are made 1 long point nowhere. The page asks for a push
            of 0.01; 0 lets weak far fields direct too.
        inline_work: cells times sweeps (with padding; three a cell in exact mode) up to which an update is done at once; above,
            the background thread does it and it is published a few ticks later. None: where that was measured to pay, see
            INLINE_WORK.

    Raises:
        HomingError: a value out of its range.
    """

    mode: str = "relaxed"
    reading: str = "page"
    gain: float = 8.0
    share: float = 0.25
    decay: float = 0.49
    sweeps: int = 6
    padding: int = 4
    updates_per_second: float = 10.0
    interpolated: bool = True
    sight_cells: int = 1
    floor: float = 1e-30
    weakest: float = 0.0
    inline_work: int | None = None

    def __post_init__(self) -> None:
        for name, known in (("mode", MODES), ("reading", READINGS)):
            if getattr(self, name) not in known:
                raise HomingError(f"{name} must be one of {', '.join(known)}, got {getattr(self, name)!r}")
        ranges = {
            "gain": (0.0, 1e6), "share": (0.0, 0.25), "decay": (0.0, 0.5), "updates_per_second": (0.0, 1000.0),
            "floor": (1e-37, 1.0), "weakest": (0.0, 1e6),
        }  # fmt: skip
        for name, (low, high) in ranges.items():
            value = getattr(self, name)
            if not math.isfinite(value) or not low <= value <= high:
                raise HomingError(f"{name} must be from {low:g} to {high:g}, got {value}")
        for name, low, high in (("sweeps", 1, 64), ("padding", 0, 64), ("sight_cells", 0, 8), ("inline_work", 0, 1 << 40)):
            value = getattr(self, name)
            if value is None and name == "inline_work":
                continue
            if not isinstance(value, int) or not low <= value <= high:
                raise HomingError(f"{name} must be a whole number from {low} to {high}, got {value!r}")

    @property
    def most_inline_work(self) -> int:
        """Work up to which an update is done at once."""
        return INLINE_WORK[self.mode] if self.inline_work is None else self.inline_work
