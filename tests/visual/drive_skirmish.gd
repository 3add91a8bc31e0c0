extends SceneTree
## Plays the skirmish as a player would, with injected mouse and key events, and prints what came of it as one line "SKIRMISH {json}".
## Pictures go to the folder in the environment variable SKIRMISH_PICTURES.

var _seen: Dictionary[String, Variant] = {}
var _folder := OS.get_environment("SKIRMISH_PICTURES")
var _game: Node2D
var _army: RefCounted
var _camera: Camera2D


func _initialize() -> void:
	change_scene_to_file("res://scenes/skirmish/skirmish.tscn")
	while current_scene == null or not current_scene._playing:
		await process_frame
	_game = current_scene
	_army = _game.army
	_camera = _game._stage.camera
	_game.waves._wait = 1_000_000
	_game.supplies = 900.0
	await _ticks(10)
	await _select()
	await _send()
	await _build()
	await _look()
	print("SKIRMISH %s" % JSON.stringify(_seen))
	quit()


func _select() -> void:
	var soldiers: PackedVector2Array = _army.corps[0].crowd.get_positions()
	_camera.look_at_place(soldiers[35], 2.0)
	await _ticks(3)
	await _picture("nobody")
	await _drag(MOUSE_BUTTON_LEFT, soldiers[30] - Vector2(40, 40), soldiers[30] + Vector2(40, 40), "box")
	_seen["box"] = _army.count_selected()
	await _key(KEY_5, true)
	await _click(MOUSE_BUTTON_LEFT, soldiers[30])
	_seen["click"] = _army.count_selected()
	await _click(MOUSE_BUTTON_LEFT, soldiers[30], true)
	_seen["double_click"] = [_army.selected[0].size(), _army.count_selected()]
	await _key(KEY_5, false)
	_seen["group"] = _army.count_selected()
	await _picture("selected")


func _send() -> void:
	await _key(KEY_TAB, false)
	_seen["tab"] = _army.count_selected()
	_camera.look_at_place(_army.get_middle() + Vector2(100, 0), 1.2)
	await _ticks(3)
	var before: Vector2 = _army.get_middle()
	await _click(MOUSE_BUTTON_RIGHT, before + Vector2(180, 40))
	await _ticks(120)
	_seen["went"] = _army.get_middle().x - before.x
	await _key(KEY_S, false)


func _build() -> void:
	_camera.look_at_place(Vector2(1290, 800), 1.5)
	await _ticks(3)
	await _key(KEY_T, false)
	await _move_mouse(Vector2(1290, 760))
	await _picture("tower")
	await _click(MOUSE_BUTTON_LEFT, Vector2(1290, 760))
	_seen["tower"] = _game.works.count_towers()
	await _key(KEY_W, false)
	await _drag(MOUSE_BUTTON_LEFT, Vector2(1200, 900), Vector2(1340, 960), "wall")
	_seen["wall"] = _game.works.walls.size()
	await _ticks(3)
	await _picture("built")


func _look() -> void:
	var minimap: Control = _game._stage.hud.minimap
	var place := minimap.get_global_rect().position + minimap.size * Vector2(0.9, 0.5)
	await _event(_button(MOUSE_BUTTON_LEFT, place, true))
	await _event(_button(MOUSE_BUTTON_LEFT, place, false))
	_seen["minimap"] = _camera.position.x / (176 * 16.0)
	var zoom := _camera.zoom.x
	for notch in 3:
		await _event(_button(MOUSE_BUTTON_WHEEL_UP, Vector2(640, 300), true))
	await _ticks(60)
	_seen["zoomed"] = _camera.zoom.x / zoom
	_seen["selected_before_panel"] = _army.count_selected()
	await _event(_button(MOUSE_BUTTON_LEFT, Vector2(300, 690), true))
	await _event(_button(MOUSE_BUTTON_LEFT, Vector2(300, 690), false))
	_seen["selected_after_panel"] = _army.count_selected()


func _screen(place: Vector2) -> Vector2:
	return _game.get_canvas_transform() * place


func _button(index: MouseButton, place: Vector2, is_pressed: bool) -> InputEventMouseButton:
	var event := InputEventMouseButton.new()
	event.button_index = index
	event.pressed = is_pressed
	event.position = place
	event.global_position = place
	return event


func _event(event: InputEvent) -> void:
	Input.parse_input_event(event)
	await _ticks(3)


func _click(index: MouseButton, place: Vector2, is_double := false) -> void:
	var press := _button(index, _screen(place), true)
	press.double_click = is_double
	Input.parse_input_event(press)
	await process_frame
	Input.parse_input_event(_button(index, _screen(place), false))
	await _ticks(3)


func _move_mouse(place: Vector2) -> void:
	var event := InputEventMouseMotion.new()
	event.position = _screen(place)
	event.global_position = event.position
	root.warp_mouse(event.position)
	await _event(event)


func _drag(index: MouseButton, from: Vector2, to: Vector2, name: String) -> void:
	Input.parse_input_event(_button(index, _screen(from), true))
	for step in 5:
		await _move_mouse(from.lerp(to, (step + 1) / 5.0))
	await _picture(name)
	Input.parse_input_event(_button(index, _screen(to), false))
	await _ticks(4)


func _key(code: Key, with_ctrl: bool) -> void:
	var event := InputEventKey.new()
	event.physical_keycode = code
	event.keycode = code
	event.ctrl_pressed = with_ctrl
	event.pressed = true
	await _event(event)
	event = event.duplicate()
	event.pressed = false
	await _event(event)


func _picture(name: String) -> void:
	await RenderingServer.frame_post_draw
	root.get_texture().get_image().save_png(_folder.path_join(name + ".png"))


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame
