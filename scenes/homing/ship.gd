extends Node2D
## The lantern that the player steers: it glides, looses volleys of fireflies, and has some flames to lose.

signal was_hurt(left: int)

const RADIUS := 15.0
const PUSH := 2400.0  ## px/s²
const DRAG := 5.5  ## a second; the top speed is PUSH / DRAG
const MOST_FLAMES := 6
const SAFE_SECONDS := 1.3  ## after a hit
const VOLLEY_SECONDS := 0.12
const FAN := 1.1  ## radians to both sides
const MUZZLE_SPEED := 430.0
const SHADER := preload("shaders/lantern.gdshader")

var flames := 5
var velocity := Vector2.ZERO
var aim := Vector2.RIGHT
var volley := 8  ## fireflies
var safe_for := 0.0

var _wait := 0.0
var _volleys := 0
var _picture: ShaderMaterial


func _ready() -> void:
	_picture = ShaderMaterial.new()
	_picture.shader = SHADER
	var quad := MeshInstance2D.new()
	quad.mesh = QuadMesh.new()
	quad.mesh.size = Vector2.ONE * 120.0
	quad.material = _picture
	add_child(quad)


func advance(delta: float, wanted: Vector2, target: Vector2, bounds: Rect2) -> void:
	velocity += wanted.limit_length(1.0) * PUSH * delta
	velocity *= exp(-DRAG * delta)
	position += velocity * delta
	var kept := position.clamp(bounds.position + Vector2.ONE * RADIUS, bounds.end - Vector2.ONE * RADIUS)
	if kept.x != position.x:
		velocity.x = 0.0
	if kept.y != position.y:
		velocity.y = 0.0
	position = kept
	if position.distance_to(target) > 1.0:
		aim = position.direction_to(target)
	safe_for = maxf(safe_for - delta, 0.0)
	_wait -= delta


## Looses a volley if the lantern is ready. Returns how many fireflies.
func fire(missiles: Node) -> int:
	if _wait > 0.0:
		return 0
	_wait = VOLLEY_SECONDS
	_volleys += 1
	var places := PackedVector2Array()
	var speeds := PackedVector2Array()
	for index in volley:
		var share := (index + 0.5) / volley * 2.0 - 1.0
		# Every other volley leaves by the gaps of the one before.
		var angle := FAN * (share + (0.5 / volley if _volleys % 2 == 0 else -0.5 / volley))
		var way := aim.rotated(angle)
		places.append(position + way * RADIUS)
		speeds.append(way * MUZZLE_SPEED * (1.0 - 0.25 * absf(share)) + velocity * 0.4)
	missiles.shoot_many(places, speeds)
	return volley


## Takes a flame. False while it is safe from the last time.
func hurt(from: Vector2) -> bool:
	if safe_for > 0.0 or flames <= 0:
		return false
	flames -= 1
	safe_for = SAFE_SECONDS
	velocity += from.direction_to(position) * 620.0
	was_hurt.emit(flames)
	return true


func show_picture() -> void:
	_picture.set_shader_parameter("aim", aim)
	_picture.set_shader_parameter("lean", velocity / 430.0)
	_picture.set_shader_parameter("flames", float(flames) / MOST_FLAMES)
	_picture.set_shader_parameter("safe", safe_for)
