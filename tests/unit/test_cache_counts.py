"""How often the caches of a world had what was asked for."""

import numpy as np

from pynav.grid import TileGrid
from pynav.jobs import CacheCounts
from pynav.world import World


def test_counts_add_up() -> None:
    counts = CacheCounts()
    assert counts.hit_percent == 0.0
    for was_there in (True, False, True, True):
        counts.note(was_there)
    assert counts == CacheCounts(3, 1) and counts.hit_percent == 75.0
    assert counts + CacheCounts(1, 3) == CacheCounts(4, 4)


def test_crowds_with_one_goal_share_its_flow_and_like_blocks_their_distances() -> None:
    world = World()
    assert world.cache_counts == {"flows": CacheCounts(), "matrices": CacheCounts()}
    world.set_grid(TileGrid(np.ones((65, 65), dtype=np.uint8)))
    for goal in ([[3, 3]], [[3, 3]], [[60, 60]]):
        world.add_crowd(1).set_goal(goal)
    counts = world.cache_counts
    assert counts["flows"] == CacheCounts(1, 2)
    assert counts["matrices"] == CacheCounts(15, 1)  # 16 open blocks of one kind
    world.edit_cost(5, 5, np.zeros((1, 1), dtype=np.uint8))
    world.edit_cost(5, 5, np.ones((1, 1), dtype=np.uint8))
    world.step(1 / 60)
    assert world.cache_counts["matrices"] == CacheCounts(16, 2)
