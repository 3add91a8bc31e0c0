"""Fixtures of the tests in the real engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pynav.kernels import library

from .editor_project import EditorProject
from .node_project import GODOT, ROOT, NodeProject


@pytest.fixture(scope="session", autouse=True)
def _fresh_library() -> None:
    """The engine loads kernels that were built ahead of time: build what is stale."""
    if library.problem() is not None:
        subprocess.run([sys.executable, "-m", "pynav.kernels.build"], cwd=ROOT, check=True)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[NodeProject]:
    """A project with the addon in it."""
    if not GODOT.exists():
        pytest.skip("the engine is not here: python3 dev.py test sets it up")
    yield NodeProject(tmp_path / "project")


@pytest.fixture
def editor_project(tmp_path: Path) -> Iterator[EditorProject]:
    """A project with the addon and a driver of the editor in it."""
    if not GODOT.exists():
        pytest.skip("the engine is not here: python3 dev.py test sets it up")
    yield EditorProject(tmp_path / "project")
