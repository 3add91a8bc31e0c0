extends Sprite2D
## Trails of all fireflies: a picture of half the size that is never wiped, only dimmed, into which each frame draws where they are.

const FADE := preload("shaders/trail_fade.gdshader")
const FIREFLY := preload("shaders/firefly.gdshader")
const LOOK := preload("shaders/trail_look.gdshader")
const SCALE := 0.5

var _viewport := SubViewport.new()
var _fade := ShaderMaterial.new()


func follow(fireflies: MultiMesh, bounds: Rect2) -> void:
	centered = false
	position = bounds.position
	scale = Vector2.ONE / SCALE
	_viewport.size = Vector2i(bounds.size * SCALE)
	_viewport.disable_3d = true
	_viewport.render_target_clear_mode = SubViewport.CLEAR_MODE_NEVER
	_viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	add_child(_viewport)
	var place := Node2D.new()
	place.transform = Transform2D(0.0, Vector2.ONE * SCALE, 0.0, -bounds.position * SCALE)
	_viewport.add_child(place)
	var veil := ColorRect.new()
	veil.position = bounds.position
	veil.size = bounds.size
	_fade.shader = FADE
	veil.material = _fade
	place.add_child(veil)
	var dots := MultiMeshInstance2D.new()
	dots.multimesh = fireflies
	dots.material = ShaderMaterial.new()
	dots.material.shader = FIREFLY
	dots.material.set_shader_parameter("is_trail", true)
	place.add_child(dots)
	texture = _viewport.get_texture()
	material = ShaderMaterial.new()
	material.shader = LOOK


func show_picture(delta: float) -> void:
	_viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS if delta > 0.0 else SubViewport.UPDATE_DISABLED
	_fade.set_shader_parameter("keep", exp(-4.2 * delta))
