"""Slow, obvious references of the crowd: cell order, overlaps, contact pushes, walls, instance rows."""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def cell_order(x: Floats, y: Floats, removed: npt.NDArray[np.bool_], rows_per_tile: float, columns_per_tile: float) -> list[int]:
    """Indices of the agents that stay, by row of cells, then column, then index."""
    row, column = np.float32(rows_per_tile), np.float32(columns_per_tile)
    keys = [(int(np.float32(y[i]) * row), int(np.float32(x[i]) * column), i) for i in range(len(x)) if not removed[i]]
    return [index for _, _, index in sorted(keys)]


def least_distance(points: Floats) -> float:
    """Distance of the two agents that are nearest to each other; infinite for fewer than two."""
    best = math.inf
    for first in range(len(points)):
        rest = points[first + 1 :].astype(np.float64) - points[first].astype(np.float64)
        if len(rest):
            best = min(best, float(np.sqrt(np.square(rest).sum(axis=1)).min()))
    return best


def neighbours_within(points: Floats, radius: Floats, skin: float, agent: int) -> set[int]:
    """All others whose disc is nearer than the skin, by looking at every pair."""
    found = set()
    for other in range(len(points)):
        if other != agent:
            gap = math.dist(points[agent], points[other]) - float(radius[agent]) - float(radius[other])
            if gap < skin:
                found.add(other)
    return found


def pushed(points: npt.NDArray[np.float64], radius: Floats, walking: list[bool], slack: float) -> npt.NDArray[np.float64]:
    """One averaged Jacobi iteration over all pairs, without walls: what each overlap asks for, averaged, times 1.2 if several."""
    result = points.copy()
    for agent in range(len(points)):
        asked = []
        for other in range(len(points)):
            away = points[agent] - points[other]
            distance = float(np.hypot(*away))
            touch = (float(radius[agent]) + float(radius[other])) * slack
            if other == agent or distance >= touch:
                continue
            own_share, other_share = (1.0 if walking[which] else 0.3 for which in (agent, other))
            asked.append(away / distance * (touch - distance) * own_share / (own_share + other_share))
        if asked:
            total = np.sum(asked, axis=0)
            result[agent] += total * (1.2 / len(asked) if len(asked) > 1 else 1.0)
    return result


def seen_ahead(
    points: Floats,
    velocities: Floats,
    radii: Floats,
    agent: tuple[float, float, float, float],
    heading: tuple[float, float],
    wanted_speed: float,
) -> tuple[float, float]:
    """What an agent (x, y, radius, speed) sees of the others: the speed that those ahead leave (infinite for none), and how
    strongly those that it will meet within a second push it to the left.
    """  # fmt: skip
    x, y, radius, speed = agent
    ahead, left = np.array(heading, dtype=np.float64), np.array([-heading[1], heading[0]], dtype=np.float64)
    limit, aside = math.inf, 0.0
    for point, velocity, other_radius in zip(points.astype(np.float64), velocities.astype(np.float64), radii, strict=True):
        away = point - (x, y)
        if away @ ahead <= 0 or away @ away > 2.5**2:
            continue
        touch = radius + float(other_radius)
        same_way = float(velocity @ ahead)
        if abs(away @ left) < 0.8 * touch and same_way > -0.3 * speed:
            limit = min(limit, (float(away @ ahead) - touch - 0.05) * 4 + max(same_way, 0.0))
        closing = ahead * wanted_speed - velocity
        seconds = float(away @ closing) / (float(closing @ closing) + 1e-6)
        miss = away - closing * seconds
        gap = float(np.hypot(*miss)) / (touch + 0.05)
        if gap < 1 and 0 < seconds < 1:
            weight = (1 - seconds) * (1 - gap / 2) * (2 if same_way < 0 else 1)
            aside += -weight if miss @ left + 0.06 >= 0 else weight
    return limit, aside


def wall_bits(cost: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """The bordered wall map: bits W, E, N, S, NW, NE, SW, SE, 256 for the tile itself, and above them its cost less 1."""
    steps = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (0, 0)]
    height, width = cost.shape
    bits = np.zeros((height + 2, width + 2), dtype=np.uint16)
    for row in range(-1, height + 1):
        for column in range(-1, width + 1):
            for bit, (right, down) in enumerate(steps):
                x, y = column + right, row + down
                if not (0 <= x < width and 0 <= y < height) or cost[y, x] == 0:
                    bits[row + 1, column + 1] |= 1 << bit
            if 0 <= row < height and 0 <= column < width and cost[row, column]:
                bits[row + 1, column + 1] |= min(int(cost[row, column]) - 1, 126) * 512
    return bits


def wall_distance(cost: npt.NDArray[np.uint8], x: float, y: float) -> float:
    """Distance of a point to the nearest solid tile or the edge of the map (0 inside one), looking three tiles around."""
    height, width = cost.shape
    best = math.inf
    for row in range(int(y) - 3, int(y) + 4):
        for column in range(int(x) - 3, int(x) + 4):
            if not (0 <= column < width and 0 <= row < height) or cost[row, column] == 0:
                across = max(column - x, 0.0, x - column - 1)
                down = max(row - y, 0.0, y - row - 1)
                best = min(best, math.hypot(across, down))
    return best


def nearest_free_point(cost: npt.NDArray[np.uint8], x: float, y: float, margin: float) -> float:
    """Distance to the nearest point that lies in a free tile and ``margin`` inside its sides, over all tiles."""
    best = math.inf
    for row, column in zip(*np.nonzero(cost), strict=True):
        across = max(column + margin - x, 0.0, x - (column + 1 - margin))
        down = max(row + margin - y, 0.0, y - (row + 1 - margin))
        best = min(best, math.hypot(across, down))
    return best
