extends SceneTree
## Plays the demo as a player would, with injected mouse events, and prints what came of it as one line "HORDE {json}".
## Pictures go to the folder in the environment variable HORDE_PICTURES.

const GATE := Vector2i(512, 604)  ## in the middle of the southern gate of the town wall
const BEFORE_GATE := Vector2i(512, 622)
const GATE_HALF := 6  ## tiles to either side that close it

var _seen: Dictionary[String, Variant] = {}
var _folder := OS.get_environment("HORDE_PICTURES")


func _initialize() -> void:
	change_scene_to_file("res://scenes/horde/horde.tscn")
	for frame in 20:  # the land is raised behind the first pictures
		await process_frame
		if current_scene != null and current_scene.has_node("Camera"):
			break
	var game := current_scene
	var map := game.get_node("Map")
	var horde := game.get_node("Horde")
	var camera: Camera2D = game.get_node("Camera")
	var brush := game.get_node("Brush")
	camera.look_at_place(Vector2(GATE) * 16.0, 1.0)
	map.finish_builds()
	await _ticks(30)
	brush.set_brush_size(4)
	_seen["cost_before"] = map.get_cost(GATE)
	_seen["distance_before"] = map.get_distance(BEFORE_GATE, game.goal)
	_seen["flow_before"] = map.get_flow_direction(BEFORE_GATE, game.goal)
	# A troop of its own, close enough to be turned back.
	var troop: PackedInt32Array = horde.spawn_in(200, Rect2i(506, 640, 12, 20))
	await _ticks(45)
	_seen["heading_before"] = _mean_velocity(horde, troop)
	await _picture("before")
	var hash_before: String = map.get_state_hash()

	await _drag(MOUSE_BUTTON_LEFT, GATE - Vector2i(GATE_HALF, 0), GATE + Vector2i(GATE_HALF, 0))
	map.finish_builds()
	_seen["cost_walled"] = map.get_cost(GATE)
	_seen["distance_walled"] = map.get_distance(BEFORE_GATE, game.goal)
	_seen["stones_spent"] = brush.stones < 600
	await _ticks(60)
	_seen["heading_walled"] = _mean_velocity(horde, troop)
	_seen["hash_changed"] = map.get_state_hash() != hash_before
	await _picture("walled")

	await _drag(MOUSE_BUTTON_RIGHT, GATE - Vector2i(GATE_HALF, 0), GATE + Vector2i(GATE_HALF, 0))
	map.finish_builds()
	_seen["cost_cleared"] = map.get_cost(GATE)
	_seen["distance_cleared"] = map.get_distance(BEFORE_GATE, game.goal)

	# The keep can't be built upon.
	camera.look_at_place((Vector2(game.goal) + Vector2(9, 9)) * 16.0, 1.0)
	await _ticks(2)
	var beside := Vector2i(game.goal) + Vector2i(0, 4)
	var cost_at_keep: int = map.get_cost(beside)
	await _drag(MOUSE_BUTTON_LEFT, beside, beside + Vector2i(0, 3))
	_seen["keep_is_spared"] = map.get_cost(beside) == cost_at_keep

	# The wheel zooms to the cursor: the world point under it stays.
	var cursor := Vector2(900, 300)
	var under := camera.get_canvas_transform().affine_inverse() * cursor
	_wheel(cursor, MOUSE_BUTTON_WHEEL_UP, 4)
	var zoom_before := camera.zoom.x
	for frame in 90:
		await process_frame
	_seen["zoomed"] = camera.zoom.x / zoom_before
	_seen["cursor_drift"] = (camera.get_canvas_transform() * under).distance_to(cursor)
	await _picture("zoomed")
	print("HORDE %s" % JSON.stringify(_seen))
	quit()


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame


func _mean_velocity(horde: Node, troop: PackedInt32Array) -> Array[float]:
	var velocities: PackedVector2Array = horde.get_velocities()
	var sum := Vector2.ZERO
	for id in troop:
		sum += velocities[id]
	sum /= troop.size()
	return [sum.x, sum.y]


func _screen(tile: Vector2i) -> Vector2:
	return root.get_canvas_transform() * ((Vector2(tile) + Vector2.ONE * 0.5) * 16.0)


func _drag(button: MouseButton, from: Vector2i, to: Vector2i) -> void:
	_press(button, _screen(from), true)
	await process_frame
	var steps := 5
	for step in steps:
		var motion := InputEventMouseMotion.new()
		motion.position = _screen(from).lerp(_screen(to), float(step + 1) / steps)
		motion.button_mask = 1 << (button - 1)
		root.push_input(motion)
		await process_frame
	_press(button, _screen(to), false)
	await process_frame
	await process_frame


func _press(button: MouseButton, place: Vector2, pressed: bool) -> void:
	var event := InputEventMouseButton.new()
	event.button_index = button
	event.position = place
	event.pressed = pressed
	root.push_input(event)


func _wheel(place: Vector2, button: MouseButton, notches: int) -> void:
	for notch in notches:
		_press(button, place, true)
		_press(button, place, false)


func _picture(name: String) -> void:
	if _folder.is_empty():
		return
	await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png(_folder.path_join(name + ".png"))
