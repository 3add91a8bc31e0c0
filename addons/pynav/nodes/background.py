"""Work that the editor's main thread must not do, done by a thread of its own and asked for frame by frame."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any

from addons.pynav.bridge import RUNNING, on_shutdown

_every: list[Background] = []


class Background:
    """Makes one thing at a time and keeps the last one. The work may call kernels and numpy, never the engine.

    Args:
        name: of the thread.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._done: tuple[Hashable, Any, Exception | None] | None = None
        _every.append(self)

    def ask(self, key: Hashable, make: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether what a key stands for is made, and it; (False, None): ask again in a later frame.

        What the work raised is raised here, once it is asked for again. ``make`` is begun when nothing else is being made.
        """
        done = self._done
        if done is not None and done[0] == key:
            if done[2] is not None:
                raise done[2]
            return True, done[1]
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._make, args=(key, make), name=self._name)
            self._thread.start()
        return False, None

    @property
    def last(self) -> Any:
        """What was made last; None before."""
        return None if self._done is None else self._done[1]

    def forget(self) -> None:
        """Keep nothing; what is being made is waited for."""
        if self._thread is not None:
            self._thread.join()
        self._done = None

    def _make(self, key: Hashable, make: Callable[[], Any]) -> None:
        try:
            self._done = key, make(), None
        except Exception as error:  # told to whoever asks
            self._done = key, None, error


def _end() -> None:
    """No thread may outlive the engine."""
    for background in _every:
        background.forget()


if RUNNING:
    on_shutdown(_end)
