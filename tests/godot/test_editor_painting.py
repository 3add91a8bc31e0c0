"""The walk of a new user in the real editor: make maps, bake, paint, undo, save, reopen; and what must not break the editor."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.godot.editor_hands import HANDS, PICTURE_SIZE, write_settings
from tests.godot.editor_project import EditorProject, told
from tests.godot.node_project import Run
from tools import display

# What the engine says of a virtual display without a graphics card.
_DISPLAY_WORDS = ("VK_KHR", "vulkan", "V-Sync", "vsync", 'Condition "err != OK"')
LEVEL_2D = '[gd_scene format=3]\n[node name="Level" type="Node2D"]\n'
LEVEL_3D = '[gd_scene format=3]\n[node name="Level" type="Node3D"]\n'


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """The environment that leads to a virtual display."""
    if shutil.which("Xvfb") is None:
        pytest.skip("no virtual display: apt-get install xvfb")
    with display.virtual_display(PICTURE_SIZE) as environment:
        yield environment


def walk(project: EditorProject, body: str, screen: dict[str, str] | None = None) -> Run:
    """Run a user's steps; nothing may be said that speaks of trouble."""
    write_settings(project.folder)
    arguments = () if screen is None else ("--resolution", PICTURE_SIZE)
    run = project.drive(body + HANDS, *arguments, environment=screen, timeout=300)
    assert run.code == 0, run.output
    assert [line for line in told(run) if not any(word in line for word in _DISPLAY_WORDS)] == [], run.output
    return run


def test_a_new_user_makes_bakes_paints_undoes_saves_and_reopens_a_map_in_2d(
    editor_project: EditorProject, screen: dict[str, str]
) -> None:
    editor_project.write("level.tscn", LEVEL_2D)
    run = walk(
        editor_project,
        """
	var level := await open("res://level.tscn")
	EditorInterface.set_main_screen_editor("2D")
	var map := FlowFieldMap2D.new()
	map.name = "Map"
	level.add_child(map)
	map.owner = level
	await select(map)
	var view: Control = EditorInterface.get_editor_viewport_2d().get_parent()
	var middle := view.get_global_rect().get_center()
	result("bake", await press("Button", "Bake"))
	await frames(20)
	result("baked", [map.cost_source, map.baked_map.size])
	result("brush", await press("Button", "Paint tiles"))
	await drag([middle + Vector2(-200, -80), middle + Vector2(-90, -80), middle + Vector2(-90, 60)])
	result("walls", Array(map.baked_map.get_costs()).count(0))
	await key(KEY_Z, true)
	result("undone", Array(map.baked_map.get_costs()).count(0))
	await key(KEY_Z, true, true)
	result("redone", Array(map.baked_map.get_costs()).count(0))
	await press("Button", "Paint a rectangle")
	await drag([middle + Vector2(20, 20), middle + Vector2(60, 50), middle + Vector2(116, 84)])
	result("with_rectangle", Array(map.baked_map.get_costs()).count(0))
	await press("Button", "Erase")
	await drag([middle + Vector2(-200, -80), middle + Vector2(-90, -80)])
	result("erased", Array(map.baked_map.get_costs()).count(0))
	await shot("walk_2d")
	var costs: PackedByteArray = map.baked_map.get_costs()
	EditorInterface.save_scene()
	await frames(10)
	EditorInterface.reload_scene_from_path("res://level.tscn")
	await frames(20)
	map = scene().get_node("Map")
	result("reopened", [map.cost_source, map.baked_map.get_costs() == costs, map.get_problems()])
	result("file", FileAccess.get_file_as_bytes("res://level.tscn").size())
""",
        screen,
    )
    seen = run.results
    assert seen["bake"] and seen["brush"]
    assert seen["baked"] == [5, [64, 64]]
    assert seen["walls"] > 12
    assert (seen["undone"], seen["redone"]) == (0, seen["walls"])
    assert seen["with_rectangle"] >= seen["walls"] + 7 * 5
    assert seen["erased"] < seen["with_rectangle"] - 5
    assert seen["reopened"] == [5, True, []]
    assert seen["file"] < 2000


def test_a_new_user_paints_a_map_in_3d(editor_project: EditorProject, screen: dict[str, str]) -> None:
    editor_project.write("level.tscn", LEVEL_3D)
    run = walk(
        editor_project,
        """
	var level := await open("res://level.tscn")
	EditorInterface.set_main_screen_editor("3D")
	var map := FlowFieldMap3D.new()
	map.name = "Map"
	map.origin = Vector3(-32, 0, -32)
	level.add_child(map)
	map.owner = level
	await select(map)
	await key(KEY_F)
	await frames(20)
	result("brush", await press("Button", "Paint tiles"))
	var view: Control = EditorInterface.get_editor_viewport_3d(0).get_parent()
	var middle := view.get_global_rect().get_center()
	await drag([middle + Vector2(-160, 60), middle + Vector2(0, 90), middle + Vector2(150, 40)])
	var walls := Array(map.baked_map.get_costs()).count(0)
	await shot("walk_3d")
	await key(KEY_Z, true)
	result("undone", [map.cost_source, map.baked_map == null])
	await key(KEY_Z, true, true)
	result("walls", [walls, Array(map.baked_map.get_costs()).count(0), map.cost_source])
	EditorInterface.save_scene()
	await frames(10)
	EditorInterface.reload_scene_from_path("res://level.tscn")
	await frames(20)
	result("reopened", Array(scene().get_node("Map").baked_map.get_costs()).count(0))
""",
        screen,
    )
    walls = run.results["walls"][0]
    assert run.results["brush"]
    assert walls > 1
    assert run.results["walls"] == [walls, walls, 5]
    assert run.results["undone"] == [0, True]
    assert run.results["reopened"] == walls


def test_on_a_hill_the_tile_under_the_mouse_is_painted(editor_project: EditorProject, screen: dict[str, str]) -> None:
    editor_project.write("level.tscn", LEVEL_3D)
    run = walk(
        editor_project,
        """
	var level := await open("res://level.tscn")
	EditorInterface.set_main_screen_editor("3D")
	var map := FlowFieldMap3D.new()
	map.name = "Map"
	map.tile_size = 0.05
	map.origin = Vector3(-1.6, 0, -1.6)
	map.size = Vector2i(64, 64)
	var heights := PackedFloat32Array()
	for y in 64:
		for x in 64:
			heights.append(0.15 + 0.15 * sin(x * 0.15) * cos(y * 0.15))
	map.heights = heights
	level.add_child(map)
	map.owner = level
	await select(map)
	await frames(40)
	result("brush", await press("Button", "Paint tiles"))
	var camera := EditorInterface.get_editor_viewport_3d(0).get_camera_3d()
	var view: Control = EditorInterface.get_editor_viewport_3d(0).get_parent()
	var spot := func(tile: Vector2i) -> Vector2:
		var height: float = heights[tile.y * 64 + tile.x]
		var place := Vector3((tile.x - 31.5) * 0.05, height, (tile.y - 31.5) * 0.05)
		return view.get_global_rect().position + camera.unproject_position(place)
	for tile in [Vector2i(37, 30), Vector2i(30, 33)]:  # both on slopes that the camera sees
		await click(spot.call(tile))
		await frames(30)  # with its first tile the map has another source, and the inspector another width
	var costs := map.baked_map.get_costs()
	var painted := []
	for index in costs.size():
		if costs[index] == 0:
			painted.append([index % 64, index / 64])
	result("painted", painted)
	await press("Button", "Paint a rectangle")
	await drag([spot.call(Vector2i(25, 28)), spot.call(Vector2i(30, 30)), spot.call(Vector2i(38, 33))])
	costs = map.baked_map.get_costs()
	painted = []
	for index in costs.size():
		if costs[index] == 0:
			painted.append(Vector2i(index % 64, index / 64))
	result("rectangle", [painted.size(), painted[0], painted[-1]])
	await move(spot.call(Vector2i(25, 28)), spot.call(Vector2i(25, 28)), false)
	await button(spot.call(Vector2i(25, 28)), true)
	await move(spot.call(Vector2i(25, 28)), spot.call(Vector2i(41, 37)))
	await frames(20)
	await shot("hill")
""",
        screen,
    )
    assert run.results["brush"]
    assert run.results["painted"] == [[37, 30], [30, 33]]
    assert run.results["rectangle"] == [14 * 6, [25, 28], [38, 33]]


def test_a_source_elsewhere_is_not_painted_over(editor_project: EditorProject, screen: dict[str, str]) -> None:
    editor_project.write("level.tscn", LEVEL_2D + '[node name="Map" type="FlowFieldMap2D" parent="."]\ncost_source = 4\n')
    run = walk(
        editor_project,
        """
	var map = (await open("res://level.tscn")).get_node("Map")
	EditorInterface.set_main_screen_editor("2D")
	await select(map)
	await press("Button", "Paint tiles")
	var view: Control = EditorInterface.get_editor_viewport_2d().get_parent()
	await click(view.get_global_rect().get_center())
	result("as_it_was", [map.cost_source, map.baked_map == null])
	await key(KEY_ESCAPE)
	result("bake", await press("Button", "Bake"))
	await frames(20)
	result("baked", [map.cost_source, map.baked_map.size])
	await key(KEY_Z, true)
	result("undone", [map.cost_source, map.baked_map == null])
	await key(KEY_Z, true, true)
	await press("Button", "Clear")
	await frames(4)
	result("cleared", [map.cost_source, map.baked_map == null])
""",
        screen,
    )
    assert run.results == {
        "as_it_was": [4, True], "bake": True, "baked": [5, [64, 64]], "undone": [4, True], "cleared": [0, True],
    }  # fmt: skip


def test_nothing_breaks_the_editor(editor_project: EditorProject) -> None:
    """Scenes opened and closed, nodes deleted, duplicated, moved between maps, the plugin switched, sources that are missing."""
    bad = '[gd_resource type="FlowFieldBakedMap" format=3]\n[resource]\ndata = PackedByteArray(80, 89, 78)\n'
    editor_project.write("bad.tres", bad)
    editor_project.write(
        "level.tscn",
        '[gd_scene load_steps=2 format=3]\n[ext_resource type="Resource" path="res://bad.tres" id="1"]\n'
        '[node name="Level" type="Node2D"]\n'
        '[node name="Map" type="FlowFieldMap2D" parent="."]\ncost_source = 4\nsize = Vector2i(128, 96)\n'
        '[node name="Horde" type="FlowFieldCrowd2D" parent="Map"]\n'
        '[node name="Rock" type="FlowFieldObstacle2D" parent="Map"]\n'
        '[node name="Other" type="FlowFieldMap2D" parent="."]\n'
        '[node name="Lost" type="FlowFieldMap2D" parent="."]\ncost_source = 3\nmap_file = "res://none.map"\n'
        '[node name="Damaged" type="FlowFieldMap2D" parent="."]\ncost_source = 5\nbaked_map = ExtResource("1")\n'
        '[node name="Space" type="FlowFieldMap3D" parent="."]\n'
        '[node name="Jobs" type="NavJobScheduler" parent="."]\n',
    )
    editor_project.write("empty.tscn", LEVEL_2D)
    run = walk(
        editor_project,
        """
	var level := await open("res://level.tscn")
	var undo := EditorInterface.get_editor_undo_redo()
	for name in ["Map", "Lost", "Damaged", "Space", "Jobs", "Map/Horde", "Map/Rock"]:
		await select(level.get_node(name))
	result("damaged", level.get_node("Damaged").get_problems())
	result("horde", level.get_node("Map/Horde").get_problems())
	var map = level.get_node("Map")
	var horde = map.get_node("Horde")
	undo.create_action("Delete Map", UndoRedo.MERGE_DISABLE, level)
	undo.add_do_method(level, "remove_child", map)
	undo.add_undo_method(level, "add_child", map)
	undo.add_undo_property(map, "owner", level)
	undo.add_undo_reference(map)
	undo.commit_action()
	await frames(4)
	history().undo()
	await frames(4)
	result("back", [map.is_inside_tree(), map.get_problems()])
	history().redo()
	history().undo()
	var copy = map.duplicate()
	level.add_child(copy)
	copy.owner = level
	await select(copy)
	horde.reparent(level.get_node("Other"))
	await frames(3)
	result("moved", [horde.get_problems(), horde.get_map_node() == level.get_node("Other")])
	horde.reparent(level)
	level.get_node("Other").free()
	copy.free()
	await frames(3)
	horde.reparent(level.get_node("Space"))
	await frames(2)
	horde.goal_mode = 2
	result("lost", horde.get_problems().size())
	horde.reparent(map)
	horde.goal_mode = 0
	result("found", horde.get_problems())
	await select(map)
	for index in 2:
		EditorInterface.set_plugin_enabled("pynav", false)
		await frames(4)
		map.size = Vector2i(100 + index, 80)
		await frames(4)
		EditorInterface.set_plugin_enabled("pynav", true)
		await frames(4)
		await select(map)
	for round in 3:
		await open("res://empty.tscn")
		EditorInterface.close_scene()
		await open("res://level.tscn")
		await select(scene().get_node("Map"))
		EditorInterface.close_scene()
		await frames(5)
	var start := Performance.get_monitor(Performance.OBJECT_COUNT)
	for round in 5:
		await open("res://level.tscn")
		await select(scene().get_node("Map"))
		await frames(30)
		EditorInterface.close_scene()
		await frames(10)
	result("objects_more", Performance.get_monitor(Performance.OBJECT_COUNT) - start)
""",
    )
    seen = run.results
    assert "no baked map" in seen["damaged"][0]
    assert seen["back"] == [True, []]
    assert seen["moved"] == [[], True]
    assert seen["lost"] == 1  # its goal is a node that is missing; a map it has found
    assert seen["horde"] == seen["found"] == []
    assert seen["objects_more"] < 200


def test_the_brushes_follow_the_editors_theme(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", LEVEL_2D)
    run = walk(
        editor_project,
        """
	var level := await open("res://level.tscn")
	var map := FlowFieldMap2D.new()
	map.name = "Map"
	level.add_child(map)
	map.owner = level
	await select(map)
	var box: Control = EditorInterface.get_base_control().find_child("PynavBrush", true, false)
	var shown := func() -> Array:
		var found := []
		for button in box.get_children():
			if button is Button:
				found.append(button.icon)
		return found
	var themed := func() -> Array:
		var theme := EditorInterface.get_editor_theme()
		return ["Edit", "Eraser", "Rectangle"].map(func(icon: String) -> Texture2D: return theme.get_icon(icon, "EditorIcons"))
	var before: Array = shown.call()
	result("before", before == themed.call())
	EditorInterface.get_editor_settings().set_setting("interface/theme/base_color", Color(0.9, 0.9, 0.9))
	EditorInterface.get_editor_settings().set_setting("interface/theme/icon_and_font_color", 1)
	box.get_tree().root.propagate_notification(EditorSettings.NOTIFICATION_EDITOR_SETTINGS_CHANGED)  # as its dialog does
	await frames(60)
	result("other", before != themed.call())
	result("after", shown.call() == themed.call())
	""",
    )
    assert run.results == {"before": True, "other": True, "after": True}
