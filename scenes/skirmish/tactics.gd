extends RefCounted
## Which of the foes leaves its way for what it sees, stops to strike, goes on: a share of them each tick. They go for towers and the keep too,
## which no agent of the addon stands for; whom the player's units go for is the addon's (attack-move).
##
## Units of one kind that make for foes in the same cell are told so together: an order costs about the same for one and for a hundred.

const Battle := preload("battle.gd")
const Corps := preload("corps.gd")
const PHASES := 20  ## ticks until a unit is looked at again
const ORDERS_A_TICK := 1
const GATHER_TICKS := 12  ## that an order waits for others who want the same
const CELL := 80.0  ## foes that stand in one such square are one place to go to

enum { ON_ITS_WAY = -1, STRIKING = -2 }  ## what a unit does; 0 or more: the cell that it makes for

class Bunch:
	var corps: Corps
	var doing := ON_ITS_WAY
	var place := Vector2.ZERO
	var due := 0  ## tick
	var ids := PackedInt32Array()

var _battle: Battle
var _hold: Callable  ## (corps, ids)
var _chase: Callable  ## (corps, ids, place)
var _resume: Callable  ## (corps, ids)
var _bunches: Dictionary[int, Bunch] = {}  ## what is still to be told, by corps and what is to be done


func lead(battle: Battle, hold: Callable, chase: Callable, resume: Callable) -> void:
	_battle = battle
	_hold = hold
	_chase = chase
	_resume = resume


func advance() -> void:
	for one in _battle.corps:
		if one.team == 1 and one.alive > 0:
			_look(one, _battle.tick % PHASES)
	var told := 0
	for key: int in _bunches.keys():
		if told >= ORDERS_A_TICK or _bunches[key].due > _battle.tick:
			break
		_tell(_bunches[key])
		_bunches.erase(key)
		told += 1


func _look(one: Corps, phase: int) -> void:
	var other := 1 - one.team
	var doing := one.doing
	for id in range(phase, doing.size(), PHASES):
		if one.health[id] <= 0.0:
			continue
		var place := one.places[id]
		var wanted := ON_ITS_WAY
		var at := Vector2.ZERO
		if _battle.is_near(other, place, one.kind.sight):
			var target := _battle.find(other, place, one.kind.sight)
			if target >= 0:
				at = _battle.place_of(target)
				var reach := (one.kind.reach + one.kind.radius) * Corps.NEAR_ENOUGH
				wanted = STRIKING if _battle.distance(target, place) < reach else int(at.y / CELL) * 1000 + int(at.x / CELL)
		if wanted != doing[id]:
			doing[id] = wanted
			_note(one, id, wanted, at)


func _note(one: Corps, id: int, wanted: int, place: Vector2) -> void:
	var key := one.index << 24 | (wanted + 2)
	if not _bunches.has(key):
		var bunch := Bunch.new()
		bunch.corps = one
		bunch.doing = wanted
		bunch.due = _battle.tick + GATHER_TICKS
		_bunches[key] = bunch
	_bunches[key].place = place
	_bunches[key].ids.append(id)


# Those who died or thought better of it meanwhile are left out.
func _tell(bunch: Bunch) -> void:
	var ids := PackedInt32Array()
	for id in bunch.ids:
		if bunch.corps.health[id] > 0.0 and bunch.corps.doing[id] == bunch.doing:
			ids.append(id)
	if ids.is_empty():
		return
	match bunch.doing:
		ON_ITS_WAY:
			_resume.call(bunch.corps, ids)
		STRIKING:
			_hold.call(bunch.corps, ids)
		_:
			_chase.call(bunch.corps, ids, bunch.place)
