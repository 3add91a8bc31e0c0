"""Small worlds for tests."""

import numpy as np
import numpy.typing as npt

from pynav.grid import TileGrid
from pynav.world import World

TICK = 1.0 / 60.0


def grid_of(*rows: str) -> TileGrid:
    """A grid from rows of characters: # and ~ solid, a digit its cost, all else 1."""
    return TileGrid(np.array([[_cost(character) for character in row] for row in rows], dtype=np.uint8))


def _cost(character: str) -> int:
    if character in "#~":
        return 0
    return int(character) if character.isdigit() else 1


def world_of(*rows: str, seed: int = 3) -> World:
    """A world with that map."""
    world = World(seed=seed)
    world.set_grid(grid_of(*rows))
    return world


def open_world(width: int, height: int, seed: int = 3) -> World:
    """A world with a free map."""
    return world_of(*["." * width] * height, seed=seed)


def run(world: World, seconds: float, dt: float = TICK) -> None:
    """Step for that long, looking after each tick that nobody stands in a wall and all numbers are finite."""
    for _ in range(round(seconds / dt)):
        world.step(dt)
        check(world)


def run_until_arrived(world: World, seconds: float, dt: float = TICK) -> bool:
    """Step until every agent of every crowd has arrived, at most that long; whether they did."""
    for _ in range(round(seconds / dt)):
        world.step(dt)
        check(world)
        if all(is_settled(crowd.states[crowd.alive]) for crowd in world.crowds):
            return True
    return False


def is_settled(states: npt.NDArray[np.int32]) -> bool:
    """Whether all are arrived."""
    return bool((states == 2).all())


def check(world: World) -> None:
    """Nobody stands in a solid tile, no number is anything but finite."""
    assert world.grid is not None
    cost = world.grid.cost
    for crowd in world.crowds:
        points = crowd.positions[crowd.alive]
        assert np.isfinite(points).all() and np.isfinite(crowd.velocities).all() and np.isfinite(crowd.headings).all()
        assert (points >= 0).all()
        tiles = points.astype(np.int64)
        assert cost[tiles[:, 1], tiles[:, 0]].all(), "an agent stands in a solid tile"
