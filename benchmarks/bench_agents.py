"""Benchmarks of agent nodes in the engine: FlowFieldAgent2D beside NavigationAgent2D, leading bodies that a script moves.

500 bodies walk over a map of caverns, each to a target of its own, by the same script (benchmarks/peers/agents.gd), once
straight along their ways and once with avoidance. The engine's agents walk on the free tiles cut into rectangles, whose edges
know nothing of a body's radius. A figure is the whole physics frame, the script's part too, by the bodies that still walk.

Without avoidance an answer is right if all bodies arrived, none of ours was ever in a solid tile, and none went farther than the
shortest way from tile to tile, a hundredth and a tile more, nor less far than straight. With avoidance ten seconds are measured:
velocity_computed keeps bodies off one another, not out of walls (bodies collide with those by themselves; these do not),
so an answer is right if no fewer arrived than of the engine's, and no more were in walls.
"""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.engine_peer import engine_answers
from benchmarks.table import Row, row
from pynav.grid import TileGrid, generate_map
from pynav.world import World

SIDE = 128
BODIES = 500
TILE = 16.0
SHORTEST = 20.0  # tiles that a target is away at least
FRAMES = (2400, 600)  # straight, until all have arrived; with avoidance
NEAR = 4.0 / TILE  # so near counts as there


def _caverns(folder: Path) -> tuple[Path, World]:
    """A map as a file, and a world on it."""
    cost = np.minimum(generate_map("caverns", SIDE, SIDE, 5).cost, 1)
    path = folder / "caverns.map"
    lines = ["".join(".@"[int(tile == 0)] for tile in line) for line in cost]
    path.write_text("\n".join(["type octile", f"height {SIDE}", f"width {SIDE}", "map", *lines]) + "\n", encoding="ascii")
    world = World()
    world.set_grid(TileGrid(cost.astype(np.uint8)))
    return path, world


def _ways(world: World) -> tuple[list[list[int]], list[list[int]], list[float]]:
    """Starts, targets, and the lengths of the shortest ways from tile to tile."""
    assert world.grid is not None
    generator = np.random.default_rng(4)
    routes = world.routes_for("", 1)
    free = np.argwhere(world.grid.cost != 0)[:, ::-1]
    starts: list[list[int]] = []
    targets: list[list[int]] = []
    lengths: list[float] = []
    while len(starts) < BODIES:
        start, target = (free[generator.integers(len(free))].tolist() for _ in range(2))
        is_far = np.hypot(*np.subtract(start, target)) >= SHORTEST
        if is_far and start not in starts and target not in targets and routes.is_reachable(tuple(start), tuple(target)):
            starts.append(start)
            targets.append(target)
            lengths.append(routes.distance(tuple(start), tuple(target)))
    return starts, targets, lengths


def rows() -> list[Row]:
    """All rows of this benchmark."""
    with tempfile.TemporaryDirectory() as folder:
        path, world = _caverns(Path(folder))
        starts, targets, lengths = _ways(world)
        task = {"map": str(path), "starts": starts, "targets": targets}
        tasks = [{**task, "frames": frames, "avoids": frames < FRAMES[0]} for frames in FRAMES]
        found = [
            engine_answers("agents.gd", [{**task, "ours": ours} for task in tasks], 600.0, with_addon=ours)
            for ours in (True, False)
        ]
    if found[0] is None or found[1] is None:
        return []
    straight = np.hypot(*np.subtract(starts, targets).T)
    return [
        one
        for ours, peer, task in zip(*found, tasks, strict=True)
        for one in _rows_of(ours, peer, bool(task["avoids"]), np.array(lengths), straight)
    ]


def _rows_of(ours: dict[str, Any], peer: dict[str, Any], avoids: bool, shortest: Any, straight: Any) -> list[Row]:
    walked, peer_walked = (np.array(one["lengths"]) / TILE for one in (ours, peer))
    arrived, peer_arrived = ((one >= 0).sum() for one in (walked, peer_walked))
    ok = bool(arrived >= peer_arrived) and ours["in_walls"] <= peer["in_walls"]
    if not avoids:
        lengths_ok = bool(((walked <= 1.01 * shortest + 1.0) & (walked >= straight - 2.0 * NEAR)).all())
        ok = lengths_ok and bool(arrived == BODIES) and ours["in_walls"] == 0
    name, other = f"agent nodes: {BODIES} bodies{', avoidance' if avoids else ''}", "NavigationAgent2D"
    return [
        row(f"{name}, a node and frame", ours["node_us"], "us", other, peer["node_us"], ok),
        row(f"{name}, frame of the ways, a node", ours["seek_us"], "us", other, peer["seek_us"], ok),
        row(f"{name}, arrived, more is better", float(arrived), "", other, float(peer_arrived), ok),
        row(f"{name}, way by the octile optimum", float(walked[walked >= 0].sum() / shortest[walked >= 0].sum()), "", other,
            float(peer_walked[peer_walked >= 0].sum() / shortest[peer_walked >= 0].sum()), ok),
        row(f"{name}, ever in a wall", float(ours["in_walls"]), "", other, float(peer["in_walls"]), ok),
    ]  # fmt: skip
