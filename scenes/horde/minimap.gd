extends ColorRect
## The whole map in a corner of the screen. A click there moves the camera.

signal picked(place: Vector2)  ## 0..1 on both axes

const SHADER := preload("shaders/minimap.gdshader")
const CELLS := 192

var _next: Image
var _texture: ImageTexture
var _dragging := false


func show_land(land: Node2D, keep: Vector2) -> void:
	_next = Image.create_empty(CELLS, CELLS, false, Image.FORMAT_R8)
	_texture = ImageTexture.create_from_image(_next)
	var made := ShaderMaterial.new()
	made.shader = SHADER
	made.set_shader_parameter(&"natural", land.natural_texture)
	made.set_shader_parameter(&"walls", land.wall_texture)
	made.set_shader_parameter(&"crowd", _texture)
	made.set_shader_parameter(&"keep", keep)
	made.set_shader_parameter(&"pixels", custom_minimum_size)
	material = made


## Somebody is here (0..1 on both axes).
func mark(place: Vector2) -> void:
	var cell := Vector2i(place * CELLS).clampi(0, CELLS - 1)
	var value := _next.get_pixelv(cell).r
	_next.set_pixelv(cell, Color(minf(value + 0.30, 1.0), 0.0, 0.0))


## Shows the marks and starts with an empty map.
func show_marks() -> void:
	_texture.update(_next)
	_next.fill(Color.BLACK)


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
	elif event is InputEventMouseMotion and _dragging:
		picked.emit(event.position / size)
