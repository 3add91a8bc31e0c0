extends SceneTree
## Plays the homing demo with injected input and prints what came of it as one line "HOMING {json}".

var _seen: Dictionary[String, Variant] = {}
var _game: Node2D


func _initialize() -> void:
	change_scene_to_file("res://scenes/homing/homing.tscn")
	await _wait_for_game()
	await _glide()
	await _fight()
	await _switch()
	await _flip()
	await _use_the_well()
	await _set_a_false_light()
	await _see_the_dawn()
	await _lose_and_restart()
	_read()
	print("HOMING %s" % JSON.stringify(_seen))
	quit()


func _wait_for_game() -> void:
	while current_scene == null or not current_scene.is_ready:
		await process_frame
	_game = current_scene


func _glide() -> void:
	var before: Vector2 = _game.ship.position
	_key(KEY_D, true)
	_key(KEY_S, true)
	await _ticks(20)
	_key(KEY_D, false)
	_key(KEY_S, false)
	_seen["glided"] = [_game.ship.position.x - before.x, _game.ship.position.y - before.y]
	_key(KEY_LEFT, true)
	await _ticks(600)
	_key(KEY_LEFT, false)
	_seen["stays_inside"] = _game.bounds.has_point(_game.ship.position)


func _fight() -> void:
	_game.ship.position = _game.bounds.get_center() + Vector2(-200, 0)
	_point(Vector2(1200, 450))
	_button(MOUSE_BUTTON_LEFT, true)
	await _ticks(5)
	_seen["flying"] = _game.fireflies.get_count()
	var scores: Array[int] = []
	for part in 6:
		_game.ship.flames = 5
		await _ticks(200)
		scores.append(_game.score)
	_seen["scores"] = scores
	_seen["killed"] = _game.killed
	_seen["hits"] = _game.hits
	_seen["wave"] = _game.waves.number
	_button(MOUSE_BUTTON_LEFT, false)
	await _ticks(2)
	var shot: int = _game.shot
	await _ticks(30)
	_seen["holds_fire"] = _game.shot == shot


func _switch() -> void:
	for pair: Array in [[KEY_V, "debug_draw"], [KEY_G, "show_glow"], [KEY_X, "far_field"]]:
		var states := []
		for turn in 2:
			_key(pair[0], true)
			_key(pair[0], false)
			await _ticks(3)
			states.append(_game.grid.get(pair[1]))
		_seen[pair[1]] = states
	_key(KEY_P, true)
	_key(KEY_P, false)
	var ticks: int = _game.ticks
	await _ticks(5)
	_seen["paused"] = _game.ticks == ticks
	_key(KEY_P, true)
	_key(KEY_P, false)
	await _ticks(5)
	_seen["goes_on"] = _game.ticks > ticks


func _flip() -> void:
	_clear()
	await _ticks(2)
	_game.swarm.hatch(0, Vector2(300, 200))
	var bug: RefCounted = _game.swarm.bugs[0]
	await _click(bug.place)
	_seen["bug_repels"] = bug.source.power < 0.0
	await _click(bug.place)
	_seen["bug_attracts"] = bug.source.power > 0.0
	_seen["nothing_there"] = _game.flip_at(Vector2(800, 800))
	var place := Vector2(500, 250)
	_game.wards.spin(place)
	await _ticks(60)
	_seen["ward_turns_away"] = _game.grid.get_direction(place + Vector2(60, 0)).x
	for index in 7:
		_game.swarm.hatch(0, place + Vector2(10 * index, 40))
	await _click(place)
	_seen["ward_power"] = _game.wards.wards[0].source.power
	_game.wards.wards[0].lit_for = _game.wards.FUSE_SECONDS - 0.5
	var killed: int = _game.killed
	for tick in 300:
		_game.ship.flames = 5
		await _ticks(1)
		if _game.wards.wards.is_empty():
			break
	_seen["ward_kills"] = _game.killed - killed


func _use_the_well() -> void:
	_game.loose_well()
	await _ticks(200)
	_clear()
	var from: Vector2 = _game.well.position + Vector2(-110, 0)
	for index in 30:
		_game.fireflies.shoot(from + Vector2(0, index), Vector2(300, 0))
	await _ticks(60)
	_seen["held"] = _game.well.held
	_seen["kept"] = _game.kept.get_held_count()
	var before: int = _game.well.held
	_key(KEY_SPACE, true)
	_key(KEY_SPACE, false)
	await _ticks(8)
	_seen["held_after"] = _game.well.held + _game.kept.get_count()
	_seen["none_lost"] = _game.fireflies.get_count() == before
	var farthest := 0.0
	for place: Vector2 in _game.fireflies.get_positions():
		farthest = maxf(farthest, place.distance_to(_game.well.position))
	_seen["farthest"] = farthest


func _set_a_false_light() -> void:
	_clear()
	_game.lures.rest = 0.0
	_game.waves._swarms.clear()
	_game.waves._wait = 1000.0
	await _ticks(2)
	var light := Vector2(300, 500)
	for index in 8:
		_game.swarm.hatch(0, light + Vector2.from_angle(TAU * index / 8.0) * 240.0)
	_point(light)
	var far: float = _away(light)
	_press(KEY_E)
	_press(KEY_E)
	_seen["lights"] = _game.lures.lures.size()
	_game.ship.flames = 5
	await _ticks(90)
	_seen["lured"] = far - _away(light)
	await _click(light)
	_seen["light_power"] = _game.lures.lures[0].source.power
	var near: float = _away(light)
	await _ticks(60)
	_seen["kept_off"] = _away(light) - near
	await _click(light)
	var killed: int = _game.killed
	for bug: RefCounted in _game.swarm.bugs:
		bug.health = 20.0
		bug.place = light + Vector2.from_angle(bug.number * TAU) * 60.0
	await _ticks(100)
	_seen["light_kills"] = _game.killed - killed
	_seen["lights_left"] = [_game.lures.lures.size(), _game.lures.rest > 0.0]


# How far the bugs are from a place, in the mean.
func _away(place: Vector2) -> float:
	var sum := 0.0
	for bug: RefCounted in _game.swarm.bugs:
		sum += bug.place.distance_to(place)
	return sum / _game.swarm.bugs.size()


func _see_the_dawn() -> void:
	_game.waves.number = _game.waves.LAST
	_game.waves._swarms.clear()
	_clear()
	_game.swarm.hatch(0, Vector2(100, 100))
	await _ticks(3)
	_seen["not_yet"] = _game.over
	_clear()
	_game.ship.flames = 4
	var score: int = _game.score
	await _ticks(3)
	_seen["dawn"] = [_game.over, _game.won, _game.score - score]
	_press(KEY_R)
	await _ticks(3)
	await _wait_for_game()
	_seen["another_night"] = [_game.over, _game.won, _game.waves.number]


func _lose_and_restart() -> void:
	_game.ship.flames = 1
	_game.ship.safe_for = 0.0
	_game.swarm.hatch(1, _game.ship.position)
	await _ticks(3)
	_seen["over"] = _game.over
	var ticks: int = _game.score
	await _ticks(60)
	_seen["score_stays"] = _game.score == ticks
	var old := _game
	_key(KEY_R, true)
	_key(KEY_R, false)
	await _ticks(3)
	await _wait_for_game()
	_seen["restarted"] = [_game != old, _game.score, _game.over, _game.ship.flames]


# No bugs, wards, fireflies.
func _clear() -> void:
	for bug: RefCounted in _game.swarm.bugs.duplicate():
		_game.swarm.hurt(bug, 1000.0)
	for ward: RefCounted in _game.wards.wards:
		ward.age = 1000.0
		ward.lit_for = -1.0
	_game.fireflies.clear()
	_game.ship.position = Vector2(1500, 800)


func _press(code: Key) -> void:
	_key(code, true)
	_key(code, false)


func _key(code: Key, pressed: bool) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = code
	event.pressed = pressed
	root.push_input(event, true)


func _point(place: Vector2) -> void:
	var event := InputEventMouseMotion.new()
	event.position = root.get_canvas_transform() * place
	root.push_input(event, true)


func _button(button: MouseButton, pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = button
	event.position = root.get_canvas_transform() * Vector2(1200, 450)
	event.pressed = pressed
	root.push_input(event, true)


func _click(place: Vector2) -> void:
	for pressed: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_RIGHT
		event.position = root.get_canvas_transform() * place
		event.pressed = pressed
		root.push_input(event, true)
		await process_frame


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame


# What the player reads; without a display the game has none of it.
func _read() -> void:
	var hud: CanvasLayer = load("res://scenes/homing/hud.gd").new()
	root.add_child(hud)
	var left := []
	for count in [0, 1, 2]:
		hud.show_wave(1, 5, count)
		left.append(hud._left.text)
	_seen["left"] = left
	var seen := []
	for is_covering in [true, false]:
		hud.show_keys(is_covering, 1.0)
		seen.append(hud._keys.map(func(part): return part.modulate.a))
	_seen["keys"] = seen
	hud.free()
