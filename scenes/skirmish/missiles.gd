extends MultiMeshInstance2D
## Arrows and stones in flight, and the dust of those that landed: one write each when it begins, the shader flies them.

const SHADER := preload("shaders/missiles.gdshader")
const SLOTS := 768
const DUST_TICKS := 44

var _slot := 0


func _ready() -> void:
	var quad := QuadMesh.new()
	quad.size = Vector2.ONE
	multimesh = MultiMesh.new()
	multimesh.use_colors = true
	multimesh.use_custom_data = true
	multimesh.mesh = quad
	multimesh.instance_count = SLOTS
	for slot in SLOTS:
		multimesh.set_instance_custom_data(slot, Color(-1.0e6, 1.0, 0.0, 0.0))
	material = ShaderMaterial.new()
	(material as ShaderMaterial).shader = SHADER


func loose(from: Vector2, to: Vector2, tick: int, ticks: int, is_stone: bool) -> void:
	_begin(from, Color(tick, ticks, to.x - from.x, to.y - from.y), 0.5 if is_stone else 0.0)


func burst(place: Vector2, radius: float, tick: int) -> void:
	_begin(place, Color(tick, DUST_TICKS, radius, 0.0), 1.0)


func show_time(tick: float) -> void:
	(material as ShaderMaterial).set_shader_parameter(&"now", tick)


func _begin(place: Vector2, custom: Color, kind: float) -> void:
	multimesh.set_instance_transform_2d(_slot, Transform2D(0.0, place))
	multimesh.set_instance_custom_data(_slot, custom)
	multimesh.set_instance_color(_slot, Color(kind, 0.0, 0.0))
	_slot = (_slot + 1) % SLOTS
