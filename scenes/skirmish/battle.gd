extends RefCounted
## Who strikes whom: targets, blows, missiles, deaths. A twelfth of the units is looked at each tick, so that some thousands cost little; whom
## they find is read from coarse cells that are sorted anew a few times a second.
##
## Nothing here is drawn and nothing reads a clock: the same units and ticks give the same battle.

signal struck_down(corps: Corps, id: int, place: Vector2)
signal loosed(from: Vector2, to: Vector2, ticks: int, is_stone: bool)
signal burst(place: Vector2, radius: float)

const Corps := preload("corps.gd")
const Works := preload("works.gd")
const PHASES := 12
const SORT_TICKS := 6  ## from one sorting to the next, at least
const SORTED_A_TICK := 700
const CELL := 64.0
const LARGEST_RADIUS := 14.0
const WORK_CORPS := 255  ## in an entry: what stands, not who walks
const WORK_MARGIN := 18.0  ## how much nearer a wall is than its foot: whoever stands behind the first rank still rams it
const IDLE_TICKS := 10  ## until somebody who found nobody looks again
const STANDING := 100.0  ## squared speed up to which an archer can shoot

class Sorting:
	var begins := 1  ## tick
	var corps := -1  ## where it is; -1: it hasn't begun
	var id := 0
	var heads := PackedInt32Array()
	var next := PackedInt32Array()
	var entries := PackedInt32Array()

	func restart(cells: int) -> void:
		corps = 0
		id = 0
		heads = PackedInt32Array()
		heads.resize(cells)
		heads.fill(-1)
		next = PackedInt32Array()
		entries = PackedInt32Array()

var corps: Array[Corps] = []
var works: Works
var tick := 0
var killed := 0  ## foes
var lost := 0  ## the player's
var struck := 0  ## blows and missiles so far

var _columns := 1
var _rows := 1
var _heads: Array[PackedInt32Array] = [PackedInt32Array(), PackedInt32Array()]  ## by team: first entry of each cell, -1: none
var _next: Array[PackedInt32Array] = [PackedInt32Array(), PackedInt32Array()]
var _entry: Array[PackedInt32Array] = [PackedInt32Array(), PackedInt32Array()]  ## corps << 20 | id
var _near: Array[PackedByteArray] = [PackedByteArray(), PackedByteArray()]  ## by team: whether any of it is in a cell or beside it
var _sortings: Array[Sorting] = [Sorting.new(), Sorting.new()]
var _rings: Array[PackedInt32Array] = []  ## cell offsets (x, y, ...) by ring

# Missiles under way.
var _land_tick := PackedInt32Array()
var _aim := PackedInt32Array()
var _aim_born := PackedInt32Array()
var _land_place := PackedVector2Array()
var _missile_damage := PackedFloat32Array()
var _missile_blast := PackedFloat32Array()

var _velocities: Dictionary[int, PackedVector2Array] = {}


func set_field(size: Vector2) -> void:
	_columns = int(ceilf(size.x / CELL))
	_rows = int(ceilf(size.y / CELL))
	for team in 2:
		_heads[team].resize(_columns * _rows)
		_heads[team].fill(-1)
		_near[team].resize(_columns * _rows)
	for ring in 7:
		var offsets := PackedInt32Array()
		for y in range(-ring, ring + 1):
			for x in range(-ring, ring + 1):
				if maxi(absi(x), absi(y)) == ring:
					offsets.append(x)
					offsets.append(y)
		_rings.append(offsets)


func advance() -> void:
	tick += 1
	for team in 2:
		_sort_some(team)
	_land()
	for one in corps:
		if one.alive > 0:
			if one.kind.missile_speed > 0.0:
				_shoot(one)
			else:
				_fence(one)
	_man_towers()
	for one in corps:
		one.bury()


## The nearest of a team within `reach` of a place, edge to edge: corps << 20 | id, or -1.
func find(team: int, place: Vector2, reach: float, least := 0.0) -> int:
	var cell_x := int(place.x / CELL)
	var cell_y := int(place.y / CELL)
	var best := -1
	var best_away := reach
	var heads := _heads[team]
	var next := _next[team]
	var entries := _entry[team]
	for ring in mini(int(reach / CELL) + 2, _rings.size()):
		if best >= 0 and (ring - 1) * CELL > best_away:
			break
		var offsets := _rings[ring]
		for index in range(0, offsets.size(), 2):
			var x := cell_x + offsets[index]
			var y := cell_y + offsets[index + 1]
			if x < 0 or y < 0 or x >= _columns or y >= _rows:
				continue
			var at := heads[y * _columns + x]
			while at >= 0:
				var entry := entries[at]
				at = next[at]
				var away := distance(entry, place)
				if away < best_away and away >= least:
					best_away = away
					best = entry
	return best


## The units of a team within `radius` of a place: corps << 20 | id.
func find_all(team: int, place: Vector2, radius: float) -> PackedInt32Array:
	var found := PackedInt32Array()
	var reach := radius + LARGEST_RADIUS
	for y in range(maxi(int((place.y - reach) / CELL), 0), mini(int((place.y + reach) / CELL), _rows - 1) + 1):
		for x in range(maxi(int((place.x - reach) / CELL), 0), mini(int((place.x + reach) / CELL), _columns - 1) + 1):
			var at := _heads[team][y * _columns + x]
			while at >= 0:
				if distance(_entry[team][at], place) < radius:
					found.append(_entry[team][at])
				at = _next[team][at]
	return found


## From a place to the edge of what an entry names; far away if that is dead.
func distance(entry: int, place: Vector2) -> float:
	var index := entry >> 20
	var id := entry & 0xFFFFF
	if index == WORK_CORPS:
		var work := works.list[id]
		if work.health <= 0.0:
			return INF
		return place.distance_to(place.clamp(work.area.position, work.area.end)) - WORK_MARGIN
	var one := corps[index]
	if one.health[id] <= 0.0:
		return INF
	return place.distance_to(one.places[id]) - one.kind.radius


# A share of the next sorting; once it is whole it takes the place of the last one.
func _sort_some(team: int) -> void:
	var sorting := _sortings[team]
	if tick < sorting.begins:
		return
	if sorting.corps < 0:
		sorting.restart(_columns * _rows)
		_read_places(team)
	var budget := SORTED_A_TICK
	while budget > 0 and sorting.corps < corps.size():
		var one := corps[sorting.corps]
		if one.team != team or one.alive == 0:
			sorting.corps += 1
			sorting.id = 0
			continue
		var end := mini(sorting.id + budget, mini(one.health.size(), one.places.size()))
		_enter_units(sorting, one, end)
		budget -= end - sorting.id
		sorting.id = end
		if end == mini(one.health.size(), one.places.size()):
			sorting.corps += 1
			sorting.id = 0
	if sorting.corps == corps.size():
		_take_sorting(team, sorting)


func _read_places(team: int) -> void:
	for one in corps:
		if one.team == team and one.alive > 0:
			one.places = one.crowd.get_positions()
			if one.kind.missile_speed > 0.0:
				_velocities[one.index] = one.crowd.get_velocities()


func _enter_units(sorting: Sorting, one: Corps, end: int) -> void:
	var heads := sorting.heads
	var next := sorting.next
	var entries := sorting.entries
	var places := one.places
	var health := one.health
	var columns := _columns
	var mark := one.index << 20
	for id in range(sorting.id, end):
		if health[id] > 0.0:
			var place := places[id]
			var cell := int(place.y / CELL) * columns + int(place.x / CELL)
			next.append(heads[cell])
			heads[cell] = entries.size()
			entries.append(mark | id)


func _take_sorting(team: int, sorting: Sorting) -> void:
	if team == 0:
		for index in works.list.size():
			if works.list[index].health > 0.0:
				_enter_work(index, sorting.heads, sorting.next, sorting.entries)
	var near := _near[team]
	near.fill(0)
	for cell in sorting.heads.size():
		if sorting.heads[cell] >= 0:
			var x := cell % _columns
			var y := cell / _columns
			for other_y in range(maxi(y - 1, 0), mini(y + 2, _rows)):
				for other_x in range(maxi(x - 1, 0), mini(x + 2, _columns)):
					near[other_y * _columns + other_x] = 1
	_heads[team] = sorting.heads
	_next[team] = sorting.next
	_entry[team] = sorting.entries
	sorting.corps = -1
	sorting.begins = maxi(sorting.begins + SORT_TICKS, tick + 1)


func _enter_work(index: int, heads: PackedInt32Array, next: PackedInt32Array, entries: PackedInt32Array) -> void:
	var area := works.list[index].area
	for y in range(int(area.position.y / CELL), int(area.end.y / CELL) + 1):
		for x in range(int(area.position.x / CELL), int(area.end.x / CELL) + 1):
			next.append(heads[y * _columns + x])
			heads[y * _columns + x] = entries.size()
			entries.append(WORK_CORPS << 20 | index)


# Who strikes by hand: at the nearest within reach.
func _fence(one: Corps) -> void:
	var other := 1 - one.team
	var near := _near[other]
	var places := one.places
	var health := one.health
	var ready := one.ready
	var reach := one.kind.reach + one.kind.radius
	for id in range(tick % PHASES, health.size(), PHASES):
		if health[id] <= 0.0 or ready[id] > tick:
			continue
		var place := places[id]
		if near[int(place.y / CELL) * _columns + int(place.x / CELL)] == 0:
			continue
		var target := find(other, place, reach)
		if target >= 0:
			one.strike(id, tick, place_of(target) - place)
			struck += 1
			_hit(target, one.kind.damage)


# Archers and catapults: they shoot where they stand.
func _shoot(one: Corps) -> void:
	var other := 1 - one.team
	var kind := one.kind
	var velocities: PackedVector2Array = _velocities.get(one.index, PackedVector2Array())
	for id in range(tick % PHASES, one.health.size(), PHASES):
		if one.health[id] <= 0.0 or one.ready[id] > tick:
			continue
		if id >= velocities.size() or velocities[id].length_squared() > STANDING:
			continue
		var place := one.places[id]
		var target := find(other, place, kind.reach, kind.least_reach)
		if target < 0:
			one.ready[id] = tick + IDLE_TICKS
			continue
		one.strike(id, tick, place_of(target) - place)
		struck += 1
		_loose(place, target, kind.missile_speed, kind.damage, kind.blast)


func _man_towers() -> void:
	for index in range(1, works.list.size()):
		var work := works.list[index]
		if work.health <= 0.0 or work.ready > tick:
			continue
		work.ready = tick + Works.TOWER_COOLDOWN
		var target := find(1, work.area.get_center(), Works.TOWER_REACH)
		if target >= 0:
			struck += 1
			_loose(work.area.get_center() - Vector2(0, 40), target, 320.0, Works.TOWER_DAMAGE, 0.0)


func _loose(from: Vector2, target: int, speed: float, damage: float, blast: float) -> void:
	var to := place_of(target)
	var ticks := maxi(int(from.distance_to(to) / speed * 60.0), 6)
	_land_tick.append(tick + ticks)
	_aim.append(target)
	_aim_born.append(_born(target))
	_land_place.append(to)
	_missile_damage.append(damage)
	_missile_blast.append(blast)
	loosed.emit(from, to, ticks, blast > 0.0)


func _land() -> void:
	var index := 0
	while index < _land_tick.size():
		if _land_tick[index] > tick:
			index += 1
			continue
		if _missile_blast[index] > 0.0:
			burst.emit(_land_place[index], _missile_blast[index])
			for target in find_all(1, _land_place[index], _missile_blast[index]):
				_hit(target, _missile_damage[index])
		elif _born(_aim[index]) == _aim_born[index]:
			_hit(_aim[index], _missile_damage[index])
		var last := _land_tick.size() - 1
		_land_tick[index] = _land_tick[last]
		_aim[index] = _aim[last]
		_aim_born[index] = _aim_born[last]
		_land_place[index] = _land_place[last]
		_missile_damage[index] = _missile_damage[last]
		_missile_blast[index] = _missile_blast[last]
		_land_tick.resize(last)
		_aim.resize(last)
		_aim_born.resize(last)
		_land_place.resize(last)
		_missile_damage.resize(last)
		_missile_blast.resize(last)


func _hit(target: int, damage: float) -> void:
	var id := target & 0xFFFFF
	if target >> 20 == WORK_CORPS:
		works.hurt(id, damage, tick)
		return
	var one := corps[target >> 20]
	if one.hurt(id, damage, tick):
		if one.team == 1:
			killed += 1
		else:
			lost += 1
		struck_down.emit(one, id, one.places[id])


## Where somebody, or the middle of something, is (pixels).
func place_of(target: int) -> Vector2:
	if target >> 20 == WORK_CORPS:
		return works.list[target & 0xFFFFF].area.get_center()
	return corps[target >> 20].places[target & 0xFFFFF]


func _born(target: int) -> int:
	return 0 if target >> 20 == WORK_CORPS else corps[target >> 20].born[target & 0xFFFFF]
