extends ColorRect
## The whole map in a corner of the screen. A click there moves the camera.

signal picked(place: Vector2)  ## 0..1 on both axes
signal sent(place: Vector2)  ## the right button, likewise

const SHADER := preload("shaders/minimap.gdshader")
const CELLS := 192
const MOST_PLACES := 8
const VILLAGE := 1.0  ## kinds of places, as the shader knows them
const RUIN := 2.0
const MILITIA := 3.0

var _next := PackedByteArray()  ## two a cell: foes, friends
var _texture: ImageTexture
var _dragging := false


func show_land(land: Node2D, keep: Vector2) -> void:
	_next.resize(CELLS * CELLS * 2)
	_texture = ImageTexture.create_from_image(_picture())
	var made := ShaderMaterial.new()
	made.shader = SHADER
	made.set_shader_parameter(&"natural", land.natural_texture)
	made.set_shader_parameter(&"walls", land.wall_texture)
	made.set_shader_parameter(&"crowd", _texture)
	made.set_shader_parameter(&"keep", keep)
	made.set_shader_parameter(&"pixels", custom_minimum_size)
	material = made


## Somebody is here (0..1 on both axes).
func mark(place: Vector2, is_friend := false) -> void:
	var cell := clampi(int(place.y * CELLS), 0, CELLS - 1) * CELLS + clampi(int(place.x * CELLS), 0, CELLS - 1)
	var byte := cell * 2 + int(is_friend)
	_next[byte] = mini(_next[byte] + 77, 255)


## Shows the marks and starts with an empty map.
func show_marks() -> void:
	_texture.update(_picture())
	_next.fill(0)


func _picture() -> Image:
	return Image.create_from_data(CELLS, CELLS, false, Image.FORMAT_RG8, _next)


## Marks places: 0..1 on both axes, and the kind.
func show_places(places: Array[Vector3]) -> void:
	if material != null:
		var padded := PackedVector3Array(places)
		padded.resize(MOST_PLACES)
		(material as ShaderMaterial).set_shader_parameter(&"places", padded)


func show_frame(frame: Rect2) -> void:
	if material != null:
		(material as ShaderMaterial).set_shader_parameter(
			&"frame", Vector4(frame.position.x, frame.position.y, frame.end.x, frame.end.y)
		)


func _gui_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_LEFT:
		_dragging = event.pressed
		accept_event()
		if event.pressed:
			picked.emit(event.position / size)
	elif event is InputEventMouseButton and event.button_index == MOUSE_BUTTON_RIGHT:
		accept_event()
		if event.pressed:
			sent.emit(event.position / size)
	elif event is InputEventMouseMotion and _dragging:
		picked.emit(event.position / size)
