"""The homing grid on a virtual display: arrows that part the grid between two enemies, and the glow."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.bridge.engine_project import GODOT
from tests.godot.node_project import NodeProject
from tools import display

_SCRIPT = """extends SceneTree

func _initialize() -> void:
	await process_frame
	RenderingServer.set_default_clear_color(Color.BLACK)
	for part in 2:
		var grid := HomingGrid2D.new()
		grid.position = Vector2(20 + 420 * part, 20)
		grid.area = Rect2(0, 0, 380, 380)
		grid.cell_count = Vector2i(19, 19)
		grid.debug_draw = part == 0
		grid.show_glow = part == 1
		root.add_child(grid)
		for place in [Vector2(90, 90), Vector2(290, 290)]:
			var enemy := HomingSource2D.new()
			enemy.position = place
			grid.add_child(enemy)
	for tick in 90:
		await physics_frame
	await process_frame
	root.get_viewport().get_texture().get_image().save_png("%s")
	quit()
"""


@pytest.fixture
def picture(tmp_path: Path) -> np.ndarray:
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    project = NodeProject(tmp_path / "project")
    target = tmp_path / "shot.png"
    project.write("look.gd", _SCRIPT % target)
    command = [
        str(GODOT),
        "--path",
        str(project.folder),
        *display.ENGINE_ARGUMENTS,
        "--fixed-fps",
        "60",
        "--resolution",
        "840x420",
    ]
    with display.virtual_display() as environment:
        done = subprocess.run(
            [*command, "--script", "res://look.gd"], env=environment, capture_output=True, text=True, timeout=240, check=False
        )
    assert target.exists(), done.stdout + done.stderr
    return np.asarray(Image.open(target).convert("RGB")).astype(int)


def test_arrows_and_glow(picture: np.ndarray) -> None:
    arrows, glow = picture[20:400, 20:400], picture[20:400, 440:820]
    cells = arrows.reshape(19, 20, 19, 20, 3).swapaxes(1, 2)
    lit = (cells.max(axis=(2, 3, 4)) > 100).mean()
    assert lit > 0.97  # an arrow a cell, all over the grid
    red = np.array([[cell[..., 0].max() - cell[..., 1].max() for cell in row] for row in cells])
    strongest = np.argsort(red.reshape(-1))[-2:]
    assert sorted((int(place) // 19, int(place) % 19) for place in strongest) == [(4, 4), (14, 14)]  # magenta at the enemies
    pale = cells[0, 18].reshape(-1, 3)[cells[0, 18].reshape(-1, 3).sum(axis=1).argmax()]
    assert pale[2] > pale[0] > 0  # blue far away
    np.testing.assert_allclose(red, red.T, atol=60)  # a fair border: the two halves mirror each other
    heat = glow.sum(axis=2)
    assert heat[90, 90] > 250 and heat[290, 290] > 250 and heat[370, 10] < heat[90, 90] / 4
    assert glow[90, 90, 0] > glow[90, 90, 2]  # gold
