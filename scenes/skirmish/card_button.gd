extends Button
## A square button of the command card: a drawn sign or a unit's portrait, the key that does the same in a corner, a line below (a price).

const Kinds := preload("unit_kinds.gd")
const PORTRAIT := preload("shaders/portrait.gdshader")
const SIDE := 50.0
const GOLD := Color(0.95, 0.76, 0.32)
const PARCHMENT := Color(0.95, 0.91, 0.82)
const CLOTH: Array[Vector3] = [Vector3(0.20, 0.42, 0.82), Vector3(0.22, 0.52, 0.52)]

var sign_name := &""
var key_text := ""
var below := ""
var is_lit := false:
	set(value):
		if is_lit != value:
			is_lit = value
			queue_redraw()


func _init(name_of_sign: StringName, key: String, words: String) -> void:
	sign_name = name_of_sign
	key_text = key
	tooltip_text = words
	custom_minimum_size = Vector2(SIDE, SIDE)
	focus_mode = Control.FOCUS_NONE
	for state: StringName in [&"normal", &"hover", &"pressed", &"disabled"]:
		var style := StyleBoxFlat.new()
		style.bg_color = {&"normal": Color(0.16, 0.17, 0.19), &"hover": Color(0.25, 0.25, 0.25), &"pressed": Color(0.10, 0.10, 0.11), &"disabled": Color(0.11, 0.12, 0.13)}[state]
		style.border_color = Color(0.80, 0.68, 0.42, 0.85 if state == &"hover" else 0.40)
		style.set_border_width_all(1)
		style.set_corner_radius_all(4)
		add_theme_stylebox_override(state, style)


## Shows the figure of a kind instead of a sign.
func show_kind(kind: Kinds.Kind, pixels: float) -> void:
	var picture := make_portrait(kind, pixels)
	picture.position = Vector2((SIDE - pixels) / 2.0, (SIDE - pixels) / 2.0 - (7.0 if not below.is_empty() else 0.0))
	add_child(picture)


static func make_portrait(kind: Kinds.Kind, pixels: float) -> TextureRect:
	var cell := kind.sheet.get_height() / 8.0
	var atlas := AtlasTexture.new()
	atlas.atlas = kind.sheet
	var inset := cell * (0.10 if kind.figure_tiles > 2.0 else 0.16)
	atlas.region = Rect2(inset, cell + inset * 0.6, cell - 2.0 * inset, cell - 2.0 * inset)
	var picture := TextureRect.new()
	picture.texture = atlas
	picture.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	picture.size = Vector2.ONE * pixels
	picture.custom_minimum_size = Vector2.ONE * pixels
	picture.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	picture.mouse_filter = Control.MOUSE_FILTER_IGNORE
	var look := ShaderMaterial.new()
	look.shader = PORTRAIT
	look.set_shader_parameter(&"cloth", CLOTH[mini(kind.livery, 1)])
	picture.material = look
	return picture


func _draw() -> void:
	if is_lit:
		draw_rect(Rect2(Vector2.ZERO, size).grow(-1.5), GOLD, false, 2.0)
	var ink := Color(PARCHMENT, 0.35) if disabled else (GOLD if is_lit or is_hovered() else PARCHMENT)
	draw_set_transform(Vector2(SIDE / 2.0, SIDE / 2.0 - (5.0 if not below.is_empty() else 0.0)))
	_draw_sign(ink)
	draw_set_transform(Vector2.ZERO)
	_draw_words()


func _draw_words() -> void:
	var font := get_theme_default_font()
	if not key_text.is_empty():
		var wide := font.get_string_size(key_text, HORIZONTAL_ALIGNMENT_LEFT, -1, 10).x
		draw_rect(Rect2(2, 2, wide + 6, 13), Color(0.88, 0.83, 0.72, 0.45 if disabled else 0.95))
		draw_string(font, Vector2(5, 12), key_text, HORIZONTAL_ALIGNMENT_LEFT, -1, 10, Color(0.16, 0.13, 0.10))
	if not below.is_empty():
		var tint := Color(0.93, 0.45, 0.30) if disabled else GOLD
		draw_string(font, Vector2(0, SIDE - 5), below, HORIZONTAL_ALIGNMENT_CENTER, SIDE, 11, tint)


func _draw_sign(ink: Color) -> void:
	match sign_name:
		&"move":
			draw_line(Vector2(-11, 8), Vector2(5, -4), ink, 3.0, true)
			draw_colored_polygon([Vector2(13, -10), Vector2(8, 3), Vector2(0, -8)], ink)
		&"attack":
			for side: float in [-1.0, 1.0]:
				draw_line(Vector2(-10 * side, 11), Vector2(11 * side, -11), ink, 2.6, true)
				draw_line(Vector2(-10 * side, 3), Vector2(-2 * side, 11), ink, 2.6, true)
		&"stop":
			var shape := PackedVector2Array()
			for corner in 8:
				shape.append(Vector2.from_angle((corner + 0.5) * TAU / 8.0) * 12.0)
			draw_colored_polygon(shape, ink)
			draw_rect(Rect2(-5, -5, 10, 10), Color(0.13, 0.13, 0.14))
		&"hold":
			draw_colored_polygon([Vector2(-10, -11), Vector2(0, -14), Vector2(10, -11), Vector2(9, 3), Vector2(0, 13), Vector2(-9, 3)], ink)
			draw_line(Vector2(0, -9), Vector2(0, 7), Color(0.13, 0.13, 0.14), 2.6)
			draw_line(Vector2(-6, -3), Vector2(6, -3), Color(0.13, 0.13, 0.14), 2.6)
		&"patrol":
			draw_arc(Vector2.ZERO, 10.0, 0.5, PI - 0.2, 16, ink, 2.6, true)
			draw_arc(Vector2.ZERO, 10.0, PI + 0.5, TAU - 0.2, 16, ink, 2.6, true)
			draw_colored_polygon([Vector2(-14, 3), Vector2(-5, 3), Vector2(-10, -4)], ink)
			draw_colored_polygon([Vector2(14, -3), Vector2(5, -3), Vector2(10, 4)], ink)
		&"follow":
			draw_circle(Vector2(8, -8), 4.6, ink)
			for step in 3:
				draw_circle(Vector2(1.5 - 6.0 * step, 0.5 + 5.2 * step), 2.5 - 0.4 * step, ink)
			draw_arc(Vector2(8, -8), 8.2, 0.0, TAU, 24, Color(ink, ink.a * 0.7), 1.6, true)
		&"march":
			for row in 3:
				for file in 3:
					draw_circle(Vector2(-9.0 + file * 9.0, -3.0 + row * 7.0), 2.6, ink)
			draw_colored_polygon([Vector2(0, -15), Vector2(6, -8), Vector2(-6, -8)], ink)
		&"wall":
			for row in 3:
				for stone in 3:
					var left := -13.0 + stone * 9.0 - (4.0 if row == 1 else 0.0)
					draw_rect(Rect2(maxf(left, -13.0), -9.0 + row * 7.0, minf(left + 8.0, 13.0) - maxf(left, -13.0), 5.6), ink)
		&"tower":
			draw_rect(Rect2(-7, -4, 14, 16), ink)
			for merlon in 3:
				draw_rect(Rect2(-9 + merlon * 7, -12, 4.5, 5), ink)
			draw_rect(Rect2(-9, -8, 18.5, 4), ink)
			draw_rect(Rect2(-2.5, 4, 5, 8), Color(0.13, 0.13, 0.14))
