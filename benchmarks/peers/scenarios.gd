extends SceneTree
## The engine's own avoidance in small maps with walls: agents of NavigationServer2D, led as well as they can be, walls as obstacles.
##
## PYNAV_PEER_TASKS names a JSON file with a list of {ticks, leaves, near, push, seed, neighbours, neighbour_tiles, horizon,
## wall_horizon, there, width, walls: [[left, top, right, bottom], ...], radius: [...], speed: [...], start: [[x, y], ...],
## groups: [{count, goals: [[x, y], ...], ahead: [[x, y], ...], nearest: [...]}, ...], file}: lengths in tiles; `ahead` and `nearest`
## have an entry for each tile, or none where no wall lies between. Prints a JSON line each, {resolved, ticks}, and writes to `file`,
## for each tick, float32 x and y of all agents, then a byte for each that tells whether it has arrived.

const TILE := 32.0  ## pixels

var _agents: Array[RID] = []
var _safe := PackedVector2Array()


func _initialize() -> void:
	var tasks: Array = JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS")))
	for task: Dictionary in tasks:
		print(JSON.stringify(await _walk(task)))
	quit()


func _walk(task: Dictionary) -> Dictionary:
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	seed(int(task["seed"]))
	var walls: Array[RID] = []
	for wall: Array in task["walls"]:
		walls.append(_new_wall(map, wall))
	var count: int = task["start"].size()
	var places := PackedVector2Array()
	_agents.clear()
	_safe.clear()
	_safe.resize(count)
	for index in count:
		places.append(Vector2(task["start"][index][0], task["start"][index][1]) * TILE)
		_agents.append(_new_agent(map, task, index, places[index]))
	var leads: Array[Lead] = []
	var lead_of := PackedInt32Array()
	for group: Dictionary in task["groups"]:
		for member in int(group["count"]):
			lead_of.append(leads.size())
		leads.append(Lead.new(group, int(task["width"])))
	var arrived := PackedByteArray()
	arrived.resize(count)
	var file := FileAccess.open(task["file"], FileAccess.WRITE)
	var tick := 0
	while tick < int(task["ticks"]) and arrived.count(0) > 0:
		for index in count:
			if not arrived[index]:
				_lead(task, index, places[index], leads[lead_of[index]], arrived)
		for place in places:
			file.store_float(place.x / TILE)
			file.store_float(place.y / TILE)
		file.store_buffer(arrived)
		await physics_frame
		for index in count:
			if not (arrived[index] and task["leaves"]):
				places[index] += _safe[index] / 60.0
				NavigationServer2D.agent_set_position(_agents[index], places[index])
		tick += 1
	file.close()
	for rid in _agents + walls:
		NavigationServer2D.free_rid(rid)
	NavigationServer2D.free_rid(map)
	return {resolved = arrived.count(0) == 0, ticks = tick}


func _lead(task: Dictionary, index: int, place: Vector2, lead: Lead, arrived: PackedByteArray) -> void:
	var goal := lead.goal(place)
	var agent := _agents[index]
	if place.distance_to(goal) < float(task["near"]) * TILE:
		arrived[index] = 1
		NavigationServer2D.agent_set_velocity(agent, Vector2.ZERO)
		if task["leaves"]:
			NavigationServer2D.agent_set_avoidance_enabled(agent, false)
		return
	var away := lead.aim(place, goal, float(task["there"]) * TILE) - place
	var push := Vector2(randf_range(-1.0, 1.0), randf_range(-1.0, 1.0)) * float(task["push"])
	var fastest := minf(task["speed"][index] * TILE, away.length() * 60.0)
	NavigationServer2D.agent_set_velocity(agent, away.normalized() * fastest + push * TILE)


func _new_wall(map: RID, wall: Array) -> RID:
	var obstacle := NavigationServer2D.obstacle_create()
	var corners := PackedVector2Array()
	for corner: Vector2i in [Vector2i(0, 1), Vector2i(2, 1), Vector2i(2, 3), Vector2i(0, 3)]:
		corners.append(Vector2(wall[corner.x], wall[corner.y]) * TILE)
	NavigationServer2D.obstacle_set_map(obstacle, map)
	NavigationServer2D.obstacle_set_vertices(obstacle, corners)
	NavigationServer2D.obstacle_set_avoidance_enabled(obstacle, true)
	return obstacle


func _new_agent(map: RID, task: Dictionary, index: int, place: Vector2) -> RID:
	var agent := NavigationServer2D.agent_create()
	NavigationServer2D.agent_set_map(agent, map)
	NavigationServer2D.agent_set_avoidance_enabled(agent, true)
	NavigationServer2D.agent_set_radius(agent, task["radius"][index] * TILE)
	NavigationServer2D.agent_set_max_speed(agent, task["speed"][index] * TILE)
	NavigationServer2D.agent_set_neighbor_distance(agent, float(task["neighbour_tiles"]) * TILE)
	NavigationServer2D.agent_set_max_neighbors(agent, int(task["neighbours"]))
	NavigationServer2D.agent_set_time_horizon_agents(agent, task["horizon"])
	NavigationServer2D.agent_set_time_horizon_obstacles(agent, task["wall_horizon"])
	NavigationServer2D.agent_set_position(agent, place)
	NavigationServer2D.agent_set_avoidance_callback(agent, _on_velocity.bind(index))
	return agent


func _on_velocity(velocity: Vector2, index: int) -> void:
	_safe[index] = velocity


## Where the agents of a group want to go.
class Lead:
	var _goals := PackedVector2Array()
	var _ahead := PackedVector2Array()
	var _nearest := PackedInt32Array()
	var _width := 0

	func _init(group: Dictionary, width: int) -> void:
		for goal: Array in group["goals"]:
			_goals.append(Vector2(goal[0], goal[1]) * TILE)
		for tile: Array in group["ahead"]:
			_ahead.append(Vector2(tile[0], tile[1]) * TILE)
		_nearest = PackedInt32Array(group["nearest"])
		_width = width

	func goal(place: Vector2) -> Vector2:
		return _goals[_nearest[_tile(place)]]

	func aim(place: Vector2, goal_place: Vector2, there: float) -> Vector2:
		if _ahead.is_empty() or place.distance_to(goal_place) < there:
			return goal_place
		return _ahead[_tile(place)]

	func _tile(place: Vector2) -> int:
		var last := _nearest.size() / _width - 1
		return clampi(int(place.y / TILE), 0, last) * _width + clampi(int(place.x / TILE), 0, _width - 1)
