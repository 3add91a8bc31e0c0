"""Benchmarks of the kernel machinery: what a parallel region costs, quiet and beside a busy process, and what a call costs."""

import multiprocessing
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from benchmarks.table import row
from pynav import kernels
from pynav.kernels import block_kernel, library

COUNT = 65_535
BLOCK = 4096
REPEATS = 2000


@block_kernel("float32[::1] x, float32[::1] out, float32 scale")
def saxpy(x, out, scale, begin, end):  # type: ignore[no-untyped-def]
    """A short kernel: the region's overhead shows."""
    for index in range(begin, end):
        out[index] = x[index] * scale + out[index] * scale


@numba.njit(nogil=True, error_model="numpy")
def _saxpy_range(x, out, scale, begin, end):  # type: ignore[no-untyped-def]
    for index in range(begin, end):
        out[index] = x[index] * scale + out[index] * scale


@numba.njit(parallel=True, error_model="numpy")
def _saxpy_prange(x, out, scale):  # type: ignore[no-untyped-def]
    for index in numba.prange(x.shape[0]):
        out[index] = x[index] * scale + out[index] * scale


def _times(call: Callable[[], Any]) -> npt.NDArray[np.float64]:
    for _ in range(50):
        call()
    found = np.empty(REPEATS)
    for index in range(REPEATS):
        begin = time.perf_counter_ns()
        call()
        found[index] = (time.perf_counter_ns() - begin) / 1000
    return np.sort(found)


def _spin(stop: Any) -> None:
    while not stop.is_set():
        for _ in range(100_000):
            pass


def _region_rows(label: str) -> list[dict[str, Any]]:
    x = np.linspace(-1, 1, COUNT, dtype=np.float32)
    scale = np.float32(0.5)
    ours, plain, theirs, futures = (np.zeros(COUNT, np.float32) for _ in range(4))
    call = saxpy.bind(x, ours, scale)
    blocks = [(begin, min(begin + BLOCK, COUNT)) for begin in range(0, COUNT, BLOCK)]
    with ThreadPoolExecutor(kernels.get_threads()) as pool:

        def with_futures() -> None:
            list(pool.map(lambda block: _saxpy_range(x, futures, scale, *block), blocks))

        mine = _times(lambda: call.run(COUNT, BLOCK))
        prange = _times(lambda: _saxpy_prange(x, theirs, scale))
        executor = _times(with_futures)
    for _ in range(REPEATS + 50):
        _saxpy_range(x, plain, scale, 0, COUNT)
    same = ours.tobytes() == plain.tobytes() == theirs.tobytes() == futures.tobytes()
    rows = []
    for peer, times in (("numba prange", prange), ("ThreadPoolExecutor", executor)):
        for what, at in (("median", 0.5), ("p99", 0.99), ("max", 1.0)):
            index = min(REPEATS - 1, int(at * REPEATS))
            rows.append(
                row(f"parallel region, 16 blocks, {label}, {what}", float(mine[index]), "us", peer, float(times[index]), same)
            )
    return rows


def _call_row() -> dict[str, Any]:
    x, out = np.zeros(1, np.float32), np.zeros(1, np.float32)
    call = saxpy.bind(x, out, 0.5)
    numba_call = _times(lambda: _saxpy_range(x, out, np.float32(0.5), 0, 1))
    mine = _times(lambda: call.run(1))
    return row(
        "bound call of a kernel that does nothing, median",
        float(mine[REPEATS // 2]),
        "us",
        "numba njit call",
        float(numba_call[REPEATS // 2]),
        True,
    )


def _load_row() -> dict[str, Any]:
    """Opening the library and looking up every kernel, per 100 kernels, beside loading the same from nothing."""
    library.forget()
    begin = time.perf_counter_ns()
    problem = library.problem()
    names = (
        [] if problem else [kernel.name for kernel in kernels.registered_kernels().values() if kernel.name.startswith("pynav.")]
    )
    for name in names:
        library.entry(name, name.replace(".", "_"))
    took = (time.perf_counter_ns() - begin) / 1e6
    return row(
        f"loading the kernel library ({len(names)} kernels), per 100",
        took / max(1, len(names)) * 100,
        "ms",
        "budget",
        20.0,
        problem is None and len(names) > 0,
    )


def rows() -> list[dict[str, Any]]:
    """All rows of this benchmark."""
    from pynav.kernels.build import import_kernel_modules

    before = kernels.get_backend()
    kernels.set_backend("jit")  # the kernel above is not in the library
    found = [_call_row(), *_region_rows("quiet")]
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    busy = context.Process(target=_spin, args=(stop,))
    busy.start()
    try:
        found += _region_rows("another process busy")
    finally:
        stop.set()
        busy.join()
    import_kernel_modules()
    kernels.set_backend(before)
    return [*found, _load_row()]
