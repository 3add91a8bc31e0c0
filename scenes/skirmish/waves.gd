extends RefCounted
## The foes: which wave comes when, from which camps, and that they march on the keep and turn on what they see. Eight waves; who outlasts
## the last has won.

signal wave_began(number: int)

const Kinds := preload("unit_kinds.gd")
const Corps := preload("corps.gd")
const Level := preload("level.gd")
const SHARES: Array[float] = [0.10, 0.15, 0.22, 0.32, 0.44, 0.58, 0.78, 1.0]  ## of the largest wave
const RUNNERS_FROM := 2  ## wave
const BRUTES_FROM := 3
const RUNNER_SHARE := 0.14
const BRUTE_SHARE := 0.022
const FIRST_TICKS := 900  ## until the first wave
const REST_TICKS := 1200  ## after the last foe of a wave fell
const LONGEST_TICKS := 5400  ## a wave that isn't beaten by then is joined by the next one

var number := 0
var raiders: Corps
var runners: Corps
var brutes: Corps

var _largest := 2400
var _wait := FIRST_TICKS
var _since := 0
var _map: Node
var _gate := Vector2.ZERO  ## of the keep, pixels


func muster(game: Node2D, map: Node, largest: int) -> Array[Corps]:
	_largest = largest
	_map = map
	_gate = (Vector2(Level.KEEP.end.x, Level.KEEP.get_center().y) + Vector2(0.5, 0.5)) * map.tile_size.x
	var kinds := Kinds.all()
	var made: Array[Corps] = []
	for kind: int in [Kinds.RAIDER, Kinds.RUNNER, Kinds.BRUTE]:
		var one := Corps.new()
		one.muster(game, map, kinds[kind], 1, kinds[kind].plural.capitalize())
		made.append(one)
	raiders = made[0]
	runners = made[1]
	brutes = made[2]
	return made


func advance(tick: int) -> void:
	_since += 1
	if number >= SHARES.size():
		return
	if number > 0 and count_left() == 0:
		_wait = mini(_wait, REST_TICKS)
	_wait -= 1
	if _wait <= 0:
		begin(tick)


## The next wave, now.
func begin(tick: int) -> void:
	if number >= SHARES.size():
		return
	number += 1
	_since = 0
	_wait = LONGEST_TICKS
	var count := maxi(int(_largest * SHARES[number - 1]), 1)
	var swift := int(count * RUNNER_SHARE) if number >= RUNNERS_FROM else 0
	var large := int(count * BRUTE_SHARE) if number >= BRUTES_FROM else 0
	# The first waves come by one road each, then by two, the last ones by all three.
	var camps: Array[Rect2i] = []
	for index in mini(1 + number / 3, Level.CAMPS.size()):
		camps.append(Level.CAMPS[(number + index) % Level.CAMPS.size()])
	_send(raiders, count - swift - large, camps, tick)
	_send(runners, swift, camps, tick)
	_send(brutes, large, camps, tick)
	wave_began.emit(number)


func count_left() -> int:
	return raiders.alive + runners.alive + brutes.alive


func is_beaten() -> bool:
	return number >= SHARES.size() and count_left() == 0


## Seconds until the next wave; -1 if none is to come.
func get_wait() -> float:
	return -1.0 if number >= SHARES.size() else _wait / 60.0


func _send(one: Corps, count: int, camps: Array[Rect2i], tick: int) -> void:
	if count <= 0:
		return
	for index in camps.size():
		var share := count * (index + 1) / camps.size() - count * index / camps.size()
		if share > 0:
			march(one, one.spawn_in(share, camps[index], tick))


## Sends foes to the keep; on their way they go for units and towers that they see.
func march(one: Corps, ids: PackedInt32Array) -> void:
	_map.command_attack_move(one.crowd.get_handles(ids), _gate)
