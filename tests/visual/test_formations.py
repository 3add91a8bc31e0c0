"""Formations on a virtual display: slots while dragging, a march through a door, and how it stands.

``FORMATIONS_PICTURE=folder`` keeps the pictures.
"""

from __future__ import annotations

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

WIDTH, HEIGHT = 1008, 480
SHOTS = ("drag", "march", "places", "door", "formed")
_SCRIPT = """extends SceneTree

class Ground extends Node2D:
	func _draw() -> void:
		draw_rect(Rect2(0, 0, 1008, 480), Color(0.17, 0.21, 0.17))
		for wall in [Rect2(496, 0, 48, 208), Rect2(496, 272, 48, 208), Rect2(256, 96, 32, 32), Rect2(336, 352, 32, 32)]:
			draw_rect(wall, Color(0.33, 0.31, 0.30))
			draw_rect(wall.grow(-3), Color(0.42, 0.40, 0.38))

func save(name: String) -> void:
	await process_frame
	await process_frame
	root.get_viewport().get_texture().get_image().save_png("FOLDER/%s.png" % name)

func _initialize() -> void:
	await process_frame
	root.add_child(Ground.new())
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(63, 30)
	root.add_child(map)
	map.set_cost_rect(Rect2i(31, 0, 3, 13), 0)
	map.set_cost_rect(Rect2i(31, 17, 3, 13), 0)
	map.set_cost_rect(Rect2i(16, 6, 2, 2), 0)
	map.set_cost_rect(Rect2i(21, 22, 2, 2), 0)
	var colors := [Color(0.93, 0.42, 0.33), Color(0.95, 0.80, 0.38)]
	for index in 2:
		var crowd := FlowFieldCrowd2D.new()
		crowd.count = 0
		crowd.spawn_mode = 2
		crowd.speed = [40.0, 52.0][index]
		crowd.modulate = colors[index]
		map.add_child(crowd)
	var controller := FormationController2D.new()
	map.add_child(controller)
	for tick in 3:
		await physics_frame
	for index in 2:
		var places := PackedVector2Array()
		for unit in 40:
			places.append(Vector2(70 + 15 * (unit % 8) + (unit * 7) % 5, 150 + 15 * (unit / 8) + 80 * index + (unit * 3) % 4))
		map.get_crowds()[index].spawn(places)
	var from := Vector2(880, 130)
	var to := Vector2(900, 345)
	controller.preview(from, to)
	for tick in 4:
		await physics_frame
	await save("drag")
	var number := controller.order(from, to, FormationController2D.MARCH)
	for tick in 420:
		await physics_frame
	await save("march")
	controller.debug_draw = true
	await physics_frame
	await save("places")
	controller.debug_draw = false
	for tick in 330:
		await physics_frame
	await save("door")
	for tick in 60 * 60:
		await physics_frame
		if controller.is_formed(number):
			break
	for tick in 40:
		await physics_frame
	await save("formed")
	quit()
"""


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    """The pictures by name, (height, width, 3)."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    folder = tmp_path_factory.mktemp("formations")
    project = NodeProject(folder / "project")
    project.write("look.gd", _SCRIPT.replace("FOLDER", str(folder)))
    command = [str(GODOT), "--path", str(project.folder), *display.ENGINE_ARGUMENTS, "--fixed-fps", "60"]
    with display.virtual_display() as environment:
        done = subprocess.run(
            [*command, "--resolution", f"{WIDTH}x{HEIGHT}", "--script", "res://look.gd"],
            env=environment, capture_output=True, text=True, timeout=500, check=False,
        )  # fmt: skip
    assert all((folder / f"{name}.png").exists() for name in SHOTS), done.stdout + done.stderr
    if os.environ.get("FORMATIONS_PICTURE"):
        for name in SHOTS:
            shutil.copy(folder / f"{name}.png", Path(os.environ["FORMATIONS_PICTURE"]) / f"{name}.png")
    return {name: np.asarray(Image.open(folder / f"{name}.png").convert("RGB")).astype(int) for name in SHOTS}


def _columns(picture: np.ndarray, is_red: bool) -> np.ndarray:
    """Columns of the pixels of soldiers, or of archers."""
    red, green, blue = picture[..., 0], picture[..., 1], picture[..., 2]
    if is_red:
        found = (red > 150) & (green < 130) & (blue < 120)
    else:
        found = (red > 150) & (green > 130) & (blue < 125)
    return np.nonzero(found)[1]


def test_the_preview_shows_a_marker_a_slot(shots: dict[str, np.ndarray]) -> None:
    drag, formed = shots["drag"], shots["formed"]
    blue = (drag[..., 2] > 110) & (drag[..., 2] > drag[..., 0] + 30)
    rows, columns = np.nonzero(blue)
    assert len(rows) > 1000 and columns.min() > 700
    assert (((formed[..., 2] > 110) & (formed[..., 2] > formed[..., 0] + 30)).sum()) < 50, "it is gone after the order"


def test_soldiers_go_through_the_door_before_archers_and_stand_in_front(shots: dict[str, np.ndarray]) -> None:
    for name in ("march", "door", "formed"):
        soldiers, archers = _columns(shots[name], True), _columns(shots[name], False)
        assert len(soldiers) > 800 and len(archers) > 800, name
        assert np.percentile(archers, 95) < np.percentile(soldiers, 60), name
    assert _columns(shots["formed"], False).min() > 700
