"""What units make of the routes of a scenario: single units that walk in a world, tick by tick."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.crowd.crowd import Crowd
from pynav.evaluation.progress import shown
from pynav.grid import ScenarioLine, TileGrid
from pynav.world import World

TICK_SECONDS = 1.0 / 60.0
SPEED = 3.0  # tiles a second
RADIUS = 0.3  # tiles
ARRIVE_RADIUS = 0.1  # what is left to the goal then is added to the way
PATIENCE = 2.0  # a unit is given so many times the time that the published way takes ...
PATIENCE_SECONDS = 10.0  # ... and this
_LEAST_MOVE = 1e-3  # tiles a tick; below it a unit stands, and which way it turns says nothing

Points = npt.NDArray[np.float64]


def way_length(points: Points) -> float:
    """Length of a way through points (n, 2)."""
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def way_turning(points: Points) -> float:
    """Sum of the angles between one move and the next, radians."""
    moves = np.diff(points, axis=0)
    moves = moves[np.hypot(*moves.T) > _LEAST_MOVE]
    turns = np.abs(np.diff(np.arctan2(moves[:, 1], moves[:, 0])))
    return float(np.minimum(turns, 2 * math.pi - turns).sum())


def walk(world: World, unit: Crowd, line: ScenarioLine) -> Points | None:
    """The places of a crowd's only unit, one a tick, from a line's start to its goal; None if it didn't get there in time."""
    unit.clear()
    unit.spawn(np.array([line.start]) + 0.5)
    unit.set_goal([line.goal])
    before = unit.arrived_count  # it counts on where the goal is that of the line before
    world.finish_builds()
    place = int(np.flatnonzero(unit.alive)[0])
    points = [unit.positions[place].astype(np.float64)]
    seconds = PATIENCE * line.optimal_length / SPEED + PATIENCE_SECONDS
    for _ in range(round(seconds / TICK_SECONDS)):
        if unit.arrived_count > before:
            return np.array([*points, np.array(line.goal) + 0.5])
        world.step(TICK_SECONDS)
        points.append(unit.positions[place].astype(np.float64))
    return None


def walk_units(grid: TileGrid, lines: list[ScenarioLine], show_progress: bool = False) -> dict[str, Any]:
    """Have a unit walk each line, alone in the world.

    Args:
        grid: the map.
        lines: lines of its scenario that have a way.
        show_progress: draw a bar on the error stream.

    Returns:
        units: lines. units_arrived: those that arrived. euclid_ratio_mean: the mean of walked length by published optimum, lines
        of length 0 left out. turning_per_tile: radians a tile of all ways, where any was walked. units_in_walls: ticks in which a
        unit stood in a solid tile.
    """
    world = World(seed=1)
    world.set_grid(grid)
    unit = world.add_crowd(0, SPEED, RADIUS, arrive_radius=ARRIVE_RADIUS, speed_variation=0.0)
    ratios: list[float] = []
    arrived = in_walls = 0
    turned = length = 0.0
    for line in shown(sorted(lines, key=lambda line: line.goal), "units", show_progress):
        points = walk(world, unit, line)
        if points is None:
            continue
        arrived += 1
        tiles = points.astype(np.int64)
        in_walls += int((grid.cost[tiles[:, 1], tiles[:, 0]] == 0).sum())
        own = way_length(points)
        turned += way_turning(points)
        length += own
        if line.optimal_length > 0:
            ratios.append(own / line.optimal_length)
    report = {
        "units": len(lines),
        "units_arrived": arrived,
        "units_in_walls": in_walls,
        "euclid_ratio_mean": float(np.mean(ratios)) if ratios else None,
    }
    return {**report, "turning_per_tile": turned / length} if length > 0 else report
