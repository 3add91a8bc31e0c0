extends RefCounted
## What is built: the keep, towers, walls. Each stands on solid tiles; an edit of the map is one call.
##
## Whatever is built must leave the foes a way to the keep: the last gap can't be closed.

signal built(rect: Rect2i, kind: int)
signal razed(index: int)

enum { KEEP, TOWER, WALL }

const Level := preload("level.gd")
const TITLES: Array[String] = ["keep", "tower", "wall"]
const HEALTH: Array[float] = [4000.0, 420.0, 0.0]
const PRICE: Array[int] = [0, 60, 2]  ## supplies: a tower, a tile of wall
const TOWER_TILES := Vector2i(3, 3)
const TOWER_REACH := 190.0
const TOWER_COOLDOWN := 26
const TOWER_DAMAGE := 17.0
const NEAREST_FOES := 10  ## tiles from a foe within which nothing is built

class Work:
	var kind := KEEP
	var tiles := Rect2i()
	var area := Rect2()  ## pixels
	var health := 1.0
	var most := 1.0
	var handle := 0  ## of the building that foes go for
	var ready := 0
	var hit := -1000  ## tick of the last blow

var list: Array[Work] = []  ## what can be struck: the keep first, then towers
var walls: Dictionary[Vector2i, bool] = {}  ## tiles of wall that the player built
var terrain: PackedByteArray

var _map: Node
var _pixels := 16.0


func found(map: Node, level: Level) -> void:
	_map = map
	_pixels = map.tile_size.x
	terrain = level.terrain
	_append(KEEP, Level.KEEP)


func get_keep() -> Work:
	return list[0]


## The tiles that a wall from one tile to another takes: straight, two thick so that nobody slips through a corner.
static func wall_tiles(from: Vector2i, to: Vector2i) -> Array[Vector2i]:
	var tiles: Array[Vector2i] = []
	var seen: Dictionary[Vector2i, bool] = {}
	var steps := maxi(maxi(absi(to.x - from.x), absi(to.y - from.y)), 1)
	for step in steps + 1:
		var place := Vector2i(Vector2(from).lerp(Vector2(to), float(step) / steps).round())
		for more: Vector2i in [Vector2i.ZERO, Vector2i(1, 0), Vector2i(0, 1), Vector2i(1, 1)]:
			if not seen.has(place + more):
				seen[place + more] = true
				tiles.append(place + more)
	return tiles


static func tower_rect(tile: Vector2i) -> Rect2i:
	return Rect2i(tile - TOWER_TILES / 2, TOWER_TILES)


## Those of the tiles where something can be built: free ground, not in the camps, not in a gate.
func free_tiles(tiles: Array[Vector2i]) -> Array[Vector2i]:
	var free: Array[Vector2i] = []
	for tile in tiles:
		if _is_free(tile):
			free.append(tile)
	return free


func can_stand(rect: Rect2i) -> bool:
	for y in range(rect.position.y, rect.end.y):
		for x in range(rect.position.x, rect.end.x):
			if not _is_free(Vector2i(x, y)):
				return false
	return true


## Builds a tower. False if its place is taken, or if it would close the last way.
func build_tower(tile: Vector2i) -> bool:
	var rect := tower_rect(tile)
	if not can_stand(rect):
		return false
	var before: PackedByteArray = _map.get_costs(rect)
	_map.set_cost_rect(rect, 0)
	if not _is_open():
		_map.set_costs(before, rect)
		return false
	_append(TOWER, rect)
	_note(rect, Level.BUILDING)
	built.emit(rect, TOWER)
	return true


## Builds walls on those of the tiles that are free, as many as `most`; how many were built: none if they would close the last way.
func build_wall(tiles: Array[Vector2i], most: int) -> int:
	var free := free_tiles(tiles).slice(0, most)
	var before: Array[int] = []
	for tile in free:
		before.append(_map.get_cost(tile))
		_map.set_cost(tile, 0)
	if free.is_empty() or not _is_open():
		for index in free.size():
			_map.set_cost(free[index], before[index])
		return 0
	for tile in free:
		walls[tile] = true
		_note(Rect2i(tile, Vector2i.ONE), Level.WALL)
		built.emit(Rect2i(tile, Vector2i.ONE), WALL)
	return free.size()


## A blow on the keep or a tower. True if it fell.
func hurt(index: int, damage: float, tick: int) -> bool:
	var work := list[index]
	if work.health <= 0.0:
		return false
	work.health = maxf(work.health - damage, 0.0)
	work.hit = tick
	if work.health > 0.0:
		return false
	_map.remove_building(work.handle)
	if work.kind == TOWER:
		_map.set_cost_rect(work.tiles, Level.COSTS[Level.PLAIN])
		_note(work.tiles, Level.PLAIN)
	razed.emit(index)
	return true


func count_towers() -> int:
	var count := 0
	for work in list:
		count += int(work.kind == TOWER and work.health > 0.0)
	return count


func _is_free(tile: Vector2i) -> bool:
	if tile.x < 2 or tile.y < 2 or tile.x >= Level.SIZE.x - 2 or tile.y >= Level.SIZE.y - 2:
		return false
	var code := terrain[tile.y * Level.SIZE.x + tile.x]
	if code not in [Level.PLAIN, Level.ROAD, Level.FOREST]:
		return false
	return not Level.CAMPS.any(func(camp: Rect2i) -> bool: return camp.grow(8).has_point(tile))


# Whether each camp still has a way to the keep.
func _is_open() -> bool:
	var gate := Vector2i(Level.KEEP.end.x, Level.KEEP.get_center().y)
	return Level.CAMPS.all(func(camp: Rect2i) -> bool: return _map.is_reachable(camp.get_center(), gate, 2))


func _append(kind: int, tiles: Rect2i) -> void:
	var work := Work.new()
	work.kind = kind
	work.tiles = tiles
	work.area = Rect2(Vector2(tiles.position) * _pixels, Vector2(tiles.size) * _pixels)
	work.most = HEALTH[kind]
	work.handle = _map.add_building(tiles, 0)
	work.health = work.most
	list.append(work)


func _note(rect: Rect2i, code: int) -> void:
	for y in range(rect.position.y, rect.end.y):
		for x in range(rect.position.x, rect.end.x):
			terrain[y * Level.SIZE.x + x] = code
