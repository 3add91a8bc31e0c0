"""FlowFieldAgent2D and 3D in the real engine: ways, signals, edits, places out of reach, avoidance, errors in words."""

from __future__ import annotations

import math

from tests.godot.node_project import NodeProject

_WALK = """
func walk(body: Node, agent: Node, speed: float, most: int) -> int:
	for tick in most:
		if agent.is_navigation_finished():
			return tick
		var to = agent.get_next_path_position() - body.global_position
		if to.length() > 0.0001:
			body.global_position += to.normalized() * min(speed / 60.0, to.length())
		await physics_frame
	return most
"""


def test_a_body_is_led_round_a_wall_on_a_turned_map(project: NodeProject) -> None:
    run = project.run_script(
        _WALK
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(40, 30)
	map.position = Vector2(70, -30)
	map.rotation = 0.4
	root.add_child(map)
	map.set_cost_rect(Rect2i(20, 5, 1, 25), 0)
	var body := Node2D.new()
	map.add_child(body)
	body.position = Vector2(10.5, 20.5) * 16
	var agent := FlowFieldAgent2D.new()
	body.add_child(agent)
	await ticks(1)
	result("before", [agent.is_navigation_finished(), agent.is_target_reachable(),
		agent.get_next_path_position() == body.global_position])
	var heard := []
	agent.path_changed.connect(func(): heard.append("path"))
	agent.waypoint_reached.connect(func(at): heard.append(map.to_local(at) / 16))
	agent.target_reached.connect(func(): heard.append("target"))
	agent.navigation_finished.connect(func(): heard.append("finished"))
	agent.target_position = map.to_global(Vector2(30.5, 20.5) * 16)
	result("way", [agent.is_target_reachable(), agent.get_path_length() / 16, agent.distance_to_target() / 16,
		map.to_local(agent.get_final_position()) / 16, agent.get_current_navigation_path().size()])
	var ticks_taken: int = await walk(body, agent, 96.0, 2000)
	result("walked", [ticks_taken < 600, agent.is_target_reached(), body.position.distance_to(Vector2(30.5, 20.5) * 16) <= 10.01])
	result("heard", [heard[0], heard.count("path"), heard.slice(-2)])
	result("corners", heard.filter(func(entry): return entry is Vector2))
	agent.target_position = map.to_global(Vector2(20.5, 15.5) * 16)
	result("solid", [agent.is_target_reachable(), map.to_local(agent.get_final_position()) / 16])
	await walk(body, agent, 96.0, 2000)
	result("nearest", [agent.is_navigation_finished(), agent.is_target_reached(), heard.slice(-1)])
	map.free()
""",
    )
    assert run.unexpected() == [], run.output
    assert run.results["before"] == [True, False, True]
    reachable, length, distance, end, points = run.results["way"]
    shortest = 2 * math.hypot(9.5, 16) + 1  # by the corners of the wall's upper end
    assert reachable and shortest - 0.5 < length < 1.03 * shortest and abs(distance - 20.0) < 1e-3, run.results
    assert max(abs(end[0] - 30.5), abs(end[1] - 20.5)) < 1e-3 and 3 <= points <= 6
    assert run.results["walked"] == [True, True, True]
    assert run.results["heard"] == ["path", 1, ["target", "finished"]]
    assert all(3.0 < y < 5.0 and 18.0 < x < 23.0 for x, y in run.results["corners"]), run.results
    reachable, end = run.results["solid"]
    assert not reachable and abs(end[1] - 15.5) < 1e-3 and abs(abs(end[0] - 20.5) - 1.0) < 1e-3
    assert run.results["nearest"] == [True, False, ["finished"]]


def test_edits_of_the_map_on_the_way(project: NodeProject) -> None:
    run = project.run_script(
        _WALK
        + """
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(40, 30)
	root.add_child(map)
	var body := Node2D.new()
	body.position = Vector2(5.5, 15.5) * 16
	root.add_child(body)
	var agent := FlowFieldAgent2D.new()
	agent.map = map
	body.add_child(agent)
	await ticks(1)
	var paths := [0]
	agent.path_changed.connect(func(): paths[0] += 1)
	agent.target_position = Vector2(35.5, 15.5) * 16
	result("straight", [agent.get_path_length() / 16, paths[0]])
	map.set_cost_rect(Rect2i(20, 5, 1, 25), 0)
	result("blocked", [agent.get_path_length() / 16 > 34.0, paths[0]])
	map.set_cost_rect(Rect2i(2, 2, 2, 2), 0)
	agent.get_next_path_position()
	result("elsewhere", paths[0])
	map.set_cost_rect(Rect2i(20, 5, 1, 25), 1)
	var waited := 0
	while agent.get_path_length() / 16 > 31.0 and waited < 100:
		agent.get_next_path_position()
		await physics_frame
		waited += 1
	result("opened", [waited > 5, waited < 60, paths[0]])
	map.set_cost_rect(Rect2i(30, 0, 1, 30), 0)
	agent.get_next_path_position()
	result("cut_off", [agent.is_target_reachable(), agent.get_final_position() / 16])
	body.position = Vector2(5.5, 25.5) * 16
	agent.get_next_path_position()
	result("pushed_away", [agent.get_current_navigation_path()[0] / 16, paths[0]])
	map.free()
	await ticks(2)
	result("no_map", agent.get_next_path_position())
	body.free()
""",
    )
    straight, count = run.results["straight"]
    assert abs(straight - 30.0) < 1e-3 and count == 1
    assert run.results["blocked"] == [True, 2]
    assert run.results["elsewhere"] == 2
    assert run.results["opened"] == [True, True, 3]
    assert run.results["cut_off"] == [False, [29.5, 15.5]]
    assert run.results["pushed_away"] == [[5.5, 25.5], 5]
    assert run.results["no_map"] == [0.0, 0.0]
    assert len(run.errors()) == 1 and "This agent has no map" in run.errors()[0], run.output
    assert len(run.warnings()) == 1


def test_avoidance_among_a_crowd_and_one_another(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(40, 30)
	map.scale = Vector2(2, 2)
	root.add_child(map)
	var crowd := FlowFieldCrowd2D.new()
	crowd.count = 0
	crowd.spawn_mode = 2
	map.add_child(crowd)
	await ticks(1)
	var places := PackedVector2Array()
	for x in 12:
		for y in 8:
			places.append(Vector2(14 + x * 0.8, 12.5 + y * 0.8) * 16)
	crowd.spawn(places)
	var bodies := []
	for index in 2:
		var body := Node2D.new()
		map.add_child(body)
		body.position = Vector2([6.5, 33.5][index], 15.5) * 16
		var agent := FlowFieldAgent2D.new()
		agent.radius = 16.0
		agent.max_speed = 128.0
		agent.avoidance_enabled = true
		body.add_child(agent)
		agent.velocity_computed.connect(func(safe: Vector2): body.global_position += safe / 60.0)
		bodies.append([body, agent])
	await ticks(1)
	var commander := UnitCommander2D.new()
	map.add_child(commander)
	result("told", commander.get_units_in_circle(bodies[0][0].position, 30.0).size())
	for index in 2:
		bodies[index][1].target_position = bodies[1 - index][0].global_position
	var nearest := INF
	var touched := INF
	var ticks_taken := 0
	for tick in 1500:
		var finished := 0
		for entry in bodies:
			if entry[1].is_navigation_finished():
				finished += 1
				continue
			entry[1].velocity = (entry[1].get_next_path_position() - entry[0].global_position).normalized() * 128.0
		await physics_frame
		ticks_taken = tick
		nearest = min(nearest, bodies[0][0].global_position.distance_to(bodies[1][0].global_position))
		for place in crowd.get_positions():
			touched = min(touched, (map.to_global(place) - bodies[0][0].global_position).length())
		if finished == 2:
			break
	result("passed", [ticks_taken < 1400, nearest, touched])
	bodies[0][1].avoidance_enabled = false
	bodies[1][0].free()
	await ticks(2)
	map.free()
""")
    assert run.unexpected() == [], run.output
    assert run.results["told"] == 0
    arrived, nearest, touched = run.results["passed"]
    assert arrived and nearest > 0.85 * 32.0 and touched > 0.6 * (16.0 + 0.3 * 32.0), run.results


def test_a_body_in_3d_goes_by_heights(project: NodeProject) -> None:
    run = project.run_script(
        _WALK
        + """
func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(40, 30)
	map.position = Vector3(7, 2, -3)
	map.rotation.y = 0.7
	root.add_child(map)
	map.set_cost_rect(Rect2i(20, 5, 1, 25), 0)
	var body := Node3D.new()
	map.add_child(body)
	body.global_position = map.tile_to_world(Vector2i(10, 20))
	var agent := FlowFieldAgent3D.new()
	agent.path_height_offset = 0.5
	body.add_child(agent)
	await ticks(1)
	agent.target_position = map.tile_to_world(Vector2i(30, 20))
	agent.path_desired_distance = 0.3
	agent.target_desired_distance = 0.2
	var taken: int = await walk(body, agent, 6.0, 2000)
	result("walked", [taken < 900, agent.is_target_reached(), agent.get_final_position().y,
		map.world_to_tile(body.global_position)])
	agent.avoidance_enabled = true
	var heard := []
	agent.velocity_computed.connect(func(safe): heard.append(safe))
	agent.velocity = Vector3(3, -4, 1)
	await ticks(2)
	result("safe", heard)
	map.free()
""",
    )
    assert run.unexpected() == [], run.output
    done, reached, height, tile = run.results["walked"]
    assert done and reached and abs(height - 2.5) < 1e-4 and tile == [30, 20]
    assert len(run.results["safe"]) == 1
    assert max(abs(a - b) for a, b in zip(run.results["safe"][0], (3.0, -4.0, 1.0), strict=True)) < 1e-4


def test_what_is_wrong_is_said_in_words(project: NodeProject) -> None:
    run = project.run_script("""
func run():
	var agent := FlowFieldAgent2D.new()
	root.add_child(agent)
	await ticks(2)
	result("alone", [agent.get_next_path_position(), agent.is_navigation_finished(), agent.get_map_node()])
	agent.free()
	var map := FlowFieldMap2D.new()
	map.size = Vector2i(8, 8)
	root.add_child(map)
	var body := Node2D.new()
	map.add_child(body)
	var lost := FlowFieldAgent2D.new()
	lost.movement_class = "boats"
	body.add_child(lost)
	await ticks(1)
	lost.target_position = Vector2(1e9, 3)
	lost.get_next_path_position()
	lost.movement_class = ""
	result("far_off", lost.get_final_position() / 16)
	lost.target_position = Vector2(NAN, 3)
	result("nowhere", [lost.get_next_path_position(), lost.is_navigation_finished()])
	map.free()
""")
    assert run.results["far_off"][0] > 7.0, run.output  # the map's edge
    assert run.results["nowhere"] == [[0.0, 0.0], True]
    errors = run.errors()
    assert any("There is no body to lead" in line or "no map" in line for line in errors), run.output
    assert any("boats" in line for line in errors)
    assert any("finite numbers" in line for line in errors)
    assert all("FlowFieldAgent2D" in line for line in errors), run.output


def test_the_way_is_drawn_while_that_is_wanted(project: NodeProject) -> None:
    run = project.run_script(
        """
func drawing(agent: Node) -> Array:
	return agent.get_children(true)

func run():
	var map := FlowFieldMap3D.new()
	map.size = Vector2i(40, 30)
	root.add_child(map)
	map.set_cost_rect(Rect2i(20, 5, 1, 25), 0)
	var body := Node3D.new()
	map.add_child(body)
	body.position = Vector3(10.5, 0, 20.5)
	var agent := FlowFieldAgent3D.new()
	body.add_child(agent)
	await ticks(1)
	agent.target_position = map.to_global(Vector3(30.5, 0, 20.5))
	agent.get_next_path_position()
	result("off", drawing(agent).size())
	agent.debug_enabled = true
	var drawn: Array = drawing(agent)
	var way: PackedVector3Array = agent.get_current_navigation_path()
	var mesh: ImmediateMesh = drawn[0].mesh
	var box := AABB(way[0], Vector3())
	for point in way:
		box = box.expand(point)
	result("on", [drawn.size(), drawn[0].get_class(), mesh.get_surface_count(), box.grow(0.001).encloses(mesh.get_aabb()),
		mesh.get_aabb().grow(0.001).encloses(box),
		mesh.surface_get_material(0).albedo_color == ProjectSettings.get_setting("debug/shapes/navigation/3d/agent_path_color"),
		agent.get_child_count()])
	agent.debug_use_custom = true
	agent.debug_path_custom_color = Color.GREEN
	agent.debug_path_custom_point_size = 0.0
	result("custom", [mesh.get_surface_count(), mesh.surface_get_material(0).albedo_color == Color.GREEN])
	agent.debug_enabled = false
	await ticks(1)
	result("gone", drawing(agent).size())
	var flat := FlowFieldMap2D.new()
	flat.size = Vector2i(40, 30)
	root.add_child(flat)
	var walker := Node2D.new()
	flat.add_child(walker)
	walker.position = Vector2(100, 100)
	var leader := FlowFieldAgent2D.new()
	leader.debug_enabled = true
	leader.debug_use_custom = true
	leader.debug_path_custom_line_width = 3.0
	walker.add_child(leader)
	await ticks(1)
	leader.target_position = Vector2(500, 300)
	leader.get_next_path_position()
	var drew := [0]
	drawing(leader)[0].draw.connect(func(): drew[0] += 1)
	await process_frame
	await process_frame
	result("flat", [drawing(leader).size(), drew[0]])
	walker.free()
	map.free()
	flat.free()
""",
    )
    assert run.unexpected() == [], run.output
    assert run.results["off"] == 0 and run.results["gone"] == 0
    assert run.results["on"] == [1, "MeshInstance3D", 2, True, True, True, 0], run.results
    assert run.results["custom"] == [1, True]
    assert run.results["flat"] == [1, 1], run.results


def test_a_map_that_cannot_be_made_is_named(project: NodeProject) -> None:
    run = project.run_script(
        """
func run():
	var map := FlowFieldMap2D.new()
	map.name = "Broken"
	map.cost_source = 4
	map.size = Vector2i(5, 5)
	root.add_child(map)
	var body := Node2D.new()
	map.add_child(body)
	var agent := FlowFieldAgent2D.new()
	agent.name = "Leader"
	body.add_child(agent)
	agent.target_position = Vector2(50, 50)
	result("place", agent.get_next_path_position())
	await ticks(3)
	map.free()
"""
    )
    mine = [line for line in [*run.errors(), *run.warnings()] if "'Leader'" in line]
    assert mine and all("'Broken'" in line and "can't be used" in line for line in mine), run.output
    assert run.results["place"] == [0, 0]
