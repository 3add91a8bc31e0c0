extends Node2D
## False lights: decoys that the player sets down. They are sources of a second type on the grid, whose arrows the bugs near them
## follow instead of flying at the lantern. One that lures bursts when it is burnt down; flipped, it keeps them off instead.

signal burst(place: Vector2)

const SHADER := preload("shaders/ward.gdshader")
const TYPE := 1  ## of its field; fireflies follow type 0
const SECONDS := 4.0
const REST_SECONDS := 7.0  ## until the next one
const REACH := 330.0  ## px in which bugs see it
const NEAR := 60.0  ## px in which they fly at itself: the arrow of its own cell points nowhere
const RADIUS := 18.0
const LURES := Color(1.0, 0.70, 0.25)
const KEEPS_OFF := Color(0.35, 1.0, 0.85)


class Lure:
	var source: Node2D
	var picture: MeshInstance2D
	var age := 0.0


var lures: Array[Lure] = []
var rest := 0.0  ## seconds until the next one can be set down

var _grid: Node2D


func settle(grid: Node2D) -> void:
	_grid = grid


## Sets one down, if the last one was long enough ago. False if not.
func place(at: Vector2) -> bool:
	if rest > 0.0:
		return false
	rest = REST_SECONDS
	var lure := Lure.new()
	lure.source = ClassDB.instantiate(&"HomingSource2D")
	lure.source.position = at
	lure.source.type = TYPE
	_grid.add_child(lure.source)
	lure.picture = MeshInstance2D.new()
	lure.picture.mesh = QuadMesh.new()
	lure.picture.mesh.size = Vector2.ONE * RADIUS * 8.0
	lure.picture.material = ShaderMaterial.new()
	lure.picture.material.shader = SHADER
	lure.picture.material.set_shader_parameter("repels", KEEPS_OFF)
	lure.picture.material.set_shader_parameter("draws", LURES)
	lure.picture.position = at
	add_child(lure.picture)
	lures.append(lure)
	return true


func flip(lure: Lure) -> void:
	lure.source.power = -lure.source.power


## Where a false light leads a bug at a place; zero where none is near.
func lead(from: Vector2) -> Vector2:
	for lure in lures:
		var distance := from.distance_to(lure.picture.position)
		if distance < NEAR:
			return from.direction_to(lure.picture.position) * signf(lure.source.power)
		if distance < REACH:
			return _grid.get_direction(from, TYPE)
	return Vector2.ZERO


func advance(delta: float) -> void:
	rest = maxf(rest - delta, 0.0)
	for lure: Lure in lures.duplicate():
		lure.age += delta
		var draws: bool = lure.source.power > 0.0
		var material: ShaderMaterial = lure.picture.material
		material.set_shader_parameter("charge", lure.age / SECONDS)
		material.set_shader_parameter("lit", 1.0 if draws else 0.0)
		material.set_shader_parameter("presence", minf(lure.age / 0.2, clampf(2.0 * (SECONDS - lure.age), 0.0, 1.0)))
		if lure.age >= SECONDS:
			lures.erase(lure)
			lure.source.queue_free()
			lure.picture.queue_free()
			if draws:
				burst.emit(lure.picture.position)
