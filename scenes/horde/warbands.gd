extends Node
## The warlord's army: bands with goals of their own, one crowd node each.
##
## The vanguard heads straight for the keep. Others sack a village first and march on to the keep once it has fallen, or once no way leads
## there any more. The outriders hunt the player's militia wherever it goes. Without villages all march as one band.

signal sent_on(village: int)  ## a band left this village behind and marches on the keep

enum Task { KEEP, SACK, HUNT }

const STOP := 0  ## on arrival
const REMOVE := 1
const CAMPS_A_VILLAGE := 2
const OUTRIDERS_OF := 48  ## one unit of so many
const OUTRIDER_HASTE := 1.5
const CROWD_PROPERTIES: Array[StringName] = [
	&"map", &"autostart", &"speed", &"radius", &"arrive_radius", &"on_arrival", &"spawn_mode", &"rotates", &"use_custom_data",
]

class Band:
	var crowd: Node
	var camps: Array[Rect2i] = []
	var village := -1  ## which one it sacks first; -1: none
	var task := Task.KEEP
	var units := 0  ## that set out
	var counted := 0  ## arrivals at the keep that were told already

var bands: Array[Band] = []
var militia: Node  ## whom the outriders hunt; null: nobody
var arrived := 0  ## at the keep in this wave
var slain := 0  ## in this wave

var _villages: Node
var _keep_tiles: Array[Vector2i] = []
var _outriders: Band
var _quarry := Vector2i(-1, -1)


## Makes the bands: `vanguard` is the crowd that the scene has, the others are made like it. No camps: units start everywhere.
func raise(vanguard: Node, villages: Node, keep_tiles: Array[Vector2i], camps: Array[Rect2i]) -> void:
	_villages = villages
	_keep_tiles = keep_tiles
	var free := camps.duplicate()
	var first := _append_band(vanguard)
	if villages.list.is_empty():
		first.camps = free
		return
	for index: int in villages.list.size():
		var band := _append_band(make_crowd(vanguard, "Sackers%d" % index, 0))
		band.village = index
		var centre := Vector2(villages.get_centre(index))
		free.sort_custom(func(one: Rect2i, other: Rect2i) -> bool:
			return centre.distance_squared_to(one.get_center()) < centre.distance_squared_to(other.get_center()))
		band.camps.assign(free.slice(0, CAMPS_A_VILLAGE))
		free = free.slice(CAMPS_A_VILLAGE)
	first.camps.assign(free)
	_outriders = _append_band(make_crowd(vanguard, "Outriders", 2))
	_outriders.crowd.speed *= OUTRIDER_HASTE
	_outriders.camps.assign(free.slice(-1))


## Another crowd node like `pattern`, beside it, in the colours of an army of the units' shader.
static func make_crowd(pattern: Node, title: String, army: int) -> Node:
	var crowd: Node = ClassDB.instantiate(pattern.get_class())
	crowd.name = title
	for property in CROWD_PROPERTIES:
		crowd.set(property, pattern.get(property))
	crowd.material = pattern.material.duplicate()
	(crowd.material as ShaderMaterial).set_shader_parameter(&"army", army)
	pattern.add_sibling(crowd)
	return crowd


## A new wave: `count` units in all, shared out over the camps.
func muster(count: int) -> void:
	arrived = 0
	slain = 0
	var riders := 0 if _outriders == null else count / OUTRIDERS_OF
	var marchers := count - riders
	var camp_count := 0
	for band in bands:
		camp_count += 0 if band == _outriders else band.camps.size()
	var camp := 0
	for band in bands:
		band.crowd.clear()
		band.units = 0
		if band.camps.is_empty():
			_send_off(band)
			band.units = band.crowd.spawn_in(marchers).size()
			continue
		band.crowd.clear_goal()  # a camp is a camp, whether or not walls cut it off
		for area in band.camps:
			var share := riders
			if band != _outriders:
				share = marchers * (camp + 1) / camp_count - marchers * camp / camp_count
				camp += 1
			if share > 0:
				band.units += band.crowd.spawn_in(share, area).size()
		_send_off(band)


## Orders of this tick. Returns how many reached the keep since the last call.
func advance() -> int:
	var new_at_keep := 0
	for band in bands:
		match band.task:
			Task.KEEP:
				var now: int = band.crowd.get_arrived_count()
				new_at_keep += maxi(now - band.counted, 0)
				band.counted = now
			Task.SACK:
				_sack(band)
			Task.HUNT:
				_hunt(band)
	arrived += new_at_keep
	return new_at_keep


func get_left() -> int:
	var left := 0
	for band in bands:
		left += band.crowd.get_agent_count()
	return left


func get_unreachable() -> int:
	var lost := 0
	for band in bands:
		lost += band.crowd.get_unreachable_count()
	return lost


## Takes out up to `most` raiders around a place (pixels). Returns how many.
func strike(place: Vector2, radius: float, most: int) -> int:
	var hit := 0
	for band in bands:
		if hit < most and band.crowd.get_agent_count() > 0:
			var ids: PackedInt32Array = band.crowd.get_agents_in_radius(place, radius)
			hit += band.crowd.remove(ids.slice(0, most - hit))
	slain += hit
	return hit


func _append_band(crowd: Node) -> Band:
	var band := Band.new()
	band.crowd = crowd
	bands.append(band)
	return band


func _send_off(band: Band) -> void:
	if band == _outriders and militia != null:
		band.task = Task.HUNT
		band.crowd.on_arrival = STOP
		_quarry = Vector2i(-1, -1)
		_hunt(band)
	elif band.village >= 0 and _villages.is_standing(band.village):
		band.task = Task.SACK
		band.crowd.on_arrival = STOP
		band.crowd.set_goal_tiles(_villages.get_green(band.village))
	else:
		_send_to_keep(band)


func _send_to_keep(band: Band) -> void:
	band.task = Task.KEEP
	band.crowd.on_arrival = REMOVE
	band.crowd.set_goal_tiles(_keep_tiles)
	band.counted = band.crowd.get_arrived_count()


func _sack(band: Band) -> void:
	var left: int = band.crowd.get_agent_count()
	_villages.besiege(band.village, band.crowd.get_arrived_count(), left, band.units)
	var is_shut_out: bool = left > 0 and band.crowd.get_unreachable_count() * 2 > left
	if is_shut_out or not _villages.is_standing(band.village):
		_send_to_keep(band)
		sent_on.emit(band.village)


# The goal moves with the militia, a tile at a time: the crowd chases it.
func _hunt(band: Band) -> void:
	if militia.get_agent_count() == 0 or _is_last(band):
		_send_to_keep(band)
		return
	var place: Vector2 = militia.get_place()
	var tile := Vector2i(place / band.crowd.map.tile_size)
	if tile != _quarry:
		_quarry = tile
		band.crowd.set_goal(place)


func _is_last(band: Band) -> bool:
	return band.units > 0 and get_left() == band.crowd.get_agent_count()
