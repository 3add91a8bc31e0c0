extends RefCounted
## What is seen of the game: land, camps, keep, brush, camera, HUD; made where there is a display, filled from the game's state.

const Land := preload("../shared/land.gd")
const Keep := preload("../shared/keep.gd")
const Camps := preload("../shared/camps.gd")
const Brush := preload("brush.gd")
const MapCamera := preload("../shared/camera.gd")
const Hud := preload("hud.gd")
const Minimap := preload("../shared/minimap.gd")
const Scouts := preload("scouts.gd")
const Siege := preload("siege.gd")
const Villages := preload("villages.gd")
const Warbands := preload("warbands.gd")

const SCOUT_FRAMES := 6  ## the horde's positions are looked at every so many frames

var land: Land
var keep: Keep
var brush: Brush
var camera: MapCamera
var hud: Hud

var _game: Node2D
var _tile_pixels := 16.0
var _scouts := Scouts.new()


## Adds what is seen to `game`. `terrain` says what each tile is; empty on maps that only have costs.
func show_game(game: Node2D, terrain: PackedByteArray) -> void:
	_game = game
	var map: Node = game.map
	var size: Vector2i = map.get_map_size()
	var costs: PackedByteArray = map.get_costs()
	_tile_pixels = map.tile_size.x
	var stronghold := Rect2i(game.goal - Vector2i.ONE * 3, Vector2i.ONE * 7)
	if not terrain.is_empty() and not game.arguments.has_goal:
		stronghold = bounds(map.get_goal_tiles()).grow(-1)
	land = Land.new()
	land.name = "Land"
	var overlay := land.show_map(costs, terrain, size, _tile_pixels, stronghold)
	game.add_child(land)
	game.move_child(land, 0)
	if not terrain.is_empty():
		var camps: Array[Rect2i] = []
		camps.assign(map.get_spawn_areas())
		var camp_pictures := Camps.new()
		camp_pictures.name = "Camps"
		camp_pictures.place(camps, _tile_pixels)
		game.add_child(camp_pictures)
		game.move_child(camp_pictures, 1)
	game.villages.show_on(land)
	keep = Keep.new()
	keep.name = "Keep"
	keep.place(Vector2(stronghold.position) + Vector2(stronghold.size) / 2.0, stronghold.size.x, _tile_pixels)
	game.add_child(overlay)
	game.add_child(keep)
	brush = Brush.new()
	brush.name = "Brush"
	brush.land = land
	brush.tile_pixels = _tile_pixels
	brush.protected = game.villages.get_grounds()
	brush.protected.append(stronghold.grow(2))
	brush.stones = Siege.STONES_AT_START
	brush.take_map(costs, size)
	game.add_child(brush)
	if game.militia != null:
		game.move_child(game.militia, -1)  # in front, and before the brush when it comes to clicks
	_show_camera(size)
	hud = Hud.new()
	hud.name = "Hud"
	game.add_child(hud)
	hud.minimap.show_land(land, (Vector2(stronghold.position) + Vector2(stronghold.size) / 2.0) / Vector2(size))
	hud.minimap.picked.connect(_on_picked)
	if game.arguments.ticks == 0:
		hud.announce("THE HORDE IS COMING", "paint walls to lead it astray, send the militia where villages burn")


func _show_camera(size: Vector2i) -> void:
	camera = MapCamera.new()
	camera.name = "Camera"
	var view := _game.get_viewport_rect().size
	var whole := minf(view.x / (size.x * _tile_pixels), view.y / (size.y * _tile_pixels))
	camera.bounds = Rect2(Vector2.ZERO, Vector2(size) * _tile_pixels)
	camera.smallest_zoom = whole * 0.9
	_game.add_child(camera)
	camera.make_current()
	if _game.arguments.has_view:
		camera.look_at_place(_game.arguments.view * _tile_pixels, _game.arguments.view_tile_pixels / _tile_pixels)
	else:
		camera.look_at_place(Vector2(size) * _tile_pixels / 2.0, whole * 1.04)


## A frame: what changed goes to the graphics card.
func refresh(frame: int) -> void:
	land.upload()
	if frame % SCOUT_FRAMES == 0:
		_look()


## A whole new picture of the horde for the minimap at once.
func look_around() -> void:
	for look in Scouts.ROUND:
		_look()


## Panels and minimap, from the state of the game.
func show_siege(siege: Siege) -> void:
	var warbands: Warbands = _game.warbands
	var left := warbands.get_left()
	brush.stones = mini(brush.stones + siege.take_stones(), Siege.MOST_STONES)
	var sealed_off := left > 0 and warbands.get_unreachable() * 2 > left
	keep.set_strength(siege.share())
	hud.show_keep("WAVE %d" % siege.wave, siege.sentence(sealed_off), siege.share())
	hud.show_horde(left, warbands.arrived, _game.arguments.units)
	var villages: Villages = _game.villages
	if not villages.list.is_empty():
		hud.show_realm(villages.count_standing(), villages.list.size(), warbands.slain)
		if _game.militia != null:
			hud.show_militia(_game.militia.get_agent_count(), _game.militia.get_state())
	hud.minimap.show_places(_places())
	hud.show_brush(brush.brush_size, brush.stones, brush.endless_stones)
	var shown := camera.get_viewport_rect().size / camera.zoom
	var extent := Vector2(land.size) * _tile_pixels
	hud.minimap.show_frame(Rect2((camera.position - shown / 2.0) / extent, shown / extent))


# What the minimap marks: place 0..1 on both axes, and what is there.
func _places() -> Array[Vector3]:
	var places: Array[Vector3] = []
	var scale := Vector2.ONE / Vector2(land.size)
	var villages: Villages = _game.villages
	var militia: Node2D = _game.militia
	for index in villages.list.size():
		var where := Vector2(villages.get_centre(index)) * scale
		places.append(Vector3(where.x, where.y, Minimap.VILLAGE if villages.is_standing(index) else Minimap.RUIN))
	if militia != null and militia.get_agent_count() > 0:
		var where: Vector2 = militia.get_place() / _tile_pixels * scale
		places.append(Vector3(where.x, where.y, Minimap.MILITIA))
	return places


func _look() -> void:
	_scouts.look(_game.warbands.bands, land, hud.minimap, _tile_pixels)


func _on_picked(place: Vector2) -> void:
	camera.look_at_place(place * Vector2(land.size) * _tile_pixels, camera.zoom.x)


## The smallest rectangle around tiles.
static func bounds(tiles: Array) -> Rect2i:
	var found := Rect2i(tiles[0], Vector2i.ONE)
	for tile: Vector2i in tiles:
		found = found.merge(Rect2i(tile, Vector2i.ONE))
	return found
