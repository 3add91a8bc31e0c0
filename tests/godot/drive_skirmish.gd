extends SceneTree
## Plays scenes of the skirmish without a display and prints what came of them as one line "SKIRMISH {json}".

const FIELD := Vector2(1000, 900)  ## open ground before the eastern gate, pixels

var _seen: Dictionary[String, Variant] = {}
var _game: Node2D


func _initialize() -> void:
	await _start()
	await _select()
	await _order()
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
	await _tell(&"all", [])
	var before: Vector2 = army.get_middle()
	await _tell(&"move", [before.x + 300.0, before.y])
	await _ticks(240)
	_seen["went"] = army.get_middle().x - before.x
	await _tell(&"stop", [])
	await _ticks(60)
	var stopped: Vector2 = army.get_middle()
	await _ticks(60)
	_seen["after_stop"] = army.get_middle().distance_to(stopped)


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
	var ids: PackedInt32Array = raiders.ids()
	var places := PackedVector2Array()
	for index in ids.size():
		places.append(Vector2(1280 + 8 * (index % 20), 900 + 8 * (index / 20)))
	raiders.crowd.set_positions(ids, places)
	await _ticks(260)
	_seen["shot"] = _game.battle.killed
	_seen["marched"] = places[0].x - raiders.crowd.get_positions()[raiders.ids()[0]].x


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
		for id: int in one.ids():
			one.hurt(id, 1.0e6, _game.battle.tick)
	await _ticks(4)
	_seen["won"] = over
	_seen["nobody_left"] = _game.waves.raiders.crowd.get_agent_count()


func _clear_army() -> void:
	for one: RefCounted in _game.army.corps:
		for id: int in one.ids():
			one.hurt(id, 1.0e6, _game.battle.tick)


func _ticks(count: int) -> void:
	for tick in count:
		await physics_frame
