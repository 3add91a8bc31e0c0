extends Node2D
## The villages around the keep: solid houses on the map, fields, a mill with a banner; and what is left when raiders have sacked them.
##
## Drawn under the crowds; the mills stand on a layer of their own in front.

signal fell(index: int)

const Plan := preload("village_plan.gd")
const Smoke := preload("../shared/smoke.gd")
const MILL_PICTURE := preload("art/mill.svg")
const RUIN_PICTURE := preload("art/mill_ruin.svg")
const COUNT := 3
const SACKERS := 1500  ## raiders on the green that bring a village down, or a quarter of its band if that is less
const MILL_TILES := 8.0
const LEAST_SCREEN := 26.0  ## pixels
const RAZED_COST := 1
const CROPS: Array[Color] = [Color(0.66, 0.56, 0.27), Color(0.42, 0.47, 0.21), Color(0.55, 0.45, 0.23)]
const BURNT := Color(0.17, 0.15, 0.13)

class Village:
	var plan: Plan
	var hold := 1.0  ## 1 is unharmed, 0 is lost
	var sprite: Sprite2D
	var fires: Array[CPUParticles2D] = []

var list: Array[Village] = []

var _map: Node
var _pixels := 16.0
var _land: Node2D
var _drawn_zoom := 0.0


## Chooses the places and makes the houses solid. `terrain` is given back with the villages in it.
func found(map: Node, terrain: PackedByteArray, keep: Vector2i, seed: int) -> PackedByteArray:
	_map = map
	_pixels = map.tile_size.x
	var columns: int = map.get_map_size().x
	for plan: Plan in Plan.choose(map, terrain, keep, seed, COUNT):
		var village := Village.new()
		village.plan = plan
		list.append(village)
		for house in plan.houses:
			_set_tiles(terrain, columns, house, Plan.BUILDING)
			map.set_cost_rect(house, 0)
		map.set_cost_rect(plan.mill, 0)
		for tile in plan.green():
			terrain[tile.y * columns + tile.x] = Plan.ROAD
	return terrain


func is_standing(index: int) -> bool:
	return list[index].hold > 0.0


func count_standing() -> int:
	var standing := 0
	for village in list:
		standing += int(village.hold > 0.0)
	return standing


func get_green(index: int) -> Array[Vector2i]:
	return list[index].plan.green()


func get_centre(index: int) -> Vector2i:
	return list[index].plan.centre


func get_grounds() -> Array[Rect2i]:
	var grounds: Array[Rect2i] = []
	for village in list:
		grounds.append(village.plan.ground())
	return grounds


## `there` raiders stand on the green, out of a band that still has `left` and set out with `units`.
func besiege(index: int, there: int, left: int, units: int) -> void:
	var village := list[index]
	if village.hold <= 0.0 or there <= 0:
		return
	var needed := maxi(mini(SACKERS, mini(units / 4, left)), 1)
	village.hold = minf(village.hold, 1.0 - float(there) / needed)
	if village.hold <= 0.0:
		village.hold = 0.0
		_raze(village)
		fell.emit(index)
	_show(village)


## Draws the villages from now on.
func show_on(land: Node2D) -> void:
	_land = land
	for village in list:
		village.sprite = Sprite2D.new()
		village.sprite.texture = MILL_PICTURE
		village.sprite.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
		village.sprite.offset.y = -MILL_PICTURE.get_height() * 0.42
		village.sprite.position = (Vector2(village.plan.mill.end) - Vector2(2.0, 0.2)) * _pixels
		village.sprite.z_index = 1
		add_child(village.sprite)
	queue_redraw()


func _raze(village: Village) -> void:
	for house: Rect2i in village.plan.houses + [village.plan.mill]:
		_map.set_cost_rect(house, RAZED_COST)
		if _land == null:
			continue
		for y in house.size.y:
			for x in house.size.x:
				_land.clear(house.position + Vector2i(x, y))


func _show(village: Village) -> void:
	if village.sprite == null:
		return
	var wanted := 0 if village.hold > 0.95 else (2 if village.hold > 0.0 else 6)
	while village.fires.size() < wanted:
		var index := village.fires.size()
		var house := village.plan.houses[(index * 3) % village.plan.houses.size()]
		var fire := Smoke.make((Vector2(house.position) + Vector2(house.size) / 2.0) * _pixels)
		fire.z_index = 1
		fire.scale = Vector2.ONE * 2.0
		fire.emitting = true
		fire.preprocess = 1.5
		village.fires.append(fire)
		add_child(fire)
	if village.hold <= 0.0:
		village.sprite.texture = RUIN_PICTURE
	queue_redraw()


func _set_tiles(terrain: PackedByteArray, columns: int, rect: Rect2i, code: int) -> void:
	for y in range(rect.position.y, rect.end.y):
		for x in range(rect.position.x, rect.end.x):
			terrain[y * columns + x] = code


func _process(_delta: float) -> void:
	var zoom := get_canvas_transform().get_scale().x
	if is_equal_approx(zoom, _drawn_zoom):
		return
	_drawn_zoom = zoom
	for village in list:
		if village.sprite != null:
			var wide := maxf(MILL_TILES * _pixels, LEAST_SCREEN / zoom)
			village.sprite.scale = Vector2.ONE * wide / MILL_PICTURE.get_width()


func _draw() -> void:
	for village in list:
		for field in village.plan.fields:
			var kind := hash(field) & 255
			var crop := CROPS[kind % CROPS.size()] if village.hold > 0.0 else BURNT
			var half := Vector2(field.size) * _pixels / 2.0
			draw_set_transform((Vector2(field.position) + Vector2(field.size) / 2.0) * _pixels, (kind % 9 - 4) * 0.025)
			_draw_field(Rect2(-half, half * 2.0), crop)
		draw_set_transform(Vector2.ZERO)
		if village.hold <= 0.0:
			_draw_ruins(village.plan)


# Furrows along the longer side, ragged at their ends.
func _draw_field(area: Rect2, color: Color) -> void:
	for ring in 3:
		draw_rect(area.grow(_pixels * (0.75 - 0.25 * ring)), Color(0.22, 0.19, 0.11, 0.22))
	var is_flat := area.size.x >= area.size.y
	var rows := int((area.size.y if is_flat else area.size.x) / (_pixels * 0.7))
	for row in rows:
		var across := (row + 0.2) * _pixels * 0.7
		var ragged := _pixels * 0.16 * (hash(row) % 5)
		var strip := Rect2(area.position + Vector2(ragged, across), Vector2(area.size.x - 1.5 * ragged, _pixels * 0.46))
		if not is_flat:
			strip = Rect2(area.position + Vector2(across, ragged), Vector2(_pixels * 0.46, area.size.y - 1.5 * ragged))
		draw_rect(strip, color.darkened(0.06 * (row % 3)))


func _draw_ruins(plan: Plan) -> void:
	for house in plan.houses:
		var area := Rect2(Vector2(house.position) * _pixels, Vector2(house.size) * _pixels)
		draw_rect(area.grow(_pixels * 0.25), Color(0.05, 0.045, 0.04, 0.55))
		draw_rect(area.grow(-_pixels * 0.2), Color(0.11, 0.09, 0.08))
		for beam in house.size.x:
			var from := area.position + Vector2((beam + 0.5) * _pixels, _pixels * (0.3 + 0.4 * (beam % 2)))
			draw_line(from, from + Vector2(_pixels * 0.8, area.size.y * 0.55), Color(0.30, 0.20, 0.14), _pixels * 0.22)
