"""Repairs of published values against builds from nothing."""

import numpy as np
import numpy.typing as npt

from pynav.grid import TileGrid
from pynav.sectors import BlockGraph, GoalValues
from pynav.sectors.block_layout import MISSING, READY, UNREACHED
from pynav.sectors.flow_repair import NOT_TRIED, PARTS, REPAIRED, FlowRepair, Goals
from tests.unit.sectors.maps import random_goals, random_map

FLOWS = 6


class Table:
    """Values of several goals on one map."""

    def __init__(self, cost: npt.NDArray[np.uint8], goals: list[list[tuple[int, int]]]) -> None:
        self.grid = TileGrid(cost)
        self.graph = BlockGraph(self.grid)
        self.goals = goals
        self.repair = FlowRepair(self.graph)
        self.value = np.full((len(goals), self.graph.border_count), UNREACHED, dtype=np.int32)
        self.ready = np.full((len(goals), self.graph.block_count), READY, dtype=np.uint8)
        for row, expected in enumerate(self.built()):
            self.value[row] = expected

    def built(self) -> list[npt.NDArray[np.int32]]:
        """Values from nothing, on the map as it is."""
        found = []
        for goals in self.goals:
            values = GoalValues(self.graph)
            values.build([goal for goal in goals if self.grid.is_free(*goal)])
            found.append(values.value)
        return found

    def goal_numbers(self) -> Goals:
        tiles = [np.array(goals, dtype=np.int32) for goals in self.goals]
        blocks = [self.graph.blocks_of_tiles(goals) for goals in tiles]
        flat = np.concatenate(tiles)
        starts, block_starts = (np.cumsum([0, *map(len, parts)]).astype(np.int32) for parts in (tiles, blocks))
        return starts, np.ascontiguousarray(flat[:, 0]), np.ascontiguousarray(flat[:, 1]), block_starts, np.concatenate(blocks)

    def edit(self, x: int, y: int, costs: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Edit and repair all flows; which of them were too much."""
        self.grid.set_cost_rect(x, y, costs)
        changed = self.graph.update(x, y, costs.shape[1], costs.shape[0])
        self.ready[:] = READY
        slots = np.arange(len(self.goals), dtype=np.int32)
        return self.repair.run(slots, changed, self.value, self.ready, self.goal_numbers())


def test_repairs_equal_builds_from_nothing() -> None:
    """Walls and costs come and go, on goals too; blocks whose values changed are missing, others are not."""
    random = np.random.default_rng(4)
    raised = lowered = untouched = 0
    for _ in range(12):
        cost = random_map(random, 17, 80)
        table = Table(cost, [random_goals(random, cost) for _ in range(FLOWS)])
        for _ in range(20):
            height, width = (int(side) for side in random.integers(1, 4, 2))
            x = int(random.integers(0, table.grid.width - width + 1))
            y = int(random.integers(0, table.grid.height - height + 1))
            old = table.value.copy()
            edit = np.full((height, width), random.choice([0, 0, 1, 1, 3]), dtype=np.uint8)
            assert not table.edit(x, y, edit).any()
            for row, expected in enumerate(table.built()):
                assert table.value[row].tolist() == expected.tolist()
                owners = np.unique(table.graph.owner_block[table.value[row] != old[row]])
                assert set(owners[owners >= 0].tolist()) <= set(np.flatnonzero(table.ready[row] == MISSING).tolist())
                untouched += int((table.ready[row] == READY).sum())
            raised += int((table.value > old).sum())
            lowered += int((table.value < old).sum())
    assert raised > 100 and lowered > 100 and untouched > 100


def test_what_is_too_much_is_told_and_leaves_everything_as_it_was() -> None:
    table = Table(np.ones((513, 513), dtype=np.uint8), [[(2, 2)], [(500, 500)]])
    old = table.value.copy()
    wall = np.zeros((512, 1), dtype=np.uint8)
    assert table.edit(256, 0, wall).all()
    assert (table.value == old).all()
    assert (table.ready == READY).all()
    # The scratch is clean: an edit that is not too much, from values that are right, goes well.
    for row, expected in enumerate(table.built()):
        table.value[row] = expected
    assert not table.edit(30, 30, np.zeros((2, 2), dtype=np.uint8)).any()
    for row, expected in enumerate(table.built()):
        assert table.value[row].tolist() == expected.tolist()


def test_repairs_within_a_limit_go_on_where_they_ended() -> None:
    """Any limit gets there, in the order given, at least one flow a part and call, with the values of a build from nothing."""
    random = np.random.default_rng(9)
    cost = random_map(random, 60, 80)
    table = Table(cost, [random_goals(random, cost) for _ in range(3 * PARTS + 1)])
    table.grid.set_cost_rect(20, 20, np.zeros((3, 3), dtype=np.uint8))
    changed = table.graph.update(20, 20, 3, 3)
    expected = table.built()
    left = np.arange(len(table.goals), dtype=np.int32)
    calls = 0
    while len(left):
        before = table.value.copy()
        outcome = table.repair.run(left, changed, table.value, table.ready, table.goal_numbers(), 1)
        calls += 1
        assert (outcome == REPAIRED).sum() == min(PARTS, len(left))
        assert (table.value[left[outcome == NOT_TRIED]] == before[left[outcome == NOT_TRIED]]).all()
        left = left[outcome == NOT_TRIED]
    assert calls == 4
    assert table.value.tolist() == [values.tolist() for values in expected]
