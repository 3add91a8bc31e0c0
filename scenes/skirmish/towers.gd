extends Node2D
## The pictures of the towers, with their bars of health, and smoke where one was razed.

const Works := preload("works.gd")
const Smoke := preload("../shared/smoke.gd")
const PICTURE := preload("art/tower.svg")
const WIDE := 1.18  ## of its ground

var works: Works
var tick := 0

var _drawn := ""


func _ready() -> void:
	texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS


func show_razed(area: Rect2) -> void:
	var smoke := Smoke.make(area.get_center())
	smoke.emitting = true
	add_child(smoke)
	get_tree().create_timer(14.0).timeout.connect(func() -> void: smoke.emitting = false)


## Draws anew where something changed.
func refresh(now: int) -> void:
	tick = now
	var state := ""
	for work in works.list:
		state += "%d %d " % [work.health, int(now - work.hit < 8)]
	if state != _drawn:
		_drawn = state
		queue_redraw()


func _draw() -> void:
	var standing := works.list.slice(1).filter(func(work: Works.Work) -> bool: return work.health > 0.0)
	standing.sort_custom(func(one: Works.Work, other: Works.Work) -> bool: return one.area.end.y < other.area.end.y)
	for work: Works.Work in standing:
		draw_tower(self, work.area, Color(1.0, 0.8, 0.75) if tick - work.hit < 8 else Color.WHITE)
		if work.health < work.most:
			var bar := Rect2(work.area.position.x, work.area.position.y - work.area.size.y * 0.95, work.area.size.x, 4.0)
			draw_rect(bar.grow(1.0), Color(0.05, 0.05, 0.06, 0.9))
			draw_rect(Rect2(bar.position, Vector2(bar.size.x * work.health / work.most, bar.size.y)), Color(0.45, 0.88, 0.35))


static func draw_tower(canvas: CanvasItem, area: Rect2, tint: Color) -> void:
	var wide := area.size.x * WIDE
	var tall := wide * PICTURE.get_height() / PICTURE.get_width()
	var foot := Vector2(area.get_center().x, area.end.y + area.size.y * 0.10)
	for ring in 4:
		canvas.draw_set_transform(foot + Vector2(area.size.x * 0.28, -area.size.y * 0.30), 0.0, Vector2(1.0, 0.45))
		canvas.draw_circle(Vector2.ZERO, area.size.x * (0.80 - 0.08 * ring), Color(0.03, 0.05, 0.08, 0.10 * tint.a))
	canvas.draw_set_transform(Vector2.ZERO)
	canvas.draw_texture_rect(PICTURE, Rect2(foot - Vector2(wide / 2.0, tall), Vector2(wide, tall)), false, tint)
