"""Kernels: written once in Python, compiled ahead of time, run on native threads.

A kernel is a plain function over arrays and scalars with ONE declared signature. Three backends run it with equal bits:

``python``
    the plain body: step through it, cover it, trust it; the slow reference.
``jit``
    compiled by numba in this process: for work on the core.
``library``
    a native library made ahead of time by ``python -m pynav.kernels.build``: what the engine loads. It holds neither numba
    nor LLVM, and nothing is ever compiled in the game's process.

The threading model: a block kernel gets a range [begin, end) and writes the slots of that range alone. ``parallel_for`` cuts
[0, count) into blocks whose size depends on the data and never on the number of threads; native threads without the GIL claim
them. So the result cannot depend on the number of threads, or on which thread ran what.

Rules of a kernel (held by a house test): no allocation, no exception, no output, no fastmath, no float literal beside float32
values (use ``np.float32`` constants), scratch and results come from the caller.
"""

from pynav.kernels.backend import backend_in_use, get_backend, set_backend
from pynav.kernels.errors import KernelArgumentError, KernelError, KernelLibraryError
from pynav.kernels.kernel import BlockKernel, BoundCall, Kernel, block_kernel, inline, kernel, parallel_for, registered_kernels
from pynav.kernels.lanes import LANES, append_set, discs_near, items_below, prefetch_row
from pynav.kernels.pool import KernelStatistics, get_threads, kernel_nanoseconds, reset_stats, set_threads, shutdown, stats
from pynav.kernels.sequence import Sequence, Step

__all__ = [
    "LANES",
    "BlockKernel",
    "BoundCall",
    "Kernel",
    "KernelArgumentError",
    "KernelError",
    "KernelLibraryError",
    "KernelStatistics",
    "Sequence",
    "Step",
    "append_set",
    "backend_in_use",
    "block_kernel",
    "discs_near",
    "get_backend",
    "get_threads",
    "inline",
    "items_below",
    "kernel",
    "kernel_nanoseconds",
    "parallel_for",
    "prefetch_row",
    "registered_kernels",
    "reset_stats",
    "set_backend",
    "set_threads",
    "shutdown",
    "stats",
]
