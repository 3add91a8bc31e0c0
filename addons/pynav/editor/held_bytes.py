"""How much memory the arrays of an object take, whatever it holds them in."""

from __future__ import annotations

from typing import Any

import numpy as np


def held_bytes(root: Any) -> int:
    """Bytes of all numpy arrays that an object of ours holds, in attributes, lists, tuples and dictionaries; each counted once.

    Views count for the array that they look into.
    """
    seen: set[int] = set()
    found, waiting = 0, [root]
    while waiting:
        held = waiting.pop()
        if isinstance(held, np.ndarray):
            while isinstance(held.base, np.ndarray):
                held = held.base
        if id(held) in seen:
            continue
        seen.add(id(held))
        if isinstance(held, np.ndarray):
            found += held.nbytes
        elif isinstance(held, dict):
            waiting += held.values()
        elif isinstance(held, (list, tuple, set)):
            waiting += held
        elif type(held).__module__.startswith("pynav."):
            waiting += vars(held).values() if hasattr(held, "__dict__") else ()
    return found


def bytes_text(count: int) -> str:
    """A number of bytes for people."""
    return f"{count / 1048576:.1f} MiB" if count >= 1048576 else f"{count / 1024:.0f} KiB"
