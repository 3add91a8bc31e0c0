"""Configuration warnings in the scene dock: each names its problem, and vanishes once it is mended, wherever that happens."""

from __future__ import annotations

from tests.godot.editor_project import EditorProject, told

LEVEL = """[gd_scene load_steps=2 format=3]
[sub_resource type="FlowFieldMovementClass" id="boats"]
name = "boats"
[node name="Level" type="Node2D"]
[node name="Horde" type="FlowFieldCrowd2D" parent="."]
movement_class = "carts"
[node name="Rock" type="FlowFieldObstacle2D" parent="."]
size = Vector2(0, 10)
[node name="Ledge" type="FlowFieldOneWay2D" parent="."]
movement_classes = Array[String](["carts"])
[node name="Drill" type="FormationController2D" parent="."]
[node name="Hand" type="UnitCommander2D" parent="."]
[node name="Star" type="HomingSource2D" parent="."]
hit_radius = -1.0
[node name="Swarm" type="HomingProjectiles2D" parent="."]
top_speed = 0.0
[node name="Jobs" type="NavJobScheduler" parent="."]
worker_units = -1
[node name="Walker" type="FlowFieldAgent2D" parent="Jobs"]
[node name="Lost" type="FlowFieldMap3D" parent="."]
cost_source = 3
map_file = "res://none.map"
[node name="Hills" type="FlowFieldMap3D" parent="."]
size = Vector2i(4, 4)
heights = PackedFloat32Array(1, 2, 3)
"""
# What the scene dock says of a node: the text of its warning button, empty without one.
LOOK = """
func warning(name: String) -> String:
	for tree: Tree in all_of("Tree"):
		if tree.get_root() != null and tree.get_root().get_text(0) == "Level":
			var item := tree.get_root()
			while item != null:
				if item.get_text(0) == name:
					for index in item.get_button_count(0):
						if item.get_button_tooltip_text(0, index).begins_with("Node configuration warning"):
							return item.get_button_tooltip_text(0, index)
				item = item.get_next_in_tree()
	return ""

func warnings(names: Array) -> Dictionary:
	await frames(150)
	var found := {}
	for name in names:
		found[name] = warning(name)
	return found
"""
NAMES = ["Horde", "Rock", "Ledge", "Drill", "Hand", "Star", "Swarm", "Jobs", "Walker", "Lost", "Hills"]


def test_warnings_come_and_vanish_live(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", LEVEL)
    run = editor_project.drive(
        f"""
	var level := await open("res://level.tscn")
	await select(level)
	result("first", await warnings({NAMES}))
	var map := FlowFieldMap2D.new()
	map.name = "Map"
	level.add_child(map)
	map.owner = level
	var grid := HomingGrid2D.new()
	grid.name = "Grid"
	level.add_child(grid)
	grid.owner = level
	result("with_map", await warnings({NAMES}))
	var carts := FlowFieldMovementClass.new()
	map.movement_classes = [carts]
	result("nameless", (await warnings(["Map"]))["Map"])
	carts.name = "carts"
	level.get_node("Rock").size = Vector2(10, 10)
	level.get_node("Star").hit_radius = 1.0
	level.get_node("Swarm").top_speed = 10.0
	level.get_node("Jobs").worker_units = 100
	level.get_node("Jobs/Walker").reparent(level.get_node("Rock"))
	level.get_node("Hills").heights = PackedFloat32Array()
	FileAccess.open("res://none.map", FileAccess.WRITE).store_string("type octile\\nheight 1\\nwidth 2\\nmap\\n.@\\n")
	result("mended", await warnings({NAMES}))
	level.get_node("Map").free()
	result("without_map", await warnings({NAMES}))
"""
        + LOOK
    )
    seen = run.results
    expected = {
        "Horde": "has no map", "Rock": "covers no tiles", "Ledge": "has no map", "Drill": "has no map", "Hand": "has no map",
        "Star": "hit_radius", "Swarm": "top_speed", "Jobs": "worker_units", "Walker": "no body", "Lost": "no file",
        "Hills": "`heights` has 3 numbers, 4 x 4 tiles need 16",
    }  # fmt: skip
    assert {name: text for name, text in expected.items() if text not in seen["first"][name]} == {}, seen["first"]
    assert "no movement class 'carts'" in seen["with_map"]["Horde"]
    assert "no movement class 'carts'" in seen["with_map"]["Ledge"]
    assert [seen["with_map"][name] for name in ("Drill", "Hand")] == ["", ""]
    assert "homing grid" in seen["first"]["Star"]
    assert "homing grid" not in seen["with_map"]["Star"]
    assert "has no name" in seen["nameless"]
    assert {name: text for name, text in seen["mended"].items() if text} == {}
    assert all("has no map" in seen["without_map"][name] for name in ("Horde", "Rock", "Ledge", "Drill", "Hand"))
    words = ("heights: 4 x 4 tiles need 16 numbers, got 3", "at: push_error")  # the one thing that is told: the ground is flat
    assert [line for line in told(run) if not any(word in line for word in words)] == [], run.output
