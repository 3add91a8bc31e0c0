"""Scenes with our nodes: saving, loading, defaults, revert, duplicates; finding the map; leaving and entering the tree."""

from __future__ import annotations

from .node_project import NodeProject

SCENE = """[gd_scene format=3]

[node name="Main" type="Node2D"]

[node name="Crowd" type="FlowFieldCrowd2D" parent="." node_paths=PackedStringArray("map", "goal_node")]
map = NodePath("../Map")
goal_mode = 2
goal_node = NodePath("../Flag")
speed = 90.0
count = 12

[node name="Map" type="FlowFieldMap2D" parent="."]
size = Vector2i(20, 10)

[node name="Flag" type="Node2D" parent="."]
position = Vector2(280, 80)
"""


def test_scene_file(project: NodeProject) -> None:
    """A scene with the crowd before its map, its goal a node."""
    project.write("game.tscn", SCENE)
    run = project.run_script("""
func run():
	var scene: Node = load("res://game.tscn").instantiate()
	root.add_child(scene)
	var crowd := scene.get_node("Crowd")
	result("count", crowd.get_agent_count())
	result("map", crowd.get_map_node() == scene.get_node("Map"))
	await ticks(300)
	result("arrived", crowd.get_arrived_count())
	scene.free()
""")
    assert run.unexpected() == []
    assert run.results == {"count": 12, "map": True, "arrived": 12}


def test_saved_scenes_hold_what_differs_from_the_defaults(project: NodeProject) -> None:
    project.write("game.tscn", SCENE)
    run = project.run_script("""
func run():
	var scene: Node = load("res://game.tscn").instantiate()
	var crowd := scene.get_node("Crowd")
	crowd.radius = 4.0
	crowd.speed = 64.0
	crowd.spawn_area = Rect2i(1, 2, 3, 4)
	var map := scene.get_node("Map")
	map.cost_image = ImageTexture.new()
	map.cost_image = null
	map.tile_size = Vector2(8, 8)
	var packed := PackedScene.new()
	packed.pack(scene)
	ResourceSaver.save(packed, "res://again.tscn")
	scene.free()
	print("NOTE saved")
	var again: Node = load("res://again.tscn").instantiate()
	result("crowd", [again.get_node("Crowd").radius, again.get_node("Crowd").speed, again.get_node("Crowd").spawn_area,
	again.get_node("Crowd").count])
	result("paths", [again.get_node("Crowd").map == again.get_node("Map"), again.get_node("Crowd").goal_node ==
	again.get_node("Flag")])
	result("map", again.get_node("Map").tile_size)
	var twin := again.get_node("Crowd").duplicate()
	result("twin", [twin.radius, twin.count, twin.goal_mode])
	twin.free()
	result("revert", [ClassDB.class_get_property_default_value("FlowFieldCrowd2D", "radius"),
	ClassDB.class_get_property_default_value("FlowFieldCrowd2D", "count")])
	again.free()
""")
    assert run.unexpected() == []
    assert run.results["crowd"] == [4.0, 64.0, [[1, 2], [3, 4]], 12]
    assert run.results["paths"] == [True, True]
    assert run.results["map"] == [8.0, 8.0]
    assert run.results["twin"] == [4.0, 12, 2]
    assert run.results["revert"] == [5.0, 100]
    text = (project.folder / "again.tscn").read_text()
    assert "radius = 4.0" in text and "speed =" not in text and "cost_image" not in text and "autostart" not in text


def test_the_map_is_found(project: NodeProject) -> None:
    run = project.run_script("""
func make(kind: String, parent: Node, name: String) -> Node:
	var node: Node = ClassDB.instantiate(kind)
	node.name = name
	parent.add_child(node)
	return node

func run():
	var far := make("FlowFieldMap2D", root, "Far")
	var branch := make("Node2D", root, "Branch")
	var near := make("FlowFieldMap2D", branch, "Near")
	make("FlowFieldMap3D", branch, "Other")
	result("sibling", str(make("FlowFieldCrowd2D", branch, "A").get_map_node().name))
	result("ancestor", str(make("FlowFieldCrowd2D", make("Node2D", far, "Deep"), "B").get_map_node().name))
	result("kind", str(make("FlowFieldCrowd3D", branch, "C").get_map_node().name))
	var given := FlowFieldCrowd2D.new()
	given.map = far
	branch.add_child(given)
	result("given", str(given.get_map_node().name))
	result("counts", [near.get_crowds().size(), far.get_crowds().size()])
	given.map = near
	result("moved", [near.get_crowds().size(), far.get_crowds().size(), given.get_agent_count(), far.get_stats().agents])
	var early := FlowFieldCrowd2D.new()
	var later := Node2D.new()
	root.remove_child(far)
	root.remove_child(branch)
	later.add_child(early)
	root.add_child(later)
	var late := FlowFieldMap2D.new()
	later.add_child(late)
	result("late", [early.get_map_node() == late, early.get_agent_count()])
	await ticks(3)
	later.free()
	far.free()
	branch.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "sibling": "Near", "ancestor": "Far", "kind": "Other", "given": "Far", "counts": [1, 2], "moved": [2, 1, 100, 100],
        "late": [True, 100],
    }  # fmt: skip


def test_leaving_and_entering_the_tree(project: NodeProject) -> None:
    """A crowd takes its agents along; what it leaves behind is clean. A freed map leaves crowds that say so."""
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	root.add_child(map)
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = 30
	map.add_child(crowd)
	crowd.set_goal(Vector2(800, 500))
	await ticks(10)
	var places: Array = Array(crowd.get_positions())
	map.remove_child(crowd)
	result("out", [map.get_stats().agents, map.get_crowds().size()])
	await ticks(5)
	map.add_child(crowd)
	result("in", [map.get_stats().agents, crowd.get_agent_count(), Array(crowd.get_positions()) == places, crowd.goal_mode])
	await ticks(30)
	result("walks", Array(crowd.get_positions()) != places)
	root.remove_child(map)
	root.add_child(map)
	await ticks(3)
	result("both", [map.get_stats().agents, crowd.get_agent_count()])
	for turn in 5:
		var other := FlowFieldCrowd2D.new()
		map.add_child(other)
		await ticks(2)
		other.queue_free()
		await ticks(2)
	result("freed", [map.get_stats().agents, map.get_crowds().size()])
	map.size = Vector2i(60, 40)
	result("rebuilt", [crowd.get_agent_count(), map.get_map_size(), map.get_stats().agents])
	var stray := FlowFieldCrowd2D.new()
	stray.map = map
	root.add_child(stray)
	map.free()
	await ticks(3)
	stray.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "out": [0, 0], "in": [30, 30, True, 1], "walks": True, "both": [30, 30], "freed": [30, 1], "rebuilt": [30, [60, 40], 30],
    }  # fmt: skip
    assert run.code == 0


def test_reloads_leave_nothing_behind(project: NodeProject) -> None:
    project.write("game.tscn", SCENE)
    run = project.run_script(
        """
func run():
	var counts := []
	for turn in 60:
		var scene: Node = load("res://game.tscn").instantiate()
		root.add_child(scene)
		await ticks(2)
		scene.free()
		await ticks(1)
		if turn in [9, 59]:
			counts.append([Performance.get_monitor(Performance.OBJECT_COUNT),
			Performance.get_monitor(Performance.OBJECT_RESOURCE_COUNT),
				Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT)])
	result("counts", counts)
""",
        "--verbose",
    )
    first, last = run.results["counts"]
    assert last == first
    assert not [line for line in run.output.splitlines() if "leaked" in line.lower() or "orphan" in line.lower()]
    assert run.errors() == [] and run.code == 0
