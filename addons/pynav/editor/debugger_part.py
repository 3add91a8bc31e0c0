"""The part of the editor plugin that adds a tab to the debugger."""

from __future__ import annotations

from typing import Any

from addons.pynav.bridge import Array, GodotObject
from addons.pynav.nodes.game_reports import CHANNEL, READY

from .debugger_tab import DebuggerTab
from .editor_part import EditorPart


class PynavDebugger(GodotObject, base="EditorDebuggerPlugin"):
    """Hears what running games send, and shows each in its session's tab."""

    def __init__(self) -> None:
        self.tabs: dict[int, DebuggerTab] = {}

    def _setup_session(self, session_id: int) -> None:
        self.tabs[session_id] = DebuggerTab(self.get_session(session_id))

    def _has_capture(self, capture: str) -> bool:
        return capture == CHANNEL

    def _capture(self, message: str, data: Array, session_id: int) -> bool:
        tab = self.tabs.get(session_id)
        if tab is None or message not in (READY, f"{CHANNEL}:ticks"):
            return False
        if message == READY:
            tab.watch()
        else:
            tab.take(data)
        return True


class DebuggerPart(EditorPart):
    """Adds the tabs, and takes them out."""

    def enter(self) -> None:
        """Add them."""
        self._debugger: Any = PynavDebugger()
        self.plugin.add_debugger_plugin(self._debugger)

    def leave(self) -> None:
        """Take them out."""
        for tab in self._debugger.tabs.values():  # first: without the plugin the sessions are no longer its own
            tab.close()
        self._debugger.tabs.clear()
        self.plugin.remove_debugger_plugin(self._debugger)
        self._debugger = None
