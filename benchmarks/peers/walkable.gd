extends RefCounted
## Tiles of an octile map as the engine's navigation takes them: free ones cut into convex polygons.

const TILE := 16.0  # pixels

var free: PackedByteArray  # 1 for free tiles, row by row
var size: Vector2i


func read(path: String) -> void:
	var rows := FileAccess.get_file_as_string(path).split("\n")
	size = Vector2i(int(rows[2].get_slice(" ", 1)), int(rows[1].get_slice(" ", 1)))
	free.resize(size.x * size.y)
	for y in size.y:
		for x in size.x:
			free[y * size.x + x] = 1 if rows[4 + y][x] in ".GS" else 0


## The free tiles of a square as convex polygons that meet edge to edge, with those of squares beside it too.
func polygons(corner: Vector2i, side: int) -> NavigationPolygon:
	var end := (corner + Vector2i.ONE * side).min(size)
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
	var found := NavigationPolygon.new()
	found.vertices = vertices
	for rectangle in rectangles:
		var outline := PackedInt32Array()
		var at := rectangle.position - corner
		for step: Array in [
			[Vector2i.RIGHT, rectangle.size.x], [Vector2i.DOWN, rectangle.size.y], [Vector2i.LEFT, rectangle.size.x],
			[Vector2i.UP, rectangle.size.y],
		]:
			for index in int(step[1]):
				var vertex := number[at.y * width + at.x]
				if vertex >= 0:
					outline.append(vertex)
				at += step[0] as Vector2i
		found.add_polygon(outline)
	return found


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
			if free[y * size.x + x] == 0:
				x += 1
				continue
			var first := x
			while x < end.x and x - first < 64 and free[y * size.x + x] == 1:
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
