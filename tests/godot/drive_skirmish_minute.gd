extends SceneTree
## Plays a minute of the skirmish as a player would, by the clock of the game. With --record it is written down, with --report told.

const SQUADS := [&"form", &"attack", &"patrol", &"move"]

var _game: Node2D


func _initialize() -> void:
	change_scene_to_file("res://scenes/skirmish/skirmish.tscn")
	while current_scene == null or not current_scene._playing:
		await process_frame
	_game = current_scene
	_game.tree_exiting.connect(func() -> void: _game = null)
	await _until(20)
	_game.command(&"wave", [])
	_game.command(&"all", [])
	await _until(40)
	_form(Vector2(1490.37, 700.0), Vector2(1463.1, 1101.77))
	await _until(300)
	_game.command(&"tower", [84, 64])
	_game.command(&"wall", [90, 44, 90, 50])
	_game.command(&"recruit", [2])
	for round in 8:
		await _until(420 + round * 360)
		var middle: Vector2 = _game.army.get_middle() + Vector2(7.31, -3.77) * round
		_game.command(&"box", [middle.x - 90.123, middle.y - 80.456, 181.7, 163.3 + round, false])
		await _until(424 + round * 360)
		var place := middle + Vector2(160.0, 0.0).rotated(round * 1.1)
		_game.command(SQUADS[1 + round % 3], [place.x, place.y, false])
		_game.command(&"attack", [place.x + 61.803, place.y - 33.14, true])
		_game.command(&"keep_group", [round])
		if round == 2:
			_game.set_speed(3)
		if round == 5:
			_game.set_speed(0)
			_game.command(&"wave", [])
			_game.command(&"call_group", [1, true])
			_game.command(&"hold", [])
		if round == 6:
			_game.set_speed(1)
			_game.command(&"pick", [middle.x, middle.y, 40.0, false, true, middle.x - 300.0, middle.y - 300.0, 600.0, 600.0])
			_game.command(&"stop", [])


func _form(from: Vector2, to: Vector2) -> void:
	_game.command(&"form", [from.x, from.y, to.x, to.y, 6.61, false])


func _until(tick: int) -> void:
	while _game != null and _game.battle.tick < tick:
		await physics_frame
