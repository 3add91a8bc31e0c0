extends SceneTree
## Plays scenes of the demo without a display and prints what came of them as one line "DEMO {json}".

const UNITS := 1200
const SHARES: Array[int] = [1, 2, 13, 1000, 65535]

var _seen: Dictionary[String, Variant] = {}
var _game: Node2D
var _map: Node
var _bands: Array


func _initialize() -> void:
	change_scene_to_file("res://scenes/horde/horde.tscn")
	while current_scene == null or current_scene.militia == null:
		await process_frame
	_game = current_scene
	_map = _game.map
	_bands = _game.warbands.bands
	_count_units()
	await _follow_militia()
	await _hunt_militia()
	await _shut_out()
	await _turn_round_a_wall()
	await _send_on()
	print("DEMO %s" % JSON.stringify(_seen))
	quit()


func _count_units() -> void:
	for count in SHARES:
		_game.warbands.muster(count)
		var set_out := 0
		for band: RefCounted in _bands:
			set_out += band.units
		_seen["set_out_%d" % count] = set_out
		_seen["there_%d" % count] = _game.warbands.get_left()
	_game.warbands.muster(UNITS)
	_seen["villages"] = _game.villages.list.size()
	_seen["bands"] = _bands.size()
	_seen["greens_lead_to_the_keep"] = range(_game.villages.list.size()).all(func(index: int) -> bool:
		return _map.is_reachable(_game.villages.get_centre(index), _game.goal))


# A field in the first village's neighbourhood, a wall across it while the militia marches.
func _follow_militia() -> void:
	var militia: Node2D = _game.militia
	var field := _clear_field(_game.villages.get_centre(0))
	_place(militia.crowd, field.position + Vector2i(4, 20))
	_seen["order_is_taken"] = militia.order(_pixels(field.position + Vector2i(46, 20)))
	await _ticks(10)
	_seen["militia_marches"] = militia.get_state()
	_map.set_cost_rect(_wall(field), 0)
	await _ticks(1200)
	_seen["militia_holds"] = militia.get_state()
	_seen["militia_from_target"] = militia.get_place().distance_to(militia.target) / 16.0
	var beyond := 0
	for place: Vector2 in militia.crowd.get_positions():
		beyond += int(place.x / 16.0 > _wall(field).end.x)
	_seen["men_beyond_the_wall"] = beyond
	_seen["order_outside"] = militia.order(Vector2(-50, -50))
	_seen["order_into_a_wall"] = militia.order(_pixels(field.position + Vector2i(25, 20)))
	_seen["target_is_free"] = _map.get_cost(Vector2i(militia.target / 16.0)) > 0
	_map.set_cost_rect(_wall(field), 1)


func _hunt_militia() -> void:
	var riders: RefCounted = _bands.back()
	var militia: Node2D = _game.militia
	_place(riders.crowd, Vector2i(militia.get_place() / 16.0) + Vector2i(0, 30))
	militia.order(militia.get_place() - Vector2(200, 0))
	_seen["riders_hunt"] = riders.task == _game.warbands.Task.HUNT
	await _ticks(500)
	_seen["riders_caught"] = _game.warbands.slain
	_seen["men_lost"] = militia.STRENGTH - militia.get_agent_count()
	militia.crowd.clear()
	await _ticks(2)
	_seen["riders_turn_to_the_keep"] = riders.task == _game.warbands.Task.KEEP


func _shut_out() -> void:
	var ground: Rect2i = _game.villages.list[0].plan.ground()
	_map.set_cost_rect(ground.grow(2), 0)
	_map.set_cost_rect(ground.grow(1), 1)
	await _ticks(20)
	_seen["shut_out_goes_on"] = _bands[1].task == _game.warbands.Task.KEEP
	_seen["shut_out_stands"] = _game.villages.is_standing(0)


func _turn_round_a_wall() -> void:
	var band: RefCounted = _bands[2]
	var centre: Vector2i = _game.villages.get_centre(1)
	var field := _clear_field(centre)
	_place(band.crowd, field.end - Vector2i(6, 20))
	await _ticks(20)
	_map.set_cost_rect(_wall(field), 0)
	var passed := 0
	var through := 0
	var last: PackedVector2Array = band.crowd.get_positions()
	for step in 120:
		await _ticks(10)
		var now: PackedVector2Array = band.crowd.get_positions()
		var line := (field.position.x + 25.5) * 16.0
		for id in now.size():
			if last[id].x > line and now[id].x <= line:
				passed += 1
				through += int(absf(now[id].y / 16.0 - field.get_center().y) < 12.0)
		last = now
		if not _game.villages.is_standing(1):
			break
	_seen["passed"] = passed
	_seen["passed_through_the_wall"] = through
	_seen["walled_village_fell"] = not _game.villages.is_standing(1)


func _send_on() -> void:
	var band: RefCounted = _bands[3]
	var plan: RefCounted = _game.villages.list[2].plan
	_seen["sacks_first"] = band.task == _game.warbands.Task.SACK
	_seen["house_before"] = _map.get_cost(plan.houses[0].position)
	_place(band.crowd, plan.centre)
	await _ticks(60)
	_seen["fell"] = not _game.villages.is_standing(2)
	_seen["marches_on"] = band.task == _game.warbands.Task.KEEP
	_seen["all_march_on"] = band.crowd.get_agent_count() == band.units
	_seen["house_after"] = _map.get_cost(plan.houses[0].position)
	_place(band.crowd, _game.goal + Vector2i(0, 20))
	await _ticks(400)
	_seen["at_the_keep"] = _game.warbands.arrived
	_game.warbands.muster(UNITS)
	_seen["next_wave_spares_ruins"] = band.task == _game.warbands.Task.KEEP


# Free ground of 50 x 40 tiles to the east of a village.
func _clear_field(centre: Vector2i) -> Rect2i:
	var field := Rect2i(centre + Vector2i(13, -20), Vector2i(50, 40))
	_map.set_cost_rect(field, 1)
	return field


func _wall(field: Rect2i) -> Rect2i:
	return Rect2i(field.position + Vector2i(24, 6), Vector2i(3, 28))


func _place(crowd: Node, tile: Vector2i) -> void:
	var places := PackedVector2Array()
	var ids: PackedInt32Array = crowd.get_agent_ids()
	for index in ids.size():
		var place := _pixels(tile) + Vector2(index % 12, (index / 12) % 25) * 3.0
		places.append(_pixels(_map.get_nearest_free_tile(Vector2i(place / 16.0))) if _map.get_cost(Vector2i(place / 16.0)) == 0 else place)
	crowd.set_positions(ids, places)


func _pixels(tile: Vector2i) -> Vector2:
	return (Vector2(tile) + Vector2.ONE * 0.5) * 16.0


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame
