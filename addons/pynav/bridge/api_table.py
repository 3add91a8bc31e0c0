"""The engine's API, read class by class from the table that the build made (see
`tools/engine_api_table.py`).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from .interface import EngineState

STATIC, VARARG, CONST = 1, 2, 4


class ApiTable:
    """The table, open in memory; pieces are parsed when they are first asked for."""

    def __init__(self, path: str) -> None:
        with Path(path).open(encoding="ascii") as file:
            head = json.loads(file.readline())
            self._body = file.read()
        self.version: list[int] = head["version"]
        self.sizes: dict[str, int] = head["sizes"]
        self.builtins: dict[str, dict[str, Any]] = head["builtins"]
        self.singletons: dict[str, str] = head["singletons"]
        self.parents: dict[str, str] = head["parents"]
        self.levels: dict[str, str] = head["levels"]
        self.abstract: set[str] = set(head["abstract"])
        self.refcounted: set[str] = set(head["refcounted"])
        self._index: dict[str, list[int]] = head["index"]
        self._pieces: dict[str, dict[str, Any]] = {}

    def piece(self, name: str) -> dict[str, Any]:
        """A class, ``@constants`` or ``@utilities``; empty for an unknown name."""
        found = self._pieces.get(name)
        if found is None:
            offset, length = self._index.get(name, (0, 0))
            found = self._pieces[name] = json.loads(self._body[offset : offset + length]) if length else {}
        return found

    def ancestry(self, name: str) -> list[str]:
        """The class and its parents, nearest first."""
        chain = []
        while name:
            chain.append(name)
            name = self.parents.get(name, "")
        return chain


@cache
def table() -> ApiTable:
    """The table of this engine's API."""
    return ApiTable(EngineState.setting("api"))
