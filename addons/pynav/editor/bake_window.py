"""The window in which a bake shows how far it is, and can be cancelled."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

from addons.pynav.bridge import engine, is_valid, on_frame, remove_on_frame, singleton
from addons.pynav.nodes.telling import USER_ERRORS

_SLICE_SECONDS = 0.008
_SHOWN_AFTER_SECONDS = 0.15  # what is done sooner needs no window


class BakeWindow:
    """Runs the steps of a bake, some milliseconds a frame.

    Args:
        node: the map that is baked.
        done: called with the costs.
        failed: called with what is wrong, in words.
    """

    def __init__(self, node: Any, done: Callable[[Any], None], failed: Callable[[str], None]) -> None:
        self._node, self._done, self._failed = node, done, failed
        self._steps: Generator[tuple[float, str, Any], None, None] = node._bake_steps(is_patient=True)
        self._window: Any = None
        self._begin = time.perf_counter()
        self.is_running = True
        on_frame(self._frame)

    def cancel(self) -> None:
        """Stop; nothing has changed."""
        if not self.is_running:
            return
        self.is_running = False
        remove_on_frame(self._frame)
        self._steps.close()
        if self._window is not None and is_valid(self._window):
            self._window.queue_free()
        self._window = None

    def _frame(self) -> None:
        end = time.perf_counter() + _SLICE_SECONDS
        try:
            if not is_valid(self._node) or not self._node.is_inside_tree():
                self.cancel()
                return
            problem = self._node._source_problem()
            if problem:  # what is read may have been freed meanwhile
                self.cancel()
                self._failed(problem)
                return
            for part, text, costs in self._steps:
                if costs is not None:
                    self.cancel()
                    self._done(costs)
                    return
                if self._node._is_reading or time.perf_counter() > end:
                    self._show(part, text)
                    return
        except USER_ERRORS as error:
            self.cancel()
            self._failed(str(error))

    def _show(self, part: float, text: str) -> None:
        if self._window is None:
            if time.perf_counter() - self._begin < _SHOWN_AFTER_SECONDS:
                return
            self._open()
        self._bar.value = part
        self._label.text = text

    def _open(self) -> None:
        self._window = engine.AcceptDialog()
        self._window.title = f"Baking {self._node.name}"
        self._window.ok_button_text = "Cancel"
        box = engine.VBoxContainer()
        self._label, self._bar = engine.Label(), engine.ProgressBar()
        self._bar.max_value = 1.0
        box.custom_minimum_size = (360, 60)
        box.add_child(self._label)
        box.add_child(self._bar)
        self._window.add_child(box)
        self._window.connect("confirmed", self.cancel)
        self._window.connect("canceled", self.cancel)
        singleton("EditorInterface").popup_dialog_centered(self._window)
