"""Slow, obvious references of attack-move: whom an agent goes for, and the shortest way round in steps."""

from collections import deque

import numpy as np
import numpy.typing as npt

from pynav.crowd.buildings import Buildings
from pynav.crowd.crowd import Crowd
from pynav.crowd.unit_handles import BUILDINGS

TOUCH_TILES = 0.08
EDGE_TILES = 0.05
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


def before_building(
    rect: tuple[int, int, int, int], at: npt.NDArray[np.float32], clear: float
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The place of a building's edge that is nearest to a point, and the spot before the side that the point lies off farthest,
    half a tile from its corners at least.
    """
    x, y, width, height = rect
    low, high = np.array([x, y], dtype=np.float32), np.array([x + width, y + height], dtype=np.float32)
    edge = np.minimum(np.maximum(at, low), high)
    spot = np.minimum(np.maximum(at, low + 0.5), high - 0.5)
    off = np.maximum(low - at, at - high)
    axis = 0 if off[0] >= off[1] else 1
    spot[axis] = low[axis] - clear if 2 * at[axis] < low[axis] + high[axis] else high[axis] + clear
    return edge, spot


def nearest_foe(
    crowds: tuple[Crowd, ...], own: Crowd, unit: int, cost: npt.NDArray[np.uint8], buildings: Buildings | None = None
) -> tuple[int, int] | None:
    """Crowd and id of the nearest enemy in sight that can be struck or walked straight to; equally near ones by crowd and id, and
    behind agents buildings (of size 1 agents that are narrower than a tile).
    """
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
    for handle in [] if buildings is None else buildings.handles().tolist():
        rect, team = buildings.rect_of(handle), buildings.team_of(handle)
        edge, spot = before_building(rect, at, own.radius + EDGE_TILES)
        squared = float(((edge - at) ** 2).sum())
        gap = np.sqrt(squared) - own.radius - EDGE_TILES
        if team == own.team or not own.enemy_teams >> team & 1 or squared > np.float32(own.sight_radius) ** 2:
            continue
        if gap <= own.attack_range + TOUCH_TILES or ((abs(spot - at) <= 40).all() and sees(cost, at, spot, own.radius)):
            found.append((squared, BUILDINGS, handle & 0xFFFFF))
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
