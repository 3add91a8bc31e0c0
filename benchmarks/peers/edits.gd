extends SceneTree
## The engine's own navigation under edits: a building comes, and ways lead round it again.
##
## PYNAV_PEER_TASKS names a JSON file: a list of {map, edits: [[x, y], ...], size, starts: [[x, y], ...], goal: [x, y]}; an edit
## makes size x size tiles from (x, y) on solid. Prints one JSON line a task, milliseconds an edit (mean): {map, whole_ms: a
## region over the whole map, chunk_ms: a region each CHUNK tiles, grid_ms: AStarGrid2D with all ways sought again, right: that
## polygons and ways keep off every building}. Cutting the free tiles into rectangles is done in GDScript and not counted.

const TILE := 16.0
const CHUNK := 32
const WHOLE_EDITS := 4  # each takes long

var _free: PackedByteArray
var _size: Vector2i
var _right := true


func _initialize() -> void:
	for task: Dictionary in JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS"))):
		_right = true
		var found := {map = task["map"]}
		_read(task["map"])
		found["whole_ms"] = _regions(task, maxi(_size.x, _size.y), WHOLE_EDITS)
		_read(task["map"])
		found["chunk_ms"] = _regions(task, CHUNK, task["edits"].size())
		_read(task["map"])
		found["grid_ms"] = _grid(task)
		found["right"] = _right
		print(JSON.stringify(found))
	quit()


func _read(path: String) -> void:
	var rows := FileAccess.get_file_as_string(path).split("\n")
	_size = Vector2i(int(rows[2].get_slice(" ", 1)), int(rows[1].get_slice(" ", 1)))
	_free.resize(_size.x * _size.y)
	for y in _size.y:
		for x in _size.x:
			_free[y * _size.x + x] = 1 if rows[4 + y][x] in ".GS" else 0


func _build(edit: Array, side: int) -> void:
	for y in range(int(edit[1]), int(edit[1]) + side):
		for x in range(int(edit[0]), int(edit[0]) + side):
			_free[y * _size.x + x] = 0


func _regions(task: Dictionary, side: int, count: int) -> float:
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	NavigationServer2D.map_set_use_async_iterations(map, false)
	NavigationServer2D.map_set_use_edge_connections(map, false)
	var regions := {}
	for y in range(0, _size.y, side):
		for x in range(0, _size.x, side):
			var region := NavigationServer2D.region_create()
			NavigationServer2D.region_set_use_async_iterations(region, false)
			NavigationServer2D.region_set_map(region, map)
			NavigationServer2D.region_set_navigation_polygon(region, _polygons(Vector2i(x, y), side))
			regions[Vector2i(x, y) / side] = region
	NavigationServer2D.map_force_update(map)
	var taken := 0
	for edit: Array in task["edits"].slice(0, count):
		_build(edit, task["size"])
		var first := Vector2i(edit[0], edit[1]) / side
		var last := Vector2i(edit[0] + task["size"] - 1, edit[1] + task["size"] - 1) / side
		var cut := {}
		for y in range(first.y, last.y + 1):
			for x in range(first.x, last.x + 1):
				cut[Vector2i(x, y)] = _polygons(Vector2i(x, y) * side, side)
		var begin := Time.get_ticks_usec()
		for place: Vector2i in cut:
			NavigationServer2D.region_set_navigation_polygon(regions[place], cut[place])
		NavigationServer2D.map_force_update(map)
		taken += Time.get_ticks_usec() - begin
		var centre: Vector2 = (Vector2(edit[0], edit[1]) + Vector2.ONE * task["size"] * 0.5) * TILE
		var nearest := NavigationServer2D.map_get_closest_point(map, centre)
		_right = _right and nearest.distance_to(centre) >= (task["size"] * 0.5 - 0.01) * TILE
	for place: Vector2i in regions:
		NavigationServer2D.free_rid(regions[place])
	NavigationServer2D.free_rid(map)
	return taken / 1000.0 / count


## The free tiles of a square as convex polygons that meet edge to edge, with those of squares beside it too.
func _polygons(corner: Vector2i, side: int) -> NavigationPolygon:
	var end := (corner + Vector2i.ONE * side).min(_size)
	var rectangles := _rectangles(corner, end)
	var width := end.x - corner.x + 1
	var number := PackedInt32Array()
	number.resize(width * (end.y - corner.y + 1))
	number.fill(-1)
	var vertices := PackedVector2Array()
	for rectangle in rectangles:
		for at: Vector2i in [
			rectangle.position, Vector2i(rectangle.end.x, rectangle.position.y), rectangle.end,
			Vector2i(rectangle.position.x, rectangle.end.y),
		]:
			_number(at, corner, width, number, vertices)
	for x in range(corner.x, end.x + 1):
		_number(Vector2i(x, corner.y), corner, width, number, vertices)
		_number(Vector2i(x, end.y), corner, width, number, vertices)
	for y in range(corner.y, end.y + 1):
		_number(Vector2i(corner.x, y), corner, width, number, vertices)
		_number(Vector2i(end.x, y), corner, width, number, vertices)
	var polygons := NavigationPolygon.new()
	polygons.vertices = vertices
	for rectangle in rectangles:
		var outline := PackedInt32Array()
		var at := rectangle.position - corner
		for step: Array in [
			[Vector2i.RIGHT, rectangle.size.x], [Vector2i.DOWN, rectangle.size.y], [Vector2i.LEFT, rectangle.size.x],
			[Vector2i.UP, rectangle.size.y],
		]:
			for index in int(step[1]):
				var found := number[at.y * width + at.x]
				if found >= 0:
					outline.append(found)
				at += step[0] as Vector2i
		polygons.add_polygon(outline)
	return polygons


func _number(at: Vector2i, corner: Vector2i, width: int, number: PackedInt32Array, vertices: PackedVector2Array) -> void:
	var index := (at.y - corner.y) * width + at.x - corner.x
	if number[index] < 0:
		number[index] = vertices.size()
		vertices.append(Vector2(at) * TILE)


## Runs of free tiles, those that lie exactly below one another joined.
func _rectangles(corner: Vector2i, end: Vector2i) -> Array[Rect2i]:
	var found: Array[Rect2i] = []
	var above := {}
	for y in range(corner.y, end.y):
		var here := {}
		var x := corner.x
		while x < end.x:
			if _free[y * _size.x + x] == 0:
				x += 1
				continue
			var first := x
			while x < end.x and x - first < 64 and _free[y * _size.x + x] == 1:
				x += 1
			var run := Vector2i(first, x)
			if run in above and found[above[run]].size.y < 64:
				here[run] = above[run]
				found[above[run]].size.y += 1
			else:
				here[run] = found.size()
				found.append(Rect2i(first, y, x - first, 1))
		above = here
	return found


func _grid(task: Dictionary) -> float:
	var grid := AStarGrid2D.new()
	grid.region = Rect2i(Vector2i.ZERO, _size)
	grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	grid.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.update()
	for y in _size.y:
		for x in _size.x:
			if _free[y * _size.x + x] == 0:
				grid.set_point_solid(Vector2i(x, y), true)
	var begin := Time.get_ticks_usec()
	var edit: Array = task["edits"][0]
	var building := Rect2i(edit[0], edit[1], task["size"], task["size"])
	grid.fill_solid_region(building, true)
	var ways: Array = []
	for start: Array in task["starts"]:
		ways.append(grid.get_id_path(Vector2i(start[0], start[1]), Vector2i(task["goal"][0], task["goal"][1])))
	var taken := Time.get_ticks_usec() - begin
	for way: Array in ways:
		_right = _right and not way.is_empty() and not way.any(func(at: Vector2i) -> bool: return building.has_point(at))
	return taken / 1000.0
