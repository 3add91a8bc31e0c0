extends RefCounted
## Who comes when: each wave is a few swarms, each from one place beyond the edge, told of a moment before it is there.

signal began(number: int)
signal swarm_comes(place: Vector2)
signal ended  ## the last one is beaten: it is dawn

const Swarm := preload("swarm.gd")
const LAST := 5
const PAUSE_SECONDS := 2.2
const WARNING_SECONDS := 1.1
const BETWEEN_SECONDS := 1.2
const HASTE_A_WAVE := 0.17
const BEYOND := 40.0  ## px outside the court

var number := 0

var _bounds: Rect2
var _random: RandomNumberGenerator
var _wait := 1.2
var _swarms: Array[Dictionary] = []  # kinds, place, seconds until it is there


func _init(bounds: Rect2, random: RandomNumberGenerator) -> void:
	_bounds = bounds
	_random = random


## A tick. `alive`: bugs that are there.
func advance(delta: float, swarm: Swarm, alive: int) -> void:
	if _swarms.is_empty():
		if number == LAST:
			if alive == 0:
				ended.emit()
			return
		if alive > 4 + 3 * number:
			return
		_wait -= delta
		if _wait <= 0.0:
			_begin(swarm)
		return
	for coming: Dictionary in _swarms.duplicate():
		var before: float = coming.wait
		coming.wait -= delta
		if before > WARNING_SECONDS and coming.wait <= WARNING_SECONDS:
			swarm_comes.emit(coming.place.clamp(_bounds.position, _bounds.end))
		if coming.wait <= 0.0:
			_swarms.erase(coming)
			for kind: Swarm.Kind in coming.kinds:
				var around := Vector2.from_angle(_random.randf() * TAU) * _random.randf() * 90.0
				swarm.hatch(kind, coming.place + around)


func _begin(swarm: Swarm) -> void:
	number += 1
	swarm.haste = 1.0 + HASTE_A_WAVE * (number - 1)
	_wait = PAUSE_SECONDS
	var kinds: Array[Swarm.Kind] = []
	for index in 12 + 18 * number:
		kinds.append(Swarm.Kind.MOTH)
	for index in maxi(0, 9 * number - 6):
		kinds.append(Swarm.Kind.WASP)
	for index in number / 2:
		kinds.append(Swarm.Kind.WEAVER)
	var parts := 2 + (number + 1) / 2
	for index in parts:
		var share: Array[Swarm.Kind] = []
		for place in range(index, kinds.size(), parts):
			share.append(kinds[place])
		if number >= 2 and index < (number + 1) / 2:
			share.append(Swarm.Kind.BEETLE)
		_swarms.append({kinds = share, place = _edge_place(), wait = WARNING_SECONDS + 0.3 + BETWEEN_SECONDS * index})
	began.emit(number)


func _edge_place() -> Vector2:
	var size := _bounds.size
	var along := _random.randf() * 2.0 * (size.x + size.y)
	var place := Vector2(along, -BEYOND)
	if along > 2.0 * size.x + size.y:
		place = Vector2(-BEYOND, along - 2.0 * size.x - size.y)
	elif along > size.x + size.y:
		place = Vector2(along - size.x - size.y, size.y + BEYOND)
	elif along > size.x:
		place = Vector2(size.x + BEYOND, along - size.x)
	return _bounds.position + place
