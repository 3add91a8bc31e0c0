"""Formations on a virtual display: slots while dragging, a march through a door, how it stands; clusters and their leaders.

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
from scipy import ndimage

from tests.bridge.engine_project import GODOT
from tests.godot.node_project import NodeProject
from tools import display

WIDTH, HEIGHT = 1008, 480
SHOTS = ("drag", "march", "places", "door", "formed", "clusters", "merging", "in_the_wall")
_SCRIPT = """extends SceneTree

class Ground extends Node2D:
	var more := []

	func _draw() -> void:
		draw_rect(Rect2(0, 0, 1008, 480), Color(0.17, 0.21, 0.17))
		for wall in more + [Rect2(496, 0, 48, 208), Rect2(496, 272, 48, 208), Rect2(256, 96, 32, 32), Rect2(336, 352, 32, 32)]:
			draw_rect(wall, Color(0.33, 0.31, 0.30))
			draw_rect(wall.grow(-3), Color(0.42, 0.40, 0.38))

var ground := Ground.new()

func save(name: String) -> void:
	await process_frame
	await process_frame
	root.get_viewport().get_texture().get_image().save_png("FOLDER/%s.png" % name)

func new_map() -> FlowFieldMap2D:
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
	return map

func run_ticks(count: int) -> void:
	for tick in count:
		await physics_frame

func spawn(map: FlowFieldMap2D, corner: Vector2, soldiers: int, archers: int) -> void:
	var places := PackedVector2Array()
	for unit in soldiers + archers:
		places.append(corner + Vector2(17 * (unit % 6) + (unit * 7) % 5, 17 * (unit / 6) + (unit * 3) % 4))
	map.get_crowds()[0].spawn(places.slice(0, soldiers))
	map.get_crowds()[1].spawn(places.slice(soldiers))

func play_clusters() -> void:
	var map := new_map()
	var controller := FormationController2D.new()
	map.add_child(controller)
	await run_ticks(3)
	spawn(map, Vector2(40, 40), 18, 12)
	spawn(map, Vector2(50, 360), 18, 12)
	spawn(map, Vector2(300, 200), 12, 6)
	controller.debug_draw = true
	var number := controller.order(Vector2(900, 60), Vector2(900, 420), FormationController2D.MARCH)
	await run_ticks(330)
	await save("clusters")
	for tick in 3000:
		await physics_frame
		if controller.get_cluster_sizes(number).size() == 2:
			break
	await run_ticks(240)
	await save("merging")
	map.free()

func play_wall() -> void:
	var map := new_map()
	var controller := FormationController2D.new()
	map.add_child(controller)
	await run_ticks(3)
	for wall in [Rect2i(4, 4, 8, 1), Rect2i(4, 9, 8, 1), Rect2i(4, 5, 1, 4), Rect2i(11, 5, 1, 4)]:
		map.set_cost_rect(wall, 0)
		ground.more.append(Rect2(wall.position * 16, wall.size * 16))
	ground.queue_redraw()
	spawn(map, Vector2(82, 84), 18, 10)
	controller.debug_draw = true
	var number := controller.order(Vector2(130, 90), Vector2(130, 190), FormationController2D.RUN)
	await run_ticks(240)
	var picture := FileAccess.open("FOLDER/cut_off.txt", FileAccess.WRITE)
	picture.store_string(str(controller.get_cut_off_slots(number).size()))
	picture.close()
	await save("in_the_wall")
	map.free()

func _initialize() -> void:
	await process_frame
	root.add_child(ground)
	var map := new_map()
	var controller := FormationController2D.new()
	map.add_child(controller)
	await run_ticks(3)
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
	map.free()
	await play_clusters()
	await play_wall()
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
    found = {name: np.asarray(Image.open(folder / f"{name}.png").convert("RGB")).astype(int) for name in SHOTS}
    return found | {"cut_off": np.array(int((folder / "cut_off.txt").read_text()))}


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


def _hue(picture: np.ndarray) -> np.ndarray:
    """The twelfth of the hues of each pixel, -1 where it is weak, or of the colours of units."""
    channels = Image.fromarray(picture.astype(np.uint8)).convert("HSV").split()
    hue, saturation, value = (np.asarray(channel).astype(int) for channel in channels)
    twelfth = (hue + 11) // 21 % 12
    return np.where((saturation > 90) & (value > 110) & (twelfth > 2), twelfth, -1)


def _stars(picture: np.ndarray) -> int:
    """Marks of leaders: nothing else of such a colour is broader than a ring's line."""
    core = ndimage.binary_erosion(_hue(picture) >= 0, np.ones((7, 7)))
    return int(ndimage.label(core)[1])


def _hues(picture: np.ndarray, left: int, right: int) -> set[int]:
    """Which hues at least 150 pixels between two columns have."""
    found = _hue(picture[:, left:right])
    return {number for number in range(12) if (found == number).sum() > 150}


def test_each_cluster_has_a_colour_and_a_leader(shots: dict[str, np.ndarray]) -> None:
    assert [_stars(shots[name]) for name in ("places", "clusters", "merging", "formed")] == [1, 3, 2, 0]
    assert len(_hues(shots["clusters"], 0, 496)) == 3
    assert len(_hues(shots["clusters"], 0, 380)) == 2, "the third is at the door"
    assert _hues(shots["merging"], 0, 600) - _hues(shots["clusters"], 0, 600), "the merged one has a colour of its own"


def test_slots_that_are_cut_off_have_a_cross(shots: dict[str, np.ndarray]) -> None:
    picture = shots["in_the_wall"]
    red = (picture[..., 0] > 220) & (picture[..., 1] < 90) & (picture[..., 2] < 90)
    label, count = ndimage.label(red, np.ones((3, 3)))
    sizes = np.bincount(label.reshape(-1), minlength=count + 1)[1:]
    assert (sizes > 12).sum() == shots["cut_off"] > 3
