extends Node2D
## Wards: decoys that weavers spin. They turn fireflies away. Whose polarity is flipped draws fireflies instead, and bursts when it
## has swallowed enough of them, or after a while.

signal burst(place: Vector2)

const Mark := preload("mark.gd")
const SECONDS := 11.0
const RADIUS := 20.0
const REPELS := -2.6
const ATTRACTS := 6.0
const SWALLOWS := 26  ## fireflies until it bursts
const FUSE_SECONDS := 3.0
const MOST := 6


class Ward:
	extends Mark
	var swallowed := 0
	var lit_for := -1.0  ## seconds since it was flipped; below 0: it repels


var wards: Array[Ward] = []

var _grid: Node2D


func settle(grid: Node2D) -> void:
	_grid = grid


func spin(place: Vector2) -> void:
	if wards.size() >= MOST:
		return
	var ward := Ward.new(_grid, self, place, RADIUS * 7.0)
	ward.source.power = REPELS
	ward.source.hit_radius = RADIUS
	wards.append(ward)


func get_ward(source: Node) -> Ward:
	for ward in wards:
		if ward.source == source:
			return ward
	return null


func flip(ward: Ward) -> void:
	ward.lit_for = -1.0 if ward.lit_for >= 0.0 else 0.0
	ward.source.power = ATTRACTS if ward.lit_for >= 0.0 else REPELS


func swallow(ward: Ward) -> void:
	ward.swallowed += 1


func advance(delta: float) -> void:
	for ward: Ward in wards.duplicate():
		ward.age += delta
		if ward.lit_for >= 0.0:
			ward.lit_for += delta
		var charge := maxf(float(ward.swallowed) / SWALLOWS, ward.lit_for / FUSE_SECONDS)
		ward.show_state(charge, ward.lit_for >= 0.0, minf(ward.age / 0.4, clampf(SECONDS - ward.age, 0.0, 1.0)))
		if charge >= 1.0:
			_drop(ward)
			burst.emit(ward.picture.position)
		elif ward.age >= SECONDS and ward.lit_for < 0.0:
			_drop(ward)


func _drop(ward: Ward) -> void:
	wards.erase(ward)
	ward.free_nodes()
