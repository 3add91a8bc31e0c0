"""Slow, obvious references of the homing grid, written from the article's description in float64."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))
Grid = npt.NDArray[np.float64]


class Push(NamedTuple):
    """A propagator: place in cells, power."""

    x: float
    y: float
    power: float


def relaxed(size: tuple[int, int], pushes: list[Push], sweeps: int, reading: str = "page", padding: int = 0) -> tuple[Grid, Grid]:
    """(strength, direction) of the cells (rows, columns[, 2]) after some sweeps; every cell reads the sweep before.

    Its propagators are added to a cell, then a quarter of each neighbour that is there, strength and direction; what comes out
    is multiplied by 0.49.
    """
    columns, rows = size[0] + 2 * padding, size[1] + 2 * padding
    strength = np.zeros((rows, columns))
    direction = np.zeros((rows, columns, 2))
    for _ in range(sweeps):
        before = strength.copy()
        for row in range(rows):
            for column in range(columns):
                for push in pushes:
                    at_column = min(max(math.floor(push.x), 0), size[0] - 1)
                    at_row = min(max(math.floor(push.y), 0), size[1] - 1)
                    if (at_column + padding, at_row + padding) != (column, row):
                        continue
                    away = np.array([push.x - at_column - 0.5, push.y - at_row - 0.5])
                    if reading == "page":
                        strength[row, column] += push.power * 8
                    else:
                        strength[row, column] += push.power * (np.hypot(*away) + 1)
                        direction[row, column] += away * push.power
                for step_x, step_y in AROUND:
                    x, y = column + step_x, row + step_y
                    if 0 <= x < columns and 0 <= y < rows:
                        strength[row, column] += before[y, x] * 0.25
                        direction[row, column] += np.array([step_x, step_y]) * before[y, x] * 0.25
                strength[row, column] *= 0.49
                direction[row, column] *= 0.49
    inner = (slice(padding, rows - padding), slice(padding, columns - padding))
    return strength[inner], direction[inner]


def nearest_distances(columns: int, rows: int, cell: tuple[float, float], points: npt.NDArray[np.float64]) -> Grid:
    """(rows, columns) distance from the middle of each cell to the nearest point, by looking at all."""
    y, x = np.mgrid[:rows, :columns] + 0.5
    away = np.hypot(x[..., None] * cell[0] - points[:, 0], y[..., None] * cell[1] - points[:, 1])
    return np.asarray(away.min(axis=-1))


def first_targets(columns: int, rows: int, points: npt.NDArray[np.float64]) -> dict[tuple[int, int], int]:
    """The lowest index of the points in each cell (of side 1); points outside count to the nearest cell."""
    found: dict[tuple[int, int], int] = {}
    for index, (x, y) in enumerate(points):
        column = min(max(math.floor(x), 0), columns - 1)
        row = min(max(math.floor(y), 0), rows - 1)
        found.setdefault((column, row), index)
    return found


class Flown(NamedTuple):
    """Where a missile was after each tick, until it hit; turns astray at the end; whether it hit."""

    places: Grid
    astray: float
    has_hit: bool


def flight(
    place: Grid, velocity: Grid, target: Grid, hz: float, top_speed: float, acceleration: float, damping: float,
    patience: float, near: float,
) -> Flown:  # fmt: skip
    """A missile that knows where its target is: ``target`` (ticks + 1, 2) from before the first tick on, ``near`` enough is hit.

    It is pushed towards the target; what it flies across that direction decays. The time for which it flies more than an eighth
    of a turn away from it is counted in turns of the turning circle; those beyond its patience add 2 each to the damping.
    """
    at, speed, astray = np.array(place, float), np.array(velocity, float), 0.0
    turn, places = acceleration / top_speed / hz, []
    for old, new in pairwise(target):
        wish = (new - at) / np.hypot(*(new - at))
        along = float(speed @ wish)
        late = max(0.0, astray - patience)
        kept = math.exp(-damping * turn) / (1.0 + 2.0 * turn * late)
        if along < math.sqrt(0.5) * np.hypot(*speed):
            astray += turn / (2.0 * math.pi)
        speed = (along + acceleration / hz) * wish + (speed - along * wish) * kept
        speed *= min(1.0, top_speed / np.hypot(*speed))
        if swept_hit(at, speed / hz, old, new, near, 200):
            return Flown(np.array(places), astray, True)
        at = at + speed / hz
        places.append(at)
    return Flown(np.array(places), astray, False)


def meeting_time(to: Grid, velocity: Grid, speed: float, most: float = 1e3) -> float:
    """The first moment (seconds, from 0.001 on) at which something of that speed can be where a target is; infinite without one.

    By looking at many moments, and between the last one too soon and the first one late enough at ever finer ones.
    """
    moments = np.geomspace(1e-3, most, 10_000)
    for _ in range(6):
        is_late = np.hypot(*(to + velocity * moments[:, None]).T) <= speed * moments
        if not is_late.any():
            return math.inf
        first = int(np.argmax(is_late))
        moments = np.linspace(moments[max(first - 1, 0)], moments[first], 100)
    return float(moments[-1])


def swept_hit(place: Grid, move: Grid, old: Grid, new: Grid, radius: float, parts: int = 4000) -> bool:
    """Whether two points that move in straight lines come nearer than a radius, by looking at many moments."""
    share = np.linspace(0.0, 1.0, parts)[:, None]
    apart = (place + move * share) - (old + (new - old) * share)
    return bool((np.hypot(apart[:, 0], apart[:, 1]) <= radius).any())
