"""The table's sort against sorted(), removal, growth."""

import numpy as np

from pynav.crowd.agent_layout import AGENT_ID, POSITION_X, POSITION_Y, REMOVED, STATUS, WALKING
from pynav.crowd.agent_table import AgentTable
from tests.naive.crowd import cell_order


def _filled(count: int, seed: int, width: int = 40, height: int = 25) -> AgentTable:
    random = np.random.default_rng(seed)
    table = AgentTable()
    table.reserve(count)
    table.fit((height, width), 0.3)
    points = (random.random((count, 2)) * (width, height)).astype(np.float32)
    table.append(0, np.arange(count, dtype=np.int32), points, np.ones(count, dtype=np.float32), 0.3, WALKING, 0)
    return table


def test_sort_is_the_stable_order_by_cell_and_drops_the_removed() -> None:
    table = _filled(9000, 1)  # more than two blocks of the first half
    random = np.random.default_rng(2)
    for _ in range(3):
        values, tags = table.now
        values[POSITION_X, : table.count] = random.random(table.count).astype(np.float32) * 40
        tags[STATUS, : table.count][random.random(table.count) < 0.1] = REMOVED
        old_ids = tags[AGENT_ID, : table.count].copy()
        x, y = (values[row, : table.count].copy() for row in (POSITION_X, POSITION_Y))
        expected = cell_order(x, y, tags[STATUS, : table.count] == REMOVED, table.rows_per_tile, table.columns_per_tile)
        table.sort()
        values, tags = table.now
        assert table.count == len(expected) > 0
        assert tags[AGENT_ID, : table.count].tolist() == old_ids[expected].tolist()
        assert values[POSITION_X, : table.count].tolist() == x[expected].tolist()
        assert values[POSITION_Y, : table.count].tolist() == y[expected].tolist()


def test_cell_starts_name_the_agents_of_each_cell() -> None:
    table = _filled(500, 3)
    table.sort()
    values, _ = table.now
    row_factor, column_factor = np.float32(table.rows_per_tile), np.float32(table.columns_per_tile)
    for agent in range(table.count):
        row = int(values[POSITION_Y, agent] * row_factor) + 1
        column = int(values[POSITION_X, agent] * column_factor) + 1
        cell = row * table.column_count + column
        assert table.cell_start[cell] <= agent < table.cell_start[cell + 1]
    assert table.cell_start[0] == 0 and table.cell_start[-1] == table.count
    assert (np.diff(table.cell_start) >= 0).all()


def test_growth_keeps_the_agents() -> None:
    table = _filled(50, 4)
    before = table.now[0][:, :50].copy()
    assert table.reserve(table.capacity + 1)
    assert not table.reserve(10)
    assert (table.now[0][:, :50] == before).all()


def test_columns_follow_ids() -> None:
    table = _filled(30, 5)
    table.sort()
    columns = table.columns_of(0, np.array([7, 3, 29, 99], dtype=np.int32))
    assert columns[3] == -1
    assert table.now[1][AGENT_ID, columns[:3]].tolist() == [7, 3, 29]
