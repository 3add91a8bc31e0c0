extends RefCounted
## What is seen of the game: land, the dead, units, towers, keep, missiles, the player's marks, camera, HUD. Made where there is a display.

const Bridges := preload("bridges.gd")
const Commander := preload("commander.gd")
const Corps := preload("corps.gd")
const Camps := preload("../shared/camps.gd")
const Fallen := preload("fallen.gd")
const Hud := preload("hud.gd")
const Keep := preload("../shared/keep.gd")
const Land := preload("../shared/land.gd")
const Level := preload("level.gd")
const MapCamera := preload("../shared/camera.gd")
const Missiles := preload("missiles.gd")
const Towers := preload("towers.gd")
const Works := preload("works.gd")

const HUD_SECONDS := 0.15
const MAP_SECONDS := 0.5
const FIRST_ZOOM := 1.45

var land: Land
var keep: Keep
var towers := Towers.new()
var missiles := Missiles.new()
var commander := Commander.new()
var camera := MapCamera.new()
var hud := Hud.new()

var _game: Node2D
var _pixels := 16.0
var _fallen: Array[Fallen] = []
var _hud_wait := 0.0
var _map_wait := 0.0


func show_game(game: Node2D) -> void:
	_game = game
	_pixels = game.map.tile_size.x
	land = Land.new()
	var overlay := land.show_map(game.map.get_costs(), game.level.terrain, Level.SIZE, _pixels, Level.KEEP)
	game.add_child(land)
	game.move_child(land, 0)
	var camps := Camps.new()
	camps.place(Level.CAMPS, _pixels)
	game.add_child(camps)
	game.move_child(camps, 1)
	var bridges := Bridges.new()
	bridges.tile_pixels = _pixels
	game.add_child(bridges)
	game.move_child(bridges, 2)
	for one: Corps in game.battle.corps:
		var fallen := Fallen.new()
		fallen.lay_out(one, _pixels)
		_fallen.append(fallen)
		game.add_child(fallen)
		game.move_child(fallen, 3)
		one.dress(_pixels)
	game.add_child(overlay)
	towers.works = game.works
	game.add_child(towers)
	keep = Keep.new()
	keep.place(Vector2(Level.KEEP.position) + Vector2(Level.KEEP.size) / 2.0, Level.KEEP.size.x, _pixels)
	game.add_child(keep)
	game.add_child(missiles)
	_show_camera()
	commander.game = game
	commander.camera = camera
	game.add_child(commander)
	hud.game = game
	hud.commander = commander
	game.add_child(hud)
	hud.minimap.show_land(land, (Vector2(Level.KEEP.get_center()) + Vector2.ONE * 0.5) / Vector2(Level.SIZE))
	hud.minimap.picked.connect(func(place: Vector2) -> void: camera.look_at_place(place * Vector2(Level.SIZE) * _pixels, camera.zoom.x))
	hud.minimap.sent.connect(func(place: Vector2) -> void: commander.send_to(place * Vector2(Level.SIZE) * _pixels))
	game.battle.struck_down.connect(_on_struck_down)
	game.battle.loosed.connect(_on_loosed)
	game.battle.burst.connect(func(place: Vector2, radius: float) -> void: missiles.burst(place, radius, game.battle.tick))
	game.works.built.connect(_on_built)
	if game.arguments.ticks == 0:
		hud.announce("HOLD THE KEEP", "drag to select, right click to send; the first raiders are on their way", 5.0)


func _show_camera() -> void:
	var view := _game.get_viewport_rect().size
	var extent := Vector2(Level.SIZE) * _pixels
	camera.has_letters = false
	camera.bounds = Rect2(Vector2.ZERO, extent)
	camera.smallest_zoom = maxf(view.x / extent.x, view.y / extent.y) * 0.8
	camera.largest_zoom = 4.0
	_game.add_child(camera)
	camera.make_current()
	if _game.arguments.has_view:
		camera.look_at_place(_game.arguments.view * _pixels, _game.arguments.view_tile_pixels / _pixels)
	else:
		camera.look_at_place(Vector2(Level.TOWN.end.x + 8, Level.KEEP.get_center().y) * _pixels, FIRST_ZOOM)


## A frame.
func refresh(delta: float) -> void:
	var tick: int = _game.battle.tick
	var now := tick + Engine.get_physics_interpolation_fraction() * float(not _game.get_tree().paused)
	land.upload()
	for one: Corps in _game.battle.corps:
		one.upload(now)
	for fallen in _fallen:
		fallen.show_time(now)
	missiles.show_time(now)
	towers.refresh(tick)
	var work: Works.Work = _game.works.get_keep()
	keep.set_strength(work.health / work.most)
	var real := delta / maxf(Engine.time_scale, 0.01)
	_hud_wait -= real
	if _hud_wait <= 0.0:
		_hud_wait = HUD_SECONDS
		hud.refresh()
	_map_wait -= real
	if _map_wait <= 0.0:
		_map_wait = MAP_SECONDS
		_mark_map()


func _mark_map() -> void:
	var scale := Vector2.ONE / (Vector2(Level.SIZE) * _pixels)
	for one: Corps in _game.battle.corps:
		if one.alive == 0:
			continue
		var stride := maxi(one.alive / 300, 1)
		for id in range(0, one.health.size(), stride):
			if one.health[id] > 0.0:
				hud.minimap.mark(one.places[id] * scale, one.team == 0)
				if one.team == 1:
					land.tread(one.places[id] / _pixels, 4)
	hud.minimap.show_marks()
	land.upload_trodden()
	var places: Array[Vector3] = []
	for work: Works.Work in _game.works.list.slice(1, 9):
		if work.health > 0.0:
			places.append(Vector3(work.area.get_center().x * scale.x, work.area.get_center().y * scale.y, 3.0))
	hud.minimap.show_places(places)
	var shown := camera.get_viewport_rect().size / camera.zoom
	hud.minimap.show_frame(Rect2((camera.position - shown / 2.0) * scale, shown * scale))


func show_wave(number: int, foes: int) -> void:
	hud.announce("WAVE %d" % number, "%s raiders leave their camps" % hud.grouped(foes), 3.0)


func show_razed(index: int) -> void:
	towers.show_razed(_game.works.list[index].area)


func show_end(is_won: bool) -> void:
	hud.show_end(is_won)


func _on_struck_down(corps: Corps, id: int, place: Vector2) -> void:
	_fallen[corps.index].add(place, id, _game.battle.tick)


func _on_loosed(from: Vector2, to: Vector2, ticks: int, is_stone: bool) -> void:
	missiles.loose(from, to, _game.battle.tick, ticks, is_stone)


func _on_built(rect: Rect2i, kind: int) -> void:
	if kind == Works.WALL:
		land.build(rect.position)
