extends RefCounted
## The land of the skirmish, composed rather than grown: a walled keep in the west, a river with two bridges and a ford in the middle, woods,
## camps in the east. Pure: it gives the terrain of a seed (codes as the map generator has them), nothing is drawn here.

const SIZE := Vector2i(176, 112)
const PLAIN := 0
const ROAD := 1
const FOREST := 2
const FLOOR := 3
const GATE := 4
const WATER := 5
const ROCK := 6
const WALL := 7
const BUILDING := 8
const THICKET := 9
const COSTS: Array[int] = [3, 2, 5, 2, 2, 0, 0, 0, 0, 0]  ## by code

const KEEP := Rect2i(31, 52, 7, 7)  ## the keep's ground, solid
const TOWN := Rect2i(17, 37, 35, 37)  ## its curtain wall
const DRILL_GROUND := Rect2i(52, 40, 22, 31)  ## open, before the eastern gate
const CAMPS: Array[Rect2i] = [Rect2i(151, 12, 14, 12), Rect2i(157, 50, 12, 14), Rect2i(149, 89, 14, 12)]
const RIVER: Array[Vector2] = [Vector2(93, -6), Vector2(99, 12), Vector2(92, 30), Vector2(98, 50), Vector2(105, 66), Vector2(97, 84), Vector2(101, 100), Vector2(96, 118)]
const BRIDGES: Array[Rect2i] = [Rect2i(94, 55, 15, 5), Rect2i(87, 20, 14, 5)]
const ROADS: Array = [
	[Vector2(51, 55), Vector2(70, 54), Vector2(84, 57), Vector2(101, 57), Vector2(120, 55), Vector2(138, 59), Vector2(162, 57)],
	[Vector2(34, 37), Vector2(36, 26), Vector2(52, 22), Vector2(74, 24), Vector2(94, 23), Vector2(116, 22), Vector2(136, 16), Vector2(158, 18)],
	[Vector2(34, 73), Vector2(37, 84), Vector2(56, 92), Vector2(78, 90), Vector2(99, 91), Vector2(120, 94), Vector2(138, 92), Vector2(156, 95)],
	[Vector2(51, 55), Vector2(60, 44), Vector2(66, 32), Vector2(74, 24)],
	[Vector2(51, 55), Vector2(60, 68), Vector2(66, 82), Vector2(78, 90)],
	[Vector2(162, 57), Vector2(160, 38), Vector2(158, 18)],
	[Vector2(162, 57), Vector2(158, 76), Vector2(156, 95)],
]

var terrain := PackedByteArray()

var _broad := FastNoiseLite.new()
var _fine := FastNoiseLite.new()


func _init(seed: int) -> void:
	terrain.resize(SIZE.x * SIZE.y)
	for noise: FastNoiseLite in [_broad, _fine]:
		noise.noise_type = FastNoiseLite.TYPE_SIMPLEX
		noise.fractal_octaves = 3
		noise.seed = seed + 11
	_broad.frequency = 0.035
	_fine.frequency = 0.11
	for y in SIZE.y:
		for x in SIZE.x:
			terrain[y * SIZE.x + x] = _wild(x, y)
	_pave()
	for camp in CAMPS:
		_disc(Vector2(camp.get_center()), 9.5, PLAIN, true)
	_raise_town()


func get_costs() -> PackedByteArray:
	var costs := PackedByteArray()
	costs.resize(terrain.size())
	for tile in terrain.size():
		costs[tile] = COSTS[terrain[tile]]
	return costs


func _wild(x: int, y: int) -> int:
	var broad := _broad.get_noise_2d(x, y)
	var fine := _fine.get_noise_2d(x, y)
	var edge := minf(minf(x, SIZE.x - 1 - x), minf(y, SIZE.y - 1 - y))
	if edge < 4.5 + 5.0 * broad + 3.0 * fine:
		return ROCK
	var place := Vector2(x, y)
	var river := _from_line(RIVER, place)
	if river < 3.1 + 1.1 * fine:
		return WATER
	var from_town := minf(_from_rect(TOWN, place), _from_rect(DRILL_GROUND, place))
	if from_town < 8.0 + 3.0 * fine or river < 5.5:
		return PLAIN
	var wood := _broad.get_noise_2d(x + 400.0, y + 90.0) + 0.35 * fine
	if wood > 0.34:
		return THICKET
	if wood > 0.17:
		return FOREST
	var crag := _broad.get_noise_2d(x - 700.0, y + 350.0) + 0.30 * fine
	if crag > 0.50:
		return ROCK
	if crag < -0.74:
		return WATER
	return PLAIN


# Roads, bridges where they meet the river, and a wide ford in the south.
func _pave() -> void:
	for road: Array in ROADS:
		for step in road.size() - 1:
			var from: Vector2 = road[step]
			var to: Vector2 = road[step + 1]
			var length := from.distance_to(to)
			for part in int(length * 2.0) + 1:
				var place := from.lerp(to, part / (length * 2.0))
				var bend := Vector2(_broad.get_noise_2d(place.x * 2.0, place.y * 2.0), _broad.get_noise_2d(place.y * 2.0, place.x * 2.0))
				_disc(place + bend * 1.5, 1.6, ROAD, true)
	for bridge in BRIDGES:
		_fill(bridge, ROAD)
	for y in range(86, 98):
		for x in range(88, 114):
			if terrain[y * SIZE.x + x] == WATER:
				terrain[y * SIZE.x + x] = PLAIN if absi(y - 91) > 4 else ROAD


func _raise_town() -> void:
	_fill(TOWN.grow(-1), PLAIN)
	_ring(TOWN, WALL)
	_ring(TOWN.grow(-1), WALL)
	for corner: Vector2i in [TOWN.position, Vector2i(TOWN.end.x - 4, TOWN.position.y), Vector2i(TOWN.position.x, TOWN.end.y - 4), TOWN.end - Vector2i.ONE * 4]:
		_fill(Rect2i(corner, Vector2i.ONE * 4).grow(0), WALL)
	var middle := KEEP.get_center()
	_fill(KEEP.grow(4), FLOOR)
	for gate: Rect2i in [Rect2i(TOWN.end.x - 3, middle.y - 3, 4, 6), Rect2i(middle.x - 3, TOWN.position.y - 1, 6, 4), Rect2i(middle.x - 3, TOWN.end.y - 3, 6, 4)]:
		for tower: Rect2i in _posts(gate):
			_fill(tower, WALL)
		_fill(gate, GATE)
	for street: Rect2i in [
		Rect2i(middle.x, middle.y - 1, TOWN.end.x - middle.x - 2, 3), Rect2i(middle.x - 1, TOWN.position.y + 2, 3, middle.y - TOWN.position.y),
		Rect2i(middle.x - 1, middle.y, 3, TOWN.end.y - middle.y - 2),
	]:
		_fill(street, ROAD)
	for house: Rect2i in [
		Rect2i(22, 42, 4, 3), Rect2i(22, 48, 3, 4), Rect2i(22, 60, 3, 4), Rect2i(21, 66, 5, 3), Rect2i(28, 42, 3, 3), Rect2i(28, 66, 3, 3),
		Rect2i(39, 42, 4, 3), Rect2i(45, 42, 3, 4), Rect2i(40, 66, 4, 3), Rect2i(46, 65, 3, 4), Rect2i(45, 48, 3, 3), Rect2i(45, 60, 3, 3),
	]:
		_fill(house, BUILDING)
	_fill(KEEP, BUILDING)


func _posts(gate: Rect2i) -> Array[Rect2i]:
	if gate.size.x < gate.size.y:
		return [Rect2i(gate.position + Vector2i(0, -2), Vector2i(4, 3)), Rect2i(gate.position + Vector2i(0, gate.size.y - 1), Vector2i(4, 3))]
	return [Rect2i(gate.position + Vector2i(-2, 0), Vector2i(3, 4)), Rect2i(gate.position + Vector2i(gate.size.x - 1, 0), Vector2i(3, 4))]


func _fill(rect: Rect2i, code: int) -> void:
	for y in range(rect.position.y, rect.end.y):
		for x in range(rect.position.x, rect.end.x):
			terrain[y * SIZE.x + x] = code


func _ring(rect: Rect2i, code: int) -> void:
	for edge: Rect2i in [
		Rect2i(rect.position, Vector2i(rect.size.x, 1)), Rect2i(rect.position.x, rect.end.y - 1, rect.size.x, 1),
		Rect2i(rect.position, Vector2i(1, rect.size.y)), Rect2i(rect.end.x - 1, rect.position.y, 1, rect.size.y),
	]:
		_fill(edge, code)


func _disc(centre: Vector2, radius: float, code: int, keeps_roads: bool) -> void:
	for y in range(int(centre.y - radius), int(centre.y + radius) + 2):
		for x in range(int(centre.x - radius), int(centre.x + radius) + 2):
			if x < 1 or y < 1 or x >= SIZE.x - 1 or y >= SIZE.y - 1 or Vector2(x, y).distance_to(centre) > radius:
				continue
			if keeps_roads and code != ROAD and terrain[y * SIZE.x + x] == ROAD:
				continue
			terrain[y * SIZE.x + x] = code


func _from_line(points: Array[Vector2], place: Vector2) -> float:
	var least := INF
	for index in points.size() - 1:
		least = minf(least, place.distance_to(Geometry2D.get_closest_point_to_segment(place, points[index], points[index + 1])))
	return least


func _from_rect(rect: Rect2i, place: Vector2) -> float:
	var inside := place.clamp(Vector2(rect.position), Vector2(rect.end))
	return place.distance_to(inside)
