"""Costs from octile `.map` files, inside the project (also when it is exported) or anywhere on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from addons.pynav.bridge import engine, singleton
from pynav.grid import octile_map_steps

from .telling import NodeError


def map_file_exists(path: str) -> bool:
    """Whether there is such a file, in the project (also when it is exported) or anywhere on disk."""
    return bool(engine.FileAccess.file_exists(path))


def map_file_steps(path: str) -> Generator[float, None, npt.NDArray[np.uint8]]:
    """(rows, columns) uint8 costs of an octile map, in steps that give the part that is read.

    Raises NodeError without a path, MapFormatError (one line: file, line, expected, got) for a faulty file.
    """
    if not path:
        raise NodeError("map_file is empty: choose an octile .map file")
    on_disk = str(singleton("ProjectSettings").globalize_path(path))
    if not path.startswith(("res://", "user://", "uid://")) or Path(on_disk).exists():
        return (yield from octile_map_steps(on_disk))
    if not engine.FileAccess.file_exists(path):
        raise NodeError(f"map_file: there is no file {path}")
    # Packed into the game's archive: only the engine can read it, and the loader wants a real file.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, Path(path).name)
        copy.write_bytes(bytes(np.asarray(engine.FileAccess.get_file_as_bytes(path).view())))
        return (yield from octile_map_steps(copy))
