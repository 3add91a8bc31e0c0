extends SceneTree
## Bodies that a script moves, each led by an agent node of its own to a target of its own: FlowFieldAgent2D or NavigationAgent2D.
##
## PYNAV_PEER_TASKS names a JSON file: a list of {map, ours, avoids, frames, starts: [[x, y], ...], targets: [[x, y], ...]}, in tiles; ours
## needs the addon in the project; frames: when to stop at the latest. Prints one JSON line a task: {node_us: microseconds a walking body and physics frame, whole
## frames, median of the first TIMED; seek_us: the same of the frame in which all ways are sought; lengths: pixels that each body
## went, -1 for one that has not arrived; in_walls: bodies whose middle was ever in a solid tile}.

const Walkable := preload("walkable.gd")
const TILE := Walkable.TILE
const RADIUS := 5.0
const SPEED := 120.0
const TIMED := 240

var _tiles := Walkable.new()
var _bodies: Array[Node2D] = []
var _agents: Array[Node] = []
var _gone := PackedFloat64Array()
var _was_in_wall := PackedByteArray()
var _avoids := false


func _initialize() -> void:
	await process_frame
	for task: Dictionary in JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS"))):
		print(JSON.stringify(await _measured(task)))
	quit()


func _measured(task: Dictionary) -> Dictionary:
	_tiles.read(task["map"])
	_avoids = task["avoids"]
	var ground: Variant = _own_map(task["map"]) if task["ours"] else _region()
	_add_bodies(task)
	for index in 30:  # what has to be loaded and made is there by then
		await physics_frame
	var begin := Time.get_ticks_usec()
	for index in _agents.size():
		_agents[index].target_position = _place(task["targets"][index])
	var walking := _walk()
	await physics_frame
	var seek_us := float(Time.get_ticks_usec() - begin) / _agents.size()
	var times := PackedFloat64Array()
	var frames := 0
	while walking > 0 and frames < int(task["frames"]):
		begin = Time.get_ticks_usec()
		walking = _walk()
		await physics_frame
		if frames < TIMED and walking > 0:
			times.append(float(Time.get_ticks_usec() - begin) / walking)
		_look_at_walls()
		frames += 1
	times.sort()
	for index in _agents.size():
		if not _agents[index].is_navigation_finished():
			_gone[index] = -1.0
	var found := {
		node_us = times[times.size() / 2], seek_us = seek_us, lengths = Array(_gone), in_walls = Array(_was_in_wall).count(1)
	}
	for body in _bodies:
		body.free()
	_bodies.clear()
	_agents.clear()
	if ground is Node:
		ground.free()
	else:
		NavigationServer2D.free_rid(ground)
	return found


func _place(tile: Array) -> Vector2:
	return (Vector2(tile[0], tile[1]) + Vector2.ONE * 0.5) * TILE


func _own_map(path: String) -> Node:
	var map: Node = ClassDB.instantiate("FlowFieldMap2D")
	map.cost_source = ClassDB.class_get_integer_constant("FlowFieldMap2D", "MAP_FILE")
	map.map_file = path
	map.tile_size = Vector2i.ONE * int(TILE)
	root.add_child(map)
	return map


func _region() -> RID:
	var map := root.get_world_2d().navigation_map
	NavigationServer2D.map_set_use_async_iterations(map, false)
	NavigationServer2D.map_set_use_edge_connections(map, false)
	var region := NavigationServer2D.region_create()
	NavigationServer2D.region_set_use_async_iterations(region, false)
	NavigationServer2D.region_set_map(region, map)
	NavigationServer2D.region_set_navigation_polygon(region, _tiles.polygons(Vector2i.ZERO, maxi(_tiles.size.x, _tiles.size.y)))
	NavigationServer2D.map_force_update(map)
	return region


func _add_bodies(task: Dictionary) -> void:
	var count: int = task["starts"].size()
	_gone.resize(count)
	_gone.fill(0.0)
	_was_in_wall.resize(count)
	_was_in_wall.fill(0)
	for index in count:
		var body := Node2D.new()
		body.position = _place(task["starts"][index])
		var agent: Node = ClassDB.instantiate("FlowFieldAgent2D" if task["ours"] else "NavigationAgent2D")
		agent.radius = RADIUS
		agent.max_speed = SPEED
		agent.path_desired_distance = 4.0
		agent.target_desired_distance = 4.0
		agent.avoidance_enabled = _avoids
		if _avoids:
			agent.velocity_computed.connect(_go.bind(index))
		body.add_child(agent)
		root.add_child(body)
		_bodies.append(body)
		_agents.append(agent)


## What a game's script does in a physics frame; how many bodies still walk.
func _walk() -> int:
	var walking := 0
	for index in _bodies.size():
		var agent := _agents[index]
		if agent.is_navigation_finished():
			if _avoids:
				agent.velocity = Vector2.ZERO
			continue
		walking += 1
		var velocity: Vector2 = ((agent.get_next_path_position() - _bodies[index].global_position) * 60.0).limit_length(SPEED)
		if _avoids:
			agent.velocity = velocity
		else:
			_go(velocity, index)
	return walking


func _go(velocity: Vector2, index: int) -> void:
	_bodies[index].global_position += velocity / 60.0
	_gone[index] += velocity.length() / 60.0


func _look_at_walls() -> void:
	for index in _bodies.size():
		var tile := Vector2i(_bodies[index].position / TILE)
		if _tiles.free[tile.y * _tiles.size.x + tile.x] == 0:
			_was_in_wall[index] = 1
