extends Node2D
## The well in the middle of the court. Fireflies that come too near are caught and held; the player looses them all at once.

const SHADER := preload("shaders/well.gdshader")
const REACH := 135.0
const MOUTH := 30.0
const PULL := 1500.0
const REST_SECONDS := 2.5
const LOOSE_SPEED := 540.0
const FULL := 120.0  ## held fireflies at which it is brightest
const MOST := 240
const LEAST := 8

var source: Node2D
var held := 0

var _picture: MeshInstance2D
var _rest := 0.0
var _fill := 0.0
var _kept: Node2D


## `kept`: HomingProjectiles2D without an end of life, for what it holds.
func settle(grid: Node2D, kept: Node2D) -> void:
	_kept = kept
	source = ClassDB.instantiate(&"HomingSource2D")
	source.power = 0.0
	source.hit_radius = 0.0
	source.reach = REACH
	source.well_radius = MOUTH
	source.well_pull = PULL
	source.position = position
	grid.add_child(source)


func _ready() -> void:
	_picture = MeshInstance2D.new()
	_picture.mesh = QuadMesh.new()
	_picture.mesh.size = Vector2.ONE * REACH * 2.4
	_picture.material = ShaderMaterial.new()
	_picture.material.shader = SHADER
	add_child(_picture)


## Takes fireflies that it has just caught out of `missiles`, to keep them for good.
func take(projectiles: PackedInt64Array, missiles: Node) -> void:
	for index in mini(missiles.remove(projectiles), MOST - held):
		var way := Vector2.from_angle(index * 2.4)
		_kept.shoot(position + way * MOUTH * 0.8, way.orthogonal() * 200.0)
		held += 1


func is_open() -> bool:
	return _rest <= 0.0


func is_ready() -> bool:
	return held >= LEAST and is_open()


## Looses all that it holds as a ring that flies apart. Returns how many.
func loose(missiles: Node) -> int:
	if not is_ready():
		return 0
	var there := held
	_kept.clear()
	held = 0
	var places := PackedVector2Array()
	var speeds := PackedVector2Array()
	for index in there:
		var way := Vector2.from_angle(TAU * index / there)
		places.append(position + way * (REACH if index % 2 == 0 else REACH * 0.8))
		speeds.append(way * LOOSE_SPEED)
	missiles.shoot_many(places, speeds)
	_rest = REST_SECONDS
	source.disabled = true
	return there


func advance(delta: float) -> void:
	if _rest > 0.0:
		_rest -= delta
		if _rest <= 0.0:
			source.disabled = false
	_fill = lerpf(_fill, minf(held / FULL, 1.0), minf(4.0 * delta, 1.0))
	var material: ShaderMaterial = _picture.material
	material.set_shader_parameter("fill", _fill)
	material.set_shader_parameter("rest", clampf(_rest / REST_SECONDS, 0.0, 1.0))
