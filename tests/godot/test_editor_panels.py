"""Panels with figures on top of crowds, formation controllers and homing grids in the inspector."""

from __future__ import annotations

from tests.godot.editor_project import EditorProject, told
from tests.godot.node_project import NodeProject

LEVEL = """[gd_scene format=3]
[node name="Level" type="Node2D"]
[node name="Map" type="FlowFieldMap2D" parent="."]
size = Vector2i(50, 40)
tile_size = Vector2(16, 16)
[node name="Swords" type="FlowFieldCrowd2D" parent="Map"]
count = 1500
radius = 8.0
speed = 64.0
[node name="Bows" type="FlowFieldCrowd2D" parent="Map"]
count = 500
radius = 10.0
[node name="Drill" type="FormationController2D" parent="Map"]
[node name="Grid" type="HomingGrid2D" parent="."]
cell_count = Vector2i(64, 32)
[node name="Star" type="HomingSource2D" parent="Grid"]
type = 3
[node name="Swarm" type="HomingProjectiles2D" parent="Grid"]
"""
FIGURES = """
func figures(ready := "") -> Dictionary:
	var found := {}
	for wait in 200:
		found = {}
		for box in get_tree().root.find_children("PynavFigures", "VBoxContainer", true, false):
			var labels: Array = box.find_children("*", "Label", true, false)
			for index in range(0, labels.size(), 2):
				found[labels[index].text] = labels[index + 1].text
		if not found.is_empty() and (ready == "" or found.get(ready, "...") != "..."):
			break
		await frames(1)
	return found
"""


def test_figures_of_the_other_families(editor_project: EditorProject) -> None:
    editor_project.write("level.tscn", LEVEL)
    run = editor_project.drive(
        """
	var level := await open("res://level.tscn")
	await select(level.get_node("Map/Swords"))
	result("crowd", await figures())
	level.get_node("Map/Swords").count = 3000
	await frames(30)
	result("more", await figures())
	await select(level.get_node("Map/Drill"))
	result("drill", await figures())
	await select(level.get_node("Grid"))
	result("grid", await figures("Update time"))
	level.get_node("Grid").cell_count = Vector2i(0, 3)
	await frames(30)
	result("nothing", await figures())
	await select(null)
"""
        + FIGURES
    )
    seen = run.results
    crowd = seen["crowd"]
    memory = crowd.pop("Memory")
    assert crowd == {
        "Map": "Map", "Agents at start": "1,500", "Radius": "0.50 tiles", "Needs free": "1 x 1 tiles", "Speed": "4.00 tiles/s",
    }  # fmt: skip
    assert memory.endswith(" KiB for 1,500")
    assert 150 * 1500 < float(memory.split()[0]) * 1024 < 1000 * 1500
    assert seen["more"]["Agents at start"] == "3,000"
    # A block twice as wide as deep: 5,000 units of two classes.
    drill = seen["drill"]
    assert [drill[name] for name in ("Crowds", "Slots at start", "Row classes")] == ["2", "3,500", "2"]
    rows, files = (int(drill[name].split()[0]) for name in ("Rows", "Files"))
    assert 3500 <= rows * files <= 3500 * 1.3
    assert 1.5 < files / rows < 2.5
    grid = seen["grid"]
    assert [grid[name] for name in ("Cells", "Types", "Updates")] == ["64 x 32", "0 (0 sources), 3 (1 sources)", "10 a second"]
    assert grid["Memory"].endswith("iB")
    assert 0.0 < float(grid["Update time"].split()[0]) < 1000.0
    assert seen["nothing"] == {}
    assert told(run) == [], run.output


def test_figures_of_the_running_game(project: NodeProject) -> None:
    project.write("level.tscn", LEVEL)
    run = project.run_script("""
func run() -> void:
	var level: Node = load("res://level.tscn").instantiate()
	root.add_child(level)
	var crowd = level.get_node("Map/Swords")
	await ticks(3)
	result("crowd", [crowd.agents_alive, crowd.agents_at_goal, crowd.agents_without_way])
	var drill = level.get_node("Map/Drill")
	drill.order(Vector2(100, 300), Vector2(500, 300))
	await ticks(40)
	result("drill", [drill.formations_ordered, drill.units_in_formation])
	var grid = level.get_node("Grid")
	for place in [Vector2(1, 1), Vector2(5, 5)]:
		level.get_node("Grid/Swarm").shoot(place, Vector2.ZERO)
	await ticks(2)
	result("grid", [grid.sources_alive, grid.projectiles_alive])
	level.free()
""")
    assert run.results["crowd"] == [1500, 0, 0]
    assert run.results["drill"] == [1, 2000]
    assert run.results["grid"] == [1, 2]
