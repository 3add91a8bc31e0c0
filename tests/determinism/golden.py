"""Hashes of scenes as they were when results last changed on purpose: ``golden.json``, renewed by ``renew``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.determinism.scenes import SCENES, play

GOLDEN = Path(__file__).with_name("golden.json")


def kept() -> dict[str, str]:
    """Hash by scene, as in the file."""
    found: dict[str, str] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return found


def played() -> dict[str, str]:
    """Hash by scene, of now."""
    return {name: play(scene).hash for name, scene in SCENES.items()}
