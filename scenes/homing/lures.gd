extends Node2D
## False lights: decoys that the player sets down. They are sources of a second type on the grid, whose arrows the bugs near them
## follow instead of flying at the lantern. One that lures bursts when it is burnt down; flipped, it keeps them off instead.

signal burst(place: Vector2)

const Mark := preload("mark.gd")
const TYPE := 1  ## of its field; fireflies follow type 0
const SECONDS := 4.0
const REST_SECONDS := 7.0  ## until the next one
const REACH := 330.0  ## px in which bugs see it
const NEAR := 60.0  ## px in which they fly at itself: the arrow of its own cell points nowhere
const RADIUS := 18.0
const LURES := Color(1.0, 0.70, 0.25)
const KEEPS_OFF := Color(0.35, 1.0, 0.85)


var lures: Array[Mark] = []
var rest := 0.0  ## seconds until the next one can be set down

var _grid: Node2D


func settle(grid: Node2D) -> void:
	_grid = grid


## Sets one down, if the last one was long enough ago. False if not.
func place(at: Vector2) -> bool:
	if rest > 0.0:
		return false
	rest = REST_SECONDS
	var lure := Mark.new(_grid, self, at, RADIUS * 8.0)
	lure.source.type = TYPE
	lure.picture.material.set_shader_parameter("repels", KEEPS_OFF)
	lure.picture.material.set_shader_parameter("draws", LURES)
	lures.append(lure)
	return true


func flip(lure: Mark) -> void:
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
	for lure: Mark in lures.duplicate():
		lure.age += delta
		var draws: bool = lure.source.power > 0.0
		lure.show_state(lure.age / SECONDS, draws, minf(lure.age / 0.2, clampf(2.0 * (SECONDS - lure.age), 0.0, 1.0)))
		if lure.age >= SECONDS:
			lures.erase(lure)
			lure.free_nodes()
			if draws:
				burst.emit(lure.picture.position)
