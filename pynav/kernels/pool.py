"""The native pool from Python: threads, calls, statistics. The threading model stands at the top of ``pool.c``."""

import atexit
import importlib.util
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from pynav.kernels.errors import KernelError, KernelLibraryError

BUILT = Path(__file__).with_name("built")
POOL_LIBRARY = BUILT / "libpynav_pool.so"
POOL_INTERFACE = BUILT / "pool_interface.py"
DECLARATIONS = """
typedef struct { void *entry; void *slots; const int64_t *count; int64_t block_size; } pynav_step;
void pynav_run_sequence(pynav_step *, int);
int pynav_set_threads(int);
void pynav_run_blocks(void *, void *, int64_t, int64_t);
void pynav_call(void *, void *);
void pynav_call_range(void *, void *, int64_t, int64_t);
int64_t pynav_kernel_nanoseconds(void);
int pynav_threads_used(void);
void pynav_forget_threads_used(void);
void *pynav_job_new(void *, void *, int64_t *, int);
int pynav_job_start(void *);
int pynav_job_state(void *);
int64_t pynav_job_slices(void *);
void pynav_job_dismiss(void *);
void pynav_job_stop(void *);
void pynav_job_free(void *);
void pynav_shutdown(void);
void *pynav_open_library(const char *);
void *pynav_find_symbol(void *, const char *);
const char *pynav_open_error(void);
int pynav_processor_level(void);
"""


@dataclass(frozen=True)
class KernelStatistics:
    """What ``stats`` tells: nanoseconds in kernels on the calling thread and distinct threads that ran blocks, since the
    reset.
    """

    kernel_nanoseconds: int
    threads_used: int


class _Pool:
    """The loaded library; made on first use."""

    def __init__(self) -> None:
        self.ffi: Any = None
        self.lib: Any = None
        self.threads = 1
        self.wanted = max(1, min(os.cpu_count() or 1, 16))
        self.nanoseconds_before = 0


_pool = _Pool()


def build_pool() -> None:
    """Compile the pool if its source is newer than the library.

    Raises:
        KernelError: no C compiler, or it failed; one line that says what to do.
    """
    source = Path(__file__).with_name("pool.c")
    if not source.is_file() or (
        POOL_LIBRARY.is_file()
        and POOL_INTERFACE.is_file()
        and POOL_LIBRARY.stat().st_mtime_ns >= max(source.stat().st_mtime_ns, Path(__file__).stat().st_mtime_ns)
    ):
        return
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        raise KernelError(
            "kernels: expected a C compiler (gcc, cc or clang), found none; on Debian: apt-get install gcc libc6-dev"
        )
    BUILT.mkdir(exist_ok=True)
    made = POOL_LIBRARY.with_suffix(f".{os.getpid()}.tmp")
    command = [compiler, "-shared", "-fPIC", "-O2", "-std=gnu11", "-fvisibility=hidden", "-Wall", "-s"]
    done = subprocess.run(
        [*command, "-o", made.name, os.path.relpath(source, BUILT), "-lpthread", "-ldl"],
        cwd=BUILT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise KernelError(f"kernels: the C compiler failed on pool.c: {done.stderr.strip().splitlines()[-1:]}")
    import cffi

    builder = cffi.FFI()
    builder.cdef(DECLARATIONS)
    builder.set_source("pool_interface", None)
    interface = POOL_INTERFACE.with_suffix(f".{os.getpid()}.tmp.py")
    builder.emit_python_code(str(interface))
    os.replace(interface, POOL_INTERFACE)
    os.replace(made, POOL_LIBRARY)


def _load() -> Any:
    if _pool.lib is None:
        build_pool()
        if not POOL_LIBRARY.is_file():
            raise KernelLibraryError(
                f"kernels: expected the pool library {POOL_LIBRARY.name} in {BUILT.name}/, found none; run python -m "
                "pynav.kernels.build"
            )
        spec = importlib.util.spec_from_file_location("pynav.kernels.built.pool_interface", _interface_file())
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _pool.ffi = module.ffi
        _pool.lib = module.ffi.dlopen(str(POOL_LIBRARY))
        _pool.threads = _pool.lib.pynav_set_threads(_pool.wanted)
        atexit.register(shutdown)  # before arrays go that a job may still write
    return _pool.lib


def _interface_file() -> Path:
    """The generated module, as source or, in a release, compiled."""
    return POOL_INTERFACE if POOL_INTERFACE.is_file() else POOL_INTERFACE.with_suffix(".pyc")


def set_threads(count: int) -> int:
    """Set how many threads run blocks, the caller included.

    Args:
        count: >= 1; more than there are cores is allowed.

    Returns:
        The number now in use.

    Raises:
        ValueError: a count below 1.
    """
    if count < 1:
        raise ValueError(f"set_threads: expected at least 1 thread, got {count}")
    _pool.wanted = count
    if _pool.lib is not None:
        _pool.threads = _pool.lib.pynav_set_threads(count)
        return int(_pool.threads)
    return count


def get_threads() -> int:
    """Threads that run blocks, the caller included."""
    return int(_pool.threads if _pool.lib is not None else _pool.wanted)


def stats() -> KernelStatistics:
    """Time in kernels on the calling thread, and threads that ran blocks, since ``reset_stats``. About 1 us; no allocation in
    C.
    """
    if _pool.lib is None:
        return KernelStatistics(0, 0)
    return KernelStatistics(kernel_nanoseconds() - _pool.nanoseconds_before, int(_pool.lib.pynav_threads_used()))


def kernel_nanoseconds() -> int:
    """Nanoseconds that the calling thread spent in kernels, ever."""
    return int(_pool.lib.pynav_kernel_nanoseconds()) if _pool.lib is not None else 0


def reset_stats() -> None:
    """Begin to count anew."""
    if _pool.lib is not None:
        _pool.nanoseconds_before = kernel_nanoseconds()
        _pool.lib.pynav_forget_threads_used()


def shutdown() -> None:
    """End all native threads; later calls run on the calling thread alone until ``set_threads``."""
    if _pool.lib is not None:
        _pool.lib.pynav_shutdown()
        _pool.threads = 1


def library() -> Any:
    """The pool library, for the job thread and for sequences."""
    return _load()


def address_pointer(address: int, kind: str = "void *") -> Any:
    """A pointer to an address."""
    _load()
    return _pool.ffi.cast(kind, address)


def array_address(array: npt.NDArray[Any]) -> int:
    """Address of a contiguous array's first element."""
    _load()
    return int(_pool.ffi.cast("intptr_t", _pool.ffi.from_buffer(array)))


def call(entry: Any, slots: Any) -> None:
    """Run a plain kernel on this thread, without the GIL."""
    _pool.lib.pynav_call(entry, slots)


def run_range(entry: Any, slots: Any, begin: int, end: int) -> None:
    """Run one range of a block kernel on this thread, without the GIL."""
    _pool.lib.pynav_call_range(entry, slots, begin, end)


def run_blocks(entry: Any, slots: Any, count: int, block_size: int) -> None:
    """Run a block kernel over [0, count) on the pool, without the GIL."""
    _pool.lib.pynav_run_blocks(entry, slots, count, block_size)


def new_steps(steps: list[tuple[Any, Any, npt.NDArray[Any] | None, int]]) -> Any:
    """Steps for ``pynav_run_sequence``: entry, slots, the array that holds the count (None for a plain kernel), block size."""
    _load()
    made = _pool.ffi.new("pynav_step[]", len(steps))
    for step, (entry, slots, count, block_size) in zip(made, steps, strict=True):
        step.entry, step.slots, step.block_size = entry, slots, block_size
        step.count = _pool.ffi.NULL if count is None else address_pointer(array_address(count), "int64_t *")
    return made


def find_symbols(path: Path, names: list[str]) -> dict[str, Any]:
    """Open a library and look symbols up.

    Raises:
        KernelLibraryError: it cannot be opened.
    """
    lib = _load()
    handle = lib.pynav_open_library(os.fsencode(path))
    if not handle:
        reason = _pool.ffi.string(lib.pynav_open_error()).decode(errors="replace")
        raise KernelLibraryError(f"kernels: the library cannot be opened: {reason}")
    found = {name: lib.pynav_find_symbol(handle, name.encode()) for name in names}
    return {name: pointer for name, pointer in found.items() if pointer}


def processor_level() -> int:
    """3 where the processor has all of x86-64-v3, else 1."""
    return int(_load().pynav_processor_level())
