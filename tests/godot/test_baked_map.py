"""Baked maps: the resource in files and scenes, maps that follow it, baking with physics shapes, damage told in words."""

from __future__ import annotations

from tests.godot.node_project import NodeProject

_RANDOM = """
func random_costs(count: int) -> PackedByteArray:
	var costs := PackedByteArray()
	costs.resize(count)
	var numbers := RandomNumberGenerator.new()
	numbers.seed = 7
	for index in count:
		costs[index] = 0 if numbers.randf() < 0.2 else 1
	return costs

"""


def test_a_large_map_is_small_in_a_file_and_comes_back(project: NodeProject) -> None:
    run = project.run_script(
        _RANDOM
        + """
func run():
	var baked := FlowFieldBakedMap.new()
	result("resized", baked.resize(Vector2i(1024, 1024)))
	baked.set_costs(random_costs(1024 * 1024))
	ResourceSaver.save(baked, "res://a.tres")
	ResourceSaver.save(baked, "res://a.res")
	result("bytes", [FileAccess.get_file_as_bytes("res://a.tres").size(), FileAccess.get_file_as_bytes("res://a.res").size()])
	for path in ["res://a.tres", "res://a.res"]:
		var again: FlowFieldBakedMap = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
		result("same_" + path.get_extension(), [again.get_costs() == baked.get_costs(), again.size, again.get_problem()])
	var copy: FlowFieldBakedMap = baked.duplicate()
	copy.set_costs(PackedByteArray([9]), Rect2i(5, 6, 1, 1))
	result("apart", [baked.get_costs(Rect2i(5, 6, 1, 1))[0] != 9, copy.get_costs(Rect2i(5, 6, 1, 1))[0]])
"""
    )
    assert run.unexpected() == []
    text, binary = run.results.pop("bytes")
    assert binary < text < 200_000
    same = [True, [1024, 1024], ""]
    assert run.results == {"resized": True, "same_tres": same, "same_res": same, "apart": [True, 9]}


def test_a_map_follows_its_baked_map_while_crowds_walk(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var baked := FlowFieldBakedMap.new()
	baked.resize(Vector2i(30, 20))
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.BAKED_MAP
	map.baked_map = baked
	root.add_child(map)
	var told := []
	map.map_changed.connect(func(rect): told.append(rect))
	await ticks(2)
	result("size", map.get_map_size())
	baked.set_costs(PackedByteArray([0, 0, 7, 7]), Rect2i(4, 5, 2, 2))
	await ticks(2)
	result("edited", [map.get_cost(Vector2i(4, 5)), map.get_cost(Vector2i(5, 6)), told[-1]])
	map.set_cost(Vector2i(9, 9), 0)
	result("resource_is_kept", baked.get_costs(Rect2i(9, 9, 1, 1)))
	baked.resize(Vector2i(40, 20), 3)
	await ticks(2)
	result("larger", [map.get_map_size(), map.get_cost(Vector2i(35, 3)), map.get_cost(Vector2i(4, 5))])
""")
    assert run.unexpected() == []
    assert run.results == {
        "size": [30, 20], "edited": [0, 7, [[4, 5], [2, 2]]], "resource_is_kept": [1], "larger": [[40, 20], 3, 0],
    }  # fmt: skip


def test_what_is_damaged_empty_or_wrong_is_one_line(project: NodeProject) -> None:
    project.write("bad.tres", '[gd_resource type="FlowFieldBakedMap" format=3]\n[resource]\ndata = PackedByteArray(1, 2, 3)\n')
    run = project.run_script("""
func run():
	var bad: FlowFieldBakedMap = load("res://bad.tres")
	result("problem", bad.get_problem())
	result("size", bad.size)
	var map := FlowFieldMap2D.new()
	map.cost_source = FlowFieldMap2D.BAKED_MAP
	result("none", map.get_problems())
	map.baked_map = bad
	result("told", map.get_problems())
	root.add_child(map)
	await ticks(3)
	bad.resize(Vector2i(8, 8))
	result("mended", [map.get_problems(), map.get_map_size()])
	bad.set_costs(PackedByteArray([1, 2]), Rect2i(7, 7, 4, 4))
	bad.set_costs(PackedByteArray([1, 2]), Rect2i(0, 0, 4, 4))
	bad.resize(Vector2i(0, 8))
""")
    results = run.results
    assert "no baked map" in results["problem"]
    assert results["size"] == [0, 0]
    assert "assign `baked_map`" in results["none"][0]
    assert "no baked map" in results["told"][0]
    assert results["mended"] == [[], [8, 8]]
    errors = run.errors()
    assert len(errors) == 4, errors
    assert "no baked map" in errors[0]
    assert "does not lie in the 8 x 8 tiles" in errors[1]
    assert "need 16 costs, got 2" in errors[2]
    assert "1 to 16384" in errors[3]


def test_static_bodies_are_baked_in_2d(project: NodeProject) -> None:
    run = project.run_script("""
func body(parent: Node, place: Vector2, shape: Shape2D, layer := 1, turned := 0.0) -> void:
	var made := StaticBody2D.new()
	made.position = place
	made.rotation = turned
	made.collision_layer = layer
	var child := CollisionShape2D.new()
	child.shape = shape
	made.add_child(child)
	parent.add_child(made)

func run():
	var level := Node2D.new()
	root.add_child(level)
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(20, 20)
	map.tile_size = Vector2(10, 10)
	map.position = Vector2(100, 0)
	map.bake_collision_mask = 1
	level.add_child(map)
	var box := RectangleShape2D.new()
	box.size = Vector2(40, 20)
	body(level, Vector2(150, 50), box)
	body(level, Vector2(150, 150), box, 2)
	body(level, Vector2(250, 50), box, 1, PI / 2)
	var ball := CircleShape2D.new()
	ball.radius = 4.0
	body(level, Vector2(205, 105), ball)
	var polygon := CollisionPolygon2D.new()
	polygon.polygon = [Vector2(0, 0), Vector2(30, 0), Vector2(30, 10), Vector2(10, 10), Vector2(10, 30), Vector2(0, 30)]
	var angled := StaticBody2D.new()
	angled.position = Vector2(250, 150)
	angled.add_child(polygon)
	level.add_child(angled)
	result("baked", map.bake())
	result("source", map.cost_source)
	var solid := []
	for y in 20:
		for x in 20:
			if map.baked_map.get_costs(Rect2i(x, y, 1, 1))[0] == 0:
				solid.append([x, y])
	result("solid", solid)
""")
    assert run.unexpected() == []
    box = [[x, y] for y in (4, 5) for x in (3, 4, 5, 6)]
    turned = [[x, y] for y in (3, 4, 5, 6) for x in (14, 15)]
    angle = [[15, 15], [16, 15], [17, 15], [15, 16], [15, 17]]
    assert sorted(run.results["solid"]) == sorted([*box, *turned, [10, 10], *angle])
    assert run.results["source"] == 5


def test_static_bodies_are_baked_in_3d_where_they_are_in_the_way(project: NodeProject) -> None:
    run = project.run_script("""
func body(parent: Node, place: Vector3, size: Vector3) -> void:
	var made := StaticBody3D.new()
	made.position = place
	var child := CollisionShape3D.new()
	child.shape = BoxShape3D.new()
	child.shape.size = size
	made.add_child(child)
	parent.add_child(made)

func run():
	var level := Node3D.new()
	root.add_child(level)
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(10, 10)
	map.bake_collision_mask = 1
	level.add_child(map)
	body(level, Vector3(5, -0.5, 5), Vector3(20, 1, 20))
	body(level, Vector3(2, 1, 3), Vector3(2, 2, 2))
	body(level, Vector3(7, 5, 7), Vector3(2, 2, 2))
	map.bake()
	var solid := []
	for y in 10:
		for x in 10:
			if map.baked_map.get_costs(Rect2i(x, y, 1, 1))[0] == 0:
				solid.append([x, y])
	result("solid", solid)
	var layers := {}
	for property in map.get_property_list():
		if property.name == "bake_collision_mask":
			result("hint", property.hint == PROPERTY_HINT_LAYERS_3D_PHYSICS)
""")
    assert run.unexpected() == []
    assert run.results == {"solid": [[1, 2], [2, 2], [1, 3], [2, 3]], "hint": True}
