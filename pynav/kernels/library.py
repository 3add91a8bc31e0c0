"""The kernel library made ahead of time: found, checked, loaded. ``pynav.kernels.build`` makes it.

The manifest beside it names every kernel with its entry, the parameters that it writes, and digests of the files it was made
from. Where the sources are there (development), each must still have its digest; a release has no sources to compare.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from pynav.kernels import pool
from pynav.kernels.errors import KernelLibraryError

MANIFEST = pool.BUILT / "manifest.json"
FORMAT = 1
LEVELS = {1: "x86-64", 3: "x86-64-v3"}
ROOT = Path(__file__).resolve().parents[2]
HOW_TO_BUILD = "run: python3 dev.py build"


class _Library:
    def __init__(self) -> None:
        self.manifest: dict[str, Any] | None = None
        self.problem: str | None = None
        self.entries: dict[str, Any] = {}


_library = _Library()


def library_file(level: int) -> Path:
    """The library for a processor level."""
    return pool.BUILT / f"libpynav_kernels_{LEVELS[level]}.so"


def forget() -> None:
    """Look again at the next use (after a build)."""
    _library.__init__()  # type: ignore[misc]


def problem() -> str | None:
    """What is wrong with the library, in one line; None if it can be used. Looks once."""
    if _library.manifest is None and _library.problem is None:
        _library.problem = _check()
    return _library.problem


def _check() -> str | None:
    if not MANIFEST.is_file():
        return f"kernels: expected a library built ahead of time in {pool.BUILT.name}/, found none; {HOW_TO_BUILD}"
    try:
        manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            return f"kernels: expected a library of format {FORMAT}, got {manifest['format']}; {HOW_TO_BUILD}"
        for name, digest in manifest["files"].items():
            path = ROOT / name
            if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() != digest:
                return f"kernels: the library is stale, {name} has changed since; {HOW_TO_BUILD}"
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        return f"kernels: the library's manifest cannot be read ({type(error).__name__}); {HOW_TO_BUILD}"
    if not library_file(1).is_file():
        return f"kernels: expected {library_file(1).name} beside the manifest, found none; {HOW_TO_BUILD}"
    _library.manifest = manifest
    return None


def _level() -> int:
    return 3 if pool.processor_level() >= 3 and library_file(3).is_file() else 1


def baseline() -> str:
    """The processor baseline that this machine uses."""
    return LEVELS[_level()]


def entry(name: str, symbol: str) -> Any:
    """Pointer to a kernel's entry.

    Raises:
        KernelLibraryError: the library is missing, stale, or lacks the kernel.
    """
    found = problem()
    if found is not None:
        raise KernelLibraryError(found)
    assert _library.manifest is not None
    if not _library.entries:
        symbols = [kernel["symbol"] for kernel in _library.manifest["kernels"].values()]
        _library.entries = pool.find_symbols(library_file(_level()), symbols)
    if name not in _library.manifest["kernels"] or symbol not in _library.entries:
        raise KernelLibraryError(f"kernels: the library lacks {name}; {HOW_TO_BUILD}")
    return _library.entries[symbol]


def written(name: str) -> frozenset[str] | None:
    """The parameters that a kernel writes, None if the library doesn't know it."""
    if problem() is not None or _library.manifest is None:
        return None
    known = _library.manifest["kernels"].get(name)
    return frozenset(known["written"]) if known else None
