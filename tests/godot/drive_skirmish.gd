extends SceneTree
## Plays scenes of the skirmish without a display and prints what came of them as one line "SKIRMISH {json}".

const FIELD := Vector2(1000, 900)  ## open ground before the eastern gate, pixels

var _seen: Dictionary[String, Variant] = {}
var _game: Node2D


func _initialize() -> void:
	await _start()
	await _select()
	await _order()
	await _queue_through_a_fight()
	await _form()
	await _meet()
	await _start()
	await _build()
	await _shoot()
	await _fall()
	await _win()
	print("SKIRMISH %s" % JSON.stringify(_seen))
	quit()


func _start() -> void:
	if current_scene != null:
		current_scene.free()
	change_scene_to_file("res://scenes/skirmish/skirmish.tscn")
	while current_scene == null or not current_scene._playing:
		await process_frame
	_game = current_scene
	_game.waves._wait = 1_000_000  # no wave but those that a scene calls
	await _ticks(8)


func _tell(what: StringName, with: Array) -> void:
	_game.command(what, with)
	await _ticks(2)


func _select() -> void:
	var army: RefCounted = _game.army
	_seen["at_start"] = army.count()
	await _tell(&"all", [])
	_seen["all"] = army.count_selected()
	var soldiers: PackedVector2Array = army.corps[0].crowd.get_positions()
	var box := Rect2(soldiers[0] - Vector2.ONE, Vector2.ONE * 2.0).expand(soldiers[5] + Vector2.ONE)
	await _tell(&"box", [box.position.x, box.position.y, box.size.x, box.size.y, false])
	var inside := 0
	for one: RefCounted in army.corps:
		for place: Vector2 in one.crowd.get_positions():
			inside += int(box.has_point(place))
	_seen["box"] = [army.count_selected(), inside]
	await _tell(&"keep_group", [3])
	await _tell(&"pick", [soldiers[20].x, soldiers[20].y, 12.0, false, false, 0, 0, 1, 1])
	_seen["pick"] = Array(army.selected[0])
	await _tell(&"pick", [soldiers[20].x, soldiers[20].y, 12.0, false, true, 0, 0, 3000, 3000])
	_seen["all_alike"] = [army.selected[0].size(), army.count_selected()]
	await _tell(&"call_group", [3, false])
	_seen["group"] = army.count_selected()
	army.corps[0].hurt(army.selected[0][0], 1000.0, _game.battle.tick)
	await _ticks(12)
	_seen["without_the_dead"] = [army.count_selected(), army.count_group(3)]


func _order() -> void:
	var army: RefCounted = _game.army
	await _select_kind(1)
	var before: Vector2 = army.get_middle()
	var others: Vector2 = _mean(army.corps[0])
	await _tell(&"move", [before.x + 300.0, before.y, false])
	await _ticks(240)
	_seen["went"] = army.get_middle().x - before.x
	_seen["left_behind"] = _mean(army.corps[0]).distance_to(others)
	await _tell(&"stop", [])
	await _ticks(60)
	var stopped: Vector2 = army.get_middle()
	await _ticks(60)
	_seen["after_stop"] = army.get_middle().distance_to(stopped)
	# North, then on to the east.
	await _tell(&"move", [stopped.x, stopped.y - 160.0, false])
	await _tell(&"move", [stopped.x + 260.0, stopped.y - 160.0, true])
	var least := INF
	for look in 26:
		await _ticks(30)
		least = minf(least, army.get_middle().distance_to(stopped - Vector2(0, 160)))
	_seen["queued"] = [least, army.get_middle().x - stopped.x]
	var start: Vector2 = army.get_middle()
	await _tell(&"patrol", [start.x - 200.0, start.y, false])
	var westmost := 0.0
	var back := 0.0
	for look in 30:
		await _ticks(30)
		var x: float = army.get_middle().x - start.x
		westmost = minf(westmost, x)
		back = maxf(back, x - westmost)
	_seen["patrolled"] = [-westmost, back]
	await _tell(&"stop", [])
	var leader: Vector2 = army.corps[0].crowd.get_positions()[20]
	var away: float = army.get_middle().distance_to(leader)
	await _tell(&"follow", [leader.x, leader.y, 12.0, false])
	await _ticks(700)
	_seen["followed"] = [away, army.get_middle().distance_to(army.corps[0].crowd.get_positions()[20])]


# What is queued is done after a fight on the way.
func _queue_through_a_fight() -> void:
	await _start()
	var army: RefCounted = _game.army
	await _select_kind(0)
	var start: Vector2 = army.get_middle()
	await _tell(&"attack", [start.x + 120.0, start.y, false])
	await _tell(&"attack", [start.x + 120.0, start.y - 240.0, true])
	await _tell(&"move", [start.x + 320.0, start.y - 240.0, true])
	var raiders: RefCounted = _game.waves.raiders
	var places := PackedVector2Array([start + Vector2(190, -30), start + Vector2(190, 0), start + Vector2(190, 30)])
	_game.waves.march(raiders, raiders.spawn(places, _game.battle.tick))
	var nearest := INF
	for look in 100:
		await _ticks(20)
		nearest = minf(nearest, army.get_middle().distance_to(start + Vector2(120, -240)))
	_seen["fought_and_went_on"] = [_game.battle.killed, nearest, army.get_middle().distance_to(start + Vector2(320, -240))]


# A drag from north to south: the front looks east.
func _form() -> void:
	await _start()
	var army: RefCounted = _game.army
	await _tell(&"all", [])
	var from := Vector2(1100, 760)
	var to := Vector2(1100, 1060)
	var slots: PackedVector2Array = army.preview(from, to, 7.0)
	_seen["slots"] = slots.size()
	await _tell(&"form", [from.x, from.y, to.x, to.y, 7.0, false])
	await _ticks(1500)
	var there := 0
	var rows: Array[float] = []
	for one: RefCounted in army.corps:
		var behind := 0.0
		for place: Vector2 in one.crowd.get_positions():
			behind += from.x - place.x
			for slot in slots:
				if slot.distance_to(place) < 8.0:
					there += 1
					break
		rows.append(behind / one.alive)
	_seen["formed"] = there / 184.0
	_seen["rows"] = rows


# A few raiders beside soldiers that attack, and beside soldiers that hold.
func _meet() -> void:
	for order: StringName in [&"attack", &"hold"]:
		await _start()
		var army: RefCounted = _game.army
		for kind: int in [1, 2, 3]:
			_slay(army.corps[kind])
		await _ticks(2)
		await _select_kind(0)
		var middle: Vector2 = army.get_middle()
		if order == &"hold":
			await _tell(&"hold", [])
		else:
			await _tell(&"attack", [middle.x, middle.y, false])
		await _ticks(200)
		var before: Vector2 = army.get_middle()
		var raiders: RefCounted = _game.waves.raiders
		var places := PackedVector2Array()
		for index in 10:
			places.append(before + Vector2(105, -60 + 12 * index))
		_game.waves.march(raiders, raiders.spawn(places, _game.battle.tick))
		var farthest := 0.0
		for look in 10:
			await _ticks(12)
			for id in army.selected[0]:
				farthest = maxf(farthest, army.corps[0].crowd.get_positions()[id].x - before.x)
		if order == &"hold":
			_seen["held"] = army.get_middle().distance_to(before)
			_seen["foes_turned"] = _game.battle.struck
		else:
			_seen["chased"] = farthest
			await _ticks(900)
			_seen["came_back"] = army.get_middle().distance_to(before)


func _select_kind(kind: int) -> void:
	await _tell(&"all", [])
	await _tell(&"kind", [kind])


func _mean(one: RefCounted) -> Vector2:
	var sum := Vector2.ZERO
	for id in one.ids():
		sum += one.crowd.get_positions()[id]
	return sum / maxi(one.alive, 1)


func _slay(one: RefCounted) -> void:
	for id: int in one.ids():
		one.hurt(id, 1.0e6, _game.battle.tick)


func _build() -> void:
	var works: RefCounted = _game.works
	_game.supplies = 500.0
	await _tell(&"tower", [60, 46])
	_seen["tower"] = [works.count_towers(), _game.map.get_cost(Vector2i(60, 46)), _game.supplies < 445.0]
	await _tell(&"tower", [60, 47])
	_seen["tower_on_a_tower"] = works.count_towers()
	await _tell(&"wall", [64, 40, 64, 48])
	_seen["wall"] = [works.walls.size(), _game.map.get_cost(Vector2i(64, 44))]
	# The gates of the town, one by one: the last one can't be closed.
	_game.supplies = 2000.0
	await _tell(&"wall", [53, 50, 53, 62])
	await _tell(&"wall", [26, 34, 44, 34])
	var before: int = works.walls.size()
	await _tell(&"wall", [26, 75, 44, 75])
	_seen["gates"] = [before, works.walls.size()]
	_game.supplies = 10.0
	await _tell(&"tower", [70, 46])
	_seen["without_supplies"] = works.count_towers()


# A tower and nobody else against a wave beside it.
func _shoot() -> void:
	await _start()
	_clear_army()
	_game.supplies = 100.0
	await _tell(&"tower", [80, 50])
	var raiders: RefCounted = _game.waves.raiders
	_game.command(&"wave", [])
	await _ticks(2)
	_seen["wave"] = raiders.alive
	var camp := _mean(raiders)
	await _ticks(240)
	_seen["marched"] = camp.distance_to(_mean(raiders))
	var ids: PackedInt32Array = raiders.ids()
	var places := PackedVector2Array()
	for index in ids.size():
		places.append(Vector2(1280 + 8 * (index % 20), 900 + 8 * (index / 20)))
	raiders.crowd.set_positions(ids, places)
	await _ticks(260)
	_seen["shot"] = _game.battle.killed


func _fall() -> void:
	await _start()
	_clear_army()
	_game.command(&"wave", [])
	await _ticks(2)
	var raiders: RefCounted = _game.waves.raiders
	var places := PackedVector2Array()
	for id in raiders.ids():
		places.append(Vector2(640 + 4 * (id % 20), 860 + 4 * (id / 20)))
	raiders.crowd.set_positions(raiders.ids(), places)
	var over: Array[bool] = []
	_game.ended.connect(func(is_won: bool) -> void: over.append(is_won))
	for second in 80:
		await _ticks(60)
		if not over.is_empty():
			break
	_seen["keep"] = _game.works.get_keep().health
	_seen["lost"] = over
	var wave: int = _game.waves.number
	_game.command(&"wave", [])
	await _ticks(2)
	_seen["no_orders_after_the_end"] = _game.waves.number == wave


func _win() -> void:
	await _start()
	_game.waves.number = _game.waves.SHARES.size() - 1
	_game.command(&"wave", [])
	await _ticks(2)
	var over: Array[bool] = []
	_game.ended.connect(func(is_won: bool) -> void: over.append(is_won))
	for one: RefCounted in [_game.waves.raiders, _game.waves.runners, _game.waves.brutes]:
		_slay(one)
	await _ticks(4)
	_seen["won"] = over
	_seen["nobody_left"] = _game.waves.raiders.crowd.get_agent_count()


func _clear_army() -> void:
	for one: RefCounted in _game.army.corps:
		_slay(one)


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame
