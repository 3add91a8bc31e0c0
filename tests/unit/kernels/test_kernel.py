"""Kernels: what is checked before one runs, and what the backends and threads may not change."""

import numpy as np
import numpy.typing as npt
import pytest

from pynav import kernels
from pynav.kernels import KernelArgumentError, block_kernel, inline, kernel, parallel_for
from pynav.kernels.signature import parse_signature

HALF = np.float32(0.5)


@inline
def blend(a, b, weight):
    return a + (b - a) * weight


@inline
def store_twice(target, index, value):
    target[index] = value
    target[index + 1] = value


@block_kernel("float32[::1] x, float32[:, ::1] out, float32 dt")
def drift(x, out, dt, begin, end):
    for index in range(begin, end):
        step = x[index] * dt
        out[index, 0] = blend(x[index], step, HALF)
        out[index, 1] = np.sqrt(np.abs(step)) / (x[index] + HALF)


@kernel("int32[::1] source, int64[::1] target, int64 scale, float64 offset")
def sum_scaled(source, target, scale, offset):
    total = np.int64(0)
    for index in range(source.shape[0]):
        total += np.int64(source[index]) * scale
    store_twice(target, 0, total + np.int64(offset))


def inputs(count: int = 5001) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    x = (np.arange(count, dtype=np.float32) * np.float32(0.37) - np.float32(500)).astype(np.float32)
    return x, np.zeros((count, 2), np.float32)


@pytest.fixture
def in_each_backend(request: pytest.FixtureRequest):
    before, threads = kernels.get_backend(), kernels.get_threads()
    yield
    kernels.set_threads(threads)
    kernels.set_backend(before)


@pytest.mark.usefixtures("in_each_backend")
def test_backends_and_thread_counts_give_equal_bits() -> None:
    results = []
    for backend, threads in [("python", 1), ("jit", 1), ("jit", 2), ("jit", 3), ("jit", 7), ("jit", 16)]:
        kernels.set_backend(backend)
        kernels.set_threads(threads)
        x, out = inputs()
        parallel_for(drift, len(x), x, out, np.float32(0.016), block_size=64)
        results.append(out.tobytes())
    assert len(set(results)) == 1
    assert np.any(np.frombuffer(results[0], np.float32) != 0)


@pytest.mark.usefixtures("in_each_backend")
@pytest.mark.parametrize("backend", ["python", "jit"])
def test_blocks_cover_the_range_once(backend: str) -> None:
    kernels.set_backend(backend)
    for count in (0, 1, 63, 64, 65, 1000):
        x, out = inputs(1000)
        parallel_for(drift, count, x, out, 1, block_size=64)
        assert np.all(out[count:] == 0)
        assert np.all(np.any(out[:count] != 0, axis=1))


@pytest.mark.usefixtures("in_each_backend")
@pytest.mark.parametrize("backend", ["python", "jit"])
def test_bound_call_takes_new_scalars(backend: str) -> None:
    kernels.set_backend(backend)
    source, target = np.arange(10, dtype=np.int32), np.zeros(2, np.int64)
    call = sum_scaled.bind(source, target, 2, 0.0)
    call.run()
    assert target.tolist() == [90, 90]
    call.set("scale", -1)
    call.set("offset", 5)
    source[0] = 100
    call.run()
    assert target.tolist() == [-140, -140]


@pytest.mark.usefixtures("in_each_backend")
@pytest.mark.parametrize("backend", ["python", "jit"])
def test_bound_call_takes_new_arrays_all_or_none(backend: str) -> None:
    kernels.set_backend(backend)
    source, target = np.arange(10, dtype=np.int32), np.zeros(2, np.int64)
    call = sum_scaled.bind(source, target, 2, 0.0)
    other, longer = np.zeros(2, np.int64), np.arange(20, dtype=np.int32)
    call.set_arrays(source=longer, target=other)
    call.run()
    assert target.tolist() == [0, 0] and other.tolist() == [380, 380]
    with pytest.raises(KernelArgumentError, match="source"):
        call.set_arrays(target=target, source=np.arange(3.0))
    call.run()
    assert target.tolist() == [0, 0]
    with pytest.raises(KernelArgumentError, match="name of an array argument, got 'scale'"):
        call.set_arrays(scale=other)


@pytest.mark.usefixtures("in_each_backend")
@pytest.mark.parametrize("backend", ["python", "jit"])
def test_a_place_takes_another_array_of_its_kind_and_no_other(backend: str) -> None:
    kernels.set_backend(backend)
    source, target = np.arange(10, dtype=np.int32), np.zeros(2, np.int64)
    call = sum_scaled.bind(source, target, 2, 0.0)
    other, read_only = np.zeros(2, np.int64), np.zeros(2, np.int64)
    read_only.flags.writeable = False
    for wrong in (read_only, np.zeros(4, np.int64)[::2], np.zeros(2, np.int32), np.zeros((2, 1), np.int64), [0, 0]):
        with pytest.raises(KernelArgumentError, match="target"):
            call.replace(1, wrong)
    call.run()
    assert target.tolist() == [90, 90]
    call.replace(1, other)
    call.run()
    assert target.tolist() == other.tolist() == [90, 90]


def test_threads_used_counts_threads_that_ran_blocks() -> None:
    if kernels.get_backend() == "python":
        pytest.skip("the python backend runs on the calling thread alone")
    threads = kernels.get_threads()
    kernels.set_threads(2)
    x, out = inputs(200_000)
    kernels.reset_stats()
    parallel_for(drift, 1, x, out, 1.0)
    assert kernels.stats().threads_used == 1
    for _ in range(1000):
        parallel_for(drift, len(x), x, out, 1.0, block_size=64)
        if kernels.stats().threads_used == 2:
            break
    assert kernels.stats().threads_used == 2
    assert kernels.stats().kernel_nanoseconds > 0
    kernels.set_threads(threads)


def test_written_parameters_are_found_through_inline_functions() -> None:
    assert sum_scaled.written == {"target"}
    assert drift.written == {"out"}


READ_ONLY = np.zeros(2, np.int64)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (np.zeros(3, np.int64), np.zeros(2, np.int64), 1, 0.0),
            r"sum_scaled: argument 'source': expected int32\[::1\], got int64",
        ),
        (
            (np.zeros((3, 1), np.int32), np.zeros(2, np.int64), 1, 0.0),
            r"'source': expected int32\[::1\], got int32 with 2 dimensions",
        ),
        (
            (np.zeros(6, np.int32)[::2], np.zeros(2, np.int64), 1, 0.0),
            r"'source': expected a C-contiguous array, got strides \(8,\)",
        ),
        (([1, 2], np.zeros(2, np.int64), 1, 0.0), r"'source': expected int32\[::1\], got list"),
        ((np.zeros(3, np.int32), READ_ONLY, 1, 0.0), "'target': expected a writable array, got a read-only one"),
        ((np.zeros(3, np.int32), np.zeros(2, np.int64), 1.5, 0.0), "'scale': expected int64, got float"),
        ((np.zeros(3, np.int32), np.zeros(2, np.int64), True, 0.0), "'scale': expected int64, got bool"),
        ((np.zeros(3, np.int32), np.zeros(2, np.int64), 2**63, 0.0), "'scale': expected a 64-bit integer"),
        ((np.zeros(3, np.int32), np.zeros(2, np.int64), 1, "x"), "'offset': expected float64, got str"),
        ((np.zeros(3, np.int32), np.zeros(2, np.int64), 1), "expected 4 arguments, got 3"),
        ((np.zeros(3, ">i4"), np.zeros(2, np.int64), 1, 0.0), "'source': expected"),
    ],
)
def test_wrong_argument_is_refused_in_words(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(KernelArgumentError, match=message):
        sum_scaled.bind(*arguments)


def test_read_only_input_is_accepted() -> None:
    source = np.arange(4, dtype=np.int32)
    source.flags.writeable = False
    target = np.zeros(2, np.int64)
    sum_scaled(source, target, 1, 0.0)
    assert target.tolist() == [6, 6]


def test_count_belongs_to_block_kernels_alone() -> None:
    x, out = inputs(10)
    with pytest.raises(KernelArgumentError, match="expected a count >= 0"):
        drift.bind(x, out, 1.0).run()
    with pytest.raises(KernelArgumentError, match="expected no count"):
        sum_scaled.bind(np.zeros(3, np.int32), np.zeros(2, np.int64), 1, 0.0).run(3)
    with pytest.raises(KernelArgumentError, match="name of a scalar argument, got 'x'"):
        drift.bind(x, out, 1.0).set("x", 1)


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("float16[::1] x", "expected one of int8"),
        ("int32 x", "expected one of int64, float32, float64, got 'int32'"),
        ("float32[:, :, :, ::1] x", "at most 3 dimensions"),
        ("float32[:] x", r"expected C order \('::1' last\)"),
        ("int64 x, int64 x", "declared twice"),
        ("what is this", "expected 'type name'"),
    ],
)
def test_bad_signature_is_refused(signature: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_signature(signature)


def test_signature_must_fit_the_function() -> None:
    with pytest.raises(ValueError, match="expected the parameters x, y of its signature, got x, z"):

        @kernel("int64 x, int64 y")
        def wrong(x, z):
            pass


def test_two_callers_at_once_both_get_right_answers() -> None:
    from concurrent.futures import ThreadPoolExecutor

    def one(_: int) -> bytes:
        x, out = inputs(20_000)
        parallel_for(drift, len(x), x, out, 0.25, block_size=32)
        return out.tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(one, range(64)))) == 1
