extends Node2D
## The wall brush: the left button paints walls, the right one removes what is solid, both while dragged.
##
## It edits its own copy of the tile costs and hands out the smallest rectangle that changed, so that the map node gets one edit a
## frame, however far the mouse went.

signal edited(rect: Rect2i, costs: PackedByteArray)  ## `costs` are the rectangle's, row by row

const LARGEST := 12
const CLEARED_COST := 1  ## what cleared ground costs

var land: Node2D
var size := Vector2i.ZERO
var tile_pixels := 16.0
var brush_size := 3  ## tiles across
var stones := 0  ## walls that may still be built
var endless_stones := false
var protected: Array[Rect2i] = []  ## no walls here: the keep, villages

var _costs := PackedByteArray()
var _painting := 0  ## 1 builds, -1 removes
var _last := Vector2i.ZERO
var _hover := Vector2.ZERO
var _pending: Array[Vector2i] = []


func take_map(costs: PackedByteArray, map_size: Vector2i) -> void:
	_costs = costs.duplicate()
	size = map_size


func set_brush_size(tiles: int) -> void:
	brush_size = clampi(tiles, 1, LARGEST)
	queue_redraw()


func _unhandled_input(event: InputEvent) -> void:
	if event is InputEventMouseButton and event.button_index in [MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT]:
		if event.pressed:
			_painting = 1 if event.button_index == MOUSE_BUTTON_LEFT else -1
			_hover = _tile_place(event)
			_last = Vector2i(_hover.floor())
			_pending.append(_last)
		else:
			_painting = 0
		queue_redraw()
	elif event is InputEventMouseMotion:
		_hover = _tile_place(event)
		if _painting != 0:
			var now := Vector2i(_hover.floor())
			_append_line(_last, now)
			_last = now
		queue_redraw()
	elif event is InputEventKey and event.pressed:
		match event.physical_keycode:
			KEY_Q, KEY_BRACKETLEFT:
				set_brush_size(brush_size - 1)
			KEY_E, KEY_BRACKETRIGHT:
				set_brush_size(brush_size + 1)


func _process(_delta: float) -> void:
	visible = not Input.is_key_pressed(KEY_SHIFT)  # then the mouse points for the militia
	if _pending.is_empty():
		return
	var changed := Rect2i()
	var centres := _pending
	_pending = []
	for centre in centres:
		changed = _stamp(centre, changed)
	if not changed.has_area():
		return
	var part := PackedByteArray()
	for row in range(changed.position.y, changed.end.y):
		var start := row * size.x + changed.position.x
		part.append_array(_costs.slice(start, start + changed.size.x))
	edited.emit(changed, part)


func _stamp(centre: Vector2i, changed: Rect2i) -> Rect2i:
	var corner := centre - Vector2i.ONE * ((brush_size - 1) / 2)
	var middle := Vector2(brush_size - 1, brush_size - 1) / 2.0
	var reach := brush_size / 2.0 + 0.05
	for y in brush_size:
		for x in brush_size:
			if brush_size > 2 and Vector2(x, y).distance_to(middle) > reach:
				continue
			var tile := corner + Vector2i(x, y)
			if tile.x < 1 or tile.y < 1 or tile.x >= size.x - 1 or tile.y >= size.y - 1 or _is_protected(tile):
				continue
			var index := tile.y * size.x + tile.x
			if _painting >= 0 and _costs[index] != 0:
				if stones <= 0 and not endless_stones:
					continue
				stones -= 1
				_costs[index] = 0
				land.build(tile)
			elif _painting < 0 and _costs[index] == 0:
				if land.is_wall(tile):
					stones += 1
				_costs[index] = CLEARED_COST
				land.clear(tile)
			else:
				continue
			var one := Rect2i(tile, Vector2i.ONE)
			changed = changed.merge(one) if changed.has_area() else one
	return changed


func _is_protected(tile: Vector2i) -> bool:
	return protected.any(func(area: Rect2i) -> bool: return area.has_point(tile))


func _append_line(from: Vector2i, to: Vector2i) -> void:
	var steps := maxi(absi(to.x - from.x), absi(to.y - from.y))
	for step in range(1, steps + 1):
		_pending.append(Vector2i((Vector2(from).lerp(Vector2(to), float(step) / steps)).round()))


func _tile_place(event: InputEventMouse) -> Vector2:
	return (get_canvas_transform().affine_inverse() * event.position) / tile_pixels


func _draw() -> void:
	if size == Vector2i.ZERO:
		return
	var zoom := get_canvas_transform().get_scale().x
	var corner := (_hover.floor() - Vector2.ONE * ((brush_size - 1) / 2)) * tile_pixels
	var rect := Rect2(corner, Vector2.ONE * brush_size * tile_pixels)
	var blocked := _is_protected(Vector2i(_hover.floor()))
	var color := Color(0.95, 0.35, 0.25) if blocked or _painting < 0 else Color(1.0, 0.95, 0.8)
	var width := 1.5 / zoom
	draw_rect(rect, Color(color, 0.10))
	var arm := minf(rect.size.x * 0.35, 10.0 / zoom)
	for index in 4:
		var sign := Vector2(-1 if index % 2 else 1, -1 if index / 2 else 1)
		var point := rect.get_center() - sign * rect.size / 2.0
		for pass_number in 2:
			var ink := Color(0.05, 0.06, 0.08, 0.7) if pass_number == 0 else color
			var thick := width * (2.6 if pass_number == 0 else 1.4)
			draw_line(point, point + Vector2(arm * sign.x, 0), ink, thick)
			draw_line(point, point + Vector2(0, arm * sign.y), ink, thick)
