extends Node2D
## The bridges: planks over the river, rails with posts.

const Level := preload("level.gd")
const PLANKS: Array[Color] = [Color(0.47, 0.35, 0.23), Color(0.43, 0.31, 0.20), Color(0.51, 0.39, 0.26), Color(0.40, 0.29, 0.19)]
const BEAM := Color(0.27, 0.19, 0.12)
const LIGHT := Color(0.62, 0.48, 0.32)
const PLANK := 0.42  ## tiles

var tile_pixels := 16.0


func _draw() -> void:
	for bridge in Level.BRIDGES:
		_draw_bridge(Rect2(Vector2(bridge.position) * tile_pixels, Vector2(bridge.size) * tile_pixels).grow_individual(0.0, -3.0, 0.0, -3.0))


func _draw_bridge(area: Rect2) -> void:
	draw_rect(Rect2(area.position + Vector2(6, area.size.y - 2), Vector2(area.size.x, 12)), Color(0.02, 0.06, 0.10, 0.40))
	var count := int(area.size.x / (PLANK * tile_pixels))
	var wide := area.size.x / count
	for plank in count:
		var dice := hash(Vector2i(plank, int(area.position.y)))
		var ragged := (dice & 3) * 0.7 if plank in [0, 1, count - 2, count - 1] else 0.0
		var piece := Rect2(area.position + Vector2(plank * wide, -1.0 + (dice >> 3 & 1) + ragged), Vector2(wide, area.size.y + 1.0 + (dice >> 4 & 1) - 2.0 * ragged))
		draw_rect(piece, PLANKS[dice >> 6 & 3].darkened(0.05 * (dice >> 9 & 1)))
		draw_line(piece.position + Vector2(0.4, 0), piece.position + Vector2(0.4, piece.size.y), Color(0.16, 0.11, 0.07, 0.75), 0.9)
		draw_line(piece.position + Vector2(1.4, 1), piece.position + Vector2(1.4, piece.size.y - 2), Color(LIGHT, 0.25), 0.8)
	for side: float in [area.position.y - 1.0, area.end.y + 1.0]:
		draw_rect(Rect2(area.position.x - 4, side - 1.0, area.size.x + 8, 6.0), Color(0.03, 0.04, 0.05, 0.28))
		draw_rect(Rect2(area.position.x - 4, side - 5.0, area.size.x + 8, 4.4), BEAM)
		draw_rect(Rect2(area.position.x - 4, side - 5.0, area.size.x + 8, 1.3), LIGHT)
		for post in 6:
			var x := area.position.x - 4 + post * (area.size.x + 2) / 5.0
			draw_rect(Rect2(x, side - 9.0, 6.0, 13.0), BEAM.darkened(0.15))
			draw_rect(Rect2(x, side - 9.0, 6.0, 3.0), LIGHT)
