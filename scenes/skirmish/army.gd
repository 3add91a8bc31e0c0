extends RefCounted
## The player's units: who they are, who is selected, what they are told. Everything that asks the addon for orders stands here.

const Kinds := preload("unit_kinds.gd")
const Corps := preload("corps.gd")
const Level := preload("level.gd")
const START: Array[int] = [70, 50, 60, 4]  ## by kind
const GROUPS := 10

var corps: Array[Corps] = []  ## by kind
var selected: Array[PackedInt32Array] = []  ## by kind: ids in rising order

var _groups: Array[Array] = []  ## control groups: by number, by kind, ids with the tick they came at
var _map: Node
var _orders: Dictionary[int, PackedVector2Array] = {}  ## where to, by number: nothing, a place, or the two ends of a patrol
var _next_order := 1
var _formations: Node  ## null: none can be drawn


func muster(game: Node2D, map: Node) -> void:
	_map = map
	for kind in Kinds.CATAPULT + 1:
		var one := Corps.new()
		one.muster(game, map, Kinds.all()[kind], 0, Kinds.all()[kind].plural.capitalize())
		corps.append(one)
		selected.append(PackedInt32Array())
	if ClassDB.class_exists(&"FormationController2D"):
		_formations = ClassDB.instantiate(&"FormationController2D")
		_formations.map = map
		_formations.crowds = corps.map(func(one: Corps) -> Node: return one.crowd)
		_formations.row_priorities = PackedInt32Array(corps.map(func(one: Corps) -> int: return one.kind.row))
		_formations.show_preview = false
		game.add_child(_formations)
	for number in GROUPS:
		_groups.append([])


## The garrison, drawn up before the eastern gate.
func gather(tick: int) -> void:
	var front: Vector2 = Vector2(Level.TOWN.end.x + 15, Level.KEEP.get_center().y) * _map.tile_size.x
	var spacing: Array[float] = [17.0, 17.0, 17.0, 52.0]
	var columns: Array[float] = [0.0, 58.0, -58.0, -124.0]
	for kind: int in corps.size():
		var places := PackedVector2Array()
		var across := ceili(START[kind] / (1.0 if kind == Kinds.CATAPULT else 3.0))
		for index in START[kind]:
			places.append(front + Vector2(columns[kind] - spacing[kind] * (index / across), (index % across - (across - 1) / 2.0) * spacing[kind]))
		corps[kind].spawn(places, tick)


func count() -> int:
	var units := 0
	for one in corps:
		units += one.alive
	return units


## New units of a kind at the keep's gate. False if there is no room.
func recruit(kind: int, units: int, tick: int) -> void:
	corps[kind].spawn_in(units, Rect2i(Level.KEEP.end.x + 1, Level.KEEP.position.y - 3, 8, 13), tick)


# --- selection

func clear_selection() -> void:
	for kind in corps.size():
		for id in selected[kind]:
			if corps[kind].is_alive(id):
				corps[kind].select(id, false)
		selected[kind] = PackedInt32Array()


## Selects all in a rectangle (pixels); `adds` to those that are.
func select_box(area: Rect2, adds: bool) -> void:
	if not adds:
		clear_selection()
	for kind in corps.size():
		_add(kind, corps[kind].crowd.get_agents_in_rect(area))


## Selects whoever stands at a place (pixels), within `reach`; with `all_alike` all of its kind in `view` too.
func select_at(place: Vector2, reach: float, adds: bool, all_alike: bool, view: Rect2) -> void:
	if not adds:
		clear_selection()
	var best := -1
	var best_id := -1
	var best_away := INF
	for kind in corps.size():
		if corps[kind].alive == 0:
			continue
		var id: int = corps[kind].crowd.get_nearest_agent(place)
		var away: float = corps[kind].crowd.get_positions()[id].distance_to(place) - corps[kind].kind.radius
		if away < minf(best_away, reach):
			best = kind
			best_id = id
			best_away = away
	if best >= 0:
		_add(best, corps[best].crowd.get_agents_in_rect(view) if all_alike else PackedInt32Array([best_id]))


## Keeps those of one kind alone.
func select_kind(kind: int) -> void:
	var kept := selected[kind]
	clear_selection()
	_add(kind, kept)


func select_all() -> void:
	for kind in corps.size():
		if corps[kind].alive > 0:
			_add(kind, corps[kind].ids())


func _add(kind: int, ids: PackedInt32Array) -> void:
	for id in ids:
		if corps[kind].is_alive(id) and not corps[kind].is_selected(id):
			corps[kind].select(id, true)
			selected[kind].append(id)
	selected[kind].sort()


## Forgets the dead.
func prune() -> void:
	for kind in corps.size():
		var living := PackedInt32Array()
		for id in selected[kind]:
			if corps[kind].is_alive(id) and corps[kind].is_selected(id):
				living.append(id)
		if living.size() != selected[kind].size():
			selected[kind] = living


func count_selected() -> int:
	var units := 0
	for ids in selected:
		units += ids.size()
	return units


func keep_group(number: int) -> void:
	var members := []
	for kind in corps.size():
		for id in selected[kind]:
			members.append(Vector3i(kind, id, corps[kind].born[id]))
	_groups[number] = members


func call_group(number: int, adds: bool) -> void:
	if not adds:
		clear_selection()
	for member: Vector3i in _groups[number]:
		if corps[member.x].is_alive(member.y) and corps[member.x].born[member.y] == member.z:
			_add(member.x, PackedInt32Array([member.y]))


func count_group(number: int) -> int:
	var units := 0
	for member: Vector3i in _groups[number]:
		units += int(corps[member.x].is_alive(member.y) and corps[member.x].born[member.y] == member.z)
	return units


## The middle of who is selected (pixels).
func get_middle() -> Vector2:
	var sum := Vector2.ZERO
	for kind in corps.size():
		var places: PackedVector2Array = corps[kind].crowd.get_positions()
		for id in selected[kind]:
			sum += places[id]
	return sum / maxi(count_selected(), 1)


# --- orders

## What can be told.
func get_orders() -> Array[StringName]:
	return [&"move", &"attack", &"stop", &"hold", &"patrol"]


## Sends who is selected to a place (pixels); `attacks`: they turn on foes in sight on their way and there.
func move(place: Vector2, attacks: bool, queued: bool) -> void:
	_give(attacks, queued, func(units: PackedInt64Array) -> Array: return [_map.command_move(units, place, queued), [place]])


## To and fro between a place and where they are; they turn on foes in sight.
func patrol(place: Vector2, queued: bool) -> void:
	var start := get_middle()
	_give(true, queued, func(units: PackedInt64Array) -> Array: return [_map.command_patrol(units, place, queued), [place, start]])


func stop() -> void:
	_give(true, false, func(units: PackedInt64Array) -> Array: return [_map.command_stop(units), []])


func hold() -> void:
	_give(false, false, func(units: PackedInt64Array) -> Array: return [_map.command_hold(units), []])


# `tell` gives the command and says where to, as units that left their way for a foe must know later.
func _give(attacks: bool, queued: bool, tell: Callable) -> void:
	var units := PackedInt64Array()
	for kind in corps.size():
		if not selected[kind].is_empty():
			units.append_array(corps[kind].crowd.get_handles(selected[kind]))
	if units.is_empty():
		return
	var told: Array = tell.call(units)
	if told[0] == 0:
		return
	var number := _next_order
	_next_order += 1
	_orders[number] = PackedVector2Array(told[1])
	for kind in corps.size():
		var one := corps[kind]
		for id in selected[kind]:
			one.attacks[id] = int(attacks)
			if not queued:
				one.doing[id] = -1
			if not queued or not _orders.has(one.order[id]):
				one.order[id] = number


## Has units go on with what they were told, after a foe.
func resume(one: Corps, ids: PackedInt32Array) -> void:
	var by_order: Dictionary[int, PackedInt32Array] = {}
	for id in ids:
		if not by_order.has(one.order[id]):
			by_order[one.order[id]] = PackedInt32Array()
		by_order[one.order[id]].append(id)
	for number: int in by_order:
		var units: PackedInt64Array = one.crowd.get_handles(by_order[number])
		var places: PackedVector2Array = _orders.get(number, PackedVector2Array())
		if places.is_empty():
			_map.command_stop(units)
			continue
		_map.command_move(units, places[0], false)
		if places.size() > 1:
			_map.command_move(units, places[1], true)
			_map.command_patrol(units, places[0], true)


# --- formations

## Whether formations can be drawn.
func can_form() -> bool:
	return _formations != null


## The slots of who is selected for a drag (pixels), row by row from the front.
func preview(from: Vector2, to: Vector2, spacing: float) -> PackedVector2Array:
	_choose(spacing)
	return _formations.preview(from, to)


## The radius of the unit in each slot, as preview() orders them: by rows, the front first.
func slot_radii(count: int) -> PackedFloat32Array:
	var kinds := range(corps.size())
	kinds.sort_custom(func(one: int, other: int) -> bool: return corps[one].kind.row < corps[other].kind.row)
	var radii := PackedFloat32Array()
	for kind: int in kinds:
		for unit in selected[kind].size():
			radii.append(corps[kind].kind.radius)
	radii.resize(count)
	return radii


func form(from: Vector2, to: Vector2, spacing: float, is_marching: bool) -> void:
	_choose(spacing)
	if _formations.order(from, to, 1 if is_marching else 0) == 0:
		return
	for kind in corps.size():
		for id in selected[kind]:
			corps[kind].attacks[id] = 0
			corps[kind].doing[id] = -1
			corps[kind].order[id] = 0


func _choose(spacing: float) -> void:
	_formations.spacing = spacing
	_formations.clear_units()
	for kind in corps.size():
		_formations.set_units(corps[kind].crowd, selected[kind])
