"""Fixtures of the bridge's tests: a built bridge and throw-away projects for the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bridge.engine_project import GODOT, EngineProject
from tools import build_bridge

MakeProject = Callable[..., EngineProject]


@pytest.fixture(scope="session")
def make_project(tmp_path_factory: pytest.TempPathFactory) -> MakeProject:
    """Make a project in a new folder; `name` may hold blanks and letters beyond ASCII."""
    if not GODOT.exists():
        pytest.skip("no engine: the bridge's tests need Godot (GODOT, or python3 dev.py setup)")
    build_bridge.build()

    def make(name: str = "project") -> EngineProject:
        folder: Path = tmp_path_factory.mktemp("bridge") / name
        folder.mkdir()
        return EngineProject(folder)

    return make
