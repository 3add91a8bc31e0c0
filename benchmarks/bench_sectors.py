"""Benchmarks of the exact solver: building the blocks, one goal, an edit under 64 goals; beside floods of the whole map."""

import os
import time
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.engine_peer import engine_answers
from benchmarks.table import Row, row
from benchmarks.timing import best_ms, tcod_ms
from pynav.grid import IntegrationField, TileGrid, generate_map, load_octile_map
from pynav.sectors import BlockGraph, CommonRoute, GoalValues, Groups
from pynav.sectors._block_heap_kernels import DONE
from pynav.sectors.block_layout import NOT_HERE, READY, STEP, UNREACHED
from pynav.sectors.flow_repair import FlowRepair, Goals

ROOT = Path(__file__).resolve().parents[1]
MAPS = ("Aurora", "BigGameHunters")
GOALS = 64
EDITS = 40


def _border_distances(graph: BlockGraph, field: IntegrationField) -> npt.NDArray[np.int64]:
    whole = np.full(graph.cost.shape, UNREACHED, dtype=np.int64)
    distance = field.distance.astype(np.int64)
    whole[: field.grid.height, : field.grid.width] = np.where(field.distance == field.unreachable, UNREACHED, distance)
    found: npt.NDArray[np.int64] = whole[graph.border_y, graph.border_x]
    return found


def _build_rows() -> list[Row]:
    found = []
    for side in (512, 1024, 1600):
        grid = TileGrid(generate_map("keep", side, side, 7).cost)
        graph = BlockGraph(grid)
        field = IntegrationField(grid)
        goal = tuple(int(value) for value in np.argwhere(grid.cost)[len(np.argwhere(grid.cost)) // 2][::-1])
        field.build([goal])
        values = GoalValues(graph)
        values.build([goal])
        ok = bool((values.value == _border_distances(graph, field)).all())
        value = best_ms(lambda grid=grid: BlockGraph(grid), 3)  # type: ignore[misc]
        budget = 500.0 * (side / 1600) ** 2
        found.append(row(f"sectors.block_graph.keep.{side}", value, "ms", "budget of 500 ms for 1600 x 1600", budget, ok))
    return found


def _goal_rows(name: str, grid: TileGrid, goals: list[tuple[int, int]]) -> list[Row]:
    """One goal: border values, beside a flood of all tiles by our own kernel and by tcod."""
    graph = BlockGraph(grid)
    values, field = GoalValues(graph), IntegrationField(grid)
    ok = True
    for goal in goals[:4]:
        values.build([goal])
        field.build([goal])
        ok = ok and bool((values.value == _border_distances(graph, field)).all())
    value = best_ms(partial(values.build, [goals[0]]))
    return [
        row(f"sectors.one_goal.{name}", value, "ms", "flood of all tiles", best_ms(partial(field.build, [goals[0]])), ok),
        row(f"sectors.one_goal.{name}", value, "ms", "tcod.path.dijkstra2d", tcod_ms(grid.cost, goals[0]), ok),
    ]


def _common_route_rows(name: str, grid: TileGrid, goals: list[tuple[int, int]]) -> list[Row]:
    """The way that a group goes together, sought after the search for its goal: the mean over pairs of goals."""
    graph = BlockGraph(grid)
    values, route = GoalValues(graph), CommonRoute(graph)
    field = IntegrationField(grid)
    times, ok = [], True
    for goal, start in zip(goals[0::2], goals[1::2], strict=True):
        values.build([goal])
        groups = Groups(np.array([[*start, 4]], dtype=np.int32), np.array([start], dtype=np.int32))
        call, progress = route.begin(graph.corridor_cost(), values.value, values.goal_x, values.goal_y, groups, 10**9)
        began = time.perf_counter()
        while not progress[DONE]:
            call.run()
        times.append((time.perf_counter() - began) * 1e3)
        ok = ok and _is_shortest_inside(route, grid, goal)
    flood = best_ms(partial(field.build, [goals[0]]), 3)
    return [row(f"sectors.common_route.{name}", float(np.mean(times)), "ms", "flood of all tiles", flood, ok)]


def _is_shortest_inside(route: CommonRoute, grid: TileGrid, goal: tuple[int, int]) -> bool:
    """Whether a common route's directions are those of a flood of its corridor."""
    shape = route.graph.row_count * STEP, route.graph.column_count * STEP
    codes = np.full(shape, NOT_HERE, dtype=np.uint8)
    for block, own in zip(route.blocks.tolist(), route.codes.reshape(-1, STEP, STEP), strict=True):
        row_at, column_at = divmod(block, route.graph.column_count)
        codes[row_at * STEP : (row_at + 1) * STEP, column_at * STEP : (column_at + 1) * STEP] = own
    codes = codes[: grid.height, : grid.width]
    inside = codes != NOT_HERE
    if not inside.any():
        return False
    field = IntegrationField(TileGrid(np.where(inside, grid.cost[: codes.shape[0], : codes.shape[1]], 0).astype(np.uint8)))
    field.build([goal])
    return bool((field.directions[inside] == codes[inside]).all())


def _edit_rows(name: str, cost: npt.NDArray[np.uint8], goals: list[tuple[int, int]]) -> list[Row]:
    """A building of 3 x 3 tiles comes or goes under 64 live goals: blocks and all border values right again."""
    grid = TileGrid(cost)
    graph = BlockGraph(grid)
    repair = FlowRepair(graph)
    value = np.full((GOALS, graph.border_count), UNREACHED, dtype=np.int32)
    ready = np.full((GOALS, graph.block_count), READY, dtype=np.uint8)
    one = GoalValues(graph)
    tiles = np.array(goals, dtype=np.int32)
    blocks = [graph.blocks_of_tiles(tile[None, :]) for tile in tiles]
    starts = np.arange(GOALS + 1, dtype=np.int32)
    numbers: Goals = (
        starts, np.ascontiguousarray(tiles[:, 0]), np.ascontiguousarray(tiles[:, 1]),
        np.cumsum([0, *map(len, blocks)]).astype(np.int32), np.concatenate(blocks),
    )  # fmt: skip
    for index, goal in enumerate(goals):
        one.build([goal])
        value[index] = one.value
    random = np.random.default_rng(3)
    free = np.argwhere(cost)[:, ::-1]
    slots = np.arange(GOALS, dtype=np.int32)
    times, failed_count = [], 0
    for _ in range(EDITS):
        x, y = (int(value) for value in free[random.integers(len(free))])
        x, y = min(max(x, 1), grid.width - 4), min(max(y, 1), grid.height - 4)
        old = grid.cost[y : y + 3, x : x + 3].copy()
        for costs in (np.zeros((3, 3), dtype=np.uint8), old):
            began = time.perf_counter()
            grid.set_cost_rect(x, y, costs)
            changed = graph.update(x, y, 3, 3)
            failed = repair.run(slots, changed, value, ready, numbers)
            times.append((time.perf_counter() - began) * 1e3)
            failed_count += int(failed.sum())
            for index in np.flatnonzero(failed):
                one.build([goals[index]] if grid.is_free(*goals[index]) else [])
                value[index] = one.value
    ok = True
    for index in range(0, GOALS, 7):
        one.build([goals[index]])
        ok = ok and bool((one.value == value[index]).all())
    field = IntegrationField(grid)
    flood = best_ms(partial(field.build, [goals[0]]), 3) * GOALS
    peer = "64 floods of all tiles"
    note = f"sectors.edit_under_64_goals.{name}"
    mean = float(np.mean(times))
    return [
        row(f"{note}.mean", mean, "ms", peer, flood, ok),
        *_engine_edit_rows(f"{note}.mean", name, mean, free, goals, ok),
        row(f"{note}.max", float(np.max(times)), "ms", peer, flood, ok),
        row(f"{note}.left_to_builds", failed_count / (2 * EDITS * GOALS), "share", None, None, ok),
    ]


def _engine_edit_rows(
    note: str, name: str, mean: float, free: npt.NDArray[np.int64], goals: list[tuple[int, int]], ok: bool
) -> list[Row]:
    """The same beside the engine's own navigation: a region over the whole map, regions of 32 tiles, AStarGrid2D and 64 ways."""
    random = np.random.default_rng(9)
    edits = [[int(part) for part in free[random.integers(len(free))]] for _ in range(8)]
    task = {"map": str(_maps() / f"{name}.map"), "edits": edits, "size": 3, "starts": goals, "goal": goals[0]}
    answers = engine_answers("edits.gd", [task])
    if answers is None:
        return []
    peers = {
        "NavigationServer2D, one region, without cutting its polygons": "whole_ms",
        "NavigationServer2D, regions of 32 tiles, likewise": "chunk_ms",
        "AStarGrid2D and 64 ways sought again": "grid_ms",
    }
    is_right = ok and bool(answers[0]["right"])
    return [row(note, mean, "ms", peer, float(answers[0][key]), is_right) for peer, key in peers.items()]


def _maps() -> Path:
    return Path(os.environ.get("PYNAV_MAPS", ROOT.parent / "shared" / "maps")) / "movingai"


def rows() -> list[Row]:
    """All rows of this benchmark."""
    found = _build_rows()
    folder = _maps()
    if not folder.is_dir():
        print(f"bench_sectors: no folder {folder}; set PYNAV_MAPS for the rows of real maps")
        return found
    for name in MAPS:
        cost = load_octile_map(folder / f"{name}.map")
        grid = TileGrid(cost)
        label = grid.components()
        largest = int(np.argmax(np.bincount(label.reshape(-1))[1:])) + 1
        free = np.argwhere(label == largest)[:, ::-1]
        picked = free[np.random.default_rng(5).integers(0, len(free), GOALS)]
        goals = [(int(x), int(y)) for x, y in picked]
        found += _goal_rows(name, grid, goals)
        found += _common_route_rows(name, grid, goals)
        found += _edit_rows(name, cost, goals)
    return found
