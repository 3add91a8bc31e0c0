extends Node2D
## A slice of a game on the homing grid: a lantern in a court at night, swarms of bugs that come for it, fireflies by the hundred that
## find them by the arrows of the grid.
##
## The addon does the homing: `Grid` (HomingGrid2D) holds the arrows and the glow, `Fireflies` (HomingProjectiles2D) all fireflies and
## their picture; each bug, each ward and the well is a HomingSource2D. This script wires the game around them.

const RunArguments := preload("run_arguments.gd")
const Ship := preload("ship.gd")
const Swarm := preload("swarm.gd")
const Wards := preload("wards.gd")
const Lures := preload("lures.gd")
const Well := preload("well.gd")
const Waves := preload("waves.gd")
const Pilot := preload("pilot.gd")
const Stage := preload("stage.gd")
const RunReport := preload("res://scenes/shared/run_report.gd")

const CHAIN_SECONDS := 2.2
const CHAIN_STEP := 8  ## bugs in a chain for the next multiple
const MOST_CHAIN := 9
const BURST_REACH := 210.0
const BURST_DAMAGE := 60.0
const RAM_DAMAGE := 30.0
const PICK_DISTANCE := 46.0  ## px round the pointer in which a click finds something to flip
const FLAME_WORTH := 500  ## at dawn
const FLAME_EVERY := 2  ## waves until a flame is lit again
const MORE_A_WAVE := 1  ## fireflies a volley
const MOST_A_VOLLEY := 20

@onready var world: Node2D = $World
@onready var grid: Node2D = $World/Grid
@onready var fireflies: Node2D = $World/Grid/Fireflies
@onready var kept: Node2D = $World/Grid/Kept  ## what the well holds

var arguments: RunArguments
var bounds := Rect2()
var ship := Ship.new()
var swarm := Swarm.new()
var wards := Wards.new()
var lures := Lures.new()
var well := Well.new()
var waves: Waves

var ticks := 0
var score := 0
var killed := 0
var shot := 0
var hits := 0
var chain := 0
var over := false  ## the lantern is out, or it is dawn
var won := false
var is_ready := false

var _stage: Stage  ## null: nothing is shown
var _pilot: Pilot  ## null: the player plays
var _held_keys: Dictionary[Key, bool] = {}
var _fires := false
var _pointer := Vector2.ZERO  ## world
var _chain_left := 0.0
var _ended := false


func _ready() -> void:
	arguments = RunArguments.new(OS.get_cmdline_user_args())
	if not arguments.error.is_empty():
		printerr("homing: %s" % arguments.error)
		get_tree().quit(2)
		return
	var random := RandomNumberGenerator.new()
	random.seed = arguments.seed
	bounds = grid.area
	waves = Waves.new(bounds, random)
	ship.position = bounds.get_center() + Vector2(-260, 60)
	well.position = bounds.get_center() + Vector2(170, -20)
	swarm.settle(grid, random)
	wards.settle(grid)
	lures.settle(grid)
	for node: Node2D in [wards, lures, swarm, ship]:
		world.add_child(node)
	world.add_child(well)
	world.move_child(well, 0)
	well.settle(grid, kept)
	if arguments.ticks > 0:
		_pilot = Pilot.new()
	if DisplayServer.get_name() != "headless":
		_stage = Stage.new()
		_stage.show_game(self)
		if arguments.ticks > 0 and not arguments.screenshot.is_empty():
			_stage.draw_only_the_end(arguments.ticks)
	fireflies.hit.connect(_on_hit)
	fireflies.caught.connect(well.take.bind(fireflies))
	swarm.died.connect(_on_died)
	swarm.wants_ward.connect(wards.spin)
	wards.burst.connect(_on_burst)
	lures.burst.connect(_on_burst)
	ship.was_hurt.connect(_on_hurt)
	waves.began.connect(_on_wave_began)
	waves.swarm_comes.connect(_on_swarm_comes)
	waves.ended.connect(_on_dawn)
	is_ready = true


func _physics_process(delta: float) -> void:
	if not is_ready or _ended or get_tree().paused:
		return
	ticks += 1
	if over:
		well.advance(delta)
		wards.advance(delta)
		lures.advance(delta)
	else:
		_play(delta)
	_chain_left -= delta
	if _chain_left <= 0.0:
		chain = 0
	if arguments.ticks > 0 and ticks >= arguments.ticks:
		_end()


func _play(delta: float) -> void:
	var wanted := _wanted_way()
	var fires := _fires
	if _pilot != null:
		_pilot.think(ship.position, swarm, bounds)
		wanted = _pilot.move
		_pointer = _pilot.aim
		fires = not swarm.bugs.is_empty()
		if well.held >= 60:
			loose_well()
		for ward in wards.wards:
			if ward.lit_for < 0.0 and ward.age > 1.5:
				flip_at(ward.picture.position)
		if swarm.bugs.size() > 12:
			place_lure(_pointer)
	ship.advance(delta, wanted, _pointer, bounds)
	if fires:
		shot += ship.fire(fireflies)
	waves.advance(delta, swarm, swarm.bugs.size())
	wards.advance(delta)
	lures.advance(delta)
	well.advance(delta)
	var touching := swarm.advance(delta, ship.position, Ship.RADIUS, lures)
	if touching != null and ship.hurt(touching.place):
		swarm.hurt(touching, RAM_DAMAGE)


func _process(delta: float) -> void:
	if is_ready and _stage != null:
		_stage.refresh(0.0 if get_tree().paused else delta)


## Sets a false light down, inside the court. False while the last one was too short ago.
func place_lure(place: Vector2) -> bool:
	return lures.place(place.clamp(bounds.position, bounds.end))


## Flips the polarity of the source next to a place (world): a false light, a ward, or a bug. False if there is none.
func flip_at(place: Vector2) -> bool:
	for lure in lures.lures:
		if lure.picture.position.distance_to(place) < PICK_DISTANCE:
			lures.flip(lure)
			return true
	var nearest := PICK_DISTANCE
	var ward: Wards.Ward = null
	for one in wards.wards:
		if one.picture.position.distance_to(place) < nearest:
			nearest = one.picture.position.distance_to(place)
			ward = one
	if ward != null:
		wards.flip(ward)
		return true
	var bug: Swarm.Bug = null
	for one in swarm.bugs:
		if one.place.distance_to(place) < nearest:
			nearest = one.place.distance_to(place)
			bug = one
	if bug == null:
		return false
	bug.source.power = -bug.source.power
	return true


## Looses all fireflies that the well holds. Returns how many.
func loose_well() -> int:
	var loosed := well.loose(fireflies)
	if loosed > 0 and _stage != null:
		_stage.show_loosed(well.position, loosed)
	return loosed


func _wanted_way() -> Vector2:
	var way := Vector2.ZERO
	way.x += float(_is_held(KEY_D, KEY_RIGHT)) - float(_is_held(KEY_A, KEY_LEFT))
	way.y += float(_is_held(KEY_S, KEY_DOWN)) - float(_is_held(KEY_W, KEY_UP))
	return way


func _is_held(one: Key, other: Key) -> bool:
	return _held_keys.get(one, false) or _held_keys.get(other, false)


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouse:
		_pointer = get_viewport().get_canvas_transform().affine_inverse() * event.position
	if event is InputEventMouseButton:
		match event.button_index:
			MOUSE_BUTTON_LEFT:
				_fires = event.pressed
			MOUSE_BUTTON_RIGHT:
				if event.pressed and not over:
					flip_at(_pointer)


func _unhandled_key_input(event: InputEvent) -> void:
	_held_keys[event.physical_keycode] = event.pressed
	if not event.pressed or event.is_echo():
		return
	match event.physical_keycode:
		KEY_SPACE:
			if not over:
				loose_well()
		KEY_E:
			if not over:
				place_lure(_pointer)
		KEY_V:
			grid.debug_draw = not grid.debug_draw
		KEY_G:
			grid.show_glow = not grid.show_glow
		KEY_X:
			grid.far_field = 1 - grid.far_field
		KEY_P:
			get_tree().paused = not get_tree().paused
		KEY_H:
			if _stage != null:
				_stage.hud.visible = not _stage.hud.visible
		KEY_R:
			get_tree().paused = false
			get_tree().reload_current_scene()
		KEY_F11:
			var full := get_window().mode == Window.MODE_FULLSCREEN
			get_window().mode = Window.MODE_WINDOWED if full else Window.MODE_FULLSCREEN
		KEY_ESCAPE:
			get_tree().quit()


func _notification(what: int) -> void:
	if what == NOTIFICATION_APPLICATION_FOCUS_OUT:  # keys that are let go elsewhere are not told of
		_held_keys.clear()
		_fires = false


func _on_hit(_projectiles: PackedInt64Array, sources: Array, places: PackedVector2Array) -> void:
	hits += sources.size()
	for index in sources.size():
		var source: Node = sources[index]
		if source == null:
			continue
		if _stage != null:
			_stage.show_hit(places[index])
		var bug := swarm.get_bug(source)
		if bug != null:
			bug.velocity += (bug.place - ship.position).normalized() * 260.0 / swarm.RADIUS[bug.kind]
			swarm.hurt(bug, 1.0)
			continue
		var ward := wards.get_ward(source)
		if ward != null:
			wards.swallow(ward)


func _on_died(bug: Swarm.Bug) -> void:
	killed += 1
	chain += 1
	_chain_left = CHAIN_SECONDS
	score += Swarm.WORTH[bug.kind] * get_multiple()
	if _stage != null:
		_stage.show_death(bug)


## What a bug's worth is multiplied by.
func get_multiple() -> int:
	return mini(1 + chain / CHAIN_STEP, MOST_CHAIN)


func get_chain_share() -> float:
	return clampf(_chain_left / CHAIN_SECONDS, 0.0, 1.0)


func _on_burst(place: Vector2) -> void:
	swarm.hurt_around(place, BURST_REACH, BURST_DAMAGE)
	if _stage != null:
		_stage.show_burst(place, BURST_REACH)


func _on_hurt(left: int) -> void:
	chain = 0
	if _stage != null:
		_stage.show_hurt(ship.position)
	if left == 0:
		over = true
		ship.hide()
		if _stage != null:
			_stage.show_over(score, waves.number)


func _on_dawn() -> void:
	over = true
	won = true
	score += FLAME_WORTH * ship.flames
	if _stage != null:
		_stage.show_dawn(score, ship.flames)


func _on_wave_began(number: int) -> void:
	if number > 1:
		if number % FLAME_EVERY == 0:
			ship.flames = mini(ship.flames + 1, Ship.MOST_FLAMES)
		ship.volley = mini(ship.volley + MORE_A_WAVE, MOST_A_VOLLEY)
	if _stage != null:
		_stage.show_wave(number, number % FLAME_EVERY == 0)


func _on_swarm_comes(place: Vector2) -> void:
	if _stage != null:
		_stage.show_warning(place)


func _end() -> void:
	_ended = true
	if not arguments.report.is_empty():
		RunReport.write("homing", _get_report(), arguments.report)
	if not arguments.screenshot.is_empty():
		if _stage == null:
			print("homing: no screenshot %s: this run has no display" % arguments.screenshot)
		else:
			await RunReport.write_screenshot("homing", get_viewport(), arguments.screenshot)
	get_tree().quit()


func _get_report() -> Dictionary:
	return {
		ticks = ticks, seed = arguments.seed, score = score, wave = waves.number, killed = killed, shot = shot, hits = hits,
		flames = ship.flames, over = over, won = won, bugs = swarm.bugs.size(), fireflies = fireflies.get_count(), held = well.held,
		state_hash = grid.get_state_hash(),
	}
