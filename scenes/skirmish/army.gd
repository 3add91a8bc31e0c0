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


func muster(game: Node2D, map: Node) -> void:
	_map = map
	for kind in Kinds.CATAPULT + 1:
		var one := Corps.new()
		one.muster(game, map, Kinds.all()[kind], 0, Kinds.all()[kind].plural.capitalize())
		corps.append(one)
		selected.append(PackedInt32Array())
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

## What can be told today.
func get_orders() -> Array[StringName]:
	return [&"move", &"stop"]


func move(place: Vector2) -> void:
	for kind in corps.size():
		if not selected[kind].is_empty():
			corps[kind].crowd.set_goal(place)


func stop() -> void:
	for kind in corps.size():
		if not selected[kind].is_empty():
			corps[kind].crowd.clear_goal()
