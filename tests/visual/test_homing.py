"""Homing grids on a virtual display, in 2D and 3D: arrows that part the grid fairly between two enemies, and the glow.

``HOMING_PICTURE=file`` keeps the picture: ``docs/images/homing_arrows.png`` is the left half of one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.bridge.engine_project import GODOT
from tests.godot.node_project import NodeProject
from tools import display

SIDE = 19
CELL = 28
EDGE = 24
WIDTH = SIDE * CELL
PLACES = ((4, 4), (14, 14))  # column, row
RANGE = 1.5  # strength from which arrows are magenta in the 3D picture
_SCRIPT = """extends SceneTree

class Enemy extends Node2D:
	func _draw() -> void:
		draw_circle(Vector2.ZERO, 11.0, Color(0.02, 0.03, 0.08))
		draw_circle(Vector2.ZERO, 9.0, Color(1.0, 0.82, 0.36), true, -1.0, true)
		draw_circle(Vector2.ZERO, 4.0, Color(1.0, 0.97, 0.85), true, -1.0, true)

func _initialize() -> void:
	await process_frame
	RenderingServer.set_default_clear_color(Color(0.045, 0.055, 0.11))
	var arrows: HomingGrid2D
	for part in 2:
		var grid := HomingGrid2D.new()
		grid.position = Vector2(EDGE + (WIDTH + EDGE) * part, EDGE)
		grid.area = Rect2(0, 0, WIDTH, WIDTH)
		grid.cell_count = Vector2i(SIDE, SIDE)
		grid.debug_draw = part == 0
		grid.show_glow = part == 1
		root.add_child(grid)
		for place in [PLACES]:
			var enemy := HomingSource2D.new()
			enemy.position = Vector2(place) * CELL + Vector2.ONE * CELL / 2.0
			grid.add_child(enemy)
			if part == 0:
				enemy.add_child(Enemy.new())
		if part == 0:
			arrows = grid
	for tick in 300:
		await physics_frame
	var directions := []
	for row in SIDE:
		for column in SIDE:
			var way: Vector2 = arrows.get_direction(Vector2(column + 0.5, row + 0.5) * CELL)
			directions.append([way.x, way.y])
	print("DIRECTIONS %s" % JSON.stringify(directions, "", true, true))
	await process_frame
	root.get_viewport().get_texture().get_image().save_png("TARGET")
	quit()
"""
# The same in 3D, seen from straight above; one unit is a cell, EDGE is in cells there. What is beside the grids is ground.
_SCRIPT_3D = """extends SceneTree

func _initialize() -> void:
	await process_frame
	RenderingServer.set_default_clear_color(Color(0.045, 0.055, 0.11))
	for part in 2:
		var grid := HomingGrid3D.new()
		grid.position = Vector3(1 + (SIDE + 1) * part, 0, 1)
		grid.area = Rect2(0, 0, SIDE, SIDE)
		grid.cell_count = Vector2i(SIDE, SIDE)
		grid.debug_draw = part == 0
		grid.debug_range = Vector2(0, RANGE)
		grid.show_glow = part == 1
		root.add_child(grid)
		for place in [PLACES]:
			var enemy := HomingSource3D.new()
			enemy.position = Vector3(place.x + 0.5, 3.0, place.y + 0.5)
			grid.add_child(enemy)
		if part == 0:
			await process_frame
	var camera := Camera3D.new()
	camera.projection = Camera3D.PROJECTION_ORTHOGONAL
	camera.size = SIDE + 2
	camera.position = Vector3(SIDE + 1.5, 20, SIDE * 0.5 + 1)
	camera.rotation_degrees.x = -90
	root.add_child(camera)
	for tick in 300:
		await physics_frame
	await process_frame
	root.get_viewport().get_texture().get_image().save_png("TARGET")
	quit()
"""
Seen = tuple[np.ndarray, np.ndarray]


def _script(text: str) -> str:
    places = ", ".join(f"Vector2i({column}, {row})" for column, row in PLACES)
    words = {"PLACES": places, "SIDE": SIDE, "CELL": CELL, "EDGE": EDGE, "WIDTH": WIDTH, "RANGE": RANGE}
    for word, value in words.items():
        text = text.replace(word, str(value))
    return text


def _picture(script: str, resolution: str, folder: Path) -> tuple[np.ndarray, str]:
    """The picture (height, width, 3) that a script saves at TARGET, and what the engine said."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    project = NodeProject(folder / "project")
    target = folder / "shot.png"
    project.write("look.gd", script.replace("TARGET", str(target)))
    command = [str(GODOT), "--path", str(project.folder), *display.ENGINE_ARGUMENTS, "--fixed-fps", "60"]
    with display.virtual_display() as environment:
        done = subprocess.run(
            [*command, "--resolution", resolution, "--script", "res://look.gd"],
            env=environment, capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip
    assert target.exists(), done.stdout + done.stderr
    if os.environ.get("HOMING_PICTURE"):
        shutil.copy(target, os.environ["HOMING_PICTURE"])
    return np.asarray(Image.open(target).convert("RGB")).astype(int), done.stdout


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The picture, and the arrows (row, column, 2) of the grid on its left."""
    resolution = f"{2 * WIDTH + 3 * EDGE}x{WIDTH + 2 * EDGE}"
    picture, output = _picture(_script(_SCRIPT), resolution, tmp_path_factory.mktemp("homing"))
    (line,) = [line for line in output.splitlines() if line.startswith("DIRECTIONS ")]
    directions = np.array(json.loads(line.removeprefix("DIRECTIONS "))).reshape(SIDE, SIDE, 2)
    return picture, directions


@pytest.fixture(scope="module")
def seen_3d(tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """The picture of grids in 3D, seen from above: arrows, then glow."""
    resolution = f"{(2 * SIDE + 3) * CELL}x{(SIDE + 2) * CELL}"
    return _picture(_script(_SCRIPT_3D), resolution, tmp_path_factory.mktemp("homing_3d"))[0]


def _to(place: tuple[int, int]) -> np.ndarray:
    """From each cell to a cell: (row, column, 2)."""
    rows, columns = np.mgrid[:SIDE, :SIDE]
    return np.stack([place[0] - columns, place[1] - rows], axis=-1).astype(float)


def test_the_grid_is_parted_fairly(seen: Seen) -> None:
    """Each cell points to the enemy that is nearer, and the halves mirror each other, cell by cell."""
    _, directions = seen
    first, second = (_to(place) for place in PLACES)
    near, far = np.hypot(*first.transpose(2, 0, 1)), np.hypot(*second.transpose(2, 0, 1))
    to_first, to_second = (directions * first).sum(axis=-1), (directions * second).sum(axis=-1)
    owner = np.where(near < far, to_first / np.maximum(near, 1e-9), to_second / np.maximum(far, 1e-9))
    clear = (np.abs(near - far) > 1e-9) & (near > 0) & (far > 0)
    assert clear.sum() > 330
    assert owner[clear].min() > 0.5  # within 60 degrees of the straight line to the nearer one, right up to the border
    np.testing.assert_allclose(directions[::-1, ::-1], -directions, atol=1e-4)  # turned by half a turn
    np.testing.assert_allclose(directions.transpose(1, 0, 2)[..., ::-1], directions, atol=1e-4)  # the two axes are alike


def _cells(part: np.ndarray) -> np.ndarray:
    return part.reshape(SIDE, CELL, SIDE, CELL, 3).swapaxes(1, 2)


def test_arrows_are_seen_in_pale_blue_to_magenta(seen: Seen) -> None:
    picture, _ = seen
    cells = _cells(picture[EDGE : EDGE + WIDTH, EDGE : EDGE + WIDTH])
    assert (cells.max(axis=(2, 3, 4)) > 100).mean() > 0.97  # an arrow a cell, all over the grid
    magenta = np.minimum(cells[..., 0], cells[..., 2]) - cells[..., 1]
    strength = magenta.max(axis=(2, 3))
    around = [(column + x, row + y) for column, row in PLACES for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    assert min(strength[row, column] for column, row in around) > 120  # beside the enemies
    assert strength[0, 18] < 60 and strength[18, 0] < 60
    pale = cells[0, 18].reshape(-1, 3)[cells[0, 18].reshape(-1, 3).sum(axis=1).argmax()]
    assert pale[2] > pale[0] > 60  # blue far away
    np.testing.assert_allclose(strength, strength.T, atol=60)


def test_the_ground_glows_gold_at_the_enemies(seen: Seen) -> None:
    picture, _ = seen
    left = 2 * EDGE + WIDTH
    glow = picture[EDGE : EDGE + WIDTH, left : left + WIDTH]
    heat = glow.sum(axis=2)
    for column, row in PLACES:
        x, y = column * CELL + CELL // 2, row * CELL + CELL // 2
        assert heat[y, x] > 250
        assert glow[y, x, 0] > glow[y, x, 2]  # gold
        assert heat[WIDTH - 5, 5] < heat[y, x] / 4


def test_the_glow_has_no_hard_edge(seen: Seen) -> None:
    """The enemies stand four cells off the border: without fading the glow would end there in a step of some thirty."""
    picture, _ = seen
    left = 2 * EDGE + WIDTH
    for line in (picture[EDGE : EDGE + WIDTH, left - 3 : left + CELL], picture[EDGE - 3 : EDGE + CELL, left:].swapaxes(0, 1)):
        assert np.abs(np.diff(line.sum(axis=2), axis=1)).max() <= 6


def test_arrows_lie_on_the_floor_in_3d_in_the_same_colours(seen_3d: np.ndarray) -> None:
    cells = _cells(seen_3d[CELL : CELL + WIDTH, CELL : CELL + WIDTH])
    assert (cells.max(axis=(2, 3, 4)) > 100).mean() > 0.97
    strength = (np.minimum(cells[..., 0], cells[..., 2]) - cells[..., 1]).max(axis=(2, 3))
    around = [(column + x, row + y) for column, row in PLACES for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    assert min(strength[row, column] for column, row in around) > 180  # magenta: stronger than the fixed range
    assert strength[0, 18] < 60 and strength[18, 0] < 60
    np.testing.assert_allclose(strength, strength.T, atol=60)


def test_the_floor_glows_gold_at_the_enemies_in_3d(seen_3d: np.ndarray) -> None:
    left = 2 * CELL + WIDTH
    glow = seen_3d[CELL : CELL + WIDTH, left : left + WIDTH]
    heat = glow.sum(axis=2)
    for column, row in PLACES:
        x, y = column * CELL + CELL // 2, row * CELL + CELL // 2
        assert heat[y, x] > 250
        assert glow[y, x, 0] > glow[y, x, 1] > glow[y, x, 2]  # gold
    assert heat[WIDTH - 5, 5] < heat[4 * CELL + CELL // 2, 4 * CELL + CELL // 2] / 4
    edge = seen_3d[CELL : CELL + WIDTH, left - 3 : left + CELL].sum(axis=2)
    assert np.abs(np.diff(edge, axis=1)).max() <= 6  # no hard edge
