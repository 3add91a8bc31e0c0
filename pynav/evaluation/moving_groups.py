"""What a group of units makes of an order: do they stay together, and what does that cost the one who walks farthest?"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pynav.evaluation.groups import group_starts, tiles_near
from pynav.evaluation.moving_units import PATIENCE, PATIENCE_SECONDS, RADIUS, SPEED, TICK_SECONDS
from pynav.evaluation.progress import shown
from pynav.grid import IntegrationField, ScenarioLine, TileGrid
from pynav.grid.steps import UNIT_STEP_COST
from pynav.router import SOLVERS
from pynav.world import World

LEAST_LENGTH = 100.0  # tiles; on shorter ways more is walked for room than for the way
SETTLING_TILES = 10.0  # from the goal, where the group spreads out around it: the rest of the way is counted as the shortest
_TICKS_APART = 4  # a place of each unit is noted every so many ticks


def group_lines(lines: list[ScenarioLine]) -> list[ScenarioLine]:
    """The lines that are long enough for a group."""
    return [line for line in lines if line.optimal_length > LEAST_LENGTH]


def walk_groups(grid: TileGrid, lines: list[ScenarioLine], cohesion: bool = True, show_progress: bool = False) -> dict[str, Any]:
    """Have a crowd of 64 units walk each line, from the tiles around its start.

    Args:
        grid: the map.
        lines: lines of its scenario that have a way.
        cohesion: of the crowds.
        show_progress: draw a bar on the error stream.

    Returns:
        moving_groups: lines. moving_splits: groups of which a unit was ever more than 12 walkable steps from the way of the
        leader, which starts in the middle. moving_units_arrived: units that arrived. moving_ratio_max and moving_ratio_p99: of
        walked length by the unit's own octile optimum.
    """
    field, router = IntegrationField(grid), SOLVERS["exact"](grid)
    ratios: list[npt.NDArray[np.float64]] = []
    splits = arrived = 0
    for line in shown(lines, "moving groups", show_progress):
        field.build([line.goal])
        router.set_goals([line.goal])
        left = field.distance / UNIT_STEP_COST
        points, home = _walk(grid, line, cohesion)
        tiles = points.astype(np.int64)
        x, y = tiles[-1, 0].tolist()  # a leader may have stopped in the crowd around the goal: its way goes on
        leader = np.concatenate([tiles[:, 0], router.path((x, y))])
        near = tiles_near(grid, np.unique(leader, axis=0).astype(np.int32))
        splits += not near[tiles[..., 1], tiles[..., 0]].all()
        arrived += home
        ratios.append(_ratios(points, left[tiles[..., 1], tiles[..., 0]]))
    report: dict[str, Any] = {"moving_groups": len(lines), "moving_splits": splits, "moving_units_arrived": arrived}
    if ratios:
        found = np.concatenate(ratios)
        report |= {"moving_ratio_p99": float(np.percentile(found, 99)), "moving_ratio_max": float(found.max())}
    return report


def _walk(grid: TileGrid, line: ScenarioLine, cohesion: bool) -> tuple[npt.NDArray[np.float64], int]:
    """Places of the units, (times, units, 2), the leader's first; and how many arrived."""
    world = World(seed=1)
    world.set_grid(grid)
    crowd = world.add_crowd(0, SPEED, RADIUS, speed_variation=0.0, cohesion=cohesion)
    crowd.spawn(np.array(group_starts(grid, line.start)) + 0.5)
    crowd.set_goal([line.goal])
    world.finish_builds()
    points = [crowd.positions.astype(np.float64)]
    seconds = PATIENCE * line.optimal_length / SPEED + PATIENCE_SECONDS
    for tick in range(math.ceil(seconds / TICK_SECONDS)):
        world.step(TICK_SECONDS)
        if tick % _TICKS_APART == 0:
            points.append(crowd.positions.astype(np.float64))
        if crowd.arrived_count == crowd.count:
            break
    return np.array(points), crowd.arrived_count


def _ratios(points: npt.NDArray[np.float64], left: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Walked length by shortest way, of each unit; from where it is near to the goal the shortest way counts as walked."""
    walked = np.zeros(left.shape)
    walked[1:] = np.cumsum(np.hypot(*np.moveaxis(np.diff(points, axis=0), 2, 0)), axis=0)
    is_near = left <= SETTLING_TILES
    until = np.where(is_near.any(axis=0), is_near.argmax(axis=0), len(left) - 1)
    unit = np.arange(left.shape[1])
    return np.asarray((walked[until, unit] + left[until, unit]) / left[0])
