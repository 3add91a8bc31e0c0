"""A new user's first walk through the editor, with mouse and keys: from an empty scene to a saved map, opened again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.bridge.engine_project import GODOT
from tests.godot.editor_hands import HANDS, write_settings
from tests.godot.editor_project import EditorProject, Run, told
from tools import display

SIDE = 48
WALLS = (slice(10, 14), slice(6, 30)), (slice(24, 40), slice(20, 24)), (slice(30, 34), slice(34, 48))
WINDOW = "1280x800"
OURS = {f"FlowField{what}{plane}" for what in ("Map", "Crowd", "Obstacle", "OneWay", "Agent") for plane in ("2D", "3D")}
# What the engine says of a virtual display without a graphics card.
_DISPLAY_WORDS = ("VK_KHR", "vulkan", "V-Sync", "vsync", 'Condition "err != OK"')
WALK = """
	OS.low_processor_usage_mode = true  # as in an editor without a driver: what hasn't changed isn't drawn again
	await walk("2D", on_canvas, Vector2(24.5, 24.5))
	await walk("3D", in_space, Vector2(32.5, 32.5))  # the middle of the map of 64 x 64 tiles that it was before it was baked
	await open_tab("Output")
	await shot("output")
	var panel: RichTextLabel = all_of("EditorLog")[0].find_children("*", "RichTextLabel", true, false)[0]
	result("output", Array(panel.get_parsed_text().split("\\n")))

# All that a user does with a first map in one of the views; `pixel` leads from tiles to the screen, the probe lies at `probe`.
func walk(view: String, pixel: Callable, probe: Vector2) -> void:
	var file := "level_%s.tscn" % view
	await key(KEY_N, true)
	await press("Button", view + " Scene")
	await frames(4)
	await create(view)
	result("made_" + view, scene().get_children().map(func(node): return node.get_class()))
	await bake()
	result("baked_" + view, [map().cost_source, map().baked_map.size, solid()])
	var labels: Array = all_of("EditorToaster")[0].find_children("*", "Label", true, false)
	result("told_" + view, labels.map(func(label): return label.text))
	await shot("baked_" + view)
	await show_map(pixel)
	if view == "2D":
		await show_layers()
	await drag([pixel.call(probe), pixel.call(Vector2(30, 30)), pixel.call(Vector2(40.5, 6.5))])
	await shot("probe_" + view)
	await press("Button", "Paint tiles")
	await drag([pixel.call(Vector2(30.5, 20.5)), pixel.call(Vector2(36.5, 20.5)), pixel.call(Vector2(44.5, 20.5))])
	result("painted_" + view, [solid(), Array(costs().slice(20 * 48 + 30, 20 * 48 + 45)).max()])
	result("wall_" + view, pixel.call(Vector2(37.5, 20.5)))
	await shot("painted_" + view)
	await key(KEY_Z, true)
	result("undone_" + view, solid())
	await shot("undone_" + view)
	await key(KEY_Z, true, true)
	result("redone_" + view, solid())
	await key(KEY_ESCAPE)
	var before := costs()
	await save(file)
	result("saved_" + view, [scene().scene_file_path, marks()])
	await key(KEY_W, true, true)
	await frames(10)
	result("closed_" + view, not EditorInterface.get_open_scenes().has("res://" + file))
	await key(KEY_T, true, true)
	await frames(10)
	result("reopened_" + view, [scene().scene_file_path, costs() == before])
	await select(map())
	await show_map(pixel)
	await drag([pixel.call(Vector2(40.5, 6.5)), pixel.call(Vector2(40, 8)), pixel.call(Vector2(42.5, 42.5))])
	result("marks_" + view, marks())
	await shot("reopened_" + view)

func map() -> Node:
	return scene().get_child(0)

func solid() -> int:
	return costs().count(0)

func costs() -> PackedByteArray:
	return map().baked_map.get_costs()

# The dialog that makes nodes, by the name of one.
func create(view: String) -> void:
	await key(KEY_A, true)
	await frames(4)
	await type_text("FlowField")
	result("offered_" + view, offered())
	await shot("create_" + view)
	await type_text("Map" + view)
	await key(KEY_ENTER)
	await frames(6)

func offered() -> Array:
	var found := []
	for tree: Tree in all_of("Tree"):
		if tree.is_visible_in_tree() and tree.get_window() != get_tree().root:
			var item := tree.get_root()
			while item != null:
				found.append(item.get_text(0))
				item = item.get_next_visible()
	return found

# In the inspector: costs from the picture, then the button.
func bake() -> void:
	await click(middle_of(property("cost_source").find_children("*", "OptionButton", true, false)[0]))
	await frames(4)
	for index in 3:
		await key(KEY_DOWN)
	await key(KEY_ENTER)
	await frames(4)
	for button in property("cost_image").find_children("*", "Button", true, false):
		if button.tooltip_text == "Quick Load":
			await click(middle_of(button))
	await frames(10)
	await type_text("level")
	await frames(10)
	await key(KEY_ENTER)
	await frames(10)
	await press("Button", "Bake")
	await frames(20)

func property(name: String) -> Control:
	for found in all_of("EditorProperty"):
		if found.is_visible_in_tree() and found.get_edited_property() == name:
			return found
	return null

func middle_of(found: Control) -> Vector2:
	return found.get_global_rect().get_center()

func save(file: String) -> void:
	await key(KEY_S, true)
	await frames(10)
	await key(KEY_A, true)
	await type_text(file)
	await key(KEY_ENTER)
	await frames(20)

# Flow and path, the seventh and eighth of the menu.
func show_layers() -> void:
	await press("MenuButton", "pynav")
	await frames(4)
	for index in 7:
		await key(KEY_DOWN)
	await key(KEY_ENTER)
	await key(KEY_DOWN)
	await key(KEY_ENTER)
	await shot("layers")
	await key(KEY_ESCAPE)

func on_canvas(tile: Vector2) -> Vector2:
	var viewport := EditorInterface.get_editor_viewport_2d()
	var place: Vector2 = viewport.global_canvas_transform * map().get_global_transform() * (tile * map().tile_size)
	return viewport.get_parent().get_global_rect().position + place

func in_space(tile: Vector2) -> Vector2:
	var viewport := EditorInterface.get_editor_viewport_3d(0)
	var place := viewport.get_camera_3d().unproject_position(map().to_global(Vector3(tile.x, 0, tile.y)))
	return viewport.get_parent().get_global_rect().position + place

# Zoom out until the whole map is in view; in 2D towards the corner that it lies beside.
func show_map(pixel: Callable) -> void:
	var is_flat := scene() is Node2D
	var view := EditorInterface.get_editor_viewport_2d() if is_flat else EditorInterface.get_editor_viewport_3d(0)
	var rect: Rect2 = view.get_parent().get_global_rect()
	if not is_flat:
		await key(KEY_F)
		await frames(10)
	for wheel in 40:
		if [Vector2(), Vector2(48, 0), Vector2(0, 48), Vector2(48, 48)].map(pixel).all(rect.has_point):
			return
		await click(rect.position + Vector2(8, 8) if is_flat else rect.get_center(), MOUSE_BUTTON_WHEEL_DOWN)
		await frames(4)

func marks() -> Array:
	var name := "%s::%s" % [scene().scene_file_path, map().name]
	return Array(EditorInterface.get_editor_settings().get_project_metadata("pynav_marks", name, PackedInt32Array()))

func open_tab(title: String) -> void:
	for bar: TabBar in all_of("TabBar"):
		for index in bar.tab_count:
			if bar.is_visible_in_tree() and bar.get_tab_title(index) == title:
				await click(bar.get_global_rect().position + bar.get_tab_rect(index).get_center())
				return
"""


RELOAD = """
	var is_second := FileAccess.file_exists("res://reloaded.txt")
	if not is_second:
		var level := await open("res://level.tscn")
		await select(level.get_node("Map"))
		level.get_node("Map").size = Vector2i(72, 40)
		menu().id_pressed.emit(64)
		EditorInterface.save_scene()
		await frames(30)
		FileAccess.open("res://reloaded.txt", FileAccess.WRITE).close()
		EditorInterface.restart_editor.call_deferred(false)  # another process, which runs all this again
		return
	await frames(30)
	var map := scene().get_node("Map")
	await select(map)
	await frames(30)
	result("scenes", EditorInterface.get_open_scenes())
	result("size", map.size)
	result("plugins", count("PynavEditorPlugin"))
	result("panels", get_tree().root.find_children("PynavPanel", "VBoxContainer", true, false).size())
	result("flow", menu().is_item_checked(menu().get_item_index(64)))

func menu() -> PopupMenu:
	return get_tree().root.find_children("PynavDrawing*", "MenuButton", true, false)[0].get_popup()
"""
LEVEL = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(64, 48)
[node name="Horde" type="FlowFieldCrowd2D" parent="Map"]
[node name="Space" type="FlowFieldMap3D" parent="."]
"""


def drive(project: EditorProject, body: str) -> Run:
    """Run a user's steps on a virtual display."""
    write_settings(project.folder)
    with display.virtual_display(WINDOW) as environment:
        run = project.drive(body + HANDS, "--resolution", WINDOW, environment=environment, timeout=400.0)
    assert run.code == 0, run.output
    return run


def ours(lines: list[str]) -> list[str]:
    """Lines that don't speak of the display."""
    return [line for line in lines if not any(word in line for word in _DISPLAY_WORDS)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for projects, where there is an engine and a display."""
    if not GODOT.exists():
        pytest.skip(f"no engine at {GODOT}: run `python3 dev.py play` once")
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    return tmp_path_factory.mktemp("walk")


@pytest.fixture(scope="module")
def walk(folder: Path) -> tuple[Path, Run]:
    """The folder with the pictures, and the run that made them."""
    project = EditorProject(folder / "project")
    ground = np.full((SIDE, SIDE), 255, dtype=np.uint8)
    for wall in WALLS:
        ground[wall] = 0
    Image.fromarray(ground).save(project.folder / "level.png")
    run = drive(project, WALK)
    kept = os.environ.get("PYNAV_PICTURES")  # a folder where somebody wants to look at them
    if kept:
        for path in project.folder.glob("*.png"):
            shutil.copy(path, kept)
    return project.folder, run


def walls() -> int:
    """Solid tiles of the picture."""
    return sum((rows.stop - rows.start) * (columns.stop - columns.start) for rows, columns in WALLS)


@pytest.mark.parametrize("view", ["2D", "3D"])
def test_maps_are_made_baked_painted_undone_saved_and_reopened(walk: tuple[Path, Run], view: str) -> None:
    seen = {name.removesuffix(f"_{view}"): value for name, value in walk[1].results.items() if name.endswith(view)}
    path = f"res://level_{view}.tscn"
    assert set(seen["offered"]) >= OURS
    assert seen["made"] == [f"FlowFieldMap{view}"]
    assert seen["baked"] == [5, [SIDE, SIDE], walls()]
    assert f"FlowFieldMap{view}: baked {SIDE} x {SIDE} tiles." in seen["told"]
    assert seen["painted"] == [walls() + 15, 0]
    assert (seen["undone"], seen["redone"]) == (walls(), walls() + 15)
    assert seen["closed"] is True
    assert seen["reopened"] == [path, True]


@pytest.mark.parametrize("view", ["2D", "3D"])
def test_marks_are_kept_that_were_dragged_before_the_scene_was_first_saved(walk: tuple[Path, Run], view: str) -> None:
    path, marks = walk[1].results[f"saved_{view}"]
    assert path == f"res://level_{view}.tscn"
    assert marks[:2] == [40, 6]
    assert len(marks) == 6 and min(marks) >= 0
    # Opened again, the probe lay there: that is where it was grabbed and dragged on.
    assert walk[1].results[f"marks_{view}"] == [42, 42, *marks[2:]]


def test_a_painted_wall_is_seen_and_gone_when_undone(walk: tuple[Path, Run]) -> None:
    folder, run = walk
    x, y = (int(part) for part in run.results["wall_2D"])
    painted, undone = (np.asarray(Image.open(folder / f"{name}_2D.png").convert("RGB")) for name in ("painted", "undone"))
    assert painted[y, x].max() < 60
    assert undone[y, x].max() > 80


def test_the_output_panel_says_what_the_user_did_and_nothing_else(walk: tuple[Path, Run]) -> None:
    def words(view: str) -> list[str]:
        name = f"FlowFieldMap{view}"
        paint = f"Paint Tiles of {name}"
        return [
            "New Scene Root", "Create Node", "Set cost_source", "Set cost_image", f"Bake {name}",
            paint, f"Scene Undo: {paint}", f"Scene Redo: {paint}",
        ]  # fmt: skip

    ignored = ("RESULT ", "Godot Engine v", "---")
    said = [line for line in walk[1].results["output"] if line.strip() and not line.startswith(ignored)]
    assert ours(said) == words("2D") + words("3D")
    assert ours(told(walk[1])) == []


def test_reloading_the_project_says_nothing_and_brings_all_back(folder: Path) -> None:
    project = EditorProject(folder / "reloaded")
    project.write("level.tscn", LEVEL)
    run = drive(project, RELOAD)
    assert run.results == {
        "scenes": ["res://main.tscn", "res://level.tscn"], "size": [72, 40], "plugins": 1, "panels": 1, "flow": True,
    }  # fmt: skip
    assert ours(told(run)) == []
