"""Fixtures of the tests in the real engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .node_project import GODOT, NodeProject


@pytest.fixture
def project(tmp_path: Path) -> Iterator[NodeProject]:
    """A project with the addon in it."""
    if not GODOT.exists():
        pytest.skip("the engine is not here: python3 dev.py test sets it up")
    yield NodeProject(tmp_path / "project")
