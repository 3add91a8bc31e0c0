"""Benchmarks of the portal solver: building, one order, first directions, regions, edits, short ways; and its routes' lengths."""

import os
import time
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from benchmarks.timing import best_ms, tcod_ms
from pynav.grid import IntegrationField, TileGrid, generate_map, load_octile_map
from pynav.portals import CoarseDirections, PortalRouter, RegionFields, SectorFlood, SectorMap, ShortPaths
from pynav.portals._region_kernels import write_fields
from pynav.portals.flood_scratch import FloodScratch
from pynav.portals.sector_layout import FAR
from pynav.portals.short_paths import STEPS

ROOT = Path(__file__).resolve().parents[1]
MAPS = ("Aurora", "BigGameHunters")
SIDES = (256, 512, 1024, 1600, 4096)
GROUP = 64
REGIONS = 200
EDITS = 40
WORST_RATIO = 1.15

Tile = tuple[int, int]


def _build_rows() -> list[Row]:
    found = []
    for side in SIDES:
        grid = TileGrid(generate_map("keep", side, side, 7).cost)
        ok = SectorMap(grid).component_count == grid.component_count
        value = best_ms(lambda grid=grid: SectorMap(grid), 3)  # type: ignore[misc]
        budget = 500.0 * (side / 1600) ** 2
        found.append(row(f"portals.build.keep.{side}", value, "ms", "budget of 500 ms for 1600 x 1600", budget, ok))
    return found


def _tcod_path_ms(cost: npt.NDArray[np.uint8], starts: list[Tile], goal: Tile) -> float | None:
    """One A* by tcod for each start; None where tcod is missing. It cuts corners: timed, not compared."""
    try:
        import tcod.path
    except ImportError:
        return None
    search = tcod.path.AStar(cost.astype(np.int32), diagonal=1.41)
    return best_ms(lambda: [search.get_path(y, x, goal[1], goal[0]) for x, y in starts], 1)


def _group(grid: TileGrid, start: Tile) -> list[Tile]:
    """The tiles nearest to one by walking."""
    field = IntegrationField(grid)
    field.build([start])
    order = np.argsort(field.distance.reshape(-1), kind="stable")[:GROUP]
    return [(int(tile) % grid.width, int(tile) // grid.width) for tile in order]


def _length(grid: TileGrid, path: npt.NDArray[np.int32]) -> int:
    cost = grid.cost[path[:, 1], path[:, 0]].astype(np.int64)
    is_diagonal = np.abs(np.diff(path, axis=0)).sum(axis=1) == 2
    return int(((cost[1:] + cost[:-1]) * np.where(is_diagonal, 99, 70)).sum())


def _order_rows(name: str, grid: TileGrid, sectors: SectorMap, starts: list[Tile], goal: Tile) -> list[Row]:
    """One order for a group: the search that it shares, first directions, its 64 routes."""
    router = PortalRouter(sectors)
    field = IntegrationField(grid)
    field.build([goal])
    wanted = np.unique([sectors.sector_of(*start) for start in starts]).astype(np.int32)

    def order() -> None:
        router.set_goals([goal])
        router.search.settle(wanted.tolist())

    def routes() -> list[npt.NDArray[np.int32]]:
        fresh = PortalRouter(sectors)
        fresh.set_goals([goal])
        return [fresh.path(start) for start in starts]

    walked = sum(_length(grid, path) for path in routes())
    least = sum(int(field.distance[y, x]) for x, y in starts)
    coarse = CoarseDirections(sectors)
    ok = least <= walked <= WORST_RATIO * least
    flood = best_ms(partial(field.build, [goal]))
    coarse_ms = best_ms(lambda: coarse.run(goal, wanted), 50)
    place = {int(sector): index for index, sector in enumerate(wanted)}
    targets = [coarse.target[place[sectors.sector_of(x, y)], min(sectors.island[y, x] - 1, 3)] for x, y in starts]
    coarse_ok = min(targets) >= 0
    return [
        row(f"portals.order.{name}", best_ms(order, 20), "ms", "flood of all tiles", flood, ok),
        row(f"portals.order.{name}", best_ms(order, 20), "ms", "tcod.path.dijkstra2d", tcod_ms(grid.cost, goal), ok),
        row(f"portals.first_directions.{name}", coarse_ms, "ms", "flood of all tiles", flood, coarse_ok),
        row(f"portals.64_routes.{name}", best_ms(routes, 3), "ms", "64 x tcod.path.AStar",
            _tcod_path_ms(grid.cost, starts, goal), ok),
        row(f"portals.64_routes_length.{name}", walked / least, "ratio", "shortest", 1.0, ok),
    ]  # fmt: skip


def _region_rows(name: str, grid: TileGrid, sectors: SectorMap, goal: Tile, free: npt.NDArray[np.intp]) -> list[Row]:
    """One region of 48 x 48 tiles, flooded, its centre's directions written; one thread."""
    router = PortalRouter(sectors)
    router.set_goals([goal])
    router.search.settle(range(sectors.sector_count))
    picked = [(int(x), int(y)) for x, y in free[np.random.default_rng(1).integers(0, len(free), REGIONS)]]
    islands = [(sectors.sector_of(x, y), sectors.island_of(x, y)) for x, y in picked]
    seeds = [router.fields.seeds(router.search, *island) for island in islands]
    starts = np.cumsum([0, *[len(one.tile) for one in seeds if one is not None]]).astype(np.int32)
    parts = [np.concatenate([getattr(one, part) for one in seeds if one is not None]) for part in ("tile", "value", "code")]
    direction = np.zeros((REGIONS, sectors.size**2), dtype=np.uint8)
    value = np.zeros((REGIONS, sectors.size**2), dtype=np.int32)
    call = write_fields.bind(
        grid.cost, np.array(islands, dtype=np.int32), np.arange(REGIONS, dtype=np.int32), starts, *parts, direction, value,
        *FloodScratch(sectors.size, 1, 1).all, sectors.size, sectors.column_count, 1, REGIONS, REGIONS,
    )  # fmt: skip
    ours = best_ms(lambda: call.run_range(0, 1), 20) * 1e3 / REGIONS
    flooded = RegionFields(sectors).fields(router.search, islands)
    ok = all(one is not None and one.value.tolist() == value[index].tolist() for index, one in enumerate(flooded))
    column, line = sectors.column_count // 2 - 1, sectors.row_count // 2 - 1
    cut = grid.cost[line * 16 : line * 16 + 48, column * 16 : column * 16 + 48].copy()
    cut[24, 24] = 1
    own = IntegrationField(TileGrid(cut))
    peer = best_ms(lambda: own.build([(24, 24)]), 50) * 1e3
    tcod = tcod_ms(cut, (24, 24))
    return [
        row(f"portals.region_48x48.{name}", ours, "us", "IntegrationField of one 48 x 48 map", peer, ok),
        row(f"portals.region_48x48.{name}", ours, "us", "tcod.path.dijkstra2d of one 48 x 48 map", tcod and tcod * 1e3, ok),
    ]


def _flood_rows(name: str, grid: TileGrid, sectors: SectorMap, goal: Tile) -> list[Row]:
    field, flood = IntegrationField(grid), SectorFlood(sectors)
    field.build([goal])
    expected = np.where(field.distance == field.unreachable, FAR, field.distance)
    ok = bool((flood.run([goal]) == expected).all())
    value, peer = best_ms(lambda: flood.run([goal])), best_ms(partial(field.build, [goal]))
    return [row(f"portals.flood_by_sectors.{name}", value, "ms", "flood of all tiles, one thread", peer, ok)]


def _edit_rows(name: str, cost: npt.NDArray[np.uint8], goal: Tile, start: Tile) -> list[Row]:
    """A building of 3 x 3 tiles comes or goes: sectors, portals, caches right again."""
    grid = TileGrid(cost)
    router = PortalRouter(SectorMap(grid))
    router.set_goals([goal])
    router.path(start)
    random, free = np.random.default_rng(3), np.argwhere(cost)[:, ::-1]
    times = []
    for _ in range(EDITS):
        x, y = (int(value) for value in free[random.integers(len(free))])
        x, y = min(max(x, 1), grid.width - 4), min(max(y, 1), grid.height - 4)
        old = grid.cost[y : y + 3, x : x + 3].copy()
        for costs in (np.zeros((3, 3), dtype=np.uint8), old):
            grid.set_cost_rect(x, y, costs)
            began = time.perf_counter()
            router.update(x, y, 3, 3)
            times.append((time.perf_counter() - began) * 1e3)
    fresh = PortalRouter(SectorMap(grid))
    fresh.set_goals([goal])
    ok = router.path(start).tolist() == fresh.path(start).tolist()
    anew = best_ms(lambda: SectorMap(grid), 3)
    return [
        row(f"portals.edit.{name}.mean", float(np.mean(times)), "ms", "all sectors anew", anew, ok),
        row(f"portals.edit.{name}.max", float(np.max(times)), "ms", "all sectors anew", anew, ok),
    ]


def _short_rows(name: str, grid: TileGrid, sectors: SectorMap, free: npt.NDArray[np.intp]) -> list[Row]:
    """A thousand short ways."""
    random = np.random.default_rng(4)
    starts = free[random.integers(0, len(free), 1000)]
    ends = starts + random.integers(-12, 13, starts.shape)
    lines = np.concatenate([starts, ends], axis=1)
    paths = ShortPaths(sectors)
    found = paths.find(lines)
    ok = True
    walked = np.flatnonzero(found.kind == STEPS)
    for index in walked[:20].tolist():  # never shorter than the shortest way
        field = IntegrationField(grid)
        field.build([(int(ends[index, 0]), int(ends[index, 1]))])
        ok = ok and int(field.distance[starts[index, 1], starts[index, 0]]) <= int(found.cost[index])
    value = best_ms(lambda: paths.find(lines))
    searched = lines[walked] if len(walked) else lines[:1]
    by_steps = best_ms(lambda: paths.find(searched)) * 1e3 / len(searched)
    peer = _tcod_path_ms(grid.cost, [(int(x), int(y)) for x, y in searched[:20, :2]], (int(searched[0, 2]), int(searched[0, 3])))
    return [
        row(f"portals.short_way.{name}", value, "us", "tcod.path.AStar", peer and peer * 1e3 / min(20, len(searched)), ok),
        row(f"portals.short_way_by_steps.{name}", by_steps, "us", None, None, ok),
    ]


def _distance_rows(name: str, grid: TileGrid, free: npt.NDArray[np.intp]) -> list[Row]:
    """True distances inside sectors beside the talk's straight lines: routes' lengths by the shortest."""
    random = np.random.default_rng(6)
    pairs = free[random.integers(0, len(free), (40, 2))].tolist()
    means = []
    for straight in (False, True):
        router = PortalRouter(SectorMap(grid, straight_lines=straight))
        ratios = []
        for start, goal in pairs:
            router.set_goals([goal])
            field = IntegrationField(grid)
            field.build([(goal[0], goal[1])])
            path = router.path((start[0], start[1]))
            if len(path) > 1:
                ratios.append(_length(grid, path) / int(field.distance[start[1], start[0]]))
        means.append(float(np.mean(ratios)))
    return [row(f"portals.route_length.{name}", means[0], "ratio", "straight lines inside sectors", means[1], means[0] < 1.02)]


def rows() -> list[Row]:
    """All rows of this benchmark."""
    found = _build_rows()
    folder = Path(os.environ.get("PYNAV_MAPS", ROOT.parent / "shared" / "maps")) / "movingai"
    if not folder.is_dir():
        print(f"bench_portals: no folder {folder}; set PYNAV_MAPS for the rows of real maps")
        return found
    for name in MAPS:
        cost = load_octile_map(folder / f"{name}.map")
        grid = TileGrid(cost)
        sectors = SectorMap(grid)
        label = grid.components()
        free = np.argwhere(label == int(np.argmax(np.bincount(label.reshape(-1))[1:])) + 1)[:, ::-1]
        start, goal = ((int(x), int(y)) for x, y in free[np.random.default_rng(5).integers(0, len(free), 2)])
        found += _order_rows(name, grid, sectors, _group(grid, start), goal)
        found += _region_rows(name, grid, sectors, goal, free)
        found += _flood_rows(name, grid, sectors, goal)
        found += _edit_rows(name, cost, goal, start)
        found += _short_rows(name, grid, sectors, free)
        found += _distance_rows(name, grid, free)
    return found
