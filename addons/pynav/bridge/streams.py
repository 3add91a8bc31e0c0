"""`sys.stdout` and `sys.stderr` as streams that end in Godot's Output panel."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterable


class EngineStream(io.TextIOBase):
    """A text stream that hands whole lines to one of the engine's print functions."""

    def __init__(self, print_line: Callable[[str], None], name: str) -> None:
        self._print_line = print_line
        self._pending = ""
        self._lock = threading.RLock()
        self.name = name
        self.mode = "w"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """Always UTF-8."""
        return "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """Lone surrogates are escaped: the engine takes only valid UTF-8."""
        return "backslashreplace"

    def writable(self) -> bool:
        """True."""
        return True

    def isatty(self) -> bool:
        """False: no colours, no progress bars."""
        return False

    def write(self, text: str) -> int:
        """Keep text until its line is complete."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        with self._lock:
            *lines, self._pending = (self._pending + text).split("\n")
            for line in lines:
                self._print_line(line)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:  # type: ignore[override]
        """Write each string."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand over an unfinished line too."""
        with self._lock:
            if self._pending:
                line, self._pending = self._pending, ""
                self._print_line(line)


def install(print_line: Callable[[str], None], print_error_line: Callable[[str], None]) -> None:
    """Make the two streams the process's standard streams."""
    sys.stdout = EngineStream(print_line, "<stdout>")
    sys.stderr = EngineStream(print_error_line, "<stderr>")
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr  # type: ignore[assignment,misc]


def flush() -> None:
    """Hand over what is still pending in both."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
