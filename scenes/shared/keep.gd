extends Node2D
## The keep: its picture, its shadow, smoke and fire as its strength goes down, and a shake when the gate is rammed.

const Smoke := preload("smoke.gd")
const PICTURE := preload("art/keep.svg")
const LEAST_SCREEN := 44.0  ## pixels; from far away the keep is drawn larger than it is
const FOOT := 0.94  ## where in the picture's height its front stands

var tiles_wide := 18.0  ## the picture covers so many tiles
var tile_pixels := 16.0

var _sprite: Sprite2D
var _smoke: Array[CPUParticles2D] = []
var _strength := 1.0
var _shake := 0.0
var _home := Vector2.ZERO


## `centre` is the middle of its ground, in tiles, `wide` the side of that ground.
func place(centre: Vector2, wide: float, pixels: float) -> void:
	tile_pixels = pixels
	tiles_wide = wide * 1.06
	position = centre * pixels
	_sprite = Sprite2D.new()
	_sprite.texture = PICTURE
	_sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	_sprite.scale = Vector2.ONE * tiles_wide * pixels / PICTURE.get_width()
	var height := tiles_wide * PICTURE.get_height() / PICTURE.get_width()
	_sprite.position.y = (wide / 2.0 + 0.3 - (FOOT - 0.5) * height) * pixels
	_home = _sprite.position
	add_child(_sprite)
	for index in 4:
		_smoke.append(Smoke.make(Vector2([-3.6, 3.4, 0.6, -1.8][index], [1.2, -2.6, -4.2, -1.0][index]) * pixels * wide / 14.0))
		add_child(_smoke[index])


## 1 is unharmed, 0 is lost.
func set_strength(strength: float) -> void:
	if strength < _strength - 0.0005:
		_shake = minf(_shake + 0.35, 1.0)
	_strength = strength
	for index in _smoke.size():
		_smoke[index].emitting = strength < 0.85 - 0.2 * index
	modulate = Color.WHITE.lerp(Color(0.62, 0.55, 0.52), 1.0 - smoothstep(0.0, 0.7, strength))


func _process(delta: float) -> void:
	var zoom := get_canvas_transform().get_scale().x
	scale = Vector2.ONE * maxf(1.0, LEAST_SCREEN / (tiles_wide * tile_pixels * zoom))
	if _shake > 0.0:
		_shake = maxf(_shake - delta * 2.0, 0.0)
		var now := Time.get_ticks_msec() / 1000.0
		_sprite.position = _home + Vector2(sin(now * 71.0), cos(now * 57.0)) * _shake * tile_pixels * 0.05


func _draw() -> void:
	# A soft shadow to the south-east.
	var side := tiles_wide * tile_pixels
	for ring in 5:
		var grow := (ring - 2) * side * 0.02
		var shape := PackedVector2Array()
		for corner: Vector2 in [Vector2(-0.46, 0.2), Vector2(-0.44, 0.50), Vector2(0.52, 0.55), Vector2(0.66, 0.46), Vector2(0.66, -0.10), Vector2(0.46, -0.24)]:
			shape.append(corner * side + corner.normalized() * grow)
		draw_colored_polygon(shape, Color(0.04, 0.06, 0.09, 0.10))
