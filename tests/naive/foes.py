"""Slow, obvious references of attack-move: whom an agent goes for, and the shortest way round in steps."""

from collections import deque

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd import Crowd

TOUCH_TILES = 0.08
STEPS = [(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)]


def sees(cost: npt.NDArray[np.uint8], start: npt.NDArray[np.float32], end: npt.NDArray[np.float32], reach: float) -> bool:
    """Whether a strip so wide on either side between two points touches nothing but tiles of the first one's cost; by samples."""
    own = cost[int(start[1]), int(start[0])]
    away = (end - start).astype(np.float64)
    length = float(np.hypot(*away))
    if length == 0.0:
        return True
    across = np.array([-away[1], away[0]]) / length * reach
    for part in np.linspace(0.0, 1.0, int(length * 200) + 2):
        for side in (-1.0, -0.5, 0.0, 0.5, 1.0):
            x, y = start + away * part + across * side
            if cost[int(y), int(x)] != own or own == 0:
                return False
    return True


def nearest_foe(crowds: tuple[Crowd, ...], own: Crowd, unit: int, cost: npt.NDArray[np.uint8]) -> tuple[int, int] | None:
    """Crowd and id of the nearest enemy in sight that can be struck or walked straight to; equally near ones by crowd and id."""
    at = own.positions[unit].copy()
    found = []
    for crowd in crowds:
        if crowd.team == own.team or crowd.layers == 0 or not own.enemy_teams >> crowd.team & 1:
            continue
        for other in np.flatnonzero(crowd.alive).tolist():
            away = crowd.positions[other] - at
            squared = away[0] * away[0] + away[1] * away[1]
            is_near = squared <= np.float32(own.sight_radius) * np.float32(own.sight_radius)
            gap = np.sqrt(squared) - own.radius - crowd.radius
            if is_near and (gap <= own.attack_range + TOUCH_TILES or sees(cost, at, crowd.positions[other], own.radius)):
                found.append((squared, crowd.index, other))
    return min(found)[1:] if found else None


def steps_between(cost: npt.NDArray[np.uint8], start: tuple[int, int], end: tuple[int, int], most: int) -> int | None:
    """Steps of the shortest way between two tiles that cuts no corner; None if it takes more than ``most``."""
    height, width = cost.shape
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        x, y = waiting.popleft()
        if (x, y) == end:
            return steps[x, y]
        for across, down in STEPS:
            to = (x + across, y + down)
            if not (0 <= to[0] < width and 0 <= to[1] < height) or to in steps or cost[to[1], to[0]] == 0:
                continue
            if cost[y, x + across] == 0 or cost[y + down, x] == 0 or steps[x, y] == most:
                continue
            steps[to] = steps[x, y] + 1
            waiting.append(to)
    return None
