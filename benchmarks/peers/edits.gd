extends SceneTree
## The engine's own navigation under edits: a building comes, and ways lead round it again.
##
## PYNAV_PEER_TASKS names a JSON file: a list of {map, edits: [[x, y], ...], size, starts: [[x, y], ...], goal: [x, y]}; an edit
## makes size x size tiles from (x, y) on solid. Prints one JSON line a task, milliseconds an edit (mean): {map, whole_ms: a
## region over the whole map, chunk_ms: a region each CHUNK tiles, grid_ms: AStarGrid2D with all ways sought again, right: that
## polygons and ways keep off every building}. Cutting the free tiles into rectangles is done in GDScript and not counted.

const Walkable := preload("walkable.gd")
const TILE := Walkable.TILE
const CHUNK := 32
const WHOLE_EDITS := 4  # each takes long

var _tiles := Walkable.new()
var _right := true


func _initialize() -> void:
	for task: Dictionary in JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS"))):
		_right = true
		var found := {map = task["map"]}
		_tiles.read(task["map"])
		found["whole_ms"] = _regions(task, maxi(_tiles.size.x, _tiles.size.y), WHOLE_EDITS)
		_tiles.read(task["map"])
		found["chunk_ms"] = _regions(task, CHUNK, task["edits"].size())
		_tiles.read(task["map"])
		found["grid_ms"] = _grid(task)
		found["right"] = _right
		print(JSON.stringify(found))
	quit()


func _build(edit: Array, side: int) -> void:
	for y in range(int(edit[1]), int(edit[1]) + side):
		for x in range(int(edit[0]), int(edit[0]) + side):
			_tiles.free[y * _tiles.size.x + x] = 0


func _regions(task: Dictionary, side: int, count: int) -> float:
	var map := NavigationServer2D.map_create()
	NavigationServer2D.map_set_active(map, true)
	NavigationServer2D.map_set_use_async_iterations(map, false)
	NavigationServer2D.map_set_use_edge_connections(map, false)
	var regions := {}
	for y in range(0, _tiles.size.y, side):
		for x in range(0, _tiles.size.x, side):
			var region := NavigationServer2D.region_create()
			NavigationServer2D.region_set_use_async_iterations(region, false)
			NavigationServer2D.region_set_map(region, map)
			NavigationServer2D.region_set_navigation_polygon(region, _tiles.polygons(Vector2i(x, y), side))
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
				cut[Vector2i(x, y)] = _tiles.polygons(Vector2i(x, y) * side, side)
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


func _grid(task: Dictionary) -> float:
	var grid := AStarGrid2D.new()
	grid.region = Rect2i(Vector2i.ZERO, _tiles.size)
	grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	grid.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.update()
	for y in _tiles.size.y:
		for x in _tiles.size.x:
			if _tiles.free[y * _tiles.size.x + x] == 0:
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
