extends Camera2D
## Pans with WASD, arrows, the middle button and the window's edges; zooms to the cursor with the wheel; all eased.

const PAN_SPEED := 900.0  ## screen pixels a second
const EDGE := 6.0  ## pixels at the window's edge that pan
const WHEEL_STEP := 1.18
const ZOOM_EASE := 12.0  ## a second
const PAN_EASE := 9.0

var bounds := Rect2(0, 0, 16384, 16384)  ## world pixels
var smallest_zoom := 0.04
var largest_zoom := 4.5
var has_letters := true  ## whether WASD pans; a game may need the letters

var _wanted_zoom := 1.0
var _anchor := Vector2.ZERO  ## screen place that keeps its world point while zooming
var _velocity := Vector2.ZERO  ## screen pixels a second
var _dragging := false
var _mouse_seen := false


## Looks at `place` (world pixels) at once.
func look_at_place(place: Vector2, new_zoom: float) -> void:
	_wanted_zoom = clampf(new_zoom, smallest_zoom, largest_zoom)
	zoom = Vector2.ONE * _wanted_zoom
	position = place
	_velocity = Vector2.ZERO
	_keep_inside()
	force_update_scroll()


## Zooms smoothly to `new_zoom` around the middle of the window.
func ease_to(new_zoom: float) -> void:
	_anchor = get_viewport_rect().size / 2.0
	_wanted_zoom = clampf(new_zoom, smallest_zoom, largest_zoom)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton:
		match event.button_index:
			MOUSE_BUTTON_WHEEL_UP:
				_zoom_by(WHEEL_STEP, event)
			MOUSE_BUTTON_WHEEL_DOWN:
				_zoom_by(1.0 / WHEEL_STEP, event)
			MOUSE_BUTTON_MIDDLE:
				_dragging = event.pressed
	elif event is InputEventMouseMotion:
		_mouse_seen = true
		if _dragging:
			position -= event.relative / zoom.x
			_velocity = Vector2.ZERO
			_keep_inside()
	elif event is InputEventMagnifyGesture:
		_anchor = event.position
		_wanted_zoom = clampf(_wanted_zoom * event.factor, smallest_zoom, largest_zoom)


func _process(game_delta: float) -> void:
	# Real time, not game time: the camera moves as fast while the game is slowed.
	var delta := minf(game_delta / maxf(Engine.time_scale, 0.01), 0.1)
	var wanted := _wanted_direction() * PAN_SPEED
	_velocity = _velocity.lerp(wanted, 1.0 - exp(-PAN_EASE * delta))
	if _velocity.length_squared() > 1.0:
		position += _velocity * delta / zoom.x
	if not is_equal_approx(zoom.x, _wanted_zoom):
		var before := zoom.x
		var after := before * pow(_wanted_zoom / before, 1.0 - exp(-ZOOM_EASE * delta))
		if absf(after / _wanted_zoom - 1.0) < 0.001:
			after = _wanted_zoom
		var from_middle := _anchor - get_viewport_rect().size / 2.0
		position += from_middle * (1.0 / before - 1.0 / after)
		zoom = Vector2.ONE * after
	_keep_inside()


func _wanted_direction() -> Vector2:
	var direction := Vector2.ZERO
	if _is_letter(KEY_A) or Input.is_physical_key_pressed(KEY_LEFT):
		direction.x -= 1.0
	if _is_letter(KEY_D) or Input.is_physical_key_pressed(KEY_RIGHT):
		direction.x += 1.0
	if _is_letter(KEY_W) or Input.is_physical_key_pressed(KEY_UP):
		direction.y -= 1.0
	if _is_letter(KEY_S) or Input.is_physical_key_pressed(KEY_DOWN):
		direction.y += 1.0
	# The edges count only once the mouse has been seen moving inside a window that has the focus.
	if direction == Vector2.ZERO and _mouse_seen and not _dragging and get_window().has_focus():
		var mouse := get_viewport().get_mouse_position()
		var view := get_viewport_rect().size
		if Rect2(Vector2.ZERO, view).has_point(mouse):
			direction.x = float(mouse.x > view.x - EDGE) - float(mouse.x < EDGE)
			direction.y = float(mouse.y > view.y - EDGE) - float(mouse.y < EDGE)
	return direction.limit_length(1.0)


func _is_letter(key: Key) -> bool:
	return has_letters and Input.is_physical_key_pressed(key)


func _zoom_by(factor: float, event: InputEventMouseButton) -> void:
	if event.pressed:
		_anchor = event.position
		_wanted_zoom = clampf(_wanted_zoom * factor, smallest_zoom, largest_zoom)


func _keep_inside() -> void:
	position = position.clamp(bounds.position, bounds.end)
