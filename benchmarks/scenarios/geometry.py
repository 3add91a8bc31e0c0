"""The scenarios: maps, where agents start, and where they are sent. Twelve small maps, each drawn anew for every seed."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RADIUS = 0.3
SPEED = 3.0
Points = npt.NDArray[np.float64]
Random = np.random.Generator


@dataclass
class Group:
    """Agents of one size with one goal.

    Attributes:
        start: (n, 2), tiles.
        goal: tiles (x, y) to arrive at.
        radius: tiles.
    """

    start: Points
    goal: list[tuple[int, int]]
    radius: float = RADIUS


@dataclass
class Scenario:
    """One drawing of a scenario.

    Attributes:
        cost: (height, width) uint8, 0 solid.
        groups: who walks.
        limit: seconds within which everybody has to arrive.
        leaves: agents vanish on arrival; else they stay where they arrive, and must have settled within the limit.
        arrive_radius: distance to the goal that counts as arrived, tiles.
    """

    cost: npt.NDArray[np.uint8]
    groups: list[Group]
    limit: float
    leaves: bool
    arrive_radius: float = 0.5


def _room(width: int, height: int) -> npt.NDArray[np.uint8]:
    """Free ground within walls one tile thick."""
    cost = np.zeros((height, width), dtype=np.uint8)
    cost[1:-1, 1:-1] = 1
    return cost


def _places(random: Random, x: tuple[float, float], y: tuple[float, float], step: float, count: int, jitter: float) -> Points:
    """``count`` places of a grid over a rectangle, each a little off."""
    grid = [(a, b) for a in np.arange(x[0], x[1], step) for b in np.arange(y[0], y[1], step)]
    chosen = random.permutation(len(grid))[:count]
    return np.array([grid[index] for index in chosen]) + random.uniform(-jitter, jitter, (len(chosen), 2))


def head_on(random: Random) -> Scenario:
    """Two walk towards each other, straight or slightly beside."""
    beside = random.uniform(-0.05, 0.05) if random.random() > 0.3 else 0.0
    groups = [Group(np.array([[4.5, 6.5]]), [(20, 6)]), Group(np.array([[20.5, 6.5 + beside]]), [(4, 6)])]
    return Scenario(_room(25, 13), groups, 15.0, leaves=False)


def ring_swap(random: Random) -> Scenario:
    """A hundred on a ring, each to the opposite place."""
    angle = np.arange(100) * (2.0 * np.pi / 100)
    ring = 16.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    start = 22.5 + ring + random.normal(0.0, 0.01, ring.shape)
    groups = [Group(here[None], [(int(there[0]), int(there[1]))]) for here, there in zip(start, 22.5 - ring, strict=True)]
    return Scenario(_room(45, 45), groups, 60.0, leaves=False)


def counterflow(width: int, each: int) -> Callable[[Random], Scenario]:
    """Two streams in a corridor of so many tiles, each to the other end."""

    def drawn(random: Random) -> Scenario:
        length = 62
        left = _places(random, (2.0, 26.0), (1.5, width + 0.6), 0.8, each, 0.08)
        right = _places(random, (2.0, 26.0), (1.5, width + 0.6), 0.8, each, 0.08)
        right[:, 0] = length - right[:, 0]
        ends = [[(column, row) for row in range(1, width + 1)] for column in (length - 2, 1)]
        return Scenario(_room(length, width + 2), [Group(left, ends[0]), Group(right, ends[1])], 120.0, leaves=True)

    return drawn


def crossing(random: Random) -> Scenario:
    """Two streams cross at a right angle in the open."""
    across = _places(random, (3.0, 15.0), (18.0, 30.0), 1.0, 100, 0.1)
    down = _places(random, (18.0, 30.0), (3.0, 15.0), 1.0, 100, 0.1)
    groups = [Group(across, [(46, row) for row in range(18, 30)]), Group(down, [(column, 46) for column in range(18, 30)])]
    return Scenario(_room(48, 48), groups, 60.0, leaves=True)


def four_ways(random: Random) -> Scenario:
    """Four streams of sixty meet where two corridors of six tiles cross."""
    cost = np.zeros((50, 50), dtype=np.uint8)
    cost[22:28, 1:49] = 1
    cost[1:49, 22:28] = 1
    ends = [(48, 0), (1, 0), (48, 1), (1, 1)]
    groups = []
    for end, axis in ends:
        start = _places(random, (3.0, 17.0), (22.5, 27.6), 0.8, 60, 0.08)
        if end == 1:
            start[:, 0] = 50.0 - start[:, 0]
        goal = [(end, row) for row in range(22, 28)]
        groups.append(Group(start, goal) if axis == 0 else Group(start[:, ::-1].copy(), [(row, end) for _, row in goal]))
    return Scenario(cost, groups, 120.0, leaves=True)


def _hall_with_door(width: int) -> npt.NDArray[np.uint8]:
    cost = _room(44, 24)
    cost[:, 22] = 0
    cost[12 : 12 + width, 22] = 1
    return cost


def door(width: int, count: int) -> Callable[[Random], Scenario]:
    """Everybody through one door."""

    def drawn(random: Random) -> Scenario:
        start = _places(random, (2.0, 20.0), (2.0, 22.0), 1.0, count, 0.04)
        return Scenario(_hall_with_door(width), [Group(start, [(40, row) for row in range(2, 22)])], 180.0, leaves=True)

    return drawn


def mixed_gap(random: Random) -> Scenario:
    """A hundred and twenty of six sizes through a gap of one tile."""
    start = _places(random, (2.0, 20.0), (2.0, 22.0), 1.0, 120, 0.04)
    goal = [(40, row) for row in range(2, 22)]
    groups = [Group(start[20 * index : 20 * index + 20], goal, radius) for index, radius in enumerate(np.linspace(0.2, 0.45, 6))]
    return Scenario(_hall_with_door(1), groups, 180.0, leaves=True)


def surround(random: Random) -> Scenario:
    """A thousand from all sides to one tile."""
    tiles = random.permutation(78 * 78)[:1000]
    start = np.stack([tiles % 78 + 3.5, tiles // 78 + 3.5], axis=1) + random.uniform(-0.15, 0.15, (1000, 2))
    return Scenario(_room(84, 84), [Group(start, [(42, 42)])], 60.0, leaves=False)


def maze_column(random: Random) -> Scenario:
    """A column of sixty through eight bends of a passage two tiles wide."""
    cost = np.zeros((28, 40), dtype=np.uint8)
    for lane in range(9):
        cost[1 + 3 * lane : 3 + 3 * lane, 1:39] = 1
        if lane < 8:
            bend = slice(37, 39) if lane % 2 == 0 else slice(1, 3)
            cost[3 + 3 * lane, bend] = 1
    start = _places(random, (2.0, 26.0), (1.5, 2.6), 0.8, 60, 0.05)
    return Scenario(cost, [Group(start, [(38, 25), (38, 26)])], 180.0, leaves=True)


SCENARIOS: dict[str, Callable[[Random], Scenario]] = {
    "head-on pair": head_on,
    "ring swap of 100": ring_swap,
    "counterflow, 6 wide, 150 each": counterflow(6, 150),
    "counterflow, 4 wide, 80 each": counterflow(4, 80),
    "counterflow, 3 wide, 40 each": counterflow(3, 40),
    "counterflow, 2 wide, 20 each": counterflow(2, 20),
    "crossing streams, 100 each": crossing,
    "four-way crossing, 60 each": four_ways,
    "door of 1 tile, 200": door(1, 200),
    "door of 2 tiles, 200": door(2, 200),
    "six sizes at a gap, 120": mixed_gap,
    "surround one goal, 1,000": surround,
    "column through a maze, 60": maze_column,
}
