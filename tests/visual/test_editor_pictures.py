"""What a level designer meets in the editor, on pictures: a bake, help, a whole map in 3D, a running game; in both themes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from addons.pynav.editor.job_timeline import LEGEND
from pynav.drawing import Role, palette
from tests.bridge.engine_project import GODOT
from tests.godot.editor_hands import HANDS, write_settings
from tests.godot.editor_project import EditorProject, Run, told
from tools import display

WINDOW = "1280x800"
LEVEL = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(64, 48)
generator_kind = 2
generator_seed = 11
tile_size = Vector2(8, 8)
[node name="Crowd" type="FlowFieldCrowd2D" parent="."]
[node name="Jobs" type="NavJobScheduler" parent="."]
"""
SPACE = """[gd_scene format=3]
[node name="Level" type="Node3D"]
[node name="Map" type="FlowFieldMap3D" parent="."]
cost_source = 4
size = Vector2i(64, 48)
generator_kind = 2
generator_seed = 11
"""
GAME = """[gd_scene format=3]
[ext_resource type="Script" path="res://game.gd" id="1"]
[node name="Main" type="Node2D"]
script = ExtResource("1")
[node name="Map" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(256, 256)
generator_kind = 2
tile_size = Vector2(4, 4)
[node name="Crowd" type="FlowFieldCrowd2D" parent="Map"]
count = 600
"""
GAME_SCRIPT = """extends Node2D
var ticks := 0
func _physics_process(_delta: float) -> void:
	if ticks % 20 == 0:
		$Map/Crowd.set_goal_tiles([Vector2i(ticks * 7 % 256, ticks * 3 % 256)])
	ticks += 1
"""
# A map that is selected, and the rectangles of what has to be legible.
MAP = """
	OS.low_processor_usage_mode = true  # as in an editor without a driver: what hasn't changed isn't drawn again
	var level := await open("res://level.tscn")
	await select(level.get_node("Map"))
	show_layers([1, 2, 8, 64, 128])
	await frames(40)
	await shot("map")
	var panel: Control = all_of("VBoxContainer").filter(func(box): return box.name == "PynavPanel")[0]
	result("texts", panel.find_children("*", "Label", true, false).filter(func(label): return label.visible).map(place))
	var buttons := panel.find_children("*", "Button", true, false) + [control("MenuButton", "pynav")]
	result("buttons", buttons.map(place))
	result("brushes", ["Paint tiles", "Erase", "Paint a rectangle"].map(func(tip): return place(control("Button", tip))))
	result("icons", icons())
"""
MAP_HANDS = """
# What something says, and where it is.
func place(found: Control) -> Array:
	return [found.text if found.text else found.tooltip_text] + rect_of(found)

func rect_of(found: Control) -> Array:
	var corner := found.get_global_position()
	if found.get_window() != get_tree().root:
		corner += Vector2(found.get_window().position)
	return [corner.x, corner.y, corner.x + found.size.x, corner.y + found.size.y]

# The icons in the scene tree, beside the names of our nodes.
func icons() -> Array:
	var found := []
	for tree: Tree in all_of("Tree"):
		var item := tree.get_root()
		while item != null and tree.is_visible_in_tree():
			if item.get_text(0) in ["Map", "Crowd", "Jobs"]:
				var area := tree.get_item_area_rect(item, 0)
				var corner := tree.get_global_position() - tree.get_scroll() + area.position
				found.append([item.get_text(0), corner.x + 18, corner.y, corner.x + 36, corner.y + area.size.y])
			item = item.get_next_visible()
	return found

func show_layers(layers: Array) -> void:
	var popup: PopupMenu = get_tree().root.find_children("PynavDrawing*", "MenuButton", true, false)[0].get_popup()
	popup.id_pressed.emit(0)
	for layer in layers:
		popup.id_pressed.emit(layer)

func until(is_so: Callable) -> void:
	for wait in 1000:
		if is_so.call():
			return
		await frames(1)
"""
BAKE = """
	var map := level.get_node("Map")
	var costs := Image.create(8192, 8192, false, Image.FORMAT_RGBA8)
	costs.fill(Color.WHITE)
	map.cost_image = costs
	map.cost_source = 2
	await frames(30)
	await press("Button", "Bake")
	await until(func(): return bar() != null and bar().value > 0.2)
	result("title", bar().get_window().title)
	result("begin", bar().value)
	await shot("bake")
	result("bar", rect_of(bar()))
	result("end", bar().value)
	var cancel: Button = bar().get_window().get_ok_button()
	result("cancel", cancel.text)
	await click(Vector2(cancel.get_window().position) + cancel.get_global_rect().get_center())
	await frames(20)
	result("cancelled", [bar() == null, map.baked_map == null, map.cost_source])
	map.cost_source = 4
	map.cost_image = null
"""
BAKE_HANDS = """
func bar() -> ProgressBar:
	for found: ProgressBar in all_of("ProgressBar"):
		if found.is_visible_in_tree() and found.get_window().title.begins_with("Baking"):
			return found
	return null
"""
HELP = """
	EditorInterface.set_main_screen_editor("Script")
	EditorInterface.get_script_editor().goto_help("class_name:FlowFieldMap2D")
	await frames(20)
	await shot("help")
	for page: RichTextLabel in EditorInterface.get_script_editor().find_children("*", "RichTextLabel", true, false):
		if page.is_visible_in_tree():
			result("page", page.get_parsed_text())
			result("page_place", rect_of(page))
"""
IN_SPACE = """
	var space := await open("res://space.tscn")
	EditorInterface.set_main_screen_editor("3D")
	await select(space.get_node("Map"))
	await press("Button", "Alt+RMB")  # the mode without arrows that move the node
	for frame in 25:
		look()
		await frames(1)
	await shot("space")
	var view: Control = EditorInterface.get_editor_viewport_3d(0).get_parent()
	result("view", rect_of(view))
	var camera := EditorInterface.get_editor_viewport_3d(0).get_camera_3d()
	var corners := [Vector3(), Vector3(64, 0, 0), Vector3(64, 0, 48), Vector3(0, 0, 48)]
	result("corners", corners.map(func(corner): return camera.unproject_position(corner) + view.get_global_position()))
"""
SPACE_HANDS = """
func look() -> void:
	var camera := EditorInterface.get_editor_viewport_3d(0).get_camera_3d()
	camera.look_at_from_position(Vector3(32, 48, 52), Vector3(32, 0, 26.5))
"""
# The tab is open before the game starts, as it is whenever somebody runs a game once more.
WATCH = """
	EditorInterface.play_custom_scene("res://game.tscn")
	await open_debugger()
	await until(func(): return jobs() != null and jobs().get_root() != null and jobs().get_root().get_child_count() >= 6)
	await shot("debugger")
	result("jobs", jobs().get_root().get_child_count())
	result("first_job", range(jobs().columns).map(func(column): return jobs().get_root().get_child(0).get_text(column)))
	result("chart", rect_of(jobs().get_parent().get_child(0)))
	EditorInterface.stop_playing_scene()
	await frames(30)
"""
WATCH_HANDS = """
func jobs() -> Tree:
	for tab in all_of("VBoxContainer"):
		if tab.name == "pynav" and tab.is_visible_in_tree():
			return tab.find_children("*", "Tree", true, false)[0]
	return null

# The debugger below, then its last tab.
func open_debugger() -> void:
	for title in ["Debugger", "pynav"]:
		await until(func(): return not tabs(title).is_empty())
		for bar: TabBar in tabs(title):
			for index in bar.tab_count:
				if bar.get_tab_title(index).begins_with(title):
					bar.current_tab = index
		await frames(10)

# Bars that are seen and have such a tab.
func tabs(title: String) -> Array:
	return all_of("TabBar").filter(func(bar): return bar.is_visible_in_tree() and range(bar.tab_count).any(
		func(index): return bar.get_tab_title(index).begins_with(title)))
"""
_DISPLAY_WORDS = ("VK_KHR", "vulkan", "V-Sync", "vsync", 'Condition "err != OK"')  # a display without a graphics card
Pixels = npt.NDArray[np.int16]


class Seen:
    """The pictures of one run of the editor, and what the run told."""

    def __init__(self, folder: Path, run: Run) -> None:
        self.folder, self.run, self.told = folder, run, run.results

    def picture(self, name: str, place: Sequence[float] = (0, 0, 1280, 800)) -> Pixels:
        """A picture's part (left, top, right, bottom), (height, width, 3)."""
        picture = Image.open(self.folder / f"{name}.png").convert("RGB").crop(tuple(round(side) for side in place))
        return np.asarray(picture).astype(np.int16)


def look(folder: Path, theme: str, body: str) -> Seen:
    """Run the editor in a theme, on a virtual display."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    project = EditorProject(folder / theme, editor__run__main_run_args='"--headless"')  # its window would only cost time
    for name, text in (("level.tscn", LEVEL), ("space.tscn", SPACE), ("game.tscn", GAME), ("game.gd", GAME_SCRIPT)):
        project.write(name, text)
    write_settings(project.folder, theme == "light")
    with display.virtual_display(WINDOW) as environment:
        run = project.drive(body, "--resolution", WINDOW, environment=environment, timeout=200.0)
    kept = os.environ.get("PYNAV_PICTURES")  # a folder where somebody wants to look at them
    if kept:
        for path in project.folder.glob("*.png"):
            shutil.copy(path, Path(kept, f"{path.stem}_{theme}.png"))
    assert run.code == 0, run.output
    return Seen(project.folder, run)


@pytest.fixture(scope="module")
def dark(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """All pictures in the editor's usual theme."""
    body = MAP + BAKE + HELP + IN_SPACE + MAP_HANDS + BAKE_HANDS + SPACE_HANDS + HANDS
    return look(tmp_path_factory.mktemp("pictures"), "dark", body)


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The map and a running game in the light theme."""
    return look(tmp_path_factory.mktemp("pictures"), "light", MAP + WATCH + MAP_HANDS + WATCH_HANDS + HANDS)


def contrast(picture: Pixels) -> float:
    """How far the strongest pixels stand out from the ground, as the WCAG counts it: 1 (not at all) to 21."""
    share = picture.reshape(-1, 3) / 255.0
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    light = linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    ground = float(np.median(light))
    strongest = np.sort(np.maximum(light / ground, ground / light))[-8:]  # a thin letter has few pixels of its full colour
    return float(strongest[0])


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_panel_toolbar_and_icons_are_legible(request: pytest.FixtureRequest, theme: str) -> None:
    seen: Seen = request.getfixturevalue(theme)
    ground = np.median(seen.picture("map", seen.told["texts"][0][1:]).max(axis=2))
    assert (ground > 160) == (theme == "light")
    assert {text for text, *_ in seen.told["texts"]} >= {"Tiles", "64 x 48", "Sectors", "12"}
    assert [text for text, *_ in seen.told["buttons"]] == ["Bake", "Clear", "Validate", "pynav"]
    assert len(seen.told["brushes"]) == len(seen.told["icons"]) == 3
    for kind, least in (("texts", 4.5), ("buttons", 4.5), ("brushes", 3.0), ("icons", 3.0)):
        for text, *place in seen.told[kind]:
            assert contrast(seen.picture("map", place)) >= least, (kind, text)


def test_a_bake_shows_how_far_it_is_and_can_be_cancelled(dark: Seen) -> None:
    assert dark.told["title"] == "Baking Map"
    assert 0.2 < dark.told["begin"] < dark.told["end"] < 1.0
    # The bar is filled up to about what it says: its colour changes there.
    left, top, right, bottom = dark.told["bar"]
    bar = dark.picture("bake", (left, top + 3, right, bottom - 3)).astype(np.float64)
    columns = np.median(bar, axis=0)
    filled = np.abs(columns - columns[8]).max(axis=1) < np.abs(columns - columns[-8]).max(axis=1)
    assert np.abs(columns[8] - columns[-8]).max() > 15
    assert dark.told["begin"] - 0.05 <= filled.mean() <= dark.told["end"] + 0.05
    assert dark.told["cancel"] == "Cancel"
    assert dark.told["cancelled"] == [True, True, 2]


def test_f1_shows_the_page_of_a_class(dark: Seen) -> None:
    page = dark.told["page"].replace("\xa0", " ")
    assert page.startswith("Class:") and "FlowFieldMap2D" in page[:40]
    assert "A map of tiles on which crowds find their way." in page
    picture = dark.picture("help", dark.told["page_place"])
    assert contrast(picture) > 7.0
    lines = (picture.min(axis=2) > 150).any(axis=1)  # rows of pixels with letters
    assert 15 < np.count_nonzero(lines[1:] & ~lines[:-1]) < 60


def test_a_whole_map_fills_the_3d_view(dark: Seen) -> None:
    left, top, right, bottom = dark.told["view"]
    corners = np.array(dark.told["corners"])
    assert (corners > (left, top)).all() and (corners < (right, bottom)).all()
    x, y = corners.T
    area = 0.5 * abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))
    assert area > 0.4 * (right - left) * (bottom - top)
    picture = dark.picture("space", dark.told["view"])
    for role, least in ((Role.PORTAL, 800), (Role.WALK, 250), (Role.GOAL, 40), (Role.ARROW, 300)):
        near = np.abs(picture - palette()[role, :3].astype(np.int16)).max(axis=2) <= 45
        assert near.sum() > least, role


def test_the_debugger_shows_the_timeline_of_a_running_game(light: Seen) -> None:
    assert light.told["jobs"] >= 6
    goal, *figures = light.told["first_job"]
    assert goal.startswith("(") and all(figures[:4])
    picture = light.picture("debugger", light.told["chart"])
    colours = {text: np.array(tuple(colour)[:3]) * 255 for text, colour in LEGEND}

    def pixels(*texts: str) -> int:
        return sum(int((np.abs(picture - colours[text]).max(axis=2) < 40).sum()) for text in texts)

    # How long a job took and which slice was late is the machine's affair; the shortest job's bar is 2 pixels wide, 12 high.
    assert pixels("job under way", "late") > 6 * 20
    assert pixels("work on fields", "over budget") > 10
    assert pixels("budget") > 100


def test_the_editor_has_nothing_to_say(dark: Seen, light: Seen) -> None:
    for seen in (dark, light):
        assert [line for line in told(seen.run) if not any(word in line for word in _DISPLAY_WORDS)] == []
