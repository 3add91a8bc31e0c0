extends Node2D
## The player's militia: a crowd that goes where the player sends it, around whatever walls stand. It cuts down raiders within its reach and
## loses men to them; standing villages send recruits to the keep.
##
## Draws its banner, and where it has been sent.

signal ordered(place: Vector2)
signal lost()

const Warbands := preload("warbands.gd")
const BANNER := preload("../shared/art/banner.svg")
const STRENGTH := 600
const SPEED := 120.0  ## pixels a second
const REACH := 10.0  ## tiles around the banner
const BANNER_STRAY := 5.0  ## tiles from the middle of the men at which another one takes the banner
const STRIKE_TICKS := 10
const STRIKES := 0.05  ## raiders that a man cuts down, a strike
const WORTH := 5.0  ## raiders for a man
const RECRUITS := 0.25  ## that a standing village sends, a strike
const BANNER_TILES := 3.6
const LEAST_SCREEN := 24.0  ## pixels
const INK := Color(0.05, 0.06, 0.08, 0.75)
const BLUE := Color(0.55, 0.80, 1.0)

var crowd: Node
var target := Vector2.ZERO  ## of the last order

var _map: Node
var _pixels := 16.0
var _home := Rect2i()
var _ticks := 0
var _bearer := -1  ## who has the banner
var _wounds := 0.0
var _recruits := 0.0
var _aims := false


## Gathers at `home` (tiles) and goes to `post`.
func gather(vanguard: Node, home: Rect2i, post: Vector2i) -> void:
	_map = vanguard.map
	_pixels = _map.tile_size.x
	_home = home
	crowd = Warbands.make_crowd(vanguard, "MilitiaMen", 1)
	crowd.on_arrival = Warbands.STOP
	crowd.speed = SPEED
	order((Vector2(post) + Vector2.ONE * 0.5) * _pixels)
	crowd.spawn_in(STRENGTH, home)


## Sends all to a place (pixels), or to the nearest place to it that they can reach. False outside the map.
func order(place: Vector2) -> bool:
	var tile := Vector2i((place / _pixels).floor())
	if not _map.is_inside(tile):
		return false
	if _map.get_cost(tile) == 0:
		tile = _map.get_nearest_free_tile(tile)
		place = (Vector2(tile) + Vector2.ONE * 0.5) * _pixels
	if tile.x < 0:
		return false
	target = place
	crowd.set_goal(place)
	ordered.emit(place)
	queue_redraw()
	return true


## A tick of fighting and recruiting.
func advance(warbands: Warbands, villages_standing: int) -> void:
	_ticks += 1
	if _ticks % STRIKE_TICKS != 0:
		return
	var men := get_agent_count()
	if men > 0:
		_pass_banner()
		var slain := warbands.strike(get_place(), REACH * _pixels, maxi(int(men * STRIKES), 1))
		_wounds += slain / WORTH
		_lose(int(_wounds))
		_wounds -= int(_wounds)
		if get_agent_count() == 0:
			lost.emit()
	_recruits = minf(_recruits + RECRUITS * villages_standing, maxf(STRENGTH - get_agent_count(), 0.0))
	if _recruits >= 20.0:
		_recruits -= crowd.spawn_in(20, _home).size()


func get_agent_count() -> int:
	return crowd.get_agent_count()


## Where the banner is (pixels): with a man in the middle of all.
func get_place() -> Vector2:
	if get_agent_count() == 0:
		return target
	if crowd.get_agent_state(_bearer) < 0:
		_bearer = crowd.get_agent_ids()[0]
	return crowd.get_positions()[_bearer]


## What the militia is doing, in words for the player.
func get_state() -> String:
	var men := get_agent_count()
	if men == 0:
		return "fallen"
	if crowd.get_unreachable_count() * 2 > men:
		return "finds no way"
	return "holds" if crowd.get_arrived_count() * 2 > men else "marches"


func _pass_banner() -> void:
	var positions: PackedVector2Array = crowd.get_positions()
	var ids: PackedInt32Array = crowd.get_agent_ids()
	var middle := Vector2.ZERO
	for id in ids:
		middle += positions[id]
	middle /= ids.size()
	if get_place().distance_to(middle) > BANNER_STRAY * _pixels:
		_bearer = crowd.get_nearest_agent(middle)


func _lose(men: int) -> void:
	if men > 0:
		var ids: PackedInt32Array = crowd.get_agent_ids()
		crowd.remove(ids.slice(maxi(ids.size() - men, 0)))


func _unhandled_input(event: InputEvent) -> void:
	var button := event as InputEventMouseButton
	if button != null and button.pressed and button.shift_pressed and button.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		order(get_canvas_transform().affine_inverse() * button.position)
		get_viewport().set_input_as_handled()


func _process(_delta: float) -> void:
	_aims = Input.is_key_pressed(KEY_SHIFT)
	queue_redraw()


func _draw() -> void:
	if crowd == null:
		return
	var zoom := get_canvas_transform().get_scale().x
	if get_agent_count() > 0:
		if get_state() != "holds":
			_draw_target(target, zoom, 0.85)
		var wide := maxf(BANNER_TILES * _pixels, LEAST_SCREEN / zoom)
		var tall := wide * BANNER.get_height() / BANNER.get_width()
		draw_texture_rect(BANNER, Rect2(get_place() - Vector2(wide * 0.28, tall * 0.97), Vector2(wide, tall)), false)
	if _aims:
		_draw_target(get_global_mouse_position(), zoom, 1.0)


func _draw_target(place: Vector2, zoom: float, strength: float) -> void:
	var size := maxf(_pixels * 0.9, 9.0 / zoom)
	for ink: Color in [INK, BLUE]:
		var width := (4.0 if ink == INK else 2.0) / zoom
		draw_arc(place, size, 0.0, TAU, 32, Color(ink, ink.a * strength), width, true)
		for quarter in 4:
			var out := Vector2.from_angle(quarter * TAU / 4.0)
			draw_line(place + out * size * 0.7, place + out * size * 1.35, Color(ink, ink.a * strength), width)
