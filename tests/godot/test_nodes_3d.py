"""FlowFieldMap3D and FlowFieldCrowd3D in the real engine: the XZ plane, heights, GridMap, drawing."""

from __future__ import annotations

import math

from .node_project import NodeProject

DRAWN = """
func drawn(crowd: Node, id: int) -> Transform3D:
	var n := RenderingServer.multimesh_get_buffer(crowd.get_multimesh().get_rid())
	var r := id * 12
	return Transform3D(Vector3(n[r], n[r + 4], n[r + 8]), Vector3(n[r + 1], n[r + 5], n[r + 9]), Vector3(n[r + 2], n[r + 6], n[r
	+ 10]),
		Vector3(n[r + 3], n[r + 7], n[r + 11]))

"""


def test_defaults(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap3D.new()
	for property in ["cost_source", "size", "tile_size", "origin", "grid_map_floor", "item_costs", "empty_cost", "heights",
	"height_scale", "fill_cost"]:
		result("map_" + property, map.get(property))
	map.free()
	var crowd := FlowFieldCrowd3D.new()
	for property in ["count", "speed", "radius", "arrive_radius", "goal_position", "goal_mode", "unit_scale"]:
		result("crowd_" + property, crowd.get(property))
	result("kinds", [crowd is GeometryInstance3D, ClassDB.is_parent_class("FlowFieldMap3D", "Node3D")])
	crowd.free()
""")
    assert run.unexpected() == []
    assert run.results == {
        "map_cost_source": 0, "map_size": [64, 64], "map_tile_size": 1.0, "map_origin": [0.0, 0.0, 0.0], "map_grid_map_floor": 0,
        "map_item_costs": {}, "map_empty_cost": 1, "map_heights": [], "map_height_scale": 1.0, "map_fill_cost": 1,
        "crowd_count": 100,
        "crowd_speed": 3.0, "crowd_radius": 0.3, "crowd_arrive_radius": 1.0, "crowd_goal_position": [0.0, 0.0, 0.0],
        "crowd_goal_mode": 0,
        "crowd_unit_scale": 1.0, "kinds": [True, True],
    }  # fmt: skip


def test_plane_and_heights(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var parent := Node3D.new()
	parent.position = Vector3(10, 5, -3)
	parent.rotation = Vector3(0, 0.7, 0)
	parent.scale = Vector3(2, 2, 2)
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(4, 3)
	map.tile_size = 2.0
	map.origin = Vector3(-4, 1, -3)
	parent.add_child(map)
	root.add_child(parent)
	result("flat", map.tile_to_local(Vector2i(1, 2)))
	result("tile", map.local_to_tile(Vector3(-1.1, 77, 2.9)))
	result("world", map.world_to_tile(map.tile_to_world(Vector2i(3, 1))))
	result("near", map.to_local(map.tile_to_world(Vector2i(3, 1))).distance_to(map.tile_to_local(Vector2i(3, 1))) < 0.001)
	map.heights = PackedFloat32Array([0, 0, 0, 0, 0, 4, 8, 0, 0, 0, 0, 0])
	result("high", map.tile_to_local(Vector2i(1, 1)))
	result("between", map.get_height(Vector3(0, 0, 0)))
	var image := Image.create_empty(4, 3, false, Image.FORMAT_RF)
	image.set_pixel(1, 1, Color(0.5, 0, 0))
	map.height_scale = 10.0
	map.height_image = image
	result("image", map.tile_to_local(Vector2i(1, 1)).y)
	map.height_image = null
	map.heights = PackedFloat32Array([1, 2])
	result("wrong", map.tile_to_local(Vector2i(1, 1)).y)
	parent.free()
""")
    found = run.results
    assert found["flat"] == [-1.0, 1.0, 2.0]
    assert found["tile"] == [1, 2]
    assert found["world"] == [3, 1] and found["near"] is True
    assert found["high"] == [-1.0, 5.0, 0.0]
    assert found["between"] == 1.0 + 6.0
    assert math.isclose(found["image"], 6.0, rel_tol=1e-5)
    assert found["wrong"] == 1.0
    assert len(run.errors()) == 1 and "4 x 3 tiles need 12 numbers, got 2" in run.errors()[0]


def test_grid_map(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var grid := GridMap.new()
	grid.cell_size = Vector3(2, 1, 3)
	grid.position = Vector3(7, 2, 1)
	var library := MeshLibrary.new()
	for item in 3:
		library.create_item(item)
	grid.mesh_library = library
	for cell in [[-2, 0, 4, 0], [-1, 0, 4, 1], [0, 0, 4, 2], [0, 0, 6, 0], [5, 1, 5, 0]]:
		grid.set_cell_item(Vector3i(cell[0], cell[1], cell[2]), cell[3])
	var map := FlowFieldMap3D.new()
	map.cost_source = FlowFieldMap3D.GRID_MAP
	map.grid_map = grid
	root.add_child(grid)
	root.add_child(map)
	result("occupied_is_solid", [map.get_map_size(), map.get_costs()])
	map.item_costs = {0: 1, 2: 7}
	map.empty_cost = 0
	result("by_item", map.get_costs())
	result("cells", [map.tile_to_cell(Vector2i(1, 0)), map.cell_to_tile(Vector2i(0, 6))])
	var there := grid.to_global(grid.map_to_local(Vector3i(0, 0, 6)))
	var ours: Vector3 = map.tile_to_world(Vector2i(2, 2))
	result("place", [absf(there.x - ours.x) < 0.001, absf(there.z - ours.z) < 0.001, ours.y])
	var rects := []
	map.map_changed.connect(func(rect): rects.append(rect))
	grid.set_cell_item(Vector3i(-1, 0, 5), 2)
	map.update_from_source()
	result("edited", [map.get_costs(), rects])
	map.grid_map_floor = 1
	result("floor", map.get_map_size())
	map.grid_map_floor = 0
	map.region = Rect2i(-3, 4, 2, 1)
	result("region", map.get_costs())
	grid.rotation.x = 0.3
	map.region = Rect2i()
	result("tilted", map.get_map_size())
	map.free()
	grid.free()
""")
    found = run.results
    assert found["occupied_is_solid"] == [[3, 3], [0, 0, 0, 1, 1, 1, 1, 1, 0]]
    assert found["by_item"] == [1, 0, 7, 0, 0, 0, 0, 0, 1]
    assert found["cells"] == [[-1, 4], [2, 2]]
    assert found["place"] == [True, True, 2.0]
    assert found["edited"] == [[1, 0, 7, 0, 7, 0, 0, 0, 1], [[[1, 1], [1, 1]]]]
    assert found["floor"] == [1, 1]
    assert found["region"] == [0, 1]
    assert len(run.errors()) == 1 and "is tilted against this node's XZ plane" in run.errors()[0]


def test_a_grid_map_that_is_read_in_several_steps(project: NodeProject) -> None:
    """80,000 cells on two floors, 64,000 of them on the one that is read."""
    run = project.run_script("""
func run():
	var grid := GridMap.new()
	var library := MeshLibrary.new()
	for item in 3:
		library.create_item(item)
	grid.mesh_library = library
	for z in 200:
		for x in 320:
			grid.set_cell_item(Vector3i(x - 31, 0, z - 9), (x * 5 + z * 3) % 7 % 3)
			if x % 4 == 0:
				grid.set_cell_item(Vector3i(x, 1, z), 1)
	var map := FlowFieldMap3D.new()
	map.cost_source = FlowFieldMap3D.GRID_MAP
	map.grid_map = grid
	map.item_costs = {0: 1, 2: 7}
	root.add_child(grid)
	root.add_child(map)
	result("size", map.get_map_size())
	result("first", map.tile_to_cell(Vector2i(0, 0)))
	var costs := map.get_costs()
	var wrong := 0
	for z in 200:
		for x in 320:
			wrong += int(costs[z * 320 + x] != [1, 0, 7][(x * 5 + z * 3) % 7 % 3])
	result("wrong", wrong)
	map.free()
	grid.free()
""")
    assert run.unexpected() == []
    assert (run.results["size"], run.results["first"], run.results["wrong"]) == ([320, 200], [-31, -9], 0)


def test_agents_walk_on_the_ground(project: NodeProject) -> None:
    run = project.run_script(
        DRAWN
        + """
func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(30, 6)
	var heights := PackedFloat32Array()
	for y in 6:
		for x in 30:
			heights.append(x * 0.5)
	map.heights = heights
	var crowd := FlowFieldCrowd3D.new()
	crowd.count = 0
	crowd.speed = 6.0
	crowd.on_arrival = FlowFieldCrowd3D.STOP
	map.add_child(crowd)
	root.add_child(map)
	var arrived := [0]
	crowd.agents_arrived.connect(func(ids): arrived[0] += ids.size())
	result("ids", crowd.spawn(PackedVector3Array([Vector3(2.5, 99, 2.5), Vector3(2.5, 0, 4.5)])))
	result("goal", crowd.set_goal(Vector3(27.5, 0, 2.5)))
	await ticks(60)
	var places: PackedVector3Array = crowd.get_positions()
	result("on_ground", absf(places[0].y - (places[0].x - 0.5) * 0.5) < 0.001)
	var shape := drawn(crowd, 0)
	result("drawn", shape.origin.distance_to(places[0]) < 0.001)
	result("upright", shape.basis.y.normalized().dot(Vector3.UP) > 0.999)
	result("ahead", (-shape.basis.z).normalized().dot(crowd.get_velocities()[0].normalized()) > 0.95)
	result("aabb", crowd.get_aabb().encloses(AABB(Vector3.ZERO, Vector3(30, 15, 6))))
	await ticks(300)
	result("arrived", arrived[0])
	result("box", crowd.get_agents_in_rect(AABB(Vector3(25, 12, 0), Vector3(5, 4, 6))))
	result("radius", crowd.get_agents_in_radius(Vector3(27.5, 0, 2.5), 2.0).size())
	result("nearest", crowd.get_nearest_agent(Vector3(0, 0, 0)) >= 0)
	map.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {
        "ids": [0, 1], "goal": True, "on_ground": True, "drawn": True, "upright": True, "ahead": True, "aabb": True, "arrived": 2,
        "box": [0, 1], "radius": 2, "nearest": True,
    }  # fmt: skip


def test_drawn_in_place_under_moved_parents(project: NodeProject) -> None:
    """Turned, scaled and even tilted against each other: units are drawn where the map has them, upright on its floor."""
    run = project.run_script(
        DRAWN
        + """
func run():
	var map_parent := Node3D.new()
	var crowd_parent := Node3D.new()
	root.add_child(map_parent)
	root.add_child(crowd_parent)
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(30, 6)
	map.origin = Vector3(0, 2, 0)
	var heights := PackedFloat32Array()
	for y in 6:
		for x in 30:
			heights.append(x * 0.5)
	map.heights = heights
	map_parent.add_child(map)
	var crowd := FlowFieldCrowd3D.new()
	crowd.map = map
	crowd.count = 0
	crowd_parent.add_child(crowd)
	crowd.spawn(PackedVector3Array([Vector3(2.5, 0, 2.5), Vector3(8.5, 0, 4.5)]))
	crowd.set_goal(Vector3(27.5, 0, 2.5))
	await ticks(20)
	var cases := [
		[Transform3D(), Transform3D()],
		[Transform3D(Basis(Vector3.UP, 0.7).scaled(Vector3(2, 2, 2)), Vector3(5, 1, 2)), Transform3D(Basis(Vector3.UP, -1.1),
		Vector3(1, 9, 4))],
		[Transform3D(Basis(Vector3.RIGHT, 0.4), Vector3(5, 1, 2)), Transform3D(Basis(Vector3(1, 1, 0).normalized(), 0.9),
		Vector3(0,
		-3, 0))],
	]
	for index in cases.size():
		map_parent.transform = cases[index][0]
		crowd_parent.transform = cases[index][1]
		await ticks(2)
		var far := 0.0
		var upright := 1.0
		var inside := true
		var box: AABB = crowd.get_multimesh().custom_aabb
		for id in 2:
			var shape := drawn(crowd, id)
			far = maxf(far, (crowd.global_transform * shape.origin).distance_to(map.to_global(crowd.get_positions()[id])))
			upright = minf(upright,
			(crowd.global_transform.basis * shape.basis.y).normalized().dot(map.global_basis.y.normalized()))
			inside = inside and box.has_point(shape.origin)
		result("case_%d" % index, [far, upright, inside, (crowd.global_transform.basis * drawn(crowd, 0).basis.y).length()])
	map_parent.free()
	crowd_parent.free()
"""
    )
    assert run.unexpected() == []
    for index, scale in enumerate((1.0, 2.0, 1.0)):
        far, upright, inside, size = run.results[f"case_{index}"]
        assert far < 0.01 and upright > 0.9999 and inside, (index, run.results)
        assert math.isclose(size, 0.6 * scale, rel_tol=1e-3)
