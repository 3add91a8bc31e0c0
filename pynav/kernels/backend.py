"""Which backend runs the kernels, and where a kernel's compiled entry comes from."""

import importlib.util
import os
from typing import TYPE_CHECKING, Any

from pynav.kernels import library
from pynav.kernels.errors import KernelError, KernelLibraryError

if TYPE_CHECKING:
    from pynav.kernels.kernel import Kernel

BACKENDS = ("python", "jit", "library")

_chosen: list[str] = []
_entries: dict[tuple[str, str], Any] = {}


def get_backend() -> str:
    """Name of the backend in use: what ``set_backend`` or PYNAV_BACKEND says, else the best that is there.

    Without a word from anyone: ``library`` if it is built and fresh, else ``jit`` if numba is installed, else ``python``.
    """
    if not _chosen:
        wanted = os.environ.get("PYNAV_BACKEND", "")
        if wanted:
            set_backend(wanted)
        elif library.problem() is None:
            _chosen.append("library")
        else:
            _chosen.append("jit" if importlib.util.find_spec("numba") else "python")
    return _chosen[0]


def backend_in_use() -> str:
    """The backend and, for the library, the processor baseline: ``"library x86-64-v3"``."""
    name = get_backend()
    return f"library {library.baseline()}" if name == "library" else name


def set_backend(name: str) -> None:
    """Choose the backend for calls that are bound from now on.

    Args:
        name: "python", "jit" or "library".

    Raises:
        KernelError: another name, or numba is not installed.
        KernelLibraryError: the library is missing or stale; the message says what to run.
    """
    if name not in BACKENDS:
        raise KernelError(f"set_backend: expected one of {', '.join(BACKENDS)}, got {name!r}")
    if name == "jit" and not importlib.util.find_spec("numba"):
        raise KernelError("set_backend: 'jit' expects numba, which is not installed")
    if name == "library":
        problem = library.problem()
        if problem is not None:
            raise KernelLibraryError(problem)
    _chosen[:] = [name]


def entry_of(kernel: "Kernel") -> Any:
    """Pointer to the compiled entry, None under the python backend.

    Raises:
        KernelLibraryError: the library lacks the kernel.
    """
    name = get_backend()
    if name == "python":
        return None
    key = (name, kernel.name)
    if key not in _entries:
        if name == "library":
            _entries[key] = library.entry(kernel.name, kernel.symbol)
        else:
            from pynav.kernels import numba_compiler

            _entries[key] = numba_compiler.jit_entry(kernel)
    return _entries[key]


def written_in_library(kernel: "Kernel") -> frozenset[str] | None:
    """The written parameters as the library's manifest notes them, None if the library isn't in use."""
    return library.written(kernel.name) if get_backend() == "library" else None
