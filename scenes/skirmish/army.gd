extends RefCounted
## The player's units: who they are, who is selected, what they are told. Everything that asks the addon for orders stands here.

const Kinds := preload("unit_kinds.gd")
const Corps := preload("corps.gd")
const Level := preload("level.gd")
const START: Array[int] = [70, 50, 60, 4]  ## by kind
const GROUPS := 10
const FOLLOW_DISTANCE := 40.0

var corps: Array[Corps] = []  ## by kind
var selected: Array[PackedInt32Array] = []  ## by kind: ids in rising order

var _groups: Array[Array] = []  ## control groups: by number, by kind, ids with the tick they came at
var _map: Node
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
		_stand_guard(kind, corps[kind].spawn(places, tick))


func count() -> int:
	var units := 0
	for one in corps:
		units += one.alive
	return units


## New units of a kind at the keep's gate. False if there is no room.
func recruit(kind: int, units: int, tick: int) -> void:
	_stand_guard(kind, corps[kind].spawn_in(units, Rect2i(Level.KEEP.end.x + 1, Level.KEEP.position.y - 3, 8, 13), tick))


func _stand_guard(kind: int, ids: PackedInt32Array) -> void:
	if not ids.is_empty():
		_map.command_guard(corps[kind].crowd.get_handles(ids))


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
	var found := find_at(place, reach)
	if found.x >= 0:
		_add(found.x, corps[found.x].crowd.get_agents_in_rect(view) if all_alike else PackedInt32Array([found.y]))


## Who of the player's stands within `reach` of a place (pixels), the nearest: kind and id; (-1, -1) if nobody does.
func find_at(place: Vector2, reach: float) -> Vector2i:
	var best := Vector2i(-1, -1)
	var best_away := INF
	for kind in corps.size():
		if corps[kind].alive == 0:
			continue
		var id: int = corps[kind].crowd.get_nearest_agent(place)
		var away: float = corps[kind].crowd.get_positions()[id].distance_to(place) - corps[kind].kind.radius
		if away < minf(best_away, reach):
			best = Vector2i(kind, id)
			best_away = away
	return best


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
	return [&"move", &"attack", &"stop", &"hold", &"patrol", &"follow"]


## Sends who is selected to a place (pixels); `attacks`: they turn on foes in sight on their way and there.
func move(place: Vector2, attacks: bool, queued: bool) -> void:
	var units := _selected_handles()
	if units.is_empty():
		return
	if attacks:
		_map.command_attack_move(units, place, queued)
	else:
		_map.command_move(units, place, queued)


## To and fro between a place and where they are; they turn on foes in sight.
func patrol(place: Vector2, queued: bool) -> void:
	var units := _selected_handles()
	if not units.is_empty():
		_map.command_patrol(units, place, queued, true)


## After one of the player's own units that stands within `reach` of a place (pixels). Whom nobody is found for stay as they are.
func follow(place: Vector2, reach: float, queued: bool) -> void:
	var found := find_at(place, reach)
	var units := _selected_handles()
	if found.x < 0 or units.is_empty():
		return
	var leader: int = corps[found.x].crowd.get_handles(PackedInt32Array([found.y]))[0]
	var at := units.find(leader)
	if at >= 0:
		units.remove_at(at)
	if not units.is_empty():
		_map.command_follow(units, leader, FOLLOW_DISTANCE, queued)


## Who stops turns on foes in sight where it is.
func stop() -> void:
	var units := _selected_handles()
	if not units.is_empty():
		_map.command_guard(units)


func hold() -> void:
	var units := _selected_handles()
	if not units.is_empty():
		_map.command_hold(units)


func _selected_handles() -> PackedInt64Array:
	var units := PackedInt64Array()
	for kind in corps.size():
		if not selected[kind].is_empty():
			units.append_array(corps[kind].crowd.get_handles(selected[kind]))
	return units


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
	_formations.order(from, to, 1 if is_marching else 0)


func _choose(spacing: float) -> void:
	_formations.spacing = spacing
	_formations.clear_units()
	for kind in corps.size():
		_formations.set_units(corps[kind].crowd, selected[kind])
