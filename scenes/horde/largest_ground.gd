extends RefCounted
## Finds the largest connected ground of a map, row by row in runs: no corner cutting, so ground connects across edges of tiles only.


## The free tile of the largest connected ground that lies nearest to `centre`; ties go to the topmost, then the leftmost.
## (-1, -1) where no tile is free.
static func tile_nearest(costs: PackedByteArray, size: Vector2i, centre: Vector2i) -> Vector2i:
	var starts := PackedInt32Array()
	var ends := PackedInt32Array()
	var rows := PackedInt32Array()
	var parents := PackedInt32Array()
	var above := 0  # the first run of the row above
	for y in size.y:
		var row_first := starts.size()
		var x := 0
		var base := y * size.x
		while x < size.x:
			if costs[base + x] == 0:
				x += 1
				continue
			var begin := x
			while x < size.x and costs[base + x] != 0:
				x += 1
			var run := starts.size()
			starts.append(begin)
			ends.append(x)
			rows.append(y)
			parents.append(run)
			while above < row_first and ends[above] <= begin:
				above += 1
			var other := above
			while other < row_first and starts[other] < x:
				_join(parents, run, other)
				other += 1
		above = row_first
	var areas: Dictionary[int, int] = {}
	var best := -1
	for run in starts.size():
		var root := _root(parents, run)
		areas[root] = areas.get(root, 0) + ends[run] - starts[run]
	for root: int in areas:
		if best < 0 or areas[root] > areas[best]:
			best = root
	var found := Vector2i(-1, -1)
	var found_away := 0
	for run in starts.size():
		if _root(parents, run) != best:
			continue
		var tile := Vector2i(clampi(centre.x, starts[run], ends[run] - 1), rows[run])
		var away := (tile - centre).length_squared()
		if found.x < 0 or away < found_away:
			found = tile
			found_away = away
	return found


static func _root(parents: PackedInt32Array, run: int) -> int:
	while parents[run] != run:
		run = parents[run]
	return run


static func _join(parents: PackedInt32Array, one: int, other: int) -> void:
	var first := _root(parents, one)
	var second := _root(parents, other)
	var least := mini(first, second)
	parents[first] = least
	parents[second] = least
	parents[one] = least
	parents[other] = least
