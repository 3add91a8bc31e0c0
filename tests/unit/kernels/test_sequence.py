"""Sequences: steps in order, counts read when their turn comes, the same in Python and compiled."""

import numpy as np
import pytest

from pynav.kernels import KernelArgumentError, Sequence, Step, block_kernel, kernel, set_backend


@kernel("int64[::1] wanted, int64[::1] count")
def choose(wanted, count):
    """How many the next step does."""
    count[0] = wanted[0] * 2


@block_kernel("int64[::1] out, int64 tick")
def number(out, tick, begin, end):
    """Write each slot's number."""
    for index in range(begin, end):
        out[index] = np.int64(index) * 10 + tick


@pytest.mark.parametrize("backend", ["python", "jit"])
def test_a_step_does_as_many_as_an_earlier_one_says(backend: str) -> None:
    set_backend(backend)
    wanted, count, out = np.array([3]), np.zeros(1, dtype=np.int64), np.full(10, -1)
    numbering = number.bind(out, 0)
    sequence = Sequence([Step(choose.bind(wanted, count)), Step(numbering, count, block_size=4)])
    sequence.run()
    assert out.tolist() == [0, 10, 20, 30, 40, 50, -1, -1, -1, -1]
    set_tick = numbering.integer_setter("tick")
    set_tick(7)
    wanted[0] = 1
    sequence.run()
    assert out.tolist() == [7, 17, 20, 30, 40, 50, -1, -1, -1, -1]
    wanted[0] = 0
    sequence.run()
    assert out.tolist() == [7, 17, 20, 30, 40, 50, -1, -1, -1, -1]


def test_what_does_not_fit_is_refused_in_words() -> None:
    count = np.ones(1, dtype=np.int64)
    plain, ranged = choose.bind(count, count.copy()), number.bind(count.copy(), 0)
    for bad in (Step(plain, count), Step(ranged), Step(ranged, count.astype(np.int32)), Step(ranged, count, 0)):  # type: ignore[arg-type]
        with pytest.raises(KernelArgumentError, match="expected"):
            Sequence([bad])
    with pytest.raises(KernelArgumentError, match="int64 argument"):
        ranged.integer_setter("out")
