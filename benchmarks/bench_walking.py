"""Benchmarks of string pulling: what an agent's target costs beside a blended heading, and what it saves on the way."""

import numpy as np
import numpy.typing as npt

from benchmarks.table import Row, row
from benchmarks.timing import best_ms
from pynav.crowd._string_pulling_kernels import pull_targets, target_tile
from pynav.crowd.wall_map import WallMap
from pynav.evaluation.moving_units import RADIUS, SPEED, walk, way_length
from pynav.grid import FlowField, IntegrationField, ScenarioLine, TileGrid, generate_map
from pynav.grid._sampling_kernels import heading_table, sample_many
from pynav.grid.steps import UNIT_STEP_COST
from pynav.sectors.block_layout import READY, block_counts
from pynav.world import World
from tests.naive import sight

SIDE = 512
AGENTS = 20_000
CHECKED = 200
WAYS = 6
SERIAL = 3


def _field() -> FlowField:
    """A flow over generated caverns to a tile near their middle."""
    grid = TileGrid((generate_map("caverns", SIDE, SIDE, 4).cost != 0).astype(np.uint8))
    labels = grid.components()
    largest = int(np.argmax(np.bincount(labels[labels > 0])))
    goal = grid.nearest_free(SIDE // 2, SIDE // 2, largest)
    assert goal is not None
    field = FlowField(grid, [goal])
    field.build()
    return field


def _points(field: FlowField) -> npt.NDArray[np.float32]:
    """Places of agents on tiles with a way, in the order of rows, as a crowd's are."""
    random = np.random.default_rng(1)
    tiles = np.argwhere(field.flow[1:-1, 1:-1] < 8)[:, ::-1]
    chosen = tiles[np.sort(random.integers(0, len(tiles), AGENTS))]
    return (chosen + RADIUS + random.random((AGENTS, 2)) * (1 - 2 * RADIUS)).astype(np.float32)


def _is_right(field: FlowField, points: npt.NDArray[np.float32], target: npt.NDArray[np.int32]) -> bool:
    """Whether new targets lie on their routes and in sight, by the slow references."""
    for index in range(0, len(points), len(points) // CHECKED):
        x, y = points[index].tolist()
        if target[index]:
            column, row_ = target_tile(int(target[index]), points[index, 0], points[index, 1])
            tile = (int(column), int(row_))
            if tile not in sight.route(field.flow, int(x), int(y)):
                return False
            if not sight.is_clear(field.grid.cost, (x, y), (tile[0] + 0.5, tile[1] + 0.5), RADIUS - 0.0101):
                return False
    return True


def _target_rows(field: FlowField) -> list[Row]:
    points = _points(field)
    heading = np.zeros((AGENTS, 2), dtype=np.float32)
    target: npt.NDArray[np.int32] = np.zeros(AGENTS, dtype=np.int32)
    columns, rows_ = block_counts(SIDE, SIDE)
    blocks = np.full(columns * rows_, READY, dtype=np.uint8)
    reach = np.full(AGENTS, RADIUS, dtype=np.float32)
    walls = WallMap(field.grid.cost).walls[0]

    def pull(known: npt.NDArray[np.int32]) -> None:
        target[:] = known
        pull_targets(field.flow, blocks, walls, points, reach, target, heading, SERIAL, 0, AGENTS)

    table = heading_table()
    ns = 1e6 / AGENTS
    blended = best_ms(lambda: sample_many(field.flow, table, points, heading)) * ns
    none = np.zeros_like(target)
    fresh = best_ms(lambda: pull(none)) * ns
    ok = _is_right(field, points, target)
    known = target.copy()
    for _ in range(3):
        pull(known)
        known = target.copy()
    later = best_ms(lambda: pull(known)) * ns
    peer = "blended directions"
    return [
        row("string pulling: a new target, one thread", fresh, "ns", peer, blended, ok),
        row("string pulling: one pushed on, one thread", later, "ns", peer, blended, ok),
    ]


def _way_row(field: FlowField) -> Row:
    """Ways of lone units by the octile optimum of the same pairs."""
    distance = IntegrationField(field.grid)
    distance.build(field.goals)
    points = _points(field)
    world = World(seed=1)
    world.set_grid(field.grid)
    unit = world.add_crowd(0, SPEED, RADIUS, arrive_radius=0.1, speed_variation=0.0)
    goal = (int(field.goals[0][0]), int(field.goals[0][1]))
    walked = optimum = 0.0
    arrived = 0
    for x, y in points[:: AGENTS // WAYS].astype(int).tolist():
        length = float(distance.distance[y, x]) / UNIT_STEP_COST
        way = walk(world, unit, ScenarioLine(0, "caverns", SIDE, SIDE, (x, y), goal, length))
        if way is not None:
            arrived += 1
            walked += way_length(way)
            optimum += length
    return row("string pulling: ways of lone units", walked / optimum, "octile", "tile by tile", 1.0, arrived >= WAYS)


def rows() -> list[Row]:
    """All rows of this benchmark."""
    field = _field()
    return [*_target_rows(field), _way_row(field)]
