"""FlowFieldCrowd2D in the real engine: agents, goals, signals, queries, places, drawing."""

from __future__ import annotations

import math

from .node_project import NodeProject

MAP = """
func make_map(columns := 24, rows := 8) -> FlowFieldMap2D:
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(columns, rows)
	map.tile_size = Vector2(10, 10)
	return map

func make_crowd(map: Node, count := 0) -> FlowFieldCrowd2D:
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = count
	crowd.radius = 3.0
	crowd.speed = 100.0
	crowd.arrive_radius = 15.0
	map.add_child(crowd)
	return crowd

# The dummy renderer of headless runs keeps the buffer, but decodes no instance from it.
func drawn(crowd: Node, id: int) -> Transform2D:
	var mesh: MultiMesh = crowd.get_multimesh()
	var row := id * (8 + 4 * int(mesh.use_colors) + 4 * int(mesh.use_custom_data))
	var numbers := RenderingServer.multimesh_get_buffer(mesh.get_rid())
	return Transform2D(Vector2(numbers[row], numbers[row + 4]), Vector2(numbers[row + 1], numbers[row + 5]), Vector2(numbers[row
	+ 3], numbers[row + 7]))

func custom(crowd: Node, id: int) -> Color:
	var numbers := RenderingServer.multimesh_get_buffer(crowd.get_multimesh().get_rid())
	return Color(numbers[id * 12 + 8], numbers[id * 12 + 9], numbers[id * 12 + 10], numbers[id * 12 + 11])

"""


def test_defaults(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var crowd := FlowFieldCrowd2D.new()
	for property in ["autostart", "count", "speed", "speed_variation", "radius", "goal_mode", "goal_position", "arrive_radius",
	"on_arrival",
			"spawn_mode", "spawn_area", "unit_scale", "rotates", "use_custom_data", "color_column",
			"custom_columns", "facing_column", "y_sort_agents", "map", "mesh", "texture", "goal_node"]:
		result(property, crowd.get(property))
	result("enums", [FlowFieldCrowd2D.REMOVE, FlowFieldCrowd2D.NODE, FlowFieldCrowd2D.NOWHERE, FlowFieldCrowd2D.UNREACHABLE,
	FlowFieldCrowd2D.MISSING])
	crowd.free()
""")
    assert run.unexpected() == []
    nulls = dict.fromkeys(("map", "mesh", "texture", "goal_node"), "<null>")
    found = {name: value if value is not None else "<null>" for name, value in run.results.items()}
    assert found == {
        "autostart": True, "count": 100, "speed": 64.0, "speed_variation": 0.1, "radius": 5.0, "goal_mode": 0,
        "goal_position": [0.0, 0.0],
        "arrive_radius": 16.0, "on_arrival": 0, "spawn_mode": 0, "spawn_area": [[0, 0], [0, 0]], "unit_scale": 1.0,
        "rotates": True,
        "use_custom_data": False, "color_column": "", "custom_columns": [], "facing_column": "",
        "y_sort_agents": False, **nulls, "enums": [1, 2, 2, 3, -1],
    }  # fmt: skip


def test_agents_walk_arrive_and_stop(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	root.add_child(map)
	var arrived := []
	var ended := [0]
	crowd.agents_arrived.connect(func(ids: PackedInt32Array): arrived.append_array(ids))
	crowd.all_arrived.connect(func(): ended[0] += 1)
	var ids: PackedInt32Array = crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(15, 45), Vector2(15, 65)]))
	result("ids", ids)
	result("idle", crowd.get_states())
	result("accepted", crowd.set_goal(Vector2(205, 45)))
	result("goal", [crowd.goal_mode, crowd.goal_position])
	await ticks(30)
	result("velocity", crowd.get_velocities()[1])
	result("moved", crowd.get_positions()[1])
	await ticks(200)
	arrived.sort()
	result("arrived", arrived)
	result("ended", ended[0])
	result("states", crowd.get_states())
	result("state", crowd.get_agent_state(2))
	result("counts", [crowd.get_agent_count(), crowd.get_arrived_count(), crowd.get_unreachable_count(), crowd.get_slot_count()])
	var near := true
	for place in crowd.get_positions():
		near = near and place.distance_to(Vector2(205, 45)) < 22.0
	result("near", near)
	crowd.clear_goal()
	result("cleared", [crowd.goal_mode, crowd.get_agent_state(0)])
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["ids"] == [0, 1, 2]
    assert found["idle"] == [0, 0, 0]
    assert found["accepted"] is True and found["goal"] == [1, [205.0, 45.0]]
    assert 85.0 < found["velocity"][0] < 115.0 and abs(found["velocity"][1]) < 25.0
    assert found["moved"][0] > 40.0
    assert found["arrived"] == [0, 1, 2] and found["ended"] == 1
    assert found["states"] == [2, 2, 2] and found["state"] == 2
    assert found["counts"] == [3, 3, 0, 3]
    assert found["near"] is True
    assert found["cleared"] == [0, 0]


def test_removed_on_arrival(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map, 40)
	crowd.on_arrival = FlowFieldCrowd2D.REMOVE
	crowd.goal_mode = FlowFieldCrowd2D.POSITION
	crowd.goal_position = Vector2(235, 45)
	crowd.spawn_mode = FlowFieldCrowd2D.AREA
	crowd.spawn_area = Rect2i(1, 1, 6, 6)
	var arrived := [0]
	var ended := [0]
	crowd.agents_arrived.connect(func(ids): arrived[0] += ids.size())
	crowd.all_arrived.connect(func(): ended[0] += 1)
	root.add_child(map)
	result("there", crowd.get_agents_in_rect(Rect2(10, 10, 60, 60)).size())
	await ticks(400)
	result("left", [crowd.get_agent_count(), crowd.get_arrived_count(), arrived[0], ended[0]])
	result("ids", crowd.get_agent_ids())
	result("missing", crowd.get_agent_state(0))
	crowd.restart()
	result("again", [crowd.get_agent_count(), crowd.get_slot_count()])
	map.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {"there": 40, "left": [0, 40, 40, 1], "ids": [], "missing": -1, "again": [40, 40]}


def test_edits_reroute_and_sealing_is_told(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map(24, 9)
	map.set_cost_rect(Rect2i(12, 0, 1, 8), 0)
	var crowd := make_crowd(map)
	var lost := []
	crowd.goal_unreachable.connect(func(ids: PackedInt32Array): lost.append_array(ids))
	var published := [0]
	map.field_published.connect(func(waiting): published[0] += 1)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(25, 15), Vector2(45, 15)]))
	crowd.set_goal(Vector2(225, 15))
	await ticks(60)
	result("down", crowd.get_positions()[0].y > 20.0)
	result("published", published[0])
	map.set_cost_rect(Rect2i(12, 8, 1, 1), 0)
	await ticks(40)
	result("sealed", [lost, crowd.get_states(), crowd.get_unreachable_count()])
	var still: Vector2 = crowd.get_positions()[0]
	await ticks(60)
	result("stands", still.distance_to(crowd.get_positions()[0]) < 3.0)
	map.set_cost_rect(Rect2i(12, 0, 1, 1), 1)
	await ticks(300)
	result("opened", [crowd.get_states(), crowd.get_arrived_count()])
	result("published_again", published[0] > 2)
	result("refused", crowd.set_goal(Vector2(125, 45)))
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["down"] is True and found["published"] == 1
    lost, states, count = found["sealed"]
    assert sorted(lost) == [0, 1] and states == [3, 3] and count == 2
    assert found["stands"] is True
    assert found["opened"] == [[2, 2], 2]
    assert found["published_again"] is True
    assert found["refused"] is False


def test_several_goals_and_following_a_node(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map(30, 8)
	var crowd := make_crowd(map)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(105, 45), Vector2(205, 45)]))
	result("several", crowd.set_goals(PackedVector2Array([Vector2(15, 45), Vector2(285, 45)])))
	await ticks(150)
	var places: PackedVector2Array = crowd.get_positions()
	result("apart", [places[0].x < 40.0, places[1].x > 260.0])
	result("tiles", crowd.set_goal_tiles([Vector2i(10, 2)]))
	await ticks(200)
	result("together", crowd.get_agents_in_radius(Vector2(105, 25), 25.0).size())
	var target := Node2D.new()
	target.position = Vector2(500, 500)
	root.add_child(target)
	map.position = Vector2(480, 440)
	crowd.goal_node = target
	crowd.goal_mode = FlowFieldCrowd2D.NODE
	await ticks(200)
	result("node", crowd.get_nearest_agent(Vector2(20, 60)) >= 0 and crowd.get_agents_in_radius(Vector2(20, 60), 25.0).size() ==
	2)
	target.position = Vector2(680, 500)
	await ticks(300)
	result("followed", crowd.get_agents_in_radius(Vector2(200, 60), 25.0).size())
	map.free()
	target.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["several"] is True and found["apart"] == [True, True]
    assert found["tiles"] is True and found["together"] == 2
    assert found["node"] is True and found["followed"] == 2


def test_teleport_remove_and_queries(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(55, 15), Vector2(95, 15), Vector2(135, 15)]))
	result("rect", crowd.get_agents_in_rect(Rect2(50, 0, 50, 50)))
	result("radius", crowd.get_agents_in_radius(Vector2(55, 20), 41.0))
	result("nearest", crowd.get_nearest_agent(Vector2(100, 70)))
	result("removed", crowd.remove(PackedInt32Array([1, 1, 7, -2])))
	result("ids", crowd.get_agent_ids())
	result("states", crowd.get_states())
	result("nearest_now", crowd.get_nearest_agent(Vector2(55, 15)))
	crowd.set_positions(PackedInt32Array([3]), PackedVector2Array([Vector2(205, 65)]))
	result("moved", crowd.get_positions()[3])
	result("lowest", crowd.spawn(PackedVector2Array([Vector2(15, 55), Vector2(15, 65)])))
	result("in", crowd.spawn_in(3, Rect2i(20, 0, 2, 2)).size())
	result("area", crowd.get_agents_in_rect(Rect2(200, 0, 20, 20)).size())
	crowd.count = 2
	result("fewer", [crowd.get_agent_count(), crowd.get_agent_ids()])
	crowd.count = 6
	result("more", crowd.get_agent_count())
	crowd.clear()
	result("none", [crowd.get_agent_count(), crowd.get_nearest_agent(Vector2())])
	map.free()
"""
    )
    assert run.unexpected() == []
    assert run.results == {
        "rect": [1, 2], "radius": [0, 1, 2], "nearest": 2, "removed": 1, "ids": [0, 2, 3], "states": [0, -1, 0, 0],
        "nearest_now": 0,
        "moved": [205.0, 65.0], "lowest": [1, 4], "in": 3, "area": 3, "fewer": [2, [0, 1]], "more": 6, "none": [0, -1],
    }  # fmt: skip


def test_one_clear_error(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	crowd.name = "Orcs"
	root.add_child(map)
	result("outside", crowd.spawn(PackedVector2Array([Vector2(5, 5), Vector2(-5, 5)])))
	result("goal", crowd.set_goal(Vector2(5, 900)))
	result("goals", crowd.set_goals(PackedVector2Array()))
	crowd.set_positions(PackedInt32Array([0]), PackedVector2Array())
	result("count", crowd.get_agent_count())
	map.free()
	var lonely := FlowFieldCrowd2D.new()
	root.add_child(lonely)
	await ticks(5)
	result("lonely", lonely.get_agent_count())
	lonely.free()
"""
    )
    texts = [
        "lies outside the map of 24 x 8 tiles",
        "lies outside the map",
        "needs at least one place",
        "ids need as many positions",
        "has no map",
    ]
    errors = run.errors()
    assert len(errors) == len(texts), run.output
    for error, text in zip(errors, texts, strict=True):
        assert text in error
    assert "FlowFieldCrowd2D 'Orcs'" in errors[0]
    assert len(run.warnings()) == 1 and "put it below or beside a FlowFieldMap2D" in run.warnings()[0]
    assert "Traceback" not in run.output
    assert run.results["outside"] == [] and run.results["goal"] is False and run.results["count"] == 0
    assert run.results["lonely"] == 0


def test_drawn_in_place_under_moved_parents(project: NodeProject) -> None:
    """What the multi-mesh holds, seen through the crowd's own transform, is where the map says that the agents are."""
    run = project.run_script(
        MAP
        + """
func run():
	var map_parent := Node2D.new()
	map_parent.position = Vector2(300, -40)
	map_parent.rotation = 0.7
	map_parent.scale = Vector2(2, 2)
	var crowd_parent := Node2D.new()
	crowd_parent.position = Vector2(-70, 33)
	crowd_parent.rotation = -1.1
	crowd_parent.scale = Vector2(0.5, 0.5)
	var map := make_map()
	map_parent.add_child(map)
	root.add_child(map_parent)
	root.add_child(crowd_parent)
	var crowd := FlowFieldCrowd2D.new()
	crowd.map = map
	crowd.count = 0
	crowd.radius = 3.0
	crowd.position = Vector2(9, 9)
	crowd_parent.add_child(crowd)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(155, 75)]))
	crowd.set_goal(Vector2(205, 15))
	await ticks(20)
	var places := []
	var asked := []
	for turn in 2:
		for id in 2:
			var shape := crowd.global_transform * drawn(crowd, id)
			places.append(shape.origin)
			asked.append(map.to_global(crowd.get_positions()[id]))
			if turn == 1 and id == 0:
				result("turned",
				shape.x.normalized().dot(map.global_transform.basis_xform(crowd.get_velocities()[0]).normalized()))
				result("size", shape.x.length())
		map_parent.position += Vector2(50, 10)
		crowd_parent.rotation += 0.4
		await ticks(2)
	var far := 0.0
	for index in places.size():
		far = maxf(far, places[index].distance_to(asked[index]))
	result("far", far)
	map_parent.free()
	crowd_parent.free()
"""
    )
    assert run.unexpected() == []
    assert run.results["far"] < 0.05
    assert run.results["turned"] > 0.9
    assert math.isclose(run.results["size"], 2 * 3.0 * 2.0, rel_tol=1e-3)  # diameter, times the map's scale


def test_custom_data_and_hidden(project: NodeProject) -> None:
    run = project.run_script(
        MAP
        + """
func run():
	var map := make_map()
	var crowd := make_crowd(map)
	crowd.use_custom_data = true
	root.add_child(map)
	crowd.spawn(PackedVector2Array([Vector2(15, 15), Vector2(15, 35)]))
	crowd.set_goal(Vector2(235, 45))
	await ticks(40)
	var mesh: MultiMesh = crowd.get_multimesh()
	var data := custom(crowd, 0)
	result("walked", data.r > 1.0)
	result("pace", data.g > 0.8)
	result("differ", data.b != custom(crowd, 1).b)
	result("state", data.a)
	crowd.visible = false
	await ticks(2)
	var place := drawn(crowd, 0).origin
	await ticks(5)
	result("not_drawn", place == drawn(crowd, 0).origin)
	crowd.visible = true
	await ticks(2)
	result("drawn", place != drawn(crowd, 0).origin)
	crowd.use_custom_data = false
	crowd.unit_scale = 3.0
	await ticks(2)
	result("plain", [mesh.use_custom_data, drawn(crowd, 0).get_scale().x])
	map.free()
"""
    )
    assert run.unexpected() == []
    found = run.results
    assert found["walked"] and found["pace"] and found["differ"] and found["state"] == 1.0
    assert found["not_drawn"] and found["drawn"]
    assert found["plain"][0] is False and math.isclose(found["plain"][1], 18.0, rel_tol=1e-4)
