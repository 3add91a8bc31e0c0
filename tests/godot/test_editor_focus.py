"""F and Shift+F in the views go for the whole map, not for its origin."""

from __future__ import annotations

from tests.godot.editor_hands import HANDS
from tests.godot.editor_project import EditorProject, told

FLAT = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
size = Vector2i(100, 40)
tile_size = Vector2(16, 16)
position = Vector2(3000, -700)
rotation = 0.7
[node name="Other" type="Node2D" parent="."]
position = Vector2(100, 100)
"""
SPACE = """[gd_scene format=3]
[node name="Level" type="Node3D"]
[node name="Map" type="FlowFieldMap3D" parent="."]
size = Vector2i(60, 40)
position = Vector3(200, 5, -90)
origin = Vector3(0, 2, 0)
"""
IN_2D = """
	EditorInterface.set_main_screen_editor("2D")
	var level := await open("res://level.tscn")
	var map: Node2D = level.get_node("Map")
	await select(map)
	await hover(EditorInterface.get_editor_viewport_2d())
	await key(KEY_F)
	await frames(20)
	result("centred", [shown(map, Vector2(800, 320)), middle()])
	await key(KEY_F, false, true)
	await frames(20)
	var corners := [Vector2(), Vector2(1600, 0), Vector2(1600, 640), Vector2(0, 640)]
	result("corners", corners.map(func(corner): return shown(map, corner)))
	result("view", EditorInterface.get_editor_viewport_2d().size)
	result("selected", EditorInterface.get_selection().get_selected_nodes() == [map] and inspected() == map)
	result("left", map.get_viewport().find_children("*", "Control", true, false).size())
	await select(level.get_node("Other"))
	await hover(EditorInterface.get_editor_viewport_2d())
	await key(KEY_F)
	await frames(20)
	result("other", [shown(level, Vector2(100, 100)), middle()])

func shown(node: Node2D, place: Vector2) -> Vector2:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform * node.get_global_transform() * place

func middle() -> Vector2:
	return EditorInterface.get_editor_viewport_2d().size / 2.0
"""
IN_3D = """
	EditorInterface.set_main_screen_editor("3D")
	var level := await open("res://level.tscn")
	var map: Node3D = level.get_node("Map")
	await select(map)
	var view := EditorInterface.get_editor_viewport_3d(0)
	await hover(view)
	await key(KEY_F)
	await frames(90)
	result("middle", [view.get_camera_3d().unproject_position(map.to_global(Vector3(30, 2, 20))), view.size / 2.0])
	result("selected", EditorInterface.get_selection().get_selected_nodes() == [map] and inspected() == map)
"""
MORE = """
func inspected() -> Object:
	return EditorInterface.get_inspector().get_edited_object()

# The mouse goes over a view, which gives it the keys.
func hover(view: SubViewport) -> void:
	await click(view.get_parent().get_global_rect().get_center(), MOUSE_BUTTON_MIDDLE)
	await frames(10)
"""


def near(one: list[float], other: list[float]) -> bool:
    """Two places on the screen are about the same."""
    return all(abs(a - b) < 3.0 for a, b in zip(one, other, strict=True))


def test_the_2d_view_frames_the_whole_map(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", FLAT)
    run = editor_project.drive(IN_2D + MORE + HANDS)
    assert told(run) == [], run.output
    assert near(*run.results["centred"])
    assert near(*run.results["other"])
    corners, size = run.results["corners"], run.results["view"]
    spans = [max(corner[axis] for corner in corners) - min(corner[axis] for corner in corners) for axis in (0, 1)]
    assert all(0 <= corner[axis] <= size[axis] for corner in corners for axis in (0, 1)), (corners, size)
    assert max(span / side for span, side in zip(spans, size, strict=True)) > 0.6
    assert run.results["selected"] is True
    assert run.results["left"] == 0


def test_the_3d_view_turns_to_the_middle_of_the_map(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", SPACE)
    run = editor_project.drive(IN_3D + MORE + HANDS)
    assert told(run) == [], run.output
    assert near(*run.results["middle"])
    assert run.results["selected"] is True
