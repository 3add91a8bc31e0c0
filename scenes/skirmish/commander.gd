extends Node2D
## The player's hands: boxes, clicks, keys become commands of the game; what is being pointed at is drawn over the land.

const Army := preload("army.gd")
const Level := preload("level.gd")
const MapCamera := preload("../shared/camera.gd")
const Towers := preload("towers.gd")
const Works := preload("works.gd")

enum Mode { NONE, ATTACK, PATROL, FOLLOW, TOWER, WALL }

const DRAG := 7.0  ## screen pixels from which a press is a drag
const PICK := 12.0  ## screen pixels around the mouse in which a unit is picked
const TWICE_SECONDS := 0.32  ## between two calls of a control group
const SPACING_STEP := 1.15
const LEAST_SPACING := 2.0  ## pixels between the rims of two units
const MOST_SPACING := 40.0
const MARK_SECONDS := 0.7
const GREEN := Color(0.66, 1.0, 0.52)
const RED := Color(1.0, 0.42, 0.28)
const BLUE := Color(0.55, 0.80, 1.0)
const INK := Color(0.04, 0.06, 0.05, 0.6)

var game: Node2D
var camera: MapCamera
var mode := Mode.NONE

var is_marching := false  ## whether formations keep their places on the way

var _pixels := 16.0
var _spacing := 6.0
var _left_at := Vector2.INF  ## where the left button went down, in the map; INF: it is up
var _right_at := Vector2.INF
var _is_twice := false  ## the left button went down for the second time
var _last_group := -1
var _last_group_time := -1.0
var _marks: Array[Dictionary] = []  ## orders just given: place, colour, age


func _ready() -> void:
	_pixels = game.map.tile_size.x


func set_mode(new_mode: Mode) -> void:
	mode = Mode.NONE if mode == new_mode else new_mode
	_left_at = Vector2.INF
	queue_redraw()


## Sends who is selected to a place (pixels), with Shift after what they were told before.
func send_to(place: Vector2, what := &"move") -> void:
	if game.army.count_selected() > 0 and Rect2(Vector2.ZERO, Vector2(Level.SIZE) * _pixels).has_point(place):
		game.command(what, [place.x, place.y, Input.is_key_pressed(KEY_SHIFT)])
		_mark(place, GREEN if what == &"move" else (RED if what == &"attack" else BLUE))


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton:
		var place: Vector2 = get_canvas_transform().affine_inverse() * event.position
		match event.button_index:
			MOUSE_BUTTON_LEFT:
				_press_left(place, event) if event.pressed else _release_left(place, event)
			MOUSE_BUTTON_RIGHT:
				_press_right(place) if event.pressed else _release_right(place, event)
			MOUSE_BUTTON_WHEEL_UP, MOUSE_BUTTON_WHEEL_DOWN:
				if event.pressed and _turn_wheel(1 if event.button_index == MOUSE_BUTTON_WHEEL_UP else -1):
					get_viewport().set_input_as_handled()
	elif event is InputEventMouseMotion:
		queue_redraw()


func _press_left(place: Vector2, event: InputEventMouseButton) -> void:
	if mode in [Mode.ATTACK, Mode.PATROL]:
		send_to(place, &"attack" if mode == Mode.ATTACK else &"patrol")
		if not event.shift_pressed:
			set_mode(Mode.NONE)
		return
	if mode == Mode.FOLLOW:
		if game.army.count_selected() > 0:
			game.command(&"follow", [place.x, place.y, PICK * 1.5 / get_canvas_transform().get_scale().x, event.shift_pressed])
			_mark(place, GREEN)
		if not event.shift_pressed:
			set_mode(Mode.NONE)
		return
	if mode == Mode.TOWER:
		var tile := Vector2i((place / _pixels).floor())
		game.command(&"tower", [tile.x, tile.y])
		if not event.shift_pressed:
			set_mode(Mode.NONE)
		return
	_left_at = place
	_is_twice = event.double_click
	queue_redraw()


func _release_left(place: Vector2, event: InputEventMouseButton) -> void:
	if not _left_at.is_finite():
		return
	var from := _left_at
	_left_at = Vector2.INF
	queue_redraw()
	if mode == Mode.WALL:
		var start := Vector2i((from / _pixels).floor())
		var end := Vector2i((place / _pixels).floor())
		game.command(&"wall", [start.x, start.y, end.x, end.y])
		if not event.shift_pressed:
			set_mode(Mode.NONE)
		return
	var zoom := get_canvas_transform().get_scale().x
	if from.distance_to(place) * zoom >= DRAG:
		var area := Rect2(from, Vector2.ZERO).expand(place)
		game.command(&"box", [area.position.x, area.position.y, area.size.x, area.size.y, event.shift_pressed])
		return
	var view := get_viewport_rect().size / zoom
	var corner := get_canvas_transform().affine_inverse() * Vector2.ZERO
	game.command(&"pick", [place.x, place.y, PICK / zoom, event.shift_pressed, _is_twice, corner.x, corner.y, view.x, view.y])


func _press_right(place: Vector2) -> void:
	if mode != Mode.NONE:
		set_mode(mode)
		return
	_right_at = place


# A click sends, a drag draws up a formation.
func _release_right(place: Vector2, _event: InputEventMouseButton) -> void:
	if not _right_at.is_finite():
		return
	var from := _right_at
	_right_at = Vector2.INF
	queue_redraw()
	if game.army.can_form() and from.distance_to(place) * get_canvas_transform().get_scale().x >= DRAG and game.army.count_selected() > 0:
		game.command(&"form", [from.x, from.y, place.x, place.y, _spacing, is_marching])
	else:
		send_to(from)


# While a formation is drawn the wheel sets how far apart its units stand.
func _turn_wheel(steps: int) -> bool:
	if not _right_at.is_finite() or not game.army.can_form():
		return false
	_spacing = clampf(_spacing * pow(SPACING_STEP, steps), LEAST_SPACING, MOST_SPACING)
	queue_redraw()
	return true


func _unhandled_key_input(event: InputEvent) -> void:
	var key := event as InputEventKey
	if not key.pressed or key.is_echo():
		return
	var code := key.physical_keycode
	if code >= KEY_0 and code <= KEY_9:
		_press_number(code - KEY_0, key)
		return
	match code:
		KEY_ESCAPE:
			if mode != Mode.NONE:
				set_mode(mode)
			else:
				get_tree().quit()
		KEY_SPACE:
			get_tree().paused = not get_tree().paused
		KEY_MINUS, KEY_KP_SUBTRACT:
			game.set_speed(game.speed - 1)
		KEY_EQUAL, KEY_PLUS, KEY_KP_ADD:
			game.set_speed(game.speed + 1)
		KEY_S:
			game.command(&"stop", [])
		KEY_H:
			game.command(&"hold", [])
		KEY_A, KEY_P, KEY_F:
			if game.army.count_selected() > 0:
				set_mode({KEY_A: Mode.ATTACK, KEY_P: Mode.PATROL, KEY_F: Mode.FOLLOW}[code])
		KEY_M:
			is_marching = not is_marching
		KEY_T:
			set_mode(Mode.TOWER)
		KEY_W:
			set_mode(Mode.WALL)
		KEY_F1, KEY_F2, KEY_F3, KEY_F4:
			game.command(&"recruit", [code - KEY_F1])
		KEY_TAB:
			game.command(&"all", [])
		KEY_C:
			camera.look_at_place((Vector2(Level.KEEP.get_center()) + Vector2.ONE * 0.5) * _pixels, camera.zoom.x)
		KEY_N:
			game.command(&"wave", [])
		KEY_R:
			if game.is_over or key.ctrl_pressed:
				game.restart()
		KEY_F11:
			var full := get_window().mode == Window.MODE_FULLSCREEN
			get_window().mode = Window.MODE_WINDOWED if full else Window.MODE_FULLSCREEN
		_:
			return
	get_viewport().set_input_as_handled()


# A control group: kept with Ctrl, called without; called twice the camera goes there.
func _press_number(number: int, key: InputEventKey) -> void:
	get_viewport().set_input_as_handled()
	if key.ctrl_pressed:
		game.command(&"keep_group", [number])
		return
	game.command(&"call_group", [number, key.shift_pressed])
	var now := Time.get_ticks_msec() / 1000.0
	if number == _last_group and now - _last_group_time < TWICE_SECONDS and game.army.count_selected() > 0:
		camera.look_at_place(game.army.get_middle(), camera.zoom.x)
	_last_group = number
	_last_group_time = now


func _mark(place: Vector2, color: Color) -> void:
	_marks.append({"place": place, "color": color, "age": 0.0})


func _process(delta: float) -> void:
	var is_busy := mode != Mode.NONE or _left_at.is_finite() or _right_at.is_finite() or not _marks.is_empty()
	for mark in _marks:
		mark.age += delta / maxf(Engine.time_scale, 0.01)
	_marks = _marks.filter(func(mark: Dictionary) -> bool: return mark.age < MARK_SECONDS)
	if is_busy:
		queue_redraw()


func _draw() -> void:
	var zoom := get_canvas_transform().get_scale().x
	var mouse := get_global_mouse_position()
	for mark in _marks:
		_draw_mark(mark.place, mark.color, mark.age / MARK_SECONDS, zoom)
	if mode in [Mode.ATTACK, Mode.PATROL, Mode.FOLLOW]:
		_draw_aim(mouse, {Mode.ATTACK: RED, Mode.PATROL: BLUE, Mode.FOLLOW: GREEN}[mode], zoom)
	elif mode == Mode.TOWER:
		_draw_tower(Vector2i((mouse / _pixels).floor()), zoom)
	elif mode == Mode.WALL:
		_draw_wall(Vector2i(((_left_at if _left_at.is_finite() else mouse) / _pixels).floor()), Vector2i((mouse / _pixels).floor()))
	elif _right_at.is_finite():
		_draw_formation(mouse, zoom)
	elif _left_at.is_finite() and _left_at.distance_to(mouse) * zoom >= DRAG:
		var area := Rect2(_left_at, Vector2.ZERO).expand(mouse)
		draw_rect(area, Color(GREEN, 0.12))
		draw_rect(area.grow(1.0 / zoom), INK, false, 3.0 / zoom)
		draw_rect(area, Color(GREEN, 0.95), false, 1.4 / zoom)


# Four arrow heads that close in on the place.
func _draw_mark(place: Vector2, color: Color, age: float, zoom: float) -> void:
	var away := (26.0 - 16.0 * minf(age * 2.0, 1.0)) / zoom
	var fade := 1.0 - smoothstep(0.55, 1.0, age)
	for quarter in 4:
		var out := Vector2.from_angle(quarter * TAU / 4.0 + TAU / 8.0) * Vector2(1.0, 0.7)
		var side := out.orthogonal() * 5.0 / zoom
		var tip := place + out * away
		var shape := PackedVector2Array([tip, tip + out * 11.0 / zoom + side, tip + out * 11.0 / zoom - side])
		draw_colored_polygon(shape, Color(color, fade))
	draw_set_transform(place, 0.0, Vector2(1.0, 0.65))
	draw_arc(Vector2.ZERO, 6.0 / zoom, 0.0, TAU, 24, Color(color, fade * 0.8), 1.6 / zoom, true)
	draw_set_transform(Vector2.ZERO)


func _draw_aim(place: Vector2, color: Color, zoom: float) -> void:
	for ink: Color in [INK, color]:
		var wide := (4.2 if ink == INK else 2.0) / zoom
		draw_arc(place, 13.0 / zoom, 0.0, TAU, 32, ink, wide, true)
		for quarter in 4:
			var out := Vector2.from_angle(quarter * TAU / 4.0)
			draw_line(place + out * 8.0 / zoom, place + out * 19.0 / zoom, ink, wide, true)


# The slots of who is selected, and where they will look: to the left of the drag.
func _draw_formation(mouse: Vector2, zoom: float) -> void:
	if not game.army.can_form() or _right_at.distance_to(mouse) * zoom < DRAG or game.army.count_selected() == 0:
		return
	var slots: PackedVector2Array = game.army.preview(_right_at, mouse, _spacing)
	var radii: PackedFloat32Array = game.army.slot_radii(slots.size())
	for index in slots.size():
		var radius: float = radii[index]
		draw_set_transform(slots[index], 0.0, Vector2(1.0, 0.66))
		draw_circle(Vector2.ZERO, radius, Color(GREEN, 0.20))
		draw_arc(Vector2.ZERO, radius, 0.0, TAU, 16, Color(GREEN, 0.9), 1.3 / zoom, true)
	draw_set_transform(Vector2.ZERO)
	var along := _right_at.direction_to(mouse)
	var ahead := Vector2(along.y, -along.x)
	var middle := (_right_at + mouse) / 2.0 + ahead * 16.0
	draw_line(_right_at, mouse, Color(GREEN, 0.75), 1.6 / zoom, true)
	draw_line(middle, middle + ahead * 22.0, Color(GREEN, 0.95), 2.4 / zoom, true)
	var tip := middle + ahead * 34.0
	draw_colored_polygon(PackedVector2Array([tip, tip - ahead * 13.0 + along * 8.0, tip - ahead * 13.0 - along * 8.0]), Color(GREEN, 0.95))


func _draw_tower(tile: Vector2i, zoom: float) -> void:
	var rect := Works.tower_rect(tile)
	var is_fine: bool = game.works.can_stand(rect) and game.supplies >= Works.PRICE[Works.TOWER]
	var area := Rect2(Vector2(rect.position) * _pixels, Vector2(rect.size) * _pixels)
	var color := GREEN if is_fine else RED
	draw_arc(area.get_center(), Works.TOWER_REACH, 0.0, TAU, 96, Color(color, 0.35), 1.5 / zoom, true)
	draw_circle(area.get_center(), Works.TOWER_REACH, Color(color, 0.04))
	draw_rect(area, Color(color, 0.22))
	draw_rect(area, color, false, 1.5 / zoom)
	Towers.draw_tower(self, area, Color(1.0, 1.0, 1.0, 0.75) if is_fine else Color(1.0, 0.5, 0.45, 0.65))


func _draw_wall(from: Vector2i, to: Vector2i) -> void:
	var left := int(game.supplies / Works.PRICE[Works.WALL])
	var tiles := Works.wall_tiles(from, to)
	var free: Array[Vector2i] = game.works.free_tiles(tiles)
	for tile in tiles:
		var at := free.find(tile)
		var color := GREEN if at >= 0 and at < left else RED
		var area := Rect2(Vector2(tile) * _pixels, Vector2.ONE * _pixels)
		draw_rect(area, Color(color, 0.38))
		for side: Vector2i in [Vector2i.LEFT, Vector2i.RIGHT, Vector2i.UP, Vector2i.DOWN]:  # a rim around the whole
			if not tiles.has(tile + side):
				var middle := area.get_center() + Vector2(side) * _pixels / 2.0
				var along := Vector2(side.y, side.x) * _pixels / 2.0
				draw_line(middle - along, middle + along, Color(color, 0.95), 1.6)
