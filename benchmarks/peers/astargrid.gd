extends SceneTree
## Engine's AStarGrid2D on octile maps: the time of single ways, and of many ways to one goal.
##
## PYNAV_PEER_TASKS names a JSON file: a list of {map, lines: [[sx, sy, gx, gy], ...], crowd: [[sx, sy], ...], goal: [x, y]}.
## Prints one JSON line a task: {map, line_us, line_costs, crowd_us, crowd_costs}; the least time of two rounds counts.


func _initialize() -> void:
	var tasks: Array = JSON.parse_string(FileAccess.get_file_as_string(OS.get_environment("PYNAV_PEER_TASKS")))
	for task: Dictionary in tasks:
		print(JSON.stringify(_measured(task)))
	quit()


func _measured(task: Dictionary) -> Dictionary:
	var grid := _grid(task["map"])
	var lines: Array = []
	for line: Array in task["lines"]:
		lines.append([Vector2i(line[0], line[1]), Vector2i(line[2], line[3])])
	var crowd: Array = []
	for start: Array in task["crowd"]:
		crowd.append([Vector2i(start[0], start[1]), Vector2i(task["goal"][0], task["goal"][1])])
	var one := _ways(grid, lines)
	var many := _ways(grid, crowd)
	return {map = task["map"], line_us = one[0], line_costs = one[1], crowd_us = many[0], crowd_costs = many[1]}


func _grid(path: String) -> AStarGrid2D:
	var rows := FileAccess.get_file_as_string(path).split("\n")
	var height := int(rows[1].get_slice(" ", 1))
	var width := int(rows[2].get_slice(" ", 1))
	var grid := AStarGrid2D.new()
	grid.region = Rect2i(0, 0, width, height)
	grid.diagonal_mode = AStarGrid2D.DIAGONAL_MODE_ONLY_IF_NO_OBSTACLES
	grid.default_compute_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.default_estimate_heuristic = AStarGrid2D.HEURISTIC_OCTILE
	grid.update()
	for y in height:
		var row := rows[4 + y]
		for x in width:
			if not row[x] in ".GS":
				grid.set_point_solid(Vector2i(x, y), true)
	return grid


## [microseconds for all, length of each].
func _ways(grid: AStarGrid2D, pairs: Array) -> Array:
	var best := INF
	var costs: Array = []
	for attempt in 2:
		var paths: Array = []
		var begin := Time.get_ticks_usec()
		for pair: Array in pairs:
			paths.append(grid.get_id_path(pair[0], pair[1]))
		best = minf(best, Time.get_ticks_usec() - begin)
		costs.clear()
		for path: Array in paths:
			var cost := 0.0
			for index in range(1, path.size()):
				var step: Vector2i = (path[index] - path[index - 1]).abs()
				cost += sqrt(2.0) if step.x + step.y == 2 else 1.0
			costs.append(cost)
	return [best, costs]
