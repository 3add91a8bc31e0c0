"""Benchmarks of the grid: whole floods beside tcod and scikit-image, ways beside the engine's AStarGrid2D.

tcod's dijkstra2d and scikit-image's MCP_Geometric cut corners, so they are timed only; every answer of ours is compared with
scipy's Dijkstra on an explicit graph, which follows our rules, or with published optimal lengths.
"""

import io
import json
import math
import os
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.engine_peer import engine_answers
from benchmarks.table import Row, row
from benchmarks.timing import best_ms, tcod_ms
from pynav.grid import (
    DIRECTION_X,
    DIRECTION_Y,
    FlowField,
    IntegrationField,
    TileGrid,
    generate_map,
    lines_of_sight,
    load_octile_map,
    load_scenario,
    path_to_goal,
)
from pynav.grid.packed_costs import pack_costs, unpack_costs
from pynav.kernels import get_threads, set_threads

ROOT = Path(__file__).resolve().parents[1]
SIDE = 1024
ROUNDS = 5
MAPS = ("Berlin_0_256", "BigGameHunters", "Aurora")
LINES = 40
CROWD = 64

Cost = npt.NDArray[np.uint8]


def rows() -> list[Row]:
    """All rows: name, value, unit, peer, peer_value, ratio (peer's value over ours), answer_ok."""
    return [*_flood_rows(), *_sight_rows(), *_packed_rows(), *_way_rows()]


# --- floods


def _maps() -> list[tuple[str, Cost, tuple[int, int]]]:
    walls = (np.random.default_rng(1).random((SIDE, SIDE)) > 0.2).astype(np.uint8)
    walls[SIDE // 2, SIDE // 2] = 1
    keep = generate_map("keep", SIDE, SIDE, 7)
    goal = (int(keep.goals[0, 0]), int(keep.goals[0, 1]))
    middle = (SIDE // 2, SIDE // 2)
    return [("open", np.ones((SIDE, SIDE), dtype=np.uint8), middle), ("walls_20", walls, middle), ("keep", keep.cost, goal)]


def _flood_rows() -> list[Row]:
    result = []
    for name, cost, goal in _maps():
        field = IntegrationField(TileGrid(cost))
        flow = FlowField(TileGrid(cost), [goal])
        value = best_ms(partial(field.build, [goal]))
        ok = bool((field.distance == _scipy_distance(cost, goal, field.unreachable)).all())
        result.append(row(f"grid.flood.{name}.{SIDE}", value, "ms", "tcod.path.dijkstra2d", tcod_ms(cost, goal), ok))
        result.append(row(f"grid.flood.{name}.{SIDE}", value, "ms", "skimage MCP_Geometric", _skimage_ms(cost, goal), ok))
        result.append(row(f"grid.flow_field.{name}.{SIDE}", best_ms(flow.build), "ms", None, None, _same_flow(flow, field)))
        for threads in (1, 2):
            result.append(_direction_row(field, name, goal, threads))
    return result


def _direction_row(field: IntegrationField, name: str, goal: tuple[int, int], threads: int) -> Row:
    before = get_threads()
    set_threads(threads)
    best = math.inf
    for _ in range(ROUNDS):
        field.build([goal])
        begin = time.perf_counter()
        directions = field.directions
        best = min(best, time.perf_counter() - begin)
    set_threads(before)
    return row(f"grid.directions.{name}.{SIDE}.threads_{threads}", best * 1e3, "ms", None, None, _descends(field, directions))


def _same_flow(flow: FlowField, field: IntegrationField) -> bool:
    inner = flow.flow[1:-1, 1:-1]
    return bool((np.where(inner < 8, inner, 8) == field.directions).all())


def _descends(field: IntegrationField, directions: npt.NDArray[np.uint8]) -> bool:
    """Whether every direction leads to the tile from which the distance comes, by the costs."""
    cost = field.grid.cost.astype(np.int64)
    rows_, columns = np.nonzero(directions < 8)
    code = directions[rows_, columns]
    to_rows, to_columns = rows_ + np.array(DIRECTION_Y)[code], columns + np.array(DIRECTION_X)[code]
    step = (cost[rows_, columns] + cost[to_rows, to_columns]) * np.where(code % 2 == 1, 99, 70)
    exact = field.distance[to_rows, to_columns] + step == field.distance[rows_, columns]
    expected = np.count_nonzero((field.distance > 0) & (field.distance < field.unreachable))
    return bool(exact.all()) and int(code.size) == int(expected)


def _scipy_distance(cost: Cost, goal: tuple[int, int], unreachable: int) -> npt.NDArray[np.int64]:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import dijkstra  # type: ignore[import-untyped]

    height, width = cost.shape
    free = np.zeros((height + 2, width + 2), dtype=bool)
    free[1:-1, 1:-1] = cost != 0
    weights = np.zeros((height + 2, width + 2), dtype=np.int64)
    weights[1:-1, 1:-1] = cost

    def part(array: npt.NDArray[Any], dx: int, dy: int) -> npt.NDArray[Any]:
        return array[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width]

    index = np.arange(height * width).reshape(height, width)
    starts, ends, values = [], [], []
    for dx, dy in zip(DIRECTION_X, DIRECTION_Y, strict=True):
        allowed = part(free, 0, 0) & part(free, dx, dy) & part(free, dx, 0) & part(free, 0, dy)
        step = (part(weights, 0, 0) + part(weights, dx, dy)) * (99 if dx and dy else 70)
        starts.append(index[allowed])
        ends.append(index[allowed] + dy * width + dx)
        values.append(step[allowed])
    graph = csr_matrix((np.concatenate(values), (np.concatenate(starts), np.concatenate(ends))), shape=(index.size, index.size))
    distance = dijkstra(graph, indices=goal[1] * width + goal[0])
    return np.where(np.isinf(distance), unreachable, distance).astype(np.int64).reshape(height, width)


def _skimage_ms(cost: Cost, goal: tuple[int, int]) -> float | None:
    try:
        from skimage.graph import MCP_Geometric
    except ImportError:
        return None
    values = np.where(cost == 0, -1.0, cost.astype(np.float64))
    return best_ms(lambda: MCP_Geometric(values).find_costs([(goal[1], goal[0])]), 2)


# --- baked maps


def _packed_rows() -> list[Row]:
    """Costs as a baked map keeps them: how large, and how fast they are there again, beside numpy's own file."""
    result = []
    for name, cost, _ in _maps():
        data, file = pack_costs(cost), io.BytesIO()
        np.savez_compressed(file, cost=cost)

        def load(file: io.BytesIO = file) -> Cost:
            file.seek(0)
            return np.asarray(np.load(file)["cost"])

        ok = bool((unpack_costs(data) == cost).all() and (load() == cost).all())
        size, peer_size = len(data) / 1024, len(file.getvalue()) / 1024
        result.append(row(f"grid.packed.{name}.{SIDE}.size", size, "KiB", "numpy savez_compressed", peer_size, ok))
        result.append(
            row(f"grid.packed.{name}.{SIDE}.opened", best_ms(partial(unpack_costs, data)), "ms", "numpy load", best_ms(load), ok)
        )
    return result


# --- line of sight


def _sight_rows() -> list[Row]:
    grid = TileGrid(generate_map("caverns", 512, 512, 3).cost)
    pairs = np.random.default_rng(2).integers(0, 512, (20_000, 4))
    pairs[:, 2:] = np.clip(pairs[:, :2] + pairs[:, 2:] % 61 - 30, 0, 511)
    answers = lines_of_sight(grid, pairs)
    value = best_ms(lambda: lines_of_sight(grid, pairs)) * 1e3 / len(pairs)
    back = lines_of_sight(grid, pairs[:, [2, 3, 0, 1]])
    ok = bool((answers == back).all()) and 0 < int(answers.sum()) < len(pairs)
    return [row("grid.line_of_sight.caverns.30_tiles", value, "us", None, None, ok)]


# --- ways


def _way_rows() -> list[Row]:
    folder = Path(os.environ.get("PYNAV_MAPS", ROOT.parent / "shared" / "maps")) / "movingai"
    if not folder.is_dir():
        print(f"bench_grid: no folder {folder}; set PYNAV_MAPS for the rows of ways")
        return []
    tasks, ours = [], []
    for name in MAPS:
        problems = load_scenario(folder / f"{name}.map.scen")
        chosen = [problems[index * (len(problems) - 1) // (LINES - 1)] for index in range(LINES)]
        goal = chosen[-1].goal
        starts = [problems[index * (len(problems) - 1) // (CROWD - 1)].start for index in range(CROWD)]
        grid = TileGrid(load_octile_map(folder / f"{name}.map"))
        starts = [start for start in starts if grid.is_connected(start, goal)]
        tasks.append(
            {
                "map": str(folder / f"{name}.map"),
                "lines": [[*line.start, *line.goal] for line in chosen],
                "crowd": [list(start) for start in starts],
                "goal": list(goal),
            }
        )
        ours.append((name, grid, chosen, starts, goal))
    peers = engine_answers("astargrid.gd", tasks)
    result = []
    for index, (name, grid, chosen, starts, goal) in enumerate(ours):
        peer = peers[index] if peers else None
        field = IntegrationField(grid)

        def one_by_one(field: IntegrationField = field, chosen: list[Any] = chosen) -> list[npt.NDArray[np.int32]]:
            paths = []
            for line in chosen:
                field.build([line.goal])
                paths.append(path_to_goal(field, line.start))
            return paths

        def together(
            field: IntegrationField = field, starts: list[Any] = starts, goal: Any = goal
        ) -> list[npt.NDArray[np.int32]]:
            field.build([goal])
            return [path_to_goal(field, start) for start in starts]

        optimal = [line.optimal_length for line in chosen]
        ok = all(abs(_length(path) - best) < 5e-3 for path, best in zip(one_by_one(), optimal, strict=True))
        value = best_ms(one_by_one, 2) * 1e3 / len(chosen)
        peer_value = peer["line_us"] / len(chosen) if peer else None
        result.append(row(f"grid.way.{name}", value, "us", "AStarGrid2D (GDScript)", peer_value, ok))
        lengths = [_length(path) for path in together()]
        # Both are optimal under the same rules, so the peer's lengths are an answer to compare with.
        ok = peer is None or all(abs(a - b) < 1e-3 for a, b in zip(lengths, peer["crowd_costs"], strict=True))
        value = best_ms(together, 3) * 1e3 / len(starts)
        peer_value = peer["crowd_us"] / len(starts) if peer else None
        result.append(row(f"grid.{CROWD}_ways_to_one_goal.{name}", value, "us", "AStarGrid2D (GDScript)", peer_value, ok))
    return result


def _length(path: npt.NDArray[np.int32]) -> float:
    steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
    return float((steps == 1).sum() + (steps == 2).sum() * math.sqrt(2))


if __name__ == "__main__":
    for row in rows():
        print(json.dumps(row))
