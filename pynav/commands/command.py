"""What a command says. Plain data: kind, tick, where; no list of units."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

Place = tuple[float, float]


class CommandKind(IntEnum):
    """What units are told to do."""

    MOVE = 0
    ATTACK_MOVE = 1
    HOLD = 2
    STOP = 3
    PATROL = 4
    FOLLOW = 5
    ATTACK_PATROL = 6
    GUARD = 7


PATROLS = frozenset({CommandKind.PATROL, CommandKind.ATTACK_PATROL})
ATTACKING = frozenset({CommandKind.ATTACK_MOVE, CommandKind.ATTACK_PATROL, CommandKind.GUARD})  # they go for enemies in sight
ENDLESS = PATROLS | {CommandKind.HOLD, CommandKind.STOP, CommandKind.FOLLOW, CommandKind.GUARD}


@dataclass(frozen=True)
class Command:
    """An order.

    Attributes:
        kind: what to do.
        tick: of the world when it was given.
        place: where to, tiles; None where the kind needs none.
        start: of a patrol, the other end of its way, tiles.
        target: handle of the unit that is followed; 0 for none.
        target_crowd: index of the crowd that is followed; -1 for none.
        distance: from the followed that is near enough, tiles.
        yields: of a hold, whether others may push the units aside.
        is_queued: whether the units carry it out after what they were told before.
    """

    kind: CommandKind
    tick: int
    place: Place | None = None
    start: Place | None = None
    target: int = 0
    target_crowd: int = -1
    distance: float = 0.0
    yields: bool = False
    is_queued: bool = False
