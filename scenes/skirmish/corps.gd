extends RefCounted
## The units of one kind on one side: their crowd node, and what the game knows of each, by id, in packed arrays.
##
## The status of each unit (health, selected, when it last struck and was last hit) is a texel that the units' shader reads: bars, rings
## and blows are drawn without a call a unit.

const Kinds := preload("unit_kinds.gd")
const SHADER := preload("shaders/figures.gdshader")
const STATUS_COLUMNS := 64
const NEAR_ENOUGH := 0.85  ## of its reach: there a unit stops
const LONG_AGO := -1.0e6

var kind: Kinds.Kind
var crowd: Node
var team := 0  ## 0 the player's, 1 the foes'
var index := 0  ## among all corps
var health := PackedFloat32Array()  ## 0: nobody of this id
var ready := PackedInt32Array()  ## tick from which it may strike again
var born := PackedInt32Array()  ## tick at which it came; ids are given out again
var places := PackedVector2Array()
var fallen := PackedInt32Array()  ## ids that died this tick
var alive := 0

var _status := PackedFloat32Array()  ## four a unit: health 0..1, selected, tick of the last strike, tick of the last hit
var _texture: ImageTexture
var _rows := 0
var _dirty := false


## Adds the crowd node to `game`.
func muster(game: Node2D, map: Node, of_kind: Kinds.Kind, side: int, title: String) -> void:
	kind = of_kind
	team = side
	crowd = ClassDB.instantiate(&"FlowFieldCrowd2D")
	crowd.name = title
	crowd.map = map
	crowd.autostart = false
	crowd.spawn_mode = 2
	crowd.count = 0
	crowd.team = side
	crowd.sight_radius = kind.sight
	crowd.attack_range = (kind.reach + kind.radius) * NEAR_ENOUGH - kind.radius
	crowd.speed = kind.speed
	crowd.radius = kind.radius
	crowd.arrive_radius = 32.0 if team == 0 else 20.0
	crowd.use_custom_data = true
	crowd.process_mode = Node.PROCESS_MODE_PAUSABLE
	game.add_child(crowd)


## Gives the crowd its look; only where there is a display.
func dress(tile_pixels: float) -> void:
	var look := ShaderMaterial.new()
	look.shader = SHADER
	look.set_shader_parameter(&"sheet", kind.sheet)
	look.set_shader_parameter(&"columns", float(kind.columns))
	look.set_shader_parameter(&"tile_pixels", tile_pixels)
	look.set_shader_parameter(&"figure_tiles", kind.figure_tiles)
	look.set_shader_parameter(&"livery", kind.livery)
	look.set_shader_parameter(&"is_friend", team == 0)
	look.set_shader_parameter(&"ring", kind.radius / (kind.figure_tiles * tile_pixels))
	look.set_shader_parameter(&"is_engine", kind.title == "catapult")
	crowd.material = look


## New units at these places.
func spawn(at: PackedVector2Array, tick: int) -> PackedInt32Array:
	return _take_in(crowd.spawn(at), tick)


## New units spread over an area of tiles.
func spawn_in(count: int, area: Rect2i, tick: int) -> PackedInt32Array:
	return _take_in(crowd.spawn_in(count, area), tick)


func _take_in(ids: PackedInt32Array, tick: int) -> PackedInt32Array:
	var slots: int = crowd.get_slot_count()
	if slots > health.size():
		health.resize(slots)
		ready.resize(slots)
		born.resize(slots)
		_rows = (slots + STATUS_COLUMNS - 1) / STATUS_COLUMNS
		_status.resize(_rows * STATUS_COLUMNS * 4)
	for id in ids:
		health[id] = kind.health
		ready[id] = tick + (id * 7) % kind.cooldown
		born[id] = tick
		_status[id * 4] = 1.0
		_status[id * 4 + 1] = 0.0
		_status[id * 4 + 2] = LONG_AGO
		_status[id * 4 + 3] = LONG_AGO
	alive += ids.size()
	places = crowd.get_positions()
	_dirty = true
	return ids


func is_alive(id: int) -> bool:
	return id < health.size() and health[id] > 0.0


func select(id: int, is_selected: bool) -> void:
	_status[id * 4 + 1] = float(is_selected)
	_dirty = true


func is_selected(id: int) -> bool:
	return _status[id * 4 + 1] > 0.0


## It strikes in a direction: the figure looks there for the moment, by eighths of a turn behind the point of the tick.
func strike(id: int, tick: int, towards: Vector2) -> void:
	ready[id] = tick + kind.cooldown
	_status[id * 4 + 2] = tick + posmod(roundi(towards.angle() / TAU * 8.0), 8) / 8.0
	_dirty = true


## Takes health away. True if it fell by this blow.
func hurt(id: int, damage: float, tick: int) -> bool:
	if health[id] <= 0.0:
		return false
	health[id] -= damage
	_status[id * 4 + 3] = tick
	_dirty = true
	if health[id] > 0.0:
		_status[id * 4] = health[id] / kind.health
		return false
	health[id] = 0.0
	_status[id * 4] = 0.0
	_status[id * 4 + 1] = 0.0
	fallen.append(id)
	alive -= 1
	return true


## Takes out who fell since the last call.
func bury() -> void:
	if not fallen.is_empty():
		crowd.remove(fallen)
		fallen.clear()


func ids() -> PackedInt32Array:
	return crowd.get_agent_ids()


## Sends the status to the graphics card.
func upload(tick: float) -> void:
	if _rows == 0:
		return
	var look := crowd.material as ShaderMaterial
	look.set_shader_parameter(&"now", tick)
	if not _dirty:
		return
	_dirty = false
	var image := Image.create_from_data(STATUS_COLUMNS, _rows, false, Image.FORMAT_RGBAF, _status.to_byte_array())
	if _texture == null or _texture.get_height() != _rows:
		_texture = ImageTexture.create_from_image(image)
		look.set_shader_parameter(&"status", _texture)
	else:
		_texture.update(image)
