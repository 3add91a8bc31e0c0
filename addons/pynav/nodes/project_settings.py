"""Project settings of the addon (Project Settings, pynav): read once a map is built."""

from __future__ import annotations

import os

from addons.pynav.bridge import singleton
from pynav.kernels import KernelLibraryError, get_backend, set_backend, set_threads

THREADS = "pynav/threads"
MOST_THREADS = 256


def declare() -> None:
    """Make the settings known to the engine, so that they show in the dialog and may be left out of project.godot."""
    settings = singleton("ProjectSettings")
    if not settings.has_setting(THREADS):
        settings.set_setting(THREADS, 0)
    settings.set_initial_value(THREADS, 0)
    settings.set_as_basic(THREADS, True)
    settings.add_property_info(
        {"name": THREADS, "type": 2, "hint": 1, "hint_string": f"0,{MOST_THREADS},1"}  # an int with a range
    )


def use_threads(wanted: int) -> None:
    """Set the pool's threads: as wanted, else as the project says, else one for each core."""
    count = wanted or int(singleton("ProjectSettings").get_setting(THREADS, 0))
    set_threads(min(count, MOST_THREADS) if count > 0 else max(1, min(os.cpu_count() or 1, 16)))


def use_library() -> None:
    """Have kernels run from the library that was built ahead of time: the game's process never compiles.

    Raises
    ------
    KernelLibraryError
        The library is missing or stale; the message says how to build it. PYNAV_BACKEND overrides the choice.
    """
    if not os.environ.get("PYNAV_BACKEND"):
        set_backend("library")
    if get_backend() == "python":
        raise KernelLibraryError(
            "kernels: the python backend is far too slow for the engine; build the library: python3 dev.py build"
        )
