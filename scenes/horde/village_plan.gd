extends RefCounted
## Where villages stand: chosen by the seed on open ground between the town and the woods, one to a side of the keep.
##
## The same map and seed give the same villages. Only free ground without roads is built on, so no way is ever closed.

const PLAIN := 0  ## codes of a generated map's terrain, as the map generator numbers them
const ROAD := 1
const BUILDING := 8
const REACH := 12  ## tiles from the middle to the edge of a village's ground
const GREEN := 3  ## likewise of the place that raiders make for
const NEAREST := 0.13  ## of the map's side, from the keep
const FARTHEST := 0.27
const TRIES := 400
## House places around the green, and the widest and deepest house there.
const HOUSES: Array[Rect2i] = [
	Rect2i(-10, -8, 5, 3), Rect2i(4, -9, 4, 3), Rect2i(-11, -2, 4, 4), Rect2i(7, -3, 3, 5), Rect2i(-9, 5, 5, 3), Rect2i(-2, 7, 4, 3),
	Rect2i(5, 5, 5, 3),
]
const FIELDS: Array[Rect2i] = [Rect2i(-22, -9, 8, 13), Rect2i(14, -6, 9, 12), Rect2i(-8, 14, 15, 7), Rect2i(-6, -22, 11, 8)]  ## around the ground
const MILL := Rect2i(-2, -9, 4, 3)

var centre := Vector2i.ZERO
var houses: Array[Rect2i] = []  ## solid, the mill's foot not among them
var mill := Rect2i()
var fields: Array[Rect2i] = []  ## those of FIELDS that lie on open ground; nothing but a picture


func ground() -> Rect2i:
	return Rect2i(centre - Vector2i.ONE * REACH, Vector2i.ONE * (2 * REACH + 1))


func green() -> Array[Vector2i]:
	var tiles: Array[Vector2i] = []
	for y in range(-GREEN, GREEN + 1):
		for x in range(-GREEN, GREEN + 1):
			if x * x + y * y <= GREEN * GREEN:
				tiles.append(centre + Vector2i(x, y))
	return tiles


## Up to `count` plans on a map whose `terrain` is given row by row; fewer where there is no room.
static func choose(map: Node, terrain: PackedByteArray, keep: Vector2i, seed: int, count: int) -> Array:
	var size: Vector2i = map.get_map_size()
	var dice := RandomNumberGenerator.new()
	dice.seed = hash("villages %d" % seed)
	var turn := dice.randf() * TAU
	var plans := []
	for index in count:
		for attempt in TRIES:
			var angle := turn + TAU * (index + dice.randf_range(-0.3, 0.3)) / count
			var far := dice.randf_range(NEAREST, FARTHEST) * mini(size.x, size.y)
			var place := keep + Vector2i((Vector2.from_angle(angle) * far).round())
			var plan := _plan(place, dice)
			if _is_open(terrain, size, plan.ground()) and map.is_reachable(place, keep):
				for field in FIELDS:
					if _is_open(terrain, size, Rect2i(field.position + place, field.size).grow(1)):
						plan.fields.append(Rect2i(field.position + place, field.size))
				plans.append(plan)
				break
	return plans


static func _is_open(terrain: PackedByteArray, size: Vector2i, area: Rect2i) -> bool:
	if not Rect2i(Vector2i.ZERO, size).encloses(area):
		return false
	for y in range(area.position.y, area.end.y):
		var start := y * size.x + area.position.x
		if terrain.slice(start, start + area.size.x).count(PLAIN) < area.size.x:
			return false
	return true


static func _plan(place: Vector2i, dice: RandomNumberGenerator) -> RefCounted:
	var plan := new()
	plan.centre = place
	plan.mill = Rect2i(MILL.position + place, MILL.size)
	for house in HOUSES:
		var less := Vector2i(dice.randi_range(0, 1), 0)
		plan.houses.append(Rect2i(house.position + place + less * dice.randi_range(0, 1), house.size - less))
	return plan
