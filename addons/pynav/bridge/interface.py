"""The C part, as Python sees it; or a stand-in that says so where the engine does not run.

``lib.gde_NAME`` is a function of Godot's interface, ``lib.pynav_NAME`` a helper of ``native.h``. cffi
releases the GIL around each.
"""

from __future__ import annotations

from typing import Any

from .errors import EngineMissingError


class _NoEngine:
    """Raises in words on any use: the bridge was imported outside the engine."""

    def __getattr__(self, name: str) -> Any:
        raise EngineMissingError(f"this needs the engine: the bridge runs outside Godot (asked for {name})")


RUNNING = True
ffi: Any
lib: Any
calls: Any
try:
    import _pynav_bridge
    import _pynav_calls  # type: ignore[import-not-found]

    ffi, lib, calls = _pynav_bridge.ffi, _pynav_bridge.lib, _pynav_calls
except ImportError:
    RUNNING = False
    ffi = lib = calls = _NoEngine()


class EngineState:
    """What the entry function was given, and whether the engine may still be called."""

    library: Any = None
    settings: list[tuple[str, str]] = []
    open: bool = False

    @classmethod
    def setting(cls, key: str) -> str:
        """Value of a line of pynav_python.cfg, empty where it is missing."""
        return next((value for name, value in cls.settings if name == key), "")


def address(pointer: Any) -> int:
    """The address that a cffi pointer holds."""
    return int(ffi.cast("uintptr_t", pointer))
