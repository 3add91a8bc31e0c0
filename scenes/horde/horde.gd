extends Node2D
## The demo: 65,535 raiders in several bands stream over a map to villages and a keep, the player's walls send them another way, and the
## player's militia goes where it is sent.
##
## The heavy work is the addon's: `Map` (FlowFieldMap2D) holds the tiles, `Horde` and the crowds made like it (FlowFieldCrowd2D) the agents
## and their picture. This script wires the game around them. A run with a report is measured: it has no militia. One with a map file or a
## goal of its own has no villages either: all units share one goal.

const RunArguments := preload("../shared/run_arguments.gd")
const Siege := preload("siege.gd")
const Villages := preload("villages.gd")
const Warbands := preload("warbands.gd")
const Militia := preload("militia.gd")
const Stage := preload("stage.gd")
const Curtain := preload("../shared/curtain.gd")
const RunReport := preload("../shared/run_report.gd")

const UNITS := 65535
const HUD_SECONDS := 0.2
const SPEEDS: Array[float] = [0.25, 0.5, 1.0, 2.0, 4.0]
const CODE_SOURCE := 0
const MAP_FILE_SOURCE := 3

@onready var map: Node = $Map
@onready var horde: Node = $Horde
@onready var jobs: Node = $Jobs

var arguments: RunArguments
var ticks := 0
var goal := Vector2i.ZERO

var villages: Villages
var warbands: Warbands
var militia: Militia  ## null: none in this run

var _stage: Stage  ## null: nothing is shown
var _siege: Siege
var _terrain := PackedByteArray()  ## what each tile is; empty on maps that only have costs
var _map_source := CODE_SOURCE
var _map_size := Vector2i.ONE
var _has_display := false
var _playing := false
var _ended := false
var _reported := false
var _hud_wait := 0.0
var _jobs_usec := 0.0
var _speed := 2
var _frame := 0


func _enter_tree() -> void:
	# Before the children: the map node must know its map when it gets ready.
	process_physics_priority = 1000
	arguments = RunArguments.new(OS.get_cmdline_user_args(), UNITS)
	_has_display = DisplayServer.get_name() != "headless"
	var map_node := get_node("Map")
	map_node.seed = arguments.seed
	map_node.generator_seed = arguments.seed
	map_node.threads = arguments.threads
	if not arguments.map.is_empty():
		map_node.cost_source = MAP_FILE_SOURCE
		map_node.map_file = arguments.map
	# The land is raised behind the first picture, not before it: until then a map of one tile serves.
	_map_source = map_node.cost_source
	_map_size = map_node.size
	map_node.cost_source = CODE_SOURCE
	map_node.size = Vector2i.ONE


func _ready() -> void:
	if not arguments.error.is_empty():
		_refuse(arguments.error)
		return
	var curtain := Curtain.new()
	curtain.words = "The horns sound from the woods ..."
	add_child(curtain)
	for frame in 2:
		await get_tree().process_frame
	map.size = _map_size
	map.cost_source = _map_source
	_begin()
	curtain.queue_free()


func _begin() -> void:
	var size: Vector2i = map.get_map_size()
	if size.x <= 0 or size.y <= 0:
		_refuse("the map %s could not be read" % (arguments.map if not arguments.map.is_empty() else "of the scene"))
		return
	goal = map.get_suggested_goal()
	if arguments.has_goal:
		goal = arguments.goal
		if not map.is_inside(goal) or map.get_cost(goal) == 0:
			_refuse("--goal: expected a free tile of the map of %d x %d tiles, got %d,%d" % [size.x, size.y, goal.x, goal.y])
			return
	_siege = Siege.new()
	_siege.wave_began.connect(_on_wave_began)
	_siege.keep_fell.connect(_on_keep_fell)
	_settle()
	warbands.muster(arguments.units)
	map.start_recording(arguments.ticks if arguments.ticks > 0 else 36000)
	get_window().close_requested.connect(_write_report)
	$LastWords.tree_exiting.connect(_write_report)
	if _has_display:
		_stage = Stage.new()
		_stage.show_game(self, _terrain)
		_stage.brush.edited.connect(_on_brush_edited)
	_playing = true
	if _has_display and arguments.ticks > 0 and not arguments.screenshot.is_empty():
		RunReport.stop_drawing()


# Villages, the bands that come for them, the militia. Only a generated map has them: other maps don't say what their ground is.
func _settle() -> void:
	var camps: Array[Rect2i] = []
	var keep_tiles: Array[Vector2i] = [goal]
	villages = Villages.new()
	villages.name = "Villages"
	add_child(villages)
	move_child(villages, 0)
	if _is_generated():
		camps.assign(map.get_spawn_areas())
		if not arguments.has_goal:
			keep_tiles.assign(map.get_goal_tiles())
			_terrain = villages.found(map, map.get_terrain(), goal, arguments.seed)
		else:
			_terrain = map.get_terrain()
	villages.fell.connect(_on_village_fell)
	warbands = Warbands.new()
	warbands.name = "Warbands"
	add_child(warbands)
	warbands.raise(horde, villages, keep_tiles, camps)
	if not villages.list.is_empty() and arguments.report.is_empty():
		militia = Militia.new()
		militia.name = "Militia"
		add_child(militia)
		var post: Vector2i = map.get_nearest_free_tile(Vector2i(Vector2(goal).lerp(villages.get_centre(0), 0.7)))
		militia.gather(horde, Stage.bounds(keep_tiles).grow(4), post)
		warbands.militia = militia


func _is_generated() -> bool:
	return arguments.map.is_empty()


func _physics_process(delta: float) -> void:
	if not _playing or _ended or get_tree().paused:
		return
	ticks += 1
	_jobs_usec = maxf(_jobs_usec, jobs.last_usec)
	var arrived := warbands.advance()
	if militia != null:
		militia.advance(warbands, villages.count_standing())
	var left := warbands.get_left()
	# A measured run is one wave: its report counts the arrivals of all its units.
	if arguments.ticks == 0 or left > 0:
		_siege.advance(delta, arrived, left, villages.count_standing())
	if arguments.ticks > 0 and ticks >= arguments.ticks:
		_end()


func _process(delta: float) -> void:
	if not _playing or not _has_display:
		return
	_frame += 1
	_stage.refresh(_frame)
	_hud_wait -= delta / maxf(Engine.time_scale, 0.01)
	if _hud_wait <= 0.0:
		_hud_wait = HUD_SECONDS
		_fill_hud()


func _fill_hud() -> void:
	_stage.show_siege(_siege)
	var stats: Dictionary = map.get_stats()
	stats["jobs_queued"] = jobs.queue_length
	_stage.hud.show_engine(stats, int(Engine.get_frames_per_second()), 0.0 if get_tree().paused else SPEEDS[_speed])
	_stage.hud.show_jobs(_jobs_usec * 1e-3, jobs.late_jobs)
	_jobs_usec = 0.0


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.pressed or event.is_echo() or _stage == null:
		return
	match event.physical_keycode:
		KEY_SPACE:
			get_tree().paused = not get_tree().paused
		KEY_MINUS, KEY_KP_SUBTRACT:
			_set_speed(_speed - 1)
		KEY_EQUAL, KEY_PLUS, KEY_KP_ADD:
			_set_speed(_speed + 1)
		KEY_H:
			_stage.hud.visible = not _stage.hud.visible
		KEY_C:
			_stage.camera.look_at_place((Vector2(goal) + Vector2.ONE * 0.5) * map.tile_size, 0.5)
		KEY_F:
			if militia != null:
				_stage.camera.look_at_place(militia.get_place(), 1.0)
		KEY_R:
			get_tree().paused = false
			Engine.time_scale = 1.0
			get_tree().reload_current_scene()
		KEY_F11:
			var full := get_window().mode == Window.MODE_FULLSCREEN
			get_window().mode = Window.MODE_WINDOWED if full else Window.MODE_FULLSCREEN
		KEY_ESCAPE:
			_write_report()
			get_tree().quit()


func _on_brush_edited(rect: Rect2i, costs: PackedByteArray) -> void:
	map.set_costs(costs, rect)


func _on_wave_began(number: int) -> void:
	if arguments.ticks > 0:
		return
	warbands.muster(arguments.units)
	if _has_display:
		_stage.hud.announce("WAVE %d" % number, "the horns sound from the woods again")


func _on_village_fell(_index: int) -> void:
	if _has_display:
		_stage.brush.take_map(map.get_costs(), map.get_map_size())
		_stage.hud.announce("A VILLAGE HAS FALLEN", "its raiders march on to the keep; %d still stand" % villages.count_standing())


func _on_keep_fell(wave: int) -> void:
	if _has_display and arguments.ticks == 0:
		_stage.hud.announce("THE KEEP HAS FALLEN", "it held out until wave %d; press R to stand again" % wave, 12.0)


func _set_speed(index: int) -> void:
	_speed = clampi(index, 0, SPEEDS.size() - 1)
	Engine.time_scale = SPEEDS[_speed]


func _end() -> void:
	_ended = true
	_write_report()
	if not arguments.screenshot.is_empty():
		await _write_screenshot()
	get_tree().quit()


func _write_screenshot() -> void:
	if not _has_display:
		print("horde: no screenshot %s: this run has no display" % arguments.screenshot)
		return
	_stage.look_around()
	_fill_hud()
	await RunReport.write_screenshot("horde", get_viewport(), arguments.screenshot)


# Once, whichever comes first: the last tick, the window's closing, the end of the tree.
func _write_report() -> void:
	if _reported or not _playing or arguments.report.is_empty():
		return
	_reported = true
	var report: Dictionary = map.get_report()
	report["map"] = arguments.map.get_file() if not arguments.map.is_empty() else "keep"
	report["goal"] = [goal.x, goal.y]
	report["seed"] = arguments.seed
	RunReport.write("horde", report, arguments.report)


func _refuse(message: String) -> void:
	printerr("horde: %s" % message)
	get_tree().quit(2)
