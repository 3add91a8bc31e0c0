extends MultiMeshInstance2D
## Who fell of one corps: lies there for a while.

const SHADER := preload("shaders/fallen.gdshader")
const Corps := preload("corps.gd")
const SLOTS := 400

var _slot := 0


func lay_out(corps: Corps, tile_pixels: float) -> void:
	var quad := QuadMesh.new()
	quad.size = Vector2.ONE
	multimesh = MultiMesh.new()
	multimesh.use_custom_data = true
	multimesh.mesh = quad
	multimesh.instance_count = SLOTS
	for slot in SLOTS:
		multimesh.set_instance_custom_data(slot, Color(-1.0e6, 0.0, 0.0))
	var look := ShaderMaterial.new()
	look.shader = SHADER
	look.set_shader_parameter(&"sheet", corps.kind.sheet)
	look.set_shader_parameter(&"columns", float(corps.kind.columns))
	look.set_shader_parameter(&"figure", corps.kind.figure_tiles * tile_pixels)
	look.set_shader_parameter(&"is_friend", corps.team == 0)
	look.set_shader_parameter(&"is_engine", corps.kind.title == "catapult")
	material = look


func add(place: Vector2, id: int, tick: int) -> void:
	multimesh.set_instance_transform_2d(_slot, Transform2D(0.0, place))
	multimesh.set_instance_custom_data(_slot, Color(tick, fposmod(id * 0.6180339, 1.0), (id * 5) % 8))
	_slot = (_slot + 1) % SLOTS


func show_time(tick: float) -> void:
	(material as ShaderMaterial).set_shader_parameter(&"now", tick)
