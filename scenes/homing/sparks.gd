extends MultiMeshInstance2D
## Sparks, rings and flashes by the thousand: written once when they begin, moved by the shader. The oldest make room.

enum Shape { SPARK, RING, FLASH }

const SHADER := preload("shaders/sparks.gdshader")
const MOST := 3072

var _next := 0
var _now := 0.0


func _ready() -> void:
	multimesh = MultiMesh.new()
	multimesh.use_custom_data = true
	multimesh.use_colors = true
	multimesh.mesh = QuadMesh.new()
	multimesh.instance_count = MOST
	multimesh.custom_aabb = AABB(Vector3(-4000, -4000, -1), Vector3(10000, 10000, 2))
	material = ShaderMaterial.new()
	material.shader = SHADER
	for index in MOST:
		multimesh.set_instance_custom_data(index, Color(0, 0, -100, 1))


func advance(delta: float) -> void:
	_now += delta
	material.set_shader_parameter("now", _now)


func spark(place: Vector2, velocity: Vector2, color: Color, size: float, seconds: float) -> void:
	_add(Shape.SPARK, place, velocity, color, size, seconds)


func ring(place: Vector2, color: Color, size: float, seconds: float) -> void:
	_add(Shape.RING, place, Vector2.ZERO, color, size, seconds)


func flash(place: Vector2, color: Color, size: float, seconds: float) -> void:
	_add(Shape.FLASH, place, Vector2.ZERO, color, size, seconds)


## Sparks to all sides, a flash, a ring.
func explode(place: Vector2, color: Color, size: float, count: int) -> void:
	for index in count:
		var way := Vector2.from_angle(randf() * TAU)
		var speed := size * randf_range(1.2, 6.5)
		var tint := color.lerp(Color(1.0, 0.93, 0.75), randf() * 0.6)
		spark(place + way * size * 0.2, way * speed, tint, randf_range(9.0, 19.0), randf_range(0.4, 1.0))
	flash(place, color.lerp(Color.WHITE, 0.5), size * 5.5, 0.32)
	ring(place, color, size * 5.0, 0.5)


func _add(shape: Shape, place: Vector2, velocity: Vector2, color: Color, size: float, seconds: float) -> void:
	multimesh.set_instance_transform_2d(_next, Transform2D(0.0, Vector2.ONE * size, 0.0, place))
	multimesh.set_instance_color(_next, Color(color.r, color.g, color.b, shape * 0.5))
	multimesh.set_instance_custom_data(_next, Color(velocity.x, velocity.y, _now, seconds))
	_next = (_next + 1) % MOST
