extends Node2D
## A slice of a strategy game: soldiers, pikemen, archers and catapults hold a keep against waves of raiders; towers and walls are built in play.
##
## The heavy work is the addon's: `Map` (FlowFieldMap2D) holds the tiles, a FlowFieldCrowd2D each kind of unit. This script wires the game around
## them: what the player tells comes in by `command`, is done at the next tick and noted with its number, so that a game can be played again.

signal ended(is_won: bool)

const Arguments := preload("skirmish_arguments.gd")
const Army := preload("army.gd")
const Battle := preload("battle.gd")
const Corps := preload("corps.gd")
const Curtain := preload("../shared/curtain.gd")
const Kinds := preload("unit_kinds.gd")
const Level := preload("level.gd")
const Playbook := preload("playbook.gd")
const RunReport := preload("../shared/run_report.gd")
const Stage := preload("stage.gd")
const Waves := preload("waves.gd")
const Works := preload("works.gd")

const LARGEST_WAVE := 2400
const SUPPLIES_AT_START := 240.0
const SUPPLIES_PER_SECOND := 3.0
const SUPPLIES_OF_A_FOE: Array[float] = [0.35, 0.5, 8.0]  ## raider, outrider, brute
const BATCH: Array[int] = [5, 5, 5, 1]  ## recruits at a time, by kind
const SPEEDS: Array[float] = [0.5, 1.0, 2.0, 4.0]
const TICKS_PER_SECOND := 60
const DEMO_SEED := 5

@onready var map: Node = $Map

var arguments: Arguments
var level: Level
var works := Works.new()
var army := Army.new()
var waves := Waves.new()
var battle := Battle.new()
var playbook := Playbook.new()
var supplies := SUPPLIES_AT_START
var is_over := false
var is_won := false
var differs_at := -1  ## tick at which a replay was seen to be another game than the recorded one; -1: it was not
var speed := 1

var _stage: Stage  ## null: nothing is shown
var _playing := false
var _done := false
var _reported := false
var _due: Array[Array] = []
var _game_usec := PackedInt32Array()  ## what the game's own scripts took, a tick


func _enter_tree() -> void:
	# Before the children: the map node must know its threads when it gets ready.
	process_physics_priority = -1000
	arguments = Arguments.new(OS.get_cmdline_user_args(), LARGEST_WAVE)
	get_node("Map").threads = arguments.threads
	get_node("Map").seed = arguments.seed


func _ready() -> void:
	if not arguments.replay.is_empty():
		playbook.read(arguments.replay)
	if not (arguments.error + playbook.error).is_empty():
		printerr("skirmish: %s" % (arguments.error + playbook.error))
		get_tree().quit(2)
		return
	var curtain := Curtain.new()
	curtain.words = "Scouts report fires beyond the river ..."
	add_child(curtain)
	for frame in 2:
		await get_tree().process_frame
	_begin()
	curtain.queue_free()


func _begin() -> void:
	level = Level.new(DEMO_SEED + arguments.seed)
	map.set_costs(level.get_costs())
	works.found(map, level)
	army.muster(self, map)
	var foes := waves.muster(self, map, arguments.units)
	battle.works = works
	battle.set_field(Vector2(Level.SIZE) * map.tile_size)
	for one: Corps in army.corps + foes:
		one.index = battle.corps.size()
		battle.corps.append(one)
	battle.struck_down.connect(_on_struck_down)
	waves.wave_began.connect(_on_wave_began)
	works.razed.connect(_on_razed)
	army.gather(0)
	map.start_recording(arguments.ticks if arguments.ticks > 0 else 36000)
	get_window().close_requested.connect(_write_papers)
	$LastWords.tree_exiting.connect(_write_papers)
	if DisplayServer.get_name() != "headless":
		_stage = Stage.new()
		_stage.show_game(self)
		if arguments.ticks > 0 and not arguments.screenshot.is_empty():
			RunReport.stop_drawing()
	_playing = true


## Something that the player tells: done at the next tick. Values are numbers, booleans and strings alone.
func command(what: StringName, with: Array) -> void:
	if arguments.replay.is_empty() and not is_over:
		_due.append([what, with])


func _physics_process(_delta: float) -> void:
	if not _playing or _done or get_tree().paused:
		return
	var before := Time.get_ticks_usec()
	var tick := battle.tick
	if arguments.replay.is_empty():
		if not arguments.record.is_empty() and tick % Playbook.STATE_TICKS == 0:
			playbook.note(tick, Playbook.STATE, [get_state_hash()])
		for due in _due:
			playbook.note(tick, due[0], due[1])
	else:
		_due = playbook.take(tick)
	for due in _due:
		_do(due[0], due[1])
	_due = []
	if not is_over:
		supplies += SUPPLIES_PER_SECOND / TICKS_PER_SECOND
		waves.advance(tick)
	battle.advance()
	if tick % 10 == 0:
		army.prune()
	if not is_over and waves.is_beaten():
		_end_game(true)
	_game_usec.append(Time.get_ticks_usec() - before)
	if arguments.ticks > 0 and battle.tick >= arguments.ticks:
		_finish_run()


func _process(delta: float) -> void:
	if _playing and _stage != null:
		_stage.refresh(delta)


func _do(what: StringName, with: Array) -> void:
	match what:
		&"box":
			army.select_box(Rect2(with[0], with[1], with[2], with[3]), with[4])
		&"pick":
			army.select_at(Vector2(with[0], with[1]), with[2], with[3], with[4], Rect2(with[5], with[6], with[7], with[8]))
		&"all":
			army.select_all()
		&"keep_group":
			army.keep_group(with[0])
		&"call_group":
			army.call_group(with[0], with[1])
		&"kind":
			army.select_kind(with[0])
		&"move":
			army.move(Vector2(with[0], with[1]), false, with[2])
		&"attack":
			army.move(Vector2(with[0], with[1]), true, with[2])
		&"patrol":
			army.patrol(Vector2(with[0], with[1]), with[2])
		&"follow":
			army.follow(Vector2(with[0], with[1]), with[2], with[3])
		&"hold":
			army.hold()
		&"form":
			army.form(Vector2(with[0], with[1]), Vector2(with[2], with[3]), with[4], with[5])
		&"stop":
			army.stop()
		&"tower":
			_build_tower(Vector2i(with[0], with[1]))
		&"wall":
			_build_wall(Vector2i(with[0], with[1]), Vector2i(with[2], with[3]))
		&"recruit":
			_recruit(with[0])
		&"wave":
			waves.begin(battle.tick)
		Playbook.STATE:
			_compare(with[0])
		_:
			push_warning("skirmish: nobody knows the command %s" % what)


func _compare(recorded: String) -> void:
	if differs_at < 0 and get_state_hash() != recorded:
		differs_at = battle.tick
		printerr("skirmish: %s: at tick %d this is another game than the one that was recorded" % [arguments.replay.get_file(), differs_at])


func _build_tower(tile: Vector2i) -> void:
	if supplies < Works.PRICE[Works.TOWER]:
		_tell("not enough supplies for a tower")
	elif not works.can_stand(Works.tower_rect(tile)):
		_tell("a tower can't stand there")
	elif works.build_tower(tile):
		supplies -= Works.PRICE[Works.TOWER]
	else:
		_tell("that would close the last way to the keep")


func _build_wall(from: Vector2i, to: Vector2i) -> void:
	var affordable := int(supplies / Works.PRICE[Works.WALL])
	var tiles := Works.wall_tiles(from, to)
	if works.free_tiles(tiles).is_empty():
		_tell("a wall can't stand there")
	elif affordable == 0:
		_tell("not enough supplies for a wall")
	else:
		var built := works.build_wall(tiles, affordable)
		supplies -= built * Works.PRICE[Works.WALL]
		if built == 0:
			_tell("that would close the last way to the keep")


func _recruit(kind: int) -> void:
	var price := get_price(kind)
	if supplies < price:
		_tell("not enough supplies for %s" % Kinds.all()[kind].plural)
		return
	supplies -= price
	army.recruit(kind, BATCH[kind], battle.tick)


## Supplies for a batch of recruits.
func get_price(kind: int) -> int:
	return Kinds.all()[kind].price * BATCH[kind]


## More or fewer ticks a second, each as long as ever: the game goes on by the same bits at any speed.
func set_speed(index: int) -> void:
	speed = clampi(index, 0, SPEEDS.size() - 1)
	_set_pace(SPEEDS[speed])


func _set_pace(pace: float) -> void:
	Engine.time_scale = pace
	Engine.physics_ticks_per_second = roundi(TICKS_PER_SECOND * pace)


func restart() -> void:
	get_tree().paused = false
	_set_pace(1.0)
	get_tree().reload_current_scene()


## Hash of everything that decides how the game goes on: the world's own, and what the game knows.
func get_state_hash() -> String:
	var parts := PackedStringArray([map.get_state_hash(), str(supplies), str(waves.number), str(battle.killed), str(battle.lost)])
	for one in battle.corps:
		parts.append(str(hash(one.health)))
		parts.append(str(hash(one.ready)))
	for work in works.list:
		parts.append(str(work.health))
	return "|".join(parts).md5_text()


func _tell(words: String) -> void:
	if _stage != null:
		_stage.hud.whisper(words)


func _on_struck_down(corps: Corps, _id: int, _place: Vector2) -> void:
	if corps.team == 1:
		supplies += SUPPLIES_OF_A_FOE[[waves.raiders, waves.runners, waves.brutes].find(corps)]


func _on_wave_began(number: int) -> void:
	if _stage != null:
		_stage.show_wave(number, waves.count_left())


func _on_razed(index: int) -> void:
	if _stage != null:
		_stage.show_razed(index)
	if works.list[index].kind == Works.KEEP:
		_end_game(false)


func _end_game(won: bool) -> void:
	if is_over:
		return
	is_over = true
	is_won = won
	ended.emit(won)
	if _stage != null:
		_stage.show_end(won)


func _finish_run() -> void:
	_done = true
	_write_papers()
	if not arguments.screenshot.is_empty():
		if _stage == null:
			print("skirmish: no screenshot %s: this run has no display" % arguments.screenshot)
		else:
			_stage.refresh(1.0)
			await RunReport.write_screenshot("skirmish", get_viewport(), arguments.screenshot)
	get_tree().quit(0 if differs_at < 0 else 3)


# Once, whichever comes first: the last tick, the window's closing, the end of the tree.
func _write_papers() -> void:
	if _reported or not _playing:
		return
	_reported = true
	if not arguments.record.is_empty() and not playbook.write(arguments.record):
		printerr("skirmish: could not write the playbook %s: %s" % [arguments.record, error_string(FileAccess.get_open_error())])
	if arguments.report.is_empty():
		return
	var report: Dictionary = map.get_report()
	var sorted := _game_usec.duplicate()
	sorted.sort()
	report["game_ms_p50"] = sorted[sorted.size() / 2] * 1e-3 if sorted.size() > 0 else 0.0
	report["game_ms_p99"] = sorted[sorted.size() * 99 / 100] * 1e-3 if sorted.size() > 0 else 0.0
	report["game_ms_max"] = sorted[-1] * 1e-3 if sorted.size() > 0 else 0.0
	report["map"] = "skirmish"
	report["seed"] = arguments.seed
	report["wave"] = waves.number
	report["killed"] = battle.killed
	report["lost"] = battle.lost
	report["struck"] = battle.struck
	report["own"] = army.count()
	report["foes"] = waves.count_left()
	report["keep"] = works.get_keep().health / works.get_keep().most
	report["is_over"] = is_over
	report["commands"] = playbook.count()
	report["states"] = playbook.count_states()
	report["differs_at"] = differs_at
	report["game_hash"] = get_state_hash()
	RunReport.write("skirmish", report, arguments.report)
