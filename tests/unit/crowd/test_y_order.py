"""Instances in the order of their y: against numpy's stable sort, ties and both zeros, the tick before, refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pynav.crowd.errors import BufferSizeError
from pynav.crowd.y_order import YOrder
from tests.unit.crowd.worlds import TICK, open_world

HEIGHTS = st.one_of(st.floats(width=32, allow_nan=False), st.sampled_from([0.0, -0.0, 1.0, -1.0, 5.5]))


@given(st.lists(HEIGHTS, max_size=60), st.sampled_from([8, 12, 16]))
@settings(deadline=None)
def test_rows_rise_in_y_and_equal_ones_by_id(heights: list[float], floats: int) -> None:
    rows = np.arange(len(heights) * floats, dtype=np.float32).reshape(-1, floats)
    rows[:, 7] = heights
    before, now = -rows, rows.copy()
    ordered, previous = np.full_like(rows, 9.0), np.full_like(rows, 9.0)
    YOrder(floats, now, ordered, before, previous).run()
    expected = np.argsort(rows[:, 7], kind="stable")
    assert ordered.tobytes() == rows[expected].tobytes()
    assert previous.tobytes() == (-rows)[expected].tobytes()
    assert now.tobytes() == rows.tobytes()


def test_a_crowd_that_walks_is_in_order_and_its_state_untouched() -> None:
    world = open_world(40, 30)
    crowd = world.add_crowd(300, 3.0, 0.2)
    crowd.set_goal((20, 15))
    by_id, ordered = np.zeros(300 * 8, dtype=np.float32), np.zeros(300 * 8, dtype=np.float32)
    filling, order = crowd.bind_buffer_2d(by_id, [[16, -16, 5], [8, 8, -7]]), YOrder(8, by_id, ordered)
    orders = set()
    for tick in range(90):
        if tick == 30:
            crowd.remove([4, 7])
        world.step(TICK)
        state = world.state_hash()
        filling.run()
        order.run()
        rows = ordered.reshape(300, 8)
        expected = np.argsort(by_id.reshape(300, 8)[:, 7], kind="stable")
        assert (np.diff(rows[:, 7]) >= 0).all() and (rows == by_id.reshape(300, 8)[expected]).all()
        assert world.state_hash() == state
        orders.add(expected.tobytes())
    assert len(orders) > 10


def test_buffers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BufferSizeError, match="expected buffers of one length, a multiple of 8 floats, got 16, 24"):
        YOrder(8, np.zeros(16, dtype=np.float32), np.zeros(24, dtype=np.float32))
    with pytest.raises(BufferSizeError, match="a multiple of 12 floats, got 16, 16"):
        YOrder(12, np.zeros(16, dtype=np.float32), np.zeros(16, dtype=np.float32))
