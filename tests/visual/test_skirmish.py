"""The skirmish on a virtual display: mouse and keys select, send, build and look around; what is on the pictures."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from tests.bridge.engine_project import GODOT as ENGINE
from tools import display

ROOT = Path(__file__).resolve().parents[2]
Pixels = npt.NDArray[np.int16]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What came of a played game, and the folder of its pictures."""
    if not ENGINE.exists():
        pytest.skip(f"no engine at {ENGINE}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    folder = tmp_path_factory.mktemp("skirmish")
    with display.virtual_display() as screen:
        environment = {**os.environ, **screen, "SKIRMISH_PICTURES": str(folder)}
        how = [*display.ENGINE_ARGUMENTS, "--fixed-fps", "60", "--script", "res://tests/visual/drive_skirmish.gd"]
        done = subprocess.run(
            [str(ENGINE), "--path", str(ROOT), *how], env=environment, capture_output=True, text=True, timeout=900, check=False
        )
    output = done.stdout + done.stderr
    lines = [line for line in output.splitlines() if line.startswith("SKIRMISH ")]
    assert len(lines) == 1, output
    assert "ERROR" not in output, output
    return json.loads(lines[0][9:]), folder


def pixels(path: Path) -> Pixels:
    """The picture as (height, width, 3), signed so that differences can be taken."""
    return np.asarray(Image.open(path).convert("RGB")).astype(np.int16)


def test_mouse_and_keys_select(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert 3 < seen["box"] < 60
    assert seen["click"] == 1
    alike, total = seen["double_click"]
    assert 1 < alike == total
    assert seen["group"] == seen["box"]
    assert seen["tab"] == 184


def test_the_right_button_sends(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert seen["went"] > 30


def test_towers_and_walls_are_built_by_hand(played: tuple[dict[str, Any], Path]) -> None:
    seen, folder = played
    assert seen["tower"] == 1
    assert seen["wall"] > 10
    before, after = pixels(folder / "wall.png"), pixels(folder / "built.png")
    assert np.abs(before - after)[100:580].max(axis=2).mean() > 0.3  # the marks of the wall became a wall


def test_the_view_moves_and_panels_keep_their_clicks(played: tuple[dict[str, Any], Path]) -> None:
    seen, _ = played
    assert seen["minimap"] == pytest.approx(0.9, abs=0.02)
    assert seen["zoomed"] == pytest.approx(1.18**3, rel=0.01)
    assert seen["selected_after_panel"] == seen["selected_before_panel"]


def test_rings_mark_who_is_selected(played: tuple[dict[str, Any], Path]) -> None:
    _, folder = played
    rings = []
    for name in ("nobody", "selected"):
        picture = pixels(folder / f"{name}.png")[110:560]
        red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
        rings.append(int(((green > 140) & (green - red > 35) & (green - blue > 45)).sum()))
    assert rings[1] > rings[0] + 200
