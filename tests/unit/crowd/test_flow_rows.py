"""Rows of the flow table: room, memory that the background thread touches, and what grows."""

import numpy as np

from pynav.crowd import flow_rows
from pynav.crowd.flow_rows import FlowRows
from pynav.crowd.memory import untouched
from pynav.grid import TileGrid
from pynav.sectors import BlockGraph
from pynav.sectors.block_layout import MISSING, NOT_HERE, READY
from pynav.world import World


def graph() -> BlockGraph:
    return BlockGraph(TileGrid(np.ones((40, 50), dtype=np.uint8)))


def test_room_is_bounded_by_rows_and_by_bytes(monkeypatch) -> None:
    assert FlowRows(graph(), 1).count == flow_rows.MOST_ROWS
    monkeypatch.setattr(flow_rows, "ROOM_BYTES", 50_000)
    small = FlowRows(graph(), 1).count
    assert 1 < small < 50
    assert FlowRows(graph(), small + 7).count == small + 7


def test_a_row_that_was_touched_and_settled_is_its_owners_alone() -> None:
    rows = FlowRows(graph(), 1)
    blank = np.full((42, 52), NOT_HERE, dtype=np.uint8)
    for index in range(20):
        rows.touch(index)
        rows.touch(index)  # once is enough
    for index in range(20):
        rows.settle(index)
        rows.blank(index, blank)
        rows.value[index] = 7
    for index in range(20):
        rows.settle(index)
        rows.touch(index)  # in use: not to be written to again
    assert (rows.flow[:20] == NOT_HERE).all() and (rows.value[:20] == 7).all() and (rows.edge[:20] == NOT_HERE).all()
    assert (rows.ready[:20] == MISSING).all() and (rows.ready[20:] == READY).all()


def test_more_goals_than_there_is_room_for_give_the_same_state(monkeypatch) -> None:
    def run() -> tuple[str, list[int]]:
        world = World(threads=1, seed=2)
        world.set_grid(TileGrid(np.ones((40, 50), dtype=np.uint8)))
        crowds = [world.add_crowd(3, area=(2 * i, 2, 4, 4)) for i in range(12)]
        world.step(1 / 60)
        for number, crowd in enumerate(crowds):
            crowd.set_goal([(4 * number, 37)])
            if number == 6:
                for _ in range(30):
                    world.step(1 / 60)
        for _ in range(60):
            world.step(1 / 60)
        assert world._flows is not None
        return world.state_hash(), [flow.index for flow in world._flows._present()]

    roomy = run()
    monkeypatch.setattr(flow_rows, "ROOM_BYTES", 1)
    assert run() == roomy
    assert roomy[1] == list(range(12))


def test_a_system_that_gives_no_room_ahead_gets_as_many_rows_as_are_needed(monkeypatch) -> None:
    def stingy(shape: tuple[int, ...], dtype: type) -> np.ndarray:
        if shape[0] > 5:
            raise OSError(12, "Cannot allocate memory")
        return untouched(shape, dtype)

    monkeypatch.setattr(flow_rows, "untouched", stingy)
    assert FlowRows(graph(), 3).count == 3
