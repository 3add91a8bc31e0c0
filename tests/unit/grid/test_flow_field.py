"""The flow field: two buffers, slices, codes."""

import numpy as np
import pytest

from pynav.grid import NO_WAY, SOLID_TILE, FlowField, GridError, IntegrationField, TileGrid
from pynav.jobs import SlicedJob
from pynav.kernels import get_threads, set_threads
from tests.unit.grid.pictures import cost_of


def test_the_old_flow_is_served_until_the_new_one_is_published() -> None:
    grid = TileGrid(np.ones((5, 8), dtype=np.uint8))
    field = FlowField(grid, [(7, 2)])
    assert set(np.unique(field.flow)) == {NO_WAY, SOLID_TILE}
    field.build()
    served = field.flow.copy()
    grid.set_cost_rect(4, 0, np.zeros((4, 1), dtype=np.uint8))
    assert not field.is_current
    field.begin()
    while not field.work(7):
        assert (field.flow == served).all()
    assert (field.flow == served).all()
    field.publish()
    assert field.is_current
    fresh = FlowField(TileGrid(grid.cost), [(7, 2)])
    fresh.build()
    assert (field.flow == fresh.flow).all()
    assert (field.flow != served).any()


def test_codes() -> None:
    field = FlowField(TileGrid(cost_of("..#.", "..#.")), [(0, 0)])
    field.build()
    assert field.flow.tolist() == [
        [10, 10, 10, 10, 10, 10],
        [10, 8, 4, 10, 9, 10],
        [10, 6, 5, 10, 9, 10],
        [10, 10, 10, 10, 10, 10],
    ]


@pytest.mark.parametrize("budget", [1, 2, 13, 64, 10_000])
def test_slices_don_t_show(budget: int) -> None:
    cost = np.random.default_rng(2).integers(0, 4, (30, 41)).astype(np.uint8)
    cost[9, 9] = 2
    field = FlowField(TileGrid(cost), [(9, 9)])
    field.begin()
    slices = 1
    while not field.work(budget):
        slices += 1
    field.publish()
    plain = IntegrationField(TileGrid(cost))
    plain.build([(9, 9)])
    inner = field.flow[1:-1, 1:-1]
    assert (inner[inner < 8] == plain.directions[inner < 8]).all()
    assert ((inner == SOLID_TILE) == (cost == 0)).all()
    assert ((inner == NO_WAY) == ((plain.distance == plain.unreachable) & (cost != 0))).all()
    assert slices > 1 or budget == 10_000


def test_misuse_is_said_in_words() -> None:
    field = FlowField(TileGrid([[1, 1]]), [(0, 0)])
    with pytest.raises(GridError, match="call begin"):
        field.work(5)
    with pytest.raises(GridError, match="got none"):
        field.publish()
    field.begin()
    with pytest.raises(GridError, match="in progress"):
        field.publish()
    with pytest.raises(GridError, match="at least 1 tile, got 0"):
        field.work(0)


def test_a_cancelled_build_leaves_what_was_published() -> None:
    grid = TileGrid([[1, 1, 1]])
    field = FlowField(grid, [(2, 0)])
    field.build()
    field.begin()
    field.cancel()
    field.cancel()
    assert not field.is_building
    assert len(grid.idle_workspaces) == 1
    assert field.flow[1, 1:-1].tolist() == [0, 0, 8]
    with pytest.raises(GridError, match="call begin"):
        field.work(5)


def test_bad_goals_come_out_of_begin_and_leave_the_published_flow() -> None:
    grid = TileGrid([[1, 1, 1]])
    field = FlowField(grid, [(2, 0)])
    field.build()
    served = field.flow.copy()
    grid.set_cost_rect(2, 0, [[0]])
    with pytest.raises(GridError, match=r"solid tile \(2, 0\)"):
        field.begin()
    assert not field.is_building
    assert (field.flow == served).all()


def test_a_build_by_a_background_job_has_the_same_bits() -> None:
    cost = np.random.default_rng(3).integers(0, 4, (200, 300)).astype(np.uint8)
    cost[9, 9] = 2
    grid = TileGrid(cost)
    here, behind = FlowField(grid, [(9, 9)]), FlowField(grid, [(9, 9)])
    here.build()
    for _ in range(3):  # a field is used again and again
        behind.begin()
        call, progress = behind.bound_slice(tile_budget=500)
        job = SlicedJob(call, progress, done_index=1)
        job.start()
        job.finish()
        assert behind.is_ready
        behind.publish()
        assert (behind.flow == here.flow).all()


def test_the_number_of_threads_does_not_show() -> None:
    cost = np.random.default_rng(4).integers(0, 4, (130, 70)).astype(np.uint8)
    cost[5, 5] = 1
    answers = []
    before = get_threads()
    for threads in (1, 2, 3, 7, 16):
        set_threads(threads)
        grid = TileGrid(cost)
        field = IntegrationField(grid)
        field.build([(5, 5)])
        answers.append(grid.solid_mask.tobytes() + field.distance.tobytes() + field.directions.tobytes())
    set_threads(before)
    assert len(set(answers)) == 1
    assert len(np.unique(np.frombuffer(answers[0], dtype=np.uint8))) > 8


def test_fields_built_one_after_the_other_share_their_workspace_and_those_built_at_once_do_not() -> None:
    cost = np.random.default_rng(6).integers(0, 4, (40, 40)).astype(np.uint8)
    goals = [(int(x), int(y)) for y, x in np.argwhere(cost != 0)[::100]]
    grid = TileGrid(cost)
    alone = []
    for goal in goals:
        field = FlowField(TileGrid(cost), [goal])
        field.build()
        alone.append(field.flow)
    fields = [FlowField(grid, [goal]) for goal in goals]
    for field in fields:
        field.build()
    assert len(grid.idle_workspaces) == 1
    assert all((field.flow == flow).all() for field, flow in zip(fields, alone, strict=True))
    for field in fields:
        field.begin()
    while sum(field.work(11) for field in fields) < len(fields):
        pass
    for field in fields:
        field.publish()
    assert len(grid.idle_workspaces) == len(fields)
    assert all((field.flow == flow).all() for field, flow in zip(fields, alone, strict=True))
    assert len({flow.tobytes() for flow in alone}) == len(goals)
