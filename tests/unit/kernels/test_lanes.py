"""Eight items at a time: the plain bodies against slow references, the compiled forms against the plain bodies, bit by bit."""

import numpy as np
import pytest

from pynav import kernels
from pynav.kernels import LANES, append_set, block_kernel, discs_near, items_below, prefetch_row

COUNT = 40


@block_kernel(
    "float32[::1] x_of, float32[::1] y_of, float32[::1] radius_of, float32 x, float32 y, float32 reach, int64[::1] out,"
    " int32[:, ::1] listed, int64[::1] end_of"
)
def look_all_over(x_of, y_of, radius_of, x, y, reach, out, listed, end_of, begin, end):  # type: ignore[no-untyped-def]
    """Both functions from every place, each append behind another one."""
    for first in range(begin, end):
        bits = discs_near(x_of, y_of, radius_of, first, x, y, reach)
        out[first] = bits
        count = append_set(listed[first], 0, first, bits)
        end_of[first] = append_set(listed[first], count, first + 100, 255 - bits)


def _run(seed: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    random = np.random.default_rng(seed)
    discs = [
        (random.random(COUNT) * 4).astype(np.float32), (random.random(COUNT) * 4).astype(np.float32),
        random.uniform(0.1, 1.0, COUNT).astype(np.float32),
    ]  # fmt: skip
    count = COUNT - LANES + 1
    results = [np.zeros(count, np.int64), np.zeros((count, 2 * LANES), np.int32), np.zeros(count, np.int64)]
    look_all_over(*discs, 2.0, 1.5, 0.25, *results, 0, count)
    return discs, results


@pytest.mark.parametrize("seed", range(5))
def test_bits_and_lists_are_those_of_a_loop(seed: int) -> None:
    before = kernels.get_backend()
    kernels.set_backend("python")
    try:
        (x, y, radius), (bits, listed, end_of) = _run(seed)
    finally:
        kernels.set_backend(before)
    near = (x - np.float32(2.0)) ** 2 + (y - np.float32(1.5)) ** 2 < (np.float32(0.25) + radius) ** 2
    assert 0 < near.sum() < COUNT
    for first in range(len(bits)):
        lanes = near[first : first + LANES]
        assert bits[first] == sum(1 << lane for lane in range(LANES) if lanes[lane])
        expected = [first + lane for lane in range(LANES) if lanes[lane]]
        expected += [first + 100 + lane for lane in range(LANES) if not lanes[lane]]
        assert listed[first, :LANES].tolist() == expected and end_of[first] == LANES


@pytest.mark.parametrize("seed", range(5))
def test_compiled_forms_have_the_same_bits(seed: int) -> None:
    before = kernels.get_backend()
    found = []
    try:
        for backend in ("python", "jit"):
            kernels.set_backend(backend)
            found.append([array.tobytes() for array in _run(seed)[1]])
    finally:
        kernels.set_backend(before)
    assert found[0] == found[1]


@block_kernel("int32[::1] values, int32[::1] limits, float32[:, ::1] table, int64[::1] out")
def compare_all_over(values, limits, table, out, begin, end):  # type: ignore[no-untyped-def]
    """From every place which items are below their limits; rows of a table are fetched ahead, one behind the last too."""
    for first in range(begin, end):
        prefetch_row(table, min(first, table.shape[0]))
        out[first] = items_below(values, limits, first)


@pytest.mark.parametrize("backend", ["python", "jit"])
def test_items_below_their_limits_and_fetching_ahead_changes_nothing(backend: str) -> None:
    random = np.random.default_rng(7)
    values, limits = (random.integers(-3, 4, COUNT).astype(np.int32) for _ in range(2))
    table = random.random((5, 12)).astype(np.float32)
    kept = table.copy()
    out = np.zeros(COUNT - LANES + 1, np.int64)
    before = kernels.get_backend()
    kernels.set_backend(backend)
    try:
        compare_all_over(values, limits, table, out, 0, len(out))
    finally:
        kernels.set_backend(before)
    below = values < limits
    assert 0 < below.sum() < COUNT
    for first, bits in enumerate(out):
        assert bits == sum(1 << lane for lane in range(LANES) if below[first + lane])
    assert (table == kept).all()
