"""Frame and shutdown hooks."""

from __future__ import annotations

from collections.abc import Callable

from . import instances
from .errors import report
from .interface import RUNNING, lib

_frame_functions: list[Callable[[], object]] = []
_shutdown_functions: list[Callable[[], object]] = []


def on_frame(function: Callable[[], object]) -> Callable[[], object]:
    """Call a function once each frame, after the engine's own work. Usable as a decorator."""
    _frame_functions.append(function)
    if RUNNING:
        lib.pynav_want_frame(1)
    return function


def remove_on_frame(function: Callable[[], object]) -> None:
    """Undo `on_frame`."""
    _frame_functions.remove(function)


def on_shutdown(function: Callable[[], object]) -> Callable[[], object]:
    """Call a function when the main loop ends, the last time that threads may still use the engine. Usable
    as a decorator.
    """
    _shutdown_functions.append(function)
    return function


def frame() -> None:
    """The engine finished a frame."""
    for function in tuple(_frame_functions):
        try:
            function()
        except Exception as error:
            report(error, function)
    lib.pynav_want_frame(1 if instances.release_ripe() or _frame_functions else 0)


def end() -> None:
    """The main loop ends: last in, first out."""
    _frame_functions.clear()
    while _shutdown_functions:
        function = _shutdown_functions.pop()
        try:
            function()
        except Exception as error:
            report(error, function)
