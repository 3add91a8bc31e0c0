"""The keep: a walled town on a plain, roads from its gates, woods and lakes around, caverns at the edges of the map.

Made for the demo: a horde comes out of clearings in the rim and streams to the keep in the middle.
"""

import numpy as np
import numpy.typing as npt

from pynav.grid.generator.noise import FULL, fractal_noise, random_below, wobble
from pynav.grid.generator.shapes import close_unreachable, rectangle, smoothed, without_small_pieces
from pynav.grid.generator.terrain import (
    BUILDING,
    FLOOR,
    FOREST,
    GATE,
    PLAIN,
    ROAD,
    ROCK,
    THICKET,
    WALL,
    WATER,
    Terrain,
)

_SPAWN_COUNT = 12
# Sixteen directions on a circle in 1024ths, (cosine, sine): whole numbers, so that no library's sine decides a map.
_CIRCLE = (
    (1024, 0), (946, 392), (724, 724), (392, 946), (0, 1024), (-392, 946), (-724, 724), (-946, 392),
    (-1024, 0), (-946, -392), (-724, -724), (-392, -946), (0, -1024), (392, -946), (724, -724), (946, -392),
)  # fmt: skip


def keep(width: int, height: int, seed: int) -> tuple[Terrain, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Terrain, goal tiles (n, 2) and spawn areas (m, 4) of a keep map."""
    side = min(width, height)
    centre_x, centre_y = width // 2, height // 2
    terrain = _wilderness(width, height, seed)
    spawns = _spawn_areas(width, height, side)
    for index, (x, y, columns, rows) in enumerate(spawns.tolist()):
        _clearing(terrain, x, y, columns, rows, seed, index)
        start = (x + columns // 2, y + rows // 2)
        _road(terrain, start, _nearest_gate(centre_x, centre_y, start, side), max(side // 340, 1), seed, 40 + index)
    gates = _town(terrain, centre_x, centre_y, side, seed)
    goals = _stronghold(terrain, centre_x, centre_y, side)
    for gate_x, gate_y in gates:
        terrain[gate_y, gate_x] = GATE
    close_unreachable(terrain, (int(goals[0, 0]), int(goals[0, 1])), ROCK)
    return terrain, goals, spawns


def _wilderness(width: int, height: int, seed: int) -> Terrain:
    """Plain in the middle, woods and lakes around it, a rim of caverns."""
    side = min(width, height)
    columns, rows = np.arange(width, dtype=np.int64), np.arange(height, dtype=np.int64)
    # How far out a tile lies: 0 in the centre, 1000 at the edge; a blend of circle and square, bent by noise.
    across = np.abs(columns - width // 2)[None, :] * 2000 // width
    along = np.abs(rows - height // 2)[:, None] * 2000 // height
    square = np.maximum(across, along)
    out = (square * 3 + np.maximum(square, (across + along) * 2 // 3)) // 4
    out = out + (fractal_noise(width, height, max(side // 8, 8), 4, seed, 1) - FULL // 2) * 420 // FULL

    terrain = np.full((height, width), PLAIN, dtype=np.uint8)
    damp = fractal_noise(width, height, max(side // 9, 8), 4, seed, 2)
    wood = fractal_noise(width, height, max(side // 14, 8), 4, seed, 3)
    ridge = np.abs(fractal_noise(width, height, max(side // 7, 8), 4, seed, 4) - FULL // 2)

    wild = out > 330
    terrain[wild & (wood > FULL * 52 // 100)] = FOREST
    clump = fractal_noise(width, height, max(side // 60, 4), 3, seed, 5)
    dense = smoothed(wild & (wood > FULL * 56 // 100) & (clump > FULL * 51 // 100), 2, False)
    terrain[dense] = THICKET
    lake = without_small_pieces(smoothed(wild & (damp > FULL * 63 // 100), 2, False), 40)
    terrain[lake] = WATER
    cliff = (out > 420) & (ridge < FULL * 13 // 1000) & (damp < FULL * 60 // 100)
    terrain[without_small_pieces(smoothed(cliff, 1, False), 20)] = ROCK

    rim = out > 800
    hall = smoothed(fractal_noise(width, height, max(side // 36, 6), 3, seed, 6) < FULL * 53 // 100, 2, False)
    hall = ~without_small_pieces(~hall, 24)
    terrain[rim & ~hall] = ROCK
    terrain[rim & hall & (terrain != ROCK)] = PLAIN
    terrain[:2] = terrain[-2:] = ROCK
    terrain[:, :2] = terrain[:, -2:] = ROCK
    return terrain


def _spawn_areas(width: int, height: int, side: int) -> npt.NDArray[np.int32]:
    """Rectangles in the rim, between the diagonals and the axes."""
    reach = max(side * 7 // 100, 4)
    areas = []
    for index, (cosine, sine) in enumerate(_CIRCLE):
        if index % 4 == 0:
            continue  # the axes are for the great roads
        # The points of the circle pushed out towards the square.
        stretch = 1024 * 1024 // max(abs(cosine), abs(sine))
        x = width // 2 + cosine * stretch // 1024 * (width * 43 // 100) // 1024
        y = height // 2 + sine * stretch // 1024 * (height * 43 // 100) // 1024
        areas.append((x - reach // 2, y - reach // 2, reach, reach))
    return np.array(areas[:_SPAWN_COUNT], dtype=np.int32)


def _clearing(terrain: Terrain, x: int, y: int, columns: int, rows: int, seed: int, index: int) -> None:
    """Open ground with a ragged edge over the area."""
    height, width = terrain.shape
    margin = columns // 5 + 2
    left, top = max(x - margin, 3), max(y - margin, 3)
    right, low = min(x + columns + margin, width - 3), min(y + rows + margin, height - 3)
    inner_x = np.abs(2 * np.arange(left, right) - (2 * x + columns))[None, :]
    inner_y = np.abs(2 * np.arange(top, low) - (2 * y + rows))[:, None]
    ragged = fractal_noise(right - left, low - top, 10, 2, seed, 20 + index) * 2 * margin // FULL
    distance = np.maximum(np.maximum(inner_x, inner_y), (inner_x + inner_y) * 3 // 4)
    terrain[top:low, left:right][distance < columns + ragged] = PLAIN


def _road(terrain: Terrain, start: tuple[int, int], end: tuple[int, int], half: int, seed: int, stream: int) -> None:
    """A winding road, cut through whatever is in its way."""
    height, width = terrain.shape
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    sway = wobble(steps + 1, max(steps // 5, 4), max(steps // 9, 1), seed, stream)
    # The wandering fades out at both ends.
    at = np.arange(steps + 1)
    fade = np.minimum(np.minimum(at, steps - at) * 8, steps)
    offset = sway * fade // steps
    is_flat = abs(end[0] - start[0]) >= abs(end[1] - start[1])
    xs = start[0] + (end[0] - start[0]) * at // steps + (0 if is_flat else offset)
    ys = start[1] + (end[1] - start[1]) * at // steps + (offset if is_flat else 0)
    for x, y in zip(np.clip(xs, 4, width - 5).tolist(), np.clip(ys, 4, height - 5).tolist(), strict=True):
        terrain[y - half - 1 : y + half + 2, x - half - 1 : x + half + 2] = np.where(
            terrain[y - half - 1 : y + half + 2, x - half - 1 : x + half + 2] == ROAD, ROAD, PLAIN
        )
    for x, y in zip(np.clip(xs, 4, width - 5).tolist(), np.clip(ys, 4, height - 5).tolist(), strict=True):
        terrain[y - half : y + half + 1, x - half : x + half + 1] = ROAD


def _town_half(side: int) -> int:
    """Tiles from the centre to the curtain wall."""
    return max(side * 9 // 100, 10)


def _nearest_gate(centre_x: int, centre_y: int, start: tuple[int, int], side: int) -> tuple[int, int]:
    """A place before the gate that looks towards ``start``."""
    out = _town_half(side) + max(side * 3 // 100, 3)
    away_x, away_y = start[0] - centre_x, start[1] - centre_y
    if abs(away_x) > abs(away_y):
        return centre_x + (out if away_x > 0 else -out), centre_y
    return centre_x, centre_y + (out if away_y > 0 else -out)


def _town(terrain: Terrain, centre_x: int, centre_y: int, side: int, seed: int) -> list[tuple[int, int]]:
    """Curtain wall with towers and gates, streets and houses inside; returns the gate tiles, to be opened at the end."""
    half = _town_half(side)
    thick = max(side // 340, 1)
    gate = max(side // 128, 2)
    _open_field(terrain, centre_x, centre_y, half + max(side * 5 // 100, 3), seed)
    rectangle(terrain, centre_x - half, centre_y - half, 2 * half + 1, 2 * half + 1, PLAIN)

    # Houses in rows; every plot is drawn by its own number.
    plot = max(side // 72, 5)
    for row in range(-half + plot // 2, half - plot // 2, plot):
        for column in range(-half + plot // 2, half - plot // 2, plot):
            number = (row + half) * 4096 + column + half
            if random_below(10, seed, 60, number) < 9:
                columns = plot // 3 + 1 + random_below(max(plot // 3, 1), seed, 61, number)
                rows = plot // 3 + 1 + random_below(max(plot // 3, 1), seed, 62, number)
                x = centre_x + column + random_below(max(plot - columns - 2, 1), seed, 63, number)
                y = centre_y + row + random_below(max(plot - rows - 2, 1), seed, 64, number)
                rectangle(terrain, x, y, columns, rows, BUILDING)
    street = gate
    rectangle(terrain, centre_x - street // 2, centre_y - half, street, 2 * half + 1, ROAD)
    rectangle(terrain, centre_x - half, centre_y - street // 2, 2 * half + 1, street, ROAD)
    lane = half * 3 // 4
    for offset in (-lane, lane - 1):
        rectangle(terrain, centre_x + offset, centre_y - lane, 2, 2 * lane + 1, ROAD)
        rectangle(terrain, centre_x - lane, centre_y + offset, 2 * lane + 1, 2, ROAD)

    for distance in range(half - thick + 1, half + 1):
        for sign in (-1, 1):
            rectangle(terrain, centre_x - distance, centre_y + sign * distance, 2 * distance + 1, 1, WALL)
            rectangle(terrain, centre_x + sign * distance, centre_y - distance, 1, 2 * distance + 1, WALL)
    tower = thick + max(side // 200, 1)
    for along in (-half, -half // 2, half // 2, half):
        for across in (-half, half):
            for x, y in ((along, across), (across, along)):
                rectangle(terrain, centre_x + x - tower, centre_y + y - tower, 2 * tower + 1, 2 * tower + 1, WALL)

    # Great roads from the gates to the edges of the map, and the gates themselves.
    height, width = terrain.shape
    ends = ((width - 6, centre_y), (centre_x, height - 6), (5, centre_y), (centre_x, 5))
    tiles = []
    for index, (end, (step_x, step_y)) in enumerate(zip(ends, ((1, 0), (0, 1), (-1, 0), (0, -1)), strict=True)):
        start = (centre_x + step_x * (half + 2), centre_y + step_y * (half + 2))
        _road(terrain, start, end, max(side // 256, 1), seed, 30 + index)
        for depth in range(half - thick + 1, half + 1):
            for offset in range(-(gate // 2), gate - gate // 2):
                tiles.append((centre_x + step_x * depth + step_y * offset, centre_y + step_y * depth + step_x * offset))
    return tiles


def _open_field(terrain: Terrain, centre_x: int, centre_y: int, reach: int, seed: int) -> None:
    """A field of fire around the wall, round with a ragged edge: nothing solid grows there."""
    height, width = terrain.shape
    across = np.abs(np.arange(width, dtype=np.int64) - centre_x)[None, :]
    along = np.abs(np.arange(height, dtype=np.int64) - centre_y)[:, None]
    ragged = fractal_noise(width, height, max(reach // 4, 4), 3, seed, 8) * reach // FULL
    field = np.maximum(np.maximum(across, along), (across + along) * 3 // 4) < reach + ragged // 2
    terrain[field & (terrain != ROAD)] = PLAIN


def _stronghold(terrain: Terrain, centre_x: int, centre_y: int, side: int) -> npt.NDArray[np.int32]:
    """The keep in the middle of the town: an inner wall with two gates, a court, the tower; returns the goal tiles."""
    half = max(side * 25 // 1000, 5)
    thick = max(side // 512, 1)
    ring = half + max(side // 100, 2)
    rectangle(terrain, centre_x - ring, centre_y - ring, 2 * ring + 1, 2 * ring + 1, ROAD)
    rectangle(terrain, centre_x - half, centre_y - half, 2 * half + 1, 2 * half + 1, WALL)
    inner = half - thick
    rectangle(terrain, centre_x - inner, centre_y - inner, 2 * inner + 1, 2 * inner + 1, FLOOR)
    gate = max(side // 200, 2)
    for sign in (-1, 1):
        for depth in range(inner, half + 1):
            rectangle(terrain, centre_x - gate // 2, centre_y + sign * depth, gate, 1, GATE)
            rectangle(terrain, centre_x + sign * depth, centre_y - gate // 2, 1, gate, GATE)
    tower = max(half // 3, 1)
    rectangle(terrain, centre_x - tower, centre_y - tower, 2 * tower + 1, 2 * tower + 1, BUILDING)
    # The horde wants the tower: the goals are the tiles around it.
    reach = tower + 1
    tiles = [
        (centre_x + x, centre_y + y)
        for y in range(-reach, reach + 1)
        for x in range(-reach, reach + 1)
        if max(abs(x), abs(y)) == reach
    ]
    return np.array(tiles, dtype=np.int32)
