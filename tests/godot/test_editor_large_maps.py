"""A large generated map in the editor: made by another thread, whether it is drawn, baked or only counted."""

from __future__ import annotations

from tests.godot.editor_project import EditorProject, told

SCENE = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
cost_source = 4
size = Vector2i(2048, 2048)
generator_kind = 2
"""


def test_a_large_map_is_generated_in_the_background_and_baked_with_a_window(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", SCENE)
    run = editor_project.drive("""
	var level := await open("res://level.tscn")
	var map := level.get_node("Map")
	await select(map)
	for wait in 400:
		if figure("Tiles").begins_with("2,048"):
			break
		await frames(1)
	result("figures", figure("Tiles"))
	map.generator_seed = 9
	button("Bake").pressed.emit()
	await frames(1)
	result("at_once", map.baked_map != null)
	var windows := 0
	for wait in 400:
		if map.baked_map != null:
			break
		windows = maxi(windows, baking().size())
		await frames(1)
	result("baked", map.baked_map.size if map.baked_map != null else null)
	result("windows", windows)
	map.baked_map = null
	map.cost_source = 4
	map.generator_seed = 10
	await frames(1)
	button("Bake").pressed.emit()
	for wait in 400:
		if not baking().is_empty():
			baking()[0].get_ok_button().pressed.emit()
			break
		await frames(1)
	await frames(60)
	result("cancelled", map.baked_map == null and map.cost_source == 4)
	await select(null)

func button(text: String) -> Button:
	for found in all_of("Button"):
		if found.text == text and found.is_visible_in_tree():
			return found
	return null

func baking() -> Array:
	return all_of("AcceptDialog").filter(func(found): return found.title == "Baking Map" and found.visible)

func figure(name: String) -> String:
	for found in all_of("Label"):
		if found.text == name and found.get_parent() is GridContainer:
			return found.get_parent().get_child(found.get_index() + 1).text
	return ""
""")
    assert told(run) == [], run.output
    assert run.results["figures"].startswith("2,048 x 2,048"), run.results
    assert run.results["at_once"] is False
    assert run.results["baked"] == [2048, 2048]
    assert run.results["windows"] == 1
    assert run.results["cancelled"] is True
