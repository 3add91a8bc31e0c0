extends Node2D
## The camps that the horde comes from.

const PICTURE := preload("art/camp.svg")
const TILES_WIDE := 11.0
const LEAST_SCREEN := 17.0  ## pixels

var tile_pixels := 16.0

var _places: Array[Vector2] = []
var _drawn_zoom := 0.0


## `areas` in tiles.
func place(areas: Array[Rect2i], pixels: float) -> void:
	tile_pixels = pixels
	texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	for area in areas:
		_places.append((Vector2(area.position) + Vector2(area.size) / 2.0) * pixels)


func _process(_delta: float) -> void:
	var zoom := get_canvas_transform().get_scale().x
	if not is_equal_approx(zoom, _drawn_zoom):
		_drawn_zoom = zoom
		queue_redraw()


func _draw() -> void:
	var wide := maxf(TILES_WIDE * tile_pixels, LEAST_SCREEN / maxf(_drawn_zoom, 0.001))
	for where in _places:
		draw_texture_rect(PICTURE, Rect2(where - Vector2(wide, wide * 1.2) / 2.0, Vector2(wide, wide)), false)
