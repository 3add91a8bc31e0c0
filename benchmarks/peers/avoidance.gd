extends SceneTree
## The engine's own avoidance: agents of NavigationServer2D that cross a square, each with a goal of its own on the other side.
##
## PYNAV_PEER_TASKS names a JSON file: {agents, density, ticks}: how many, agents a square of 32 pixels, ticks to time.
## Prints one JSON line: {agents, tick_us_p50, tick_us_p99, moved}. Times are those of whole physics frames.

const TILE := 32.0
const RADIUS := 9.6
const SPEED := 192.0

var _agents: Array[RID] = []
var _places := PackedVector2Array()
var _goals := PackedVector2Array()
var _safe := PackedVector2Array()


func _initialize() -> void:
	var task: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS")))
	var count := int(task["agents"])
	var side := sqrt(count / float(task["density"])) * TILE
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	seed(7)
	_places.resize(count)
	_goals.resize(count)
	_safe.resize(count)
	for index in count:
		_places[index] = Vector2(randf(), randf()) * side
		_goals[index] = Vector2(side, side) - _places[index]
		var agent := NavigationServer2D.agent_create()
		NavigationServer2D.agent_set_map(agent, map)
		NavigationServer2D.agent_set_avoidance_enabled(agent, true)
		NavigationServer2D.agent_set_radius(agent, RADIUS)
		NavigationServer2D.agent_set_max_speed(agent, SPEED)
		NavigationServer2D.agent_set_neighbor_distance(agent, 4.0 * TILE)
		NavigationServer2D.agent_set_max_neighbors(agent, 10)
		NavigationServer2D.agent_set_time_horizon_agents(agent, 1.0)
		NavigationServer2D.agent_set_position(agent, _places[index])
		NavigationServer2D.agent_set_avoidance_callback(agent, _on_velocity.bind(index))
		_agents.append(agent)
	var starts := _places.duplicate()
	var times := PackedFloat64Array()
	for tick in int(task["ticks"]) + 20:
		await physics_frame
		var begin := Time.get_ticks_usec()
		_move()
		await process_frame
		if tick >= 20:
			times.append(Time.get_ticks_usec() - begin)
	times.sort()
	var moved := 0
	for index in count:
		moved += int(_places[index].distance_to(starts[index]) > 1.0)
	print(JSON.stringify({
		agents = count, tick_us_p50 = times[times.size() / 2], tick_us_p99 = times[times.size() * 99 / 100], moved = moved
	}))
	for agent in _agents:
		NavigationServer2D.free_rid(agent)
	NavigationServer2D.free_rid(map)
	quit()


func _on_velocity(velocity: Vector2, index: int) -> void:
	_safe[index] = velocity


func _move() -> void:
	for index in _agents.size():
		_places[index] += _safe[index] / 60.0
		NavigationServer2D.agent_set_position(_agents[index], _places[index])
		NavigationServer2D.agent_set_velocity(_agents[index], (_goals[index] - _places[index]).limit_length(SPEED))
