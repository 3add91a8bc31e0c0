"""Exceptions of the bridge, and how an exception that ends in a callback is told to the user.

An exception never crosses a callback: the engine gets the callback's default result, and `report` prints
one engine error with file, line and traceback. The same error at the same place is then only counted, and
told again at each power of ten, so that a `_process` that fails does not flood the Output panel at 60 lines
a second.
"""

from __future__ import annotations

import os
import threading
import traceback
from types import TracebackType


class BridgeError(Exception):
    """Base of the bridge's own exceptions."""


class EngineMissingError(BridgeError, RuntimeError):
    """The bridge was used outside Godot."""


class DeclarationError(BridgeError, TypeError):
    """A class declaration cannot be registered; the message says which part and why."""


class FreedObjectError(BridgeError, ReferenceError):
    """The engine's object behind a proxy was freed."""


class EngineCallError(BridgeError, TypeError):
    """A call into the engine was refused: wrong number or type of arguments, or no such member."""


_OWN_FOLDER = __file__.rpartition(os.sep)[0] + os.sep
_counts: dict[tuple[str, int, str], int] = {}
_lock = threading.Lock()


def _is_own(frame: TracebackType) -> bool:
    return frame.tb_frame.f_code.co_filename.startswith(_OWN_FOLDER)


def place_of(error: BaseException) -> tuple[str, int, str]:
    """File, line and function where an exception was raised: of the user's code, where there is any on the
    way.
    """
    frame: TracebackType | None = error.__traceback__
    place = ("<unknown>", 0, "<unknown>")
    while frame is not None:
        if not _is_own(frame) or place[1] == 0:
            place = (frame.tb_frame.f_code.co_filename, frame.tb_lineno, frame.tb_frame.f_code.co_name)
        frame = frame.tb_next
    return place


def traceback_text(error: BaseException) -> str:
    """The traceback without the bridge's own frames at its start."""
    start: TracebackType | None = error.__traceback__
    while start is not None and _is_own(start):
        start = start.tb_next
    return "".join(traceback.format_exception(type(error), error, start or error.__traceback__)).rstrip()


def print_engine_error(message: str, function: str = "", file: str = "", line: int = 0, *, warning: bool = False) -> None:
    """Print through the engine's error handlers: the Output panel, the debugger and the log see it."""
    from .interface import lib

    write = lib.gde_print_warning_with_message if warning else lib.gde_print_error_with_message
    first = message.splitlines()[0] if message else ""
    write(first.encode(), message.encode(), function.encode(), file.encode(), line, 0)


def report(error: BaseException, where: object = "") -> None:
    """Tell the user about an exception that ended in a callback. Never raises."""
    try:
        file, line, function = place_of(error)
        key = (file, line, type(error).__name__)
        with _lock:
            count = _counts[key] = _counts.get(key, 0) + 1
        if count > 1 and count not in (10, 100, 1_000, 10_000, 100_000, 1_000_000):
            return
        name = getattr(where, "__qualname__", "") or str(where)
        head = f"{type(error).__name__}: {error}" + (f" (in {name})" if name else "")
        if count > 1:
            print_engine_error(f"{head} - {count} times so far", function, file, line)
            return
        print_engine_error(f"{head}\n{traceback_text(error)}", function, file, line)
    except Exception:  # the last stop: there is nobody left to tell
        pass


def reported_counts() -> dict[tuple[str, int, str], int]:
    """How often each error was seen: ``{(file, line, exception): count}``."""
    with _lock:
        return dict(_counts)
