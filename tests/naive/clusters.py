"""Slow, obvious reference of clusters: every pair of units looked at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def groups(positions: Sequence[Sequence[float]], labels: Sequence[int], cost: Any, join: float, part: float) -> list[set[int]]:
    """Units that chains of links hold together, by their first ones.

    Two units are linked if they are nearer than ``join``, or in one cluster (label from 0) and nearer than ``part``, and no point
    of the line between them, looked at every half tile, lies in a solid tile.
    """
    found = [{unit} for unit in range(len(positions))]
    for one in range(len(positions)):
        for two in range(one):
            away = math.dist(positions[one], positions[two])
            is_kept = labels[one] >= 0 and labels[one] == labels[two]
            if away < (part if is_kept else join) and _is_open(positions[one], positions[two], away, cost):
                both = found[one] | found[two]
                for unit in both:
                    found[unit] = both
    return sorted({min(own): own for own in found}.values(), key=min)


def middle_one(places: Sequence[Sequence[float]]) -> int:
    """Which of some places is nearest to their mean; of equal ones the first."""
    middle = [sum(place[axis] for place in places) / len(places) for axis in (0, 1)]
    return min(range(len(places)), key=lambda index: (math.dist(places[index], middle), index))


def _is_open(start: Sequence[float], end: Sequence[float], away: float, cost: Any) -> bool:
    steps = int(away / 0.5) + 1
    for step in range(1, steps):
        x, y = (start[axis] + (end[axis] - start[axis]) * step / steps for axis in (0, 1))
        if not cost[int(y), int(x)]:
            return False
    return True
