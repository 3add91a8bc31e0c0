extends RefCounted
## The rules of the game: waves march on the keep, whoever reaches the gate weakens it, masons repair it all the time. Walls win time: the
## longer the way, the thinner the stream, and a thin stream is repaired away. Villages that stand cut stones for more walls.
##
## Nothing here is drawn, and nothing reads a clock: game time and arrivals come in, numbers go out.

signal wave_began(number: int)
signal keep_fell(wave: int)

const STRENGTH := 40000.0  ## arrivals that the gate stands
const REPAIR_PER_SECOND := 120.0
const STONES_AT_START := 600
const STONES_PER_SECOND := 2.5
const STONES_OF_A_VILLAGE := 0.5  ## a second, while it stands
const MOST_STONES := 2500
const REST_SECONDS := 12.0  ## between the last arrival of a wave and the next wave

var wave := 1
var strength := STRENGTH
var reached := 0  ## units that ever reached the gate
var fallen := false
var stones_due := 0.0

var _rest := 0.0


func share() -> float:
	return clampf(strength / STRENGTH, 0.0, 1.0)


## `arrived` units reached the gate during `delta` seconds; `left` are still on their way; so many `villages` stand.
func advance(delta: float, arrived: int, left: int, villages: int) -> void:
	reached += arrived
	if fallen:
		return
	strength = minf(strength - arrived + REPAIR_PER_SECOND * delta, STRENGTH)
	stones_due += (STONES_PER_SECOND + STONES_OF_A_VILLAGE * villages) * delta
	if strength <= 0.0:
		strength = 0.0
		fallen = true
		keep_fell.emit(wave)
	elif left == 0:
		_rest += delta
		if _rest >= REST_SECONDS:
			_rest = 0.0
			wave += 1
			wave_began.emit(wave)


## Whole stones that the masons have cut since the last call.
func take_stones() -> int:
	var whole := int(stones_due)
	stones_due -= whole
	return whole


func sentence(horde_is_sealed_off: bool) -> String:
	if fallen:
		return "the keep has fallen in wave %d: %s reached the gate" % [wave, _grouped(reached)]
	if horde_is_sealed_off:
		return "no way is left: the horde waits before your walls"
	if reached == 0:
		return "the keep holds: nobody has reached the gate"
	return "the keep holds: %s reached the gate" % _grouped(reached)


func _grouped(number: int) -> String:
	var text := str(number)
	var at := text.length() - 3
	while at > 0:
		text = text.insert(at, ",")
		at -= 3
	return text
