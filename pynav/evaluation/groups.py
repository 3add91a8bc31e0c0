"""Groups of units with one order: do they part although their shortest routes don't? And pairs of tiles that no way joins."""

import numpy as np
import numpy.typing as npt

from pynav.grid import IntegrationField, ScenarioLine, TileGrid
from pynav.grid.steps import DIRECTION_X, DIRECTION_Y
from pynav.router import Router

GROUP_SIZE = 64
APART_STEPS = 12  # walkable steps from the leader's route

Mask = npt.NDArray[np.bool_]
Path = npt.NDArray[np.int32]


def group_starts(grid: TileGrid, leader: tuple[int, int]) -> list[tuple[int, int]]:
    """The GROUP_SIZE tiles that are nearest to a tile by walking, itself first; equally near ones by row, then column."""
    field = IntegrationField(grid)
    field.build([leader])
    flat = np.where(field.distance == field.unreachable, np.iinfo(np.int64).max, field.distance.astype(np.int64)).reshape(-1)
    count = min(GROUP_SIZE, int((flat < np.iinfo(np.int64).max).sum()))
    limit = np.partition(flat, count - 1)[count - 1]
    listed = np.flatnonzero(flat <= limit)
    nearest = listed[np.argsort(flat[listed], kind="stable")][:count]
    return [(int(tile) % grid.width, int(tile) // grid.width) for tile in nearest]


def tiles_near(grid: TileGrid, path: Path, steps: int = APART_STEPS) -> Mask:
    """bool (height, width): the tiles that so many legal steps or fewer lead to from a route."""
    low = np.maximum(path.min(axis=0) - steps - 1, 0)
    high = np.minimum(path.max(axis=0) + steps + 2, (grid.width, grid.height))
    free = np.zeros((high[1] - low[1] + 2, high[0] - low[0] + 2), dtype=bool)  # with a border that counts as solid
    free[1:-1, 1:-1] = grid.cost[low[1] : high[1], low[0] : high[0]] != 0
    near = np.zeros_like(free)
    near[path[:, 1] - low[1] + 1, path[:, 0] - low[0] + 1] = True
    for _ in range(steps):
        wider = near.copy()
        for right, down in zip(DIRECTION_X, DIRECTION_Y, strict=True):
            came = np.roll(near, (down, right), axis=(0, 1)) & free
            if right and down:  # both tiles beside a diagonal step are free
                came &= np.roll(free, right, axis=1) & np.roll(free, down, axis=0)
            wider |= came
        near = wider
    found = np.zeros((grid.height, grid.width), dtype=bool)
    found[low[1] : high[1], low[0] : high[0]] = near[1:-1, 1:-1]
    return found


def is_apart(path: Path, near: Mask) -> bool:
    """Whether a route leaves the neighbourhood of the leader's."""
    return not bool(near[path[:, 1], path[:, 0]].all())


def is_split(grid: TileGrid, router: Router, exact: Router, line: ScenarioLine) -> bool:
    """Whether a unit of the group around a line's start leaves the leader's route although the shortest ones stay together."""
    starts = group_starts(grid, line.start)
    for one in (router, exact):
        one.set_goals([line.goal])
    near = tiles_near(grid, router.path(starts[0]))
    apart = [start for start in starts[1:] if is_apart(router.path(start), near)]
    if not apart:
        return False
    near = tiles_near(grid, exact.path(starts[0]))
    return any(not is_apart(exact.path(start), near) for start in apart)


def picked_lines(grid: TileGrid, problems: list[ScenarioLine], count: int) -> list[ScenarioLine]:
    """An even sample of the lines that have a way and are longer than a group is wide."""
    able = [line for line in problems if line.optimal_length > 2 * APART_STEPS and grid.is_connected(line.start, line.goal)]
    return even_sample(able, count)


def even_sample(lines: list[ScenarioLine], count: int) -> list[ScenarioLine]:
    """So many lines at most, evenly over the list."""
    count = min(count, len(lines))
    return [lines[index * len(lines) // count] for index in range(count)]


def unreachable_pairs(grid: TileGrid, count: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of free tiles (start, goal) that no way joins, always the same ones; none where the map is in one part."""
    if grid.component_count < 2:
        return []
    random = np.random.default_rng(0)
    label = grid.components()
    free = np.argwhere(label)
    found: list[tuple[tuple[int, int], tuple[int, int]]] = []
    while len(found) < count:
        first, second = free[random.integers(0, len(free))], free[random.integers(0, len(free))]
        if random.random() < 0.5:  # else small parts would hardly come up
            second = np.argwhere(label == random.integers(1, grid.component_count + 1))[0]
        if label[tuple(first)] != label[tuple(second)]:
            found.append(((int(first[1]), int(first[0])), (int(second[1]), int(second[0]))))
    return found
