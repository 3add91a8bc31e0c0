extends Node2D
## The demo: 65,535 raiders stream over a map to a keep, and the player's walls send them another way.
##
## The heavy work is the addon's: `Map` (FlowFieldMap2D) holds the tiles, `Horde` (FlowFieldCrowd2D) the agents and their picture. This script
## wires the game around them: arguments, camera, brush, keep, waves, what the player reads, and the report of a measured run.

const RunArguments := preload("run_arguments.gd")
const Land := preload("land.gd")
const Keep := preload("keep.gd")
const Camps := preload("camps.gd")
const Brush := preload("brush.gd")
const Siege := preload("siege.gd")
const MapCamera := preload("camera.gd")
const Hud := preload("hud.gd")

const HUD_SECONDS := 0.2
const SCOUT_FRAMES := 6  ## the horde's positions are looked at every so many frames
const SCOUTS := 500  ## and so many of them each time
const SCOUT_ROUND := 10  ## looks until the minimap shows a new picture
const SCOUT_STRIDE := 7919  ## a prime, so that a few looks are spread over all ids
const SCOUT_WEAR := 5
const SPEEDS: Array[float] = [0.25, 0.5, 1.0, 2.0, 4.0]
const CODE_SOURCE := 0
const MAP_FILE_SOURCE := 3

@onready var map: Node = $Map
@onready var horde: Node = $Horde
@onready var jobs: Node = $Jobs

var arguments: RunArguments
var ticks := 0
var goal := Vector2i.ZERO

var _land: Land
var _keep: Keep
var _brush: Brush
var _siege: Siege
var _camera: MapCamera
var _hud: Hud
var _map_source := CODE_SOURCE
var _map_size := Vector2i.ONE
var _tile_pixels := 16.0
var _has_display := false
var _playing := false
var _ended := false
var _reported := false
var _arrived_before := 0
var _hud_wait := 0.0
var _jobs_usec := 0.0
var _speed := 2
var _frame := 0
var _scout := 0
var _looks := 0


func _enter_tree() -> void:
	# Before the children: the map node must know its map when it gets ready.
	process_physics_priority = 1000
	arguments = RunArguments.new(OS.get_cmdline_user_args())
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
	var curtain := _curtain()
	for frame in 2:
		await get_tree().process_frame
	map.size = _map_size
	map.cost_source = _map_source
	_begin()
	curtain.queue_free()


# What is seen while the land is raised.
func _curtain() -> CanvasLayer:
	var layer := CanvasLayer.new()
	var ground := ColorRect.new()
	ground.color = Color(0.055, 0.075, 0.11)
	ground.set_anchors_preset(Control.PRESET_FULL_RECT)
	var words := Label.new()
	words.text = "The horns sound from the woods ..."
	words.add_theme_font_size_override(&"font_size", 26)
	words.add_theme_color_override(&"font_color", Color(0.93, 0.78, 0.42))
	words.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	words.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	words.set_anchors_preset(Control.PRESET_FULL_RECT)
	layer.layer = 100
	layer.add_child(ground)
	layer.add_child(words)
	add_child(layer)
	return layer


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
	_tile_pixels = map.tile_size.x
	_siege = Siege.new()
	_siege.wave_began.connect(_on_wave_began)
	_siege.keep_fell.connect(_on_keep_fell)
	_muster(arguments.units)
	map.start_recording(arguments.ticks if arguments.ticks > 0 else 36000)
	get_window().close_requested.connect(_write_report)
	$LastWords.tree_exiting.connect(_write_report)
	if _has_display:
		_show_game(size)
	_playing = true
	# Only the last frame of a run for a picture is wanted: software drawing takes far longer than the ticks.
	if _has_display and arguments.ticks > 0 and not arguments.screenshot.is_empty():
		RenderingServer.render_loop_enabled = false


func _physics_process(delta: float) -> void:
	if not _playing or _ended or get_tree().paused:
		return
	ticks += 1
	_jobs_usec = maxf(_jobs_usec, jobs.last_usec)
	var arrived: int = horde.get_arrived_count()
	var left: int = horde.get_agent_count()
	# A measured run is one wave: its report counts the arrivals of all its units.
	if arguments.ticks == 0 or left > 0:
		_siege.advance(delta, maxi(arrived - _arrived_before, 0), left)
	_arrived_before = arrived
	if arguments.ticks > 0 and ticks >= arguments.ticks:
		_end()


func _process(delta: float) -> void:
	if not _playing or not _has_display:
		return
	_frame += 1
	_land.upload()
	if _frame % SCOUT_FRAMES == 0:
		_look_at_horde()
	_hud_wait -= delta / maxf(Engine.time_scale, 0.01)
	if _hud_wait <= 0.0:
		_hud_wait = HUD_SECONDS
		_fill_hud()


func _unhandled_key_input(event: InputEvent) -> void:
	if not event.pressed or event.is_echo() or not _playing:
		return
	match event.physical_keycode:
		KEY_SPACE:
			get_tree().paused = not get_tree().paused
		KEY_MINUS, KEY_KP_SUBTRACT:
			_set_speed(_speed - 1)
		KEY_EQUAL, KEY_PLUS, KEY_KP_ADD:
			_set_speed(_speed + 1)
		KEY_H:
			_hud.visible = not _hud.visible
		KEY_C:
			_camera.look_at_place((Vector2(goal) + Vector2.ONE * 0.5) * _tile_pixels, 0.5)
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


# Sends `count` raiders off: from the generator's camps where the map has some, else from everywhere that has a way to the goal.
func _muster(count: int) -> void:
	var tiles: Array[Vector2i] = [goal]
	var camps := _camps()
	if arguments.map.is_empty() and not arguments.has_goal:
		tiles.assign(map.get_goal_tiles())
	horde.clear()
	horde.set_goal_tiles(tiles)
	if camps.is_empty():
		horde.spawn_in(count)
	for index in camps.size():
		var share := count * (index + 1) / camps.size() - count * index / camps.size()
		if share > 0:
			horde.spawn_in(share, camps[index])
	_arrived_before = horde.get_arrived_count()


func _camps() -> Array[Rect2i]:
	var camps: Array[Rect2i] = []
	if arguments.map.is_empty():
		camps.assign(map.get_spawn_areas())
	return camps


func _show_game(size: Vector2i) -> void:
	var costs: PackedByteArray = map.get_costs()
	var terrain := PackedByteArray()
	var stronghold := Rect2i(goal - Vector2i.ONE * 3, Vector2i.ONE * 7)
	if arguments.map.is_empty():
		terrain = map.get_terrain()
		if not arguments.has_goal:
			stronghold = _bounds(map.get_goal_tiles()).grow(-1)
	_land = Land.new()
	_land.name = "Land"
	var overlay := _land.show_map(costs, terrain, size, _tile_pixels, stronghold)
	add_child(_land)
	move_child(_land, 0)
	if arguments.map.is_empty():
		var camps := Camps.new()
		camps.name = "Camps"
		camps.place(_camps(), _tile_pixels)
		add_child(camps)
		move_child(camps, 1)
	_keep = Keep.new()
	_keep.name = "Keep"
	_keep.place(Vector2(stronghold.position) + Vector2(stronghold.size) / 2.0, stronghold.size.x, _tile_pixels)
	add_child(overlay)
	add_child(_keep)
	_brush = Brush.new()
	_brush.name = "Brush"
	_brush.land = _land
	_brush.tile_pixels = _tile_pixels
	_brush.protected = stronghold.grow(2)
	_brush.stones = Siege.STONES_AT_START
	_brush.take_map(costs, size)
	_brush.edited.connect(_on_brush_edited)
	add_child(_brush)
	_camera = MapCamera.new()
	_camera.name = "Camera"
	var view := get_viewport_rect().size
	var whole := minf(view.x / (size.x * _tile_pixels), view.y / (size.y * _tile_pixels))
	_camera.bounds = Rect2(Vector2.ZERO, Vector2(size) * _tile_pixels)
	_camera.smallest_zoom = whole * 0.9
	add_child(_camera)
	_camera.make_current()
	if arguments.has_view:
		_camera.look_at_place(arguments.view * _tile_pixels, arguments.view_tile_pixels / _tile_pixels)
	else:
		_camera.look_at_place(Vector2(size) * _tile_pixels / 2.0, whole * 1.04)
	_hud = Hud.new()
	_hud.name = "Hud"
	add_child(_hud)
	_hud.minimap.show_land(_land, (Vector2(stronghold.position) + Vector2(stronghold.size) / 2.0) / Vector2(size))
	_hud.minimap.picked.connect(_on_minimap_picked)
	if arguments.ticks == 0:
		_hud.announce("THE HORDE IS COMING", "paint walls to lead it astray; masons mend the gate all the while")


func _fill_hud() -> void:
	var stats: Dictionary = map.get_stats()
	var left: int = horde.get_agent_count()
	_brush.stones = mini(_brush.stones + _siege.take_stones(), Siege.MOST_STONES)
	var sealed_off: bool = left > 0 and horde.get_unreachable_count() * 2 > left
	_keep.set_strength(_siege.share())
	_hud.show_keep("WAVE %d" % _siege.wave, _siege.sentence(sealed_off), _siege.share())
	_hud.show_horde(left, _arrived_before, arguments.units)
	_hud.show_engine(
		stats.get("tick_ms", 0.0),
		int(Engine.get_frames_per_second()),
		jobs.queue_length,
		stats.get("threads", 0),
		0.0 if get_tree().paused else SPEEDS[_speed]
	)
	_hud.show_jobs(_jobs_usec * 1e-3, jobs.late_jobs)
	_jobs_usec = 0.0
	_hud.show_brush(_brush.brush_size, _brush.stones, _brush.endless_stones)
	var shown := _camera.get_viewport_rect().size / _camera.zoom
	var extent := Vector2(_land.size) * _tile_pixels
	_hud.minimap.show_frame(Rect2((_camera.position - shown / 2.0) / extent, shown / extent))


# A sample of the horde, a little each time: for the minimap, and for the grass that it treads down.
func _look_at_horde() -> void:
	var positions: PackedVector2Array = horde.get_positions()
	var count := positions.size()
	if count == 0:
		return
	var to_map := Vector2.ONE / (Vector2(_land.size) * _tile_pixels)
	var to_tiles := 1.0 / _tile_pixels
	var minimap := _hud.minimap
	for look in mini(SCOUTS, count):
		_scout = (_scout + SCOUT_STRIDE) % count
		var place := positions[_scout]
		minimap.mark(place * to_map)
		_land.tread(place * to_tiles, SCOUT_WEAR)
	_looks += 1
	if _looks >= SCOUT_ROUND:
		_looks = 0
		minimap.show_marks()
		_land.upload_trodden()


func _on_brush_edited(rect: Rect2i, costs: PackedByteArray) -> void:
	map.set_costs(costs, rect)


func _on_minimap_picked(place: Vector2) -> void:
	_camera.look_at_place(place * Vector2(_land.size) * _tile_pixels, _camera.zoom.x)


func _on_wave_began(number: int) -> void:
	if arguments.ticks > 0:
		return
	_muster(arguments.units)
	if _has_display:
		_hud.announce("WAVE %d" % number, "the horns sound from the woods again")


func _on_keep_fell(wave: int) -> void:
	if _has_display and arguments.ticks == 0:
		_hud.announce("THE KEEP HAS FALLEN", "it held out until wave %d; press R to stand again" % wave, 12.0)


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
	for look in SCOUT_ROUND:
		_look_at_horde()
	_fill_hud()
	RenderingServer.render_loop_enabled = true
	for frame in 3:
		await RenderingServer.frame_post_draw
	var failed := get_viewport().get_texture().get_image().save_png(arguments.screenshot)
	if failed == OK:
		print("horde: screenshot %s" % arguments.screenshot)
	else:
		printerr("horde: could not write the screenshot %s: %s" % [arguments.screenshot, error_string(failed)])


# Once, whichever comes first: the last tick, the window's closing, the end of the tree.
func _write_report() -> void:
	if _reported or not _playing or arguments.report.is_empty():
		return
	_reported = true
	var report: Dictionary = map.get_report()
	report["map"] = arguments.map.get_file() if not arguments.map.is_empty() else "keep"
	report["goal"] = [goal.x, goal.y]
	report["seed"] = arguments.seed
	var file := FileAccess.open(arguments.report, FileAccess.WRITE)
	if file == null:
		printerr("horde: could not write the report %s: %s" % [arguments.report, error_string(FileAccess.get_open_error())])
		return
	file.store_string(JSON.stringify(report, "  ") + "\n")
	file.close()
	print("horde: report %s" % arguments.report)


func _bounds(tiles: Array) -> Rect2i:
	var found := Rect2i(tiles[0], Vector2i.ONE)
	for tile: Vector2i in tiles:
		found = found.merge(Rect2i(tile, Vector2i.ONE))
	return found


func _refuse(message: String) -> void:
	printerr("horde: %s" % message)
	get_tree().quit(2)
